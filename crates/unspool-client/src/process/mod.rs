//! Starts the program, and ends it with everything that it has started.
//!
//! The program gets a process group of its own. Claude Code puts the shells of its tools into groups of *their* own, so
//! that is not enough: everything it starts also inherits marks, by which it is found again even after its parents have
//! died (`survivors`). Where we are killed ourselves, a `guard` does the rest.

#[cfg(unix)]
mod guard;
mod living;
mod survivors;
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub use living::end_all;
#[cfg(unix)]
pub use living::end_on_signals;

use crate::options::User;
use crate::private::PrivateFolder;
use crate::transport::{Child, Exit, Signal, Transport};
#[cfg(unix)]
use guard::Guard;
use std::future::Future;
use std::io;
#[cfg(not(unix))]
use std::path::Path;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use survivors::Mark;
use tokio::process::Command;
use tokio::task::JoinHandle;

/// A program that was started.
pub(crate) struct Started {
    pub(crate) transport: Transport,
    /// Why it will survive us if we are killed.
    pub(crate) unguarded: Option<io::Error>,
}

/// Starts a command whose arguments, environment, folder and user are set. What is private goes with the program.
pub(crate) fn start(
    mut command: Command,
    user: Option<User>,
    private: Option<PrivateFolder>,
) -> io::Result<Started> {
    let mark = Mark::new();
    command.env(survivors::VARIABLE, mark.variable());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    let folder = private.as_ref().map(PrivateFolder::path);
    let (mut guard, unguarded) = match Guard::start(mark, user, folder) {
        Ok(guard) => (Some(guard), None),
        Err(error) => (None, Some(error)),
    };
    let mut child = command.spawn()?;
    // Before it is asked anything.
    child.id().into_iter().for_each(|id| mark.put_on(id));
    guard.iter_mut().for_each(|guard| guard.watch(child.id()));
    living::add(child.id(), mark);
    let missing = || io::Error::other("the program was started without pipes");
    let input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let errors = child.stderr.take().ok_or_else(missing)?;
    let process = Process { child, mark, guard, sweep: Sweep::Due, _private: private };
    let transport = Transport::new(Box::new(input), Box::new(output), Some(Box::new(errors)), process);
    Ok(Started { transport, unguarded })
}

struct Process {
    child: tokio::process::Child,
    mark: Mark,
    guard: Option<Guard>,
    sweep: Sweep,
    /// It stays as long as the program runs.
    _private: Option<PrivateFolder>,
}

/// The end of all that the program has started.
enum Sweep {
    /// The program has not ended yet.
    Due,
    /// It is being done. Whoever waits may give up and wait again.
    Begun(JoinHandle<()>),
    /// Nothing is left.
    Done,
}

impl Child for Process {
    fn id(&self) -> Option<u32> {
        self.child.id()
    }

    fn signal(&mut self, signal: Signal) {
        self.signal_group(signal);
        if signal == Signal::Kill {
            self.mark.kill_all();
        }
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = Exit> + Send + '_>> {
        Box::pin(async {
            // Only a process that was never ours cannot be waited for.
            let group = self.child.id();
            let exit = self.child.wait().await.map(Exit::from).unwrap_or_default();
            if matches!(self.sweep, Sweep::Due) {
                // What has no mark, or cannot be looked for by it, may still be in the group.
                group.into_iter().for_each(kill_group);
                let (mark, guard) = (self.mark, self.guard.take());
                // A look at every process takes milliseconds, which other sessions need not wait for.
                self.sweep = Sweep::Begun(tokio::task::spawn_blocking(move || {
                    mark.kill_all();
                    drop(guard);
                }));
            }
            if let Sweep::Begun(sweep) = &mut self.sweep {
                // It fails only with the runtime.
                let _ = sweep.await;
                self.sweep = Sweep::Done;
                living::remove(self.mark);
            }
            exit
        })
    }
}

impl Process {
    /// While the child has not been waited for, its id is no other's.
    #[cfg(unix)]
    fn signal_group(&mut self, signal: Signal) {
        use rustix::process::{Pid, Signal as Number, kill_process_group};
        let number = match signal {
            Signal::Terminate => Number::TERM,
            Signal::Kill => Number::KILL,
        };
        let id = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(id) = id {
            // It may have ended just now.
            let _ = kill_process_group(id, number);
        }
    }

    #[cfg(not(unix))]
    fn signal_group(&mut self, _: Signal) {
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !matches!(self.sweep, Sweep::Done) {
            self.signal(Signal::Kill);
        }
        living::remove(self.mark);
    }
}

/// Elsewhere than on Unix nobody is there to guard.
#[cfg(not(unix))]
struct Guard;

#[cfg(not(unix))]
impl Guard {
    fn start(_: Mark, _: Option<User>, _: Option<&Path>) -> io::Result<Self> {
        Ok(Guard)
    }

    fn watch(&mut self, _: Option<u32>) {}
}

/// Whether a program that we have started has ended, without asking how: that is for the driver, which waits for it.
#[cfg(unix)]
pub(crate) fn has_ended(id: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(id) = Pid::from_raw(id.cast_signed()) else { return false };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // It is no child of ours once somebody has waited for it.
    !matches!(waitid(WaitId::Pid(id), options), Ok(None))
}

#[cfg(not(unix))]
pub(crate) fn has_ended(_: u32) -> bool {
    false
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal as Number, kill_process_group};
    if let Some(id) = Pid::from_raw(id.cast_signed()) {
        // It may have ended just now.
        let _ = kill_process_group(id, Number::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        Exit { code: status.code(), signal }
    }
}
