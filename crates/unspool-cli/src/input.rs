//! Where a stream comes from: a file, or standard input.

use anyhow::Context;
use std::fs::File;
use std::io::{ErrorKind, Read, stdin};
use std::path::PathBuf;

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

/// A stream to read.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The recording to read; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
}

impl Input {
    /// A file, or `-` for standard input.
    pub(crate) fn of(file: PathBuf) -> Self {
        Input { file }
    }

    /// Hands on the bytes as they come, until the end or until `take` has had enough.
    pub(crate) fn read(&self, mut take: impl FnMut(&[u8]) -> anyhow::Result<bool>) -> anyhow::Result<()> {
        let mut source: Box<dyn Read> = if self.file.as_os_str() == "-" {
            Box::new(stdin().lock())
        } else {
            Box::new(File::open(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?)
        };
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
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot read {}", self.file.display()));
                }
            }
        }
    }
}
