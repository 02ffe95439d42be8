//! The turns of a transcript: they begin with a prompt and end where the last message says so.
//!
//! ```text
//! prompt --> message --(asks for a tool)--> answer --> message --(words alone)--> over
//! ```
//!
//! There is no `result`. A turn is over when its last message asks for no tool; it is told as complete when the
//! next prompt or the end of the file shows that the message was the last.

use super::Book;
use super::spent::At;
use crate::event::{ErrorKind, Note, Raw, What};
use crate::json::{Json, Str};
use crate::tally::Summed;
use crate::translate::Translator;
use crate::translate::read::content::{Held, Seen};
use crate::translate::read::line::Spoken;
use crate::translate::tell::Cx;
use crate::translate::turns::failure::Failed;
use crate::wire::StopReason;
use std::borrow::Cow;

/// The last thing that happened in a turn.
#[derive(Debug, Default)]
pub(super) enum Last {
    /// The model has the floor.
    #[default]
    Asked,
    /// The model asked for tools, or goes on thinking.
    Working,
    /// The model said this, and wants nothing.
    Said { words: String, stop_reason: Option<String> },
    /// It failed, for this reason.
    Failed(Failed),
    /// It is over without words.
    Done,
}

/// The turn that goes on.
#[derive(Debug, Default)]
pub(super) struct Turn {
    last: Last,
    /// Where the last thing stood.
    at: At,
    prompt: Option<String>,
    /// When it began.
    began: Option<u64>,
    /// It has begun, and is not told as complete.
    open: bool,
}

impl Turn {
    /// Whether it has begun, and is not told as complete.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// This has happened last.
    pub(super) fn happens(&mut self, last: Last) {
        self.last = last;
    }

    /// The last thing stands here.
    pub(super) fn stands(&mut self, cx: &Cx<'_, '_>, clock: Option<u64>) {
        self.at.set(cx, clock);
    }

    /// Whether it is over, and how.
    fn over(&mut self) -> Option<Result<Option<String>, Failed>> {
        if !self.open {
            return None;
        }
        Some(match std::mem::take(&mut self.last) {
            last @ (Last::Asked | Last::Working) => {
                self.last = last;
                return None;
            }
            Last::Done => Ok(None),
            Last::Failed(failed) => Err(failed),
            Last::Said { words, stop_reason } => match reason(stop_reason.as_deref()) {
                Some(StopReason::MaxTokens) => Err(stopped(ErrorKind::MaxTokens, words)),
                Some(StopReason::Refusal) => Err(stopped(ErrorKind::Refusal, words)),
                Some(StopReason::ModelContextWindowExceeded) => Err(stopped(ErrorKind::Context, words)),
                _ => Ok(Some(words)),
            },
        })
    }

    /// The main agent says something.
    pub(super) fn speaks(&mut self, message: &Spoken<'_>, failed: Option<Failed>) {
        if let Some(failed) = failed {
            self.last = Last::Failed(failed);
            return;
        }
        let stop_reason = message.stop_reason.map(|reason| reason.to_string());
        let goes_on =
            matches!(reason(stop_reason.as_deref()), Some(StopReason::ToolUse | StopReason::PauseTurn));
        let done =
            matches!(reason(stop_reason.as_deref()), Some(StopReason::EndTurn | StopReason::StopSequence));
        let mut last = None;
        each(message, |seen| match seen {
            Seen::Text { words, .. } => last = Some(words),
            Seen::Answer(_) => {}
            Seen::Thinking { .. } | Seen::Call(_) | Seen::Any(_) => last = None,
        });
        self.last = match last.filter(|_| !goes_on) {
            Some(words) => Last::Said { words: words.to_string(), stop_reason },
            None if done => Last::Done,
            None => Last::Working,
        };
    }
}

/// Why a message stopped.
fn reason(written: Option<&str>) -> Option<StopReason<'_>> {
    Some(StopReason::from(Str::from(written?)))
}

