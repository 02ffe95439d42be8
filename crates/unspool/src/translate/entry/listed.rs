//! Entries that stand beside the conversation, and what the CLI notes in it.

use super::TOLD_SYSTEM;
use crate::event::{Raw, What};
use crate::json::{Json, Kind, Str, write_string};
use crate::translate::Translator;
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::wire::SystemKind;
use std::borrow::Cow;

/// Types of entries that are known, and of which nothing more has to be understood: all that 2.1.325 lists for itself,
/// and what older versions had.
const LISTED: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "agent_metadata",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attachment",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "continued-in",
    "cost-state",
    "custom-title",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "ended-by-model",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "isolation-latch",
    "last-prompt",
    "memory-mode",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "repl-mode",
    "resume-head-vouch",
    "session-owner",
    "summary",
    "tag",
    "tools-used",
    "worktree-state",
];

/// Subtypes of `system` entries that Claude Code writes down; most are in no stream.
const SYSTEM: &[&str] = &[
    "agents_killed",
    "api_error",
    "away_summary",
    "bridge_status",
    "cloud_session_status",
    "compact_boundary",
    "file_snapshot",
    "informational",
    "local_command",
    "memory_saved",
    "model_consent_fallback",
    "model_refusal_fallback",
    "model_refusal_no_fallback",
    "permission_retry",
    "post_tool_hook_feedback",
    "rewind_stand_in",
    "scheduled_task_fire",
    "stop_hook_summary",
    "turn_duration",
];

pub(crate) fn is_listed(kind: &str) -> bool {
    LISTED.contains(&kind)
}

impl Translator {
    /// A `system` entry. Returns whether it is known.
    pub(super) fn entry_system(
        &mut self,
        cx: &mut Cx<'_, '_>,
        entry: &fields::Entry,
        agent: Option<&str>,
    ) -> bool {
        let Some(subtype) = cx.chart().str(entry.subtype()).map(Str::decode) else { return false };
        if !SYSTEM.contains(&&*subtype) && SystemKind::of(&subtype).is_none() {
            return false;
        }
        let json = cx.chart().json();
        let (kind, data) = (Cow::Borrowed(&*subtype), Raw::without(json, TOLD_SYSTEM));
        let wire = (subtype == "compact_boundary").then(|| as_on_the_wire(json));
        let what = match (&*subtype, wire.as_deref().and_then(|text| Json::new(text).ok())) {
            (_, Some(json)) => What::Compaction { kind, data: Raw::without(json, TOLD_SYSTEM) },
            ("api_error", _) => What::ApiRetry { kind, data },
            _ => What::Notice { kind, data },
        };
        self.teller.tell(cx, agent, what);
        true
    }
}

/// The entry with its metadata named as on the wire, for who knows a stream's.
fn as_on_the_wire(entry: Json<'_>) -> String {
    let mut out = String::from("{");
    for (key, value) in entry.fields() {
        let is_metadata = key == "compactMetadata" && value.kind() == Kind::Object;
        if out.len() > 1 {
            out.push(',');
        }
        let key = key.decode();
        write_string(if is_metadata { "compact_metadata" } else { &key }, &mut out);
        out.push(':');
        if !is_metadata {
            out.push_str(value.text());
            continue;
        }
        out.push('{');
        for (at, (key, value)) in value.fields().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write_string(&snake(&key.decode()), &mut out);
            out.push(':');
            out.push_str(value.text());
        }
        out.push('}');
    }
    out.push('}');
    out
}

fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
