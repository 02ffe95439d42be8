//! The end of a process, as Claude Code's was.

use std::process;
use unspool::standin::Ended;

/// Ends this process as a life has ended: with its code, or by its signal. Where there are no signals, one is a code as shells
/// have it.
pub fn exit(ended: Ended) -> ! {
    if let Some(signal) = ended.signal {
        kill(signal);
        process::exit(128 + signal);
    }
    process::exit(ended.code.unwrap_or(0))
}

/// Becomes a shell that sends itself the signal: for it no handler of ours holds any more. Comes back if there is no shell.
#[cfg(unix)]
fn kill(signal: i32) {
    use std::os::unix::process::CommandExt;
    // No file of what the program has held in memory is wanted.
    let script = format!("ulimit -c 0 2>/dev/null; kill -{signal} $$");
    let _ = process::Command::new("/bin/sh").args(["-c", &script]).exec();
}

#[cfg(not(unix))]
fn kill(_: i32) {}
