//! Everything that is neither said nor done: a line each.

use super::line::Line;
use super::style::{BAD, BOLD, DIM, GOOD, PLAIN, WARN, over};
use super::wrap::{cut, tidy_line, wrap};
use crate::words::{count, duration, tokens};
use anstyle::Style;
use jiff::tz::TimeZone;
use unspool::event::{Raw, What};
use unspool::json::Json;

/// A mark, and words.
#[derive(Debug)]
pub(super) struct Notice {
    mark: &'static str,
    style: Style,
    words: String,
    words_style: Style,
}

impl Notice {
    fn dim(mark: &'static str, words: impl Into<String>) -> Option<Self> {
        Some(Notice { mark, style: DIM, words: words.into(), words_style: DIM })
    }

    fn warning(mark: &'static str, words: impl Into<String>) -> Option<Self> {
        Some(Notice { mark, style: over(WARN, BOLD), words: words.into(), words_style: WARN })
    }

    fn bad(words: impl Into<String>) -> Option<Self> {
        Some(Notice { mark: "✗", style: BAD, words: words.into(), words_style: BAD })
    }

    /// What a line of the stream says to people; nothing for what only programs want to know. `known` tells agents,
    /// which speak for themselves, from other tasks.
    pub(super) fn of(what: &What<'_>, zone: &TimeZone, known: impl Fn(&str) -> bool) -> Option<Notice> {
        match what {
            What::ApiRetry { data, .. } => retry(data.json()),
            What::RateLimit { data, .. } => limit(data.json(), zone),
            What::Compaction { data, .. } => compaction(data.json()),
            What::Hook { kind, data } => hook(kind, data.json()),
            What::Task { kind, data } => task(kind, data.json(), known),
            What::Notice { kind, data } => other(kind, data),
            What::Unknown { raw } => {
                let raw = raw.as_ref().map(|raw| raw.json().compact()).unwrap_or_default();
                Notice::dim("?", format!("unknown line: {raw}"))
            }
            What::Malformed { reason, text, bytes } => {
                let size =
                    if *bytes as usize > text.len() { format!(", {bytes} bytes") } else { String::new() };
                Notice::warning("!", format!("not a JSON object ({reason}{size}): {text}"))
            }
            _ => None,
        }
    }

    /// The line. What must not be overlooked may take more than one.
    pub(super) fn lines(&self, columns: usize) -> Vec<Line> {
        let words = tidy_line(&self.words.chars().take(2000).collect::<String>());
        let room = columns.saturating_sub(2);
        let words = if self.style == BAD { words } else { cut(&words, room).into_owned() };
        let mark = |at| Line::of(if at == 0 { self.mark } else { " " }, self.style).with(" ", PLAIN);
        let rows = wrap(Line::of(&words, self.words_style), room).into_iter().enumerate();
        rows.map(|(at, row)| mark(at).joined(&row)).collect()
    }
}

fn retry(data: Json<'_>) -> Option<Notice> {
    let number = |field| data.get(field).and_then(Json::as_u64);
    let attempt = match (number("attempt"), number("max_retries")) {
        (Some(attempt), Some(most)) => format!(" {attempt} of {most}"),
        _ => String::new(),
    };
    let delay = data.get("retry_delay_ms").and_then(Json::as_f64);
    let delay = delay.map(|ms| format!(" in {}", duration(ms.max(0.0) as u64))).unwrap_or_default();
    let status = number("error_status").map(|status| format!(" ({status})")).unwrap_or_default();
    Notice::warning("↻", format!("retry{attempt}{delay}: {}{status}", text(data, "error")))
}

fn limit(data: Json<'_>, zone: &TimeZone) -> Option<Notice> {
    let info = data.get("rate_limit_info")?;
    let kind = text(info, "rateLimitType").replace('_', " ");
    let mut words = if kind.is_empty() { "rate limit".to_owned() } else { format!("{kind} limit") };
    match text(info, "status").as_str() {
        "rejected" => words += " reached",
        "allowed_warning" => words += " nearly reached",
        _ => {}
    }
    if let Some(used) = info.get("utilization").and_then(Json::as_f64) {
        words += &format!(", {:.0} % used", used * 100.0);
    }
    if let Some(when) = info.get("resetsAt").and_then(Json::as_u64).and_then(|at| moment(at, zone)) {
        words += &format!(", resets {when}");
    }
    match text(info, "status").as_str() {
        "rejected" => Notice::bad(words),
        "allowed_warning" => Notice::warning("◷", words),
        _ => Notice::dim("◷", words),
    }
}

/// `Nov 15, 14:30`, in the time zone of whoever reads it.
fn moment(seconds: u64, zone: &TimeZone) -> Option<String> {
    let time = jiff::Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
    Some(time.to_zoned(zone.clone()).strftime("%b %-d, %H:%M").to_string())
}

fn compaction(data: Json<'_>) -> Option<Notice> {
    let Some(about) = data.get("compact_metadata") else {
        return Notice::dim("⇣", "conversation compacted");
    };
    let number = |field| about.get(field).and_then(Json::as_u64).map(tokens);
    let sizes = match (number("pre_tokens"), number("post_tokens")) {
        (Some(before), Some(after)) => format!(", {before} to {after} tokens"),
        (Some(before), None) => format!(", from {before} tokens"),
        _ => String::new(),
    };
    let trigger = text(about, "trigger");
    let trigger = if trigger.is_empty() { trigger } else { format!(" ({trigger})") };
    Some(Notice {
        mark: "⇣",
        style: BOLD,
        words: format!("conversation compacted{trigger}{sizes}"),
        words_style: PLAIN,
    })
}

