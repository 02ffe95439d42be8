//! What Claude Code asks us: the questions that wait for an answer, and which of them are ours to give.

use super::Payload;
use crate::json::{Json, Str};
use crate::wire::{AskKind, ControlAnswer, ControlRequest, Wire};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::time::Duration;

/// So many questions that have ended are remembered, to know them when they come again.
const REMEMBERED: usize = 1024;

/// Names a question; Claude Code's own.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct AskId(String);

impl AskId {
    pub(super) fn of(id: Str<'_>) -> Self {
        AskId(id.decode().into_owned())
    }

    /// The id as it is on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for AskId {
    fn from(id: &str) -> Self {
        AskId(id.to_owned())
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A question as it was asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// Which one; to answer it.
    pub id: AskId,
    /// What kind of question.
    pub subtype: String,
    /// The question, its `subtype` included.
    pub request: Payload,
}

impl Asked {
    /// A question, if it says by its `subtype` what it asks for.
    #[must_use]
    pub fn new(id: AskId, request: Payload) -> Option<Self> {
        let subtype = request.json().get("subtype").and_then(Json::as_str)?.decode().into_owned();
        Some(Asked { id, subtype, request })
    }

    pub(super) fn of(id: AskId, request: &ControlRequest<'_>) -> Option<Self> {
        Asked::new(id, request.request?.into())
    }
}

/// The reply to a question.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has no other")]
pub enum Answer {
    /// What was asked for.
    Success(Payload),
    /// It cannot be answered. What follows depends on the question: a tool is not run, a hook is
    /// passed over.
    Error {
        /// Why, in words.
        message: String,
        /// Why, for programs: lower case, digits and underscores.
        code: Option<String>,
    },
}

impl Answer {
    /// It cannot be answered, and why.
    pub fn error(message: impl Into<String>) -> Self {
        Answer::Error { message: message.into(), code: None }
    }

    /// Adds the reason for programs to an error.
    #[must_use]
    pub fn code(mut self, reason: impl Into<String>) -> Self {
        if let Answer::Error { code, .. } = &mut self {
            *code = Some(reason.into());
        }
        self
    }

    pub(super) fn to_json(&self, ask: &AskId) -> String {
        let request_id = Some(Str::from(ask.as_str()));
        match self {
            Answer::Success(payload) => ControlAnswer {
                subtype: Some("success".into()),
                request_id,
                response: Some(payload.json()),
                ..ControlAnswer::default()
            },
            Answer::Error { message, code } => ControlAnswer {
                subtype: Some("error".into()),
                request_id,
                error: Some(message.as_str().into()),
                error_code: code.as_deref().map(|code| Str::from(code).into()),
                ..ControlAnswer::default()
            },
        }
        .to_json()
    }
}

impl From<Payload> for Answer {
    fn from(payload: Payload) -> Self {
        Answer::Success(payload)
    }
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Delivery {
    /// It is on its way.
    Sent,
    /// Dropped: Claude Code does not want to know any more.
    Withdrawn,
    /// Dropped: the question was answered before, perhaps by its fallback.
    Answered,
    /// Dropped: there was no such question, or it is long gone.
    Unknown,
}

/// Why a question needs no answer any more.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Withdrawal {
    /// Claude Code took it back.
    Cancelled,
    /// Its fallback was sent.
    TimedOut,
    /// The stream ended.
    Closed,
}

impl fmt::Display for Withdrawal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Withdrawal::Cancelled => "cancelled",
            Withdrawal::TimedOut => "timed out",
            Withdrawal::Closed => "closed",
        })
    }
}

/// Which questions are for the application.
#[derive(Debug, Default)]
pub(super) struct Served {
    pub(super) subtypes: BTreeSet<String>,
    pub(super) dialogs: BTreeSet<String>,
}

/// What is to be done with a question.
pub(super) enum Duty {
    Serve,
    Refuse,
    Leave,
}

impl Served {
    /// A host that refuses a question which another host may answer spoils it for that one.
    pub(super) fn duty(&self, asked: &Asked) -> Duty {
        if self.subtypes.contains(&asked.subtype) {
            return Duty::Serve;
        }
        match AskKind::of(&asked.subtype) {
            Some(AskKind::RequestUserDialog) if self.serves_dialog(asked.request.json()) => Duty::Serve,
            Some(
                AskKind::RequestUserDialog
                | AskKind::RemoteToolCall
                | AskKind::RemotePlumbingCall
                | AskKind::RemoteToolsProbe
                | AskKind::RemoteToolsReannounce,
            ) => Duty::Leave,
            _ => Duty::Refuse,
        }
    }

    fn serves_dialog(&self, request: Json<'_>) -> bool {
        let kind = request.get("dialog_kind").and_then(Json::as_str);
        kind.is_some_and(|kind| self.dialogs.contains(&*kind.decode()))
    }
}

/// The questions that wait, each with what is to be answered if time runs out; and the latest of those
/// that have ended.
///
/// A question may come twice, live and beside an answer, and the second may cross our answer; so one that
/// was answered is known. One that was withdrawn and comes again is wanted again.
#[derive(Debug, Default)]
pub(super) struct Asks {
    open: BTreeMap<AskId, Option<(Duration, Answer)>>,
    past: VecDeque<(AskId, Delivery)>,
}

impl Asks {
    /// Whether the question waits or was answered.
    pub(super) fn knows(&self, ask: &AskId) -> bool {
        self.open.contains_key(ask) || self.past(ask) == Delivery::Answered
    }

    pub(super) fn open(&mut self, ask: AskId) {
        self.open.insert(ask, None);
    }

    /// Waits no longer; `false` if it did not wait.
    pub(super) fn end(&mut self, ask: &AskId, how: Delivery) -> bool {
        let Some((ask, _)) = self.open.remove_entry(ask) else { return false };
        self.remember(ask, how);
        true
    }

    pub(super) fn remember(&mut self, ask: AskId, how: Delivery) {
        if self.past.len() == REMEMBERED {
            self.past.pop_front();
        }
        self.past.push_back((ask, how));
    }

    /// How a question ended, as far as that is remembered.
    pub(super) fn past(&self, ask: &AskId) -> Delivery {
        let latest = self.past.iter().rev().find(|(past, _)| past == ask);
        latest.map_or(Delivery::Unknown, |(_, how)| *how)
    }

    pub(super) fn answer_by(&mut self, ask: &AskId, until: Duration, fallback: Answer) -> bool {
        let open = self.open.get_mut(ask);
        open.map(|deadline| *deadline = Some((until, fallback))).is_some()
    }

    pub(super) fn next_deadline(&self) -> Option<Duration> {
        self.open.values().flatten().map(|(until, _)| *until).min()
    }

    pub(super) fn due(&self, now: Duration) -> Vec<(AskId, Answer)> {
        let due = |(ask, deadline): (&AskId, &Option<(Duration, Answer)>)| {
            let (_, fallback) = deadline.as_ref().filter(|(until, _)| *until <= now)?;
            Some((ask.clone(), fallback.clone()))
        };
        self.open.iter().filter_map(due).collect()
    }

    pub(super) fn all(&self) -> Vec<AskId> {
        self.open.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut asks = Asks::default();
        for number in 0..=REMEMBERED {
            asks.remember(AskId(number.to_string()), Delivery::Answered);
        }
        assert_eq!(asks.past.len(), REMEMBERED);
        assert_eq!(asks.past(&"0".into()), Delivery::Unknown);
        assert_eq!(asks.past(&"1".into()), Delivery::Answered);
    }
}
