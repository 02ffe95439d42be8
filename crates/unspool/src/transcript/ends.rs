//! Whether an entry ends a turn.

use crate::json::{Json, Str};
use crate::wire::{Block, Content, EntryHead, StopReason, Wire};
use memchr::memmem::{find, find_iter};

/// How an entry begins that the user's interruption leaves.
pub(crate) const INTERRUPTED: &str = "[Request interrupted by user";

/// Whether the main agent says nothing more after this entry, as far as the entry tells: its message stopped for another reason than
/// a tool, or the user interrupted it. The events of a transcript tell it only when the next prompt or the end of the file shows that
/// it was so; who follows a file that still grows wants to know it now.
pub fn ends_turn(entry: &[u8]) -> bool {
    // Most of a transcript are calls of tools and their answers, which may be long.
    if !may_stop(entry) && find(entry, INTERRUPTED.as_bytes()).is_none() {
        return false;
    }
    let text = String::from_utf8_lossy(entry);
    let Some(head) = Json::new(crate::line::trim(&text)).ok().and_then(EntryHead::of) else { return false };
    let Some(message) = head.message.filter(|_| head.is_sidechain != Some(true)).map(|it| it.read()) else {
        return false;
    };
    let is_interruption = |text: Str<'_>| text.decode().starts_with(INTERRUPTED);
    if head.is_assistant() {
        return message
            .stop_reason
            .is_some_and(|reason| !matches!(reason, StopReason::ToolUse | StopReason::PauseTurn));
    }
    head.is_user()
        && match message.content {
            Some(Content::Text(text)) => is_interruption(text),
            Some(Content::Blocks(blocks)) => blocks.iter().any(|block| match block {
                Block::Text(text) => text.text.is_some_and(is_interruption),
                _ => false,
            }),
            _ => false,
        }
}

/// Whether a message may have stopped for good, by the letters of the entry alone.
fn may_stop(entry: &[u8]) -> bool {
    const KEY: &[u8] = br#""stop_reason""#;
    find_iter(entry, KEY).any(|at| {
        let value = entry[at + KEY.len()..].trim_ascii_start();
        let value = value.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        let goes_on = [&b"null"[..], br#""tool_use""#, br#""pause_turn""#];
        !value.is_some_and(|value| goes_on.iter().any(|reason| value.starts_with(reason)))
    })
}

#[cfg(test)]
mod tests {
    use super::ends_turn;

    #[test]
    fn a_message_that_wants_no_tool_ends_a_turn_and_so_does_an_interruption() {
        for (entry, ends) in [
            (r#"{"type":"assistant","message":{"stop_reason":"end_turn"}}"#, true),
            (r#"{"type":"assistant","message":{"stop_reason":"max_tokens"}}"#, true),
            (r#"{"type":"assistant","message":{"stop_reason":"tool_use"}}"#, false),
            (r#"{"type":"assistant","message":{"stop_reason":null}}"#, false),
            (r#"{"type":"assistant","message":{"stop_reason" : "refusal"}}"#, true),
            (r#"{"x":{"stop_reason":null},"type":"assistant","message":{"stop_reason":"end_turn"}}"#, true),
            (r#"{"x":{"stop_reason":"end_turn"},"type":"assistant","message":{"stop_reason":null}}"#, false),
            (r#"{"type":"assistant","isSidechain":true,"message":{"stop_reason":"end_turn"}}"#, false),
            (r#"{"type":"user","message":{"content":"2+2?"}}"#, false),
            (
                r#"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
                true,
            ),
            ("{", false),
        ] {
            assert_eq!(ends_turn(entry.as_bytes()), ends, "{entry}");
        }
    }
}
