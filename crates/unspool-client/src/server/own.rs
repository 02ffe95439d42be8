//! A small MCP server: tools made of closures.

use super::{Call, HostedServer, ServerSettings, Tool, rpc, tell};
use crate::controls::{Controls, Order};
use crate::handlers::{BoxFuture, Context};
use serde_json::{Value, json};
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::WeakUnboundedSender;
use tokio_util::sync::CancellationToken;
use unspool::control::Payload;
use unspool::json::Json;
use unspool::wire::command::SdkMcpServerManifest;
use unspool::wire::input::Owned;

/// The versions of MCP that differ in nothing that is used here; the last is the newest.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// An MCP server made of [tools](Tool). Cheap to clone; clones have the same tools.
///
/// ```
/// use unspool_client::json::schemars;
/// use unspool_client::server::{Server, Tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Add {
///     a: f64,
///     b: f64,
/// }
///
/// let calc = Server::new("calc")
///     .tool(Tool::new("add", "Adds two numbers", |it: Add| async move { (it.a + it.b).to_string() }));
/// ```
#[derive(Clone)]
pub struct Server {
    name: Arc<str>,
    version: String,
    instructions: Option<String>,
    settings: ServerSettings,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    tools: Vec<Tool>,
    /// The sessions that have this server.
    sessions: Vec<WeakUnboundedSender<Order>>,
    running: Vec<Running>,
}

/// A call that has not ended. Sessions name their calls alike.
struct Running {
    session: WeakUnboundedSender<Order>,
    id: Payload,
    stop: CancellationToken,
}

