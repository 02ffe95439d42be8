//! `unspool html`: a session as one page, to share.

use crate::output::Lines;
use crate::page::Page;
use crate::source::Sources;
use crate::story::{Limit, Story};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::Grain;

/// Longer outputs are shown by their beginning and their end.
const LIMIT: usize = 16 << 10;

/// Make one page of HTML of a session, to share.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HtmlArgs {
    /// A recorded stream, a transcript, or the id of a session; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Keep everything: long outputs, large pictures and long diffs are shown whole.
    #[arg(long)]
    full: bool,
}

const EXAMPLES: &str = "\
Examples:
  unspool html run.ndjson > run.html
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool html > run.html
  unspool html run.ndjson --full > everything.html
  unspool html 5f0c9a9e > session.html    # a session that Claude Code keeps: `unspool sessions`

The page has the conversation with all agents, calls and diffs, a timeline, the bill, and a
search (press `/`). It is one file that loads nothing from anywhere, works without a network
and in print, and nothing in the session can run in it. It shows all that the session has
seen: look through it before you share it.

Of outputs longer than 16 kB the beginning and the end are shown, and how much is left out.

Exit code: 0, whatever the session came to; 1 if it cannot be read.";

impl HtmlArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let limit = if self.full { Limit::Whole } else { Limit::Bytes(LIMIT) };
        let mut story = Story::new(limit);
        Sources::of(vec![self.file]).find()?.one()?.tell(Grain::Blocks, |event| story.step(event))?;
        let mut lines = Lines::new(out);
        let page = Page { story: &story, full: self.full, title: None };
        page.write(|piece| lines.piece(|held| held.push_str(&piece)))?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
