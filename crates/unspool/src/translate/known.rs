//! What a line says that has a known form.

use super::draft::PieceKind;
use super::flow::{Begun, Says};
use super::view::{Counts, Streaming};
use crate::json::Str;

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
    CacheHour,
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

    fn counts(&self) -> Counts {
        Counts {
            input_tokens: self.number(Number::Input),
            output_tokens: self.number(Number::Output),
            cache_read_input_tokens: self.number(Number::CacheRead),
            cache_creation_input_tokens: self.number(Number::CacheCreation),
            kept_for_an_hour: self.number(Number::CacheHour),
        }
    }
}

/// The number of a few digits that stands here, and its end. What follows it is not looked at.
#[inline(always)]
pub(super) fn digits(line: &[u8], start: usize) -> Option<(u64, usize)> {
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
