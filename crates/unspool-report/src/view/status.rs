//! The line at the bottom while it runs: how long, who does what, how much.

use super::line::Line;
use super::style::{DIM, GOOD, PLAIN};
use super::wrap::cut;
use crate::state::{Activity, Worker};
use crate::words::{CallWords, count, duration, money, tokens};
use anstyle::Style;
use std::collections::HashMap;
use unspool::event::{Event, Tokens, What};

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// So many are named, if there is room for what each does; of more, how many do what.
const NAMED: usize = 8;

/// What goes on.
#[derive(Default)]
pub(super) struct Status {
    began: Option<u64>,
    activity: Activity,
    /// The folder, from which paths are told.
    cwd: Option<String>,
    tokens: u64,
    cost_usd: Option<f64>,
}

/// The name of an agent and its colour; nothing for the main one.
type Who = Option<(String, Style)>;

impl Status {
    /// The time of an event, by our own clock.
    pub(super) fn see(&mut self, at: Option<u64>) {
        self.began = self.began.or(at);
    }

    /// Somebody does something, now.
    pub(super) fn step(&mut self, event: &Event<'_>, now: u64) {
        if let What::SessionMeta { cwd: Some(cwd), .. } = &event.what {
            self.cwd = Some(cwd.to_string());
        }
        self.activity.step(event, now);
    }

    /// A call that was begun is made otherwise.
    pub(super) fn changes(&mut self, id: &str, call: &CallWords) {
        self.activity.change(id, call);
    }

    pub(super) fn uses(&mut self, used: &Tokens) {
        let figures = [used.total_input, used.output].into_iter().flatten();
        self.tokens = figures.fold(self.tokens, u64::saturating_add);
    }

    pub(super) fn costs(&mut self, usd: Option<f64>) {
        self.cost_usd = usd.map(|usd| usd + self.cost_usd.unwrap_or(0.0)).or(self.cost_usd);
    }

    /// `⠹ 1m 04s  Bash cargo test 12 s · Agent A: thinking · 34k tokens · $0.12`
    pub(super) fn line(&self, now: u64, columns: usize, who: impl Fn(&str) -> Who) -> Line {
        let spin = SPINNER[(now / 120) as usize % SPINNER.len()];
        let elapsed = now.saturating_sub(self.began.unwrap_or(now));
        let mut line = Line::of(spin, GOOD).with(&format!(" {}", seconds(elapsed)), PLAIN);
        let used = Some(self.tokens).filter(|used| *used > 0).map(|used| format!("{} tokens", tokens(used)));
        let facts: Vec<String> = used.into_iter().chain(self.cost_usd.map(money)).collect();
        let end = Line::of(&facts.join(" · "), DIM);
        let room = columns.saturating_sub(line.width() + end.width() + GAP.len() + 3);
        let work = self.work(now, room, who);
        for (at, part) in [work, end].iter().filter(|part| !part.is_empty()).enumerate() {
            line.push(if at == 0 { GAP } else { " · " }, DIM);
            line.append(part);
        }
        line.cut(columns)
    }

    /// Who does what, as exactly as there is room for.
    fn work(&self, now: u64, room: usize, who: impl Fn(&str) -> Who) -> Line {
        let live: Vec<&Worker> = self.activity.workers().collect();
        if let [only] = live.as_slice() {
            return self.told(only, now, who(&only.agent)).cut(room);
        }
        if live.len() <= NAMED {
            let whole = joined(live.iter().map(|live| self.told(live, now, who(&live.agent))));
            let brief = joined(live.iter().map(|live| named(who(&live.agent), &kind(live))));
            if let Some(line) = [whole, brief].into_iter().find(|line| line.width() <= room) {
                return line;
            }
        }
        let (main, agents): (Vec<&Worker>, Vec<&Worker>) =
            live.into_iter().partition(|live| live.agent == "main");
        let number = count(agents.len() as u64, "agent");
        let words = |kinds: &str| {
            let own = main.iter().map(|live| Line::of(&kind(live), PLAIN));
            joined(
                own.chain(Some(Line::of(&format!("{number}{kinds}"), PLAIN)).filter(|_| !agents.is_empty())),
            )
        };
        let counted = words(&format!(": {}", kinds(&agents)));
        if counted.width() <= room { counted } else { words(" at work").cut(room) }
    }

    /// `Agent A: Bash cargo test +1 12 s`
    fn told(&self, worker: &Worker, now: u64, who: Who) -> Line {
        let doing = match worker.calls().next() {
            Some(open) => told(&open.words, self.cwd.as_deref()),
            None => cut(&worker.doing.to_string(), 40).into_owned(),
        };
        let mut line = named(who, &doing);
        if worker.calls().len() > 1 {
            line.push(&format!(" +{}", worker.calls().len() - 1), DIM);
        }
        let waited = now.saturating_sub(worker.busy_since());
        if waited >= 1000 {
            line.push(&format!(" {}", seconds(waited)), DIM);
        }
        line
    }
}

/// What stands behind the time.
const GAP: &str = "  ";

fn named(who: Who, doing: &str) -> Line {
    match who {
        Some((name, style)) => Line::of(&format!("{}: {doing}", cut(&name, 20)), style),
        None => Line::of(doing, PLAIN),
    }
}

/// The tool that it waits for, or what it does in one word.
fn kind(worker: &Worker) -> String {
    match worker.calls().next() {
        Some(open) => open.words.tool.clone(),
        None => worker.doing.to_string().split(' ').next().unwrap_or_default().to_owned(),
    }
}