fn hook(kind: &str, data: Json<'_>) -> Option<Notice> {
    match kind {
        "hook_response" => {
            let name = first(data, &["hook_name", "hook_event"]);
            let outcome = text(data, "outcome");
            let said = first(data, &["stderr", "stdout", "output"]);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            match outcome.as_str() {
                "success" | "" => Notice::dim("⚑", format!("hook {name}{said}")),
                _ => Notice::bad(format!("hook {name} {outcome}{said}")),
            }
        }
        "hook_callback" => {
            let input = data.get("request").and_then(|request| request.get("input")).unwrap_or(Json::NULL);
            Notice::dim("⚑", format!("hook {} {}", text(input, "hook_event_name"), text(input, "tool_name")))
        }
        // It began: what it came to is told next.
        _ => None,
    }
}

fn task(kind: &str, data: Json<'_>, is_agent: impl Fn(&str) -> bool) -> Option<Notice> {
    if is_agent(&text(data, "tool_use_id")) {
        return None;
    }
    match kind {
        "task_started" => {
            let words = first(data, &["description", "task_type", "task_id"]);
            Notice::dim("◌", format!("background task: {words}"))
        }
        "task_notification" => {
            let words = first(data, &["summary", "task_id"]);
            let status = text(data, "status");
            match status.as_str() {
                "completed" => Some(Notice { mark: "◌", style: GOOD, words, words_style: PLAIN }),
                "failed" => Notice::bad(format!("background task failed: {words}")),
                _ => Notice::warning("◌", format!("{status}: {words}")),
            }
        }
        _ => None,
    }
}

fn other(kind: &str, raw: &Raw<'_>) -> Option<Notice> {
    let data = raw.json();
    match kind {
        // Talk between programs, and what the status line tells.
        "keep_alive"
        | "thinking_tokens"
        | "mcp_message"
        | "control_request_progress"
        | "ui_invalidate"
        | "autocompact_state"
        | "active_goal" => None,
        "control_response" => {
            let response = data.get("response")?;
            let failed = text(response, "subtype") == "error";
            failed.then(|| Notice::dim("·", format!("request refused: {}", text(response, "error"))))?
        }
        "control_cancel_request" => Notice::dim("·", "a question was withdrawn"),
        "permission_denied" => {
            Notice::bad(format!("{} denied: {}", text(data, "tool_name"), text(data, "message")))
        }
        "informational" | "notification" => {
            let words = first(data, &["content", "text"]);
            match text(data, "level").as_str() {
                "error" => Notice::bad(words),
                "warning" | "warn" => Notice::warning("!", words),
                _ => Notice::dim("ℹ", words),
            }
        }
        "model_fallback" => {
            let words = text(data, "content");
            let plain = || {
                format!(
                    "{} is used instead of {}",
                    text(data, "fallback_model"),
                    text(data, "original_model")
                )
            };
            Notice::warning("!", if words.is_empty() { plain() } else { words })
        }
        "model_refusal_no_fallback" => {
            Notice::warning("!", format!("{} refused", text(data, "original_model")))
        }
        "error" => {
            let error = data.get("event").and_then(|event| event.get("error")).unwrap_or(data);
            Notice::bad(format!("stream error: {}", first(error, &["message", "type"])))
        }
        "session_title_changed" => Notice::dim("·", format!("title: {}", text(data, "title"))),
        "prompt_suggestion" => Notice::dim("·", format!("next, perhaps: {}", text(data, "suggestion"))),
        "conversation_reset" => Notice::dim("·", "conversation cleared"),
        _ => Notice::dim("·", format!("{kind} {}", raw.text())),
    }
}

/// A part of a message that is neither text nor thought nor call: what it is, in a few words.
pub(super) fn block(kind: Option<&str>, raw: Option<&Raw<'_>>) -> Notice {
    let data = raw.map(Raw::json).unwrap_or(Json::NULL);
    let words = match kind {
        Some("redacted_thinking") => "thinking, encrypted".to_owned(),
        Some("image" | "document") => {
            let source = data.get("source").unwrap_or(Json::NULL);
            let size =
                source.get("data").and_then(Json::as_str).map_or(0, |data| data.raw().map_or(0, str::len));
            format!("{} {}, {}", kind.unwrap_or_default(), text(source, "media_type"), bytes(size * 3 / 4))
        }
        Some("web_search_tool_result") => match data.get("content").map(|content| content.items().count()) {
            Some(found) if found > 0 => count(found as u64, "result"),
            _ => format!("search failed: {}", data.get("content").map(|it| it.compact()).unwrap_or_default()),
        },
        _ => {
            let raw = raw.map(|raw| raw.json().compact()).unwrap_or_default();
            format!("{}: {raw}", kind.unwrap_or("part of no type"))
        }
    };
    Notice { mark: "◇", style: DIM, words, words_style: DIM }
}

fn bytes(size: usize) -> String {
    if size < 1024 { count(size as u64, "byte") } else { format!("{} kB", size / 1024) }
}

fn text(data: Json<'_>, field: &str) -> String {
    data.get(field).and_then(Json::as_str).map(|text| text.to_string()).unwrap_or_default()
}

fn first(data: Json<'_>, fields: &[&str]) -> String {
    let found = fields.iter().map(|field| text(data, field)).find(|text| !text.trim().is_empty());
    found.unwrap_or_default().trim().to_owned()
}
