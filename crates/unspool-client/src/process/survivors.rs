//! Finds what a program has started, by a mark that all of it inherits.

use uuid::Uuid;

/// The environment variable that holds the mark.
pub(super) const VARIABLE: &str = "UNSPOOL_RUN";

/// Names one run of the program.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Self {
        Mark(Uuid::new_v4().to_string())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Ends everything that bears the mark, also what is started meanwhile.
    #[cfg(target_os = "linux")]
    pub(super) fn kill_all(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        use std::time::Duration;
        const ROUNDS: u32 = 8;
        for round in 0..ROUNDS {
            let living = self.living();
            for id in living.iter().filter_map(|id| Pid::from_raw(*id)) {
                // It may have ended by itself.
                let _ = kill_process(id, Signal::KILL);
            }
            if living.is_empty() {
                return;
            }
            // What was killed takes a moment to die, and may just have started something.
            std::thread::sleep(Duration::from_millis(1 << round));
        }
    }

    /// Elsewhere the process group has to do.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn kill_all(&self) {}

    /// Who bears the mark and has not ended. The environment of a zombie is empty.
    #[cfg(target_os = "linux")]
    pub(super) fn living(&self) -> Vec<i32> {
        let own = std::process::id().to_string();
        let entry = format!("{VARIABLE}={}", self.0).into_bytes();
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let names = processes.filter_map(|process| process.ok()?.file_name().into_string().ok());
        names
            .filter(|name| *name != own)
            .filter_map(|name| {
                Some((name.parse().ok()?, std::fs::read(format!("/proc/{name}/environ")).ok()?))
            })
            .filter(|(_, environment)| environment.split(|byte| *byte == 0).any(|other| other == entry))
            .map(|(id, _)| id)
            .collect()
    }
}
