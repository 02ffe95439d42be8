//! The frames of a compressed recording, as they are read to go on behind them.

use super::packed::{Frame, Packed};
use super::resume::{Told, other};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// Reads all there is, hands on what is in it, and goes on behind it. The list of the frames is removed, and so is what stands behind the last
/// line that is whole.
pub(super) fn resume(mut file: File, told: &mut Told) -> io::Result<Packed> {
    let from = BufReader::new(&mut file);
    let mut walk =
        Walk { from, unpack: Decoder::new()?, buffer: vec![0; 128 << 10], at: 0, held: Vec::new() };
    let mut frames: Vec<Frame> = Vec::new();
    // How a frame that was cut becomes whole: its beginning, and what ends it.
    let mut end: &[u8] = &[];
    loop {
        match walk.frame(&mut |text| told.read(text))? {
            Next::Nothing => break,
            Next::Frame(frame) => frames.push(frame),
            Next::Cut { whole, is_ours } => {
                if whole.content > 0 && !is_ours {
                    return Err(other("it was compressed by another program, and is cut"));
                }
                if whole.content > 0 {
                    end = &LAST_BLOCK;
                    frames.push(Frame { packed: whole.packed + end.len() as u64, ..whole });
                }
                break;
            }
        }
    }
    while frames.last().is_some_and(|frame| frame.content == 0) {
        frames.pop();
    }
    // Whole lines of a block that another one should have followed.
    let mut left = walk.held;
    left.truncate(memchr::memrchr(b'\n', &left).map_or(0, |end| end + 1));
    told.read(&left);
    // Nothing is removed of what is no recording.
    told.check()?;
    if told.is_open() {
        return Err(other("it was compressed by another program, and its last entry is not whole"));
    }
    let length: u64 = frames.iter().map(|frame| frame.packed).sum();
    file.set_len(length - end.len() as u64)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(end)?;
    let mut packed = Packed::after(file, frames)?;
    packed.write(&left)?;
    Ok(packed)
}

/// A last block, with nothing in it.
const LAST_BLOCK: [u8; 3] = [1, 0, 0];

/// What comes next.
enum Next {
    Nothing,
    Frame(Frame),
    /// The file ends in the middle of a frame, of which so much is whole lines. Only ours can be ended: others say beforehand how long they are, or
    /// have a checksum.
    Cut {
        whole: Frame,
        is_ours: bool,
    },
}

struct Walk<'f> {
    from: BufReader<&'f mut File>,
    unpack: Decoder<'static>,
    buffer: Vec<u8>,
    /// How much was read of the frame.
    at: u64,
    /// What is in it behind the last block that ended with a line.
    held: Vec<u8>,
}

impl Walk<'_> {
    fn frame(&mut self, take: &mut impl FnMut(&[u8])) -> io::Result<Next> {
        self.at = 0;
        let mut whole = Frame::default();
        let mut is_ours = false;
        match self.blocks(&mut whole, &mut is_ours, take) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof && self.at == 0 => Ok(Next::Nothing),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(Next::Cut { whole, is_ours }),
            Err(error) => Err(error),
            Ok(content) => Ok(Next::Frame(Frame { packed: self.at, content })),
        }
    }

    /// Reads a frame, block by block. Returns how much is in it.
    fn blocks(
        &mut self,
        whole: &mut Frame,
        is_ours: &mut bool,
        take: &mut impl FnMut(&[u8]),
    ) -> io::Result<u64> {
        let magic = self.read(4)?;
        if matches!(magic[..], [0x50..=0x5f, 0x2a, 0x4d, 0x18]) {
            let length = self.read(4)?;
            self.skip(u32::from_le_bytes([length[0], length[1], length[2], length[3]]).into())?;
            return Ok(0);
        }
        if magic != [0x28, 0xb5, 0x2f, 0xfd] {
            return Err(other("it is damaged"));
        }
        let kind = self.read(1)?[0];
        let (is_single, has_sum) = (kind & 0x20 != 0, kind & 4 != 0);
        let size = [usize::from(is_single), 2, 4, 8][usize::from(kind >> 6)];
        let fields = usize::from(!is_single) + [0, 1, 2, 4][usize::from(kind & 3)] + size;
        *is_ours = size == 0 && !has_sum;
        let head = [magic, vec![kind], self.read(fields)?].concat();
        self.unpack.reinit()?;
        let mut content = 0;
        self.unpack(&head)?;
        loop {
            let block = self.read(3)?;
            let about = u32::from_le_bytes([block[0], block[1], block[2], 0]);
            let (is_last, is_run, length) = (about & 1 == 1, about >> 1 & 3 == 1, about as usize >> 3);
            let length = if is_run { 1 } else { length } + if is_last && has_sum { 4 } else { 0 };
            let block = [block, self.read(length)?].concat();
            content += self.unpack(&block)?;
            if is_last || !*is_ours || self.held.ends_with(b"\n") {
                take(&self.held);
                self.held.clear();
                *whole = Frame { packed: self.at, content };
            }
            if is_last {
                return Ok(content);
            }
        }
    }

    /// Holds what is in these bytes of the frame. Returns how much that is.
    fn unpack(&mut self, packed: &[u8]) -> io::Result<u64> {
        let mut input = InBuffer::around(packed);
        let before = self.held.len();
        loop {
            let mut output = OutBuffer::around(&mut self.buffer[..]);
            self.unpack.run(&mut input, &mut output)?;
            let length = output.pos();
            self.held.extend_from_slice(&self.buffer[..length]);
            if input.pos() == packed.len() && length < self.buffer.len() {
                return Ok((self.held.len() - before) as u64);
            }
        }
    }

    fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        let read = Read::by_ref(&mut self.from).take(length as u64).read_to_end(&mut bytes)?;
        self.at += read as u64;
        if read < length { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut Read::by_ref(&mut self.from).take(length), &mut io::sink())?;
        self.at += skipped;
        if skipped < length { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}
