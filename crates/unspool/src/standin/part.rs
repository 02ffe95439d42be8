//! A life that is played: the recording goes on until it waits for the host.

use super::DEVIATED;
use super::args::Args;
use super::clock::{Clock, Speed};
use super::deviation::{Deviation, Waits};
use super::ended::Ended;
use super::life::{Hears, Life};
use super::names::Names;
use super::stand_in::Act;
use super::step::{Hear, Lane, Meaning, Say, Step};
use super::vary::Variation;
use crate::journal::Way;
use std::collections::{HashMap, VecDeque};

/// A life, and how far it was played.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) life: Life,
    /// For each step whether it was played, or heard.
    pub(super) done: Vec<bool>,
    /// When it was heard.
    heard: Vec<u64>,
    /// All steps before this one are done, or nobody waits for them.
    pub(super) next: usize,
    /// The recorded answers of the host, by the question.
    pub(super) answers: HashMap<String, Vec<usize>>,
    clock: Clock,
    pub(super) names: Names,
    /// What the host gives the program, until it is compared.
    args: Option<Args>,
    /// The host has written a prompt to a life of which nobody knows what it hears, or will write none.
    pub(super) is_prompted: bool,
    pub(super) is_closed: bool,
    /// When the host was last heard.
    pub(super) heard_at: u64,
    pub(super) told: VecDeque<Deviation>,
    /// What is written beside the recording.
    pub(super) replies: VecDeque<Vec<u8>>,
    /// It has ended, for good.
    over: Option<Ended>,
    pub(super) speed: Speed,
    pub(super) is_lenient: bool,
    pub(super) is_strict: bool,
    pub(super) ignored: Vec<String>,
}

/// How a life goes on.
enum Next {
    /// This step is written.
    Say(usize),
    Wait(u64),
    /// There is something to be told.
    Tell,
    Listen,
    Exit,
}

/// So long a host is quiet that waits for an answer.
const QUIET: u64 = 100;

/// So long a request may come later than what the host said behind it.
const PATIENCE: u64 = 10_000;

impl Part {
    pub(super) fn new<A: AsRef<str>>(life: Life, args: &[A]) -> Self {
        let mut part = Part {
            life: Life::default(),
            done: Vec::new(),
            heard: Vec::new(),
            next: 0,
            answers: HashMap::new(),
            clock: Clock::default(),
            names: Names::default(),
            args: Some(Args::read(args)),
            is_prompted: false,
            is_closed: false,
            heard_at: 0,
            told: VecDeque::new(),
            replies: VecDeque::new(),
            over: None,
            speed: Speed::Max,
            is_lenient: false,
            is_strict: false,
            ignored: Vec::new(),
        };
        part.set(life);
        part
    }

    pub(super) fn vary(&mut self, variation: &Variation) {
        self.set(self.life.varied(variation));
    }

    fn set(&mut self, life: Life) {
        (self.done, self.heard) = (vec![false; life.steps.len()], vec![0; life.steps.len()]);
        self.answers.clear();
        for (index, step) in life.steps.iter().enumerate() {
            if let Step::Hear(Hear { lane: Lane::Answer { id }, .. }) = step {
                self.answers.entry(id.clone()).or_default().push(index);
            }
        }
        self.life = life;
    }

    /// Compares the arguments with the recorded ones, before anything else happens.
    pub(super) fn begin(&mut self) {
        let Some(args) = self.args.take() else { return };
        if let Some(recorded) = &self.life.args {
            let deviations = args.deviations(recorded, &self.names);
            self.told.extend(deviations.into_iter().map(|(deviation, _)| deviation));
            for (recorded, now) in args.names(recorded) {
                self.names.note(recorded, now);
            }
        }
        if self.life.hears == Hears::Unknown && !args.is_json() {
            // The prompt is among the arguments, and nothing has to be heard.
            self.is_prompted = true;
            self.life.ended = Some(self.life.ended());
        }
    }

    pub(super) fn waits(&self) -> Option<Waits> {
        match self.life.steps.get(self.next)? {
            Step::Hear(hear) if !self.done[self.next] && !hear.is_optional => Some(hear.waits()),
            _ => None,
        }
    }

