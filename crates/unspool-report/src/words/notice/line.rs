//! Lines of a stream in words.

use super::super::{duration, tokens};
use super::{Shown, Told, Weight, first, join, plain, text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use unspool::json::Str;
use unspool::wire::ask::Ask;
use unspool::wire::hook::HookHead;
use unspool::wire::system::{
    ApiRetry, CompactBoundary, HookOutcome, HookResponse, Level, System, TaskEnd, TaskNotification,
};
use unspool::wire::{
    ApiFailure, ControlRequest, ControlResponse, Envelope, Piece, RateLimitEvent, RateLimitStatus,
    StreamEvent, ToolProgress, Wire,
};

pub(super) fn told(line: &Envelope<'_>, shown: &Shown<'_>, zone: &TimeZone) -> Told {
    match line {
        Envelope::System(line) => system(line, shown),
        Envelope::RateLimitEvent(line) => rate_limit(line, zone),
        Envelope::ToolProgress(line) => at_work(line),
        Envelope::CommandLifecycle(line) => {
            let state = line.state.map(|state| state.as_str().into_owned());
            (Weight::Program, shown.about(), state.unwrap_or_default())
        }
        Envelope::StreamEvent(line) => stream_error(line),
        Envelope::ControlRequest(line) => request(line, shown),
        Envelope::ControlResponse(line) => response(line),
        Envelope::ControlCancelRequest(_) => {
            (Weight::Faint, "a question was withdrawn".into(), String::new())
        }
        Envelope::KeepAlive(_) | Envelope::AutocompactState(_) | Envelope::ActiveGoal(_) => {
            shown.told(Weight::Program)
        }
        Envelope::PromptSuggestion(line) => (Weight::Faint, "next, perhaps".into(), text(line.suggestion)),
        Envelope::ConversationReset(_) => (Weight::Faint, "conversation cleared".into(), String::new()),
        Envelope::ToolUseSummary(line) => shown.says(line.summary),
        Envelope::AuthStatus(line) => shown.says(line.error),
        _ => shown.told(Weight::Faint),
    }
}

fn system(line: &System<'_>, shown: &Shown<'_>) -> Told {
    match line {
        // It began: what it came to is told next.
        System::HookStarted(hook) => {
            (Weight::Program, hook_name(hook.hook_name, hook.hook_event), shown.about())
        }
        System::HookProgress(hook) => {
            (Weight::Program, hook_name(hook.hook_name, hook.hook_event), shown.about())
        }
        System::HookResponse(hook) => hook_ended(hook),
        System::TaskStarted(task) => {
            let kind = task.task_type.map(|kind| kind.as_str().into_owned());
            let words = [text(task.description), kind.unwrap_or_default(), text(task.task_id)];
            let words = words.into_iter().find(|words| !words.is_empty());
            (Weight::Faint, "background task".into(), words.unwrap_or_default())
        }
        System::TaskNotification(task) => task_ended(task),
        System::TaskUpdated(task) => {
            let status = task.patch.and_then(|patch| patch.read().status);
            let status = status.map(|status| status.as_str().into_owned()).unwrap_or_default();
            (Weight::Program, "task".into(), format!("{} {status}", text(task.task_id)))
        }
        System::TaskProgress(task) => {
            (Weight::Program, shown.about(), first([task.description, task.summary, task.task_id]))
        }
        System::TaskSummary(_) => (Weight::Program, shown.about(), String::new()),
        System::BackgroundTasksChanged(line) => {
            let tasks = line.tasks.iter().flat_map(|tasks| tasks.iter());
            let tasks: Vec<String> = tasks.map(|task| first([task.description, task.task_id])).collect();
            let words = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
            (Weight::Program, "in the background".into(), words)
        }
        System::Status(line) => {
            let doing = line.status.map(|status| status.as_str().into_owned());
            let mode = line.permission_mode.map(|mode| mode.as_str().into_owned());
            (Weight::Program, shown.about(), join([doing, mode].into_iter().flatten()))
        }
        System::SessionStateChanged(line) => {
            let state = line.state.map(|state| state.as_str().into_owned());
            (Weight::Program, shown.about(), state.unwrap_or_default())
        }
        System::ApiRetry(line) => retry(line),
        System::CompactBoundary(line) => compaction(line),
        System::ThinkingTokens(_) | System::ControlRequestProgress(_) | System::UiInvalidate(_) => {
            shown.told(Weight::Program)
        }
        System::PermissionDenied(line) => {
            let why = first([line.message, line.decision_reason]);
            (Weight::Bad, format!("{} denied", text(line.tool_name)), why)
        }
        System::Informational(line) => (weight(line.level), "note".into(), text(line.content)),
        System::Notification(line) => (Weight::Plain, "note".into(), text(line.text)),
        System::ModelFallback(line) => another_model(line.content, line.original_model, line.fallback_model),
        System::ModelRefusalFallback(line) => {
            another_model(line.content, line.original_model, line.fallback_model)
        }
        System::ModelRefusalNoFallback(line) => {
            (Weight::Warning, "refused".into(), first([line.content, line.original_model]))
        }
        System::MirrorError(line) => (Weight::Warning, shown.about(), text(line.error)),
        System::SessionWritesLost(line) => (Weight::Warning, shown.about(), text(line.error_code)),
        System::SessionTitleChanged(line) => (Weight::Faint, "title".into(), text(line.title)),
        System::LocalCommandOutput(line) => (Weight::Plain, "command".into(), text(line.content)),
        System::PluginInstall(line) => shown.says(line.status),
        System::PermissionCheckStatus(line) => shown.says(line.status),
        System::WorkerShuttingDown(line) => shown.says(line.reason),
        _ => shown.told(Weight::Faint),
    }
}

pub(super) fn weight(level: Option<Level<'_>>) -> Weight {
    match level {
        Some(Level::Error) => Weight::Bad,
        Some(Level::Warning) => Weight::Warning,
        _ => Weight::Plain,
    }
}

pub(super) fn another_model(words: Option<Str<'_>>, from: Option<Str<'_>>, to: Option<Str<'_>>) -> Told {
    let words = words.map(|words| words.to_string()).filter(|words| !words.is_empty());
    let words = words.unwrap_or_else(|| format!("{} to {}", text(from), text(to)));
    (Weight::Warning, "another model".into(), words)
}

fn hook_name(name: Option<Str<'_>>, event: Option<Str<'_>>) -> String {
    format!("hook {}", first([name, event]))
}

fn hook_ended(hook: &HookResponse<'_>) -> Told {
    let about = hook_name(hook.hook_name, hook.hook_event);
    let said = first([hook.stderr, hook.stdout, hook.output]);
    match hook.outcome {
        Some(HookOutcome::Success) | None => (Weight::Faint, about, said),
        Some(outcome) => (Weight::Bad, format!("{about} {}", outcome.as_str()), said),
    }
}

fn task_ended(task: &TaskNotification<'_>) -> Told {
    let weight = match task.status {
        Some(TaskEnd::Completed) => Weight::Plain,
        Some(TaskEnd::Failed) => Weight::Bad,
        _ => Weight::Warning,
    };
    let status = task.status.map(|status| status.as_str().into_owned()).unwrap_or_default();
    (weight, format!("background task {status}"), first([task.summary, task.task_id]))
}

fn at_work(line: &ToolProgress<'_>) -> Told {
    let time = line.elapsed_time_seconds.map(|seconds| duration((seconds * 1e3) as u64));
    let words = format!("{} for {}", text(line.tool_name), time.unwrap_or_else(|| "?".into()));
    (Weight::Program, "at work".into(), words)
}

fn retry(line: &ApiRetry<'_>) -> Told {
    let attempt = match (line.attempt, line.max_retries) {
        (Some(attempt), Some(most)) => format!(" {attempt} of {most}"),
        _ => String::new(),
    };
    let error = match (line.error_status, line.error) {
        // Older versions call an overload a rate limit.
        (Some(529), _) => "overloaded".to_owned(),
        (_, error) => error.map(|error| plain(&error.as_str())).unwrap_or_default(),
    };
    let status = line.error_status.map(|status| format!(" ({status})")).unwrap_or_default();
    let why = format!("{error}{status}").trim().to_owned();
    let wait = line.retry_delay_ms.map(|ms| format!("again in {}", duration(ms.max(0.0) as u64)));
    (Weight::Warning, format!("retry{attempt}"), join([Some(why), wait].into_iter().flatten()))
}

fn rate_limit(line: &RateLimitEvent<'_>, zone: &TimeZone) -> Told {
    let info = line.rate_limit_info.map(|info| info.read()).unwrap_or_default();
    let (weight, state) = match info.status {
        Some(RateLimitStatus::Allowed) => (Weight::Faint, String::new()),
        Some(RateLimitStatus::Rejected) => (Weight::Bad, "reached".to_owned()),
        Some(RateLimitStatus::AllowedWarning) => (Weight::Warning, "nearly reached".to_owned()),
        Some(other) => (Weight::Warning, plain(&other.as_str())),
        None => (Weight::Warning, String::new()),
    };
    let used = info.utilization.map(|share| format!("{:.0} % used", share * 100.0));
    let reset = info.resets_at.and_then(|at| moment(at, zone)).map(|at| format!("resets {at}"));
    let kind = info.rate_limit_type.map(|kind| plain(&kind.as_str())).filter(|kind| !kind.is_empty());
    let about = kind.map_or_else(|| "rate limit".to_owned(), |kind| format!("{kind} limit"));
    (weight, about, join([Some(state), used, reset].into_iter().flatten()))
}

/// `Nov 15, 14:30`; for readers anywhere with its zone.
fn moment(seconds: f64, zone: &TimeZone) -> Option<String> {
    let time = Timestamp::from_second(seconds as i64).ok()?.to_zoned(zone.clone());
    let form = if *zone == TimeZone::UTC { "%b %-d, %H:%M UTC" } else { "%b %-d, %H:%M" };
    Some(time.strftime(form).to_string())
}

fn compaction(line: &CompactBoundary<'_>) -> Told {
    let about = line.compact_metadata.map(|about| about.read()).unwrap_or_default();
    let sizes = match (about.pre_tokens.map(tokens), about.post_tokens.map(tokens)) {
        (Some(before), Some(after)) => format!("{before} to {after} tokens"),
        (Some(before), None) => format!("from {before} tokens"),
        _ => String::new(),
    };
    (Weight::Plain, "conversation compacted".into(), join([text(about.trigger), sizes]))
}

fn stream_error(line: &StreamEvent<'_>) -> Told {
    let failure = match line.event {
        Some(Piece::StreamError(line)) => line.error.and_then(ApiFailure::of).unwrap_or_default(),
        _ => ApiFailure::default(),
    };
    (Weight::Bad, "stream error".into(), first([failure.message, failure.kind]))
}

fn request(line: &ControlRequest<'_>, shown: &Shown<'_>) -> Told {
    match line.ask() {
        // It is a hook of whoever runs it: what it says is told where it matters.
        Ask::HookCallback(call) => {
            let hook = call.input.and_then(|input| HookHead::of(input.json())).unwrap_or_default();
            (Weight::Program, format!("hook {}", text(hook.hook_event_name)), text(hook.tool_name))
        }
        Ask::McpMessage(_) => shown.told(Weight::Program),
        _ => shown.told(Weight::Faint),
    }
}

fn response(line: &ControlResponse<'_>) -> Told {
    let answer = line.response.map(|answer| answer.read()).unwrap_or_default();
    match answer.error {
        Some(error) => (Weight::Faint, "request refused".into(), error.to_string()),
        None => (Weight::Program, "control answer".into(), text(answer.subtype)),
    }
}
