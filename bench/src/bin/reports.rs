//! The program `unspool` on what Claude Code keeps on disk: the bill of a gigabyte, beside `ccusage`, and a list of
//! ten thousand sessions.
//!
//! Called with the recordings, the program, `ccusage`, and the folder that it may write and delete.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use unspool_bench::input::{folder, keep};
use unspool_bench::measure::median;
use unspool_bench::report::{Report, Verdict};
use unspool_bench::watch::{Run, watch};

const FILES: usize = 10_000;
const BYTES: u64 = 1_000_000_000;

/// The two take turns.
const ROUNDS: usize = 5;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(2).map(PathBuf::from);
    let mut next = || args.next().context("RECORDINGS PROGRAM CCUSAGE FOLDER");
    let (program, ccusage, kept) = (next()?, next()?, next()?);
    let mut report = Report::default();
    if cfg!(target_os = "linux") {
        let measured = measure(&program, &ccusage, &kept, &mut report);
        fs::remove_dir_all(&kept)?;
        measured?;
    } else {
        report.note(
            "`unspool cost`, 1 GB of transcripts",
            "not measured: only Linux tells what it took".to_owned(),
        );
    }
    report.print()
}

fn measure(program: &Path, ccusage: &Path, kept: &Path, report: &mut Report) -> anyhow::Result<()> {
    let own = folder().join("transcripts");
    keep(&if own.is_dir() { own } else { folder() }, kept, FILES, BYTES)?;
    costs(program, ccusage, kept, report)?;
    lists(program, kept, report)
}

fn costs(program: &Path, ccusage: &Path, kept: &Path, report: &mut Report) -> anyhow::Result<()> {
    let answer = kept.join("answer.json");
    let (mut wall, mut cpu, mut ours, mut theirs) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let mut cost = Command::new(program);
        cost.args(["cost", "--utc", "--json", "--by", "agent,model"]).arg(kept.join("projects"));
        let said = run(&mut cost, &answer)?.1;
        let mut cost = Command::new(program);
        cost.args(["cost", "--utc", "--json", "--by", "day,model"]).arg(kept.join("projects"));
        let (own, _) = run(&mut cost, &answer)?;
        let mut other = Command::new(ccusage);
        other
            .args(["claude", "daily", "--json", "--offline", "--timezone", "UTC"])
            .env("CLAUDE_CONFIG_DIR", kept);
        let (other, usage) = run(&mut other, &answer)?;
        let (said, usage) = (tokens_of_ours(&said), tokens_of_ccusage(&usage));
        ensure!(said == usage, "the tokens differ: {said:?} and {usage:?}");
        wall.push(other.wall / own.wall);
        cpu.push(other.cpu / own.cpu);
        ours.push(own);
        theirs.push(other);
    }
    let of = |runs: &[Run], what: fn(&Run) -> f64| median(&runs.iter().map(what).collect::<Vec<_>>());
    let ratio = median(&wall);
    report.row(
        "`unspool cost` on 1 GB of transcripts, beside `ccusage`, the same tokens by model",
        format!(
            "{ratio:.1} times as fast: {:.2} s and {:.2} s",
            of(&ours, |run| run.wall),
            of(&theirs, |run| run.wall)
        ),
        "at least 3 times",
        Some(Verdict::of(ratio >= 3.0)),
    );
    report.note(
        "the same in CPU",
        format!(
            "{:.1} times: {:.2} s and {:.2} s",
            median(&cpu),
            of(&ours, |run| run.cpu),
            of(&theirs, |run| run.cpu)
        ),
    );
    let peak = |runs: &[Run]| of(runs, |run| run.peak as f64 / 1e6);
    report.note("the same in memory", format!("{:.0} MB and {:.0} MB", peak(&ours), peak(&theirs)));
    Ok(())
}

fn lists(program: &Path, kept: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut runs = Vec::new();
    for _ in 0..ROUNDS {
        let mut sessions = Command::new(program);
        sessions.args(["sessions", "--json"]).env("CLAUDE_CONFIG_DIR", kept).stdout(Stdio::null());
        runs.push(watch(&mut sessions)?);
    }
    let wall = median(&runs.iter().map(|run| run.wall).collect::<Vec<_>>());
    let peak = runs.iter().map(|run| run.peak).max().unwrap_or(0) as f64 / 1e6;
    report.row(
        "`unspool sessions`, 10,000 files of 1 GB",
        format!("{wall:.2} s, {peak:.0} MB"),
        "under 5 s, under 100 MB",
        Some(Verdict::of(wall < 5.0 && peak < 100.0)),
    );
    Ok(())
}

/// Runs a program that prints one JSON value.
fn run(command: &mut Command, answer: &Path) -> anyhow::Result<(Run, Value)> {
    let run = watch(command.stdin(Stdio::null()).stdout(File::create(answer)?).stderr(Stdio::inherit()))?;
    Ok((run, serde_json::from_slice(&fs::read(answer)?)?))
}

/// Input, output, written to and read from the cache, by model.
type Tokens = BTreeMap<String, [u64; 4]>;

fn add(tokens: &mut Tokens, model: &Value, figures: [&Value; 4]) {
    let sum = tokens.entry(model.as_str().unwrap_or_default().to_owned()).or_default();
    for (sum, figure) in sum.iter_mut().zip(figures) {
        *sum += figure.as_u64().unwrap_or(0);
    }
}

fn tokens_of_ours(bill: &Value) -> Tokens {
    let mut tokens = Tokens::new();
    for model in
        bill["groups"].as_array().into_iter().flatten().flat_map(|agent| agent["groups"].as_array()).flatten()
    {
        let it = &model["tokens"];
        add(
            &mut tokens,
            &model["model"],
            ["input", "output", "cache_creation", "cache_read"].map(|kind| &it[kind]),
        );
    }
    tokens.retain(|_, figures| *figures != [0; 4]);
    tokens
}

fn tokens_of_ccusage(usage: &Value) -> Tokens {
    let mut tokens = Tokens::new();
    for model in usage["daily"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|day| day["modelBreakdowns"].as_array())
        .flatten()
    {
        let kinds = ["inputTokens", "outputTokens", "cacheCreationTokens", "cacheReadTokens"];
        add(&mut tokens, &model["modelName"], kinds.map(|kind| &model[kind]));
    }
    tokens.retain(|_, figures| *figures != [0; 4]);
    tokens
}
