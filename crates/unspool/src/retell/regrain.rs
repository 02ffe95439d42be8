//! Events in the other grain: pieces joined to parts, or parts told as one piece.

use crate::event::{Event, PartKind, Raw, What, Words};
use crate::translate::Grain;
use crate::wire::{Kind, SystemKind};
use std::collections::BTreeMap;

/// Brings events of either grain into one.
#[derive(Debug)]
pub(crate) struct Regrain {
    grain: Grain,
    open: BTreeMap<Key, Open>,
    /// The call that was closed last: it was told in pieces.
    closed: Option<Key>,
    /// A part was written whole, and told as one piece.
    split: bool,
}

/// A part by its agent, its message, its rank and its kind: messages without id share their ranks.
type Key = (String, Option<String>, u64, PartKind);

/// What has come of a part.
#[derive(Debug)]
struct Open {
    words: String,
    synthetic: Option<bool>,
}

impl Regrain {
    pub(crate) fn new(grain: Grain) -> Self {
        Regrain { grain, open: BTreeMap::new(), closed: None, split: false }
    }

    /// Takes an event; hands on what it is in the wanted grain.
    pub(crate) fn step(&mut self, event: Event<'static>, sink: &mut dyn FnMut(Event<'static>)) {
        match self.grain {
            Grain::Blocks => self.join(event).into_iter().for_each(sink),
            Grain::Deltas => self.split(event, sink),
        }
    }

    /// Whether a part has begun and was not closed.
    pub(crate) fn is_amid_a_part(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether a part that was written whole was told as one piece.
    pub(crate) fn has_split(&self) -> bool {
        self.split
    }

    /// Each part stands where it was closed.
    fn join(&mut self, mut event: Event<'static>) -> Option<Event<'static>> {
        let key = key(&event).map(|key| self.known(key));
        event.what = match event.what {
            What::TextDelta { content, synthetic, more: None }
            | What::ThinkingDelta { content, synthetic, more: None } => {
                let open = self.open.entry(key?).or_insert(Open { words: String::new(), synthetic });
                open.words.push_str(&content);
                return None;
            }
            What::ToolInputDelta { .. } | What::BlockEnd { kind: PartKind::ToolUse, .. } => return None,
            What::TextDelta { content, synthetic, more } => {
                What::Text { content, abandoned: None, synthetic, more, citations: None }
            }
            What::ThinkingDelta { content, synthetic, more } => {
                What::Thinking { content, abandoned: None, synthetic, more, signature: None }
            }
            What::BlockEnd { kind, abandoned, signature, citations } => {
                let Open { words, synthetic } = self.open.remove(&key?)?;
                let (content, abandoned, more) = (Words::Owned(words), abandoned.then_some(true), None);
                match kind {
                    PartKind::Thinking => What::Thinking { content, abandoned, synthetic, more, signature },
                    _ => What::Text { content, abandoned, synthetic, more, citations },
                }
            }
            What::Notice { .. } if is_of_deltas(&event) => return None,
            other => other,
        };
        Some(event)
    }

    /// Each part is told as one piece, and closed.
    fn split(&mut self, mut event: Event<'static>, sink: &mut dyn FnMut(Event<'static>)) {
        let key = key(&event);
        let what = std::mem::replace(&mut event.what, What::Unknown { raw: None });
        self.split |= match &what {
            What::Text { .. } | What::Thinking { .. } => true,
            What::ToolUse { .. } => key != self.closed,
            _ => false,
        };
        let mut tell = |what| sink(Event { what, ..event.clone() });
        match what {
            What::Text { content, synthetic, more, abandoned, citations } => {
                tell(What::TextDelta { content, synthetic, more });
                if more.is_none() {
                    tell(end(PartKind::Text, abandoned, None, citations));
                }
            }
            What::Thinking { content, synthetic, more, abandoned, signature } => {
                tell(What::ThinkingDelta { content, synthetic, more });
                if more.is_none() {
                    tell(end(PartKind::Thinking, abandoned, signature, None));
                }
            }
            What::ToolUse { id, name, input, abandoned, partial } => {
                if key != self.closed.take() {
                    let whole = || input.as_ref().map(|input| input.text().into());
                    if let Some(content) = partial.clone().or_else(whole) {
                        tell(What::ToolInputDelta { id: id.clone(), name: name.clone(), content });
                    }
                    tell(end(PartKind::ToolUse, abandoned, None, None));
                }
                tell(What::ToolUse { id, name, input, abandoned, partial });
            }
            What::BlockEnd { kind: PartKind::ToolUse, .. } => {
                self.closed = key;
                tell(what);
            }
            other => tell(other),
        }
    }

    /// Where the start of a message was not heard, its id comes in the middle of a part.
    fn known(&self, key: Key) -> Key {
        let nameless = (key.0.clone(), None, key.2, key.3);
        let is_nameless = !self.open.contains_key(&key) && self.open.contains_key(&nameless);
        if is_nameless { nameless } else { key }
    }
}

/// Whether it says that something goes on, which streams tell in deltas grain alone.
pub(crate) fn is_of_deltas(event: &Event<'_>) -> bool {
    matches!(event.what.line_kind(), Some(Kind::System(SystemKind::ThinkingTokens) | Kind::KeepAlive))
}

fn end(
    kind: PartKind,
    abandoned: Option<bool>,
    signature: Option<Words<'static>>,
    citations: Option<Raw<'static>>,
) -> What<'static> {
    What::BlockEnd { kind, abandoned: abandoned == Some(true), signature, citations }
}

fn key(event: &Event<'_>) -> Option<Key> {
    let kind = match &event.what {
        What::TextDelta { .. } => PartKind::Text,
        What::ThinkingDelta { .. } => PartKind::Thinking,
        What::ToolInputDelta { .. } | What::ToolUse { .. } => PartKind::ToolUse,
        What::BlockEnd { kind, .. } => *kind,
        _ => return None,
    };
    let place = event.place.as_ref()?;
    let message = place.message.as_deref().map(str::to_owned);
    Some((event.agent.as_str().to_owned(), message, place.part, kind))
}
