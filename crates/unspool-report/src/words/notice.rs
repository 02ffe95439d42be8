//! What happens beside the conversation, in one line each.

use super::{clean_line, duration, one_line, tokens};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use unspool::event::{AgentStatus, Decision, Raw, What};
use unspool::json::Json;

/// A line about something that is neither said nor called.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    /// How much it matters.
    pub weight: Weight,
    /// What it is about: `retry`, `rate limit`, `hook`.
    pub about: String,
    /// The rest of the line; may be empty.
    pub words: String,
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Weight {
    /// Talk between programs, and what is told elsewhere.
    Program,
    /// For whoever wants to know everything.
    Faint,
    /// Worth a look.
    Plain,
    /// Something was delayed, changed or limited.
    Warning,
    /// Something failed, or was not allowed.
    Bad,
}

impl Notice {
    /// The line for a hook, a task, a status, a retry, a rate limit, a compaction, a permission, and any other notice.
    /// None for everything else. Cannot steer a terminal.
    pub fn of(what: &What<'_>, zone: &TimeZone) -> Option<Notice> {
        let (weight, about, words) = match what {
            What::Hook { kind, data } => hook(kind, &Data::of(data)),
            What::Task { kind, data } => task(kind, &Data::of(data)),
            What::Status { kind, data } => status(kind, &Data::of(data)),
            What::ApiRetry { data, .. } => retry(&Data::of(data)),
            What::RateLimit { data, .. } => rate_limit(&Data::of(data), zone),
            What::Compaction { data, .. } => compaction(&Data::of(data)),
            What::Notice { kind, data } => notice(kind, &Data::of(data), data),
            What::PermissionRequest { tool, input, .. } => {
                let call = super::Call::of(tool.as_deref(), input.as_ref());
                (Weight::Warning, "permission asked".into(), call.line())
            }
            What::PermissionResolved { decision, by, input, call, .. } => {
                let weight = match decision {
                    // The call says it.
                    _ if call.is_some() => Weight::Program,
                    Decision::Deny => Weight::Bad,
                    _ => Weight::Plain,
                };
                let words = match decision {
                    Decision::Allow => match input {
                        Some(input) => format!("allowed by {by}, with {}", excerpt(&input.text())),
                        None => format!("allowed by {by}"),
                    },
                    Decision::Deny => format!("denied by {by}"),
                    _ => format!("no longer asked ({by})"),
                };
                (weight, "permission".into(), words)
            }
            What::AgentEnd { status, duration_ms, .. } => {
                let weight = if *status == AgentStatus::Completed { Weight::Faint } else { Weight::Warning };
                let time = duration_ms.map(|ms| format!(" after {}", duration(ms))).unwrap_or_default();
                (weight, "agent".into(), format!("{status}{time}"))
            }
            _ => return None,
        };
        Some(Notice { weight, about: clean_line(about.trim()), words: one_line(&words) })
    }

    /// All of it as one line.
    pub fn line(&self) -> String {
        if self.words.is_empty() { self.about.clone() } else { format!("{}: {}", self.about, self.words) }
    }
}

type Told = (Weight, String, String);

fn hook(kind: &str, data: &Data<'_>) -> Told {
    let about = format!("hook {}", data.first(&["hook_name", "hook_event"]));
    match kind {
        "hook_response" => {
            let said = data.first(&["stderr", "stdout", "output"]);
            match &*data.text("outcome") {
                "success" | "" => (Weight::Faint, about, said),
                outcome => (Weight::Bad, format!("{about} {outcome}"), said),
            }
        }
        "hook_callback" => {
            let input = data.inside("request").inside("input");
            // It is a hook of whoever runs it: what it says is told where it matters.
            (Weight::Program, format!("hook {}", input.text("hook_event_name")), input.text("tool_name"))
        }
        // It began: what it came to is told next.
        _ => (Weight::Program, about, plain(kind)),
    }
}

