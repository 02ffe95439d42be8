//! The structured answer of a turn, from the calls that make it.

use std::collections::VecDeque;

/// `StructuredOutput` calls without an answer that are remembered.
const WAITING: usize = 64;

/// The inputs of `StructuredOutput` calls: the last that was answered well, and the last ones that have no
/// answer. A call may be refused and made again: fixtures/errors/structbad-2.1.112.
#[derive(Debug, Default)]
pub(super) struct Structured {
    good: Option<String>,
    waiting: VecDeque<(Option<Box<str>>, String)>,
}

impl Structured {
    pub(super) fn called(&mut self, call: Option<Box<str>>, input: &str) {
        self.waiting.retain(|(other, _)| *other != call);
        if self.waiting.len() == WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back((call, input.to_owned()));
    }

    pub(super) fn answered(&mut self, call: &str, failed: bool) {
        let Some(at) = self.waiting.iter().position(|(id, _)| id.as_deref() == Some(call)) else { return };
        let input = self.waiting.remove(at).map(|(_, input)| input);
        if !failed {
            self.good = input;
        }
    }

    /// The input that counts.
    pub(super) fn value(&self) -> Option<&str> {
        self.good.as_deref().or_else(|| self.waiting.back().map(|(_, input)| input.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
