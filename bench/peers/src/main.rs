//! How fast unspool is, beside other published crates that read Claude Code's stream.
//!
//! They do less: a line becomes a value, and what it repeats, confirms or ends is left to the caller. Each is
//! called line by line through what it makes public; a line counts as read if something comes back.

use atomr_agents_coding_cli_core::CliEventParser;
use atomr_agents_coding_cli_vendor_claude::ClaudeParser;
use claude_codes::ClaudeOutput;
use claude_wrapper::streaming::StreamEvent;
use std::hint::black_box;
use unspool::event::What;
use unspool::{Event, Spool};
use unspool_bench::input::{self, Input};
use unspool_bench::measure::Speeds;
use unspool_bench::reader::{OWNED, Reader, VALID, VALUE};
use unspool_bench::report::{Report, Table, Verdict};

const SIZE: usize = 16 << 20;

/// How much of the lines a crate must read to be compared with.
const ENOUGH: f64 = 0.99;

const CLAUDE_CODES: Reader = Reader {
    name: "claude-codes",
    read: |input| count(input, |line| black_box(ClaudeOutput::parse_json(line)).is_ok()),
};

const CLAUDE_WRAPPER: Reader = Reader {
    name: "claude-wrapper",
    read: |input| count(input, |line| black_box(serde_json::from_str::<StreamEvent>(line)).is_ok()),
};

const ATOMR: Reader = Reader {
    name: "atomr-agents-coding-cli-vendor-claude",
    read: |input| {
        count(input, |line| black_box(ClaudeParser::new().parse_line(line)).is_ok_and(|it| !it.is_empty()))
    },
};

fn main() -> anyhow::Result<()> {
    let input = input::mixed(&input::folder())?.repeated(SIZE);
    let lines = input.lines().filter(|line| !line.is_empty()).count();
    let peers = [ATOMR, CLAUDE_WRAPPER, CLAUDE_CODES];
    let all: Vec<Reader> = peers.into_iter().chain([VALID, VALUE, OWNED]).collect();
    let speeds = Speeds::of(&input, &all);
    let read = |reader: &Reader| if reader.name == OWNED.name { told(&input) } else { speeds.count(reader) };
    let part = |reader: &Reader| read(reader) as f64 / lines as f64;
    let mut report = Report::default();
    let enough = peers.iter().filter(|it| part(it) >= ENOUGH);
    match enough.max_by(|one, other| speeds.speed(one).total_cmp(&speeds.speed(other))) {
        Some(fastest) => beside(
            fastest,
            &format!("{}, the fastest crate that reads 99 % of the lines", fastest.name),
            5.0,
            &speeds,
            &mut report,
        ),
        None => {
            report.note("mixed → events, beside another crate", "none reads 99 % of these lines".to_owned())
        }
    }
    beside(&CLAUDE_CODES, CLAUDE_CODES.name, 15.0, &speeds, &mut report);
    let row = |it: &Reader| {
        vec![it.name.to_owned(), format!("{:.2} %", part(it) * 100.0), format!("{:.0}", speeds.speed(it))]
    };
    report.table(Table {
        title: "Other crates, on the lines of mixed".to_owned(),
        head: ["reader", "lines read", "MB/s"].map(str::to_owned).to_vec(),
        rows: all.iter().map(row).collect(),
    });
    report.print()
}

fn beside(peer: &Reader, name: &str, goal: f64, speeds: &Speeds, report: &mut Report) {
    let ratio = speeds.ratio(&OWNED, peer);
    report.row(
        &format!("mixed → events, owned text, beside {name}"),
        format!("{ratio:.1} times as fast"),
        &format!("{goal} times"),
        Some(Verdict::of(ratio >= goal)),
    );
}

/// How many lines unspool reads: it tells those it cannot.
fn told(input: &Input) -> usize {
    let mut malformed = 0;
    let mut sink = |event: Event<'_>| malformed += usize::from(matches!(event.what, What::Malformed { .. }));
    for stream in input.streams() {
        let mut spool = Spool::new(input.grain);
        spool.feed(stream, &mut sink);
        spool.finish(&mut sink);
    }
    input.lines().filter(|line| !line.is_empty()).count() - malformed
}

/// How many lines a crate reads. All of them take text.
fn count(input: &Input, read: fn(&str) -> bool) -> usize {
    input.lines().filter(|line| str::from_utf8(line).is_ok_and(read)).count()
}