    pub(super) fn poll(&mut self, now: u64) -> Act<'_> {
        if let Some(ended) = self.over {
            return Act::Exit(ended);
        }
        if let Some(act) = self.tell() {
            return act;
        }
        if let Some(reply) = self.replies.pop_front() {
            return Act::Write(Way::Out, reply.into());
        }
        if self.life.hears == Hears::Unknown && !self.is_prompted {
            return Act::Listen;
        }
        match self.go_on(now) {
            Next::Wait(due) => Act::Wait(due),
            Next::Tell => self.tell().unwrap_or(Act::Listen),
            Next::Listen => Act::Listen,
            Next::Exit => Act::Exit(*self.over.insert(self.life.ended())),
            Next::Say(index) => match &self.life.steps[index] {
                Step::Say(say) => Act::Write(say.way, self.names.rename(&say.bytes)),
                Step::Hear(_) => Act::Listen,
            },
        }
    }

    fn tell(&mut self) -> Option<Act<'static>> {
        let deviation = self.told.pop_front()?;
        self.over = self.is_fatal(&deviation).then_some(Ended::with(DEVIATED));
        Some(Act::Tell(deviation))
    }

    fn go_on(&mut self, now: u64) -> Next {
        while let Some(step) = self.life.steps.get(self.next) {
            match step {
                Step::Hear(hear) if self.done[self.next] => {
                    self.clock.pass(hear.at, self.heard[self.next]);
                }
                Step::Hear(hear) if hear.is_optional => {}
                Step::Hear(_) => {
                    return match self.answer_before(now) {
                        Next::Listen => self.wait_for_request(now),
                        next => next,
                    };
                }
                Step::Say(say) if self.done[self.next] || self.is_nobodys(say) => {}
                // A text is read to its end first.
                Step::Say(_) if self.reads_on() => return Next::Listen,
                Step::Say(say) => {
                    let due = self.clock.due(say.at, self.speed).saturating_add(say.pause);
                    if due > now {
                        return Next::Wait(due);
                    }
                    self.clock.pass(say.at, due);
                    self.done[self.next] = true;
                    self.next += 1;
                    return Next::Say(self.next - 1);
                }
            }
            self.next += 1;
        }
        self.exit(now)
    }

    fn exit(&self, now: u64) -> Next {
        let is_open = self.life.closes || self.life.ended.is_none() && self.life.hears != Hears::Text;
        if is_open && !self.is_closed {
            return Next::Listen;
        }
        let due = self.clock.due(self.life.end, self.speed);
        if due > now { Next::Wait(due) } else { Next::Exit }
    }

    /// The recording waits for the host; but the host may wait for an answer, which waits for nothing.
    fn answer_before(&mut self, now: u64) -> Next {
        let steps = self.life.steps.iter().enumerate().skip(self.next);
        let mut answers = steps.filter_map(|(index, step)| match step {
            Step::Say(Say { is: Meaning::Answer { id }, at, .. }) if !self.done[index] => {
                Some((index, id, *at))
            }
            _ => None,
        });
        let asked = answers.find(|(_, id, _)| self.names.request(id).is_some());
        let Some((index, _, at)) = asked else { return Next::Listen };
        // What the host is about to write comes first, so that the order is kept if it can be.
        let due = self.clock.due(at, self.speed).max(self.heard_at.saturating_add(QUIET));
        if due > now {
            return Next::Wait(due);
        }
        self.done[index] = true;
        Next::Say(index)
    }

    /// The recording waits for the host. A person may take long over a prompt or an answer; a request is made by a program, which
    /// will not make it any more when it has long gone on.
    fn wait_for_request(&mut self, now: u64) -> Next {
        let Step::Hear(hear @ Hear { lane: Lane::Request { id, .. }, .. }) = &self.life.steps[self.next]
        else {
            return Next::Listen;
        };
        let heard =
            self.life.steps.iter().zip(&self.done).skip(self.next).find_map(|(step, done)| match step {
                Step::Hear(hear) if *done => Some(hear.number),
                _ => None,
            });
        let Some(heard) = heard else { return Next::Listen };
        let due = self.heard_at.saturating_add(PATIENCE);
        if due > now {
            return Next::Wait(due);
        }
        self.told.push_back(Deviation::Skipped { waits: hear.waits(), heard });
        let is_answer = |step: &Step| matches!(step, Step::Say(Say { is: Meaning::Answer { id: answered }, .. }) if answered == id);
        let answer = self.life.steps.iter().position(is_answer);
        answer.into_iter().chain([self.next]).for_each(|index| self.done[index] = true);
        Next::Tell
    }

    /// Whether a text has not ended on which all depends.
    fn reads_on(&self) -> bool {
        let is_read = self.life.hears == Hears::Text && self.life.closes && !self.is_closed;
        is_read && self.life.steps.iter().any(|step| matches!(step, Step::Hear(_)))
    }

    /// Whether a line answers what this host has never asked.
    fn is_nobodys(&self, say: &Say) -> bool {
        self.life.hears == Hears::Unknown && matches!(say.is, Meaning::Answer { .. })
    }

    /// Whether this ends it.
    fn is_fatal(&self, deviation: &Deviation) -> bool {
        match deviation {
            Deviation::Argument { .. } | Deviation::Unknown { .. } => self.is_strict,
            _ => !self.is_lenient,
        }
    }

    /// This line was heard.
    pub(super) fn hear(&mut self, index: usize, now: u64) {
        (self.done[index], self.heard[index]) = (true, now);
    }
}
