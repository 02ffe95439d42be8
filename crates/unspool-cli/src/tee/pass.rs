//! Hands bytes on, one way, once they are kept.

use super::keeper::Keeper;
use super::siding::Siding;
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
    let mut passage = Passage { from, to, piece: vec![0; PIECE], last: 0, siding: None, set_aside: 0 };
    while let Ok(length) = passage.take() {
        if length == 0 {
            keeper.close(way);
            break;
        }
        keeper.keep(way, &passage.piece[..length]);
        if passage.give(length).is_err() {
            break;
        }
    }
    passage.to.close();
    passage.from.close();
}

struct Passage {
    from: End,
    to: End,
    piece: Vec<u8>,
    /// How long the last piece was.
    last: usize,
    /// For a flood of bytes; what it is not to be had for has `Some(None)`.
    siding: Option<Option<Siding>>,
    /// So much of the piece is there, too.
    set_aside: usize,
}

impl Passage {
    /// Waits for the next piece. Returns how long it is; 0 at the end.
    fn take(&mut self) -> Result<usize, Errno> {
        let Passage { from, to, piece, .. } = self;
        if self.last >= Siding::WORTH_IT {
            let siding = self.siding.get_or_insert_with(|| Siding::between(from, to, PIECE));
            // Whatever does not work leaves all of it where it was.
            self.set_aside = siding.as_ref().and_then(|siding| siding.take(from, PIECE).ok()).unwrap_or(0);
        }
        let mut length = take(from, if self.set_aside > 0 { &mut piece[..self.set_aside] } else { piece })?;
        while length > 0 && length < self.set_aside {
            length += take(from, &mut piece[length..self.set_aside])?;
        }
        self.last = length;
        Ok(length)
    }

    /// Hands it on.
    fn give(&mut self, length: usize) -> Result<(), Errno> {
        let mut given = 0;
        let set_aside = std::mem::take(&mut self.set_aside);
        while let Some(siding) = self.siding.iter().flatten().next().filter(|_| given < set_aside) {
            match siding.give(&self.to, set_aside - given) {
                Ok(more) => given += more,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => wait(&self.to, PollFlags::OUT)?,
                Err(Errno::INVAL) => self.siding = Some(None),
                Err(error) => return Err(error),
            }
        }
        give(&self.to, &self.piece[given..length])
    }
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
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
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
