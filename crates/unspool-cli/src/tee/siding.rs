//! Hands bytes from one pipe to another without copying them a second time: what is read to be kept stays in the kernel, too, and goes on
//! from there. To copy it takes nearly a fifth of what a flood of bytes costs.

use super::pass::End;
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice, tee};
use std::os::fd::OwnedFd;

/// A pipe beside the way, which is empty between two pieces.
pub(super) struct Siding {
    into: OwnedFd,
    from: OwnedFd,
}

impl Siding {
    /// Less than this is sooner copied.
    pub(super) const WORTH_IT: usize = 64 << 10;

    /// Nothing where one of the ends is no pipe.
    pub(super) fn between(from: &End, to: &End, size: usize) -> Option<Self> {
        let is_pipe = |end: &End| {
            fstat(end.fd()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
        };
        if !is_pipe(from) || !is_pipe(to) {
            return None;
        }
        let (from, into) = pipe_with(PipeFlags::CLOEXEC).ok()?;
        fcntl_setpipe_size(&into, size).ok()?;
        Some(Siding { into, from })
    }

    /// Takes what is there, without taking it away. Returns how much that is.
    pub(super) fn take(&self, from: &End, most: usize) -> Result<usize, Errno> {
        tee(from.fd(), &self.into, most, SpliceFlags::empty())
    }

    /// Hands on so much of what was taken, or less.
    pub(super) fn give(&self, to: &End, length: usize) -> Result<usize, Errno> {
        splice(&self.from, None, to.fd(), None, length, SpliceFlags::empty())
    }
}
