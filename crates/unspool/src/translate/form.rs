//! Lines that look like a line before them but for a few strings and numbers.
//!
//! A message that arrives in pieces is hundreds of lines which differ in their words, ids and figures. The
//! bytes around them were read and checked before: where they are the same, they mean the same, and comparing
//! them is all there is to do.
//!
//! ```text
//! {"type":"stream_event","event":{…,"delta":{"type":"text_delta","text":"Hel"}},…,"uuid":"6edc…"}
//! {"type":"stream_event","event":{…,"delta":{"type":"text_delta","text":"lo, wo"}},…,"uuid":"e440…"}
//! ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the same ~~~~~~~~~~~~~~~~~~~~gap~~~~~ the same ~~~~~~~gap~~
//! ```

use super::flow::Says;
use super::gap::gaps;
use super::known::{Gap, Kind, Known};
use super::view::Streaming;
use crate::json::Chart;
use std::ops::Range;

/// Lines that are remembered; a CLI prints a dozen that differ.
const FORMS: usize = 64;

/// A line that is no piece is remembered if it has come so often before: that costs as much as reading it.
const TIMES: usize = 2;

/// The longest line that is remembered.
const LONGEST: usize = 4096;

/// How such lines begin.
const BEGIN: &[u8] = b"{\"type\":\"stream_event\"";

/// Eight bytes that tell most of them apart: `{"type":"stream_event","event":{"type":"content_bl|ock_star|t"`.
const SIGN: usize = 50;

/// What the last lines looked like.
#[derive(Debug, Default)]
pub(super) struct Forms {
    forms: Vec<Form>,
    /// Where each stands in `forms`, with its sign: by when they were last met, the last first.
    order: Vec<(u64, usize)>,
    /// Kinds of lines that were read, each as often as it was. Only pieces are sure to come again.
    read: Vec<Kind>,
    /// Memory for the next one.
    spare: Form,
}

/// What a line looked like.
#[derive(Debug, Default)]
struct Form {
    line: Vec<u8>,
    /// Where it may differ, in order.
    gaps: Vec<(Gap, Range<usize>)>,
    /// Nothing where a gap is in it.
    sign: u64,
    kind: Kind,
    /// What came behind it the last time.
    next: usize,
}

impl Forms {
    /// What a line says, if it has the form of one before.
    pub(super) fn find<'l>(&mut self, line: &'l [u8]) -> Option<Known<'l>> {
        if self.forms.is_empty() || !line.starts_with(BEGIN) {
            return None;
        }
        let sign = sign(line);
        let mut known = Known::default();
        let mut fits =
            |form: &Form| (form.sign == sign || form.sign == 0) && form.fits(line, &mut known).is_some();
        // What comes behind what is mostly the same.
        let last = self.order[0].1;
        let next = self.forms[last].next;
        let is_next = |entry: &(u64, usize)| entry.1 == next;
        let rank = if fits(&self.forms[next]) {
            self.order.iter().position(is_next)?
        } else {
            let mut fits = |&(its, at): &(u64, usize)| (its == sign || its == 0) && fits(&self.forms[at]);
            self.order.iter().position(|entry| !is_next(entry) && fits(entry))?
        };
        self.order[..=rank].rotate_right(1);
        self.forms[last].next = self.order[0].1;
        Some(known)
    }

    /// A line was read that may be the first of many.
    pub(super) fn learn(&mut self, line: &Streaming<'_>, chart: &Chart<'_>) {
        let Some(says) = line.event.as_ref().and_then(Says::of) else { return };
        let Some(kind) = Kind::of(&says) else { return };
        let times = || self.read.iter().filter(|read| **read == kind).count();
        if !matches!(kind, Kind::Piece(_)) && times() < TIMES {
            self.read.push(kind);
            return;
        }
        let text = chart.json().text();
        if line.abandoned_blocks.is_some() || text.len() > LONGEST || !self.spare.take(kind, chart) {
            return;
        }
        // Whoever reads the form must find what was read.
        let mut known = Known::default();
        let found = self.spare.fits(text.as_bytes(), &mut known).is_some();
        if !found || !known.is_of(line) || known.says() != says {
            return;
        }
        if self.forms.len() < FORMS {
            self.order.push((0, self.forms.len()));
            self.forms.push(Form::default());
        }
        self.order.rotate_right(1);
        let (sign, at) = &mut self.order[0];
        *sign = self.spare.sign;
        std::mem::swap(&mut self.forms[*at], &mut self.spare);
    }
}

impl Form {
    /// Becomes the form of a line; returns whether it has one.
    fn take(&mut self, kind: Kind, chart: &Chart<'_>) -> bool {
        let text = chart.json().text();
        (self.kind, self.next) = (kind, 0);
        self.line.clear();
        self.line.extend_from_slice(text.as_bytes());
        let found = gaps(kind, chart, &mut self.gaps);
        let first = self.gaps.first().map_or(text.len(), |(_, place)| place.start);
        self.sign = sign(&self.line[..first]);
        found
    }

