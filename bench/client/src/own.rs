//! What this process takes, without its children.

use cpu_time::ProcessTime;
use std::fs;

/// Milliseconds of CPU so far, user and system.
pub fn cpu() -> f64 {
    ProcessTime::now().as_duration().as_secs_f64() * 1000.0
}

/// Megabytes of memory that it holds now.
pub fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}
