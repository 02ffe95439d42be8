//! Stands between a program and whoever runs it, and keeps what passes, without being noticed.
//!
//! ```text
//!  host --stdin--> [ keep, hand on ] --> program
//!  host <--stdout-- [ keep, hand on ] <-- program      a thread each way; what is handed on was kept before
//!  host <--stderr-- [ keep, hand on ] <-- program
//! ```
//!
//! The program gets the kind of thing that we got for each: a pipe, a socket, or a terminal. Its exit code and its signal are ours,
//! and signals that were meant for it reach it.

mod ends;
mod exec;
mod keeper;
mod pass;
mod siding;
mod signals;

pub(crate) use exec::exec;

use crate::recording::Recorder;
use ends::Ends;
use keeper::Keeper;
use pass::End;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use unspool::journal::Way;

/// So long nothing may pass before what is left of a program that has ended is given up.
const QUIET: Duration = Duration::from_millis(200);

/// Runs a program and keeps what passes. Returns how it ended.
pub(crate) fn run(command: &[OsString], recorder: Recorder) -> anyhow::Result<ExitStatus> {
    let ends = Ends::mirrored()?;
    let keeper = Keeper::new(recorder);
    let mut child = spawn(command, ends.theirs)?;
    signals::forward(&child, ends.screens)?;
    if let Some(input) = ends.input {
        let keeper = keeper.clone();
        // Nobody waits for this one: a host may keep its end open for ever.
        thread::spawn(move || pass::on(End::Given(Way::In), End::Ours(input), Way::In, &keeper));
    }
    let passing: Vec<_> = ends
        .heard
        .into_iter()
        .map(|(from, way)| {
            let keeper = keeper.clone();
            thread::spawn(move || pass::on(End::Ours(from), End::Given(way), way, &keeper))
        })
        .collect();
    let status = child.wait()?;
    // What the program has started may have its pipes for ever; what the program itself wrote is there already.
    let mut since = (keeper.passed(), Instant::now());
    while !passing.iter().all(thread::JoinHandle::is_finished) {
        thread::sleep(Duration::from_millis(1));
        if keeper.passed() != since.0 {
            since = (keeper.passed(), Instant::now());
        }
        if since.1.elapsed() > QUIET {
            break;
        }
    }
    keeper.finish(status);
    Ok(status)
}

/// Starts it by way of [`exec`], so that it does not outlive us.
fn spawn(command: &[OsString], [input, output, errors]: [Stdio; 3]) -> io::Result<Child> {
    let mut shim = Command::new(std::env::current_exe()?);
    shim.arg(exec::NAME).arg(std::process::id().to_string()).args(command);
    // The ends are dropped with the command: nobody but the program has them then.
    shim.stdin(input).stdout(output).stderr(errors).spawn()
}

/// Ends as the program did.
pub(crate) fn end_as(status: ExitStatus) -> std::process::ExitCode {
    if let Some(signal) = status.signal() {
        signals::die_of(signal);
    }
    std::process::ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