    /// Reads a line, if it has this form.
    fn fits<'l>(&self, line: &'l [u8], known: &mut Known<'l>) -> Option<()> {
        *known = Known::new(self.kind);
        let (mut ours, mut theirs) = (0, 0);
        for (gap, place) in &self.gaps {
            let same = &self.line[ours..place.start];
            if !line[theirs..].starts_with(same) {
                return None;
            }
            theirs = known.take(*gap, line, theirs + same.len())?;
            ours = place.end;
        }
        (line[theirs..] == self.line[ours..]).then_some(())
    }
}

fn sign(line: &[u8]) -> u64 {
    line.get(SIGN..).and_then(|rest| rest.first_chunk()).map_or(0, |sign| u64::from_le_bytes(*sign))
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

    #[test]
    fn a_line_in_between_is_not_forgotten() {
        let other = r#"{"type":"system","subtype":"status","session_id":"t"}"#.to_owned();
        let end = r#"{"type":"result","subtype":"success","session_id":"s"}"#.to_owned();
        let piece = |agent: &str| delta("x", "u", "m").replace("null", agent);
        for between in [other, end, piece("\"a\""), piece("\"\"")] {
            let mut lines = vec![delta("a", "1", "m"), delta("b", "2", "m"), delta("c", "3", "m"), between];
            lines.extend([delta("d", "4", "m"), delta("e", "5", "m")]);
            check(&lines);
        }
    }

    fn flow(event: &str, uuid: u32) -> String {
        format!(
            r#"{{"type":"stream_event","event":{event},"session_id":"s","uuid":"{uuid}","ttft_ms":{uuid}}}"#
        )
    }

    #[test]
    fn every_usual_line_may_be_known() {
        let message = |id: &str, tokens: &str| {
            format!(
                r#"{{"type":"message_start","message":{{"id":"{id}","model":"x","content":[],"usage":{{"input_tokens":{tokens},"cache":{{"a":{tokens}}}}}}}}}"#
            )
        };
        let start = |index: u32, block: &str| {
            format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
        };
        let piece = |index: u32, delta: &str| {
            format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
        };
        let mut lines = Vec::new();
        for round in 0..5 {
            let tokens = ["1", "20", "300", "1.0", "01"][round as usize];
            let call = format!(r#"{{"type":"tool_use","id":"t{round}","name":"A","input":{{}}}}"#);
            let events = [
                message(&format!("m{round}"), tokens),
                start(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
                piece(0, &format!(r#"{{"type":"thinking_delta","thinking":"hm {round}"}}"#)),
                piece(0, r#"{"type":"signature_delta","signature":"xyz"}"#),
                start(1, &format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(round as usize))),
                piece(1, r#"{"type":"text_delta","text":"words"}"#),
                r#"{"type":"content_block_stop","index":1}"#.to_owned(),
                start(2 + round, &call),
                piece(2 + round, r#"{"type":"input_json_delta","partial_json":"{\"a\":"}"#),
                piece(2 + round, &format!(r#"{{"type":"input_json_delta","partial_json":"{round}}}"}}"#)),
                start(9, r#"{"type":"new","x":1}"#),
                format!(
                    r#"{{"type":"message_delta","delta":{{"stop_reason":"r{round}"}},"usage":{{"output_tokens":{tokens}}}}}"#
                ),
                r#"{"type":"message_stop"}"#.to_owned(),
            ];
            lines.extend((0..).zip(&events).map(|(at, event)| flow(event, round * 100 + at)));
        }
        check(&lines);

        let mut translator = Translator::new(Grain::Deltas);
        for (number, line) in (1..).zip(&lines[..39]) {
            translator.step(Line::whole(number, line.as_bytes(), End::Newline), &mut |_| {});
        }
        // The part of an unknown type is read each time.
        let read = lines[..13].iter().filter(|line| translator.forms.find(line.as_bytes()).is_none());
        assert_eq!(read.collect::<Vec<_>>(), [&lines[10]]);
    }

    #[test]
    fn what_stands_there_twice_is_read() {
        for (usual, twice) in [
            (r#""index":0"#, r#""index":0,"index":null"#),
            (r#""index":0"#, r#""index":0,"\u0069ndex":null"#),
            (r#""text":"a""#, r#""text":"a","text":null"#),
            (r#""text":"a""#, r#""thinking":"","text":"a""#),
            (r#""text":"a""#, r#""thinking":"a""#),
            (r#""uuid":"1""#, r#""uuid":"1","uuid":5"#),
        ] {
            let line = r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}},"uuid":"1"}"#;
            let line = line.replace(usual, twice);
            let other = line.replace(r#""index":0"#, r#""index":3"#).replace(r#":"a""#, r#":"b""#);
            check(&[line.clone(), line.clone(), other.clone(), line.replace(r#":"""#, r#":"c""#), other]);
        }
    }
}
