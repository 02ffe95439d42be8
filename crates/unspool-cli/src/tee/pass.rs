//! Hands bytes on, one way, once they are kept.

use super::keeper::Keeper;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read, write};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::fs::OpenOptions;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use unspool::journal::Way;

/// Bytes that are handed on at once.
const PIECE: usize = 256 << 10;

/// One end of something.
pub(super) enum End {
    /// One that we made.
    Ours(OwnedFd),
    /// One that we were started with.
    Given(Way),
}

/// Hands on all that comes, and then, or when nobody takes it any more, closes both ends: each side hears of the other's end.
pub(super) fn on(from: End, to: End, way: Way, keeper: &Keeper) {
    let mut piece = vec![0; PIECE];
    loop {
        match take(&from, &mut piece) {
            Ok(0) => {
                keeper.close(way);
                break;
            }
            Ok(length) => {
                keeper.keep(way, &piece[..length]);
                if give(&to, &piece[..length]).is_err() {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    to.close();
    from.close();
}

fn take(from: &End, piece: &mut [u8]) -> Result<usize, Errno> {
    loop {
        match read(from.fd(), &mut *piece) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(from, PollFlags::IN)?,
            // A terminal that nobody writes to any more.
            Err(Errno::IO) => return Ok(0),
            taken => return taken,
        }
    }
}

fn give(to: &End, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match write(to.fd(), bytes) {
            Ok(length) => bytes = &bytes[length..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(to, PollFlags::OUT)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whoever gave it to us does not wait; we do.
fn wait(end: &End, flags: PollFlags) -> Result<(), Errno> {
    match poll(&mut [PollFd::from_borrowed_fd(end.fd(), flags)], None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error),
    }
}

impl End {
    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            End::Ours(fd) => fd.as_fd(),
            End::Given(Way::In) => rustix::stdio::stdin(),
            End::Given(Way::Err) => rustix::stdio::stderr(),
            End::Given(_) => rustix::stdio::stdout(),
        }
    }

    fn close(self) {
        let End::Given(way) = self else { return };
        // Its number must not be given to anything else.
        let Ok(nothing) = OpenOptions::new().read(true).write(true).open("/dev/null") else { return };
        // What cannot be closed is open until we end.
        let _ = match way {
            Way::In => dup2_stdin(nothing),
            Way::Err => dup2_stderr(nothing),
            _ => dup2_stdout(nothing),
        };
    }
}
