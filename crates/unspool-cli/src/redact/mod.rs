//! What is masked: said once, and then it holds for all that this program reads and writes.
//!
//! Whoever opens something to read gets it masked, whichever command that is, so that none of them can forget it.

mod events;
mod reading;

pub(crate) use events::MaskedEvents;
pub(crate) use reading::Reading;

use crate::wrong_call::WrongCall;
use anyhow::Context;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use unspool_redact::Masks;

/// Masks of this program; nothing is masked before they are set.
static MASKS: OnceLock<Masks> = OnceLock::new();

/// Flags of what writes something of a session.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct RedactArgs {
    /// Mask keys, tokens, passwords and what was read from `.env` files; docs/redact.md has the list.
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    patterns: PatternArgs,
}

/// Patterns of one's own.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct PatternArgs {
    /// Mask also what this regular expression finds.
    #[arg(long, value_name = "REGEX")]
    redact_pattern: Vec<String>,
    /// Mask also what the regular expressions of this file find, one a line; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    redact_patterns: Vec<PathBuf>,
}

impl RedactArgs {
    /// Masks from now on, if that is wanted.
    pub(crate) fn apply(&self) -> anyhow::Result<()> {
        let is_wanted = self.redact
            || !self.patterns.redact_pattern.is_empty()
            || !self.patterns.redact_patterns.is_empty();
        if is_wanted { self.patterns.apply() } else { Ok(()) }
    }
}

impl PatternArgs {
    /// Masks from now on.
    pub(crate) fn apply(&self) -> anyhow::Result<()> {
        let mut patterns = self.redact_pattern.clone();
        for file in &self.redact_patterns {
            patterns.extend(read(file)?);
        }
        let masks = Masks::with_patterns(patterns.iter().map(String::as_str)).map_err(WrongCall::new)?;
        // Set once: a program is one command.
        let _ = MASKS.set(masks);
        Ok(())
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// The masks, if something is to be masked.
pub(crate) fn masks() -> Option<&'static Masks> {
    MASKS.get()
}

/// Words that are shown or written.
pub(crate) fn text(words: &str) -> Cow<'_, str> {
    masks().map_or(Cow::Borrowed(words), |masks| masks.text(words))
}

/// JSON that is written, or kept beside something.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    masks().map_or(Cow::Borrowed(text), |masks| masks.json(text))
}
