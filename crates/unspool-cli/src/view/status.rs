//! The line at the bottom while it runs: how long, who does what, how much.

use super::line::Line;
use super::style::{DIM, GOOD, PLAIN};
use super::wrap::cut;
use crate::words::{Call, count, duration, money, tokens};
use anstyle::Style;
use std::collections::{BTreeMap, HashMap};
use unspool::event::Tokens;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// So many are named, if there is room for what each does; of more, how many do what.
const NAMED: usize = 8;

/// What goes on.
#[derive(Default)]
pub(super) struct Status {
    began: Option<u64>,
    /// Those who are at work, in the order in which they began.
    live: BTreeMap<u64, Live>,
    /// Where each is in there.
    ranks: HashMap<String, u64>,
    /// Calls without an answer: who has made them, and which one of all it was.
    calls: HashMap<String, (u64, u64)>,
    /// How many there were, of agents and calls.
    next: u64,
    tokens: u64,
    cost_usd: Option<f64>,
}

/// What one agent does.
struct Live {
    agent: String,
    doing: String,
    since: Option<u64>,
    /// Calls without an answer, oldest first.
    calls: BTreeMap<u64, OpenCall>,
}

struct OpenCall {
    id: String,
    tool: String,
    /// What it does, in a few words.
    words: String,
    since: Option<u64>,
    /// It has begun an agent, which may have ended: that says more than the call does.
    is_agent: bool,
}

/// The name of an agent and its colour; nothing for the main one.
type Who = Option<(String, Style)>;

impl Status {
    /// The time of an event, by our own clock.
    pub(super) fn see(&mut self, at: Option<u64>) {
        self.began = self.began.or(at);
    }

    /// Somebody does something else.
    pub(super) fn does(&mut self, agent: &str, doing: &str, at: Option<u64>) {
        let (_, live) = self.agent(agent);
        if live.doing != doing {
            doing.clone_into(&mut live.doing);
            live.since = at;
        }
    }

    /// A call begins.
    pub(super) fn calls(&mut self, agent: &str, id: &str, call: &Call, at: Option<u64>) {
        self.next += 1;
        let number = self.next;
        let (rank, live) = self.agent(agent);
        let (tool, words) = (call.tool.clone(), told(call));
        let open = OpenCall { id: id.to_owned(), tool, words, since: at, is_agent: false };
        live.calls.insert(number, open);
        self.calls.insert(id.to_owned(), (rank, number));
    }

    /// A call that was begun is made otherwise.
    pub(super) fn changes(&mut self, id: &str, call: &Call) {
        let at = self.calls.get(id).copied();
        let open = at.and_then(|(rank, number)| self.live.get_mut(&rank)?.calls.get_mut(&number));
        open.into_iter().for_each(|open| open.words = told(call));
    }

    /// A call has its answer.
    pub(super) fn answers(&mut self, id: &str) {
        if let Some((rank, number)) = self.calls.remove(id)
            && let Some(live) = self.live.get_mut(&rank)
        {
            live.calls.remove(&number);
        }
    }

    /// An agent has ended.
    pub(super) fn ends(&mut self, agent: &str) {
        let live = self.ranks.remove(agent).and_then(|rank| self.live.remove(&rank));
        for open in live.iter().flat_map(|live| live.calls.values()) {
            self.calls.remove(&open.id);
        }
    }

    /// The turn is over: nobody does anything that would have been told.
    pub(super) fn rests(&mut self) {
        self.ends("main");
    }

    pub(super) fn uses(&mut self, used: &Tokens) {
        let figures = [used.total_input, used.output].into_iter().flatten();
        self.tokens = figures.fold(self.tokens, u64::saturating_add);
    }

    pub(super) fn costs(&mut self, usd: Option<f64>) {
        self.cost_usd = usd.map(|usd| usd + self.cost_usd.unwrap_or(0.0)).or(self.cost_usd);
    }

    /// Whether an agent does nothing but wait for others, who speak for themselves.
    fn only_waits(&self, live: &Live) -> bool {
        !live.calls.is_empty() && live.calls.values().all(|open| open.is_agent)
    }

