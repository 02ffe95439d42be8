//! Standard input, as it comes.

use anyhow::Context;
use std::io::{ErrorKind, Read, stdin};

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

/// Hands on the bytes as they come, until the end or until `take` has had enough.
pub(crate) fn read_stdin(mut take: impl FnMut(&[u8]) -> anyhow::Result<bool>) -> anyhow::Result<()> {
    let mut source = stdin().lock();
    let mut piece = vec![0; PIECE];
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(length) => {
                if !take(&piece[..length])? {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error).context("cannot read standard input"),
        }
    }
}
