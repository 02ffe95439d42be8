//! Where the frames of a compressed recording begin, without unpacking them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The offsets of all frames that have something in them: by the list at the end of the file, or, where there is none, by their headers
/// and those of their blocks.
pub(super) fn frames(file: &mut File) -> io::Result<Vec<u64>> {
    match listed(file)? {
        Some(frames) => Ok(frames),
        None => frames_from(file, 0),
    }
}

/// The offsets of the frames that have something in them, from the beginning of one on, by their headers.
pub(super) fn frames_from(file: &mut File, at: u64) -> io::Result<Vec<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(at))?;
    let mut walk = Walk { from: BufReader::with_capacity(64 << 10, file), at, length };
    let mut frames = Vec::new();
    while let Some((start, is_frame)) = walk.frame()? {
        frames.extend(is_frame.then_some(start));
    }
    Ok(frames)
}

const SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// A list as zstd's seekable format has it, if one stands there and says where the frames are.
fn listed(file: &mut File) -> io::Result<Option<Vec<u64>>> {
    const FOOTER: u64 = 9;
    let length = file.seek(SeekFrom::End(0))?;
    let Some(footer) = length.checked_sub(FOOTER) else { return Ok(None) };
    let bytes = read_at(file, footer, FOOTER)?;
    let (count, about) = (u64::from(number(&bytes)), bytes[4]);
    if bytes[5..] != [0xb1, 0xea, 0x92, 0x8f] {
        return Ok(None);
    }
    let row = if about & 0x80 == 0 { 8 } else { 12 };
    let Some(start) = footer.checked_sub(count * row + 8) else { return Ok(None) };
    let list = read_at(file, start, count * row + 8)?;
    let is_list = list[..4] == [0x5e, SKIPPED[0], SKIPPED[1], SKIPPED[2]];
    if !is_list || u64::from(number(&list[4..])) != count * row + FOOTER {
        return Ok(None);
    }
    let (mut frames, mut at) = (Vec::new(), 0);
    for row in list[8..].chunks_exact(row as usize) {
        frames.extend((number(&row[4..]) > 0).then_some(at));
        at += u64::from(number(row));
    }
    Ok((at == start).then_some(frames))
}

/// Goes from one frame to the next, as far as they are whole.
struct Walk<'f> {
    from: BufReader<&'f mut File>,
    at: u64,
    length: u64,
}

impl Walk<'_> {
    /// Passes over what comes next. Returns where it began, and whether it is a frame and not something to be skipped; nothing at the end. One
    /// that is cut is a frame, too.
    fn frame(&mut self) -> io::Result<Option<(u64, bool)>> {
        let start = self.at;
        let Some(magic) = self.read::<4>()? else { return Ok(None) };
        if magic[1..] == SKIPPED && magic[0] & 0xf0 == 0x50 {
            let Some(length) = self.read::<4>()? else { return Ok(None) };
            self.skip(number(&length).into())?;
            return Ok(Some((start, false)));
        }
        if magic != [0x28, 0xb5, 0x2f, 0xfd] {
            return Ok(None);
        }
        self.blocks()?;
        Ok(Some((start, true)))
    }

    fn blocks(&mut self) -> io::Result<()> {
        let Some([kind]) = self.read::<1>()? else { return Ok(()) };
        let (is_single, has_sum) = (kind & 0x20 != 0, kind & 4 != 0);
        let size = [u64::from(is_single), 2, 4, 8][usize::from(kind >> 6)];
        self.skip(u64::from(!is_single) + [0, 1, 2, 4][usize::from(kind & 3)] + size)?;
        loop {
            let Some([low, middle, high]) = self.read::<3>()? else { return Ok(()) };
            let about = u32::from_le_bytes([low, middle, high, 0]);
            let is_run = about >> 1 & 3 == 1;
            self.skip(if is_run { 1 } else { u64::from(about >> 3) })?;
            if about & 1 == 1 {
                return self.skip(if has_sum { 4 } else { 0 });
            }
        }
    }

    /// Nothing where the file ends.
    fn read<const N: usize>(&mut self) -> io::Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        if self.at + N as u64 > self.length {
            self.at = self.length;
            return Ok(None);
        }
        self.from.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(Some(bytes))
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        self.at = self.at.saturating_add(length).min(self.length);
        self.from.seek_relative(i64::try_from(length).unwrap_or(i64::MAX))
    }
}

fn read_at(file: &mut File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