fn task(kind: &str, data: &Data<'_>) -> Told {
    match kind {
        "task_started" => {
            (Weight::Faint, "background task".into(), data.first(&["description", "task_type", "task_id"]))
        }
        "task_notification" => {
            let status = data.text("status");
            let weight = match &*status {
                "completed" => Weight::Plain,
                "failed" => Weight::Bad,
                _ => Weight::Warning,
            };
            (weight, format!("background task {status}"), data.first(&["summary", "description", "task_id"]))
        }
        "background_tasks_changed" => {
            let tasks: Vec<String> =
                data.items("tasks").map(|task| task.first(&["description", "task_id"])).collect();
            let words = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
            (Weight::Program, "in the background".into(), words)
        }
        "tool_progress" => {
            let time = data.number("elapsed_time_seconds").map(|seconds| duration((seconds * 1e3) as u64));
            let words = format!("{} for {}", data.text("tool_name"), time.unwrap_or_else(|| "?".into()));
            (Weight::Program, "at work".into(), words)
        }
        "task_updated" => {
            let status = data.inside("patch").text("status");
            (Weight::Program, "task".into(), format!("{} {status}", data.text("task_id")))
        }
        _ => (Weight::Program, plain(kind), data.first(&["description", "summary", "task_id"])),
    }
}

fn status(kind: &str, data: &Data<'_>) -> Told {
    let state = data.first(&["status", "state"]);
    let mode = data.text("permissionMode");
    let words = [state, mode].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    (Weight::Program, plain(kind), words)
}

fn retry(data: &Data<'_>) -> Told {
    let attempt = match (data.number("attempt"), data.number("max_retries")) {
        (Some(attempt), Some(most)) => format!(" {attempt} of {most}"),
        _ => String::new(),
    };
    let status = data.number("error_status").map(|status| format!(" ({status})")).unwrap_or_default();
    // Older versions call an overload a rate limit.
    let error = if status == " (529)" { "overloaded".to_owned() } else { plain(&data.text("error")) };
    let why = format!("{error}{status}");
    let wait = data.number("retry_delay_ms").map(|ms| format!("again in {}", duration(ms.max(0.0) as u64)));
    let facts = [Some(why.trim().to_owned()), wait];
    let words = facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(", ");
    (Weight::Warning, format!("retry{attempt}"), words)
}

fn rate_limit(data: &Data<'_>, zone: &TimeZone) -> Told {
    let info = data.inside("rate_limit_info");
    let (weight, state) = match &*info.text("status") {
        "allowed" => (Weight::Faint, String::new()),
        "rejected" => (Weight::Bad, "reached".to_owned()),
        "allowed_warning" => (Weight::Warning, "nearly reached".to_owned()),
        other => (Weight::Warning, plain(other)),
    };
    let used = info.number("utilization").map(|share| format!("{:.0} % used", share * 100.0));
    let reset = info.number("resetsAt").and_then(|at| moment(at, zone)).map(|at| format!("resets {at}"));
    let facts = [Some(state), used, reset].into_iter().flatten().filter(|fact| !fact.is_empty());
    let kind = plain(&info.text("rateLimitType"));
    let about = if kind.is_empty() { "rate limit".to_owned() } else { format!("{kind} limit") };
    (weight, about, facts.collect::<Vec<_>>().join(", "))
}

/// `Nov 15, 14:30`; for readers anywhere with its zone.
fn moment(seconds: f64, zone: &TimeZone) -> Option<String> {
    let time = Timestamp::from_second(seconds as i64).ok()?.to_zoned(zone.clone());
    let form = if *zone == TimeZone::UTC { "%b %-d, %H:%M UTC" } else { "%b %-d, %H:%M" };
    Some(time.strftime(form).to_string())
}

fn compaction(data: &Data<'_>) -> Told {
    let about = data.inside("compact_metadata");
    let count = |field| about.number(field).map(|number| tokens(number as u64));
    let sizes = match (count("pre_tokens"), count("post_tokens")) {
        (Some(before), Some(after)) => format!("{before} to {after} tokens"),
        (Some(before), None) => format!("from {before} tokens"),
        _ => String::new(),
    };
    let facts = [about.text("trigger"), sizes].into_iter().filter(|fact| !fact.is_empty());
    (Weight::Plain, "conversation compacted".into(), facts.collect::<Vec<_>>().join(", "))
}

