//! Finds what a program has started, by marks that all of it inherits.
//!
//! One is a word in the environment, which everything inherits that is not given another environment. The other is a limit on
//! resources that limits nothing: on Linux even that inherits it which is started with a clean environment, in a session of its
//! own, by a parent that has died since.

use uuid::Uuid;

/// The environment variable that holds the mark, behind those of whoever runs us in turn: what a program of a program starts
/// is started by both.
pub(super) const VARIABLE: &str = "UNSPOOL_RUN";

/// Names one run of the program.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Mark(Uuid);

impl Mark {
    pub(super) fn new() -> Self {
        Mark(Uuid::new_v4())
    }

    /// The word in the environment.
    pub(super) fn name(self) -> String {
        self.0.to_string()
    }

    /// The limit: microseconds that no process will ever take, and no other run has.
    #[cfg(unix)]
    pub(super) fn limit(self) -> u64 {
        1 << 61 | self.0.as_u64_pair().0 >> 3
    }

    /// What the variable is set to.
    pub(super) fn variable(self) -> String {
        match std::env::var(VARIABLE) {
            Ok(outer) if !outer.is_empty() => format!("{outer},{}", self.0),
            _ => self.name(),
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::unmark;

#[cfg(target_os = "linux")]
mod linux {
    use super::{Mark, VARIABLE};
    use rustix::process::{
        Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, kill_process, pidfd_open, pidfd_send_signal,
        prlimit,
    };
    use std::fs;
    use std::time::Duration;

    /// How long a process may run in real time without a pause. It holds only for what runs in real time.
    const RESOURCE: Resource = Resource::Rttime;

    impl Mark {
        /// Marks a process that has just been started, and whatever it will start. On a busy machine it may have started something
        /// already, as what only runs another program does at once.
        pub(crate) fn put_on(self, process: u32) {
            let most = getrlimit(RESOURCE).maximum;
            if most.is_some_and(|most| most < self.limit()) {
                return;
            }
            let mut unmarked = vec![process];
            while let Some(process) = unmarked.pop() {
                limit(process, Rlimit { current: Some(self.limit()), maximum: most });
                unmarked.extend(children(process));
            }
        }

        /// Ends everything that bears the mark, also what is started meanwhile.
        pub(crate) fn kill_all(self) {
            const ROUNDS: u32 = 8;
            for round in 0..ROUNDS {
                let living = self.living();
                for id in &living {
                    self.kill(*id);
                }
                if living.is_empty() {
                    return;
                }
                // What was killed takes a moment to die, and may just have started something.
                std::thread::sleep(Duration::from_millis(1 << round));
            }
        }

        /// Who bears the mark and has not ended.
        pub(crate) fn living(self) -> Vec<i32> {
            let own = std::process::id().cast_signed();
            let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
            let ids = processes.filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok());
            ids.filter(|id| *id != own && self.is_on(*id)).collect()
        }

        /// Kills a process that bears the mark: that very one, and no other that has got its id since.
        fn kill(self, id: i32) {
            let Some(id) = Pid::from_raw(id) else { return };
            // It may have ended by itself, whatever we do.
            let _ = match pidfd_open(id, PidfdFlags::empty()) {
                Ok(process) if self.is_on(id.as_raw_pid()) => pidfd_send_signal(process, Signal::KILL),
                Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
                // Not on Linux before 5.3, and not in every container.
                Err(_) => kill_process(id, Signal::KILL),
            };
        }

        fn is_on(self, id: i32) -> bool {
            self.is_in_environment(id) || self.is_in_limits(id)
        }

        /// The environment of a zombie is empty.
        fn is_in_environment(self, id: i32) -> bool {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            let (variable, name) = (format!("{VARIABLE}="), self.name());
            let mut entries = environment.split(|byte| *byte == 0);
            let marks = entries.find_map(|entry| entry.strip_prefix(variable.as_bytes()));
            marks.is_some_and(|marks| marks.split(|byte| *byte == b',').any(|mark| mark == name.as_bytes()))
        }

        /// A zombie keeps its limits.
        fn is_in_limits(self, id: i32) -> bool {
            let limits = fs::read_to_string(format!("/proc/{id}/limits")).unwrap_or_default();
            let limit = limits.lines().find_map(|line| line.strip_prefix("Max realtime timeout"));
            let current = limit.and_then(|limit| limit.split_whitespace().next()?.parse::<u64>().ok());
            current == Some(self.limit()) && !is_zombie(id)
        }
    }

    fn is_zombie(id: i32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // The name, in parentheses, may hold anything.
        stat.rsplit_once(')').is_none_or(|(_, fields)| fields.trim_start().starts_with(['Z', 'X']))
    }

    fn children(process: u32) -> Vec<u32> {
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        children
            .flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
            .collect()
    }

    /// Takes a mark away that a process has inherited from us.
    pub(crate) fn unmark(process: u32) {
        let Rlimit { current, maximum } = getrlimit(RESOURCE);
        if current != maximum {
            limit(process, Rlimit { current: maximum, maximum });
        }
    }

    /// Not everybody may: another user's process needs a right that root has not in every container.
    fn limit(process: u32, new: Rlimit) {
        if let Some(process) = Pid::from_raw(process.cast_signed())
            && let Err(error) = prlimit(Some(process), RESOURCE, new)
        {
            tracing::debug!(%error, "a process cannot be marked by a limit");
        }
    }
}

/// Elsewhere the process group has to do.
#[cfg(not(target_os = "linux"))]
impl Mark {
    pub(super) fn put_on(self, _: u32) {}

    pub(super) fn kill_all(self) {}
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn unmark(_: u32) {}
