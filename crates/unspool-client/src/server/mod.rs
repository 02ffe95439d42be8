//! MCP servers that run with us: Claude Code sends them JSON-RPC inside control requests.
//!
//! Versions before 1.0.128 do not.

mod call;
mod own;
mod piped;
mod reply;
mod rpc;
mod settings;
mod tool;
#[cfg(feature = "schemars")]
mod typed;

pub use call::Call;
pub use own::Server;
pub use piped::Piped;
pub use reply::ToolReply;
pub use settings::ServerSettings;
pub use tool::Tool;

use crate::controls::{COMMAND_LIMIT, Controls, Order};
use crate::handlers::{BoxFuture, Context};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use unspool::control::{Answer, Payload};
use unspool::wire::Wire;
use unspool::wire::ask::{McpMessage, McpMessageAnswer};
use unspool::wire::input::{Draft, Owned};

/// An MCP server that runs here. [`Server`] is one, [`Piped`] makes one of any that talks over a stream of bytes.
///
/// One value serves all sessions that it is given to; which one a message comes from is told by its
/// [`Context`].
pub trait HostedServer: Send + Sync + 'static {
    /// Its name; the model sees its tools as `mcp__NAME__TOOL`.
    fn name(&self) -> &str;

    /// A session begins that has this server.
    fn join(&self, _session: &Controls) {}

    /// Takes a JSON-RPC message. What it replies, if it is one that wants a reply; an error if
    /// the server is not there at all.
    fn handle(&self, message: Payload, context: Context) -> BoxFuture<Result<Option<Payload>, String>>;

    /// What Claude Code should know about it.
    fn settings(&self) -> ServerSettings {
        ServerSettings::default()
    }

    /// What it would reply to `initialize` and `tools/list`, if it can tell without being asked. Claude Code then
    /// does not ask until a tool is called.
    fn manifest(&self) -> Option<Payload> {
        None
    }
}

/// Adds the servers to `initialize`.
pub(crate) fn announce_servers(servers: &[Arc<dyn HostedServer>], initialize: Draft) -> Draft {
    if servers.is_empty() {
        return initialize;
    }
    let names: Vec<&str> = servers.iter().map(|server| server.name()).collect();
    let initialize = initialize.with("sdkMcpServers", names);
    let settings = servers.iter().filter_map(|server| Some((server.name(), server.settings().write()?)));
    let initialize = with_map(initialize, "sdkMcpServerConfigs", settings);
    let manifests =
        servers.iter().filter_map(|server| Some((server.name(), Owned::of(server.manifest()?.json()))));
    with_map(initialize, "sdkMcpServerManifests", manifests)
}

fn with_map<'n>(draft: Draft, name: &str, entries: impl Iterator<Item = (&'n str, Owned)>) -> Draft {
    let mut entries = entries.peekable();
    if entries.peek().is_none() {
        return draft;
    }
    let map = entries.fold(Draft::new(), |map, (name, value)| map.with(name, value));
    draft.with(name, map)
}

/// Hands a message to its server. A notification has no reply, but the question that brought it wants one.
pub(crate) async fn serve(request: &Payload, context: Context) -> Answer {
    let servers = context.controls.hosted.ours();
    let request = McpMessage::of(request.json()).unwrap_or_default();
    let name = request.server_name.map(|name| name.decode()).unwrap_or_default();
    let Some(server) = servers.iter().find(|server| server.name() == name) else {
        return Answer::error(format!("SDK MCP server not found: {name}"));
    };
    let Some(message) = request.message else { return Answer::error("no message") };
    match server.handle(message.into(), context).await {
        Ok(reply) => {
            let reply = reply.unwrap_or_else(rpc::taken);
            Payload::of(&McpMessageAnswer::default().mcp_response(reply.json())).into()
        }
        Err(why) => Answer::error(why),
    }
}

/// Sends a message of a server to Claude Code. No answer is waited for: older versions give none.
fn tell(orders: &mpsc::UnboundedSender<Order>, server: &str, message: &Payload) {
    let request = Payload::of(&McpMessage::default().server_name(server).message(message.json()));
    let (reply, _) = oneshot::channel();
    // A session that has ended wants no messages.
    let _ = orders.send(Order::Command { request, limit: Some(COMMAND_LIMIT), reply });
}
