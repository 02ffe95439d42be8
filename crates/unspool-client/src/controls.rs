//! What can be asked of a running session, from any task.

use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use unspool::control::{Payload, Refusal};

/// Most commands are answered within milliseconds; versions before 2.1.112 never answer some.
pub(crate) const COMMAND_LIMIT: Duration = Duration::from_secs(60);

/// What a command came to: what Claude Code replied, which may be nothing but yes, or why there is no
/// such reply.
pub type Outcome = Result<Option<Payload>, Refusal>;

/// A handle to a running session, cheap to clone.
///
/// Commands are answered while events are waiting to be read, so one task may ask while another reads.
#[derive(Clone, Debug)]
pub struct Controls {
    pub(crate) orders: mpsc::UnboundedSender<Order>,
}

/// What a handle wants of the driver.
#[derive(Debug)]
pub(crate) enum Order {
    /// A control request.
    Command { request: Payload, limit: Option<Duration>, reply: oneshot::Sender<Outcome> },
}

impl Controls {
    /// Asks anything of Claude Code: an object with a `subtype`. Waits a minute for
    /// the answer.
    pub async fn command(&self, request: Payload) -> Outcome {
        self.command_within(Some(COMMAND_LIMIT), request).await
    }

    /// The same, with a time limit of one's own, or none.
    pub async fn command_within(&self, limit: Option<Duration>, request: Payload) -> Outcome {
        let (reply, outcome) = oneshot::channel();
        let order = Order::Command { request, limit, reply };
        self.orders.send(order).map_err(|_| Refusal::Closed)?;
        outcome.await.unwrap_or(Err(Refusal::Closed))
    }
}
