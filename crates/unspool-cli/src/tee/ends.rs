//! What the program gets for its standard input, output and error: the kind of thing that we have, with us at the other end.

use rustix::fs::{FileType, fstat};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    OptionalActions, OutputModes, isatty, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize,
};
use std::fs::OpenOptions;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::process::Stdio;
use unspool::journal::Way;

/// Pipes hold so much, where the system lets them: fewer turns to wake up for.
const PIPE: usize = 1 << 20;

/// Both sides of all three.
pub(super) struct Ends {
    /// What the program gets.
    pub(super) theirs: [Stdio; 3],
    /// Where what we were given goes; nothing if the program has it itself.
    pub(super) input: Option<OwnedFd>,
    /// Where what the program writes comes from, and which way it goes on.
    pub(super) heard: Vec<(OwnedFd, Way)>,
    /// Terminals that we made, and those that they stand for.
    pub(super) screens: Vec<Screen>,
}

/// A terminal that the program writes to, as wide and high as the one it stands for.
pub(super) struct Screen {
    ours: OwnedFd,
    real: BorrowedFd<'static>,
}

/// Which way bytes go, from us or to us.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    In,
    Out,
}

impl Ends {
    pub(super) fn mirrored() -> io::Result<Self> {
        let mut screens = Vec::new();
        let stdin = rustix::stdio::stdin();
        // Keys, modes and job control are between the terminal and the program.
        let (input, their_input) = if isatty(stdin) {
            (None, Stdio::inherit())
        } else {
            let (ours, theirs) = like(stdin, Direction::In)?;
            (Some(ours), Stdio::from(theirs))
        };
        let (stdout, stderr) = (rustix::stdio::stdout(), rustix::stdio::stderr());
        let mut hear = |real: BorrowedFd<'static>| -> io::Result<(OwnedFd, OwnedFd)> {
            if !isatty(real) {
                return like(real, Direction::Out);
            }
            let (ours, theirs) = screen(real)?;
            screens.push(Screen { ours: ours.try_clone()?, real });
            Ok((ours, theirs))
        };
        let (output, their_output) = hear(stdout)?;
        let mut heard = vec![(output, Way::Out)];
        // Where both go to one file, the order in which they were written must not change.
        let their_errors = if is_one(stdout, stderr) && !isatty(stdout) {
            their_output.try_clone()?
        } else {
            let (errors, theirs) = hear(stderr)?;
            heard.push((errors, Way::Err));
            theirs
        };
        let theirs = [their_input, their_output.into(), their_errors.into()];
        Ok(Ends { theirs, input, heard, screens })
    }
}

impl Screen {
    /// Somebody has changed the window.
    pub(super) fn resize(&self) {
        if let Ok(size) = tcgetwinsize(self.real) {
            // One that cannot be resized is as it was.
            let _ = tcsetwinsize(&self.ours, size);
        }
    }
}

fn is_one(first: BorrowedFd<'_>, second: BorrowedFd<'_>) -> bool {
    let id = |fd| fstat(fd).ok().map(|stat| (stat.st_dev, stat.st_ino));
    id(first).is_some() && id(first) == id(second)
}

/// Our end and the program's. Programs treat sockets and pipes differently, so one is not the other.
fn like(real: BorrowedFd<'_>, direction: Direction) -> io::Result<(OwnedFd, OwnedFd)> {
    let kind = fstat(real).map(|stat| FileType::from_raw_mode(stat.st_mode));
    if kind.is_ok_and(|kind| kind == FileType::Socket) {
        return Ok(socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?);
    }
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    // A smaller one does it, too.
    let _ = fcntl_setpipe_size(&write, PIPE);
    Ok(if direction == Direction::In { (write, read) } else { (read, write) })
}

/// A terminal like that one, which changes no byte: the real one does what is to be done.
fn screen(real: BorrowedFd<'_>) -> io::Result<(OwnedFd, OwnedFd)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let path =
        std::path::Path::new(std::ffi::OsStr::new(name.to_str().map_err(io::Error::other)?)).to_owned();
    let theirs: OwnedFd = OpenOptions::new().read(true).write(true).open(path)?.into();
    let mut modes = tcgetattr(real)?;
    modes.output_modes.remove(OutputModes::OPOST);
    tcsetattr(&theirs, OptionalActions::Now, &modes)?;
    tcsetwinsize(&theirs, tcgetwinsize(real)?)?;
    Ok((ours, theirs))
}
