//! The agents: who is at work, who called whom, when they end.

pub(crate) mod calls;
pub(crate) mod lifecycle;

use crate::digest::ByText;
use crate::event::AgentStatus;
use crate::json::Str;
use crate::translate::agents::calls::Brief;
use crate::translate::memory::label::LastIds;
use crate::translate::speech::voice::Voice;
use std::collections::HashMap;

/// Agents that are remembered after they ended.
const ENDED: usize = 65_536;

/// So many may be at work, and so many speak after their end; of more, the older half is let go.
const MOST: usize = 8192;

#[derive(Debug)]
pub(crate) struct Agents {
    main: Voice,
    subs: ByCall<Voice>,
    live: ByCall<Live>,
    count: u64,
    ended: LastIds<()>,
    /// Agents that were heard again after their end.
    late: Vec<Box<str>>,
    /// Agents that seem to have ended, and of whose end a notification may still tell more.
    leaving: Vec<(Box<str>, AgentStatus)>,
    /// How many results there were.
    results: u64,
    /// The call that started each task, and the tasks of each call.
    tasks: ByCall<Box<str>>,
    tasks_of: ByCall<Vec<Box<str>>>,
}

type ByCall<T> = HashMap<Box<str>, T, ByText>;

/// A sub-agent at work.
#[derive(Debug, Default)]
struct Live {
    order: u64,
    /// Its task was announced.
    task: bool,
    /// The task was heard of again.
    task_again: bool,
    /// How its task ended, by an update.
    over: Option<AgentStatus>,
}

impl Default for Agents {
    fn default() -> Self {
        Agents {
            main: Voice::default(),
            subs: HashMap::default(),
            live: HashMap::default(),
            count: 0,
            ended: LastIds::new(ENDED),
            late: Vec::new(),
            leaving: Vec::new(),
            results: 0,
            tasks: HashMap::default(),
            tasks_of: HashMap::default(),
        }
    }
}

impl Agents {
    /// What this agent has said; `None` is the main agent.
    #[inline]
    pub(crate) fn voice(&mut self, agent: Option<&str>) -> &mut Voice {
        match agent {
            None => &mut self.main,
            Some(call) => self.sub_voice(call),
        }
    }

    fn sub_voice(&mut self, call: &str) -> &mut Voice {
        if !self.subs.contains_key(call) {
            if !self.live.contains_key(call) {
                self.late.push(call.into());
            }
            self.subs.insert(call.into(), Voice::default());
        }
        // It is there now, so this is never the main agent.
        self.subs.get_mut(call).unwrap_or(&mut self.main)
    }

    /// All agents that were heard; `None` is the main agent.
    pub(crate) fn heard(&self) -> Vec<Option<Box<str>>> {
        let mut subs: Vec<_> = self.subs.keys().cloned().map(Some).collect();
        subs.sort_unstable();
        std::iter::once(None).chain(subs).collect()
    }

    /// Sub-agents that were heard after their end; their voices go with the next result.
    pub(crate) fn departed(&self) -> Vec<Box<str>> {
        self.late.iter().filter(|call| !self.live.contains_key(*call)).cloned().collect()
    }

    /// Begins an agent. Returns whether it is the first time.
    pub(crate) fn begin(&mut self, call: &str) -> bool {
        if self.is_live(call) || self.ended.get(call).is_some() {
            return false;
        }
        self.count += 1;
        self.live.insert(call.into(), Live { order: self.count, ..Live::default() });
        true
    }

    pub(crate) fn is_live(&self, call: &str) -> bool {
        self.live.contains_key(call)
    }

    /// A task line: which agent it is about.
    pub(crate) fn task(
        &mut self,
        task: Option<Str<'_>>,
        call: Option<Str<'_>>,
        started: bool,
    ) -> Option<Box<str>> {
        let (task, call) = (task.map(Str::decode), call.map(Str::decode));
        let call = match (task.as_deref(), call.as_deref()) {
            (Some(task), Some(call)) => {
                if self.live.contains_key(call) && self.tasks.insert(task.into(), call.into()).is_none() {
                    self.tasks_of.entry(call.into()).or_default().push(task.into());
                }
                Box::from(call)
            }
            (None, Some(call)) => Box::from(call),
            (Some(task), None) => self.tasks.get(task)?.clone(),
            (None, None) => return None,
        };
        if let Some(live) = self.live.get_mut(&call) {
            live.task |= started;
            live.task_again |= !started;
        }
        Some(call)
    }

