//! The control dialogue: who waits for whom, both ways.
//!
//! In go the control lines of Claude Code, what the application wants and the time; out come
//! [`Action`]s: lines to write, questions to answer, commands that ended. Nothing here reads, writes or
//! waits, so a program drives it, and so does a recording.
//!
//! ```
//! use std::time::Duration;
//! use unspool::control::{Action, Dialogue, Payload};
//! use unspool::json::Json;
//!
//! let mut dialogue = Dialogue::new().serving("can_use_tool");
//! let interrupt = Payload::from(serde_json::json!({"subtype": "interrupt"}));
//! dialogue.command(&interrupt, Some(Duration::from_secs(60)));
//! let line = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool"}}"#;
//! dialogue.handle(Json::new(line)?);
//! while let Some(action) = dialogue.poll() {
//!     match action {
//!         Action::Write(line) => print!("{line}"),
//!         Action::Ask(asked) => {
//!             let no = serde_json::json!({"behavior": "deny", "message": "not now"});
//!             dialogue.answer(&asked.id, Payload::from(no));
//!         }
//!         other => println!("{other}"),
//!     }
//! }
//! # Ok::<(), unspool::json::Fault>(())
//! ```
//!
//! What to know before changing it:
//!
//! - Both sides name their own questions, so the same id may be in use twice at once; nothing here
//!   looks up an id of one side among those of the other.
//! - Nothing waits for `initialize`: Claude Code asks before it has answered that.
//! - A question that is lost hangs a tool for ever. In doubt it is told, and if nobody serves it, it is
//!   refused; the few that must stay unanswered are listed in one place.
//! - A line that Claude Code cannot read ends it. Whatever is written comes from checked JSON.
//! - Times are measured from a start that the caller chooses, and deadlines are points in that time.

mod ask;
mod command;
mod payload;

pub use ask::{Answer, AskId, Asked, Delivery, Withdrawal};
pub use command::{CommandId, Refusal};
pub use payload::Payload;

use crate::json::{Json, Kind as Value, Str};
use crate::wire::{ControlAnswer, ControlCancelRequest, ControlRequest, ControlResponse, Kind, Wire};
use ask::{Asks, Duty, Served};
use command::Commands;
use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::time::Duration;

/// One side of the control protocol: the application's, facing Claude Code.
///
/// ```text
/// question   asked -> answered           by the application, or by its fallback at a deadline
///            asked -> withdrawn          by Claude Code, or because the stream ended
///            asked -> refused | left     nobody here serves it
/// command    sent  -> done               Claude Code answered: success or error
///            sent  -> timed out | cancelled | closed, and a late answer changes nothing
/// ```
#[derive(Debug, Default)]
pub struct Dialogue {
    served: Served,
    asks: Asks,
    commands: Commands,
    actions: VecDeque<Action>,
    closed: bool,
}

/// How the types of all lines of a dialogue begin.
const LINES: &[u8] = b"\"control_";

/// What a dialogue wants done, or tells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// To be written to Claude Code's standard input: one line, with its line feed.
    Write(String),
    /// Claude Code wants to know something from the application.
    Ask(Asked),
    /// A question needs no answer any more; the handler that works on one should stop.
    Withdraw {
        /// The question.
        ask: AskId,
        /// Why it needs none.
        why: Withdrawal,
    },
    /// A command has ended; told once for each.
    Done {
        /// The command.
        command: CommandId,
        /// What Claude Code answered, which may be nothing but yes, or why there is no such answer.
        outcome: Result<Option<Payload>, Refusal>,
    },
    /// A question that the application does not serve. It was refused, or is for another host of the session.
    Unserved(Asked),
    /// An answer to a command that had already ended; some versions answer twice.
    Late(CommandId),
    /// An answer to a question that this side never asked, by its id: an echo of an answer given here,
    /// or one for another host of the session.
    Foreign(String),
}

impl Dialogue {
    /// A dialogue in which nothing was said, and that serves no question.
    #[must_use]
    pub fn new() -> Self {
        Dialogue::default()
    }

    /// Questions of this subtype are for the application.
    #[must_use]
    pub fn serving(mut self, subtype: impl Into<String>) -> Self {
        self.served.subtypes.insert(subtype.into());
        self
    }

