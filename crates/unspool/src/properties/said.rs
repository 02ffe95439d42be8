//! What the lines of a stream say, read simply and by another reader, to be looked for in what is told.

use crate::event::{Event, What};
use crate::line::{Line, Lines};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a line may add nothing: it repeats, streams, is empty, or is told in deltas grain only.
pub(super) fn may_be_silent(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let Ok(line) = serde_json::from_str::<Value>(text) else {
        // Half characters or great depth: any kind of line may have them.
        return crate::json::Json::new(text).is_ok();
    };
    match (line["type"].as_str(), line["subtype"].as_str(), line["role"].as_str()) {
        (Some("assistant"), ..) => {
            line["message"].is_object() || line["message"].is_null() && line["content"].is_null()
        }
        (Some("user"), ..) => line["message"].is_object(),
        (Some("stream_event"), ..) => line["event"].is_object(),
        (Some("keep_alive"), ..) => true,
        (Some("system"), Some("thinking_tokens"), _) => true,
        (None | Some("message"), _, Some("assistant" | "user")) => line.is_object(),
        _ => false,
    }
}

/// The lines, numbered. What is in none of them is white space, or holds a list together.
pub(super) fn lines(bytes: &[u8]) -> Vec<(u64, String)> {
    let (mut lines, mut found) = (Vec::new(), [0_u64; 256]);
    let mut cutter = Lines::default();
    let mut take = |line: Line<'_>| {
        count(line.bytes, &mut found);
        lines.push((line.number, line.text().into_owned()));
    };
    cutter.feed(bytes, |_| {}, &mut take);
    cutter.finish(take);
    let mut there = [0_u64; 256];
    count(bytes, &mut there);
    for byte in (0..=u8::MAX).filter(|byte| !byte.is_ascii_whitespace() && !b"[],\xef\xbb\xbf".contains(byte))
    {
        let (there, found) = (there[usize::from(byte)], found[usize::from(byte)]);
        assert_eq!(there, found, "so many {:?} there, and so many in lines", char::from(byte));
    }
    lines
}

fn count(bytes: &[u8], counts: &mut [u64; 256]) {
    bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
}

/// Looks for every part of every line that `serde_json` can read.
pub(super) fn parts_are_told(lines: &[(u64, String)], events: &[Event<'_>]) {
    let told = Told::of(events);
    for (number, text) in lines {
        let number = *number;
        let Ok(line) = serde_json::from_str::<Value>(text) else { continue };
        if told.unread.contains(&number) {
            continue;
        }
        let agent = line["parent_tool_use_id"].as_str().unwrap_or("main");
        let blocks = line["message"]["content"].as_array().into_iter().flatten();
        match line["type"].as_str() {
            Some("assistant") => {
                blocks.for_each(|block| told.has_said(number, agent, &line["message"], block))
            }
            Some("user") => blocks.for_each(|block| told.has_answered(number, block)),
            _ => {}
        }
    }
}

/// Texts with their ranks and all that was added to them.
type Ranked = Vec<(u64, String)>;

/// What was told, to be looked up.
#[derive(Default)]
struct Told<'e> {
    /// Texts and thoughts, by agent and message.
    words: BTreeMap<(&'e str, Option<&'e str>), Ranked>,
    /// Agents of whom a message without id grew: no reader can say which one.
    grown: BTreeSet<&'e str>,
    calls: BTreeSet<&'e str>,
    blocks: BTreeSet<Option<&'e str>>,
    answers: BTreeSet<(Option<u64>, Option<&'e str>)>,
    user_texts: BTreeSet<(Option<u64>, &'e str)>,
    /// Lines that were not understood, and told as they are.
    unread: BTreeSet<u64>,
}

impl<'e> Told<'e> {
    fn of(events: &'e [Event<'_>]) -> Self {
        let mut told = Told::default();
        for event in events {
            match &event.what {
                What::Text { content, more, .. } | What::Thinking { content, more, .. } => {
                    let Some(place) = &event.place else { continue };
                    let key = (event.agent.as_str(), place.message.as_deref());
                    let parts = told.words.entry(key).or_default();
                    if place.message.is_none() && more.is_some() {
                        told.grown.insert(event.agent.as_str());
                    }
                    let grown = parts.iter_mut().rfind(|(rank, _)| more.is_some() && *rank == place.part);
                    match grown {
                        Some((_, words)) => words.push_str(content),
                        None => parts.push((place.part, content.to_string())),
                    }
                }
                What::ToolUse { id, .. } => told.calls.extend(id.as_deref()),
                What::ToolResult { id, .. } => drop(told.answers.insert((event.line, id.as_deref()))),
                What::UserText { content, .. } => drop(told.user_texts.insert((event.line, &**content))),
                What::Block { kind, .. } => drop(told.blocks.insert(kind.as_deref())),
                What::Unknown { .. } | What::Malformed { .. } => told.unread.extend(event.line),
                _ => {}
            }
        }
        told
    }

    fn has_said(&self, line: u64, agent: &str, message: &Value, block: &Value) {
        let id = message["id"].as_str().filter(|id| !id.is_empty());
        let parts = self.words.get(&(agent, id));
        let said = |words: &str| {
            words.is_empty()
                || (id.is_none() && self.grown.contains(agent))
                || parts.into_iter().flatten().any(|(_, part)| part.starts_with(words))
        };
        let fine = match (block["type"].as_str(), &block["text"], &block["thinking"], block["id"].as_str()) {
            (Some("text"), Value::String(words), ..) => said(words),
            (Some("text"), Value::Null, ..) => true,
            (Some("thinking"), _, Value::String(words), _) => said(words),
            (Some("thinking"), Value::String(words), Value::Null, _) => said(words),
            (Some("thinking"), ..) => true,
            (Some("tool_use"), .., Some(id)) => self.calls.contains(id),
            (Some("tool_use" | "tool_result"), ..) => true,
            (kind, ..) => self.blocks.contains(&kind),
        };
        assert!(fine, "line {line}: never told: {block}");
    }

    fn has_answered(&self, line: u64, block: &Value) {
        let fine = match block["type"].as_str() {
            Some("tool_result") => self.answers.contains(&(Some(line), block["tool_use_id"].as_str())),
            Some("text") => {
                block["text"].as_str().is_none_or(|words| self.user_texts.contains(&(Some(line), words)))
            }
            _ => true,
        };
        assert!(fine, "line {line}: never told: {block}");
    }
}
