//! What is wrong with a script, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a script cannot be played: where, what, and what to do about it.
#[derive(Debug)]
pub struct ScriptError {
    file: Option<PathBuf>,
    /// The line and column, from 1, and the line itself.
    place: Option<(usize, usize, String)>,
    message: String,
    source: Option<io::Error>,
}

impl ScriptError {
    /// The line that is wrong, from 1, if it is a line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|(line, _, _)| *line)
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        let message = "the script cannot be read".to_owned();
        ScriptError { file: Some(path.to_owned()), place: None, message, source: Some(source) }
    }

    pub(super) fn of_toml(error: &toml::de::Error, text: &str) -> Self {
        let message = error.message().to_owned();
        match error.span() {
            Some(span) => ScriptError::at(span.start, message, text),
            None => ScriptError { file: None, place: None, message, source: None },
        }
    }

    /// Something at this byte of the text.
    pub(super) fn at(byte: usize, message: String, text: &str) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..].lines().next().unwrap_or_default();
        let place = (before.matches('\n').count() + 1, before[begin..].chars().count() + 1, line.to_owned());
        ScriptError { file: None, place: Some(place), message, source: None }
    }

    pub(super) fn in_file(self, path: &Path) -> Self {
        ScriptError { file: Some(path.to_owned()), ..self }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}", file.display())?,
            None => f.write_str("script")?,
        }
        match &self.place {
            Some((line, column, text)) => {
                write!(f, ":{line}:{column}: {}\n{line:>5} | {}", self.message, text.trim_end())
            }
            None => write!(f, ": {}", self.message),
        }
    }
}

impl std::error::Error for ScriptError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
