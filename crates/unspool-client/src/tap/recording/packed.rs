//! Compresses a recording while it is written.
//!
//! It is a row of frames of zstd, one behind the other, each of whole lines and, where no line is longer, of about a megabyte: whoever looks
//! for an entry reads one of them. All that is written ends a block, so that it can be read as soon as it is in the file, and from a frame that was
//! cut. Behind the last frame of a recording that has ended stands a list of them, in the seekable format of zstd, which other readers
//! pass over.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use zstd::stream::raw::{Encoder, InBuffer, Operation, OutBuffer};

/// A frame is ended when there is so much in it.
const FRAME: u64 = 1 << 20;

/// The quickest that keeps what zstd is known for; of recordings, higher ones gain a few percent.
const LEVEL: i32 = 1;

/// A frame: how long it is, and what is in it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Frame {
    pub(super) packed: u64,
    pub(super) content: u64,
}

pub(super) struct Packed {
    to: File,
    encoder: Encoder<'static>,
    /// Those that are whole, from the beginning of the file.
    frames: Vec<Frame>,
    open: Frame,
    /// What is to be written of the open frame.
    out: Vec<u8>,
    /// A list stands behind the frames.
    is_listed: bool,
}

impl Packed {
    pub(super) fn new(to: File) -> io::Result<Self> {
        Packed::after(to, Vec::new())
    }

    /// Goes on behind these frames, which are all there is of the file.
    pub(super) fn after(to: File, frames: Vec<Frame>) -> io::Result<Self> {
        let encoder = Encoder::new(LEVEL)?;
        Ok(Packed { to, encoder, frames, open: Frame::default(), out: Vec::new(), is_listed: false })
    }

    pub(super) fn file(&self) -> &File {
        &self.to
    }

    /// Appends whole lines. They can be read then, whatever happens to us.
    pub(super) fn write(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.drop_list()?;
        let mut input = InBuffer::around(text);
        while input.pos() < text.len() {
            into(&mut self.out, |out| self.encoder.run(&mut input, out).map(drop))?;
        }
        self.open.content += text.len() as u64;
        if self.open.content >= FRAME { self.end_frame() } else { self.flush() }
    }

    /// Ends the frame, and lists all of them.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if self.open.content > 0 {
            self.end_frame()?;
        }
        if let Some(list) = list(&self.frames).filter(|_| !self.is_listed) {
            self.to.write_all(&list)?;
            self.is_listed = true;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        while into(&mut self.out, |out| self.encoder.flush(out))? > 0 {}
        self.write_out()
    }

    fn end_frame(&mut self) -> io::Result<()> {
        while into(&mut self.out, |out| self.encoder.finish(out, false))? > 0 {}
        self.write_out()?;
        self.frames.push(std::mem::take(&mut self.open));
        self.encoder.reinit()
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.to.write_all(&self.out)?;
        self.open.packed += self.out.len() as u64;
        self.out.clear();
        self.out.shrink_to(1 << 20);
        Ok(())
    }

    /// The list is the last thing in the file, or it lists nothing.
    fn drop_list(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_listed) {
            let end = self.frames.iter().map(|frame| frame.packed).sum();
            self.to.set_len(end)?;
            self.to.seek(SeekFrom::Start(end))?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packed").field("to", &self.to).field("open", &self.open).finish_non_exhaustive()
    }
}

/// Appends what is made.
fn into<T>(
    out: &mut Vec<u8>,
    make: impl FnOnce(&mut OutBuffer<'_, Vec<u8>>) -> io::Result<T>,
) -> io::Result<T> {
    out.reserve(128 << 10);
    let written = out.len();
    make(&mut OutBuffer::around_pos(out, written))
}

/// Where the frames are, as zstd's seekable format has it; nothing if one of them is too long for that.
fn list(frames: &[Frame]) -> Option<Vec<u8>> {
    const ROW: usize = 8;
    const FOOTER: usize = 9;
    let short = |number: u64| u32::try_from(number).ok().map(u32::to_le_bytes);
    let length = short((frames.len() * ROW + FOOTER) as u64)?;
    let mut list = [&[0x5e, 0x2a, 0x4d, 0x18], &length[..]].concat();
    for frame in frames {
        list.extend([short(frame.packed)?, short(frame.content)?].concat());
    }
    list.extend(short(frames.len() as u64)?);
    // The rows have no checksums.
    list.push(0);
    list.extend([0xb1, 0xea, 0x92, 0x8f]);
    Some(list)
}
