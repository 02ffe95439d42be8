//! An MCP server that talks over a stream of bytes, as any does that was written for standard input and output.

use super::{HostedServer, ServerSettings, rpc, tell};
use crate::controls::{Controls, Order};
use crate::handlers::{BoxFuture, Context};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender, WeakUnboundedSender};
use tokio::sync::oneshot;
use unspool::control::Payload;
use unspool::json::Json;

/// So many bytes may be under way before the other side has to read.
const BUFFER: usize = 64 * 1024;

/// An MCP server that talks over a stream of bytes, a message a line. So does every server of the crate `rmcp`, of any
/// version:
///
/// ```ignore
/// let server = Piped::new("calc", |io| async move {
///     if let Ok(running) = Calculator::new().serve(io).await {
///         let _ = running.waiting().await;
///     }
/// });
/// ```
///
/// The server is started once for each session, when that begins to talk to it, and dropped with it.
#[derive(Clone)]
pub struct Piped {
    name: Arc<str>,
    settings: ServerSettings,
    start: Arc<dyn Fn(DuplexStream) -> BoxFuture<()> + Send + Sync>,
    connections: Arc<Mutex<Vec<Connection>>>,
}

/// The server as one session has it.
struct Connection {
    session: WeakUnboundedSender<Order>,
    lines: UnboundedSender<String>,
    waiting: Waiting,
}

/// Who waits for the reply to which request; by its id as it is written.
type Waiting = Arc<Mutex<HashMap<String, oneshot::Sender<Payload>>>>;

impl Piped {
    /// A server that is started by serving a stream.
    pub fn new<F>(
        name: impl Into<Arc<str>>,
        serve: impl Fn(DuplexStream) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let start = Arc::new(move |io| -> BoxFuture<()> { Box::pin(serve(io)) });
        Piped { name: name.into(), settings: ServerSettings::default(), start, connections: Arc::default() }
    }

    /// What Claude Code should know about it.
    #[must_use]
    pub fn settings(mut self, settings: ServerSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Starts the server for a session, in place of the one it had.
    fn connect(&self, controls: &Controls) {
        let (ours, theirs) = tokio::io::duplex(BUFFER);
        let (lines, to_write) = mpsc::unbounded_channel();
        let waiting = Waiting::default();
        let connection =
            Connection { session: controls.orders.downgrade(), lines, waiting: Arc::clone(&waiting) };
        let mut connections = lock(&self.connections);
        connections.retain(|other| !other.lines.is_closed() && !other.is_of(controls));
        connections.push(connection);
        drop(connections);
        let (server, name, orders) = ((self.start)(theirs), Arc::clone(&self.name), controls.orders.clone());
        tokio::spawn(async move {
            let (from, to) = tokio::io::split(ours);
            tokio::select! {
                () = orders.closed() => {}
                () = read(from, &name, &orders, &waiting) => {}
                _ = async { tokio::join!(server, write(to, to_write)) } => {}
            }
            // Whoever still waits is told so by this.
            lock(&waiting).clear();
        });
    }

    /// Sends a message on, and says where its reply will arrive if it wants one.
    fn send(&self, message: &Payload, controls: &Controls) -> Result<Option<Reply>, String> {
        let connections = lock(&self.connections);
        let connection = connections.iter().find(|connection| connection.is_of(controls));
        let connection = connection.ok_or_else(|| self.gone())?;
        let read = rpc::Message::of(message.json());
        let reply = read.id.filter(|_| read.method.is_some()).map(|id| {
            let id = id.compact();
            let (sender, reply) = oneshot::channel();
            lock(&connection.waiting).insert(id.clone(), sender);
            Reply { reply, id, waiting: Arc::clone(&connection.waiting) }
        });
        connection.lines.send(format!("{message}\n")).map_err(|_| self.gone())?;
        Ok(reply)
    }

    fn gone(&self) -> String {
        format!("the MCP server {} has ended", self.name)
    }
}

impl HostedServer for Piped {
    fn name(&self) -> &str {
        &self.name
    }

    fn handle(&self, message: Payload, context: Context) -> BoxFuture<Result<Option<Payload>, String>> {
        if rpc::Message::of(message.json()).method.as_deref() == Some("initialize") {
            self.connect(&context.controls);
        }
        let sent = self.send(&message, &context.controls);
        let gone = self.gone();
        Box::pin(async move {
            match sent? {
                Some(mut reply) => (&mut reply.reply).await.map(Some).map_err(|_| gone),
                None => Ok(None),
            }
        })
    }

    fn settings(&self) -> ServerSettings {
        self.settings.clone()
    }
}

impl Connection {
    fn is_of(&self, controls: &Controls) -> bool {
        self.session.upgrade().is_some_and(|session| session.same_channel(&controls.orders))
    }
}

/// Where a reply will arrive; the server does not wait for it any more once this is dropped.
struct Reply {
    reply: oneshot::Receiver<Payload>,
    id: String,
    waiting: Waiting,
}

impl Drop for Reply {
    fn drop(&mut self) {
        lock(&self.waiting).remove(&self.id);
    }
}

async fn write(mut to: WriteHalf<DuplexStream>, mut lines: UnboundedReceiver<String>) {
    while let Some(line) = lines.recv().await {
        if to.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Replies go to the request that waits for them, all else to Claude Code.
async fn read(
    from: ReadHalf<DuplexStream>,
    server: &str,
    orders: &UnboundedSender<Order>,
    waiting: &Waiting,
) {
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(lines.read_until(b'\n', &mut line).await, Ok(1..)) {
        let text = String::from_utf8_lossy(&line);
        if let Ok(json) = Json::new(&text) {
            let message = rpc::Message::of(json);
            match message.id.filter(|_| message.method.is_none()) {
                Some(id) => {
                    let waits = lock(waiting).remove(&id.compact());
                    let _ = waits.map(|waits| waits.send(json.into()));
                }
                None => tell(orders, server, &json.into()),
            }
        }
        line.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that holds these locks can leave what they guard half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Piped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Piped").field("name", &self.name).finish_non_exhaustive()
    }
}
