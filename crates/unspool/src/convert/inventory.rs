//! What stands in a session, counted.

use super::{Loss, Target, kept};
use crate::event::{Event, What};
use crate::journal::{Begin, Entry, Fault, Finish, Note, Way};
use crate::json::Json;
use crate::line::{End, Line, Lines};
use crate::retell::is_of_deltas;
use crate::translate::Grain;
use crate::wire::Kind;

/// Counts what stands in a session, whatever form it has. Memory does not grow with it.
#[derive(Debug, Default)]
pub struct Inventory {
    lines: Lines,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    timed: bool,
    /// The recording says that its times say nothing.
    untimed: bool,
    /// Lines that came, of a transcript or events too.
    came: u64,
    pieces: u64,
    agents: u64,
    results: u64,
    others: u64,
    written: u64,
    in_part: u64,
    errors: u64,
    started: bool,
    resumed: bool,
    restarts: u64,
    exit: Option<String>,
    ended: Option<String>,
    damage: Option<String>,
}

impl Inventory {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Inventory::default()
    }

    /// An entry of a recording.
    pub fn entry(&mut self, entry: &Entry<'_>) {
        let counts = &mut self.counts;
        match entry.way {
            Way::Out => {
                counts.timed |= !counts.untimed;
                self.stream(&entry.bytes);
                if entry.end == End::Newline {
                    self.stream(b"\n");
                }
            }
            // Half a line was never read as one.
            Way::In if entry.end == End::Stream => counts.written += 1,
            Way::In => self.wrote(&String::from_utf8_lossy(&entry.bytes)),
            Way::Err => counts.errors += 1,
            Way::Note => match entry.note() {
                Some(Note::Begin(begin)) => counts.began(&begin),
                Some(Note::Start(_)) => counts.restarts += 1,
                Some(Note::Finish(end)) => counts.ended(&end),
                _ => {}
            },
        }
    }

    /// Something is wrong with the recording.
    pub fn fault(&mut self, fault: &Fault) {
        if fault.is_loss() && self.counts.damage.is_none() {
            self.counts.damage = Some(fault.to_string());
        }
    }

    /// Bytes of a stream, cut anywhere.
    fn stream(&mut self, bytes: &[u8]) {
        let Inventory { lines, counts } = self;
        lines.feed(bytes, |_| {}, |line| counts.line(&line));
    }

    /// A line that was written to Claude Code.
    fn wrote(&mut self, line: &str) {
        self.counts.written += 1;
        self.counts.in_part += u64::from(kept(line) != line.trim());
    }

    /// An entry of a transcript.
    pub fn transcript(&mut self, _entry: &[u8]) {
        self.counts.came += 1;
    }

    /// An event that was written down.
    pub fn event(&mut self, event: &Event<'_>) {
        let grows = match &event.what {
            What::TextDelta { .. } | What::ThinkingDelta { .. } | What::ToolInputDelta { .. } => true,
            What::BlockEnd { .. } => true,
            _ => is_of_deltas(event),
        };
        self.counts.pieces += u64::from(grows);
    }

    /// There is no more.
    pub fn finish(&mut self) {
        let Inventory { lines, counts } = self;
        lines.finish(|line| counts.line(&line));
    }

    /// Whether anything in it says when it was.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.counts.timed
    }

    /// What of it does not stand in this form of it.
    #[must_use]
    pub fn losses(&self, target: Target) -> Vec<Loss> {
        self.counts.losses(target)
    }
}

impl Counts {
    fn began(&mut self, begin: &Begin<'_>) {
        self.untimed = begin.untimed == Some(true);
        let Begin { session, machine, argv, cwd, version, time, .. } = begin;
        let words = [session, machine, cwd, version, time];
        self.started |= argv.is_some() || words.iter().any(|words| words.is_some());
        let resumes = |word: &str| {
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            ["--resume", "-r", "--continue", "-c"].contains(&name)
        };
        self.resumed |= argv.iter().flat_map(|argv| argv.iter()).any(|word| resumes(&word.decode()));
    }

    fn ended(&mut self, end: &Finish<'_>) {
        let by = |what: &str, number: Option<u64>| number.map(|number| format!("{what} {number}"));
        self.exit = by("exit code", end.code).or_else(|| by("signal", end.signal));
        let beside = end.beside();
        let cut = beside.cut.as_ref().map(|cut| cut.why().to_owned());
        self.ended = cut.or(beside.unfit).or(beside.left);
    }

    fn line(&mut self, line: &Line<'_>) {
        let text = line.text();
        if text.is_empty() {
            return;
        }
        self.came += 1;
        let Ok(json) = Json::new(&text) else {
            self.others += 1;
            return;
        };
        match Kind::last_of(json) {
            Kind::StreamEvent => self.pieces += 1,
            Kind::Result | Kind::BareResult => self.results += 1,
            Kind::Assistant | Kind::User if is_of_agent(json) => self.agents += 1,
            Kind::Assistant | Kind::User => {}
            _ => self.others += 1,
        }
    }

    fn losses(&self, target: Target) -> Vec<Loss> {
        let some = |number: u64, loss: fn(u64) -> Loss| (number > 0).then(|| loss(number));
        let times = self.timed.then_some(Loss::Times);
        let written = some(self.written, Loss::Written);
        let in_part = some(self.in_part, Loss::WrittenInPart);
        let started = self.started.then_some(Loss::Start);
        let exit = self.exit.clone().map(Loss::Exit);
        let ended = self.ended.clone().map(Loss::Ended);
        let damage = self.damage.clone().map(Loss::Damage);
        let around = [some(self.errors, Loss::Errors), started, some(self.restarts, Loss::Restarts), exit];
        let pieces = some(self.pieces, Loss::Pieces);
        let lost = match target {
            Target::Recording => vec![],
            Target::Stream => [vec![times, written], around.into(), vec![ended, damage]].concat(),
            Target::TimedStream => [vec![in_part], around.into(), vec![damage]].concat(),
            Target::Events(grain) => {
                let pieces = pieces.filter(|_| grain == Grain::Blocks);
                [vec![some(self.came, Loss::Lines), pieces, in_part], around.into()].concat()
            }
            Target::Transcript => {
                let before = self.resumed.then_some(Loss::Before);
                let other = [
                    some(self.agents, Loss::Agents),
                    some(self.results, Loss::Results),
                    some(self.others, Loss::Others),
                ];
                [vec![before, pieces], other.into(), vec![in_part], around.into(), vec![ended, damage]]
                    .concat()
            }
        };
        lost.into_iter().flatten().collect()
    }
}

/// Whether a line of something that was said is of a sub-agent.
pub(super) fn is_of_agent(line: Json<'_>) -> bool {
    line.get("parent_tool_use_id").is_some_and(|call| !call.is_null())
}
