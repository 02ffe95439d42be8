//! `unspool diff`: two runs side by side.

use crate::output::{Lines, Output};
use crate::paper::PaperArgs;
use crate::redact::RedactArgs;
use crate::source::{Source, Sources};
use crate::wrong_call::WrongCall;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unspool::Grain;
use unspool_report::compare::{Aspect, Comparison, Layout, Take, json, lines};

/// Compare two runs: what was said and done, tools, files, cost and time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// A recording, a stream, a transcript, a file of events, or the id of a session; `-` for standard input.
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The run that it is compared with.
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Exit with 3 if they differ.
    #[arg(long)]
    exit_code: bool,
    /// What counts, and is shown; all of it if nothing is named. Times never count.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    only: Vec<Aspect>,
    /// Count what is random by nature, too: ids, times in texts, the folder, temporary paths.
    #[arg(long)]
    exact: bool,
    /// Only what both came to.
    #[arg(long)]
    brief: bool,
    /// All that differs, however long it is.
    #[arg(long, conflicts_with = "brief")]
    full: bool,
    /// How both stand.
    #[arg(long, value_enum, default_value_t)]
    layout: LayoutArg,
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    redact: RedactArgs,
}

/// How both stand.
#[derive(Clone, Copy, Default, Eq, PartialEq, clap::ValueEnum)]
enum LayoutArg {
    /// Side by side on a terminal that is wide enough, else one below the other.
    #[default]
    Auto,
    /// Side by side.
    Columns,
    /// One below the other, with - and +.
    Lines,
}

/// So wide a terminal has room for both.
const WIDE: usize = 120;

/// They differ. 1 and 2 are failures of unspool, here as everywhere.
const DIFFER: u8 = 3;

const EXAMPLES: &str = "\
Examples:
  unspool diff before.rec after.rec
  unspool diff 5eab33a4 95fa39ce --brief
  unspool diff expected.ndjson run.ndjson --exit-code --only verdict,answer,tools,files
  unspool diff a.rec b.rec --json | jq '.tools[] | select(.same == false)'
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool diff before.rec -

Both are read whole and brought together by agent and turn, part by part. ≠ stands where they
differ, ? where one of them does not tell a figure: what is not told is no difference.
Ids, times, temporary paths and the folder of a run are random by nature and do not count, unless
--exact is given. Nor does it count how long something took. docs/diff.md has the details.

Exit code: 0, whether they differ or not; with --exit-code 3 if they differ; 1 if one of them
cannot be read; 2 wrong call.";

impl DiffArgs {
    pub(crate) fn run(self, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let is_stdin = |file: &PathBuf| file.as_os_str() == "-";
        if is_stdin(&self.first) && is_stdin(&self.second) {
            return Err(WrongCall::new("only one of the two can be standard input").into());
        }
        let [first, second] = [&self.first, &self.second].map(|file| self.take(file));
        let (first, second) = (first?, second?);
        let comparison = Comparison::of(&first, &second);
        let comparison = if self.only.is_empty() { comparison } else { comparison.only(&self.only) };
        let is_terminal = out.is_terminal();
        let mut held = Lines::new(out);
        if self.json {
            held.line(|line| line.push_str(&json(&comparison).to_string()))?;
        } else {
            for text in lines(&comparison, self.layout(is_terminal)) {
                held.line(|line| line.push_str(text.trim_end()))?;
            }
        }
        held.flush()?;
        let differ = self.exit_code && !comparison.is_same();
        Ok(if differ { ExitCode::from(DIFFER) } else { ExitCode::SUCCESS })
    }

    fn take(&self, file: &Path) -> anyhow::Result<Take> {
        let source: Source = Sources::of(vec![file.to_owned()]).find()?.one()?;
        let mut take = Take::new(&source.name());
        if self.exact {
            take = take.exact();
        }
        source.tell(Grain::Blocks, |event| take.step(event))?;
        Ok(take)
    }

    fn layout(&self, is_terminal: bool) -> Layout {
        let paper = self.paper.paper();
        let columns = match self.layout {
            LayoutArg::Auto => is_terminal && paper.width >= WIDE,
            LayoutArg::Columns => true,
            LayoutArg::Lines => false,
        };
        Layout::new(paper).columns(columns).brief(self.brief).full(self.full)
    }
}