impl Translator {
    /// A prompt begins a turn.
    pub(super) fn begin_prompted(&mut self, cx: &mut Cx<'_, '_>, book: &mut Book, by_task: bool) {
        self.turns.begun_by(by_task);
        self.begin_turn(cx);
        self.evidence.turn_began();
        let clock = self.teller.clock();
        let prompt = cx.uuid().map(|uuid| uuid.to_string());
        let at = std::mem::take(&mut book.turn.at);
        book.turn = Turn { prompt, began: clock, open: true, at, last: Last::Asked };
        book.turn.at.set(cx, clock);
    }

    /// Tells the turn as complete if it is over.
    pub(super) fn end_turn(&mut self, cx: &mut Cx<'_, '_>, book: &mut Book) {
        let Some(end) = book.turn.over() else { return };
        self.tell_all_held(cx, &mut book.spent, false);
        let Some((turn, merged)) = self.turns.end_newest() else { return };
        book.turn.open = false;
        self.teller.set_turn(Some(turn.number()));
        self.end_unheard(cx);
        self.evidence.turn_ended(end.as_ref().err().map(Failed::evidence));
        let at = std::mem::take(&mut book.turn.at);
        if let Err(failed) = &end {
            let what = What::Error {
                text: Cow::Borrowed(&failed.text),
                kind: failed.kind,
                status: failed.status,
                retryable: failed.is_retryable(),
            };
            self.tell_at(cx, &at, None, what);
        }
        if let Some(value) = turn.structured().and_then(|input| Json::new(input).ok()) {
            self.tell_at(cx, &at, None, What::StructuredOutput { value: Raw::unless_null(value) });
        }
        let bill = self.tally.take_summed(self.teller.session().unwrap_or_default(), book.summed());
        let took = book.turn.began.zip(at.clock()).map(|(from, to)| to.saturating_sub(from));
        let reason = if took.is_some() { "from_timestamps" } else { "not_reported" };
        let mut notes = bill.notes;
        notes.push(Note::new("duration_ms", reason));
        let ok = end.is_ok();
        let words = end.unwrap_or_else(|failed| Some(failed.text));
        let what = What::TurnComplete {
            ok,
            result: words.map(Cow::Owned),
            stop_reason: turn.stop_reason().map(Cow::Borrowed),
            cause: turn.cause(),
            prompts: book.turn.prompt.take().map(|uuid| vec![Cow::Owned(uuid)]),
            merged: (!merged.is_empty()).then_some(merged),
            cost_usd: bill.cost_usd,
            total_cost_usd: bill.total_cost_usd,
            usage: bill.usage,
            models: bill.models,
            duration_ms: took,
            denials: None,
            notes: Some(notes),
        };
        self.tell_at(cx, &at, None, what);
        self.agents.result();
        self.teller.set_turn(None);
    }
}

impl Book {
    /// What the turn came to, as far as the transcript says.
    pub(super) fn summed(&mut self) -> Summed {
        let report = self.report.take();
        Summed { report, has_copies: self.clock.has_copies(), ..self.spent.take_sums() }
    }
}

/// Hands on the blocks of a message.
pub(super) fn each<'l>(message: &Spoken<'l>, mut take: impl FnMut(Seen<'l>)) {
    match message.content {
        None | Some(Held::Odd(_)) => {}
        Some(Held::Words(words)) => take(Seen::Text { words, citations: None }),
        Some(Held::One(seen)) => take(seen),
        Some(Held::List(blocks)) => blocks.each(take),
    }
}

/// A message that stopped for a reason that is none to be content with.
fn stopped(kind: ErrorKind, text: String) -> Failed {
    let text = if text.is_empty() { kind.to_string() } else { text };
    Failed { kind, text, status: None }
}

/// The user wanted no more of it.
pub(super) fn interrupted(words: &str) -> Failed {
    Failed { kind: ErrorKind::Interrupted, text: words.to_owned(), status: None }
}

/// It took too many turns.
pub(super) fn max_turns() -> Failed {
    Failed { kind: ErrorKind::MaxTurns, text: ErrorKind::MaxTurns.to_string(), status: None }
}

/// What was said by the CLI in place of the model, because the API failed.
pub(super) fn api_failure(words: &str, error: Option<Str<'_>>, status: Option<u64>) -> Failed {
    Failed::of_message(words, error.map(Str::decode).as_deref(), status)
}
