//! The terminal while it is ours: keys come one by one, and a second screen lies over what was there before.
//!
//! However this ends, it is given back as it was: by the end of its value, a panic, or a signal.

use super::keys::{Key, Keys};
use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The other screen, without a cursor.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

/// What the loop waits for.
pub(super) enum News {
    Key(Key),
    /// Its size may be another, or somebody else had it for a while.
    Changed,
    /// Nobody types any more.
    Gone,
}

/// The terminal, as long as this lives.
pub(super) struct Terminal(());

/// What is needed to give it back. Whoever writes to it holds this.
static HELD: Mutex<Option<Held>> = Mutex::new(None);

struct Held {
    /// Where keys come from.
    keyboard: File,
    /// Standard output.
    screen: File,
    /// As it was.
    modes: Termios,
    /// It is the shell's for a while.
    is_away: bool,
}

impl Terminal {
    /// Takes the terminal, if there is one.
    pub(super) fn open() -> io::Result<(Self, Receiver<News>)> {
        let keyboard = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        let screen = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let modes = tcgetattr(&keyboard)?;
        let (tell, news) = channel();
        // Before anything is changed, whatever ends us must find somebody who gives it back.
        hear(tell.clone())?;
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        let typed = keyboard.try_clone()?;
        let held = Held { keyboard, screen, modes, is_away: false };
        held.enter()?;
        *lock() = Some(held);
        let terminal = Terminal(());
        // A thread, because nothing can end a read from a terminal; the process does not wait for it.
        thread::Builder::new().name("keys".to_owned()).spawn(move || read(typed, &tell))?;
        Ok((terminal, news))
    }

    /// Shows a frame, unless somebody else has the terminal.
    pub(super) fn write(&self, frame: &str) -> io::Result<()> {
        match &mut *lock() {
            Some(held) if !held.is_away => {
                held.screen.write_all(frame.as_bytes()).and_then(|()| held.screen.flush())
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives it back as it was.
fn restore() {
    if let Some(held) = lock().take() {
        held.leave();
    }
}

fn lock() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Held {
    fn enter(&self) -> io::Result<()> {
        let mut modes = self.modes.clone();
        // Ctrl-C and Ctrl-Z stay what they are.
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&self.keyboard, OptionalActions::Drain, &modes)?;
        (&self.screen).write_all(ENTER.as_bytes())
    }

    fn leave(&self) {
        // A terminal that is gone needs nothing.
        let _ = (&self.screen).write_all(LEAVE.as_bytes());
        let _ = tcsetattr(&self.keyboard, OptionalActions::Drain, &self.modes);
    }
}

fn read(mut keyboard: File, tell: &Sender<News>) {
    let (mut keys, mut piece) = (Keys::default(), [0; 256]);
    loop {
        match keyboard.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => keys.feed(&piece[..length], |key| drop(tell.send(News::Key(key)))),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let _ = tell.send(News::Gone);
}

/// Signals that end us, stop us, or say that the window has changed.
fn hear(tell: Sender<News>) -> io::Result<()> {
    let mut heard = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in heard.forever() {
            match signal {
                SIGTSTP => {
                    away(true);
                    let _ = kill_process(getpid(), Signal::STOP);
                }
                SIGCONT => {
                    away(false);
                    let _ = tell.send(News::Changed);
                }
                SIGWINCH => drop(tell.send(News::Changed)),
                deadly => {
                    restore();
                    std::process::exit(128 + deadly);
                }
            }
        }
    })?;
    Ok(())
}

/// The terminal is the shell's until we are to go on, or ours again.
fn away(is_away: bool) {
    if let Some(held) = &mut *lock() {
        if is_away {
            held.leave();
        } else {
            // What cannot be had again is drawn on as it is.
            let _ = held.enter();
        }
        held.is_away = is_away;
    }
}
