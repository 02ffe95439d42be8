//! The line at the bottom while it runs: how long, what state it is in, who does what, how much.

use super::line::Line;
use super::style::{BAD, DIM, GOOD, PLAIN, WARN};
use super::wrap::cut;
use crate::cost::Cost;
use crate::state::{Standing, State, Worker};
use crate::words::{CallWords, count, duration, money, tokens};
use anstyle::Style;
use std::collections::HashMap;
use unspool::event::{Event, What};

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// So many are named, if there is room for what each does; of more, how many do what.
const NAMED: usize = 8;

/// What goes on.
pub(super) struct Status {
    began: Option<u64>,
    state: State,
    cost: Cost,
    /// The folder, from which paths are told.
    cwd: Option<String>,
}

/// The name of an agent and its colour; nothing for the main one.
type Who = Option<(String, Style)>;

impl Status {
    /// Nothing has come yet.
    pub(super) fn new() -> Self {
        Status { began: None, state: State::new(0), cost: Cost::new(), cwd: None }
    }

    /// The time of an event, by our own clock.
    pub(super) fn see(&mut self, at: Option<u64>) {
        self.began = self.began.or(at);
    }

    /// Adds up what an event says of tokens and money.
    pub(super) fn counts(&mut self, event: &Event<'_>) {
        self.cost.step(event);
    }

    /// Somebody does something, now.
    pub(super) fn step(&mut self, event: &Event<'_>, now: u64) {
        if let What::SessionMeta { cwd: Some(cwd), .. } = &event.what {
            self.cwd = Some(cwd.to_string());
        }
        self.state.step(event, now);
    }

    /// A call that was begun is made otherwise.
    pub(super) fn changes(&mut self, id: &str, call: &CallWords) {
        self.state.change(id, call);
    }

    /// `⠹ 1m 04s  Bash cargo test 12 s · Agent A: thinking · 34k tokens · $0.12`
    pub(super) fn line(&self, now: u64, columns: usize, who: impl Fn(&str) -> Who) -> Line {
        let spin = SPINNER[(now / 120) as usize % SPINNER.len()];
        let elapsed = now.saturating_sub(self.began.unwrap_or(now));
        let mut line = Line::of(spin, GOOD).with(&format!(" {}", seconds(elapsed)), PLAIN);
        let spent = self.cost.now();
        let used =
            Some(spent.tokens()).filter(|used| *used > 0).map(|used| format!("{} tokens", tokens(used)));
        let paid = Some(spent.usd).filter(|_| spent.turns > spent.unpriced).map(money);
        let end = Line::of(&used.into_iter().chain(paid).collect::<Vec<_>>().join(" · "), DIM);
        let room = columns.saturating_sub(line.width() + end.width() + GAP.len() + 3);
        let state = self.state(now).cut(room);
        let work = match room.saturating_sub(state.width() + 3) {
            // Half a word says nothing, and the state is what matters.
            less if !state.is_empty() && less < LEAST => Line::new(),
            less => self.work(now, if state.is_empty() { room } else { less }, who),
        };
        for (at, part) in [state, work, end].iter().filter(|part| !part.is_empty()).enumerate() {
            line.push(if at == 0 { GAP } else { SEPARATOR }, DIM);
            line.append(part);
        }
        line.cut(columns)
    }

    /// The state it is in, if that is another than who is at work shows by itself.
    fn state(&self, now: u64) -> Line {
        let standing = self.state.at(now);
        let lasted = standing.since().map_or(0, |since| now.saturating_sub(since));
        let (words, style) = match &standing {
            Standing::Waiting { .. } => (format!("waiting for an answer: {}", self.asked()), WARN),
            Standing::Stuck { .. } => ("stuck: nothing came for".to_owned(), BAD),
            Standing::Background { .. } => (self.background(), PLAIN),
            // Between two turns it is so for a moment.
            Standing::Idle { .. } if lasted >= 1000 => ("idle".to_owned(), DIM),
            _ => return Line::new(),
        };
        let mut line = Line::of(&words, style);
        if lasted >= 1000 {
            line.push(&format!(" {}", seconds(lasted)), if style == BAD { BAD } else { DIM });
        }
        line
    }

