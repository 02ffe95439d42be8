//! Everything that is not said by an agent: tasks, hooks, states, control traffic.

use super::teller::Cx;
use super::view::Beginning;
use super::{Grain, Question, Translator, whole};
use crate::event::{Decision, Raw, What};
use crate::json::{Cursor, Fault, Json, Str};
use crate::wire::ask::CanUseTool;
use crate::wire::system::{TaskNotification, TaskProgress, TaskStarted, TaskUpdated};
use crate::wire::{
    AskKind, CommandKind, CommandLifecycle, ControlAnswer, ControlCancelRequest, ControlRequest, Head, Kind,
    SystemKind, Wire,
};
use std::borrow::Cow;

/// What an event tells in its own words; of a `system` line the subtype too.
const TOLD: &[&str] = &["type", "uuid", "session_id", "timestamp"];
const TOLD_SYSTEM: &[&str] = &["type", "subtype", "uuid", "session_id", "timestamp"];

impl Translator {
    /// Reads a `system` line. Returns whether it has the shape of its subtype.
    pub(super) fn read_system<'l>(
        &mut self,
        cx: &mut Cx<'l, '_>,
        kind: SystemKind,
        text: &'l str,
    ) -> Result<bool, Fault> {
        if kind == SystemKind::Init {
            let mut line = Beginning::default();
            if !whole(cx, &mut line)? {
                return Ok(false);
            }
            self.hear(cx, line.session_id, line.uuid, line.timestamp);
            self.on_init(cx, &line);
            return Ok(true);
        }
        let mut head = Head::default();
        whole(cx, &mut head)?;
        self.hear(cx, head.session_id, head.uuid, head.timestamp);
        self.on_system(cx, kind, Json::trusted(text));
        Ok(true)
    }

    fn on_system(&mut self, cx: &mut Cx<'_, '_>, subtype: SystemKind, json: Json<'_>) {
        let kind = Cow::Borrowed(subtype.name());
        let data = Raw::without(json, TOLD_SYSTEM);
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
        let mut head = Head::default();
        whole(cx, &mut head)?;
        self.hear(cx, head.session_id, head.uuid, head.timestamp);
        let json = Json::trusted(text);
        let data = Raw::without(json, TOLD);
        let name = Cow::Borrowed(kind.name());
        let mut agent = None;
        let what = match kind {
            Kind::ControlRequest => return Ok(self.on_control_request(cx, json)),
            Kind::ControlResponse | Kind::ControlCancelRequest => match self.resolved(kind, json) {
                Some((asker, what)) => {
                    agent = asker;
                    what
                }
                None => What::Notice { kind: name, data },
            },
            Kind::ToolProgress => What::Task { kind: name, data },
            Kind::CommandLifecycle => {
                let line = CommandLifecycle::of(json).unwrap_or_default();
                self.turns.prompted |=
                    line.state.is_some_and(|state| matches!(&*state.as_str(), "queued" | "started"));
                if let (Some(prompt), Some(state)) = (line.command_uuid, line.state) {
                    match &*state.as_str() {
                        "queued" => {}
                        "started" => self.turns.sent.started(prompt),
                        _ => self.turns.sent.used(prompt),
                    }
                }
                What::Status { kind: name, data }
            }
            Kind::RateLimitEvent => What::RateLimit { kind: name, data },
            Kind::KeepAlive if self.grain == Grain::Blocks => return Ok(true),
            _ => What::Notice { kind: name, data },
        };
        self.teller.tell(cx, agent.as_deref(), what);
        Ok(true)
    }

    fn on_control_request(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) -> bool {
        let line = ControlRequest::of(json).unwrap_or_default();
        let Some(request) = line.request else { return false };
        let subtype = request.get("subtype").and_then(Json::as_str).map(Str::decode).unwrap_or_default();
        let Some(ask) = AskKind::of(&subtype) else {
            // The host's side of the dialogue, in a recording of both.
            let command = CommandKind::of(&subtype);
            if let Some(command) = command {
                let (kind, data) = (command.name().into(), Raw::without(json, TOLD));
                self.teller.tell(cx, None, What::Notice { kind, data });
            }
            return command.is_some();
        };
        let kind = Cow::Borrowed(ask.name());
        let data = Raw::without(json, TOLD);
        match ask {
            AskKind::CanUseTool => {
                let Some(ask) = CanUseTool::of(request) else { return false };
                let agent = self.asker(&ask);
                let id = line.request_id.map(Str::decode);
                if let Some(id) = &id {
                    let call = ask.tool_use_id.map(|call| call.to_string());
                    self.asked.push(Question { request: id.to_string(), agent: agent.clone(), call });
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

    /// The agent whose call it is; `None` for the main agent.
    fn asker(&self, ask: &CanUseTool<'_>) -> Option<String> {
        let by_task = ask.agent_id.and_then(|task| self.agents.of_task(&task.decode()).map(str::to_owned));
        let by_call = || {
            let call = self.calls.get(&ask.tool_use_id?.decode())?;
            call.agent.as_deref().map(str::to_owned)
        };
        by_task.or_else(by_call)
    }

    /// The answer to a permission request, and who had asked. The CLI withdraws its own, and with
    /// `--replay-user-messages` it tells the host's answers back.
    pub(super) fn resolved<'l>(&mut self, kind: Kind, json: Json<'l>) -> Option<(Option<String>, What<'l>)> {
        if self.asked.0.is_empty() {
            return None;
        }
        let (request, decision, by) = match kind {
            Kind::ControlCancelRequest => {
                (ControlCancelRequest::of(json)?.request_id?, Decision::Cancelled, "cli")
            }
            _ => {
                let answer = json.get("response")?;
                // An answer may be long, and nearly all are not for one of these.
                let id = Cursor::checked(answer.text()).tag("request_id")?;
                if !self.asked.has(id) {
                    return None;
                }
                let answer = ControlAnswer::of(answer)?;
                let behavior = answer.response.and_then(|answer| answer.get("behavior")?.as_str());
                let allowed = behavior.is_some_and(|behavior| behavior == "allow");
                (answer.request_id?, if allowed { Decision::Allow } else { Decision::Deny }, "host")
            }
        };
        self.evidence.denied |= decision == Decision::Deny;
        let request = request.decode();
        let agent = self.asked.take(&request)?.agent;
        Some((agent, What::PermissionResolved { request: Some(request), decision, by: by.into() }))
    }
}
