//! What Claude Code replied to a request: kept as it came, read when somebody asks.

use super::COMMAND_LIMIT;
use crate::controls::Readable;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;
use unspool::control::Payload;
use unspool::json::Json;
use unspool::wire::Wire;

/// For commands that ask a model, start a program or use the network.
pub(super) const LONG: Option<Duration> = Some(Duration::from_secs(600));

/// For commands that a person takes part in.
pub(super) const ANY: Option<Duration> = None;

/// A request, and what it is replied with.
pub trait Request<'a>: Wire<'a> {
    /// What it is replied with: a [`Reply`], or nothing but yes.
    type Reply: Replied;
    /// How long the reply may take, unless the caller says otherwise.
    const LIMIT: Option<Duration> = Some(COMMAND_LIMIT);
}

/// What can stand for the payload of a reply.
pub trait Replied: Send + 'static {
    /// Takes the payload, if there was one.
    fn replied(payload: Option<Payload>) -> Self;
}

/// A reply of Claude Code.
///
/// ```
/// # use unspool_client::controls::{Replied, Reply};
/// # use unspool::wire::command::InterruptReply;
/// # let payload = Some(serde_json::json!({"still_queued": ["u1"]}).into());
/// let reply: Reply<InterruptReply<'static>> = Replied::replied(payload);
/// let queued: Vec<_> = reply.read().still_queued.iter().flat_map(|all| all.iter()).collect();
/// assert_eq!(queued, ["u1"]);
/// ```
pub struct Reply<T> {
    payload: Option<Payload>,
    of: PhantomData<fn() -> T>,
}

impl<T: Readable> Reply<T> {
    /// Reads it. Every field is optional, and older versions say less; where nothing came, all are `None`.
    #[must_use]
    pub fn read(&self) -> T::At<'_> {
        T::read(self.json().unwrap_or(Json::NULL))
    }
}

impl<T> Reply<T> {
    /// The reply as it came, if anything did.
    pub fn json(&self) -> Option<Json<'_>> {
        self.payload.as_ref().map(Payload::json)
    }

    /// The reply as it came, if anything did, to keep.
    #[must_use]
    pub fn into_payload(self) -> Option<Payload> {
        self.payload
    }
}

impl<T: 'static> Replied for Reply<T> {
    fn replied(payload: Option<Payload>) -> Self {
        Reply { payload, of: PhantomData }
    }
}

impl Replied for () {
    fn replied(_: Option<Payload>) {}
}

impl<T> Clone for Reply<T> {
    fn clone(&self) -> Self {
        Reply { payload: self.payload.clone(), of: PhantomData }
    }
}

impl<T> PartialEq for Reply<T> {
    fn eq(&self, other: &Self) -> bool {
        self.payload == other.payload
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.payload {
            Some(payload) => write!(f, "Reply({payload})"),
            None => f.write_str("Reply"),
        }
    }
}
