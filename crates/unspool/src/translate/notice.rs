//! Everything that is not said by an agent: tasks, hooks, states, control traffic, the unknown.

use super::teller::Cx;
use super::{Grain, Translator};
use crate::event::{Decision, Raw, What};
use crate::json::{Json, Str};
use crate::wire::{TaskLine, Wire};
use std::borrow::Cow;

/// What an event tells in its own words.
const TOLD: &[&str] = &["type", "subtype", "uuid", "session_id", "timestamp"];

impl Translator {
    pub(super) fn on_notice(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        let field = |name| json.get(name).and_then(Json::as_str).map(Str::decode);
        let (kind, subtype) = (field("type"), field("subtype"));
        match (kind.as_deref(), subtype.as_deref()) {
            (Some("control_request"), _) => self.on_control_request(cx, json),
            (Some("control_response"), _) => self.on_control_response(cx, json),
            (Some("control_cancel_request"), _) => self.on_control_cancel(cx, json),
            (Some("system"), Some(subtype)) => self.on_system(cx, json, subtype),
            (Some(kind), _) => self.on_top_level(cx, json, kind),
            (None, _) => self.on_unknown(cx, json),
        }
    }

    fn on_system(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>, subtype: &str) {
        let kind = Cow::Borrowed(subtype);
        let data = Raw::without(json, TOLD);
        let what = match subtype {
            "hook_started" | "hook_progress" | "hook_response" => {
                let name = json.get("hook_name").and_then(Json::as_str);
                self.tally.resumed |= name.is_some_and(|name| name == "SessionStart:resume");
                What::Hook { kind, data }
            }
            "task_started" | "task_progress" | "task_updated" | "task_notification" | "task_summary" => {
                let line = TaskLine::of(json).unwrap_or_default();
                self.before_task(cx, &line);
                self.teller.tell(cx, None, What::Task { kind, data });
                return self.after_task(cx, &line);
            }
            "background_tasks_changed" => What::Task { kind, data },
            "status" | "session_state_changed" => What::Status { kind, data },
            "api_retry" => What::ApiRetry { kind, data },
            "compact_boundary" => What::Compaction { kind, data },
            "thinking_tokens" if self.grain == Grain::Blocks => return,
            "permission_denied" => {
                self.evidence.denied = true;
                What::Notice { kind, data }
            }
            other if SYSTEM.contains(&other) => What::Notice { kind, data },
            _ => return self.on_unknown(cx, json),
        };
        self.teller.tell(cx, None, what);
    }

    fn on_top_level(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>, name: &str) {
        let kind = Cow::Borrowed(name);
        let data = Raw::without(json, TOLD);
        let what = match name {
            "tool_progress" => What::Task { kind, data },
            "command_lifecycle" => {
                let state = json.get("state").and_then(Json::as_str);
                self.turns.prompted |= state.is_some_and(|state| state == "queued" || state == "started");
                What::Status { kind, data }
            }
            "rate_limit_event" => What::RateLimit { kind, data },
            "keep_alive" if self.grain == Grain::Blocks => return,
            other if TOP_LEVEL.contains(&other) => What::Notice { kind, data },
            _ => return self.on_unknown(cx, json),
        };
        self.teller.tell(cx, None, what);
    }

    fn on_control_request(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        let request = json.get("request").unwrap_or(Json::NULL);
        let field = |name| request.get(name).and_then(Json::as_str).map(Str::decode);
        let id = json.get("request_id").and_then(Json::as_str).map(Str::decode);
        let Some(subtype) = field("subtype") else { return self.on_unknown(cx, json) };
        let data = Raw::without(json, TOLD);
        match &*subtype {
            "can_use_tool" => {
                let agent = field("agent_id").and_then(|task| self.agents.of_task(&task).map(str::to_owned));
                if let Some(id) = &id {
                    self.asked.push(id, agent.clone());
                }
                let what = What::PermissionRequest {
                    request: id,
                    tool: field("tool_name"),
                    call: field("tool_use_id"),
                    input: request.get("input").map(Raw::new),
                    suggestions: request.get("permission_suggestions").map(Raw::new),
                };
                self.teller.tell(cx, agent.as_deref(), what);
            }
            "hook_callback" => self.teller.tell(cx, None, What::Hook { kind: subtype, data }),
            other if REQUESTS.contains(&other) => {
                self.teller.tell(cx, None, What::Notice { kind: subtype, data })
            }
            _ => self.on_unknown(cx, json),
        }
    }

    fn on_control_response(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        let response = json.get("response").unwrap_or(Json::NULL);
        let id = response.get("request_id").and_then(Json::as_str).map(Str::decode);
        // With --replay-user-messages the CLI tells the host's own answers back.
        if let Some(id) = id
            && let Some(agent) = self.asked.take(&id)
        {
            let behavior = response.get("response").and_then(|answer| answer.get("behavior")?.as_str());
            let decision =
                if behavior.is_some_and(|it| it == "allow") { Decision::Allow } else { Decision::Deny };
            let what = What::PermissionResolved { request: Some(id), decision, by: "host".into() };
            return self.teller.tell(cx, agent.as_deref(), what);
        }
        let data = Raw::without(json, TOLD);
        self.teller.tell(cx, None, What::Notice { kind: "control_response".into(), data });
    }

    fn on_control_cancel(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        let id = json.get("request_id").and_then(Json::as_str).map(Str::decode);
        if let Some(id) = id
            && let Some(agent) = self.asked.take(&id)
        {
            let what = What::PermissionResolved {
                request: Some(id),
                decision: Decision::Cancelled,
                by: "cli".into(),
            };
            return self.teller.tell(cx, agent.as_deref(), what);
        }
        let data = Raw::without(json, TOLD);
        self.teller.tell(cx, None, What::Notice { kind: "control_cancel_request".into(), data });
    }
}

const SYSTEM: &[&str] = &[
    "control_request_progress",
    "model_refusal_fallback",
    "model_refusal_no_fallback",
    "model_fallback",
    "local_command_output",
    "plugin_install",
    "thinking_tokens",
    "worker_shutting_down",
    "commands_changed",
    "notification",
    "files_persisted",
    "memory_recall",
    "elicitation_complete",
    "mirror_error",
    "informational",
    "session_writes_lost",
    "session_title_changed",
    "ui_invalidate",
    "post_turn_summary",
    "session_metadata",
    "permission_check_status",
    "peer_message_hold",
    "per_turn_effort_changed",
    "instruction_size_warning",
    "slack_tag_title",
    "vcs_state_changed",
    "dev_intent",
    "checkpoint_done",
];
const TOP_LEVEL: &[&str] = &[
    "tool_use_summary",
    "auth_status",
    "prompt_suggestion",
    "conversation_reset",
    "active_goal",
    "keep_alive",
    "transcript_mirror",
    "autocompact_state",
    "sources_changed",
    "env_manager_log",
    "client_event",
    "heartbeat",
];
const REQUESTS: &[&str] = &["mcp_message", "elicitation", "request_user_dialog"];
