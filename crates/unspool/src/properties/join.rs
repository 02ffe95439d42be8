//! Brings both grains to one form: whole parts, and all else as it was told.

use crate::event::{Event, PartKind, What};
use std::collections::BTreeMap;

/// The events of blocks grain.
pub(super) fn blocks(events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    events.into_iter().map(without_number).collect()
}

/// The events of deltas grain, joined to parts. Each part stands where it was closed.
pub(super) fn deltas(events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let mut open = BTreeMap::new();
    events.into_iter().filter_map(|event| step(&mut open, event)).map(without_number).collect()
}

/// A part by its agent, its message, its rank and its kind: messages without id share their ranks.
type Key = (String, Option<String>, u64, PartKind);

/// What has come of a part, and whether it is synthetic.
type Open = BTreeMap<Key, (String, Option<bool>)>;

fn step(open: &mut Open, mut event: Event<'static>) -> Option<Event<'static>> {
    let key = key(&event).map(|key| known(open, key));
    event.what = match event.what {
        What::TextDelta { content, synthetic, more: None }
        | What::ThinkingDelta { content, synthetic, more: None } => {
            let part = open.entry(key?).or_insert((String::new(), synthetic));
            part.0.push_str(&content);
            return None;
        }
        What::ToolInputDelta { content, .. } => {
            open.entry(key?).or_default().0.push_str(&content);
            return None;
        }
        What::TextDelta { content, synthetic, more } => {
            What::Text { content, abandoned: None, synthetic, more, citations: None }
        }
        What::ThinkingDelta { content, synthetic, more } => {
            What::Thinking { content, abandoned: None, synthetic, more, signature: None }
        }
        What::BlockEnd { kind, abandoned, signature, citations } => {
            let key = key?;
            let part = open.remove(&key);
            let abandoned = abandoned.then_some(true);
            match (kind, part) {
                (PartKind::ToolUse, _) => return None,
                (kind, None) => panic!("a {kind} is closed that is not open: {key:?}"),
                (PartKind::Text, Some((words, synthetic))) => {
                    What::Text { content: words.into(), abandoned, synthetic, more: None, citations }
                }
                (PartKind::Thinking, Some((words, synthetic))) => {
                    What::Thinking { content: words.into(), abandoned, synthetic, more: None, signature }
                }
            }
        }
        What::Finished { .. } => {
            assert!(open.is_empty(), "never closed: {open:?}");
            event.what
        }
        _ if is_of_deltas(&event) => return None,
        What::Text { .. } | What::Thinking { .. } => panic!("a whole part in deltas grain: {event}"),
        other => other,
    };
    Some(event)
}

/// Whether it says that something goes on, which streams tell in deltas grain alone.
pub(super) fn is_of_deltas(event: &Event<'_>) -> bool {
    matches!(&event.what, What::Notice { kind, .. } if kind == "thinking_tokens" || kind == "keep_alive")
}

/// Where the start of a message was not heard, its id comes in the middle of a part.
fn known(open: &Open, key: Key) -> Key {
    let nameless = (key.0.clone(), None, key.2, key.3);
    if !open.contains_key(&key) && open.contains_key(&nameless) { nameless } else { key }
}

fn key(event: &Event<'_>) -> Option<Key> {
    let kind = match &event.what {
        What::TextDelta { .. } => PartKind::Text,
        What::ThinkingDelta { .. } => PartKind::Thinking,
        What::ToolInputDelta { .. } => PartKind::ToolUse,
        What::BlockEnd { kind, .. } => *kind,
        _ => return None,
    };
    let place = event.place.as_ref()?;
    let message = place.message.as_deref().map(str::to_owned);
    Some((event.agent.as_str().to_owned(), message, place.part, kind))
}

fn without_number(mut event: Event<'static>) -> Event<'static> {
    event.seq = 0;
    event
}
