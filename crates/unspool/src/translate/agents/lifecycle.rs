//! When sub-agents begin and end.

use crate::event::{AgentStatus, Tokens, What};
use crate::json::{Json, Spot, Str};
use crate::translate::Translator;
use crate::translate::agents::calls::Brief;
use crate::translate::read::content::Answer;
use crate::translate::read::detail::Detail;
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::wire::Wire;
use crate::wire::quirk::{flatten_content, says_denied};
use crate::wire::system::{TaskStatus, TaskType, TaskUsage};
use crate::wire::tool::AgentOutputKind;
use std::borrow::Cow;

/// What is known of an agent's end.
#[derive(Default)]
pub(crate) struct Ending {
    pub(crate) duration_ms: Option<u64>,
    pub(crate) usage: Option<Tokens>,
    pub(crate) total_tokens: Option<u64>,
}

impl Translator {
    /// A line bears this agent: it is at work.
    pub(crate) fn announce(&mut self, cx: &mut Cx<'_, '_>, call: &str, kind: Spot, description: Spot) {
        if self.agents.is_live(call) {
            return;
        }
        if self.calls.is_answered(call) {
            return self.let_late_go(cx);
        }
        let own = |place: Spot| cx.chart().str(place).map(|text| text.to_string());
        let brief = Brief { kind: own(kind), description: own(description), ..Brief::default() };
        self.begin_agent(cx, call, brief, None);
    }

    /// A line shows that this agent is at work, and something else says what it is.
    pub(crate) fn announce_as(&mut self, cx: &mut Cx<'_, '_>, call: &str, brief: impl FnOnce() -> Brief) {
        if !self.agents.is_live(call) && !self.calls.is_answered(call) {
            self.begin_agent(cx, call, brief(), None);
        }
    }

    fn begin_agent(&mut self, cx: &mut Cx<'_, '_>, call: &str, brief: Brief, parent_task: Option<&str>) {
        if !self.agents.begin(call) {
            return self.let_late_go(cx);
        }
        let started_by = self.calls.get(call);
        let parent = match (started_by, parent_task.and_then(|task| self.agents.of_task(task))) {
            (Some(started_by), _) => started_by.agent().unwrap_or("main").to_owned(),
            (None, Some(parent)) => parent.to_owned(),
            (None, None) => "main".to_owned(),
        };
        let brief = brief.or(started_by.and_then(|call| call.brief().cloned()).unwrap_or_default());
        let what = What::AgentStart {
            parent: parent.into(),
            kind: brief.kind.map(Cow::Owned),
            description: brief.description.map(Cow::Owned),
            prompt: brief.prompt.map(Cow::Owned),
            background: brief.background,
        };
        self.teller.tell(cx, Some(call), what);
        if self.agents.is_crowded() {
            self.end_unheard(cx);
        }
        if self.agents.is_crowded() {
            for agent in self.agents.older_half() {
                self.end_agent(cx, &agent, AgentStatus::Unknown, Ending::default());
            }
        }
    }

    /// What agents say after their end is remembered until the next result, which may never come.
    fn let_late_go(&mut self, cx: &mut Cx<'_, '_>) {
        let late = self.agents.crowd_of_late();
        late.iter().for_each(|agent| self.give_up_stream(cx, Some(agent)));
        if !late.is_empty() {
            self.agents.forget();
        }
    }

    /// A task begins, and with it perhaps an agent.
    pub(crate) fn task_starts(&mut self, cx: &mut Cx<'_, '_>, task: &fields::Task) {
        let chart = cx.chart();
        // `local_bash` is a command in the background: fixtures/agents/bgbash-2.1.325.
        let kind = chart.str(task.task_type()).map(TaskType::from);
        if kind.is_some_and(|kind| kind != TaskType::LocalAgent) {
            return;
        }
        let Some(call) = chart.str(task.tool_use_id()).map(Str::decode) else { return };
        // 2.1.50 tells the task of an agent when the agent has ended; fixtures/agents/sub1-2.1.50.
        if self.calls.is_answered(&call) && !self.agents.is_live(&call) {
            return;
        }
        let own = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        let brief = Brief {
            kind: own(chart.str(task.subagent_type())),
            description: own(chart.str(task.description())),
            prompt: own(chart.str(task.prompt())),
            background: chart.bool(task.is_backgrounded()).unwrap_or(false),
        };
        // Agents of agents, from 2.1.197 on; fixtures/agents/subnest_fwd-2.1.325.
        let parent = chart.str(task.parent_task_id()).map(Str::decode);
        self.begin_agent(cx, &call, brief, parent.as_deref());
    }

