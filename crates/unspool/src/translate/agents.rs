//! The agents: who is at work, who called whom, when they end.

use super::calls::Brief;
use super::draft::Stream;
use super::recent::Recent;
use super::track::Track;
use crate::digest::Digest;
use crate::event::AgentStatus;
use std::collections::HashMap;

/// Agents that are remembered after they ended.
const ENDED: usize = 4096;

#[derive(Debug)]
pub(super) struct Agents {
    main: Voice,
    subs: HashMap<Box<str>, Voice>,
    live: Vec<Live>,
    ended: Recent,
    /// The call that started each task.
    tasks: HashMap<Box<str>, Box<str>>,
}

/// What one agent has said and is saying.
#[derive(Debug, Default)]
pub(super) struct Voice {
    pub(super) track: Track,
    pub(super) stream: Option<Stream>,
}

/// A sub-agent at work.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) call: Box<str>,
    /// Its task was announced.
    task: bool,
    /// The task was heard of again.
    task_again: bool,
    /// Its call failed, and a notification may still say how it really ended.
    failed: bool,
}

impl Default for Agents {
    fn default() -> Self {
        Agents {
            main: Voice::default(),
            subs: HashMap::new(),
            live: Vec::new(),
            ended: Recent::new(ENDED),
            tasks: HashMap::new(),
        }
    }
}

impl Agents {
    /// What this agent has said; `None` is the main agent.
    pub(super) fn voice(&mut self, agent: Option<&str>) -> &mut Voice {
        match agent {
            None => &mut self.main,
            Some(call) => {
                if !self.subs.contains_key(call) {
                    self.subs.insert(call.into(), Voice::default());
                }
                self.subs.get_mut(call).unwrap_or(&mut self.main)
            }
        }
    }

    /// All agents that were heard; `None` is the main agent.
    pub(super) fn heard(&self) -> Vec<Option<Box<str>>> {
        let mut subs: Vec<_> = self.subs.keys().cloned().map(Some).collect();
        subs.sort_unstable();
        std::iter::once(None).chain(subs).collect()
    }

    /// Sub-agents that were heard after their end; their voices go with the next result.
    pub(super) fn departed(&self) -> Vec<Box<str>> {
        let mut departed: Vec<_> = self.subs.keys().filter(|call| !self.is_live(call)).cloned().collect();
        departed.sort_unstable();
        departed
    }

    /// Begins an agent. Returns whether it is the first time.
    pub(super) fn begin(&mut self, call: &str) -> bool {
        if self.is_live(call) || self.ended.contains(Digest::of(call).hash()) {
            return false;
        }
        self.live.push(Live { call: call.into(), task: false, task_again: false, failed: false });
        true
    }

    pub(super) fn is_live(&self, call: &str) -> bool {
        self.live.iter().any(|live| &*live.call == call)
    }

    /// A task line: which agent it is about.
    pub(super) fn task(&mut self, task: Option<&str>, call: Option<&str>, started: bool) -> Option<Box<str>> {
        let call = match (task, call) {
            (Some(task), Some(call)) => {
                self.tasks.insert(task.into(), call.into());
                Box::from(call)
            }
            (None, Some(call)) => Box::from(call),
            (Some(task), None) => self.tasks.get(task)?.clone(),
            (None, None) => return None,
        };
        if let Some(live) = self.live.iter_mut().find(|live| live.call == call) {
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
        let live = self.live.iter_mut().find(|live| &*live.call == call)?;
        if live.task && (live.task_again || failed) {
            live.failed = failed;
            return None;
        }
        Some(if failed { AgentStatus::Failed } else { AgentStatus::Completed })
    }

    /// Agents whose call failed and of whose end nothing more was heard.
    pub(super) fn unheard(&self) -> Vec<Box<str>> {
        self.live.iter().filter(|live| live.failed).map(|live| live.call.clone()).collect()
    }

    /// Ends an agent. Returns whether it was at work.
    pub(super) fn end(&mut self, call: &str) -> bool {
        let Some(at) = self.live.iter().position(|live| &*live.call == call) else { return false };
        self.live.remove(at);
        self.subs.remove(call);
        self.tasks.retain(|_, other| &**other != call);
        self.ended.insert(Digest::of(call).hash());
        true
    }

    /// A turn has its result.
    pub(super) fn result(&mut self) {
        self.main.track.result();
        let live = &self.live;
        // A voice that came back after its agent's end is kept for one turn.
        self.subs.retain(|call, voice| {
            voice.track.result();
            live.iter().any(|live| live.call == *call)
        });
        if self.tasks.len() > ENDED {
            self.tasks.clear();
        }
    }

    /// The agents at work, in the order they began.
    pub(super) fn still_open(&self) -> Vec<&str> {
        self.live.iter().map(|live| &*live.call).collect()
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
