//! Why it cannot be said which settings hold.

use std::io;
use std::path::{Path, PathBuf};

/// Why it cannot be said which settings hold.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A file is there, and cannot be read.
    #[error("cannot read {}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file says something that Claude Code would ignore, or take for something else.
    #[error("{} is not understood: {why}", file.display())]
    NotUnderstood {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl SettingsError {
    pub(super) fn not_understood(file: &Path, why: String) -> Self {
        SettingsError::NotUnderstood { file: file.to_owned(), why }
    }
}
