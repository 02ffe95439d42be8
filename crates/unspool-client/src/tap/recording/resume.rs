//! Goes on with a recording that is there.

use super::To;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::time::{SystemTime, UNIX_EPOCH};
use unspool::journal::{Fault, Note, Reader};
use unspool::transcript::milliseconds;

/// Where a recording goes on: behind an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Resumed {
    /// The number of the last entry.
    pub number: u64,
    /// Its time.
    pub at: u64,
    /// How many milliseconds ago the recording began, by the clock on the wall; never less than the last entry's time.
    pub now: u64,
}

/// Finds the end of its last entry, and puts what is written next behind it.
pub(super) fn resume(mut file: File) -> io::Result<(To, Resumed)> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(&mut file).take(4096).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    let mut told = Told::default();
    // What it is says its content: somebody may have given it another name.
    let is_zstd = matches!(head[..], [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    let to = if is_zstd { packed(file, &mut told)? } else { To::Plain(plain(file, &mut told)?) };
    Ok((to, told.resumed()))
}

#[cfg(all(unix, feature = "zstd"))]
fn packed(file: File, told: &mut Told) -> io::Result<To> {
    super::frames::resume(file, told).map(|packed| To::Packed(Box::new(packed)))
}

#[cfg(not(all(unix, feature = "zstd")))]
fn packed(_: File, _: &mut Told) -> io::Result<To> {
    Err(other("it is compressed, and this build compresses nothing"))
}

fn plain(mut file: File, told: &mut Told) -> io::Result<File> {
    let (mut piece, mut read, mut whole) = (vec![0; 256 << 10], 0, 0);
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        if let Some(end) = memchr::memrchr(b'\n', &piece[..length]) {
            whole = read + end as u64 + 1;
        }
        told.read(&piece[..length]);
        read += length as u64;
    }
    // Nothing is removed of what is no recording.
    told.check()?;
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    Ok(file)
}

/// What was read of it.
#[derive(Default)]
pub(super) struct Told {
    reader: Reader,
    at: u64,
    /// When it began, by the clock on the wall.
    began: Option<i64>,
    /// Why nothing may stand behind it.
    wrong: Option<&'static str>,
    /// It does not end with a line feed.
    is_open: bool,
}

impl Told {
    /// Takes the next bytes of its text.
    pub(super) fn read(&mut self, text: &[u8]) {
        let Told { reader, at, began, wrong, is_open } = self;
        if let Some(last) = text.last() {
            *is_open = *last != b'\n';
        }
        reader.feed(text, |entry| match entry {
            Ok(entry) => {
                *at = entry.at;
                if let Some(Note::Begin(begin)) = entry.note() {
                    *began = begin.time.and_then(|time| milliseconds(&time.decode()));
                }
            }
            Err(Fault::Another { .. }) => *wrong = Some("there are two recordings in it"),
            Err(Fault::Newer { .. }) => *wrong = Some("it was written by a newer version"),
            Err(_) => {}
        });
    }

    /// Whether something may stand behind it.
    pub(super) fn check(&self) -> io::Result<()> {
        let nothing = (self.reader.last() == 0).then_some("it is no recording");
        nothing.or(self.wrong).map_or(Ok(()), |why| Err(other(why)))
    }

    /// Whether its last line has no end.
    #[cfg(all(unix, feature = "zstd"))]
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    fn resumed(&self) -> Resumed {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let passed =
            self.began.and_then(|began| u64::try_from(i128::try_from(wall).ok()? - i128::from(began)).ok());
        Resumed { number: self.reader.last(), at: self.at, now: passed.unwrap_or(0).max(self.at) }
    }
}

pub(super) fn other(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}