    /// Dialogs of this kind (`request_user_dialog`) are for the application, which declares them in
    /// `initialize` too.
    #[must_use]
    pub fn serving_dialog(mut self, kind: impl Into<String>) -> Self {
        self.served.dialogs.insert(kind.into());
        self
    }

    /// Whether a line may be one for [`handle`](Self::handle), by its letters alone: most need not be read to see that they are none.
    #[must_use]
    pub fn may_concern(line: &[u8]) -> bool {
        memchr::memmem::find(line, LINES).is_some()
    }

    /// Takes a line from Claude Code. `false` if it is none of the dialogue's.
    pub fn handle(&mut self, line: Json<'_>) -> bool {
        match Kind::last_of(line) {
            Kind::ControlRequest => self.handle_request(&ControlRequest::of(line).unwrap_or_default()),
            Kind::ControlResponse => self.handle_response(&ControlResponse::of(line).unwrap_or_default()),
            Kind::ControlCancelRequest => {
                self.handle_cancel(&ControlCancelRequest::of(line).unwrap_or_default());
            }
            _ => return false,
        }
        true
    }

    /// Takes a question. One without an id cannot be answered and is dropped.
    pub fn handle_request(&mut self, request: &ControlRequest<'_>) {
        let Some(ask) = request.request_id.map(AskId::of) else { return };
        if self.closed || self.asks.knows(&ask) {
            return;
        }
        let Some(asked) = Asked::of(ask.clone(), request) else {
            return self
                .refuse(ask, Answer::error("control request without a subtype").code("invalid_request"));
        };
        match self.served.duty(&asked) {
            Duty::Serve => {
                self.asks.open(ask);
                self.actions.push_back(Action::Ask(asked));
            }
            Duty::Refuse => {
                let words = format!("Unsupported control request subtype: {}", asked.subtype);
                self.refuse(ask, Answer::error(words).code("unsupported_request"));
                self.actions.push_back(Action::Unserved(asked));
            }
            Duty::Leave => self.actions.push_back(Action::Unserved(asked)),
        }
    }

    /// Takes an answer, and the questions that may lie beside it.
    pub fn handle_response(&mut self, response: &ControlResponse<'_>) {
        let answer = response.response.map(|answer| answer.read()).unwrap_or_default();
        let Some(id) = answer.request_id.map(Str::decode) else { return };
        let Some(command) = CommandId::of(&id).filter(|command| self.commands.issued(*command)) else {
            return self.actions.push_back(Action::Foreign(id.into_owned()));
        };
        if self.commands.end(command) {
            self.actions.push_back(Action::Done { command, outcome: command::outcome(&answer) });
        } else {
            self.actions.push_back(Action::Late(command));
        }
        self.handle_pending(&answer);
    }

    /// Claude Code waits for these whether or not the application still waits for the answer they came with.
    fn handle_pending(&mut self, answer: &ControlAnswer<'_>) {
        let lists = [
            answer.pending_permission_requests,
            answer.pending_user_dialog_requests,
            answer.pending_elicitation_requests,
        ];
        for request in lists.iter().flatten().flat_map(|list| list.iter()) {
            self.handle_request(&request);
        }
    }

    /// Claude Code takes a question back.
    pub fn handle_cancel(&mut self, cancel: &ControlCancelRequest<'_>) {
        let Some(ask) = cancel.request_id.map(AskId::of) else { return };
        if self.asks.end(&ask, Delivery::Withdrawn) {
            self.actions.push_back(Action::Withdraw { ask, why: Withdrawal::Cancelled });
        }
    }

    /// Sends a command; `request` is an object with a `subtype`. How it ended is told by
    /// [`Action::Done`], at the latest when the time is `until` or the stream ends. Claude Code before
    /// 2.1.112 does not answer what it does not know, so most commands want a deadline.
    pub fn command(&mut self, request: &Payload, until: Option<Duration>) -> CommandId {
        let command = self.commands.issue(request.json(), until);
        if self.closed {
            self.fail(command, Refusal::Closed);
        } else if request.json().kind() != Value::Object {
            self.fail(command, Refusal::Malformed);
        } else {
            // Half characters would reach the API, which does not take them.
            let request = request.json().clean();
            self.write(&ControlRequest {
                request_id: Some(Str::from(&*command.to_string())),
                request: Some(Json::trusted(&request)),
                ..ControlRequest::default()
            });
        }
        command
    }

