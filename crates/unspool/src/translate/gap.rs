//! Where lines of one form may differ, and what stands there.

use super::draft::PieceKind;
use super::flow::{Begun, Says};
use super::view::{Counts, Streaming};
use crate::json::{Cursor, Fault, Str};
use std::ops::Range;

/// What lines of a form say, whatever stands in their gaps.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Kind {
    Message {
        usage: bool,
    },
    Text,
    Thinking,
    Call,
    Piece(PieceKind),
    Stopped,
    #[default]
    Nothing,
}

/// What stands in a gap.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Gap {
    Text(Text),
    Number(Number),
}

/// A string, of any length.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Text {
    Session,
    Agent,
    Uuid,
    Time,
    /// The message, as the line has it.
    Message,
    /// What is said, or why it stopped.
    Words,
    /// The id of a message or call that begins.
    Id,
    /// The model, or the tool.
    Name,
    /// One that means nothing to us.
    Any,
}

/// A number of a few digits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Number {
    Index,
    Input,
    Output,
    CacheRead,
    CacheCreation,
    /// One that means nothing to us.
    Any,
}

/// What a line that has a known form says.
#[derive(Debug, Default)]
pub(super) struct Known<'l> {
    kind: Kind,
    texts: [Option<Str<'l>>; Text::Any as usize + 1],
    numbers: [Option<u64>; Number::Any as usize + 1],
}

/// The longest number that is read here.
const DIGITS: usize = 15;

impl Kind {
    pub(super) fn of(says: &Says<'_>) -> Option<Kind> {
        Some(match says {
            Says::Message { usage, .. } => Kind::Message { usage: usage.is_some() },
            Says::Part { begun: Begun::Text(_), .. } => Kind::Text,
            Says::Part { begun: Begun::Thinking(_), .. } => Kind::Thinking,
            Says::Part { begun: Begun::Call { .. }, .. } => Kind::Call,
            Says::Part { begun: Begun::Other(_), .. } => return None,
            Says::Piece { kind, .. } => Kind::Piece(*kind),
            Says::Stopped { .. } => Kind::Stopped,
            Says::Nothing => Kind::Nothing,
        })
    }
}

impl<'l> Known<'l> {
    pub(super) fn new(kind: Kind) -> Self {
        Known { kind, ..Known::default() }
    }

    /// Takes what stands in a gap of a line; returns where it ends.
    #[inline]
    pub(super) fn take(&mut self, gap: Gap, line: &'l [u8], start: usize) -> Option<usize> {
        match gap {
            Gap::Text(text) => {
                let (value, end) = Str::at(line, start)?;
                self.texts[text as usize] = Some(value);
                Some(end)
            }
            Gap::Number(number) => {
                let (value, end) = digits(line, start)?;
                self.numbers[number as usize] = Some(value);
                Some(end)
            }
        }
    }

    #[inline]
    pub(super) fn text(&self, text: Text) -> Option<Str<'l>> {
        self.texts[text as usize]
    }

    fn number(&self, number: Number) -> Option<u64> {
        self.numbers[number as usize]
    }

    /// Whether it bears what the line bears.
    pub(super) fn is_of(&self, line: &Streaming<'_>) -> bool {
        self.text(Text::Session) == line.session_id
            && self.text(Text::Agent) == line.parent_tool_use_id
            && self.text(Text::Uuid) == line.uuid
            && self.text(Text::Time) == line.timestamp
            && self.text(Text::Message) == line.api_message_id
    }

    #[inline]
    pub(super) fn says(&self) -> Says<'l> {
        let [words, id, name] = [Text::Words, Text::Id, Text::Name].map(|text| self.text(text));
        let index = self.number(Number::Index).unwrap_or(0);
        match self.kind {
            Kind::Piece(kind) => Says::Piece { index, kind, words: words.unwrap_or_default() },
            Kind::Text => Says::Part { index, begun: Begun::Text(words) },
            Kind::Thinking => Says::Part { index, begun: Begun::Thinking(words) },
            Kind::Call => Says::Part { index, begun: Begun::Call { id, name } },
            Kind::Message { usage } => Says::Message { id, model: name, usage: usage.then(|| self.counts()) },
            Kind::Stopped => Says::Stopped { reason: words, usage: self.counts() },
            Kind::Nothing => Says::Nothing,
        }
    }

    fn counts(&self) -> Counts<'static> {
        Counts {
            input_tokens: self.number(Number::Input),
            output_tokens: self.number(Number::Output),
            cache_read_input_tokens: self.number(Number::CacheRead),
            cache_creation_input_tokens: self.number(Number::CacheCreation),
            ..Counts::default()
        }
    }
}

/// The number of a few digits that stands here, and its end. What follows it is not looked at.
#[inline(always)]
fn digits(line: &[u8], start: usize) -> Option<(u64, usize)> {
    let (mut number, mut end) = (0, start);
    while let Some(digit) = line.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|it| *it < 10) {
        number = number * 10 + u64::from(digit);
        end += 1;
        if end - start > DIGITS {
            return None;
        }
    }
    let padded = line.get(start) == Some(&b'0') && end > start + 1;
    (end > start && !padded).then_some((number, end))
}

/// Finds the gaps of a line that was checked. Returns whether each thing stands there once; otherwise which of
/// them counts is not for us to say.
pub(super) fn gaps(kind: Kind, mut start: Cursor<'_>, gaps: &mut Vec<(Gap, Range<usize>)>) -> bool {
    gaps.clear();
    let mut finder = Finder { kind, gaps, met: 0, twice: false };
    finder.walk(&mut start, Place::Line).is_ok() && !finder.twice
}