/// `3 Bash, 2 writing`, most first.
fn kinds(agents: &[&Worker]) -> String {
    let mut counts: Vec<(String, u64)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for agent in agents {
        let kind = kind(agent);
        let place = *places.entry(kind.clone()).or_insert_with(|| {
            counts.push((kind, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    counts.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let words = counts.iter().map(|(kind, number)| format!("{number} {}", cut(kind, 20)));
    words.collect::<Vec<_>>().join(", ")
}

fn joined(lines: impl Iterator<Item = Line>) -> Line {
    lines.fold(
        Line::new(),
        |all, line| {
            if all.is_empty() { line } else { all.with(" · ", DIM).joined(&line) }
        },
    )
}

/// What a call does, in a few words; paths from the folder.
fn told(call: &CallWords, cwd: Option<&str>) -> String {
    let inside = cwd.and_then(|cwd| call.subject.strip_prefix(cwd)?.strip_prefix('/'));
    let words = [call.tool.as_str(), inside.unwrap_or(&call.subject)].join(" ");
    cut(words.trim_end(), 60).into_owned()
}

/// Whole seconds: tenths would only flicker.
fn seconds(ms: u64) -> String {
    if ms < 60_000 { format!("{} s", ms / 1000) } else { duration(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    /// Takes the events of a stream, all at this time.
    fn feed(status: &mut Status, spool: &mut Spool, lines: &str, now: u64) {
        spool.feed(lines.as_bytes(), |event| status.step(&event, now));
    }

    fn calls(agent: &str, id: &str, tool: &str, input: &str) -> String {
        let parent = if agent == "main" { "null".to_owned() } else { format!("\"{agent}\"") };
        format!(
            r#"{{"type":"assistant","parent_tool_use_id":{parent},"session_id":"s","message":{{"id":"m{id}","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}]}}}}"#
        ) + "\n"
    }

    fn says(agent: &str, words: &str) -> String {
        let parent = if agent == "main" { "null".to_owned() } else { format!("\"{agent}\"") };
        format!(
            r#"{{"type":"assistant","parent_tool_use_id":{parent},"session_id":"s","message":{{"id":"w{agent}{words}","content":[{{"type":"text","text":"{words}"}}]}}}}"#
        ) + "\n"
    }

    fn answers(agent: &str, id: &str) -> String {
        let parent = if agent == "main" { "null".to_owned() } else { format!("\"{agent}\"") };
        format!(
            r#"{{"type":"user","parent_tool_use_id":{parent},"session_id":"s","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"done"}}]}}}}"#
        ) + "\n"
    }

    /// Five agents, three of which run a command, called by the main one.
    fn five() -> (Status, Spool) {
        let (mut status, mut spool) = (Status::default(), Spool::new(Grain::Deltas));
        status.see(Some(0));
        status.uses(&Tokens::new(Some(67_000), Some(1), None, None));
        for number in 1..=5 {
            let id = format!("t{number}");
            feed(&mut status, &mut spool, &calls("main", &id, "Agent", r#"{"description":"look"}"#), 0);
            feed(&mut status, &mut spool, &says(&id, "hm"), 0);
            if number > 2 {
                let command = r#"{"command":"cargo test --workspace"}"#;
                feed(&mut status, &mut spool, &calls(&id, &format!("b{number}"), "Bash", command), 900);
            }
        }
        (status, spool)
    }

    fn shown(status: &Status, columns: usize) -> String {
        let who = |agent: &str| agent.strip_prefix('t').map(|number| (format!("Agent {number}"), PLAIN));
        let line = status.line(4000, columns, who);
        assert!(line.width() <= columns, "{line:?}");
        line.text().split_once(' ').unwrap().1.to_owned()
    }

    #[test]
    fn what_is_said_of_five_agents_is_what_there_is_room_for() {
        let (status, _) = five();
        for (columns, line) in [
            (
                220,
                "4 s  Agent 1: writing 4 s · Agent 2: writing 4 s · Agent 3: Bash cargo test --workspace 3 s · \
                 Agent 4: Bash cargo test --workspace 3 s · Agent 5: Bash cargo test --workspace 3 s · 67k tokens",
            ),
            (
                120,
                "4 s  Agent 1: writing · Agent 2: writing · Agent 3: Bash · Agent 4: Bash · Agent 5: Bash · 67k tokens",
            ),
            (80, "4 s  5 agents: 3 Bash, 2 writing · 67k tokens"),
            (60, "4 s  5 agents: 3 Bash, 2 writing · 67k tokens"),
            (42, "4 s  5 agents at work · 67k tokens"),
        ] {
            assert_eq!(shown(&status, columns), line);
        }
    }

    #[test]
    fn who_waits_for_others_says_nothing_and_who_ends_is_gone() {
        let (mut status, mut spool) = five();
        for number in 1..=4 {
            feed(&mut status, &mut spool, &answers("main", &format!("t{number}")), 1000);
        }
        assert_eq!(shown(&status, 80), "4 s  Agent 5: Bash cargo test --workspace 3 s · 67k tokens");
        feed(&mut status, &mut spool, &answers("t5", "b5"), 4000);
        feed(&mut status, &mut spool, &answers("main", "t5"), 4000);
        assert_eq!(shown(&status, 80), "4 s  waiting for the model 3 s · 67k tokens");
        feed(&mut status, &mut spool, &says("main", "so"), 4000);
        assert_eq!(shown(&status, 80), "4 s  writing · 67k tokens");
    }

    /// Nothing is told apart from nothing.
    #[test]
    fn a_separator_stands_between_two() {
        let mut status = Status::default();
        status.see(Some(0));
        assert_eq!(shown(&status, 40), "4 s");
        status.uses(&Tokens::new(Some(33_000), None, None, None));
        assert_eq!(shown(&status, 40), "4 s  33k tokens");
        status.costs(Some(0.5));
        assert_eq!(shown(&status, 40), "4 s  33k tokens · $0.5000");
    }
}
