//! What stands beside a bare stream of a line that was written to Claude Code: as much as events tell of it.
//!
//! Streams are shared. What travels beside the conversation (headers and environments of MCP servers, settings, prompts of
//! the system, what people fill into forms) stays out, whatever a newer Claude Code may be told.

use crate::json::Json;
use crate::wire::Kind;
use crate::wire::input::Draft;

/// A line that was written to Claude Code, without what no event tells of it. Nothing is kept of what is not JSON.
#[must_use]
pub fn kept(line: &str) -> String {
    let Ok(line) = Json::new(line.trim()) else { return String::new() };
    let kept = match Kind::last_of(line) {
        Kind::User => return line.text().to_owned(),
        Kind::ControlResponse => with(line, &["type"], &[("response", answer)]),
        _ => with(line, &["type", "request_id"], &[("request", request)]),
    };
    kept.json().text().to_owned()
}

/// Which command it is.
fn request(request: Json<'_>) -> Draft {
    with(request, &["subtype"], &[])
}

fn answer(answer: Json<'_>) -> Draft {
    with(answer, &["subtype", "request_id"], &[("response", decision)])
}

/// Whether a call may be, and with which input it was made.
fn decision(said: Json<'_>) -> Draft {
    with(said, &["behavior", "message", "updatedInput"], &[("hookSpecificOutput", of_hook)])
}

fn of_hook(output: Json<'_>) -> Draft {
    with(output, &["hookEventName", "permissionDecision"], &[])
}

/// What is kept of a value.
type Part = fn(Json<'_>) -> Draft;

/// Some fields of an object as they are, and others by what is kept of them.
fn with(object: Json<'_>, whole: &[&str], parts: &[(&str, Part)]) -> Draft {
    let values = whole.iter().filter_map(|name| Some((name, object.get(name)?)));
    let draft = values.fold(Draft::new(), |draft, (name, value)| draft.with(name, value));
    let parts = parts.iter().filter_map(|(name, part)| Some((name, part(object.get(name)?))));
    parts.fold(draft, |draft, (name, part)| draft.with(name, part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grain, Spool};

    const ASKS: &str = concat!(
        r#"{"type":"system","subtype":"init","session_id":"s"}"#,
        "\n",
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}}"#,
        "\n",
        r#"{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback","callback_id":"c","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"}},"tool_use_id":"u"}}"#,
        "\n",
        r#"{"type":"control_request","request_id":"e","request":{"subtype":"elicitation","mcp_server_name":"m","message":"Which key?"}}"#,
        "\n",
    );

    const TURN: &str = concat!(
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Hi."}]},"session_id":"s"}"#,
        "\n",
        r#"{"type":"result","subtype":"success","is_error":false,"result":"Hi.","session_id":"s"}"#,
        "\n",
    );

    /// What is told of a stream, with this line written before it and in the middle of it.
    fn told(wrote: &str) -> Vec<String> {
        let (mut spool, mut told) = (Spool::new(Grain::Blocks), Vec::new());
        for stream in [ASKS, TURN] {
            spool.wrote(wrote, |event| told.push(format!("{event:?}")));
            spool.feed(stream.as_bytes(), |event| told.push(format!("{event:?}")));
        }
        spool.finish(|event| told.push(format!("{event:?}")));
        told
    }

    fn command(request: &str) -> String {
        format!(r#"{{"type":"control_request","request_id":"c","request":{request}}}"#)
    }

    fn answers(id: &str, answer: &str) -> String {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{answer}}}}}"#
        )
    }

    #[test]
    fn secrets_are_not_kept_and_events_are_the_same() {
        for secret in [
            command(
                r#"{"subtype":"initialize","systemPrompt":"hunter2","agents":{"a":{"prompt":"hunter2"}}}"#,
            ),
            command(r#"{"subtype":"initialize","managedSettings":{"env":{"KEY":"hunter2"}},"x":"hunter2"}"#),
            command(
                r#"{"subtype":"mcp_set_servers","servers":{"m":{"headers":{"Authorization":"hunter2"}}}}"#,
            ),
            command(
                r#"{"subtype":"mcp_set_servers","servers":{"hunter2":{"command":"m","env":{"KEY":"hunter2"}}}}"#,
            ),
            command(r#"{"subtype":"apply_flag_settings","settings":{"apiKeyHelper":"echo hunter2"}}"#),
            command(r#"{"subtype":"of_a_newer_version","token":"hunter2"}"#),
            r#"{"type":"update_environment_variables","variables":{"KEY":"hunter2"}}"#.to_owned(),
            r#"{"type":"of_a_newer_version","token":"hunter2"}"#.to_owned(),
            answers("e", r#"{"action":"accept","content":{"key":"hunter2"}}"#),
            answers("x", r#"{"mcp_response":{"jsonrpc":"2.0","id":1,"result":{"key":"hunter2"}}}"#),
            answers("h", r#"{"hookSpecificOutput":{"permissionDecision":"deny","x":"hunter2"}}"#),
            answers("h", r#"{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":"hunter2"}}"#),
            answers("r", r#"{"behavior":"deny","x":"hunter2"}"#),
            answers("r", r#""hunter2""#),
            "hunter2, and no JSON".to_owned(),
        ] {
            let kept = kept(&secret);
            assert!(!kept.contains("hunter2"), "{kept}");
            assert_eq!(told(&kept), told(&secret));
        }
    }

    #[test]
    fn what_events_tell_is_kept() {
        let prompt = r#"{"type":"user","message":{"role":"user","content":"say zebra"},"uuid":"p"}"#;
        for (line, words) in [
            (prompt.to_owned(), "zebra"),
            (
                answers("r", r#"{"behavior":"allow","updatedInput":{ "command": "ls zebra" , "n":1.0}}"#),
                "zebra",
            ),
            (answers("r", r#"{"behavior":"allow","updatedInput":{}}"#), "Allow"),
            (answers("r", r#"{"behavior":"deny","message":"no"}"#), "Deny"),
            (answers("r", r#"{"behavior":"delegate"}"#), "Finished"),
            (
                r#"{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no"}}"#
                    .to_owned(),
                "Deny",
            ),
        ] {
            let events = told(&kept(&line));
            assert_eq!(events, told(&line), "{line}");
            assert!(events.iter().any(|event| event.contains(words)), "{line}: {events:#?}");
        }
    }
}
