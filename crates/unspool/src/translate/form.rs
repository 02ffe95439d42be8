//! Lines that look like a line before them but for a few strings.
//!
//! A message that arrives in pieces is hundreds of lines which differ in the words and in a few ids of equal
//! length. The bytes around them were read and checked before: where they are the same, they mean the same,
//! and comparing them is all there is to do.
//!
//! ```text
//! {"type":"stream_event","event":{…,"delta":{"type":"text_delta","text":"Hel"}},…,"uuid":"6edc…"}
//! {"type":"stream_event","event":{…,"delta":{"type":"text_delta","text":"lo, wo"}},…,"uuid":"e440…"}
//! ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the same ~~~~~~~~~~~~~~~~~~~~gap~~~~~ the same ~~~~~~~gap~~
//! ```

use super::draft::PieceKind;
use super::view::Streaming;
use crate::json::Str;
use std::ops::Range;

/// Lines that are remembered.
const FORMS: usize = 16;

/// The longest line that is remembered.
const LONGEST: usize = 4096;

/// How such lines begin.
const BEGIN: &[u8] = b"{\"type\":\"stream_event\"";

/// What the last lines looked like.
#[derive(Debug, Default)]
pub(super) struct Forms {
    forms: Vec<Form>,
    /// The one that is replaced next.
    oldest: usize,
    /// The line before was such a one: it is worth while to remember the next.
    again: bool,
}

/// What a line looked like.
#[derive(Debug, Default)]
struct Form {
    line: Vec<u8>,
    /// Where it may differ, in order.
    gaps: Vec<(Gap, Range<usize>)>,
    says: Says,
}

/// What stands in a gap.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Gap {
    /// Of any length.
    Words,
    Uuid,
    Time,
    Message,
}

/// What all lines of a form say.
#[derive(Debug, Default)]
pub(super) struct Says {
    pub(super) session: Option<Box<str>>,
    pub(super) agent: Option<Box<str>>,
    /// The place of the part that grows, and what it is; none where nothing happens.
    pub(super) grows: Option<(u64, PieceKind)>,
}

/// A line that has a known form.
#[derive(Debug)]
pub(super) struct Known<'f, 'l> {
    pub(super) says: &'f Says,
    pub(super) words: Str<'l>,
    pub(super) uuid: Option<Str<'l>>,
    pub(super) time: Option<Str<'l>>,
    pub(super) message: Option<Str<'l>>,
}

impl Forms {
    /// What a line says, if it has the form of one before.
    pub(super) fn find<'f, 'l>(&'f self, line: &'l [u8]) -> Option<Known<'f, 'l>> {
        if self.forms.is_empty() || !line.starts_with(BEGIN) {
            return None;
        }
        self.forms.iter().find_map(|form| form.fits(line))
    }

    /// A line was read that may be the first of many.
    pub(super) fn learn(&mut self, line: &Streaming<'_>, text: &str) {
        let grows = line.event.as_ref().and_then(|flow| flow.piece());
        let quiet = line.event.as_ref().is_some_and(|flow| flow.is_quiet());
        let usual = (grows.is_some() || quiet) && line.abandoned_blocks.is_none() && text.len() <= LONGEST;
        if !std::mem::replace(&mut self.again, usual) || !usual {
            return;
        }
        let words = match grows {
            Some((.., words)) => place(text, words),
            None => None,
        };
        if grows.is_some() && words.is_none() {
            return;
        }
        if self.forms.len() < FORMS {
            self.oldest = self.forms.len();
            self.forms.push(Form::default());
        }
        let form = &mut self.forms[self.oldest];
        self.oldest = (self.oldest + 1) % FORMS;
        let own = |text: Option<Str<'_>>| text.map(|text| Box::from(&*text.decode()));
        form.says = Says {
            session: own(line.session_id),
            agent: own(line.parent_tool_use_id.filter(|call| !call.is_empty())),
            grows: grows.map(|(index, kind, _)| (index, kind)),
        };
        form.line.clear();
        form.line.extend_from_slice(text.as_bytes());
        form.gaps.clear();
        form.gaps.extend(words.map(|words| (Gap::Words, words)));
        let others =
            [(Gap::Uuid, line.uuid), (Gap::Time, line.timestamp), (Gap::Message, line.api_message_id)];
        for (gap, value) in others {
            form.gaps.extend(value.and_then(|value| place(text, value)).map(|place| (gap, place)));
        }
        form.gaps.sort_unstable_by_key(|(_, place)| place.start);
    }
}

