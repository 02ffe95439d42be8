//! What is compressed, as if it were not: gzip and zstd, known by their first bytes, whole or cut.

use super::open::read_more;
use crate::redact::Reading;
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// How the name of a compressed file ends.
const ENDINGS: [&str; 3] = ["gz", "zst", "zstd"];

/// The file's name as it would be if it were not compressed.
pub(super) fn plain_name(path: &Path) -> PathBuf {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ENDINGS.contains(&ending) => path.with_extension(""),
        _ => path.to_owned(),
    }
}

/// Reads what is compressed and what is not. A compressed file that was cut ends where it was cut.
pub(crate) struct Unpacked {
    from: From,
    is_cut: bool,
    masked: Option<Box<Reading>>,
}

enum From {
    Plain(io::Chain<Cursor<Vec<u8>>, Box<dyn Read>>),
    Gzip(Box<MultiGzDecoder<Bytes>>),
    Zstd(Box<Zstd>),
}

/// What is read, with the bytes that were looked at in front.
type Bytes = BufReader<io::Chain<Cursor<Vec<u8>>, Box<dyn Read>>>;

impl Unpacked {
    /// Looks at the first bytes, and waits for no more of them than are needed.
    pub(crate) fn new(mut from: Box<dyn Read>) -> io::Result<Self> {
        let mut head = Vec::new();
        while Packing::may_begin(&head) && read_more(&mut *from, &mut head)? > 0 {}
        let packing = Packing::of(&head);
        let bytes = Cursor::new(head).chain(from);
        let from = match packing {
            None => From::Plain(bytes),
            Some(Packing::Gzip) => From::Gzip(Box::new(MultiGzDecoder::new(BufReader::new(bytes)))),
            Some(Packing::Zstd) => From::Zstd(Box::new(Zstd::new(BufReader::new(bytes)))),
        };
        Ok(Unpacked { from, is_cut: false, masked: Reading::wanted() })
    }

    /// Whether it is compressed.
    pub(super) fn is_packed(&self) -> bool {
        !matches!(self.from, From::Plain(_))
    }

    /// Whether it ended before its end.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// As it is, for who masks it as a part of something longer.
    pub(super) fn unmasked(self) -> Self {
        Unpacked { masked: None, ..self }
    }

    fn read_as_it_is(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.from {
            From::Plain(from) => return from.read(to),
            From::Gzip(from) => from.read(to),
            From::Zstd(from) => from.read(to),
        };
        match read {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.is_cut = true;
                Ok(0)
            }
            read => read,
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let Some(mut masked) = self.masked.take() else { return self.read_as_it_is(to) };
        let read = masked.read(to, |piece| self.read_as_it_is(piece));
        self.masked = Some(masked);
        read
    }
}

#[derive(Clone, Copy)]
enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// Whether more bytes would say whether it is compressed.
    fn may_begin(head: &[u8]) -> bool {
        let zstd = [0x28, 0xb5, 0x2f, 0xfd];
        let skipped = [0x50, 0x2a, 0x4d, 0x18];
        let gzip = [0x1f, 0x8b];
        let begins = |magic: &[u8]| head.len() < magic.len() && magic.starts_with(head);
        let may_skip = head.len() < 4
            && head.first().is_none_or(|byte| byte & 0xf0 == skipped[0])
            && skipped[1..].starts_with(head.get(1..).unwrap_or_default());
        begins(&zstd) || begins(&gzip) || may_skip
    }

    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }
}

/// Any number of frames, one behind the other.
struct Zstd {
    from: Bytes,
    decoder: FrameDecoder,
    /// A frame has begun and not ended.
    is_open: bool,
    is_cut: bool,
    /// So many bytes were handed out.
    unpacked: u64,
}

