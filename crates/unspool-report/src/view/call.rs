//! Calls of tools: a line when one begins, its outcome when it ends, and a bounded part of what came out.

use super::line::Line;
use super::style::{BAD, BAD_WORDS, CALL, DIM, GOOD, PLAIN, TOOL};
use super::wrap::{cut, tidy, width};
use crate::words::{CallWords, count, duration, tool_failure};
use anstyle::Style;
use std::borrow::Cow;
use unspool::event::Raw;
use unspool::wire::tool::{AgentOutput, ToolInput};
use unspool::wire::{Block, Wire};

/// How calls of tools are shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum ToolsArg {
    /// With the beginning and the end of what came out.
    #[default]
    Full,
    /// A line when one begins, and a line when it ends.
    Line,
    /// Not at all.
    Hide,
}

/// Lines of an output that are shown: at its beginning, and at its end.
#[derive(Clone, Copy)]
pub(super) struct Room {
    head: usize,
    tail: usize,
}

impl Room {
    /// What was read is in the file; what a command printed is nowhere else.
    pub(super) fn of(tool: &str, is_error: bool) -> Room {
        use ToolInput::{Glob, Grep, Ls, NotebookRead, Read, ToolSearch};
        match ToolInput::named(tool) {
            _ if is_error => Room { head: 6, tail: 4 },
            Read(_) | NotebookRead(_) | Ls(_) | Glob(_) | Grep(_) | ToolSearch(_) => {
                Room { head: 3, tail: 0 }
            }
            _ => Room { head: 5, tail: 3 },
        }
    }
}

/// `● Bash cargo test`, cut to what fits.
pub(super) fn begin(call: &CallWords, columns: usize) -> Line {
    let mut line = Line::of("● ", CALL);
    line.append(&words(call, TOOL));
    line.cut(columns)
}

/// The words of a call.
pub(super) fn words(call: &CallWords, style: Style) -> Line {
    let mut line = Line::of(&tidy(&call.tool), style);
    if !call.subject.is_empty() {
        line.push(" ", PLAIN);
        line.push(&tidy(&short(&call.subject)), PLAIN);
    }
    if !call.aside.is_empty() {
        line.push(&format!(" ({})", tidy(&short(&call.aside))), DIM);
    }
    line
}

/// Enough for any screen; more would only be measured and thrown away.
fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(2000) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// How a call ended.
pub(super) struct Outcome<'a> {
    pub(super) call: Option<&'a CallWords>,
    pub(super) is_error: bool,
    /// It was not allowed.
    pub(super) is_denied: bool,
    pub(super) ms: Option<u64>,
    /// What else is to be said: lines, files.
    pub(super) facts: Vec<String>,
}

impl Outcome<'_> {
    /// `  ✓ 1.2 s · 34 lines`; the call is named where it does not stand right above.
    pub(super) fn line(&self, columns: usize) -> Line {
        let mut line = Line::of("  ", PLAIN);
        match (self.is_denied, self.is_error) {
            (true, _) => line.push("✗ denied", BAD),
            (_, true) => line.push("✗ failed", BAD),
            _ => line.push("✓", GOOD),
        }
        let facts: Vec<String> =
            self.ms.map(duration).into_iter().chain(self.facts.iter().cloned()).collect();
        let facts = facts.join(" · ");
        if self.call.is_none() && (self.is_denied || self.is_error) && !facts.is_empty() {
            line.push(" ·", DIM);
        }
        if let Some(call) = self.call {
            let room = columns.saturating_sub(line.width() + 4 + facts.chars().count()).max(columns / 3);
            line.push(" ", PLAIN);
            line.append(&words(call, PLAIN).cut(room));
            if !facts.is_empty() {
                line.push(" ·", DIM);
            }
        }
        if !facts.is_empty() {
            line.push(&format!(" {facts}"), DIM);
        }
        line.cut(columns)
    }
}

/// What came out, in its own words: of an agent its report, of an error what it says.
pub(super) fn said<'a>(output: &'a str, detail: Option<&Raw<'_>>) -> Cow<'a, str> {
    let texts = detail.into_iter().flat_map(|detail| match AgentOutput::of(detail.json()) {
        Some(AgentOutput::Completed(agent)) if agent.agent_id.is_some() => agent.content,
        _ => None,
    });
    let texts = texts.flat_map(|content| content.iter()).filter_map(|block| match block {
        Block::Text(block) => block.text,
        _ => None,
    });
    let report = texts.map(|text| text.to_string()).collect::<Vec<_>>().join("\n");
    if !report.trim().is_empty() {
        return Cow::Owned(report);
    }
    Cow::Borrowed(tool_failure(output))
}

