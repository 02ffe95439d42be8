//! The processes of this machine, by what stands in their environment; read from `/proc`, so on Linux alone.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;

/// The processes that live and have inherited this variable.
pub fn marked(variable: &str, value: &str) -> Vec<i32> {
    let wanted = format!("{variable}={value}");
    let has_mark = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    all().filter(has_mark).filter(|pid| stat(*pid).is_some_and(|stat| stat.state != 'Z')).collect()
}

/// The processes that live and whose ids stand in a file.
pub fn named_in(file: &Path) -> Vec<i32> {
    let ids = fs::read_to_string(file).unwrap_or_default();
    let ids = ids.lines().filter_map(|id| id.parse().ok());
    ids.filter(|pid| stat(*pid).is_some_and(|stat| stat.state != 'Z')).collect()
}

/// The guards that live and were started from here, by this process or by one that it has started.
pub fn guards() -> Vec<i32> {
    let own = stat(std::process::id().cast_signed()).map(|stat| stat.session);
    let is_ours = |pid: &i32| stat(*pid).is_some_and(|stat| stat.state != 'Z' && Some(stat.session) == own);
    all().filter(|pid| words(*pid).contains("unspool-guard")).filter(is_ours).collect()
}

/// The children of this process that have ended, and that nobody has asked about.
pub fn zombies() -> Vec<i32> {
    let own = std::process::id().cast_signed();
    all().filter(|pid| stat(*pid).is_some_and(|stat| stat.state == 'Z' && stat.parent == own)).collect()
}

/// What a process is called.
pub fn name(pid: i32) -> String {
    words(pid).chars().take(80).collect()
}

fn words(pid: i32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
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

/// What is known of a process.
struct Stat {
    state: char,
    parent: i32,
    session: i32,
}

fn stat(pid: i32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let [state, parent, _, session, ..] = fields.as_slice() else { return None };
    Some(Stat { state: state.chars().next()?, parent: parent.parse().ok()?, session: session.parse().ok()? })
}
