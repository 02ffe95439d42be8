//! What a program takes, as the kernel tells it; only on Linux.

use anyhow::ensure;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a run of a program took.
#[derive(Clone, Copy)]
pub struct Run {
    /// Seconds, its own and the kernel's for it, on all cores.
    pub cpu: f64,
    /// Seconds until it ended.
    pub wall: f64,
    /// Bytes.
    pub peak: usize,
    /// Whether it exited with 0.
    pub success: bool,
}

/// Runs a program that does what it should, and asks the kernel about it.
pub fn watch(command: &mut Command) -> anyhow::Result<Run> {
    let run = watch_any(command)?;
    ensure!(run.success, "{:?} failed", command.get_program());
    Ok(run)
}

/// Runs a program, however it ends, and asks the kernel about it until it is over: a program that has ended but was not
/// waited for still tells its CPU time, and the peak of its memory never falls.
pub fn watch_any(command: &mut Command) -> anyhow::Result<Run> {
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    let mut peak = 0;
    let cpu = loop {
        let stat = fs::read_to_string(folder.join("stat"))?;
        // Behind the name, which may hold anything: the state, and eleven fields later the ticks.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
        if fields[0] == "Z" {
            break (fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / TICKS;
        }
        let status = fs::read_to_string(folder.join("status"))?;
        if let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            peak = line.trim().trim_end_matches(" kB").parse::<usize>()? << 10;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let wall = begun.elapsed().as_secs_f64();
    let success = child.wait()?.success();
    Ok(Run { cpu, wall, peak, success })
}

/// In a second, on every Linux there is a Rust for.
const TICKS: f64 = 100.0;
