//! A step that waits part of the time, run beside those behind it.
//!
//! It is a process of its own, so that what it says can be kept until it has ended: two outputs that run into each other
//! cannot be read.

use crate::step::{Ending, Step};
use crate::workspace::Workspace;
use anyhow::Context;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Tells the process that others are at work.
const VARIABLE: &str = "XTASK_BESIDE";

/// A step that is running.
pub(crate) struct Beside {
    pub(crate) name: &'static str,
    child: Child,
    said: PathBuf,
    begun: Instant,
}

impl Beside {
    pub(crate) fn start(step: &Step, workspace: &Workspace) -> anyhow::Result<Self> {
        let said = workspace.target.join(format!("{}.log", step.name));
        let file = File::create(&said).with_context(|| said.display().to_string())?;
        let mut command = Command::new(env::current_exe()?);
        command.args(["test", step.name]).env(VARIABLE, "1");
        command.stdin(Stdio::piped()).stdout(file.try_clone()?).stderr(file);
        Ok(Beside { name: step.name, child: command.spawn()?, said, begun: Instant::now() })
    }

    /// Waits for its end, and tells what it has said. From now on it is alone.
    pub(crate) fn end(mut self) -> anyhow::Result<(String, Ending, Duration)> {
        // This closes its standard input, by which it knows.
        let status = self.child.wait()?;
        let said = fs::read(&self.said).with_context(|| self.said.display().to_string())?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let (said, ending) = part(&said, self.name);
        let ending = ending.unwrap_or_else(|| Ending::Failed(format!("it ended without a word: {status}")));
        Ok((said.to_owned(), ending, self.begun.elapsed()))
    }
}

/// What it said, and how it ended, which stands in its own summary.
fn part<'a>(said: &'a str, name: &str) -> (&'a str, Option<Ending>) {
    let Some((before, summary)) = said.rsplit_once("\n=== summary ===\n") else { return (said, None) };
    let line = summary.lines().find(|line| line.starts_with(name));
    (before.trim_end(), line.and_then(|line| Ending::read(line.split_once(" s  ")?.1)))
}

/// Whether this step runs beside others.
pub(crate) fn is_beside() -> bool {
    env::var_os(VARIABLE).is_some()
}

/// Waits until nothing else is at work, for what must not be disturbed.
pub(crate) fn wait_until_alone() -> io::Result<()> {
    if is_beside() {
        println!("waiting until nothing else is at work");
        io::copy(&mut io::stdin(), &mut io::sink())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_ended_is_read_from_its_summary() {
        for ending in [
            "passed",
            "passed, but TRIED AGAIN: a, b; WITHOUT c",
            "SKIPPED: no npm",
            "FAILED: failed twice: a, b",
        ] {
            let said = format!(
                "\n=== real ===\nwords\n\n\n=== summary ===\nreal            3.1 s  {ending}\n1 passed"
            );
            let (words, found) = part(&said, "real");
            assert_eq!(words, "\n=== real ===\nwords");
            assert_eq!(found.unwrap().to_string(), ending);
        }
        assert!(part("killed in the middle", "real").1.is_none());
    }
}
