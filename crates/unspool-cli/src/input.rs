//! Standard input, as it comes.

use crate::source::Unpacked;
use anyhow::Context;
use std::io::{ErrorKind, Read, stdin};

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

/// How standard input ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ended {
    /// With its end, or because nobody wanted more.
    Whole,
    /// It is compressed, and its end is missing.
    Cut,
}

/// Hands on the bytes as they come, until the end or until `take` has had enough.
pub(crate) fn read_stdin(mut take: impl FnMut(&[u8]) -> anyhow::Result<bool>) -> anyhow::Result<Ended> {
    const CANNOT: &str = "cannot read standard input";
    let mut source = Unpacked::new(Box::new(stdin().lock())).context(CANNOT)?;
    let mut piece = vec![0; PIECE];
    loop {
        match source.read(&mut piece) {
            Ok(0) if source.is_cut() => return Ok(Ended::Cut),
            Ok(0) => return Ok(Ended::Whole),
            Ok(length) => {
                if !take(&piece[..length])? {
                    return Ok(Ended::Whole);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error).context(CANNOT),
        }
    }
}
