//! What can be asked of a running session, from any task.

use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use unspool::control::{Payload, Refusal};
use unspool::wire::input::UserInput;
use uuid::Uuid;

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
    /// A prompt, with its name.
    Send { message: UserInput, uuid: String },
    /// End when everything is done that was asked for.
    Finish,
    /// Interrupt what is running, and end.
    Close,
}

impl Controls {
    /// Sends a prompt while others may be running, and returns the name it was given. What becomes of it is told by the
    /// session's events. Fails if the session has ended.
    pub fn send(&self, message: impl Into<Prompt>) -> Result<String, Refusal> {
        let uuid = Uuid::new_v4().to_string();
        let message = message.into().0.uuid(&uuid);
        let order = Order::Send { message, uuid: uuid.clone() };
        self.orders.send(order).map_err(|_| Refusal::Closed)?;
        Ok(uuid)
    }

    /// Asks anything of Claude Code: an object with a `subtype`. Waits a minute for the answer.
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

    /// The session ends when everything is done that was asked for.
    pub fn finish(&self) {
        // A session that is gone has ended.
        let _ = self.orders.send(Order::Finish);
    }

    /// What is running is interrupted, and the session ends.
    pub fn close(&self) {
        let _ = self.orders.send(Order::Close);
    }
}

/// What to say to Claude Code: words, or a message made with [`input`](unspool::wire::input).
#[derive(Clone, Debug)]
pub struct Prompt(pub(crate) UserInput);

impl From<&str> for Prompt {
    fn from(words: &str) -> Self {
        Prompt(unspool::wire::input::user(words))
    }
}

impl From<String> for Prompt {
    fn from(words: String) -> Self {
        words.as_str().into()
    }
}

impl From<&String> for Prompt {
    fn from(words: &String) -> Self {
        words.as_str().into()
    }
}

impl From<UserInput> for Prompt {
    fn from(message: UserInput) -> Self {
        Prompt(message)
    }
}
