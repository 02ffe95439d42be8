//! Outlives this process, however it is ended, and then ends what it has started.
//!
//! Who is killed drops nothing and handles no signal. So for each program there is a small shell that waits for the end of a
//! pipe of which only we have the other end, and then does what we would have done.

use super::survivors::Mark;
use crate::options::User;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

const SCRIPT: &str = include_str!("guard.sh");

/// A guard that waits. It is gone when it is dropped.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    /// That we have died is known by its end.
    alive: Option<ChildStdin>,
    /// It is to end what is left also when we are alive.
    sweeps: bool,
}

impl Guard {
    /// To be called before the program is started, so that there is no moment without. Where the program is another user's,
    /// the guard is too: it may look at that user's processes, and we may not, even if we are root in a container. The
    /// folder is removed in the end.
    pub(super) fn start(mark: Mark, user: Option<User>, folder: Option<&Path>) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "unspool-guard", &mark.name(), &mark.limit().to_string()]).args(folder);
        // Nothing by which somebody who ends *us* and all that we have started would find it: it has work to do then.
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").current_dir("/").process_group(0);
        if let Some(user) = user {
            command.uid(user.uid).gid(user.gid);
        }
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        super::survivors::unmark(process.id());
        let alive = process.stdin.take();
        Ok(Guard { process, alive, sweeps: user.is_some() })
    }

    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The program has been started; its group has the same id.
    pub(super) fn watch(&mut self, program: Option<u32>) {
        if let (Some(alive), Some(program)) = (&mut self.alive, program) {
            // A guard that somebody has killed is of no use, and no reason to end.
            let _ = writeln!(alive, "{program}");
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.sweeps {
            self.alive = None;
        } else {
            // It may have been killed already.
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