    /// A task has changed; it may have ended. In recordings a notification always follows, which says more; where none
    /// comes, this has to do: fixtures/agents/ended_by_update.
    pub(crate) fn task_changes(&mut self, cx: &mut Cx<'_, '_>, task: &fields::Task) {
        let chart = cx.chart();
        let Some(agent) = self.agents.task(chart.str(task.task_id()), None, false) else { return };
        let status = fields::Task::of(&chart, task.patch()).status();
        match status_of(chart.str(status)) {
            AgentStatus::Unknown => {}
            ended => self.agents.is_over(&agent, ended),
        }
    }

    /// A task has ended, and with it perhaps an agent.
    pub(crate) fn task_ends(&mut self, cx: &mut Cx<'_, '_>, task: &fields::Task) {
        let chart = cx.chart();
        self.turns.task_ended();
        let (id, call) = (chart.str(task.task_id()), chart.str(task.tool_use_id()));
        let Some(agent) = self.agents.task(id, call, false) else { return };
        let status = status_of(chart.str(task.status()));
        let usage = chart.value(task.usage()).and_then(TaskUsage::of).unwrap_or_default();
        let ending = Ending {
            duration_ms: usage.duration_ms.map(|time| time as u64),
            usage: None,
            total_tokens: usage.total_tokens,
        };
        self.end_agent(cx, &agent, status, ending);
    }

    /// A tool has answered: the agent that its call started may end with it. Returns whether the answer
    /// only says that the agent was launched.
    pub(crate) fn on_answer(
        &mut self,
        cx: &mut Cx<'_, '_>,
        answer: &Answer<'_>,
        detail: Option<&Detail<'_>>,
    ) -> bool {
        let Some(call) = answer.tool_use_id.map(Str::decode) else { return false };
        self.asked.called(&call);
        let failed = answer.is_error.unwrap_or(false);
        if failed && answer.content.is_some_and(|content| says_denied(&flatten_content(content))) {
            self.evidence.tool_denied();
        }
        self.turns.answered(&call, failed);
        let starts_agent =
            self.agents.is_live(&call) || self.calls.get(&call).is_some_and(|it| it.brief().is_some());
        if !starts_agent {
            return false;
        }
        if is_launch(answer, detail) {
            return true;
        }
        let Some(status) = self.agents.answered(&call, failed) else { return false };
        let ending = Ending {
            duration_ms: detail.and_then(|detail| detail.total_duration_ms),
            usage: detail.and_then(|detail| detail.tokens.clone()),
            total_tokens: detail.and_then(|detail| detail.total_tokens),
        };
        self.end_agent(cx, &call, status, ending);
        false
    }

    /// Agents whose call failed or whose task has ended, and whose end no notification has told by the end of the turn.
    pub(crate) fn end_unheard(&mut self, cx: &mut Cx<'_, '_>) {
        for (agent, status) in self.agents.unheard() {
            self.end_agent(cx, &agent, status, Ending::default());
        }
    }

    pub(crate) fn end_agent(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: &str,
        status: AgentStatus,
        ending: Ending,
    ) {
        if !self.agents.is_live(agent) {
            return;
        }
        self.give_up_stream(cx, Some(agent));
        self.agents.end(agent);
        self.calls.leave(agent);
        let Ending { duration_ms, usage, total_tokens } = ending;
        self.teller.tell(cx, Some(agent), What::AgentEnd { status, duration_ms, usage, total_tokens });
    }
}

/// How an agent ended whose task stands so.
pub(crate) fn status_of(task: Option<Str<'_>>) -> AgentStatus {
    match task.map(TaskStatus::from) {
        Some(TaskStatus::Completed) => AgentStatus::Completed,
        Some(TaskStatus::Failed) => AgentStatus::Failed,
        // `task_updated` says `killed` where `task_notification` says `stopped`: fixtures/agents/stop_task-2.1.325.
        Some(TaskStatus::Stopped | TaskStatus::Killed) => AgentStatus::Stopped,
        Some(TaskStatus::Pending | TaskStatus::Running | TaskStatus::Paused | TaskStatus::Other(_))
        | None => AgentStatus::Unknown,
    }
}

/// Whether the answer only says that the agent was launched, and goes on in the background; 2.0.77 and later:
/// fixtures/agents/bgagent-2.1.50.
fn is_launch(answer: &Answer<'_>, detail: Option<&Detail<'_>>) -> bool {
    let status = detail.and_then(|detail| detail.status);
    match status {
        Some(status) => {
            let kind = AgentOutputKind::of(&status.decode());
            matches!(kind, Some(AgentOutputKind::AsyncLaunched | AgentOutputKind::RemoteLaunched))
        }
        None => {
            let text = crate::wire::quirk::flatten_content(answer.content.unwrap_or(Json::NULL));
            text.starts_with("Async agent launched")
        }
    }
}
