//! Signals that are meant for the program.

use super::ends::Screen;
use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, getppid, kill_process, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::WithOrigin;
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::process::Child;
use std::thread;

/// Hands on what somebody sends to us alone. What a terminal sends has reached the program, too.
pub(super) fn forward(child: &Child, screens: Vec<Screen>) -> io::Result<()> {
    let program = Pid::from_child(child);
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH];
    let mut heard = SignalsInfo::<WithOrigin>::new(wanted)?;
    thread::spawn(move || {
        for origin in heard.forever() {
            if origin.signal == SIGWINCH {
                screens.iter().for_each(Screen::resize);
            }
            let by_somebody = origin.process.is_some();
            if let Some(signal) = Signal::from_named_raw(origin.signal).filter(|_| by_somebody) {
                // It may have ended by now.
                let _ = kill_process(program, signal);
            }
        }
    });
    Ok(())
}

/// Ends as a program does that this signal ends.
pub(super) fn die_of(signal: i32) {
    // There is a core of the program already, if anybody wants one.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    // Whatever does not work leaves an exit code.
    let _ = emulate_default_handler(signal);
    if let Some(signal) = Signal::from_named_raw(signal) {
        let _ = kill_process(getpid(), signal);
    }
}

/// The process that we are, and whatever it becomes, ends when that one does: it is its parent.
pub(super) fn die_with(parent: Option<i32>) {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        // It may have ended before we said so.
        if getppid() != parent.and_then(Pid::from_raw) {
            die_of(signal_hook::consts::SIGKILL);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (parent, getppid);
}
