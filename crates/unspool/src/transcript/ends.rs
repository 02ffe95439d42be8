//! Whether an entry ends a turn.

use crate::json::Json;

/// Whether the main agent says nothing more after this entry, as far as the entry tells: its message stopped for another reason than
/// a tool, or the user interrupted it. The events of a transcript tell it only when the next prompt or the end of the file shows that
/// it was so; who follows a file that still grows wants to know it now.
pub fn ends_turn(entry: &[u8]) -> bool {
    let text = String::from_utf8_lossy(entry);
    let Ok(json) = Json::new(crate::line::trim(&text)) else { return false };
    let string = |json: Json<'_>, name| json.get(name).and_then(Json::as_str).map(|text| text.to_string());
    if json.get("isSidechain").and_then(Json::as_bool) == Some(true) {
        return false;
    }
    let Some(message) = json.get("message") else { return false };
    match string(json, "type").as_deref() {
        Some("assistant") => string(message, "stop_reason")
            .is_some_and(|reason| !matches!(&*reason, "tool_use" | "pause_turn")),
        Some("user") => {
            let content = message.get("content");
            let blocks = content.into_iter().flat_map(Json::items).filter_map(|block| string(block, "text"));
            let whole = content.and_then(Json::as_str).map(|text| text.to_string());
            blocks.chain(whole).any(|text| text.starts_with("[Request interrupted by user"))
        }
        _ => false,
    }
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
