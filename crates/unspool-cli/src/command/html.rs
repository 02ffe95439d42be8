//! `unspool html`: a session as one page, to share.

use crate::browser;
use crate::output::Lines;
use crate::redact::RedactArgs;
use crate::source::Sources;
use anyhow::Context;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::Grain;
use unspool_report::page::Page;
use unspool_report::story::{Limit, Story};

/// Longer outputs are shown by their beginning and their end.
const LIMIT: usize = 16 << 10;

/// Make one page of HTML of a session, to share.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HtmlArgs {
    /// A recorded stream, a transcript, or the id of a session; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Write the page to this file; `-` or nothing for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show it in the browser; without --output in a private folder for passing things.
    #[arg(long)]
    open: bool,
    /// What the page is called; otherwise the first prompt, or the title that the session has.
    #[arg(long, value_name = "WORDS")]
    title: Option<String>,
    /// Keep everything: long outputs, large pictures and long diffs are shown whole.
    #[arg(long)]
    full: bool,
    /// With a player: a slider, buttons and keys to see the session as it stood at any moment.
    #[arg(long)]
    play: bool,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool html run.ndjson -o run.html
  unspool html run.ndjson --open
  unspool html run.rec --play -o run.html
  unspool html run.ndjson -o run.html --title 'How the parser was mended'
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool html > run.html
  unspool html 5f0c9a9e -o session.html --full    # a session that Claude Code keeps: `unspool sessions`

The page has the answer, the conversation with all agents, calls and diffs, a timeline, the
bill, and a search (press `/`). It is one file that loads nothing from anywhere, works without a network
and in print, and nothing in the session can run in it. It shows all that the session has
seen: look through it before you share it.

With --play it has a player and shows the session as it stood at any moment. Space plays and
pauses, the arrows go event by event, PageUp and PageDown turn by turn, a to another agent,
e to what went wrong next, + and - are faster and slower, q is the whole page again; `?` lists
them. `run.html#t=64` is the session after 64 s.

Of outputs longer than 16 kB the beginning and the end are shown, and how much is left out.

Exit code: 0, whatever the session came to; 1 if it cannot be read, or the page cannot be
written or shown.";

impl HtmlArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let limit = if self.full { Limit::Whole } else { Limit::Bytes(LIMIT) };
        let mut story = Story::new(limit);
        Sources::of(vec![self.file]).find()?.one()?.tell(Grain::Blocks, |event| story.step(event))?;
        let mut page = Page::of(&story);
        (page.full, page.title, page.play) = (self.full, self.title.as_deref(), self.play);
        let Some(file) = place(self.output, self.open)? else {
            write(&page, out)?;
            return Ok(ExitCode::SUCCESS);
        };
        let no_file = || format!("cannot write {}", file.display());
        let mut written = File::create(&file).with_context(no_file)?;
        write(&page, &mut written).with_context(no_file)?;
        if self.open {
            browser::open(&file)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The file that the page goes to; none for standard output.
fn place(output: Option<PathBuf>, open: bool) -> anyhow::Result<Option<PathBuf>> {
    match output.filter(|file| file.as_os_str() != "-") {
        None if open => {
            let folder = browser::private_folder().context("cannot make a folder for the page")?;
            Ok(Some(folder.join("session.html")))
        }
        output => Ok(output),
    }
}

fn write(page: &Page<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut lines = Lines::new(out);
    page.write(|piece| lines.piece(|held| held.push_str(&piece)))?;
    lines.flush()
}
