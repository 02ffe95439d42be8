//! Finds where lines of one form may differ.

use super::draft::PieceKind;
use super::known::{Gap, Kind, Number, Text, digits};
use crate::json::{self, Chart};
use std::ops::Range;

/// Finds the gaps of a line that was checked. Returns whether each thing stands there once; otherwise which of
/// them counts is not for us to say.
pub(super) fn gaps(kind: Kind, chart: &Chart<'_>, gaps: &mut Vec<(Gap, Range<usize>)>) -> bool {
    gaps.clear();
    gaps.reserve(USUAL);
    let mut finder = Finder { chart, kind, gaps, met: 0, twice: false };
    finder.walk(chart.root(), Place::Line);
    !finder.twice
}

/// The gaps of a usual line.
const USUAL: usize = 16;

struct Finder<'g> {
    chart: &'g Chart<'g>,
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
    Kept,
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
    fn walk(&mut self, object: json::Place, place: Place) {
        self.chart.members(object, |key, value| {
            let role = self.role(place, &key.decode());
            self.meet(&role);
            self.take(value, place, role);
        });
    }

    fn take(&mut self, value: json::Place, place: Place, role: Option<Role>) {
        let inside = Place::Other(place.depth() + 1);
        let (start, end) = value.bounds();
        match (self.chart.first(value), role) {
            (b'"', Some(Role::Text(text))) => self.gaps.push((Gap::Text(text), start + 1..end - 1)),
            (b'0'..=b'9', role) => {
                let number = if let Some(Role::Number(number)) = role { number } else { Number::Any };
                let line = self.chart.json().text().as_bytes();
                if digits(line, start).is_some_and(|it| it.1 == end) {
                    self.gaps.push((Gap::Number(number), start..end));
                }
            }
            (b'{', Some(Role::Object(inside))) => self.walk(value, inside),
            (b'{', _) if place.depth() < DEEP => self.walk(value, inside),
            (b'[', _) if place.depth() < DEEP => {
                self.chart.items(value, |item| self.take(item, inside, self.role(inside, "")));
            }
            _ => {}
        }
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
            Some(Role::Object(Place::Kept)) => 21,
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
            (Place::Usage, "cache_creation", _) => Role::Object(Place::Kept),
            (Place::Kept, "ephemeral_1h_input_tokens", _) => Role::Number(Number::CacheHour),
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
