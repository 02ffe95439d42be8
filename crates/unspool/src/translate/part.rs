//! A part of a message, as a line shows it, and what is remembered of it.

use crate::digest::Digest;
use crate::json::{Cursor, Json, Str};
use crate::wire::{Block, Blocks, Content, Found, ToolResult, ToolUse, Wire};
use std::borrow::Cow;

/// A part as a line shows it.
#[derive(Clone, Debug)]
pub(super) enum Part<'l> {
    Text { words: Cow<'l, str>, citations: Option<Json<'l>> },
    Thinking { words: Cow<'l, str>, signature: Option<Str<'l>> },
    Call(ToolUse<'l>),
    Answer(ToolResult<'l>),
    Other { kind: Option<Str<'l>>, raw: Json<'l> },
}

/// What is remembered of a part: enough to know it again, and to see that it has grown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Mark {
    kind: u8,
    /// The first bytes of the words: most texts differ here already.
    head: u64,
    digest: Digest,
}

impl<'l> Part<'l> {
    /// The parts of a message that have something in them, and how many blocks there are with the others.
    pub(super) fn all(content: Option<Content<'l>>) -> (Vec<(Part<'l>, Mark)>, usize) {
        let mut blocks = 0;
        let mut parts = Vec::new();
        let mut take = |part: Option<Part<'l>>| {
            blocks += 1;
            if let Some(part) = part {
                let mark = part.mark();
                parts.push((part, mark));
            }
        };
        match content {
            None => {}
            Some(Content::Text(text)) => take(Part::text(text, None)),
            Some(Content::Odd(json)) => take(Part::of(json)),
            Some(Content::Blocks(list)) => each(list, |block, json| take(Part::read(block, json))),
        }
        (parts, blocks)
    }

    /// The parts of a user line; texts with nothing in them too.
    pub(super) fn of_user(content: Content<'l>) -> Vec<Part<'l>> {
        let text = |words: Str<'l>| Part::Text { words: words.decode(), citations: None };
        let part = |block: Option<Block<'l>>, json: &dyn Fn() -> Json<'l>| match block {
            Some(Block::Text(block)) if block.text.is_some() => block.text.map(text),
            other => Part::read(other, json),
        };
        let mut parts = Vec::new();
        match content {
            Content::Text(words) => parts.push(text(words)),
            Content::Blocks(list) => each(list, |block, json| parts.extend(part(block, json))),
            Content::Odd(json) => parts.extend(part(Block::of(json), &|| json)),
        }
        parts
    }

    fn of(json: Json<'l>) -> Option<Part<'l>> {
        Part::read(Block::of(json), &|| json)
    }

    /// The part that stands there, unless there is nothing in it. `json` finds its text, which few need.
    fn read(block: Option<Block<'l>>, json: &dyn Fn() -> Json<'l>) -> Option<Part<'l>> {
        let other = || {
            let raw = json();
            Some(Part::Other { kind: raw.get("type").and_then(Json::as_str), raw })
        };
        match block {
            Some(Block::Text(text)) => match text.text {
                Some(words) => Part::text(words, text.citations.map(|citations| citations.json())),
                None if text.extra.get("text").is_some() => other(),
                None => None,
            },
            Some(Block::Thinking(thinking)) => match thinking.thinking.or(thinking.text) {
                Some(words) if words.is_empty() => None,
                Some(words) => Some(Part::Thinking { words: words.decode(), signature: thinking.signature }),
                None if thinking.extra.is_empty() => None,
                None => other(),
            },
            Some(Block::ToolUse(call)) => Some(Part::Call(call)),
            Some(Block::ToolResult(answer)) => Some(Part::Answer(answer)),
            Some(_) | None => other(),
        }
    }

    fn text(words: Str<'l>, citations: Option<Json<'l>>) -> Option<Part<'l>> {
        let citations = citations.filter(|citations| citations.items().next().is_some());
        (!words.is_empty()).then(|| Part::Text { words: words.decode(), citations })
    }

    /// The words of a text or a thought.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            Part::Text { words, .. } | Part::Thinking { words, .. } => Some(words),
            Part::Call(_) | Part::Answer(_) | Part::Other { .. } => None,
        }
    }

    /// Whether it is what a local command printed, not what a person said.
    pub(super) fn is_command_output(&self) -> bool {
        self.words().is_some_and(|words| words.starts_with("<local-command-"))
    }

    /// What is remembered of it. A call is known by its id, where it has one.
    pub(super) fn mark(&self) -> Mark {
        let (kind, digest) = match self {
            Part::Text { words, .. } => (0, Digest::of(words)),
            Part::Thinking { words, .. } => (1, Digest::of(words)),
            Part::Call(ToolUse { id: Some(id), .. }) => (CALL, Digest::of(&id.decode())),
            Part::Call(call) => {
                let mut digest = Digest::of(&call.name.unwrap_or_default().decode());
                digest.push(call.input.map_or("", Json::text));
                (3, digest)
            }
            Part::Answer(answer) => {
                let mut digest = Digest::of(&answer.tool_use_id.unwrap_or_default().decode());
                digest.push(answer.content.map_or("", Json::text));
                (4, digest)
            }
            Part::Other { raw, .. } => (5, Digest::of(raw.text())),
        };
        Mark { kind, head: self.words().map_or(0, |words| head(words, words.len())), digest }
    }
}

/// The kind of a call with an id.
const CALL: u8 = 2;

impl Mark {
    pub(super) fn hash(&self) -> u64 {
        self.digest.hash() ^ u64::from(self.kind)
    }

    /// Whether it is a call with an id.
    pub(super) fn is_call(&self) -> bool {
        self.kind == CALL
    }

    /// What has been added, if the part is this one grown.
    pub(super) fn rest_of<'p>(&self, part: &'p Part<'_>, mark: &Mark) -> Option<&'p str> {
        if self.kind != mark.kind || self.digest.length() >= mark.digest.length() {
            return None;
        }
        let words = part.words()?;
        let length = usize::try_from(self.digest.length()).ok()?;
        if self.head != head(words, length) { None } else { self.digest.rest_of(words) }
    }
}

/// Reads the blocks of a list: each block, if it is an object, and how to find its text.
fn each<'l>(list: Blocks<'l>, mut take: impl FnMut(Option<Block<'l>>, &dyn Fn() -> Json<'l>)) {
    if let Some(only) = list.only() {
        return take(Some(only), &|| list.json().items().next().unwrap_or(Json::NULL));
    }
    let mut cursor = Cursor::checked(list.json().text());
    // The list was checked: it cannot end early.
    let _ = cursor.array(|cursor| {
        cursor.peek();
        let start = cursor.at();
        let block = match Block::read(cursor)? {
            Found::Fits(block) => Some(block),
            Found::Null | Found::Odd => None,
        };
        let json = cursor.since(start);
        take(block, &|| json);
        Ok(())
    });
}

/// The first eight bytes of the first `length` bytes of a text.
fn head(words: &str, length: usize) -> u64 {
    let bytes = words.as_bytes();
    bytes[..length.min(8).min(bytes.len())].iter().fold(0, |head, &byte| head << 8 | u64::from(byte))
}
