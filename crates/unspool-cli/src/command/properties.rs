//! What several commands say of a session is the same, whatever the session.

use crate::report::{Format, Report as RunReport};
use crate::source::{Found, Listener, Source, Sources};
use jiff::tz::TimeZone;
use serde_json::Value;
use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use unspool::event::{Event, ModelTokens, Raw};
use unspool::wire::{PermissionDenial, Wire};
use unspool::{Grain, Verdict};
use unspool_report::bill::{self, Account, Book, By, Groups, Span};
use unspool_report::outline::Outline;
use unspool_report::stats::{self, Report, Watch};
use unspool_report::story::{Item, Limit, Story};
use unspool_report::totals::Totals;
use unspool_report::view::{Settings, View};
use unspool_report::words::clean;

/// What each command makes of the events of a session.
struct Told<'o> {
    sessions: Outline,
    cost: Account,
    stats: Watch<'static>,
    html: Story,
    view: View,
    run: RunReport<'o, Vec<u8>, io::Sink>,
    summary: Totals,
}

impl Listener for Told<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.sessions.step(event);
        self.cost.step(event);
        self.stats.step(event);
        self.html.step(event);
        self.view.step(event);
        self.run.step(event);
        self.summary.step(event);
    }

    fn entry(&mut self, agent: Option<&Path>, line: &[u8]) {
        self.cost.entry(agent, line);
    }
}

/// What they say at its end.
struct Figures {
    sessions: Value,
    cost: Book,
    stats: Value,
    html: Story,
    view: String,
    run: Value,
    summary: Totals,
}

impl Figures {
    /// None if it is no session.
    fn of(source: &Source) -> Option<Figures> {
        let (mut settings, mut out) = (Settings::new(100), Vec::new());
        (settings.quiet, settings.verbatim) = (true, true);
        let mut told = Told {
            sessions: Outline::default(),
            cost: Account::new(source.session()),
            stats: Watch::default(),
            html: Story::new(Limit::Whole),
            view: View::new(settings),
            run: RunReport::new(Format::Json, &mut out, io::sink(), false),
            summary: Totals::default(),
        };
        source.tell_to(Grain::Blocks, &mut told).ok()?;
        let Told { sessions, cost, stats, html, mut view, run, summary } = told;
        let mut report = Report::default();
        report.add(stats.finish());
        let lines = view.take();
        let view = lines.iter().map(|line| line.text()).collect::<Vec<_>>().join("\n");
        run.end(None).unwrap();
        Some(Figures {
            sessions: sessions.json(),
            cost: Book::of(vec![cost.finish()]),
            stats: stats::json(&report),
            html,
            view,
            run: serde_json::from_slice(&out).unwrap(),
            summary,
        })
    }

    fn bill(&self, by: By) -> Value {
        bill::json(&self.cost, &Groups::of(&self.cost, &[by], &Span::all(TimeZone::UTC)))
    }
}

