//! A recording: a file with what Claude Code wrote, byte for byte, and beside it `FILE.times` with all else that is known.
//!
//! ```text
//! # t_ms  dir  line  bytes  text
//! 0       in   1     118    {"type":"user",…}           a line was written to Claude Code: what events tell of it
//! 12      out  1     2769                               a line of FILE has come to its end
//! 90      end  1     2769   {"cut":"hung","why":"…"}    it is over: what is known of the end beside the stream
//! ```
//!
//! Rows stand in the order in which things happened, so that whoever reads both tells what was told live. `FILE` alone is a
//! stream like any other, and so is one whose rows are of `out` alone.

mod kept;
mod read;
mod write;

pub(crate) use read::Record;
pub(crate) use write::Recorder;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is kept beside a recording.
fn beside(recording: &Path) -> PathBuf {
    let mut name = OsString::from(recording);
    name.push(".times");
    PathBuf::from(name)
}
