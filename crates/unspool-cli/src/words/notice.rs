//! What happens beside the conversation, in one line each.

use super::{clean_line, duration, one_line, tokens};
use jiff::Timestamp;
use unspool::event::{AgentStatus, Decision, Raw, What};
use unspool::json::Json;

/// A line about something that is neither said nor called.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Notice {
    /// How much it matters.
    pub(crate) weight: Weight,
    /// What it is about: `retry`, `rate limit`, `hook`.
    pub(crate) about: String,
    /// The rest of the line; may be empty.
    pub(crate) words: String,
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Weight {
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
    pub(crate) fn of(what: &What<'_>) -> Option<Notice> {
        let (weight, about, words) = match what {
            What::Hook { kind, data } => hook(kind, &Data::of(data)),
            What::Task { kind, data } => task(kind, &Data::of(data)),
            What::Status { kind, data } => status(kind, &Data::of(data)),
            What::ApiRetry { data, .. } => retry(&Data::of(data)),
            What::RateLimit { data, .. } => rate_limit(&Data::of(data)),
            What::Compaction { data, .. } => compaction(&Data::of(data)),
            What::Notice { kind, data } => notice(kind, &Data::of(data), data),
            What::PermissionRequest { tool, input, .. } => {
                let call = super::Call::of(tool.as_deref(), input.as_ref());
                (Weight::Warning, "permission asked".into(), call.line())
            }
            What::PermissionResolved { decision, by, .. } => {
                let weight = if *decision == Decision::Deny { Weight::Bad } else { Weight::Plain };
                let words = match decision {
                    Decision::Allow => format!("allowed by {by}"),
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
        Some(Notice { weight, about: clean_line(&about), words: one_line(&words) })
    }
}

type Told = (Weight, String, String);

fn hook(kind: &str, data: &Data<'_>) -> Told {
    let name = data.first(&["hook_name", "hook_event"]);
    if kind == "hook_callback" {
        let event = data.inside("request").inside("input").text("hook_event_name");
        return (Weight::Faint, "hook".into(), format!("{event} asks the host"));
    }
    let outcome = data.text("outcome");
    match kind {
        "hook_response" if outcome == "success" || outcome.is_empty() => {
            (Weight::Faint, "hook".into(), name + &quoted(&data.first(&["output", "stdout"])))
        }
        "hook_response" => {
            let why = data.first(&["stderr", "output", "stdout"]);
            (Weight::Warning, "hook".into(), format!("{name} {outcome}{}", quoted(&why)))
        }
        "hook_started" => (Weight::Faint, "hook".into(), format!("{name} begins")),
        _ => (Weight::Faint, plain(kind), name),
    }
}

fn task(kind: &str, data: &Data<'_>) -> Told {
    let what = data.first(&["description", "summary", "task_id"]);
    match kind {
        "task_started" => (Weight::Plain, "task begins".into(), what),
        "task_notification" => {
            let status = data.text("status");
            let weight = if status == "completed" { Weight::Plain } else { Weight::Warning };
            (weight, format!("task {status}"), data.first(&["summary", "description", "task_id"]))
        }
        "background_tasks_changed" => {
            let tasks: Vec<String> =
                data.items("tasks").map(|task| task.first(&["description", "task_id"])).collect();
            let words = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
            (Weight::Faint, "in the background".into(), words)
        }
        "tool_progress" => {
            let time = data.number("elapsed_time_seconds").map(|seconds| duration((seconds * 1e3) as u64));
            let words = format!("{} for {}", data.text("tool_name"), time.unwrap_or_else(|| "?".into()));
            (Weight::Faint, "at work".into(), words)
        }
        "task_updated" => {
            let status = data.inside("patch").text("status");
            (Weight::Faint, "task".into(), format!("{} {status}", data.text("task_id")))
        }
        _ => (Weight::Faint, plain(kind), what),
    }
}

fn status(kind: &str, data: &Data<'_>) -> Told {
    let state = data.first(&["status", "state"]);
    let mode = data.text("permissionMode");
    let words = [state, mode].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    (Weight::Faint, plain(kind), words)
}

fn retry(data: &Data<'_>) -> Told {
    let number = |field| data.number(field).map(|number| number.to_string()).unwrap_or_else(|| "?".into());
    let why = match (data.number("error_status"), data.text("error")) {
        (Some(status), error) => format!("{error} {status}"),
        (None, error) => error,
    };
    let wait = data.number("retry_delay_ms").map(|ms| format!(", again in {}", duration(ms as u64)));
    let words = format!(
        "{} of {}{}{}",
        number("attempt"),
        number("max_retries"),
        quoted(why.trim()),
        wait.unwrap_or_default()
    );
    (Weight::Warning, "API retry".into(), words)
}

fn rate_limit(data: &Data<'_>) -> Told {
    let info = data.inside("rate_limit_info");
    let status = info.text("status");
    let weight = match &*status {
        "allowed" => Weight::Faint,
        "rejected" => Weight::Bad,
        _ => Weight::Warning,
    };
    let mut facts = vec![plain(&status)];
    if let Some(share) = info.number("utilization") {
        facts.push(format!("{:.0} % used", share * 100.0));
    }
    facts.push(plain(&info.text("rateLimitType")));
    if let Some(reset) = info.number("resetsAt").and_then(moment) {
        facts.push(format!("resets at {reset}"));
    }
    facts.retain(|fact| !fact.is_empty());
    (weight, "rate limit".into(), facts.join(", "))
}

/// `2026-11-15 10:22 UTC`.
fn moment(seconds: f64) -> Option<String> {
    let at = Timestamp::from_second(seconds as i64).ok()?;
    Some(at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

fn compaction(data: &Data<'_>) -> Told {
    let about = data.inside("compact_metadata");
    let count = |field| about.number(field).map(|number| tokens(number as u64));
    let words = match (count("pre_tokens"), count("post_tokens")) {
        (Some(before), Some(after)) => format!("{before} to {after} tokens"),
        (Some(before), None) => format!("{before} tokens until then"),
        _ => String::new(),
    };
    let trigger = about.text("trigger");
    let words = [words, trigger].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    (Weight::Warning, "conversation summarised".into(), words)
}

fn notice(kind: &str, data: &Data<'_>, raw: &Raw<'_>) -> Told {
    match kind {
        "permission_denied" => {
            let why = data.first(&["message", "decision_reason"]);
            (Weight::Bad, "denied".into(), format!("{}{}", data.text("tool_name"), quoted(&why)))
        }
        "informational" => {
            let weight = match &*data.text("level") {
                "error" => Weight::Bad,
                "warning" => Weight::Warning,
                _ => Weight::Plain,
            };
            (weight, "note".into(), data.text("content"))
        }
        "notification" => (Weight::Plain, "notification".into(), data.text("text")),
        "model_fallback" | "model_refusal_fallback" => {
            let change = format!("{} to {}", data.text("original_model"), data.text("fallback_model"));
            let words = Some(data.text("content")).filter(|text| !text.is_empty()).unwrap_or(change);
            (Weight::Warning, "another model".into(), words)
        }
        "model_refusal_no_fallback" => (Weight::Bad, "refused".into(), data.text("content")),
        "error" => {
            let error = data.inside("event").inside("error");
            (Weight::Bad, "API error".into(), error.first(&["message", "type"]))
        }
        "mirror_error" | "session_writes_lost" => {
            (Weight::Warning, plain(kind), data.first(&["error", "error_code"]))
        }
        "session_title_changed" => (Weight::Faint, "title".into(), data.text("title")),
        "local_command_output" => (Weight::Plain, "command".into(), data.text("content")),
        "prompt_suggestion" => (Weight::Faint, "suggestion".into(), data.text("suggestion")),
        "control_response" => {
            let answer = data.inside("response");
            let error = answer.text("error");
            let weight = if error.is_empty() { Weight::Faint } else { Weight::Warning };
            (weight, "control answer".into(), format!("{} {error}", answer.text("subtype")))
        }
        _ => {
            let telling = ["content", "summary", "status", "detail", "title", "error", "reason", "message"];
            let words = data.first(&telling);
            let words = if words.is_empty() { excerpt(&raw.text()) } else { words };
            (Weight::Faint, plain(kind), words)
        }
    }
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
    word.replace('_', " ")
}

fn quoted(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!(": {text}") }
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
        let notices: Vec<_> = events.iter().filter_map(|event| Notice::of(&event.what)).collect();
        let lines: Vec<_> = notices
            .iter()
            .map(|notice| (notice.weight, format!("{}: {}", notice.about, notice.words)))
            .collect();
        assert_eq!(lines, [(weight, told.to_owned())]);
    }

    #[test]
    fn a_notice_is_one_line_in_words() {
        check(
            r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":596,"error_status":529,"error":"overloaded"}"#,
            Weight::Warning,
            "API retry: 1 of 10: overloaded 529, again in 596 ms",
        );
        check(
            r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1794732978,"rateLimitType":"five_hour","utilization":1}}"#,
            Weight::Bad,
            "rate limit: rejected, 100 % used, five hour, resets at 2026-11-15 08:56 UTC",
        );
        check(
            r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":196060,"post_tokens":2587}}"#,
            Weight::Warning,
            "conversation summarised: 196k to 2.6k tokens, auto",
        );
        check(
            r#"{"type":"system","subtype":"hook_response","hook_name":"Stop","outcome":"error","stderr":"no\n\u001b[2J"}"#,
            Weight::Warning,
            "hook: Stop error: no ⏎ \u{fffd}[2J",
        );
        check(
            r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","message":"needs approval"}"#,
            Weight::Bad,
            "denied: Bash: needs approval",
        );
        check(
            r#"{"type":"system","subtype":"background_tasks_changed","tasks":[]}"#,
            Weight::Faint,
            "in the background: none",
        );
    }

    #[test]
    fn a_notice_that_lacks_everything_is_still_told() {
        check(r#"{"type":"system","subtype":"api_retry"}"#, Weight::Warning, "API retry: ? of ?");
        check(r#"{"type":"rate_limit_event","rate_limit_info":7}"#, Weight::Warning, "rate limit: ");
        check(r#"{"type":"system","subtype":"notification","text":{}}"#, Weight::Plain, "notification: ");
    }
}