fn notice(kind: &str, data: &Data<'_>, raw: &Raw<'_>) -> Told {
    match kind {
        "keep_alive"
        | "thinking_tokens"
        | "mcp_message"
        | "control_request_progress"
        | "ui_invalidate"
        | "autocompact_state"
        | "active_goal" => (Weight::Program, plain(kind), excerpt(&raw.text())),
        "permission_denied" => {
            let why = data.first(&["message", "decision_reason"]);
            (Weight::Bad, format!("{} denied", data.text("tool_name")), why)
        }
        "informational" | "notification" => {
            let weight = match &*data.text("level") {
                "error" => Weight::Bad,
                "warning" | "warn" => Weight::Warning,
                _ => Weight::Plain,
            };
            (weight, "note".into(), data.first(&["content", "text"]))
        }
        "model_fallback" | "model_refusal_fallback" | "model_consent_fallback" => {
            let change = format!("{} to {}", data.text("original_model"), data.text("fallback_model"));
            let words = Some(data.text("content")).filter(|text| !text.is_empty()).unwrap_or(change);
            (Weight::Warning, "another model".into(), words)
        }
        "model_refusal_no_fallback" => {
            (Weight::Warning, "refused".into(), data.first(&["content", "original_model"]))
        }
        "error" => {
            let error = data.inside("event").inside("error");
            (Weight::Bad, "stream error".into(), error.first(&["message", "type"]))
        }
        "mirror_error" | "session_writes_lost" => {
            (Weight::Warning, plain(kind), data.first(&["error", "error_code"]))
        }
        "session_title_changed" => (Weight::Faint, "title".into(), data.text("title")),
        "local_command_output" => (Weight::Plain, "command".into(), data.text("content")),
        "prompt_suggestion" => (Weight::Faint, "next, perhaps".into(), data.text("suggestion")),
        "conversation_reset" => (Weight::Faint, "conversation cleared".into(), String::new()),
        "control_cancel_request" => (Weight::Faint, "a question was withdrawn".into(), String::new()),
        "control_response" => {
            let answer = data.inside("response");
            if answer.text("subtype") == "error" {
                (Weight::Faint, "request refused".into(), answer.text("error"))
            } else {
                (Weight::Program, "control answer".into(), answer.text("subtype"))
            }
        }
        "pr-link" => {
            let number = data.number("prNumber").map(|number| format!("#{number} ")).unwrap_or_default();
            (Weight::Plain, "pull request".into(), number + &data.first(&["prUrl", "prRepository"]))
        }
        "worktree-state" => {
            let words = data.inside("worktreeSession").first(&["worktreeName", "worktreePath"]);
            (Weight::Faint, "worktree".into(), if words.is_empty() { "none".into() } else { words })
        }
        "continued-in" => (Weight::Faint, "goes on in session".into(), data.text("continuedInSessionId")),
        "ended-by-model" => (Weight::Faint, "the model ended the session".into(), String::new()),
        "frame-link" => (Weight::Faint, "artifact".into(), data.first(&["title", "frameUrl", "path"])),
        "agents_killed" => (Weight::Warning, "all agents were stopped".into(), String::new()),
        "away_summary" => (Weight::Plain, "meanwhile".into(), data.text("content")),
        "memory_saved" => {
            let paths = data.inside("writtenPaths").0.into_iter().flat_map(Json::items);
            let paths = paths.filter_map(Json::as_str).map(|path| path.to_string());
            (Weight::Plain, "memory saved".into(), paths.collect::<Vec<_>>().join(", "))
        }
        "attachment" => attachment(&data.inside("attachment"), raw),
        _ if KEPT.contains(&kind) => (Weight::Program, plain(kind), excerpt(&raw.text())),
        _ => {
            let telling = ["content", "summary", "status", "detail", "title", "error", "reason", "message"];
            let words = data.first(&telling);
            let words = if words.is_empty() { excerpt(&raw.text()) } else { words };
            (Weight::Faint, plain(kind), words)
        }
    }
}

/// Entries that Claude Code keeps in transcripts for itself.
const KEPT: [&str; 36] = [
    "agent-color",
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "cost-state",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "file-history-delta",
    "file-history-snapshot",
    "file_snapshot",
    "fork-context-ref",
    "history-suppression",
    "isolation-latch",
    "last-prompt",
    "memory-mode",
    "mode",
    "observer-ref",
    "permission-mode",
    "queue-operation",
    "relocated",
    "repl-mode",
    "resume-head-vouch",
    "rewind_stand_in",
    "session-owner",
    "tag",
    "tools-used",
    "turn_duration",
];

/// What stands beside a prompt in a transcript: what the model is told of the surroundings, or what has happened.
fn attachment(about: &Data<'_>, raw: &Raw<'_>) -> Told {
    let kind = about.text("type");
    let weight = match &*kind {
        "max_turns_reached" => Weight::Warning,
        "queued_command"
        | "plan_mode"
        | "plan_mode_exit"
        | "hook_success"
        | "hook_deferred_tool"
        | "unknown_command_fallback"
        | "" => Weight::Faint,
        _ => Weight::Program,
    };
    let words = about.first(&["prompt", "content", "text", "message"]);
    let words = if words.is_empty() { excerpt(&raw.text()) } else { excerpt(&words) };
    (weight, plain(&kind), words)
}

