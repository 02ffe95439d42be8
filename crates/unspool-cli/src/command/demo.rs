//! `unspool demo`: a recorded session, told by the same code as any other.

use crate::output::Lines;
use crate::view::View;
use std::io::Write;
use std::process::ExitCode;
use unspool::{Event, Grain, Spool};

/// A session of CLI 2.1.325: two agents at work side by side, told in partial messages too.
const RECORDING: &[u8] = include_bytes!("../../demo/two-agents.ndjson");

/// Play a recorded session with two sub-agents; needs no login and no claude.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {}

const EXAMPLES: &str = "\
Example:
  unspool demo

The main agent starts two sub-agents at once; what each says and does stands under it,
indented. `>` is a call of a tool, `<` its answer, `--` a turn, `==` how it all ended.";

impl Demo {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut lines = Lines::new(out);
        let mut view = View::default();
        let mut spool = Spool::new(Grain::Blocks);
        let mut shown = String::new();
        let mut show = |event: Event<'_>| shown.push_str(&view.show(&event));
        spool.feed(RECORDING, &mut show);
        spool.finish(&mut show);
        lines.line(|line| line.push_str(shown.trim_end()))?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_shows_two_agents_and_ends_well() {
        let mut out = Vec::new();
        Demo {}.run(&mut out).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(shown.matches("[agent] ").count(), 2, "{shown}");
        assert_eq!(shown.matches("[agent completed").count(), 2, "{shown}");
        assert!(shown.ends_with("== ok: the last turn completed\n"), "{shown}");
    }
}