impl Form {
    fn fits<'l>(&self, line: &'l [u8]) -> Option<Known<'_, 'l>> {
        // What stands behind the words has moved by as much as they are longer.
        let longer = line.len().wrapping_sub(self.line.len());
        let (mut ours, mut moved) = (0, 0);
        for (gap, place) in &self.gaps {
            self.is_same(line, ours..place.start, moved)?;
            ours = place.end;
            moved = if *gap == Gap::Words { longer } else { moved };
        }
        self.is_same(line, ours..self.line.len(), moved)?;
        if self.line.len().wrapping_add(moved) != line.len() {
            return None;
        }
        let mut known =
            Known { says: &self.says, words: Str::default(), uuid: None, time: None, message: None };
        let mut moved = 0;
        for (gap, place) in &self.gaps {
            let start = place.start.wrapping_add(moved);
            moved = if *gap == Gap::Words { longer } else { moved };
            // Its quotes stand in what is the same on both sides.
            let value = Str::between(line, start..place.end.wrapping_add(moved))?;
            match gap {
                Gap::Words => known.words = value,
                Gap::Uuid => known.uuid = Some(value),
                Gap::Time => known.time = Some(value),
                Gap::Message => known.message = Some(value),
            }
        }
        Some(known)
    }

    /// Whether a line has the same bytes here, moved by so many.
    fn is_same(&self, line: &[u8], place: Range<usize>, moved: usize) -> Option<()> {
        let theirs = line.get(place.start.wrapping_add(moved)..place.end.wrapping_add(moved))?;
        (theirs == &self.line[place]).then_some(())
    }
}

/// Where a string stands in its line.
fn place(line: &str, string: Str<'_>) -> Option<Range<usize>> {
    let text = string.raw()?;
    let start = text.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
    (start + text.len() < line.len()).then(|| start..start + text.len())
}

#[cfg(test)]
mod tests {
    use super::super::{Grain, Translator};
    use crate::line::{End, Line};

    fn delta(text: &str, uuid: &str, message: &str) -> String {
        format!(
            concat!(
                r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"#,
                r#""delta":{{"type":"text_delta","text":"{}"}}}},"session_id":"s","parent_tool_use_id":null,"#,
                r#""uuid":"{}","api_message_id":"{}"}}"#
            ),
            text, uuid, message
        )
    }

    /// What the lines tell, if each is the first of its kind, and if it is not.
    fn check(lines: &[String]) {
        let tell = |fresh: bool| {
            let mut told = Vec::new();
            let mut translator = Translator::new(Grain::Deltas);
            for (number, line) in (1..).zip(lines) {
                if fresh {
                    translator.forms = Default::default();
                }
                let line = Line::whole(number, line.as_bytes(), End::Newline);
                translator.step(line, &mut |event| told.push(event.to_json()));
            }
            translator.finish(&mut |event| told.push(event.to_json()));
            told
        };
        assert_eq!(tell(false), tell(true));
    }

    #[test]
    fn a_known_form_says_the_same_as_a_line_read_anew() {
        let words = [
            "Hel",
            "lo",
            "",
            "wor\\nld \\ud83d",
            "\\ude80",
            "a \\\"quote\\\"",
            "é",
            "x\\",
            "a\"b",
            "\u{1}",
            "ok",
        ];
        let mut lines: Vec<_> = words.iter().map(|words| delta(words, "u-1", "m")).collect();
        lines.insert(3, r#"{"type":"new"}"#.to_owned());
        lines.push(delta("end", "u\"1", "m"));
        lines.push(delta("end", "u-2", "n"));
        lines.push(delta("end", "u-22", "n"));
        lines.push(delta("end", "u-2", "n") + " ");
        lines.push(delta("end", "u-2", "n").replace(":0", ":1"));
        check(&lines);
    }
}
