//! The processes of this machine, by what stands in their environment; read from `/proc`, so on Linux alone.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;

/// The processes that live and have inherited this variable.
pub fn marked(variable: &str, value: &str) -> Vec<i32> {
    let wanted = format!("{variable}={value}");
    let has_mark = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    all().filter(has_mark).filter(|pid| stat(*pid).is_some_and(|(state, _)| state != 'Z')).collect()
}

/// The children of this process that have ended, and that nobody has asked about.
pub fn zombies() -> Vec<i32> {
    let own = std::process::id().cast_signed();
    all().filter(|pid| stat(*pid) == Some(('Z', own))).collect()
}

/// What a process is called.
pub fn name(pid: i32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ").chars().take(80).collect()
}

/// The process may be gone: then nothing happens.
pub fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

fn all() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The state of a process, and its parent.
fn stat(pid: i32) -> Option<(char, i32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}
