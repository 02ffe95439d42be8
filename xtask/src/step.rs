//! A step of the test run, and the line that sums the steps up.

use crate::beside::Beside;
use crate::workspace::Workspace;
use std::fmt;
use std::time::{Duration, Instant};

/// One thing that must hold before a change is good.
pub(crate) struct Step {
    /// What it is called on the command line and in the summary.
    pub(crate) name: &'static str,
    /// Does it; an error is a failure.
    pub(crate) run: fn(&Workspace) -> anyhow::Result<Done>,
}

/// How a step that did not fail ended.
pub(crate) enum Done {
    /// It holds.
    Passed,
    /// It holds, but this has to be said of it: what had to be tried again, what was left out.
    PassedBut(Vec<String>),
    /// It could not be tried here, for this reason.
    Skipped(String),
}

/// How the steps ended, in order.
pub(crate) struct Summary {
    begun: Instant,
    ended: Vec<(&'static str, Ending, Duration)>,
}

/// How a step ended.
pub(crate) enum Ending {
    Passed,
    /// What had to be tried again may be broken now and then, and what was left out at any time, so they are named.
    PassedBut(String),
    Skipped(String),
    Failed(String),
}

impl Default for Summary {
    fn default() -> Self {
        Summary { begun: Instant::now(), ended: Vec::new() }
    }
}

impl Summary {
    /// Runs a step under its heading.
    pub(crate) fn run(&mut self, step: &Step, workspace: &Workspace) {
        println!("\n=== {} ===", step.name);
        let begun = Instant::now();
        let ending = match (step.run)(workspace) {
            Ok(Done::Passed) => Ending::Passed,
            Ok(Done::PassedBut(remarks)) => Ending::PassedBut(remarks.join("; ")),
            Ok(Done::Skipped(why)) => Ending::Skipped(why),
            Err(error) => Ending::Failed(format!("{error:#}")),
        };
        if !matches!(ending, Ending::Passed) {
            println!("{ending}");
        }
        self.ended.push((step.name, ending, begun.elapsed()));
    }

    /// Waits for a step that ran beside the others, and shows what it said.
    pub(crate) fn join(&mut self, beside: Beside) {
        let name = beside.name;
        let (said, ending, took) = beside.end().unwrap_or_else(|error| {
            (String::new(), Ending::Failed(format!("{error:#}")), Duration::default())
        });
        println!("{said}");
        self.ended.push((name, ending, took));
    }

    /// Whether nothing failed.
    pub(crate) fn good(&self) -> bool {
        self.count(|it| matches!(it, Ending::Failed(_))) == 0
    }

    fn count(&self, which: fn(&Ending) -> bool) -> usize {
        self.ended.iter().filter(|(_, ending, _)| which(ending)).count()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n=== summary ===")?;
        for (name, ending, took) in &self.ended {
            let ending = ending.to_string();
            writeln!(f, "{name:<14}{:>7.1} s  {}", took.as_secs_f64(), ending.lines().next().unwrap_or(""))?;
        }
        let passed = self.count(|it| matches!(it, Ending::Passed | Ending::PassedBut(_)));
        let failed = self.count(|it| matches!(it, Ending::Failed(_)));
        let skipped = self.count(|it| matches!(it, Ending::Skipped(_)));
        let total = self.begun.elapsed().as_secs_f64();
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped in {total:.0} s")
    }
}

const SKIPPED: &str = "SKIPPED: ";
const FAILED: &str = "FAILED: ";
const PASSED_BUT: &str = "passed, but ";

impl Ending {
    /// Reads what is printed of it.
    pub(crate) fn read(words: &str) -> Option<Self> {
        if words == "passed" {
            return Some(Ending::Passed);
        }
        let behind = |mark: &str| words.strip_prefix(mark).map(str::to_owned);
        let skipped = behind(SKIPPED).map(Ending::Skipped);
        skipped
            .or_else(|| behind(FAILED).map(Ending::Failed))
            .or_else(|| behind(PASSED_BUT).map(Ending::PassedBut))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Passed => f.write_str("passed"),
            Ending::PassedBut(remarks) => write!(f, "{PASSED_BUT}{remarks}"),
            Ending::Skipped(why) => write!(f, "{SKIPPED}{why}"),
            Ending::Failed(why) => write!(f, "{FAILED}{why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(ends: &[fn(&Workspace) -> anyhow::Result<Done>]) -> Summary {
        let workspace = Workspace { root: ".".into(), target: ".".into() };
        let mut summary = Summary::default();
        for &run in ends {
            summary.run(&Step { name: "step", run }, &workspace);
        }
        summary
    }

    #[test]
    fn a_failure_hides_nothing_and_is_counted() {
        let summary = summary(&[
            |_| Ok(Done::Passed),
            |_| anyhow::bail!("broken"),
            |_| Ok(Done::Skipped("not here".into())),
            |_| Ok(Done::Passed),
        ]);
        assert!(!summary.good());
        let text = summary.to_string();
        assert!(text.contains("FAILED: broken") && text.contains("SKIPPED: not here"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("2 passed, 1 failed, 1 skipped in "), "{text}");
    }

    #[test]
    fn what_is_to_be_said_of_a_step_that_passed_is_said() {
        let summary =
            summary(&[|_| Ok(Done::PassedBut(vec!["TRIED AGAIN: a, b".into(), "WITHOUT c".into()]))]);
        assert!(summary.good());
        let text = summary.to_string();
        assert!(text.contains("passed, but TRIED AGAIN: a, b; WITHOUT c\n1 passed, 0 failed"), "{text}");
    }

    #[test]
    fn a_skipped_step_is_not_a_failure() {
        assert!(summary(&[|_| Ok(Done::Skipped("not here".into()))]).good());
    }
}
