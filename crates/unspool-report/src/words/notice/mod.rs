//! What happens beside the conversation, in one line each.

mod entry;
mod line;

use super::{clean_line, duration, one_line};
use jiff::tz::TimeZone;
use unspool::event::{AgentStatus, Decision, Raw, What};
use unspool::json::Str;
use unspool::wire::Envelope;

/// A line about something that is neither said nor called.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
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
#[non_exhaustive]
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
    #[must_use]
    pub fn of(what: &What<'_>, zone: &TimeZone) -> Option<Notice> {
        let (weight, about, words) = match what {
            What::Hook { kind, data, .. }
            | What::Task { kind, data, .. }
            | What::Status { kind, data, .. }
            | What::ApiRetry { kind, data, .. }
            | What::RateLimit { kind, data, .. }
            | What::Compaction { kind, data, .. }
            | What::Notice { kind, data, .. } => {
                let shown = Shown { kind, data };
                match what.envelope() {
                    Some(Envelope::Unknown(_)) | None => match what.entry() {
                        Some(entry) => entry::told(&entry, &shown),
                        None => shown.told(if matches!(what, What::Notice { .. }) {
                            Weight::Faint
                        } else {
                            Weight::Program
                        }),
                    },
                    Some(line) => line::told(&line, &shown, zone),
                }
            }
            What::PermissionRequest { tool, input, .. } => {
                let call = super::CallWords::of(tool.as_deref(), input.as_ref());
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
    #[must_use]
    pub fn line(&self) -> String {
        if self.words.is_empty() { self.about.clone() } else { format!("{}: {}", self.about, self.words) }
    }
}

type Told = (Weight, String, String);

/// A line that has no words of its own, and what the wire calls it.
struct Shown<'a> {
    kind: &'a str,
    data: &'a Raw<'a>,
}

impl Shown<'_> {
    fn about(&self) -> String {
        plain(self.kind)
    }

    /// Its name, and as much of its fields as fits.
    fn told(&self, weight: Weight) -> Told {
        (weight, self.about(), self.excerpt())
    }

    /// Its name and these words, if there are any; else its fields.
    fn says(&self, words: Option<Str<'_>>) -> Told {
        let words = words.map(|words| words.to_string()).filter(|words| !words.is_empty());
        (Weight::Faint, self.about(), words.unwrap_or_else(|| self.excerpt()))
    }

    fn excerpt(&self) -> String {
        excerpt(&self.data.text())
    }
}

fn text(words: Option<Str<'_>>) -> String {
    words.map(|words| words.to_string()).unwrap_or_default()
}

/// The first of these that says anything.
fn first<const N: usize>(words: [Option<Str<'_>>; N]) -> String {
    words.into_iter().map(text).find(|words| !words.is_empty()).unwrap_or_default()
}

/// Those that say anything.
fn join(facts: impl IntoIterator<Item = String>) -> String {
    facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(", ")
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
