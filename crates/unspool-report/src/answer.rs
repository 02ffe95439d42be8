//! What a turn answers: the words of the main agent, and the structured value if one was asked for.

use unspool::Event;
use unspool::event::{Agent, Raw, Tell, What};

/// The answer of a turn, from its events, in either grain. A new turn begins anew, and so does what is said after the end of
/// one.
#[derive(Clone, Debug, Default)]
pub struct TurnAnswer {
    parts: Vec<String>,
    /// The part that is arriving in deltas.
    open: Option<u64>,
    structured: Option<Raw<'static>>,
    result: Option<String>,
    /// The turn has ended.
    done: bool,
    /// What the turn before has answered.
    before: Option<String>,
}

impl TurnAnswer {
    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::TurnStart { .. } => self.begin(),
            What::Text { content, more, .. } if event.agent == Agent::Main => {
                self.say(content, *more == Some(true));
            }
            What::TextDelta { content, more, .. } if event.agent == Agent::Main => {
                let part = event.place.as_ref().map(|place| place.part);
                let is_open = self.open.is_some() && self.open == part;
                self.say(content, is_open || *more == Some(true));
                self.open = part;
            }
            What::BlockEnd { .. } if event.agent == Agent::Main => self.open = None,
            What::StructuredOutput { value, .. } => {
                self.go_on();
                self.structured = value.clone().map(Tell::own);
            }
            What::TurnComplete { result, .. } => {
                self.go_on();
                self.result = result.as_deref().map(str::to_owned);
                self.done = true;
            }
            _ => {}
        }
    }

    /// Words of the main agent: a part, or more of the last one.
    fn say(&mut self, words: &str, is_more: bool) {
        self.go_on();
        match self.parts.last_mut().filter(|_| is_more) {
            Some(last) => last.push_str(words),
            None => self.parts.push(words.to_owned()),
        }
    }

    fn begin(&mut self) {
        let before = self.last().map(str::to_owned);
        *self = TurnAnswer { before, ..TurnAnswer::default() };
    }

    fn go_on(&mut self) {
        if self.done {
            self.begin();
        }
    }

    /// What the turn answers: its result, and where it has none, the last words of the main agent.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.result.as_deref().or_else(|| self.parts.last().map(String::as_str))
    }

    /// What the last turn answered that has answered anything.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.text().or(self.before.as_deref())
    }

    /// All words of the main agent in this turn, part by part.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The structured answer.
    #[must_use]
    pub fn structured(&self) -> Option<&Raw<'static>> {
        self.structured.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    fn answer(stream: &str, grain: Grain) -> TurnAnswer {
        let mut answer = TurnAnswer::default();
        Spool::read(grain, stream.as_bytes()).iter().for_each(|event| answer.step(event));
        answer
    }

    fn said(words: &str, id: u8) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m{id}","content":[{{"type":"text","text":"{words}"}}]}},"session_id":"s"}}"#
        )
    }

    #[test]
    fn a_turn_without_a_result_answers_with_its_last_words_in_either_grain() {
        let stream = format!("{}\n{}\n", said("One.", 1), said("Two.", 2));
        for grain in [Grain::Blocks, Grain::Deltas] {
            let answer = answer(&stream, grain);
            assert_eq!(
                (answer.text(), answer.parts()),
                (Some("Two."), &["One.".to_owned(), "Two.".to_owned()][..])
            );
        }
    }

    #[test]
    fn a_text_that_grows_is_one_part() {
        let said = |words: &str| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":"{words}"}}]}}}}"#
            )
        };
        let stream = format!("{}\n{}\n", said("One"), said("One, two."));
        for grain in [Grain::Blocks, Grain::Deltas] {
            assert_eq!(answer(&stream, grain).parts(), ["One, two."]);
        }
    }

    #[test]
    fn a_result_is_the_answer_until_something_is_said() {
        let result =
            r#"{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s"}"#;
        let stream = format!("{}\n{result}\n", said("Almost.", 1));
        assert_eq!(answer(&stream, Grain::Blocks).text(), Some("Done."));
        let next = format!("{stream}{}\n", said("Again.", 2));
        assert_eq!(answer(&next, Grain::Blocks).text(), Some("Again."));
    }
}