/// The beginning of a text that may be long.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 120;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn plain(word: &str) -> String {
    word.replace(['_', '-'], " ")
}

/// The fields of a line.
struct Data<'a>(Option<Json<'a>>);

impl<'a> Data<'a> {
    fn of(raw: &'a Raw<'_>) -> Self {
        Data(Some(raw.json()))
    }

    fn inside(&self, field: &str) -> Data<'a> {
        Data(self.0.and_then(|json| json.get(field)))
    }

    fn items(&self, field: &str) -> impl Iterator<Item = Data<'a>> + use<'a> {
        self.inside(field).0.into_iter().flat_map(Json::items).map(|item| Data(Some(item)))
    }

    fn text(&self, field: &str) -> String {
        self.inside(field).0.and_then(Json::as_str).map(|text| text.to_string()).unwrap_or_default()
    }

    fn number(&self, field: &str) -> Option<f64> {
        self.inside(field).0.and_then(Json::as_f64)
    }

    fn first(&self, fields: &[&str]) -> String {
        fields.iter().map(|field| self.text(field)).find(|text| !text.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    #[track_caller]
    fn check(line: &str, weight: Weight, told: &str) {
        let events = Spool::read(Grain::Blocks, line.as_bytes());
        let notices = events.iter().filter_map(|event| Notice::of(&event.what, &TimeZone::UTC));
        let lines: Vec<_> = notices.map(|notice| (notice.weight, notice.line())).collect();
        assert_eq!(lines, [(weight, told.to_owned())]);
    }

    #[test]
    fn a_notice_is_one_line_in_words() {
        check(
            r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":596,"error_status":529,"error":"overloaded"}"#,
            Weight::Warning,
            "retry 1 of 10: overloaded (529), again in 596 ms",
        );
        check(
            r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1794732978,"rateLimitType":"five_hour","utilization":1}}"#,
            Weight::Bad,
            "five hour limit: reached, 100 % used, resets Nov 15, 08:56 UTC",
        );
        check(
            r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":196060,"post_tokens":2587}}"#,
            Weight::Plain,
            "conversation compacted: auto, 196k to 2.6k tokens",
        );
        check(
            r#"{"type":"system","subtype":"hook_response","hook_name":"Stop","outcome":"error","stderr":"no\n\u001b[2J"}"#,
            Weight::Bad,
            "hook Stop error: no ⏎ \u{fffd}[2J",
        );
        check(
            r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","message":"needs approval"}"#,
            Weight::Bad,
            "Bash denied: needs approval",
        );
        check(
            r#"{"type":"system","subtype":"background_tasks_changed","tasks":[]}"#,
            Weight::Program,
            "in the background: none",
        );
    }

    #[test]
    fn what_stands_in_transcripts_is_in_words_or_for_programs() {
        let check = |entry: &str, weight, told: &str| {
            let entry = format!(r#"{{"sessionId":"s","uuid":"u",{}"#, &entry[1..]);
            let events = unspool::transcript::Transcript::read(Grain::Blocks, entry.as_bytes(), &[]);
            let notice = events.iter().find_map(|event| Notice::of(&event.what, &TimeZone::UTC));
            let notice = notice.map(|notice| (notice.weight, notice.line()));
            assert_eq!(notice, Some((weight, told.to_owned())), "{entry}");
        };
        check(
            r#"{"type":"pr-link","prNumber":7,"prUrl":"https://example.com/7"}"#,
            Weight::Plain,
            "pull request: #7 https://example.com/7",
        );
        check(
            r#"{"type":"system","subtype":"memory_saved","writtenPaths":["a.md","b.md"]}"#,
            Weight::Plain,
            "memory saved: a.md, b.md",
        );
        check(r#"{"type":"worktree-state","worktreeSession":null}"#, Weight::Faint, "worktree: none");
        check(r#"{"type":"repl-mode","replMode":true}"#, Weight::Program, r#"repl mode: {"replMode":true}"#);
    }

    #[test]
    fn a_notice_that_lacks_everything_is_still_told() {
        check(r#"{"type":"system","subtype":"api_retry"}"#, Weight::Warning, "retry");
        check(r#"{"type":"rate_limit_event","rate_limit_info":7}"#, Weight::Warning, "rate limit");
        check(r#"{"type":"system","subtype":"notification","text":{}}"#, Weight::Plain, "note");
    }
}
