//! The MCP servers of one session that run with us, and how they change while it runs.

use super::reply::Reply;
use crate::Handlers;
use crate::controls::Controls;
use crate::server::HostedServer;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unspool::control::Refusal;
use unspool::wire::command::{McpServerConfig, McpSetServers, McpSetServersReply};
use unspool::wire::input::{Draft, Owned};

/// What a session has of servers. Claude Code takes all of them at once, in place of those it was told of before, so this
/// has to know the others.
#[derive(Clone, Default)]
pub(crate) struct Hosted(Arc<Servers>);

#[derive(Default)]
struct Servers {
    ours: Mutex<Vec<Arc<dyn HostedServer>>>,
    /// Those that do not run with us and were set while the session runs. Held by the handle that changes anything, until
    /// Claude Code has replied.
    others: tokio::sync::Mutex<Vec<(String, Owned)>>,
}

impl Hosted {
    /// The servers that run with us now.
    pub(crate) fn ours(&self) -> Vec<Arc<dyn HostedServer>> {
        self.lock().clone()
    }

    /// Whether there are any.
    pub(crate) fn is_any(&self) -> bool {
        !self.lock().is_empty()
    }

    /// The servers that the session begins with.
    pub(crate) fn begin_with(&self, handlers: &Handlers) {
        *self.lock() = handlers.servers().to_vec();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<dyn HostedServer>>> {
        // Nothing that holds the lock can leave the list half changed.
        self.0.ours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Hosted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lock().iter().map(|server| server.name())).finish()
    }
}

impl Controls {
    /// Adds an MCP server that runs here to the running session, in place of one with the same name. Its tools are there from the
    /// next request on. All others stay. 2.1.325 does it; 1.0.128 does not answer.
    ///
    /// ```no_run
    /// # async fn show(controls: unspool_client::controls::Controls) -> Result<(), unspool::control::Refusal> {
    /// use unspool_client::server::{Server, Tool};
    ///
    /// let clock = Tool::new("now", "The time", |(): ()| async { "a quarter past four" });
    /// controls.add_server(Server::new("clock").tool(clock)).await?;
    /// controls.remove_server("clock").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A program that a [`Lasting`](crate::Lasting) session starts later has the servers of its [`Handlers`] only.
    pub async fn add_server(
        &self,
        server: impl HostedServer,
    ) -> Result<Reply<McpSetServersReply<'static>>, Refusal> {
        let others = self.hosted.0.others.lock().await;
        let mut ours = self.hosted.ours();
        let before = ours.len();
        ours.retain(|other| other.name() != server.name());
        if ours.len() < before {
            // A server of the same name would be taken for the one that is there, and not be asked for its tools.
            self.set_servers(ours.clone(), &others).await?;
        }
        server.join(self);
        ours.push(Arc::new(server));
        self.set_servers(ours, &others).await
    }

    /// Takes an MCP server that runs here from the running session. The reply says whether there was one of that name. All
    /// others stay.
    pub async fn remove_server(&self, name: &str) -> Result<Reply<McpSetServersReply<'static>>, Refusal> {
        let others = self.hosted.0.others.lock().await;
        let mut ours = self.hosted.ours();
        ours.retain(|server| server.name() != name);
        self.set_servers(ours, &others).await
    }

    /// These servers in place of those that were set so before; those that run here stay, unless one of these has their name. A
    /// `stdio` one needs `args`, be it an empty list. Since 2.0.77 or before; 1.0.128 does not answer.
    pub async fn mcp_set_servers<'s>(
        &self,
        servers: impl IntoIterator<Item = (&'s str, McpServerConfig<'s>)>,
    ) -> Result<Reply<McpSetServersReply<'static>>, Refusal> {
        let mut others = self.hosted.0.others.lock().await;
        let servers = servers.into_iter().map(|(name, server)| (name.to_owned(), Owned::of(server)));
        let servers: Vec<_> = servers.collect();
        let mut ours = self.hosted.ours();
        ours.retain(|server| servers.iter().all(|(name, _)| server.name() != name));
        let reply = self.set_servers(ours, &servers).await?;
        *others = servers;
        Ok(reply)
    }

    /// What is asked for in the meantime is asked of the new servers; if Claude Code does not want them, the old ones are back.
    async fn set_servers(
        &self,
        ours: Vec<Arc<dyn HostedServer>>,
        others: &[(String, Owned)],
    ) -> Result<Reply<McpSetServersReply<'static>>, Refusal> {
        let servers = others.iter().fold(Draft::new(), |all, (name, server)| all.with(name, server.json()));
        let servers = ours.iter().fold(servers, |all, server| all.with(server.name(), described(&**server)));
        let before = std::mem::replace(&mut *self.hosted.lock(), ours);
        let reply = self.request(McpSetServers::default().servers(&servers)).await;
        if reply.is_err() {
            *self.hosted.lock() = before;
        }
        reply
    }
}

/// A server that runs with us, as Claude Code is told of it.
fn described(server: &dyn HostedServer) -> Draft {
    let draft = Draft::new().with("type", "sdk").with("name", server.name());
    let settings = server.settings().write();
    let fields = settings.iter().flat_map(|settings| settings.json().fields());
    fields.fold(draft, |draft, (name, value)| draft.with(&name.decode(), value))
}
