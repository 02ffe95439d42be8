//! Stands in for Claude Code and answers at once, so that what is left of a turn's time is the client's own.
//!
//! It says what every client needs to take a turn for one: `init`, an answer, a result, a write each.

use serde_json::{Value, json};
use std::io::{BufRead, Write};

const SESSION: &str = "5e55101d-0000-4000-8000-000000000000";

fn main() -> anyhow::Result<()> {
    if std::env::args().any(|word| word == "-v" || word == "--version") {
        println!("2.1.325 (Claude Code)");
        return Ok(());
    }
    let mut turns = 0;
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line?)?;
        match line["type"].as_str() {
            Some("control_request") => say(&json!({"type": "control_response", "response": {
                "subtype": "success",
                "request_id": line["request_id"],
                "response": {"commands": [], "agents": [], "models": [], "account": {}},
            }}))?,
            Some("user") => {
                turns += 1;
                answer(turns)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn answer(turn: u32) -> anyhow::Result<()> {
    let usage = json!({"input_tokens": 9, "output_tokens": 2});
    say(&json!({
        "type": "system", "subtype": "init", "session_id": SESSION, "cwd": "/", "model": "claude-opus-5-5",
        "tools": ["Bash", "Edit", "Read", "Write"], "mcp_servers": [], "permissionMode": "bypassPermissions",
    }))?;
    say(&json!({
        "type": "assistant", "session_id": SESSION, "parent_tool_use_id": null,
        "message": {
            "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "model": "claude-opus-5-5", "usage": usage,
            "content": [{"type": "text", "text": "Hello!"}],
        },
    }))?;
    say(&json!({
        "type": "result", "subtype": "success", "is_error": false, "result": "Hello!", "session_id": SESSION,
        "duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "total_cost_usd": 0.01, "usage": usage,
    }))
}

fn say(line: &Value) -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(format!("{line}\n").as_bytes())?)
}