/// Adds an excerpt to the line of its outcome: beside it if there is room, else below.
pub(super) fn add(lines: &mut Vec<Line>, excerpt: Vec<Line>, columns: usize) {
    if let ([outcome], [only]) = (lines.as_mut_slice(), excerpt.as_slice()) {
        let (text, style) = (only.text().trim(), only.runs().last().map_or(DIM, |(_, style)| style));
        if outcome.width() + 3 + width(text) <= columns {
            outcome.push(if outcome.text().ends_with('✓') { " " } else { " · " }, DIM);
            outcome.push(text, style);
            return;
        }
    }
    lines.extend(excerpt);
}

/// How many lines there are, in words; nothing for one or none.
pub(super) fn size(output: &str) -> Option<String> {
    let lines = output.trim_end().bytes().filter(|byte| *byte == b'\n').count() + 1;
    (lines > 1).then(|| count(lines as u64, "line"))
}

/// The beginning and the end of an output.
pub(super) fn excerpt(output: &str, room: Room, is_error: bool, columns: usize) -> Vec<Line> {
    let style = if is_error { BAD_WORDS } else { DIM };
    let output = output.trim_matches(['\n', '\r']).trim_end();
    let total = output.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let show = |text: &str| {
        let text = printed(text);
        let text = tidy(&text);
        Line::of("    ", PLAIN).with(cut(text.trim_end(), columns.saturating_sub(4)).as_ref(), style)
    };
    if output.is_empty() {
        return Vec::new();
    }
    // One line more is not worth a line that says so.
    if total <= room.head + room.tail + 1 {
        return output.split('\n').map(show).collect();
    }
    let mut lines: Vec<Line> = output.split('\n').take(room.head).map(show).collect();
    let left = total - room.head - room.tail;
    lines.push(Line::of(&format!("    … {}", count(left as u64, "more line")), DIM));
    let tail: Vec<&str> = output.rsplit('\n').take(room.tail).collect();
    lines.extend(tail.into_iter().rev().map(show));
    lines
}

/// A line of output as a terminal would show it: without the codes that colour it, and what was written over gone.
fn printed(line: &str) -> Cow<'_, str> {
    // No screen is wider; the rest of a line without end is not worth looking at.
    let line = match line.char_indices().nth(10_000) {
        Some((at, _)) => &line[..at],
        None => line,
    };
    let line = line.trim_end_matches('\r');
    let line = line.rsplit('\r').next().unwrap_or(line);
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1 + code_length(&rest[at + 1..])..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// How many bytes behind an escape belong to it.
fn code_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'[') => {
            let end = bytes[1..].iter().position(|byte| !matches!(byte, b' '..=b'?'));
            end.map_or(text.len(), |at| at + 1 + usize::from(bytes[at + 1].is_ascii()))
        }
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let end = text.find(['\u{7}', '\u{1b}', '\u{9c}']);
            end.map_or(text.len(), |at| if bytes[at] == 7 { at + 1 } else { at })
        }
        Some(byte) if byte.is_ascii() => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_shown_without_their_codes() {
        for (line, shown) in [
            ("\u{1b}[1;32mok\u{1b}[0m done", "ok done"),
            ("10%\r20%\r100%\r", "100%"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}[2J\u{1b}[Hx", "x"),
            ("a\u{1b}", "a"),
            ("\u{1b}[é", "é"),
            ("\u{1b}(Bx", "Bx"),
        ] {
            assert_eq!(printed(line), shown, "{line:?}");
        }
    }

    #[test]
    fn a_long_output_has_its_beginning_and_end() {
        let output: String = (1..=200).map(|line| format!("{line}\n")).collect();
        let room = Room { head: 2, tail: 1 };
        let shown: Vec<_> =
            excerpt(&output, room, false, 40).iter().map(|line| line.text().to_owned()).collect();
        assert_eq!(shown, ["    1", "    2", "    … 197 more lines", "    200"]);
        assert_eq!(excerpt("1\n2\n3\n4", room, false, 40).len(), 4);
        assert!(excerpt("\n\n", room, false, 40).is_empty());
    }
}
