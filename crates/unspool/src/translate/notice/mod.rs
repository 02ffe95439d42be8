//! Everything that is not said by an agent: tasks, hooks, states, control traffic.

use crate::digest::Digest;
use crate::event::{Decision, Raw, What};
use crate::json::{Cursor, Json, Str};
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::translate::{Grain, Question, Translator};
use crate::wire::{AskKind, CommandKind, ControlAnswer, ControlCancelRequest, Kind, SystemKind, Wire};
use std::borrow::Cow;

/// What an event tells in its own words; of a `system` line the subtype too.
const TOLD: &[&str] = &["type", "uuid", "session_id", "timestamp"];
const TOLD_SYSTEM: &[&str] = &["type", "subtype", "uuid", "session_id", "timestamp"];

impl Translator {
    /// A `system` line.
    pub(crate) fn on_system(&mut self, cx: &mut Cx<'_, '_>, subtype: SystemKind, line: &fields::Line) {
        let chart = cx.chart;
        let kind = Cow::Borrowed(subtype.name());
        let data = Raw::without(chart.json(), TOLD_SYSTEM);
        let task = || fields::Task::of(&chart, chart.root());
        let what = match subtype {
            SystemKind::HookStarted | SystemKind::HookProgress | SystemKind::HookResponse => {
                let name = chart.str(line.hook_name());
                self.tally.resumed |= name.is_some_and(|name| name == "SessionStart:resume");
                What::Hook { kind, data }
            }
            SystemKind::TaskStarted => {
                let task = task();
                self.task_starts(cx, &task);
                self.agents.task(chart.str(task.task_id()), chart.str(task.tool_use_id()), true);
                What::Task { kind, data }
            }
            SystemKind::TaskProgress => {
                let task = task();
                self.agents.task(chart.str(task.task_id()), chart.str(task.tool_use_id()), false);
                What::Task { kind, data }
            }
            SystemKind::TaskUpdated => {
                self.task_changes(cx, &task());
                What::Task { kind, data }
            }
            SystemKind::TaskNotification => {
                self.teller.tell(cx, None, What::Task { kind, data });
                return self.task_ends(cx, &task());
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

    /// Any other line that is known. Returns whether it has the shape of its type.
    pub(crate) fn on_other(&mut self, cx: &mut Cx<'_, '_>, kind: Kind, line: &fields::Line) -> bool {
        let json = cx.chart.json();
        let data = Raw::without(json, TOLD);
        let name = Cow::Borrowed(kind.name());
        let mut agent = None;
        let what = match kind {
            Kind::ControlRequest => return self.on_control_request(cx, line),
            Kind::ControlResponse | Kind::ControlCancelRequest => match self.resolved(kind, json) {
                Some((asker, what)) => {
                    agent = asker;
                    what
                }
                None => What::Notice { kind: name, data },
            },
            Kind::ToolProgress => What::Task { kind: name, data },
            Kind::CommandLifecycle => {
                let state = cx.chart.str(line.state()).map(Str::decode);
                self.turns.prompted |= matches!(state.as_deref(), Some("queued" | "started"));
                match (cx.chart.str(line.command_uuid()), state.as_deref()) {
                    (None, _) | (_, None | Some("queued")) => {}
                    (Some(prompt), Some("started")) => self.turns.sent.started(prompt),
                    (Some(prompt), Some(_)) => self.turns.sent.used(prompt),
                }
                What::Status { kind: name, data }
            }
            Kind::RateLimitEvent => What::RateLimit { kind: name, data },
            Kind::KeepAlive if self.grain == Grain::Blocks => return true,
            _ => What::Notice { kind: name, data },
        };
        self.teller.tell(cx, agent.as_deref(), what);
        true
    }

    fn on_control_request(&mut self, cx: &mut Cx<'_, '_>, line: &fields::Line) -> bool {
        let chart = cx.chart;
        let request = fields::Request::of(&chart, line.request());
        let subtype = chart.str(request.subtype()).map(Str::decode).unwrap_or_default();
        let Some(ask) = AskKind::of(&subtype) else {
            // The host's side of the dialogue, in a recording of both.
            let command = CommandKind::of(&subtype);
            if let Some(command) = command {
                let (kind, data) = (command.name().into(), Raw::without(chart.json(), TOLD));
                self.teller.tell(cx, None, What::Notice { kind, data });
            }
            return command.is_some();
        };
        let kind = Cow::Borrowed(ask.name());
        let data = Raw::without(chart.json(), TOLD);
        match ask {
            AskKind::CanUseTool => {
                let call = chart.str(request.tool_use_id());
                let agent = self.asker(chart.str(request.agent_id()), call);
                let id = chart.str(line.request_id()).map(Str::decode);
                if let Some(id) = &id {
                    let call = call.map(|call| call.to_string());
                    let input = chart.value(request.input()).map(digest).unwrap_or_default();
                    self.asked.push(Question {
                        request: id.to_string(),
                        agent: agent.clone(),
                        call,
                        of_hook: false,
                        input,
                    });
                }
                let what = What::PermissionRequest {
                    request: id,
                    tool: chart.str(request.tool_name()).map(Str::decode),
                    call: call.map(Str::decode),
                    input: chart.value(request.input()).and_then(Raw::unless_null),
                    suggestions: chart.value_if(request.permission_suggestions(), b'[').map(Raw::new),
                };
                self.teller.tell(cx, agent.as_deref(), what);
            }
            AskKind::HookCallback => {
                self.on_hook(cx, line, &request);
                self.teller.tell(cx, None, What::Hook { kind, data });
            }
            _ => self.teller.tell(cx, None, What::Notice { kind, data }),
        }
        true
    }

    /// A hook before a call may deny it. Of that most versions say nothing until the end of the turn, and 2.0.77 never.
    fn on_hook(&mut self, cx: &Cx<'_, '_>, line: &fields::Line, request: &fields::Request) {
        let chart = cx.chart;
        let input = chart.value(request.input()).unwrap_or(Json::NULL);
        let text = |name: &str| input.get(name).and_then(Json::as_str);
        let call = chart.str(request.tool_use_id()).or_else(|| text("tool_use_id"));
        if let (Some(id), Some(call)) = (chart.str(line.request_id()), call)
            && text("hook_event_name").is_some_and(|event| event == "PreToolUse")
        {
            let agent = self.asker(chart.str(request.agent_id()).or_else(|| text("agent_id")), Some(call));
            let call = Some(call.to_string());
            let input = Digest::default();
            self.asked.push(Question { request: id.to_string(), agent, call, of_hook: true, input });
        }
    }

    /// The agent whose call it is; `None` for the main agent.
    fn asker(&self, task: Option<Str<'_>>, call: Option<Str<'_>>) -> Option<String> {
        let by_task = task.and_then(|task| self.agents.of_task(&task.decode()).map(str::to_owned));
        let by_call = || self.calls.get(&call?.decode())?.agent().map(str::to_owned);
        by_task.or_else(by_call)
    }

    /// The answer to a permission request, and who had asked. The CLI withdraws its own, and with
    /// `--replay-user-messages` it tells the host's answers back. Of the answers of hooks those count that deny a call.
    pub(crate) fn resolved<'l>(&mut self, kind: Kind, json: Json<'l>) -> Option<(Option<String>, What<'l>)> {
        if self.asked.0.is_empty() {
            return None;
        }
        let (request, decision, by, input) = match kind {
            Kind::ControlCancelRequest => {
                (ControlCancelRequest::of(json)?.request_id?, Decision::Cancelled, "cli", None)
            }
            _ => {
                let answer = json.get("response")?;
                // An answer may be long, and nearly all are not for one of these.
                let id = Cursor::checked(answer.text()).tag("request_id")?;
                if !self.asked.has(id) {
                    return None;
                }
                let answer = ControlAnswer::of(answer)?;
                let said = answer.response.unwrap_or(Json::NULL);
                let decision = match said.get("behavior").and_then(Json::as_str).map(Str::decode).as_deref() {
                    Some("allow") => Decision::Allow,
                    Some("deny") => Decision::Deny,
                    None if self.asked.is_of_hook(id) => match is_denied_by_hook(said) {
                        true => Decision::Deny,
                        false => Decision::Cancelled,
                    },
                    // It was no answer, which is a denial.
                    None => Decision::Deny,
                    // `delegate`, for instance: somebody else decides.
                    Some(_) => {
                        self.asked.take(&id.decode());
                        return None;
                    }
                };
                let input = said.get("updatedInput").filter(|_| decision == Decision::Allow);
                (answer.request_id?, decision, "host", input)
            }
        };
        let request = request.decode();
        let question = self.asked.take(&request)?;
        if question.of_hook && decision != Decision::Deny {
            return None;
        }
        self.evidence.denied |= decision == Decision::Deny;
        // Most hosts hand back what they were asked about, only set otherwise; `{}` stands for it, too (2.1.325).
        let is_other = |input: &Json<'_>| !input.is_empty() && digest(*input) != question.input;
        let input = input.filter(is_other).map(Raw::new);
        let call = question.call.filter(|_| question.of_hook).map(Cow::Owned);
        let what = What::PermissionResolved { request: Some(request), decision, by: by.into(), input, call };
        Some((question.agent, what))
    }
}

/// A hook of the host's does not let a tool run.
pub(crate) fn is_denied_by_hook(answer: Json<'_>) -> bool {
    let output = answer.get("hookSpecificOutput");
    let decision = output.and_then(|output| output.get("permissionDecision")?.as_str());
    decision.is_some_and(|decision| decision == "deny")
}

/// A value, however it is set.
fn digest(value: Json<'_>) -> Digest {
    Digest::of(&value.compact())
}