/// A last block with nothing in it, and a checksum that nobody looks at: it ends a frame that was cut, so that what was
/// read of it is handed out.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl Zstd {
    fn new(from: Bytes) -> Self {
        Zstd { from, decoder: FrameDecoder::new(), is_open: false, is_cut: false, unpacked: 0 }
    }

    /// Begins the next frame. Returns whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(&mut self.from) {
            Ok(()) => self.is_open = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut Read::by_ref(&mut self.from).take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(self.fault(error)),
        }
        Ok(true)
    }

    /// Reads a block.
    fn go_on(&mut self) -> io::Result<()> {
        match self.decoder.decode_blocks(&mut self.from, BlockDecodingStrategy::UptoBlocks(1)) {
            Ok(is_over) => self.is_open = !is_over,
            Err(error) => {
                let fault = self.fault(error);
                if fault.kind() != ErrorKind::UnexpectedEof {
                    return Err(fault);
                }
                (self.is_cut, self.is_open) = (true, false);
                let ended = self.decoder.decode_blocks(&END[..], BlockDecodingStrategy::All);
                ended.map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// The decoder does not say that its bytes ran out.
    fn fault(&mut self, error: FrameDecoderError) -> io::Error {
        if let Ok([]) = self.from.fill_buf() {
            return io::Error::new(ErrorKind::UnexpectedEof, error.to_string());
        }
        let why = match error {
            FrameDecoderError::DictNotProvided { .. } => {
                "it was compressed with a dictionary, which is not there".to_owned()
            }
            _ => format!("what is compressed in it is damaged behind {} bytes of text", self.unpacked),
        };
        io::Error::new(ErrorKind::InvalidData, why)
    }
}

impl Read for Zstd {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 {
                let length = self.decoder.read(to)?;
                self.unpacked += length as u64;
                return Ok(length);
            }
            if self.is_cut {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if self.is_open {
                self.go_on()?;
            } else if !self.begin()? {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    /// Gives so many bytes at a time.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(self.1).min(to.len());
            to[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }
    }

    fn unpacked(bytes: &[u8], drop: usize) -> io::Result<(Vec<u8>, bool)> {
        let mut unpacked = Unpacked::new(Box::new(Drops(bytes.to_vec(), drop)))?;
        let mut read = Vec::new();
        unpacked.read_to_end(&mut read)?;
        Ok((read, unpacked.is_cut()))
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn what_was_compressed_is_read_in_any_number_of_parts() {
        let text: Vec<u8> = (0..24_000_u32).flat_map(|n| format!("{{\"n\":{n}}}\n").into_bytes()).collect();
        let skipped = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        for drop in [1, 7, 1 << 20] {
            for pack in [gzip, zstd] {
                let (one, other) = text.split_at(200_000);
                assert_eq!(
                    unpacked(&[pack(one), pack(other)].concat(), drop).unwrap(),
                    (text.clone(), false)
                );
            }
            let frames = [&skipped, &zstd(&text), &skipped].map(|part| &**part).concat();
            assert_eq!(unpacked(&frames, drop).unwrap(), (text.clone(), false));
            assert_eq!(unpacked(&text, drop).unwrap(), (text.clone(), false), "what is not compressed");
            for short in [&b""[..], b"\x1f", b"(", b"\x28\xb5", b"P", b"[]"] {
                assert_eq!(unpacked(short, drop).unwrap(), (short.to_vec(), false));
            }
        }
    }

    #[test]
    fn of_what_was_cut_all_that_is_there_is_read() {
        let text: Vec<u8> = (0..60_000_u32).flat_map(|n| format!("{{\"n\":{n}}}\n").into_bytes()).collect();
        for pack in [gzip, zstd] {
            let packed = pack(&text);
            let (read, is_cut) = unpacked(&packed[..packed.len() * 3 / 4], 4096).unwrap();
            assert!(is_cut && text.starts_with(&read), "{} bytes", read.len());
            assert!(read.len() * 2 > text.len(), "{} of {} bytes", read.len(), text.len());
            for length in 4..40 {
                assert!(unpacked(&packed[..length], 4096).unwrap().1, "{length} bytes");
            }
        }
    }

    #[test]
    fn what_is_damaged_cannot_be_read() {
        for pack in [gzip, zstd] {
            let mut packed = pack(&b"0123456789".repeat(100_000));
            let middle = packed.len() / 2;
            packed[middle..middle + 9].fill(0xff);
            packed.extend([0; 99]);
            assert!(unpacked(&packed, 4096).is_err());
        }
        let tailed = [&zstd(b"hello")[..], b"and what is no frame"].concat();
        let said = unpacked(&tailed, 4096).unwrap_err().to_string();
        assert_eq!(said, "what is compressed in it is damaged behind 5 bytes of text");
    }
}
