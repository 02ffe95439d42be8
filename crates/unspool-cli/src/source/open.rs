//! Opens a file and finds out what it is.

use super::kind::{What, judge};
use super::unpack::Unpacked;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

/// A file, and what was read of it to find out what it is.
pub(super) struct Opened {
    pub(super) what: What,
    pub(super) head: Vec<u8>,
    pub(super) rest: Unpacked,
}

impl Opened {
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Opened::of(open(path)?)
    }

    pub(super) fn of(mut rest: Unpacked) -> io::Result<Self> {
        let mut head = Vec::new();
        let what = loop {
            let ended = read_more(&mut rest, &mut head)? == 0;
            if let Some(what) = judge(&head, ended) {
                break what;
            }
        };
        Ok(Opened { what, head, rest })
    }
}

/// A file, compressed or not.
pub(super) fn open(path: &Path) -> io::Result<Unpacked> {
    Unpacked::new(Box::new(File::open(path)?))
}

/// Appends what comes next. Returns how much that is.
pub(super) fn read_more(from: &mut dyn Read, to: &mut Vec<u8>) -> io::Result<usize> {
    let length = to.len();
    to.resize(length + PIECE, 0);
    loop {
        match from.read(&mut to[length..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => {
                to.truncate(length + *read.as_ref().unwrap_or(&0));
                return read;
            }
        }
    }
}
