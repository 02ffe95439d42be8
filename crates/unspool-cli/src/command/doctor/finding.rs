//! Something that was found out.

use serde_json::{Value, json};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Level {
    /// As it should be.
    Fine,
    /// Worth knowing.
    Note,
    /// To be mended.
    Wrong,
}

/// Something that was found out, and what about.
#[derive(Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) level: Level,
    pub(super) about: &'static str,
    pub(super) text: String,
}

impl Finding {
    pub(super) fn fine(about: &'static str, text: impl fmt::Display) -> Self {
        Finding { level: Level::Fine, about, text: text.to_string() }
    }

    pub(super) fn note(about: &'static str, text: impl fmt::Display) -> Self {
        Finding { level: Level::Note, about, text: text.to_string() }
    }

    pub(super) fn wrong(about: &'static str, text: impl fmt::Display) -> Self {
        Finding { level: Level::Wrong, about, text: text.to_string() }
    }

    pub(super) fn json(&self) -> Value {
        let level = match self.level {
            Level::Fine => "fine",
            Level::Note => "note",
            Level::Wrong => "wrong",
        };
        json!({ "level": level, "about": self.about, "text": self.text })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.level {
            Level::Fine => "  ok ",
            Level::Note => "note ",
            Level::Wrong => "FAIL ",
        };
        write!(f, "{mark} {}: {}", self.about, self.text)
    }
}
