//! The turns: when they begin, which result ends which.

pub(crate) mod begin;
pub(crate) mod failure;
pub(crate) mod prompts;
mod result;
mod structured;

use crate::digest::Digest;
use crate::event::Cause;
use crate::json::Str;
use crate::translate::memory::slot::Slot;
use prompts::{Prompt, Prompts};
use std::collections::VecDeque;
use structured::Structured;

/// Turns without a result that are remembered.
const OPEN: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct Turns {
    begun: u64,
    open: VecDeque<Turn>,
    /// A task has ended since the last result.
    task_ended: bool,
    /// A prompt was sent or replayed since the last result.
    prompted: bool,
    /// Prompts that were sent and whose turn has not begun; only known live.
    sent: Prompts,
}

/// A turn without a result.
#[derive(Debug)]
pub(crate) struct Turn {
    number: u64,
    cause: Cause,
    /// The last words of the main agent.
    said: Option<Digest>,
    /// The last message of the main agent, and why it stopped.
    message: Slot,
    stop_reason: Slot,
    /// What its last synthetic message says of an error.
    failure: Option<Failure>,
    structured: Structured,
}

/// What a synthetic message says of an error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    pub(crate) error: Option<String>,
    pub(crate) status: Option<u64>,
}

impl Turns {
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }

    /// The newest turn that has begun and is not complete.
    pub(crate) fn current(&self) -> Option<u64> {
        self.open.back().map(|turn| turn.number)
    }

    fn newest(&mut self) -> Option<&mut Turn> {
        self.open.back_mut()
    }

    /// A prompt was sent or told back, or a line shows that there was one.
    pub(crate) fn prompted(&mut self) {
        self.prompted = true;
    }

    /// A task has ended.
    pub(crate) fn task_ended(&mut self) {
        self.task_ended = true;
    }

    /// The next turn is begun by a prompt, or by the end of a task.
    pub(crate) fn begun_by(&mut self, task: bool) {
        (self.prompted, self.task_ended) = (!task, task);
    }

    /// A prompt was written to Claude Code.
    pub(crate) fn sent(&mut self, prompt: Prompt) {
        self.sent.push(prompt);
    }

    /// Claude Code takes this prompt now.
    pub(crate) fn prompt_started(&mut self, uuid: Str<'_>) {
        self.sent.started(uuid);
    }

    /// No turn will begin with this prompt: it went into a running one, or was cancelled.
    pub(crate) fn prompt_used(&mut self, uuid: Str<'_>) {
        self.sent.used(uuid);
    }

    /// The main agent calls `StructuredOutput`.
    pub(crate) fn called_structured(&mut self, call: Option<Box<str>>, input: &str) {
        if let Some(turn) = self.newest() {
            turn.structured.called(call, input);
        }
    }

    /// A call has its answer.
    pub(crate) fn answered(&mut self, call: &str, failed: bool) {
        for turn in &mut self.open {
            turn.structured.answered(call, failed);
        }
    }

    /// Begins a turn: who started it, and with which words if that is known.
    pub(crate) fn begin(&mut self) -> (Cause, Option<String>) {
        self.begun += 1;
        let cause = match (self.prompted || !self.sent.is_empty(), self.task_ended) {
            (true, _) => Cause::User,
            // 2.1.50 and later: the end of a task starts a turn by itself; fixtures/agents/bgagent_stdin_open-2.1.325.
            (false, true) => Cause::Task,
            (false, false) => Cause::Unknown,
        };
        if self.open.len() == OPEN {
            self.open.pop_front();
        }
        self.open.push_back(Turn {
            number: self.begun,
            cause,
            said: None,
            message: Slot::default(),
            stop_reason: Slot::default(),
            failure: None,
            structured: Structured::default(),
        });
        (cause, self.sent.next().map(Prompt::into_words))
    }

    /// The main agent has said this.
    pub(crate) fn said(&mut self, words: Digest) {
        if let Some(turn) = self.newest() {
            turn.said = Some(words);
        }
    }

    /// The main agent speaks this message.
    pub(crate) fn speaks(&mut self, message: Option<&str>) {
        if let Some(turn) = self.newest()
            && turn.message.as_deref() != message
        {
            turn.message.set(message);
            turn.stop_reason.set(None);
        }
    }

    /// A message of the main agent has stopped; it counts only if it is the last.
    ///
    /// Results say why from 2.1.112 on, those of 2.1.50 seldom. Before, it is what the last message says: in its lines
    /// (fixtures/old/thinktool-1.0.0), where 1.0.35 to 2.1.1 often leave it null, or in its `message_delta` (fixtures/partial has
    /// them from 1.0.128 on).
    pub(crate) fn stopped(&mut self, message: Option<&str>, reason: &str) {
        if let Some(turn) = self.newest()
            && turn.message.as_deref() == message
        {
            turn.stop_reason.set(Some(reason));
        }
    }

    /// A prompt of the user was told back.
    pub(crate) fn replayed(&mut self, uuid: Option<Str<'_>>) {
        self.prompted = true;
        if let Some(uuid) = uuid {
            self.sent.used(uuid);
        }
        // It is told back when its turn has begun: fixtures/turns/multi3_burst_replay-2.1.325.
        if let Some(turn) = self.newest()
            && turn.cause == Cause::Unknown
        {
            turn.cause = Cause::User;
        }
    }

    /// A synthetic message of the main agent.
    pub(crate) fn synthetic(&mut self, error: Option<Str<'_>>, status: Option<u64>) {
        if let Some(turn) = self.newest() {
            turn.failure = Some(Failure { error: error.map(|error| error.to_string()), status });
        }
    }

    /// Ends the newest turn, and the older ones with it.
    pub(crate) fn end_newest(&mut self) -> Option<(Turn, Vec<u64>)> {
        let newest = self.open.pop_back()?;
        self.task_ended = false;
        self.prompted = false;
        Some((newest, self.open.drain(..).map(|turn| turn.number).collect()))
    }

    /// The turn that this result ends, and the older ones that end with it. Also whether the turn's last
    /// words are the result decoded once more, and not the result as it is.
    ///
    /// The turn is the one whose last words the result repeats, else the oldest. 2.1.197 and later hold a result back
    /// while an agent works in the background, so that two turns are open (fixtures/agents/bgagent-2.1.325); 2.1.50 to
    /// 2.1.112 then send one result, of the second turn (fixtures/agents/bgagent-2.1.50).
    pub(crate) fn end(&mut self, result: Option<Str<'_>>) -> Option<(Turn, Vec<u64>, Option<String>)> {
        let plain = result.map(Str::decode);
        let twice = plain.as_deref().and_then(decoded_again);
        let says = |words: &str| {
            let digest = Digest::of(words);
            self.open.iter().position(|turn| turn.said == Some(digest))
        };
        let (at, proven) = match (plain.as_deref().and_then(says), twice) {
            (Some(at), _) => (at, None),
            (None, Some(twice)) => match says(&twice) {
                Some(at) => (at, Some(twice)),
                None => (0, None),
            },
            (None, None) => (0, None),
        };
        let merged = self.open.drain(..at.min(self.open.len())).map(|turn| turn.number).collect();
        self.task_ended = false;
        self.prompted = false;
        self.open.pop_front().map(|turn| (turn, merged, proven))
    }
}