impl Server {
    /// A server without tools.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Server {
            name: name.into(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            settings: ServerSettings::default(),
            shared: Arc::default(),
        }
    }

    /// Adds a tool, in place of one with the same name.
    #[must_use]
    pub fn tool(self, tool: Tool) -> Self {
        put(&mut self.lock().tools, tool);
        self
    }

    /// Its version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// What the model should know about all its tools.
    #[must_use]
    pub fn instructions(mut self, words: impl Into<String>) -> Self {
        self.instructions = Some(words.into());
        self
    }

    /// What Claude Code should know about it.
    #[must_use]
    pub fn settings(mut self, settings: ServerSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Adds a tool while sessions run, and tells them.
    pub fn add_tool(&self, tool: Tool) {
        put(&mut self.lock().tools, tool);
        self.tools_changed();
    }

    /// Takes a tool away while sessions run, and tells them. `false` if there was none of that name.
    #[must_use]
    pub fn remove_tool(&self, name: &str) -> bool {
        let mut shared = self.lock();
        let before = shared.tools.len();
        shared.tools.retain(|tool| tool.name != name);
        let removed = shared.tools.len() < before;
        drop(shared);
        if removed {
            self.tools_changed();
        }
        removed
    }

    fn tools_changed(&self) {
        let changed = rpc::notification("notifications/tools/list_changed", None);
        self.lock().sessions.retain(|session| {
            let session = session.upgrade().filter(|session| !session.is_closed());
            session.inspect(|session| tell(session, &self.name, &changed)).is_some()
        });
    }

    /// What the server says of itself, in the version that was asked for if it is one of ours.
    fn greeting(&self, asked: Option<Json<'_>>) -> Value {
        let asked = asked.and_then(Json::as_str).map(|version| version.decode());
        let version = VERSIONS.into_iter().find(|version| asked.as_deref() == Some(*version));
        let mut greeting = json!({
            "protocolVersion": version.unwrap_or(VERSIONS[VERSIONS.len() - 1]),
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": &*self.name, "version": self.version},
        });
        if let Some(words) = &self.instructions {
            greeting["instructions"] = words.as_str().into();
        }
        greeting
    }

    fn list(&self) -> Value {
        json!({"tools": self.lock().tools.iter().map(Tool::describe).collect::<Vec<_>>()})
    }

    fn call(&self, id: Json<'_>, params: Json<'_>, context: Context) -> BoxFuture<Payload> {
        let name = params.get("name").and_then(Json::as_str).map(|name| name.decode()).unwrap_or_default();
        let Some(tool) = self.lock().tools.iter().find(|tool| tool.name == name).cloned() else {
            return Box::pin(ready(rpc::error(id, rpc::BAD_PARAMS, &format!("Unknown tool: {name}"))));
        };
        let id = Payload::from(id);
        let running = self.begin(&id, &context.controls);
        let reply = tool.call(Call { server: Arc::clone(&self.name), params: params.into(), context });
        Box::pin(async move {
            tokio::select! {
                reply = reply => rpc::result(id.json(), reply.write()),
                () = running.stop.cancelled() => rpc::error(id.json(), rpc::GAVE_UP, "The call was cancelled"),
            }
        })
    }

    fn begin(&self, id: &Payload, controls: &Controls) -> Begun {
        let stop = CancellationToken::new();
        let session = controls.orders.downgrade();
        self.lock().running.push(Running { session, id: id.clone(), stop: stop.clone() });
        Begun { stop, shared: Arc::clone(&self.shared) }
    }

    fn cancel(&self, id: Json<'_>, controls: &Controls) {
        let is_it = |call: &&Running| call.id.json() == id && is(&call.session, controls);
        if let Some(call) = self.lock().running.iter().find(is_it) {
            call.stop.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // Nothing that holds the lock can leave the lists half changed.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HostedServer for Server {
    fn name(&self) -> &str {
        &self.name
    }

    fn join(&self, session: &Controls) {
        let mut shared = self.lock();
        shared.sessions.retain(|session| session.strong_count() > 0);
        shared.sessions.push(session.orders.downgrade());
    }

    fn handle(&self, message: Payload, context: Context) -> BoxFuture<Result<Option<Payload>, String>> {
        let message = rpc::Message::of(message.json());
        let method = message.method.unwrap_or_default();
        let Some(id) = message.id else {
            if method == "notifications/cancelled" {
                self.cancel(message.params.get("requestId").unwrap_or(Json::NULL), &context.controls);
            }
            return Box::pin(ready(Ok(None)));
        };
        let reply = match &*method {
            "initialize" => rpc::result(id, self.greeting(message.params.get("protocolVersion"))),
            "ping" => rpc::result(id, json!({})),
            "tools/list" => rpc::result(id, self.list()),
            "tools/call" => {
                let reply = self.call(id, message.params, context);
                return Box::pin(async move { Ok(Some(reply.await)) });
            }
            _ => rpc::error(id, rpc::NO_METHOD, &format!("Unknown method: {method}")),
        };
        Box::pin(ready(Ok(Some(reply))))
    }

    fn settings(&self) -> ServerSettings {
        self.settings.clone()
    }

    fn manifest(&self) -> Option<Payload> {
        let (greeting, list) = (Owned::of(self.greeting(None)), Owned::of(self.list()));
        let manifest = SdkMcpServerManifest::default().initialize_result(&greeting).tools_list_result(&list);
        Some(Payload::of(&manifest))
    }
}

/// Takes a call off the list when it has ended, however it did.
struct Begun {
    stop: CancellationToken,
    shared: Arc<Mutex<Shared>>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        // A token that was dropped with its call is told apart from the others by being cancelled.
        self.stop.cancel();
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.running.retain(|call| !call.stop.is_cancelled());
    }
}

fn is(session: &WeakUnboundedSender<Order>, controls: &Controls) -> bool {
    session.upgrade().is_some_and(|session| session.same_channel(&controls.orders))
}

fn put(tools: &mut Vec<Tool>, tool: Tool) {
    match tools.iter_mut().find(|other| other.name == tool.name) {
        Some(other) => *other = tool,
        None => tools.push(tool),
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("name", &self.name).field("tools", &self.lock().tools).finish()
    }
}
