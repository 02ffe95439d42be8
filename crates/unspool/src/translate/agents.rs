//! The agents: who is at work, who called whom, when they end.

use super::calls::Brief;
use super::draft::{Draft, Stream};
use super::recent::Recent;
use super::track::Track;
use crate::digest::{ByText, Digest};
use crate::event::AgentStatus;
use crate::json::Str;
use std::collections::HashMap;

/// Agents that are remembered after they ended.
const ENDED: usize = 4096;

#[derive(Debug)]
pub(super) struct Agents {
    main: Voice,
    subs: ByCall<Voice>,
    live: ByCall<Live>,
    count: u64,
    ended: Recent,
    /// Agents that were heard again after their end.
    late: Vec<Box<str>>,
    /// Agents whose call failed, and of whose end a notification may still tell.
    failed: Vec<Box<str>>,
    /// How many results there were.
    pub(super) results: u64,
    /// The call that started each task, and the tasks of each call.
    tasks: ByCall<Box<str>>,
    tasks_of: ByCall<Vec<Box<str>>>,
}

type ByCall<T> = HashMap<Box<str>, T, ByText>;

/// What one agent has said and is saying.
#[derive(Debug, Default)]
pub(super) struct Voice {
    pub(super) track: Track,
    pub(super) stream: Option<Stream>,
    /// The one before, whose memory is used again.
    pub(super) spare: Option<Stream>,
}

impl Voice {
    /// The part at this place of the message that arrives in pieces.
    pub(super) fn draft(&mut self, index: u64) -> Option<&mut Draft> {
        self.stream.as_mut()?.at(index)
    }

    /// A rank for a part of the message that arrives in pieces.
    pub(super) fn next_rank(&mut self) -> u64 {
        let Some(stream) = self.stream.as_mut() else { return 0 };
        match stream.id.as_deref() {
            Some(id) => self.track.message(id).rank(),
            None => {
                stream.ranks += 1;
                stream.ranks - 1
            }
        }
    }
}

/// A sub-agent at work.
#[derive(Debug, Default)]
struct Live {
    order: u64,
    /// Its task was announced.
    task: bool,
    /// The task was heard of again.
    task_again: bool,
}

impl Default for Agents {
    fn default() -> Self {
        Agents {
            main: Voice::default(),
            subs: HashMap::default(),
            live: HashMap::default(),
            count: 0,
            ended: Recent::new(ENDED),
            late: Vec::new(),
            failed: Vec::new(),
            results: 0,
            tasks: HashMap::default(),
            tasks_of: HashMap::default(),
        }
    }
}

impl Agents {
    /// What this agent has said; `None` is the main agent.
    #[inline]
    pub(super) fn voice(&mut self, agent: Option<&str>) -> &mut Voice {
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
    pub(super) fn heard(&self) -> Vec<Option<Box<str>>> {
        let mut subs: Vec<_> = self.subs.keys().cloned().map(Some).collect();
        subs.sort_unstable();
        std::iter::once(None).chain(subs).collect()
    }

    /// Sub-agents that were heard after their end; their voices go with the next result.
    pub(super) fn departed(&self) -> Vec<Box<str>> {
        self.late.iter().filter(|call| !self.live.contains_key(*call)).cloned().collect()
    }

    /// Begins an agent. Returns whether it is the first time.
    pub(super) fn begin(&mut self, call: &str) -> bool {
        if self.is_live(call) || self.ended.contains(Digest::of(call).hash()) {
            return false;
        }
        self.count += 1;
        self.live.insert(call.into(), Live { order: self.count, ..Live::default() });
        true
    }

    pub(super) fn is_live(&self, call: &str) -> bool {
        self.live.contains_key(call)
    }

    /// A task line: which agent it is about.
    pub(super) fn task(
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
    pub(super) fn of_task(&self, task: &str) -> Option<&str> {
        self.tasks.get(task).map(|call| &**call)
    }

    /// The call of an agent has its answer. Returns how the agent ended, if that ends it.
    pub(super) fn answered(&mut self, call: &str, failed: bool) -> Option<AgentStatus> {
        let live = self.live.get_mut(call)?;
        if live.task && (live.task_again || failed) {
            if failed {
                self.failed.push(call.into());
            }
            return None;
        }
        Some(if failed { AgentStatus::Failed } else { AgentStatus::Completed })
    }

    /// Agents whose call failed and of whose end nothing more was heard.
    pub(super) fn unheard(&mut self) -> Vec<Box<str>> {
        std::mem::take(&mut self.failed)
    }

    /// Ends an agent. Returns whether it was at work.
    pub(super) fn end(&mut self, call: &str) -> bool {
        if self.live.remove(call).is_none() {
            return false;
        }
        self.subs.remove(call);
        for task in self.tasks_of.remove(call).unwrap_or_default() {
            self.tasks.remove(&task);
        }
        self.ended.insert(Digest::of(call).hash());
        true
    }

    /// A turn has its result: an agent that was heard again after its end is forgotten.
    pub(super) fn result(&mut self) {
        self.results += 1;
        for call in std::mem::take(&mut self.late) {
            if !self.live.contains_key(&call) {
                self.subs.remove(&call);
            }
        }
    }

    /// The agents at work, in the order they began.
    pub(super) fn still_open(&self) -> Vec<&str> {
        let mut live: Vec<_> = self.live.iter().map(|(call, live)| (live.order, &**call)).collect();
        live.sort_unstable();
        live.into_iter().map(|(_, call)| call).collect()
    }
}

impl Brief {
    /// Fills what is missing.
    pub(super) fn or(self, other: Brief) -> Brief {
        Brief {
            kind: self.kind.or(other.kind),
            description: self.description.or(other.description),
            prompt: self.prompt.or(other.prompt),
            background: self.background || other.background,
        }
    }
}
