//! What was asked and what was sent: the truth, for whoever tests.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;
use unspool::json::Json;

/// A request that was received.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Received {
    /// From 1, in the order of arrival.
    pub number: u64,
    /// Milliseconds since the model was started.
    pub at_ms: u64,
    /// Such as `POST`.
    pub method: String,
    /// With what follows the question mark.
    pub path: String,
    /// By name, in lower case; keys and tokens are left out.
    pub headers: BTreeMap<String, String>,
    /// As it came; `null` in the JSON if it is none.
    #[serde(serialize_with = "as_json")]
    pub body: String,
    /// The conversation of the script that took it, or what the CLI wanted for its own ends, such as
    /// `background:title`.
    pub conversation: Option<String>,
    /// The turn that was due, from 1.
    pub turn: Option<usize>,
    /// What is answered, in few words.
    pub does: String,
    /// The status of the answer.
    pub status: u16,
    /// The whole answer as one JSON text, however it is sent.
    #[serde(serialize_with = "as_json")]
    pub answer: String,
}

/// A part of an answer that was sent.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Sent {
    /// The number of the request that is answered.
    pub request: u64,
    /// Milliseconds since the model was started.
    pub at_ms: u64,
    /// What it is.
    pub kind: SentKind,
    /// The name of an event; else empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The data of an event, or a body, as it was sent.
    #[serde(serialize_with = "as_json")]
    pub data: String,
}

/// What was sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SentKind {
    /// An event of a stream.
    Event,
    /// A whole body, or half of one if a cut follows.
    Body,
    /// The script ended it before its time.
    Cut,
    /// The client went away before the end.
    Gone,
    /// The answer is complete.
    End,
}

/// Takes notes.
#[derive(Debug)]
pub(crate) struct Log {
    begun: Instant,
    notes: Mutex<Notes>,
    /// How often all was forgotten, and how many requests there are since.
    count: watch::Sender<(usize, usize)>,
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) received: Vec<Received>,
    pub(crate) sent: Vec<Sent>,
    pub(crate) failures: Vec<String>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Log { begun: Instant::now(), notes: Mutex::default(), count: watch::Sender::new((0, 0)) }
    }

    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Numbers a request.
    pub(crate) fn received(&self, request: Received) -> u64 {
        self.numbered(request, |_| {})
    }

    /// Numbers a request, for an answer that has to say the number.
    pub(crate) fn numbered(&self, mut request: Received, answer: impl FnOnce(&mut Received)) -> u64 {
        let mut notes = self.notes();
        request.number = notes.received.len() as u64 + 1;
        request.at_ms = self.now();
        answer(&mut request);
        let number = request.number;
        notes.received.push(request);
        self.count.send_modify(|(_, count)| *count = notes.received.len());
        number
    }

    pub(crate) fn sent(&self, request: u64, kind: SentKind, name: &str, data: &str) {
        let part = Sent { request, at_ms: self.now(), kind, name: name.to_owned(), data: data.to_owned() };
        self.notes().sent.push(part);
    }

    pub(crate) fn failed(&self, why: String) {
        self.notes().failures.push(why);
    }

    /// The request with this number, from 1, as soon as it is there; nothing if all is forgotten first.
    pub(crate) async fn wait(&self, number: usize) -> Option<Received> {
        let mut count = self.count.subscribe();
        let (begun, _) = *count.borrow();
        let _ = count.wait_for(|(forgot, count)| *forgot != begun || *count >= number).await;
        let notes = self.notes();
        if self.count.borrow().0 != begun {
            return None;
        }
        notes.received.get(number.checked_sub(1)?).cloned()
    }

    pub(crate) fn clear(&self) {
        let mut notes = self.notes();
        *notes = Notes::default();
        self.count.send_modify(|(forgot, count)| (*forgot, *count) = (*forgot + 1, 0));
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A text that is JSON as what it means; any other as a string, an empty one as null.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let clean = Json::new(text).ok().and_then(|json| RawValue::from_string(json.clean().into_owned()).ok());
    match clean {
        Some(json) => json.serialize(serializer),
        None if text.is_empty() => serializer.serialize_none(),
        None => serializer.serialize_str(text),
    }
}
