//! A part of a message, as a line shows it, and what is remembered of it.

use crate::digest::Digest;
use crate::json::{Json, Str};
use crate::translate::read::content::{Answer, Held, Seen, ToolUseBlock};
use crate::translate::tell::decode;
use crate::wire::{Block, Wire};
use std::borrow::Cow;
use std::ops::Deref;

/// A part as a line shows it.
#[derive(Clone, Debug)]
pub(crate) enum Part<'l> {
    Text { words: Cow<'l, str>, citations: Option<Json<'l>> },
    Thinking { words: Cow<'l, str>, signature: Option<Str<'l>> },
    Call(ToolUseBlock<'l>),
    Answer(Answer<'l>),
    Other { kind: Option<Str<'l>>, raw: Json<'l> },
}

/// A few things, nearly always one.
#[derive(Debug)]
pub(crate) enum Few<T> {
    One([T; 1]),
    Many(Vec<T>),
}

impl<T> Few<T> {
    fn new() -> Self {
        Few::Many(Vec::new())
    }

    fn push(&mut self, item: T) {
        *self = match std::mem::replace(self, Few::new()) {
            Few::Many(items) if items.is_empty() => Few::One([item]),
            Few::Many(mut items) => {
                items.push(item);
                Few::Many(items)
            }
            Few::One([first]) => Few::Many(vec![first, item]),
        };
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Few::One(one) => one,
            Few::Many(items) => items,
        }
    }
}

/// What is remembered of a part: enough to know it again, and to see that it has grown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Mark {
    kind: u8,
    /// The first bytes of the words: most texts differ here already.
    head: u64,
    digest: Digest,
}

impl<'l> Part<'l> {
    /// The parts of a message that have something in them, and how many blocks there are with the others.
    ///
    /// The words of a message with one part are decoded into `scratch`.
    pub(crate) fn all(content: Option<Held<'l>>, scratch: &'l mut String) -> (Few<(Part<'l>, Mark)>, usize) {
        let mut blocks = 0;
        let mut parts = Few::new();
        if let Some(Held::One(Seen::Text { words, .. } | Seen::Thinking { words, .. })) = content
            && !words.is_empty()
        {
            let words = decode(words, scratch);
            let part = match content {
                Some(Held::One(Seen::Text { citations, .. })) => Part::said(words, citations),
                Some(Held::One(Seen::Thinking { signature, .. })) => Part::Thinking { words, signature },
                _ => return (parts, 1),
            };
            let mark = part.mark();
            parts.push((part, mark));
            return (parts, 1);
        }
        let mut take = |part: Option<Part<'l>>| {
            blocks += 1;
            if let Some(part) = part {
                let mark = part.mark();
                parts.push((part, mark));
            }
        };
        match content {
            None => {}
            Some(Held::Words(words)) => take(Part::text(words, None)),
            Some(Held::Odd(json)) => take(Part::of(json)),
            Some(Held::One(seen)) => take(Part::new(seen)),
            Some(Held::List(blocks)) => blocks.each(|seen| take(Part::new(seen))),
        }
        (parts, blocks)
    }

    /// The parts of a user line; texts with nothing in them too.
    pub(crate) fn of_user(content: Held<'l>) -> Few<Part<'l>> {
        let text = |words: Str<'l>| Part::Text { words: words.decode(), citations: None };
        let mut parts = Few::new();
        let mut take = |seen: Seen<'l>| {
            let part = match seen {
                Seen::Text { words, .. } => Some(text(words)),
                Seen::Any(json) => match Block::of(json) {
                    Some(Block::Text(block)) if block.text.is_some() => block.text.map(text),
                    _ => Part::of(json),
                },
                other => Part::new(other),
            };
            if let Some(part) = part {
                parts.push(part);
            }
        };
        match content {
            Held::Words(words) => take(Seen::Text { words, citations: None }),
            Held::One(seen) => take(seen),
            Held::List(blocks) => blocks.each(take),
            Held::Odd(json) => take(Seen::Any(json)),
        }
        parts
    }

