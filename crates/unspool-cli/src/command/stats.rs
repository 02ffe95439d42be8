//! `unspool stats`: how often, how long, and a timeline.

use crate::output::Lines;
use crate::paper::PaperArgs;
use crate::source::{Source, Sources, each};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use unspool::Grain;
use unspool_report::stats::{Copies, Report, Run, Sorted, Watch, json, sort, table};

/// Say how often and how long: calls, messages, waits, and a timeline of the agents.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Stats {
    #[command(flatten)]
    sources: Sources,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    paper: PaperArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool stats run.ndjson
  unspool stats run.ndjson --json | jq '.tools[] | {name, p95_ms}'
  unspool stats ~/.claude/projects/-home-me-project

The model has the floor from the prompt or the last answer of a tool to the end of its
message; a tool from its call to its answer. Wall time counts what runs side by side
once, `sum` counts each. p50 is a value that half of them do not exceed, p95 one that
95 of 100 do not exceed.

Times come from a file of times beside the recording (run.ndjson.times), else from the
timestamps in the lines. Without any there are only counts. Several files are summed up,
the timeline shows the session that lasted longest. A message or call that stands in several
files (a resumed or forked session) counts once. docs/stats.md has the details.

Exit code: 0; 1 if a file cannot be read (the others are shown); 2 wrong call.";

impl Stats {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let found = self.sources.find()?;
        let (report, failures) = report(&found.sources)?;
        let mut lines = Lines::new(out);
        if self.json {
            lines.line(|line| line.push_str(&json(&report).to_string()))?;
        } else {
            for text in table(&report, self.paper.paper()) {
                lines.line(|line| line.push_str(&text))?;
            }
        }
        lines.flush()?;
        let all_read = found.missing + failures == 0;
        Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Reads all of them, and those that have copies of others once more, without the copies.
fn report(sources: &[Source]) -> anyhow::Result<(Report, u64)> {
    let mut runs = Vec::new();
    let mut failures = each(
        sources,
        |source| watch(source, Watch::default()),
        |source, run| {
            runs.push((source.clone(), run));
            Ok(())
        },
    )?;
    let Sorted { fresh, again, repeated, .. } = sort(runs, |source| source.path().as_os_str() == "-");
    let mut report = Report::new(repeated);
    fresh.into_iter().for_each(|run| report.add(run));
    let (sources, copies): (Vec<Source>, Vec<Copies>) = again.into_iter().unzip();
    let copies: HashMap<&Path, &Copies> = sources.iter().map(Source::path).zip(&copies).collect();
    failures += each(
        &sources,
        |source| watch(source, Watch::without(copies.get(source.path()).copied())),
        |_, run| {
            report.add(run);
            Ok(())
        },
    )?;
    Ok((report, failures))
}

fn watch(source: &Source, mut watch: Watch<'_>) -> anyhow::Result<Run> {
    source.tell(Grain::Blocks, |event| watch.step(event))?;
    Ok(watch.finish())
}
