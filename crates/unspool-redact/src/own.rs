//! Patterns of one's own: regular expressions.

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;
use std::ops::Range;

/// A pattern that is none.
#[derive(Debug, thiserror::Error)]
#[error("`{pattern}` is no pattern that can be looked for: {why}")]
#[non_exhaustive]
pub struct NotAPattern {
    /// What was given.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

/// One pattern.
#[derive(Debug)]
pub(crate) struct Own {
    regex: Regex,
    nfa: NFA,
}

/// A pattern may not be larger than this when it is compiled.
const SIZE: usize = 4 << 20;

impl Own {
    pub(crate) fn new(pattern: &str) -> Result<Self, NotAPattern> {
        let fault = |why: String| NotAPattern { pattern: pattern.to_owned(), why };
        let config = Regex::config().nfa_size_limit(Some(SIZE));
        let regex = Regex::builder().configure(config).build(pattern);
        let regex = regex.map_err(|error| {
            fault(error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        let nfa = NFA::compiler().configure(NFA::config().nfa_size_limit(Some(SIZE))).build(pattern);
        let nfa = nfa.map_err(|error| fault(error.to_string()))?;
        if regex.is_match("") {
            return Err(fault("it fits where there is nothing".to_owned()));
        }
        Ok(Own { regex, nfa })
    }

    /// All that fits from here on. What is in groups of the pattern counts no less than the rest.
    pub(crate) fn find(&self, text: &str, from: usize) -> impl Iterator<Item = Range<usize>> {
        let input = Input::new(text).range(from..);
        self.regex.find_iter(input).map(|found| found.range()).filter(|range| !range.is_empty())
    }

    /// From where on more text may decide what fits.
    pub(crate) fn open(&self, text: &str, from: usize) -> usize {
        let mut now: Vec<(StateID, usize)> = Vec::new();
        let mut seen = Seen::new(self.nfa.states().len());
        for (at, &byte) in text.as_bytes().iter().enumerate().skip(from) {
            // An older thread comes first: of two at the same place it is the one that matters.
            let mut threads = std::mem::take(&mut now);
            threads.push((self.nfa.start_anchored(), at));
            seen.clear();
            for (state, start) in threads {
                self.go_on(state, text.as_bytes(), at, &mut seen, &mut |state| {
                    now.extend(self.next(state, byte).map(|next| (next, start)));
                });
            }
        }
        seen.clear();
        let mut open = text.len();
        for (state, start) in now {
            self.go_on(state, text.as_bytes(), text.len(), &mut seen, &mut |_| open = open.min(start));
        }
        open
    }

    /// Follows what takes no byte, up to states that take one. At the end of the text nobody knows what a look ahead would see.
    fn go_on(
        &self,
        state: StateID,
        text: &[u8],
        at: usize,
        seen: &mut Seen,
        reach: &mut impl FnMut(StateID),
    ) {
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            match self.nfa.state(state) {
                State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) => reach(state),
                State::Look { look, next } => {
                    if at == text.len() {
                        reach(state);
                    } else if self.nfa.look_matcher().matches(*look, text, at) {
                        open.push(*next);
                    }
                }
                State::Union { alternates } => open.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => open.extend([*alt2, *alt1]),
                State::Capture { next, .. } => open.push(*next),
                State::Fail | State::Match { .. } => {}
            }
        }
    }

    fn next(&self, state: StateID, byte: u8) -> Option<StateID> {
        match self.nfa.state(state) {
            State::ByteRange { trans } => trans.matches_byte(byte).then_some(trans.next),
            State::Sparse(transitions) => transitions.matches_byte(byte),
            State::Dense(transitions) => transitions.matches_byte(byte),
            _ => None,
        }
    }
}

/// States that were reached at a place.
struct Seen {
    marks: Vec<u32>,
    now: u32,
}

impl Seen {
    fn new(states: usize) -> Self {
        Seen { marks: vec![0; states], now: 0 }
    }

    fn clear(&mut self) {
        self.now += 1;
    }

    fn insert(&mut self, state: StateID) -> bool {
        std::mem::replace(&mut self.marks[state.as_usize()], self.now) != self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_go_on_is_known() {
        for (pattern, text, open) in [
            ("abc", "xxab", 2),
            ("abc", "xxabc", 5),
            ("abc+", "xxabc", 2),
            ("abc", "xxabd", 5),
            (r"\d{3}", "a12", 1),
            (r"\d{3}", "a123", 2),
            (r"id-\w+\b", "see id-ab", 4),
            (r"id-\w+\b", "see id-ab ", 10),
            ("a.c|b", "xay", 1),
        ] {
            assert_eq!(Own::new(pattern).unwrap().open(text, 0), open, "{pattern} in {text}");
        }
    }

    #[test]
    fn what_fits_nowhere_or_everywhere_is_refused() {
        for pattern in ["(", "a*", "x|", "a{99999}{99999}"] {
            assert!(Own::new(pattern).is_err(), "{pattern}");
        }
    }
}