struct Finder<'g> {
    kind: Kind,
    gaps: &'g mut Vec<(Gap, Range<usize>)>,
    /// A bit for each thing that was met.
    met: u32,
    twice: bool,
}

/// An object in the line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    Line,
    Event,
    Message,
    Usage,
    Delta,
    Block,
    /// One that means nothing to us, so many levels below one that does.
    Other(u8),
}

/// Objects that are deeper inside others are the same in all lines.
const DEEP: u8 = 4;

/// What a field is.
enum Role {
    Text(Text),
    Number(Number),
    Object(Place),
}

impl Finder<'_> {
    fn walk(&mut self, cursor: &mut Cursor<'_>, place: Place) -> Result<(), Fault> {
        cursor.object(|key, cursor| {
            let role = self.role(place, &key.decode());
            self.meet(&role);
            self.take(cursor, place, role)
        })
    }

    fn take(&mut self, cursor: &mut Cursor<'_>, place: Place, role: Option<Role>) -> Result<(), Fault> {
        let first = cursor.peek();
        let start = cursor.at();
        let inside = Place::Other(place.depth() + 1);
        match (first, role) {
            (b'"', Some(Role::Text(text))) => {
                cursor.string()?;
                self.gaps.push((Gap::Text(text), start + 1..cursor.at() - 1));
            }
            (b'0'..=b'9', role) => {
                let number = if let Some(Role::Number(number)) = role { number } else { Number::Any };
                let text = cursor.skip()?.text();
                if digits(text.as_bytes(), 0).is_some_and(|it| it.1 == text.len()) {
                    self.gaps.push((Gap::Number(number), start..cursor.at()));
                }
            }
            (b'{', Some(Role::Object(inside))) => self.walk(cursor, inside)?,
            (b'{', _) if place.depth() < DEEP => self.walk(cursor, inside)?,
            (b'[', _) if place.depth() < DEEP => {
                cursor.array(|cursor| self.take(cursor, inside, self.role(inside, "")))?;
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    fn meet(&mut self, role: &Option<Role>) {
        let bit = match role {
            Some(Role::Text(Text::Any)) | None => return,
            Some(Role::Text(text)) => *text as u32,
            Some(Role::Number(number)) => 9 + *number as u32,
            Some(Role::Object(Place::Event)) => 16,
            Some(Role::Object(Place::Message)) => 17,
            Some(Role::Object(Place::Usage)) => 18,
            Some(Role::Object(Place::Delta)) => 19,
            Some(Role::Object(Place::Block)) => 20,
            Some(Role::Object(_)) => return,
        };
        self.twice |= self.met & 1 << bit != 0;
        self.met |= 1 << bit;
    }

    /// What a field is, in lines of this kind.
    fn role(&self, place: Place, key: &str) -> Option<Role> {
        Some(match (place, key, self.kind) {
            (Place::Line, "session_id", _) => Role::Text(Text::Session),
            (Place::Line, "parent_tool_use_id", _) => Role::Text(Text::Agent),
            (Place::Line, "uuid", _) => Role::Text(Text::Uuid),
            (Place::Line, "timestamp", _) => Role::Text(Text::Time),
            (Place::Line, "api_message_id", _) => Role::Text(Text::Message),
            (Place::Line, "event", _) => Role::Object(Place::Event),
            (Place::Event, "index", _) => Role::Number(Number::Index),
            (Place::Event, "delta", Kind::Piece(_) | Kind::Stopped) => Role::Object(Place::Delta),
            (Place::Event, "content_block", Kind::Text | Kind::Thinking | Kind::Call) => {
                Role::Object(Place::Block)
            }
            (Place::Event, "message", Kind::Message { .. }) => Role::Object(Place::Message),
            (Place::Event, "usage", Kind::Stopped) | (Place::Message, "usage", _) => {
                Role::Object(Place::Usage)
            }
            (Place::Usage, "input_tokens", _) => Role::Number(Number::Input),
            (Place::Usage, "output_tokens", _) => Role::Number(Number::Output),
            (Place::Usage, "cache_read_input_tokens", _) => Role::Number(Number::CacheRead),
            (Place::Usage, "cache_creation_input_tokens", _) => Role::Number(Number::CacheCreation),
            (Place::Delta, "text", Kind::Piece(PieceKind::Text))
            | (Place::Delta, "thinking", Kind::Piece(PieceKind::Thinking))
            | (Place::Delta, "partial_json", Kind::Piece(PieceKind::Input))
            | (Place::Delta, "signature", Kind::Piece(PieceKind::Signature))
            | (Place::Delta, "stop_reason", Kind::Stopped)
            | (Place::Block, "text", Kind::Text)
            | (Place::Block, "thinking", Kind::Thinking) => Role::Text(Text::Words),
            (Place::Block, "id", Kind::Call) | (Place::Message, "id", _) => Role::Text(Text::Id),
            (Place::Block, "name", Kind::Call) | (Place::Message, "model", _) => Role::Text(Text::Name),
            (Place::Other(_), ..) => Role::Text(Text::Any),
            _ => return None,
        })
    }
}

impl Place {
    fn depth(self) -> u8 {
        match self {
            Place::Other(depth) => depth,
            _ => 0,
        }
    }
}