impl Turn {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Who began it, as far as is known.
    pub(crate) fn cause(&self) -> Cause {
        self.cause
    }

    /// Why the last message of the main agent stopped.
    pub(crate) fn stop_reason(&self) -> Option<&str> {
        self.stop_reason.as_deref()
    }

    /// What its last synthetic message says of an error.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The input of the `StructuredOutput` call that counts.
    pub(crate) fn structured(&self) -> Option<&str> {
        self.structured.value()
    }
}

/// The words of a JSON string that stands inside a string. No recorded version writes a result so, but older documents
/// say it: fixtures/odd/result_encoded_twice_proven.
fn decoded_again(words: &str) -> Option<String> {
    let json = words.starts_with('"').then(|| crate::json::Json::new(words).ok())??;
    json.as_str().map(|inner| inner.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns whose last words are these, and a result: which turn it ends, which end with it, and whether the words
    /// are the result decoded once more.
    fn check(said: &[&str], result: Option<&str>, (ended, merged, proven): (u64, &[u64], Option<&str>)) {
        let mut turns = Turns::default();
        for words in said {
            turns.begin();
            turns.said(Digest::of(words));
        }
        let (turn, with_it, decoded) = turns.end(result.map(Str::from)).unwrap();
        let found = (turn.number, &*with_it, decoded.as_deref());
        assert_eq!(found, (ended, merged, proven), "{result:?} of {said:?}");
    }

    #[test]
    fn a_result_ends_the_turn_whose_words_it_repeats() {
        check(&["one", "two"], Some("one"), (1, &[], None));
        check(&["one", "two"], Some("two"), (2, &[1], None));
        check(&["one", "two"], Some("three"), (1, &[], None));
        check(&["one", "two"], None, (1, &[], None));
    }

    #[test]
    fn a_result_is_decoded_again_only_where_that_is_proven() {
        check(&["one", "two"], Some(r#""two""#), (2, &[1], Some("two")));
        check(&[r#""one""#], Some(r#""one""#), (1, &[], None));
        check(&["other"], Some(r#""one""#), (1, &[], None));
    }

    #[test]
    fn a_turn_is_a_tasks_only_where_no_prompt_came() {
        for (task_ended, prompted, cause) in [
            (false, false, Cause::Unknown),
            (true, false, Cause::Task),
            (true, true, Cause::User),
            (false, true, Cause::User),
        ] {
            let mut turns = Turns { task_ended, prompted, ..Turns::default() };
            assert_eq!(turns.begin(), (cause, None));
        }
    }
}