    /// `Bash cargo test +1`
    fn asked(&self) -> String {
        let mut asks = self.state.asks();
        let first = asks.next().map(|ask| told(&ask.words, self.cwd.as_deref())).unwrap_or_default();
        match asks.count() {
            0 => first,
            more => format!("{first} +{more}"),
        }
    }

    /// `in the background: 2 tasks`; agents say themselves what they do.
    fn background(&self) -> String {
        let agents = self.state.activity().workers().next().is_some();
        let tasks = Some(self.state.tasks().count() as u64).filter(|tasks| *tasks > 0 && !agents);
        let tasks = tasks.map(|tasks| format!(": {}", count(tasks, "task")));
        format!("in the background{}", tasks.unwrap_or_default())
    }

    /// Who does what, as exactly as there is room for.
    fn work(&self, now: u64, room: usize, who: impl Fn(&str) -> Who) -> Line {
        // Of who asks it is said already what it waits for.
        let asks = |agent: &str| self.state.asks().any(|ask| ask.agent == agent);
        let live: Vec<&Worker> =
            self.state.activity().workers().filter(|worker| !asks(&worker.agent)).collect();
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

/// What stands between two parts.
const SEPARATOR: &str = " · ";

/// With less room it is not said who does what.
const LEAST: usize = 12;

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
    use crate::state::PATIENCE_MS;
    use unspool::{Grain, Spool};

    /// Takes the events of a stream, all at this time.
    fn feed(status: &mut Status, spool: &mut Spool, lines: &str, now: u64) {
        spool.feed(lines.as_bytes(), |event| {
            status.counts(&event);
            status.step(&event, now);
        });
    }

    fn uses(input: u64) -> String {
        let usage = format!(r#"{{"input_tokens":{input},"output_tokens":1}}"#);
        format!(
            r#"{{"type":"assistant","session_id":"s","message":{{"id":"u","content":[],"usage":{usage}}}}}"#
        ) + "\n"
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
        let (mut status, mut spool) = (Status::new(), Spool::new(Grain::Deltas));
        status.see(Some(0));
        feed(&mut status, &mut spool, &uses(67_000), 0);
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
        let (mut status, mut spool) = (Status::new(), Spool::new(Grain::Deltas));
        status.see(Some(0));
        assert_eq!(shown(&status, 40), "4 s");
        spool.feed(uses(33_000).as_bytes(), |event| status.counts(&event));
        assert_eq!(shown(&status, 40), "4 s  33k tokens");
        let result =
            "{\"type\":\"result\",\"subtype\":\"success\",\"total_cost_usd\":0.5,\"session_id\":\"s\"}\n";
        feed(&mut status, &mut spool, result, 2000);
        assert_eq!(shown(&status, 40), "4 s  33k tokens · $0.5000");
    }

    /// What the line says behind every line of a recorded session, and ten minutes later. A second passes with each line.
    #[test]
    fn the_state_is_said_where_work_does_not_show_it() {
        for name in ["agents/bgagent-2.1.325", "agents/bgbash-2.1.325", "control/perm_allow-2.1.325"] {
            let path = format!("{}/../../fixtures/{name}.ndjson", env!("CARGO_MANIFEST_DIR"));
            let (mut status, mut spool) = (Status::new(), Spool::new(Grain::Deltas));
            status.see(Some(0));
            let (mut told, mut last) = (String::new(), String::new());
            for (now, line) in (1..).zip(std::fs::read_to_string(path).unwrap().lines()) {
                feed(&mut status, &mut spool, &format!("{line}\n"), now * 1000);
                let who = |agent: &str| (agent != "main").then(|| ("Agent".to_owned(), PLAIN));
                let at = |ms: u64| {
                    status
                        .line(now * 1000 + ms, 120, who)
                        .text()
                        .split_once("  ")
                        .map_or(String::new(), |(_, said)| said.to_owned())
                };
                let shown = format!("{} | {}", at(0), at(PATIENCE_MS));
                if shown != last {
                    told += &format!("{now:>3} {shown}\n");
                    last = shown;
                }
            }
            insta::assert_snapshot!(name.replace('/', "-"), told);
        }
    }
}
