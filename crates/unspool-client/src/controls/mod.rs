//! What can be asked of a running session, from any task.
//!
//! There is a method for nearly every request, named as on the wire, which takes what the request cannot do
//! without. [`Controls::request`] takes a request with all its fields, and [`Controls::command`] any JSON.

mod account;
mod context;
mod conversation;
mod declare;
mod file;
mod hosted;
mod mcp;
mod prompt;
mod reply;
mod session;
mod setting;
#[cfg(test)]
mod tests;
mod view;

pub use crate::readable::Readable;
pub(crate) use hosted::Hosted;
pub use prompt::Prompt;
pub use reply::{Replied, Reply, Request};

use crate::handlers::BoxFuture;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use unspool::control::{Payload, Refusal};
use unspool::verdict::Cut;
use unspool::wire::command::{CommandKind, InitializeReply};
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
///
/// ```no_run
/// # async fn show(controls: unspool_client::controls::Controls) -> Result<(), unspool::control::Refusal> {
/// use unspool::wire::command::ReadFile;
///
/// let reply = controls.set_model("opus").await?;
/// println!("now {:?}", reply.read().model);
///
/// let beginning = ReadFile::default().path("notes.txt").max_bytes(1000u64);
/// println!("{:?}", controls.request(beginning).await?.read().contents);
/// # Ok(())
/// # }
/// ```
///
/// A version that does not know a request refuses it, and up to 2.0.77 says nothing at all: the answer is then
/// [`Refusal::TimedOut`]. Each method says which versions were seen to answer; where it does not, 2.1.325 does and 2.0.77
/// does not.
#[derive(Clone, Debug)]
pub struct Controls {
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    pub(crate) gate: Gate,
    pub(crate) hosted: Hosted,
}

/// Whether prompts are still taken. The handle that sends one and the driver that closes the input hold it meanwhile, so
/// that no prompt is taken and then not sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<Mutex<bool>>);

impl Gate {
    /// `true` once no more prompts are taken.
    pub(crate) fn hold(&self) -> MutexGuard<'_, bool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a handle wants of the driver.
#[derive(Debug)]
pub(crate) enum Order {
    /// A control request.
    Command { request: Payload, limit: Option<Duration>, reply: oneshot::Sender<Outcome> },
    /// What Claude Code says of itself.
    Introduce(oneshot::Sender<Outcome>),
    /// Initialize Claude Code once more, and hear again what it says of itself.
    IntroduceAgain(oneshot::Sender<Outcome>),
    /// The application does not wait for the answer to a command any more.
    Withdraw,
    /// A prompt, with its name.
    Send { message: UserInput, uuid: String },
    /// The application does not want the answer to a prompt any more. What is replied says whether it was taken back
    /// without a word.
    Abandon { uuid: String, reply: oneshot::Sender<()> },
    /// End when everything is done that was asked for.
    Finish,
    /// Interrupt what is running, and end.
    Close,
    /// Interrupt what is running, and end: the verdict is that it was interrupted, for this reason.
    End(String),
    /// Interrupt what is running, and end: the verdict is this.
    Cut(Cut),
    /// Interrupt the turn that is running or about to; end, if there is none.
    Halt(String),
}

impl Controls {
    pub(crate) fn new(orders: mpsc::UnboundedSender<Order>) -> Self {
        Controls { orders, gate: Gate::default(), hosted: Hosted::default() }
    }

    /// Sends a prompt while others may be running, and returns the name it was given. What becomes of it is told by the
    /// session's events. Fails if the session has ended, or is about to: the input of a run is closed once everything is done
    /// that was asked for.
    pub fn send(&self, message: impl Into<Prompt>) -> Result<String, Refusal> {
        let uuid = Uuid::new_v4().to_string();
        let message = message.into().0.uuid(&uuid);
        let order = Order::Send { message, uuid: uuid.clone() };
        let closed = self.gate.hold();
        if *closed {
            return Err(Refusal::Closed);
        }
        self.orders.send(order).map_err(|_| Refusal::Closed)?;
        Ok(uuid)
    }

