//! Where text stands in a line: for whoever looks for something in it, or changes it, without a change of what the line means.
//!
//! Any line is known: of a stream, to Claude Code, of a transcript, of events, a note of a journal. Ids, types, names of tools and the like
//! are told apart from what people, models and tools said; a piece of a part that grows says of which.
//!
//! ```
//! use unspool::texts::Texts;
//!
//! let line = r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":"hi"}]}}"#;
//! let texts = Texts::of(line).expect("it is JSON");
//! let said: Vec<_> = texts.strings.iter().filter(|it| !it.is_fixed).map(|it| &line[it.range.clone()]).collect();
//! assert_eq!(said, ["hi"]);
//! ```

mod fixed;
mod walk;

use crate::event::{Event, What};
use crate::json::{Json, Str};
use crate::transcript::Form;
use crate::wire::{ContentBlockDelta, Delta, Envelope, Kind, Piece, StreamEvent};
use std::ops::Range;

/// The texts of one line.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Texts<'a> {
    /// All strings, names of fields too, in their order.
    pub strings: Vec<Text<'a>>,
    /// What of them is a piece of a part that grows.
    pub piece: Option<Grown>,
    /// Which parts grow no more, before anything else of this line is looked at.
    pub ends: Option<Ends>,
    /// Calls of tools: the id, and where their input stands.
    pub calls: Vec<(Str<'a>, Range<usize>)>,
    /// Answers to calls: the id, and where they stand.
    pub answers: Vec<(Str<'a>, Range<usize>)>,
}

/// A string of a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Text<'a> {
    /// What stands between its quotes.
    pub string: Str<'a>,
    /// Where that is.
    pub range: Range<usize>,
    /// The name of the field that it is the value of, or stands in; of a name none.
    pub name: Option<Str<'a>>,
    /// It is the name of a field.
    pub is_name: bool,
    /// What the line means depends on it: an id, a type, a signature, data of a picture.
    pub is_fixed: bool,
}

/// A piece of a part that grows.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Grown {
    /// Which of the strings it is.
    pub string: usize,
    /// The part.
    pub part: Part,
}

/// A part that grows.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub struct Part {
    /// Who speaks: the call that started the agent.
    pub agent: String,
    /// Which of the agent's parts.
    pub place: String,
}

/// What grows no more.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Ends {
    /// This part.
    Part(Part),
    /// All parts of this agent.
    Agent(String),
    /// All parts of all agents.
    All,
}

impl<'a> Texts<'a> {
    /// Looks at a line. Of what is no JSON there is nothing to say.
    #[must_use]
    pub fn of(line: &'a str) -> Option<Self> {
        let json = Json::new(line).ok()?;
        let mut texts = Texts::default();
        walk::walk(json, &mut texts);
        texts.look_for_growth(json);
        Some(texts)
    }

    fn look_for_growth(&mut self, json: Json<'a>) {
        match Form::of_json(json) {
            Form::Events => self.of_event(json),
            _ => match Kind::last_of(json) {
                Kind::StreamEvent => {
                    if let Ok(Envelope::StreamEvent(line)) = Envelope::read(json.text()) {
                        self.of_stream_event(json, &line);
                    }
                }
                Kind::Result => self.ends = Some(Ends::All),
                _ => {}
            },
        }
    }

    fn of_stream_event(&mut self, json: Json<'a>, line: &StreamEvent<'a>) {
        let agent = line.parent_tool_use_id.map_or_else(String::new, |agent| agent.to_string());
        let part = |index: Option<u64>| Part {
            agent: agent.clone(),
            place: index.map_or_else(String::new, |index| index.to_string()),
        };
        match &line.event {
            Some(Piece::ContentBlockDelta(ContentBlockDelta { index, delta: Some(delta), .. })) => {
                let piece = match delta {
                    Delta::TextDelta(delta) => delta.text,
                    Delta::ThinkingDelta(delta) => delta.thinking,
                    Delta::InputJsonDelta(delta) => delta.partial_json,
                    Delta::CompactionDelta(delta) => delta.content,
                    _ => None,
                };
                let place = piece.and_then(Str::raw).and_then(|raw| place_of(json.text(), raw));
                self.piece = place.and_then(|place| self.grown(|it| it.range == place, part(*index)));
            }
            Some(Piece::ContentBlockStop(stop)) => self.ends = Some(Ends::Part(part(stop.index))),
            Some(Piece::MessageStart(_) | Piece::MessageStop(_) | Piece::StreamError(_)) => {
                self.ends = Some(Ends::Agent(agent));
            }
            _ => {}
        }
    }

    fn of_event(&mut self, json: Json<'a>) {
        let Ok(event) = Event::read(json.text()) else { return };
        let agent = event.agent.as_str().to_owned();
        let part = || {
            let place = event.place.as_ref();
            let message = place.and_then(|place| place.message.as_deref()).unwrap_or_default();
            let rank = place.map_or(0, |place| place.part);
            Part { agent: agent.clone(), place: format!("{message} {rank}") }
        };
        match &event.what {
            What::TextDelta { .. } | What::ThinkingDelta { .. } | What::ToolInputDelta { .. } => {
                let content = json.fields().filter(|(name, _)| *name == fixed::CONTENT).last();
                let place = content.and_then(|(_, value)| place_of(json.text(), value.as_str()?.raw()?));
                self.piece = place.and_then(|place| self.grown(|it| it.range == place, part()));
            }
            What::BlockEnd { .. } => self.ends = Some(Ends::Part(part())),
            What::AgentEnd { .. } => self.ends = Some(Ends::Agent(agent)),
            What::TurnComplete { .. } | What::Finished { .. } => self.ends = Some(Ends::All),
            _ => {}
        }
    }

    fn grown(&self, is_it: impl Fn(&Text<'a>) -> bool, part: Part) -> Option<Grown> {
        let string = self.strings.iter().position(is_it)?;
        Some(Grown { string, part })
    }
}

/// Where a slice of a text stands in it.
fn place_of(text: &str, slice: &str) -> Option<Range<usize>> {
    let start = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (start + slice.len() <= text.len()).then(|| start..start + slice.len())
}

#[cfg(test)]
mod tests;
