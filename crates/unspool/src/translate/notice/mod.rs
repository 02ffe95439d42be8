//! Everything that is not said by an agent: tasks, hooks, states, control traffic.

pub(crate) mod permission;
mod wrote;

use crate::event::{Raw, What};
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::translate::{Grain, Translator};
use crate::wire::{CommandState, Kind, SystemKind};
use std::borrow::Cow;

/// What an event tells in its own words; of a `system` line the subtype too.
const TOLD: &[&str] = &["type", "uuid", "session_id", "timestamp"];
const TOLD_SYSTEM: &[&str] = &["type", "subtype", "uuid", "session_id", "timestamp"];

impl Translator {
    /// A `system` line.
    pub(crate) fn on_system(&mut self, cx: &mut Cx<'_, '_>, subtype: SystemKind, line: &fields::Line) {
        let chart = cx.chart();
        let kind = Cow::Borrowed(subtype.name());
        let data = Raw::without(chart.json(), TOLD_SYSTEM);
        let task = || fields::Task::of(&chart, chart.root());
        let what = match subtype {
            SystemKind::HookStarted | SystemKind::HookProgress | SystemKind::HookResponse => {
                let name = chart.str(line.hook_name());
                if name.is_some_and(|name| name == "SessionStart:resume") {
                    self.tally.resumes();
                }
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
                self.evidence.tool_denied();
                What::Notice { kind, data }
            }
            _ => What::Notice { kind, data },
        };
        self.teller.tell(cx, None, what);
    }

    /// Any other line that is known. Returns whether it has the shape of its type.
    pub(crate) fn on_other(&mut self, cx: &mut Cx<'_, '_>, kind: Kind, line: &fields::Line) -> bool {
        let json = cx.chart().json();
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
                let state = cx.chart().str(line.state()).map(CommandState::from);
                if matches!(state, Some(CommandState::Queued | CommandState::Started)) {
                    self.turns.prompted();
                }
                match (cx.chart().str(line.command_uuid()), state) {
                    (None, _) | (_, None | Some(CommandState::Queued)) => {}
                    (Some(prompt), Some(CommandState::Started)) => self.turns.prompt_started(prompt),
                    (Some(prompt), Some(_)) => self.turns.prompt_used(prompt),
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
}
