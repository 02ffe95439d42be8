//! `unspool demo`: a recorded session, shown by the same code as any other.

use super::ViewOptions;
use super::view::signals::hear;
use crate::output::Output;
use crate::stage::{Screen, Stage, TICK};
use std::io;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};
use unspool::{Grain, Spool};

/// A session of CLI 2.1.325 with the scripted model, by `fix-the-tests.toml`: an edit, and two agents side by side.
const RECORDING: &str = include_str!("../../demo/fix-the-tests.ndjson");

/// When each line came.
const TIMES: &str = include_str!("../../demo/fix-the-tests.ndjson.times");

/// Longer waits are cut to this: a newcomer has better things to do.
const LONGEST_WAIT: u64 = 250;

/// Play a recorded session with two sub-agents; needs no login and no claude.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Show all of it at once.
    #[arg(long)]
    fast: bool,
    #[command(flatten)]
    options: ViewOptions,
}

const EXAMPLES: &str = "\
Example:
  unspool demo
  unspool demo --fast --tools line

On a terminal it is played as it was recorded, in a few seconds: what grows stands at the
bottom, with what each agent does. The main agent starts two sub-agents at once; what each
says and does stands under its name, in its colour.";

impl Demo {
    pub(crate) fn run(self, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        let is_terminal = out.is_terminal();
        let is_live = is_terminal && !self.fast && !self.options.is_dumb();
        let settings = self.options.settings(is_terminal);
        let mut spool = Spool::new(Grain::Deltas);
        let mut stage = if is_live {
            let screen = Screen::open(settings.colors);
            let shown = screen.clone();
            // Ctrl-C ends it, but not without the cursor, nor with a status line that says nothing any more.
            hear(move |_| {
                let _ = shown.lock().map(|mut screen| screen.give_way());
                std::process::exit(130)
            });
            Stage::on_screen(settings, self.options.is_fixed(), screen)
        } else {
            Stage::on_lines(settings, out)
        };
        let began = Instant::now();
        for (line, Played { time, due }) in RECORDING.split_inclusive('\n').zip(times()) {
            if is_live {
                play_until(&mut stage, began + Duration::from_millis(due))?;
            }
            // What took long is said to have: any other command that reads this recording says so, too.
            spool.set_clock(time);
            spool.feed(line.as_bytes(), |event| stage.step(&event));
            if stage.is_closed() {
                break;
            }
        }
        spool.finish(|event| stage.step(&event));
        stage.draw()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows what goes on until it is time.
fn play_until(stage: &mut Stage<'_>, due: Instant) -> io::Result<()> {
    loop {
        let left = due.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stage.draw()?;
        sleep(left.min(TICK));
    }
}

/// When a line came, and when it is shown, in milliseconds.
struct Played {
    time: u64,
    due: u64,
}

/// Both for each line.
fn times() -> impl Iterator<Item = Played> {
    let times = TIMES.lines().filter(|line| !line.starts_with('#'));
    let recorded = times.filter_map(|line| line.split('\t').next()?.parse::<f64>().ok());
    let (mut last, mut due) = (None, 0);
    recorded.map(move |time| {
        let time = time as u64;
        due += last.map_or(0, |last| time.saturating_sub(last)).min(LONGEST_WAIT);
        last = Some(time);
        Played { time, due }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_time_and_it_does_not_take_long() {
        assert_eq!(times().count(), RECORDING.lines().count());
        let last = times().last().map(|last| last.due);
        assert!(last.is_some_and(|last| last < 8000), "{last:?}");
    }

    #[test]
    fn the_demo_shows_two_agents_and_ends_well() {
        let mut out = Vec::new();
        Demo { fast: true, options: ViewOptions::default() }.run(&mut out).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(shown.contains("✓ ok · the last turn completed"), "{shown}");
    }
}
