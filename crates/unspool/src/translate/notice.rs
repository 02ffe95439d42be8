//! Everything that is not said by an agent: tasks, hooks, states, control traffic.

use super::teller::Cx;
use super::{Grain, Translator, whole};
use crate::event::{Decision, Raw, What};
use crate::json::{Cursor, Fault, Json, Str};
use crate::wire::ask::CanUseTool;
use crate::wire::system::{Init, TaskNotification, TaskProgress, TaskStarted, TaskUpdated};
use crate::wire::{
    AskKind, CommandLifecycle, ControlCancelRequest, ControlRequest, ControlResponse, Head, Kind, SystemKind,
    SystemResult, Wire,
};
use std::borrow::Cow;

/// What an event tells in its own words.
const TOLD: &[&str] = &["type", "subtype", "uuid", "session_id", "timestamp"];

impl Translator {
    /// Reads a `system` line. Returns whether it has the shape of its subtype.
    pub(super) fn read_system<'l>(
        &mut self,
        cx: &mut Cx<'l, '_>,
        kind: SystemKind,
        text: &'l str,
    ) -> Result<bool, Fault> {
        match kind {
            SystemKind::Init => {
                let Some(line) = whole::<Init<'_>>(cx, text)? else { return Ok(false) };
                self.hear(cx, line.session_id, line.uuid, None);
                self.on_init(cx, &line);
                return Ok(true);
            }
            SystemKind::Result => {
                let Some(line) = whole::<SystemResult<'_>>(cx, text)? else { return Ok(false) };
                self.hear(cx, line.session_id, line.uuid, None);
                self.on_result(cx, &line.into());
                return Ok(true);
            }
            _ => {}
        }
        let Some(head) = whole::<Head<'_>>(cx, text)? else { return Ok(false) };
        self.hear(cx, head.session_id, head.uuid, head.timestamp);
        self.on_system(cx, kind, Json::trusted(text));
        Ok(true)
    }

    fn on_system(&mut self, cx: &mut Cx<'_, '_>, subtype: SystemKind, json: Json<'_>) {
        let kind = Cow::Borrowed(subtype.name());
        let data = Raw::without(json, TOLD);
        let what = match subtype {
            SystemKind::HookStarted | SystemKind::HookProgress | SystemKind::HookResponse => {
                let name = json.get("hook_name").and_then(Json::as_str);
                self.tally.resumed |= name.is_some_and(|name| name == "SessionStart:resume");
                What::Hook { kind, data }
            }
            SystemKind::TaskStarted => {
                let line = TaskStarted::of(json).unwrap_or_default();
                self.task_starts(cx, &line);
                self.agents.task(line.task_id, line.tool_use_id, true);
                What::Task { kind, data }
            }
            SystemKind::TaskProgress => {
                let line = TaskProgress::of(json).unwrap_or_default();
                self.agents.task(line.task_id, line.tool_use_id, false);
                What::Task { kind, data }
            }
            SystemKind::TaskUpdated => {
                let line = TaskUpdated::of(json).unwrap_or_default();
                self.agents.task(line.task_id, None, false);
                What::Task { kind, data }
            }
            SystemKind::TaskNotification => {
                self.teller.tell(cx, None, What::Task { kind, data });
                return self.task_ends(cx, &TaskNotification::of(json).unwrap_or_default());
            }
            SystemKind::TaskSummary | SystemKind::BackgroundTasksChanged => What::Task { kind, data },
            SystemKind::Status | SystemKind::SessionStateChanged => What::Status { kind, data },
            SystemKind::ApiRetry => What::ApiRetry { kind, data },
            SystemKind::CompactBoundary => What::Compaction { kind, data },
            SystemKind::ThinkingTokens if self.grain == Grain::Blocks => return,
            SystemKind::PermissionDenied => {
                self.evidence.denied = true;
                What::Notice { kind, data }
            }
            _ => What::Notice { kind, data },
        };
        self.teller.tell(cx, None, what);
    }

    /// Reads any other line that is known. Returns whether it has the shape of its type.
    pub(super) fn read_other<'l>(
        &mut self,
        cx: &mut Cx<'l, '_>,
        kind: Kind,
        text: &'l str,
    ) -> Result<bool, Fault> {
        let Some(head) = whole::<Head<'_>>(cx, text)? else { return Ok(false) };
        self.hear(cx, head.session_id, head.uuid, head.timestamp);
        let json = Json::trusted(text);
        let data = Raw::without(json, TOLD);
        let name = Cow::Borrowed(kind.name());
        let what = match kind {
            Kind::ControlRequest => return Ok(self.on_control_request(cx, json)),
            Kind::ControlResponse => {
                self.resolved_by_answer(json).unwrap_or(What::Notice { kind: name, data })
            }
            Kind::ControlCancelRequest => self.withdrawn(json).unwrap_or(What::Notice { kind: name, data }),
            Kind::ToolProgress => What::Task { kind: name, data },
            Kind::CommandLifecycle => {
                let state = CommandLifecycle::of(json).and_then(|line| line.state);
                self.turns.prompted |=
                    state.is_some_and(|state| matches!(&*state.as_str(), "queued" | "started"));
                What::Status { kind: name, data }
            }
            Kind::RateLimitEvent => What::RateLimit { kind: name, data },
            Kind::KeepAlive if self.grain == Grain::Blocks => return Ok(true),
            _ => What::Notice { kind: name, data },
        };
        self.teller.tell(cx, None, what);
        Ok(true)
    }

    fn on_control_request(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) -> bool {
        let line = ControlRequest::of(json).unwrap_or_default();
        let Some(request) = line.request else { return false };
        let subtype = Cursor::checked(request.text()).tag("subtype");
        let Some(ask) = subtype.and_then(|subtype| AskKind::of(&subtype.decode())) else { return false };
        let kind = Cow::Borrowed(ask.name());
        let data = Raw::without(json, TOLD);
        match ask {
            AskKind::CanUseTool => {
                let Some(ask) = CanUseTool::of(request) else { return false };
                let agent =
                    ask.agent_id.and_then(|task| self.agents.of_task(&task.decode()).map(str::to_owned));
                let id = line.request_id.map(Str::decode);
                if let Some(id) = &id {
                    self.asked.push(id, agent.clone());
                }
                let what = What::PermissionRequest {
                    request: id,
                    tool: ask.tool_name.map(Str::decode),
                    call: ask.tool_use_id.map(Str::decode),
                    input: ask.input.map(Raw::new),
                    suggestions: ask.permission_suggestions.map(|it| Raw::new(it.json())),
                };
                self.teller.tell(cx, agent.as_deref(), what);
            }
            AskKind::HookCallback => self.teller.tell(cx, None, What::Hook { kind, data }),
            _ => self.teller.tell(cx, None, What::Notice { kind, data }),
        }
        true
    }

    /// With `--replay-user-messages` the CLI tells the host's own answers back.
    fn resolved_by_answer<'l>(&mut self, json: Json<'l>) -> Option<What<'l>> {
        if self.asked.0.is_empty() {
            return None;
        }
        let answer = ControlResponse::of(json)?.response?.read();
        let request = answer.request_id?.decode();
        self.asked.take(&request)?;
        let behavior = answer.response.and_then(|answer| answer.get("behavior")?.as_str());
        let decision =
            if behavior.is_some_and(|it| it == "allow") { Decision::Allow } else { Decision::Deny };
        Some(What::PermissionResolved { request: Some(request), decision, by: "host".into() })
    }

    fn withdrawn<'l>(&mut self, json: Json<'l>) -> Option<What<'l>> {
        let request = ControlCancelRequest::of(json)?.request_id?.decode();
        self.asked.take(&request)?;
        let decision = Decision::Cancelled;
        Some(What::PermissionResolved { request: Some(request), decision, by: "cli".into() })
    }
}
