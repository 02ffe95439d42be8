//! Whether a tool may run: what Claude Code asks, and what it is answered.

use super::TOLD;
use crate::digest::Digest;
use crate::event::{Decision, Raw, What};
use crate::json::{Cursor, Json, Str};
use crate::translate::Translator;
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::wire::hook::{HookEvent, HookHead, HookPermission, HookSpecific};
use crate::wire::{
    AskKind, Behavior, CommandKind, ControlAnswer, ControlCancelRequest, ControlResponse, HookOutput, Kind,
    PermissionAnswer, Wire,
};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Permission requests that are remembered. Without the host's side of the dialogue most answers are not
/// seen.
const ASKED: usize = 1024;

/// Permission requests whose answer was not seen, the last ones.
#[derive(Debug, Default)]
pub(crate) struct Asked(VecDeque<Question>);

#[derive(Debug)]
struct Question {
    request: String,
    /// The agent that wants to know.
    agent: Option<String>,
    call: Option<String>,
    /// A hook is asked, which may deny the call; Claude Code says nothing of it.
    of_hook: bool,
    /// What the tool would be given.
    input: Digest,
}

impl Asked {
    fn push(&mut self, question: Question) {
        if self.0.len() == ASKED {
            self.0.pop_front();
        }
        self.0.push_back(question);
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, request: Str<'_>) -> bool {
        self.0.iter().any(|question| request == question.request.as_str())
    }

    fn is_of_hook(&self, request: Str<'_>) -> bool {
        self.0.iter().any(|question| question.of_hook && request == question.request.as_str())
    }

    fn take(&mut self, request: &str) -> Option<Question> {
        let at = self.0.iter().rposition(|question| question.request == request)?;
        self.0.remove(at)
    }

    /// The call was made, or not: its question gets no answer any more.
    pub(crate) fn called(&mut self, call: &str) {
        self.0.retain(|question| question.call.as_deref() != Some(call));
    }
}

impl Translator {
    pub(super) fn on_control_request(&mut self, cx: &mut Cx<'_, '_>, line: &fields::Line) -> bool {
        let chart = cx.chart();
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
        let chart = cx.chart();
        let hook = chart.value(request.input()).and_then(HookHead::of).unwrap_or_default();
        let call = chart.str(request.tool_use_id()).or(hook.tool_use_id);
        if let (Some(id), Some(call)) = (chart.str(line.request_id()), call)
            && hook.hook_event_name.is_some_and(|event| event == HookEvent::PreToolUse.name())
        {
            let agent = self.asker(chart.str(request.agent_id()).or(hook.agent_id), Some(call));
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
    pub(super) fn resolved<'l>(&mut self, kind: Kind, json: Json<'l>) -> Option<(Option<String>, What<'l>)> {
        if self.asked.is_empty() {
            return None;
        }
        let (request, decision, by, input) = match kind {
            Kind::ControlCancelRequest => {
                (ControlCancelRequest::of(json)?.request_id?, Decision::Cancelled, "cli", None)
            }
            _ => {
                let answer = ControlResponse::of(json)?.response?;
                // An answer may be long, and nearly all are not for one of these.
                let id = Cursor::checked(answer.json().text()).tag(ControlAnswer::NAMES.request_id)?;
                if !self.asked.has(id) {
                    return None;
                }
                let answer = answer.read();
                let response = answer.response.unwrap_or(Json::NULL);
                let said = PermissionAnswer::of(response).unwrap_or_default();
                let decision = match said.behavior {
                    Some(Behavior::Allow) => Decision::Allow,
                    Some(Behavior::Deny) => Decision::Deny,
                    None if self.asked.is_of_hook(id) => match is_denied_by_hook(response) {
                        true => Decision::Deny,
                        false => Decision::Cancelled,
                    },
                    // It was no answer, which is a denial.
                    None => Decision::Deny,
                    // Somebody else decides.
                    Some(Behavior::Delegate | Behavior::Ask | Behavior::Other(_)) => {
                        self.asked.take(&id.decode());
                        return None;
                    }
                };
                let input = said.updated_input.filter(|_| decision == Decision::Allow);
                (answer.request_id?, decision, "host", input)
            }
        };
        let request = request.decode();
        let question = self.asked.take(&request)?;
        if question.of_hook && decision != Decision::Deny {
            return None;
        }
        if decision == Decision::Deny {
            self.evidence.tool_denied();
        }
        // Most hosts hand back what they were asked about, only set otherwise; `{}` stands for it, too (2.1.325).
        let is_other = |input: &Json<'_>| !input.is_empty() && digest(*input) != question.input;
        let input = input.filter(is_other).map(Raw::new);
        let call = question.call.filter(|_| question.of_hook).map(Cow::Owned);
        let what = What::PermissionResolved { request: Some(request), decision, by: by.into(), input, call };
        Some((question.agent, what))
    }
}

/// A hook of the host's does not let a tool run.
pub(super) fn is_denied_by_hook(answer: Json<'_>) -> bool {
    let specific = HookOutput::of(answer).and_then(|output| output.specific);
    matches!(specific, Some(HookSpecific::PreToolUseOutput(it)) if it.permission_decision == Some(HookPermission::Deny))
}

/// A value, however it is set.
fn digest(value: Json<'_>) -> Digest {
    Digest::of(&value.compact())
}