    /// The agent of a task.
    pub(crate) fn of_task(&self, task: &str) -> Option<&str> {
        self.tasks.get(task).map(|call| &**call)
    }

    /// The call of an agent has its answer. Returns how the agent ended, if that ends it.
    pub(crate) fn answered(&mut self, call: &str, failed: bool) -> Option<AgentStatus> {
        let live = self.live.get_mut(call)?;
        if live.over.is_none() && live.task && (live.task_again || failed) {
            if failed {
                self.leaving.push((call.into(), AgentStatus::Failed));
            }
            return None;
        }
        let by_answer = if failed { AgentStatus::Failed } else { AgentStatus::Completed };
        Some(live.over.unwrap_or(by_answer))
    }

    /// An update says that the task of an agent has ended so. The notification that follows nearly always says more.
    pub(crate) fn is_over(&mut self, call: &str, status: AgentStatus) {
        if let Some(live) = self.live.get_mut(call)
            && live.over.replace(status).is_none()
        {
            self.leaving.push((call.into(), status));
        }
    }

    /// Agents that seem to have ended and of whose end nothing more was heard.
    pub(crate) fn unheard(&mut self) -> Vec<(Box<str>, AgentStatus)> {
        let mut leaving = std::mem::take(&mut self.leaving);
        for (call, status) in &mut leaving {
            *status = self.live.get(call).and_then(|live| live.over).unwrap_or(*status);
        }
        leaving
    }

    /// Whether more are at work than can be remembered.
    pub(crate) fn is_crowded(&self) -> bool {
        self.live.len() > MOST
    }

    /// The older half of those at work.
    pub(crate) fn older_half(&self) -> Vec<Box<str>> {
        let mut open = self.still_open();
        open.truncate(open.len() / 2);
        open.into_iter().map(Box::from).collect()
    }

    /// Sub-agents that speak after their end, if there are too many of them; [`forget`](Self::forget) lets them go.
    pub(crate) fn crowd_of_late(&self) -> Vec<Box<str>> {
        if self.late.len() > MOST { self.departed() } else { Vec::new() }
    }

    /// Ends an agent. Returns whether it was at work.
    pub(crate) fn end(&mut self, call: &str) -> bool {
        if self.live.remove(call).is_none() {
            return false;
        }
        self.subs.remove(call);
        for task in self.tasks_of.remove(call).unwrap_or_default() {
            self.tasks.remove(&task);
        }
        self.ended.of(call);
        true
    }

    /// How many results there were.
    pub(crate) fn results(&self) -> u64 {
        self.results
    }

    /// A turn has its result: an agent that was heard again after its end is forgotten.
    pub(crate) fn result(&mut self) {
        self.results += 1;
        self.forget();
    }

    /// Forgets what agents have said after their end.
    pub(crate) fn forget(&mut self) {
        for call in std::mem::take(&mut self.late) {
            if !self.live.contains_key(&call) {
                self.subs.remove(&call);
            }
        }
    }

    /// The agents at work, in the order they began.
    pub(crate) fn still_open(&self) -> Vec<&str> {
        let mut live: Vec<_> = self.live.iter().map(|(call, live)| (live.order, &**call)).collect();
        live.sort_unstable();
        live.into_iter().map(|(_, call)| call).collect()
    }
}

impl Brief {
    /// Fills what is missing.
    pub(crate) fn or(self, other: Brief) -> Brief {
        Brief {
            kind: self.kind.or(other.kind),
            description: self.description.or(other.description),
            prompt: self.prompt.or(other.prompt),
            background: self.background || other.background,
        }
    }
}