    /// Takes a command back and no longer waits for it. Claude Code may have done it all the same.
    /// `false` if it had ended.
    pub fn cancel(&mut self, command: CommandId) -> bool {
        let waits = self.commands.waits(command);
        if waits {
            self.write(&ControlCancelRequest {
                request_id: Some(Str::from(&*command.to_string())),
                ..ControlCancelRequest::default()
            });
            self.fail(command, Refusal::Cancelled);
        }
        waits
    }

    /// Answers a question. Only the first answer is sent, and none to a question that was withdrawn.
    pub fn answer(&mut self, ask: &AskId, answer: impl Into<Answer>) -> Delivery {
        if !self.asks.end(ask, Delivery::Answered) {
            return self.asks.past(ask);
        }
        self.write_answer(ask, &answer.into());
        Delivery::Sent
    }

    /// Sets what a question is answered with if the application has not answered it when the time is `until`.
    /// `false` if it needs no answer any more.
    pub fn answer_by(&mut self, ask: &AskId, until: Duration, fallback: impl Into<Answer>) -> bool {
        self.asks.answer_by(ask, until, fallback.into())
    }

    /// When [`handle_timeout`](Self::handle_timeout) should be called next, if nothing happens before.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Duration> {
        self.commands.next_deadline().into_iter().chain(self.asks.next_deadline()).min()
    }

    /// Ends what had to be done before `now` or at it.
    pub fn handle_timeout(&mut self, now: Duration) {
        for (command, subtype) in self.commands.due(now) {
            self.fail(command, Refusal::TimedOut { subtype });
        }
        for (ask, fallback) in self.asks.due(now) {
            self.asks.end(&ask, Delivery::Answered);
            self.write_answer(&ask, &fallback);
            self.actions.push_back(Action::Withdraw { ask, why: Withdrawal::TimedOut });
        }
    }

    /// The stream has ended: nothing is answered any more, on either side.
    pub fn close(&mut self) {
        self.closed = true;
        for ask in self.asks.all() {
            self.asks.end(&ask, Delivery::Withdrawn);
            self.actions.push_back(Action::Withdraw { ask, why: Withdrawal::Closed });
        }
        for command in self.commands.all() {
            self.fail(command, Refusal::Closed);
        }
    }

    /// What to do next, in order; to be called until there is nothing.
    pub fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    fn fail(&mut self, command: CommandId, refusal: Refusal) {
        self.commands.end(command);
        self.actions.push_back(Action::Done { command, outcome: Err(refusal) });
    }

    fn refuse(&mut self, ask: AskId, answer: Answer) {
        self.write_answer(&ask, &answer);
        self.asks.remember(ask, Delivery::Answered);
    }

    fn write_answer(&mut self, ask: &AskId, answer: &Answer) {
        let answer = answer.to_json(ask);
        self.write(&ControlResponse {
            response: Some(Json::trusted(&answer).into()),
            ..ControlResponse::default()
        });
    }

    fn write<'a>(&mut self, line: &impl Wire<'a>) {
        let mut text = line.to_json();
        text.push('\n');
        self.actions.push_back(Action::Write(text));
    }
}

/// One line each, whatever the other side put into it.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self {
            Action::Write(line) => format!("write {}", line.trim_end()),
            Action::Ask(asked) => format!("ask {} {}", asked.id, asked.subtype),
            Action::Withdraw { ask, why } => format!("withdraw {ask}: {why}"),
            Action::Done { command, outcome: Ok(None) } => format!("done {command}"),
            Action::Done { command, outcome: Ok(Some(payload)) } => format!("done {command} {payload}"),
            Action::Done { command, outcome: Err(refusal) } => format!("failed {command}: {refusal}"),
            Action::Unserved(asked) => format!("unserved {} {}", asked.id, asked.subtype),
            Action::Late(command) => format!("late {command}"),
            Action::Foreign(id) => format!("foreign {id}"),
        };
        line.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_dialogue_may_concern_it() {
        for kind in [Kind::ControlRequest, Kind::ControlResponse, Kind::ControlCancelRequest] {
            let line = format!(r#"{{"request_id":"r","type":"{}"}}"#, kind.name());
            assert!(Dialogue::may_concern(line.as_bytes()), "{line}");
            assert!(Dialogue::new().handle(Json::new(&line).unwrap()), "{line}");
        }
        assert!(!Dialogue::may_concern(br#"{"type":"user","message":{"content":"no control_request"}}"#));
    }
}