    /// The part that was seen, unless there is nothing in it.
    fn new(seen: Seen<'l>) -> Option<Part<'l>> {
        match seen {
            Seen::Text { words, citations } => Part::text(words, citations),
            Seen::Thinking { words, signature } => Part::thought(words, signature),
            Seen::Call(call) => Some(Part::Call(call)),
            Seen::Answer(answer) => Some(Part::Answer(answer)),
            Seen::Any(json) => Part::of(json),
        }
    }

    /// The part of any block, unless there is nothing in it.
    fn of(raw: Json<'l>) -> Option<Part<'l>> {
        let other = || Some(Part::Other { kind: raw.get("type").and_then(Json::as_str), raw });
        match Block::of(raw) {
            Some(Block::Text(text)) => match text.text {
                Some(words) => Part::text(words, text.citations.map(|citations| citations.json())),
                None if text.extra.get("text").is_some() => other(),
                None => None,
            },
            Some(Block::Thinking(thinking)) => match thinking.thinking.or(thinking.text) {
                Some(words) => Part::thought(words, thinking.signature),
                None if thinking.extra.is_empty() => None,
                None => other(),
            },
            Some(Block::ToolUse(call)) => {
                Some(Part::Call(ToolUseBlock { id: call.id, name: call.name, input: call.input }))
            }
            Some(Block::ToolResult(answer)) => Some(Part::Answer(Answer {
                tool_use_id: answer.tool_use_id,
                content: answer.content,
                words: answer.content.and_then(Json::as_str),
                is_error: answer.is_error,
            })),
            Some(_) | None => other(),
        }
    }

    fn text(words: Str<'l>, citations: Option<Json<'l>>) -> Option<Part<'l>> {
        (!words.is_empty()).then(|| Part::said(words.decode(), citations))
    }

    fn said(words: Cow<'l, str>, citations: Option<Json<'l>>) -> Part<'l> {
        Part::Text { words, citations: citations.filter(|citations| !citations.is_empty()) }
    }

    fn thought(words: Str<'l>, signature: Option<Str<'l>>) -> Option<Part<'l>> {
        (!words.is_empty()).then(|| Part::Thinking { words: words.decode(), signature })
    }

    /// The words of a text or a thought.
    pub(crate) fn words(&self) -> Option<&str> {
        match self {
            Part::Text { words, .. } | Part::Thinking { words, .. } => Some(words),
            Part::Call(_) | Part::Answer(_) | Part::Other { .. } => None,
        }
    }

    /// Whether it is what a local command printed, not what a person said.
    pub(crate) fn is_command_output(&self) -> bool {
        self.words().is_some_and(|words| words.starts_with("<local-command-"))
    }

    /// What is remembered of it. A call is known by its id, where it has one.
    pub(crate) fn mark(&self) -> Mark {
        let (kind, digest) = match self {
            Part::Text { words, .. } => (0, Digest::of(words)),
            Part::Thinking { words, .. } => (1, Digest::of(words)),
            Part::Call(ToolUseBlock { id: Some(id), .. }) => (CALL, Digest::of(&id.decode())),
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
    pub(crate) fn hash(&self) -> u64 {
        self.digest.hash() ^ u64::from(self.kind)
    }

    /// The digest of the words of a text or a thought.
    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether it is a call with an id.
    pub(crate) fn is_call(&self) -> bool {
        self.kind == CALL
    }

    /// What has been added, if the part is this one grown.
    pub(crate) fn rest_of<'p>(&self, part: &'p Part<'_>, mark: &Mark) -> Option<&'p str> {
        if self.kind != mark.kind || self.digest.length() >= mark.digest.length() {
            return None;
        }
        let words = part.words()?;
        let length = usize::try_from(self.digest.length()).ok()?;
        if self.head != head(words, length) { None } else { self.digest.rest_of(words) }
    }
}

/// The first eight bytes of the first `length` bytes of a text.
fn head(words: &str, length: usize) -> u64 {
    let bytes = words.as_bytes();
    bytes[..length.min(8).min(bytes.len())].iter().fold(0, |head, &byte| head << 8 | u64::from(byte))
}