    fn agent(&mut self, agent: &str) -> (u64, &mut Live) {
        let rank = match self.ranks.get(agent) {
            Some(rank) => *rank,
            None => {
                self.next += 1;
                self.ranks.insert(agent.to_owned(), self.next);
                let call = self.calls.get(agent).copied();
                let call = call.and_then(|(rank, number)| self.live.get_mut(&rank)?.calls.get_mut(&number));
                call.into_iter().for_each(|open| open.is_agent = true);
                self.next
            }
        };
        let live = self.live.entry(rank).or_insert_with(|| Live {
            agent: agent.to_owned(),
            doing: "waiting".to_owned(),
            since: None,
            calls: BTreeMap::new(),
        });
        (rank, live)
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
        let live: Vec<&Live> = self.live.values().filter(|live| !self.only_waits(live)).collect();
        if let [only] = live.as_slice() {
            return only.told(now, who(&only.agent)).cut(room);
        }
        if live.len() <= NAMED {
            let whole = joined(live.iter().map(|live| live.told(now, who(&live.agent))));
            let brief = joined(live.iter().map(|live| live.named(who(&live.agent), live.kind())));
            if let Some(line) = [whole, brief].into_iter().find(|line| line.width() <= room) {
                return line;
            }
        }
        let (main, agents): (Vec<&Live>, Vec<&Live>) =
            live.into_iter().partition(|live| live.agent == "main");
        let number = count(agents.len() as u64, "agent");
        let words = |kinds: &str| {
            let own = main.iter().map(|live| Line::of(live.kind(), PLAIN));
            joined(
                own.chain(Some(Line::of(&format!("{number}{kinds}"), PLAIN)).filter(|_| !agents.is_empty())),
            )
        };
        let counted = words(&format!(": {}", kinds(&agents)));
        if counted.width() <= room { counted } else { words(" at work").cut(room) }
    }
}

/// What stands behind the time.
const GAP: &str = "  ";

impl Live {
    /// `Agent A: Bash cargo test +1 12 s`
    fn told(&self, now: u64, who: Who) -> Line {
        let (doing, since) = match self.calls.values().next() {
            Some(open) => (open.words.as_str(), open.since),
            None => (self.doing.as_str(), self.since),
        };
        let mut line = self.named(who, doing);
        if self.calls.len() > 1 {
            line.push(&format!(" +{}", self.calls.len() - 1), DIM);
        }
        if let Some(waited) = since.map(|since| now.saturating_sub(since)).filter(|ms| *ms >= 1000) {
            line.push(&format!(" {}", seconds(waited)), DIM);
        }
        line
    }

    fn named(&self, who: Who, doing: &str) -> Line {
        match who {
            Some((name, style)) => Line::of(&format!("{}: {doing}", cut(&name, 20)), style),
            None => Line::of(doing, PLAIN),
        }
    }

    /// The tool that it waits for, or what it does in one word.
    fn kind(&self) -> &str {
        match self.calls.values().next() {
            Some(open) => &open.tool,
            None => self.doing.split(' ').next().unwrap_or_default(),
        }
    }
}

/// `3 Bash, 2 writing`, most first.
fn kinds(agents: &[&Live]) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for agent in agents {
        let place = *places.entry(agent.kind()).or_insert_with(|| {
            counts.push((agent.kind(), 0));
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

/// What a call does, in a few words.
fn told(call: &Call) -> String {
    let words = [call.tool.as_str(), &call.subject].join(" ");
    cut(words.trim_end(), 60).into_owned()
}

/// Whole seconds: tenths would only flicker.
fn seconds(ms: u64) -> String {
    if ms < 60_000 { format!("{} s", ms / 1000) } else { duration(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, subject: &str) -> Call {
        Call { tool: tool.into(), subject: subject.into(), aside: String::new() }
    }

    /// Five agents, three of which run a command, called by the main one.
    fn five() -> Status {
        let mut status = Status::default();
        status.see(Some(0));
        status.uses(&Tokens::new(Some(67_000), Some(1), None, None));
        for number in 1..=5 {
            let id = format!("t{number}");
            status.calls("main", &id, &call("Agent", "look"), Some(0));
            status.does(&id, "writing", Some(0));
            if number > 2 {
                status.calls(&id, &format!("b{number}"), &call("Bash", "cargo test --workspace"), Some(900));
            }
        }
        status
    }

    fn shown(status: &Status, columns: usize) -> String {
        let who = |agent: &str| agent.strip_prefix('t').map(|number| (format!("Agent {number}"), PLAIN));
        let line = status.line(4000, columns, who);
        assert!(line.width() <= columns, "{line:?}");
        line.text().split_once(' ').unwrap().1.to_owned()
    }

    #[test]
    fn what_is_said_of_five_agents_is_what_there_is_room_for() {
        let status = five();
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
        let mut status = five();
        (1..=4).for_each(|number| {
            status.ends(&format!("t{number}"));
            status.answers(&format!("t{number}"));
        });
        assert_eq!(shown(&status, 80), "4 s  Agent 5: Bash cargo test --workspace 3 s · 67k tokens");
        status.answers("b5");
        status.ends("t5");
        assert_eq!(shown(&status, 80), "4 s  67k tokens");
        status.answers("t5");
        status.does("main", "writing", Some(4000));
        assert_eq!(shown(&status, 80), "4 s  writing · 67k tokens");
        assert!(status.calls.is_empty() && status.ranks.len() == 1 && status.live.len() == 1);
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
