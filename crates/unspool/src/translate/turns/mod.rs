//! The turns: when they begin, which result ends which.

pub(crate) mod failure;
pub(crate) mod prompts;
mod result;

use crate::digest::Digest;
use crate::event::Cause;
use crate::json::Str;
use crate::translate::memory::slot::Slot;
use crate::translate::turns::prompts::Prompts;
use std::collections::VecDeque;

/// `StructuredOutput` calls without an answer that are remembered.
const WAITING: usize = 64;

/// Turns without a result that are remembered.
const OPEN: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct Turns {
    begun: u64,
    open: VecDeque<Turn>,
    /// A task has ended since the last result.
    pub(crate) task_ended: bool,
    /// A prompt was sent or replayed since the last result.
    pub(crate) prompted: bool,
    /// Prompts that were sent and whose turn has not begun; only known live.
    pub(crate) sent: Prompts,
}

/// A turn without a result.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) number: u64,
    pub(crate) cause: Cause,
    /// The last words of the main agent.
    said: Option<Digest>,
    /// The last message of the main agent, and why it stopped.
    message: Slot,
    pub(crate) stop_reason: Slot,
    /// What its last synthetic message says of an error.
    pub(crate) failure: Option<Failure>,
    pub(crate) structured: Structured,
}

/// The inputs of `StructuredOutput` calls: the last that was answered well, and the last ones that have no
/// answer. A call may be refused and made again: fixtures/errors/structbad-2.1.112.
#[derive(Debug, Default)]
pub(crate) struct Structured {
    good: Option<String>,
    waiting: VecDeque<(Option<Box<str>>, String)>,
}

impl Structured {
    pub(crate) fn called(&mut self, call: Option<Box<str>>, input: &str) {
        self.waiting.retain(|(other, _)| *other != call);
        if self.waiting.len() == WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back((call, input.to_owned()));
    }

    pub(crate) fn answered(&mut self, call: &str, failed: bool) {
        let Some(at) = self.waiting.iter().position(|(id, _)| id.as_deref() == Some(call)) else { return };
        let input = self.waiting.remove(at).map(|(_, input)| input);
        if !failed {
            self.good = input;
        }
    }

    /// The input that counts.
    pub(crate) fn value(&self) -> Option<&str> {
        self.good.as_deref().or_else(|| self.waiting.back().map(|(_, input)| input.as_str()))
    }
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

    pub(crate) fn newest(&mut self) -> Option<&mut Turn> {
        self.open.back_mut()
    }

    pub(crate) fn all(&mut self) -> impl Iterator<Item = &mut Turn> {
        self.open.iter_mut()
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
        (cause, self.sent.next().map(|prompt| prompt.words))
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

    #[test]
    fn the_last_structured_value_that_was_taken_counts() {
        let mut structured = Structured::default();
        structured.called(Some("1".into()), "bad");
        assert_eq!(structured.value(), Some("bad"));
        structured.answered("1", true);
        assert_eq!(structured.value(), None);
        for (call, input, failed) in [("2", "good", false), ("3", "bad", true), ("4", "better", false)] {
            structured.called(Some(call.into()), input);
            structured.answered(call, failed);
        }
        structured.called(Some("5".into()), "unanswered");
        assert_eq!(structured.value(), Some("better"));
    }
}