    /// What Claude Code says of itself: slash commands, models, kinds of agents, account. It is asked once, with `initialize`,
    /// and says the same until it is [asked again](Self::reinitialize).
    pub async fn about(&self) -> Result<Reply<InitializeReply<'static>>, Refusal> {
        self.introduced(Order::Introduce).await
    }

    /// Sends `initialize` once more, with the same hooks, servers and what else it said: after a gap in a
    /// [transport](crate::transport) that has lost something. Claude Code repeats the questions that it waits for, and those that
    /// no handler works on are answered; a hook that it waits for it gives up. What it says of itself is what
    /// [`about`](Self::about) says from then on. 2.1.325 does it.
    pub async fn reinitialize(&self) -> Result<Reply<InitializeReply<'static>>, Refusal> {
        self.introduced(Order::IntroduceAgain).await
    }

    async fn introduced(
        &self,
        order: impl FnOnce(oneshot::Sender<Outcome>) -> Order,
    ) -> Result<Reply<InitializeReply<'static>>, Refusal> {
        let (reply, outcome) = oneshot::channel();
        self.orders.send(order(reply)).map_err(|_| Refusal::Closed)?;
        // Versions that do not know it say nothing.
        match tokio::time::timeout(COMMAND_LIMIT, outcome).await {
            Ok(outcome) => outcome.unwrap_or(Err(Refusal::Closed)).map(Replied::replied),
            Err(_) => Err(Refusal::TimedOut { subtype: CommandKind::Initialize.name().to_owned() }),
        }
    }

    /// Asks anything of Claude Code: an object with a `subtype`. Waits a minute for the answer. Dropping the future takes
    /// the command back, from versions that take that; Claude Code may have done it all the same.
    pub async fn command(&self, request: Payload) -> Outcome {
        self.command_within(Some(COMMAND_LIMIT), request).await
    }

    /// Asks anything of Claude Code, as [`command`](Self::command) does, with a time limit of the application's own, or
    /// none.
    pub async fn command_within(&self, limit: Option<Duration>, request: Payload) -> Outcome {
        let (reply, outcome) = oneshot::channel();
        let order = Order::Command { request, limit, reply };
        self.orders.send(order).map_err(|_| Refusal::Closed)?;
        let mut waiting = Waiting(Some(&self.orders));
        let outcome = outcome.await;
        waiting.0 = None;
        outcome.unwrap_or(Err(Refusal::Closed))
    }

    /// Asks one of the requests that have a type, and waits as long as is usual for it.
    pub fn request<'a, R: Request<'a>>(&self, request: R) -> BoxFuture<Result<R::Reply, Refusal>> {
        self.request_within(R::LIMIT, request)
    }

    /// Asks one of the requests that have a type, with a time limit of the application's own, or none.
    pub fn request_within<'a, R: Request<'a>>(
        &self,
        limit: Option<Duration>,
        request: R,
    ) -> BoxFuture<Result<R::Reply, Refusal>> {
        // A future that knew the request's type could not be spawned: the compiler does not see that it may be sent.
        Box::pin(replied(self.clone(), limit, Payload::of(&request)))
    }

    /// What Ctrl-C does: interrupts the turn that is running, or as soon as it begins the one of a prompt that is on its way.
    /// If there is neither, the session [ends](Self::end): what is left are agents in the background.
    pub fn halt(&self, why: impl Into<String>) {
        // A session that is gone has ended.
        let _ = self.orders.send(Order::Halt(why.into()));
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

    /// What is running is interrupted, and the session ends. However far it has come, the verdict is that it was
    /// interrupted; `why`, in words.
    pub fn end(&self, why: impl Into<String>) {
        let _ = self.orders.send(Order::End(why.into()));
    }
}

/// The application waits for the answer to a command.
struct Waiting<'c>(Option<&'c mpsc::UnboundedSender<Order>>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(orders) = self.0 {
            // A session that is gone has no commands.
            let _ = orders.send(Order::Withdraw);
        }
    }
}

async fn replied<T: Replied>(
    controls: Controls,
    limit: Option<Duration>,
    request: Payload,
) -> Result<T, Refusal> {
    controls.command_within(limit, request).await.map(T::replied)
}
