//! What was added to a file that is compressed while it is written.

use super::frames::frames_from;
use super::open::read_more;
use super::unpack::Unpacked;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How far it was read: a frame, and so much of what is in it. A frame that has grown is unpacked once more.
#[derive(Default)]
pub(super) struct Grown {
    frame: u64,
    told: u64,
}

impl Grown {
    /// Hands on what was added. Returns whether there is anything.
    pub(super) fn read(&mut self, file: &mut File, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let frames = frames_from(file, self.frame)?;
        let mut has_grown = false;
        for (at, &start) in frames.iter().enumerate() {
            if start != self.frame {
                *self = Grown { frame: start, told: 0 };
            }
            let end = frames.get(at + 1).copied().unwrap_or(u64::MAX);
            let mut frame = file.try_clone()?;
            frame.seek(SeekFrom::Start(start))?;
            // Masked by whoever reads one frame after the other: a secret may begin in this one.
            let mut frame = Unpacked::new(Box::new(frame.take(end - start)))?.unmasked();
            io::copy(&mut Read::by_ref(&mut frame).take(self.told), &mut io::sink())?;
            let mut piece = Vec::new();
            while read_more(&mut frame, &mut piece)? > 0 {
                take(&piece);
                self.told += piece.len() as u64;
                has_grown = true;
                piece.clear();
            }
        }
        Ok(has_grown)
    }
}

/// Whether a file begins so.
pub(super) fn is_zstd(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file).take(4).read_to_end(&mut head)?;
    Ok(head == [0x28, 0xb5, 0x2f, 0xfd])
}