/// All fixtures that are sessions, read once.
static SESSIONS: LazyLock<Vec<(PathBuf, Figures)>> = LazyLock::new(|| {
    let mut due = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")];
    let mut sessions = Vec::new();
    while let Some(path) = due.pop() {
        if path.is_dir() {
            due.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let found = Sources::of(vec![path.clone()]).find().and_then(Found::one);
        let said = found.ok().and_then(|source| Figures::of(&source.quiet()));
        sessions.extend(said.map(|said| (path, said)));
    }
    assert!(sessions.len() > 200, "{}", sessions.len());
    sessions
});

/// Checks that both sides are the same, whatever the session.
#[track_caller]
fn agree<T: PartialEq + Debug>(sides: impl Fn(&Figures) -> (T, T)) {
    let mut differ = Vec::new();
    for (path, said) in &*SESSIONS {
        let (one, other) = sides(said);
        if one != other {
            differ.push(format!("{}: {one:?}, {other:?}", path.display()));
        }
    }
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn tokens_and_money_are_those_of_the_bill() {
    agree(|said| {
        let total = &said.bill(By::Turn)["total"];
        // Where nothing was spent, a bill has no figure for it.
        let [sessions, cost] = [&said.sessions, total].map(|told| {
            let tokens = ["total_input", "output"].map(|field| told["tokens"][field].as_u64().unwrap());
            (tokens, (told["cost_usd"].as_f64().unwrap_or_default() * 1e9).round())
        });
        (sessions, cost)
    });
    agree(|said| {
        let Totals { models, unreported, .. } = &said.summary;
        let all = models.iter().chain(unreported.iter()).map(|(_, spent)| spent);
        let sum = |part: fn(&ModelTokens) -> Option<u64>| all.clone().filter_map(part).sum::<u64>();
        let tokens = &said.sessions["tokens"];
        let told = ["total_input", "output"].map(|field| tokens[field].as_u64().unwrap());
        ([sum(|spent| spent.total_input), sum(|spent| spent.output)], told)
    });
}

#[test]
fn calls_are_counted_alike() {
    let sum = |rows: &Value, field: &str| {
        rows.as_array().unwrap().iter().map(|row| row[field].as_u64().unwrap()).sum::<u64>()
    };
    agree(|said| {
        let (counts, tools) = (&said.stats["counts"], &said.stats["tools"]);
        let of_counts = ["calls", "failures"].map(|field| counts[field].as_u64().unwrap());
        (of_counts, [sum(tools, "count"), sum(tools, "failed")])
    });
    agree(|said| {
        let total = &said.bill(By::Tool)["total"];
        let of_bill = ["calls", "failed"].map(|field| total[field].as_u64().unwrap());
        let tools = &said.stats["tools"];
        (of_bill, [sum(tools, "count"), sum(tools, "failed")])
    });
    agree(|said| {
        let of_page: usize = said.html.agents.iter().map(|member| member.calls()).sum();
        (of_page as u64, said.summary.tools.values().map(|tool| tool.calls).sum())
    });
}

#[test]
fn each_denial_stands_once() {
    agree(|said| {
        let ends = said.html.agents[0].items.iter();
        let of_turns = ends.map(|item| match item {
            Item::TurnEnd(end) => end.denials,
            _ => 0,
        });
        let list = said.run["denials"].as_array().unwrap();
        let key = |denial: &&Raw<'_>| {
            let id = PermissionDenial::of(denial.json()).and_then(|denial| denial.tool_use_id);
            id.map_or_else(|| denial.text(), |id| id.to_string())
        };
        let mut keys: Vec<String> = said.summary.denials().iter().map(|denial| key(&denial)).collect();
        keys.sort();
        keys.dedup();
        ((of_turns.sum::<usize>(), list.len()), (keys.len(), keys.len()))
    });
}

#[test]
fn the_answer_is_the_same_everywhere() {
    agree(|said| {
        let answer = said.summary.answer();
        let view = clean(answer.unwrap_or_default().trim_end()).into_owned();
        ((said.run["answer"].clone(), said.view.clone()), (Value::from(answer), view))
    });
    agree(|said| {
        let ended_well = said.summary.end.as_ref().is_some_and(|end| end.verdict == Verdict::Ok);
        let answer = Value::from(said.summary.answer().unwrap_or_default().trim());
        let place = said.html.answer.filter(|_| ended_well);
        let shown = place.map(|(_, item)| &said.html.agents[0].items[item]);
        let words = match shown {
            // It may be the end of what was said.
            Some(Item::Text(said)) => {
                let said = said.text.trim();
                said.get(said.len().saturating_sub(answer.as_str().unwrap().len())..).unwrap()
            }
            Some(Item::TurnEnd(end)) => end.answer.as_deref().unwrap().trim(),
            Some(Item::Structured(value)) => {
                return (serde_json::from_str(&value.head).unwrap(), said.run["structured"].clone());
            }
            _ => "",
        };
        (words.into(), if ended_well { answer } else { "".into() })
    });
}
