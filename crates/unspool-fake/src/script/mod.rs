//! A script: what the model says, and to whom.
//!
//! Everything is checked while it is read, so that whatever was read can be played.

mod act;
mod check;
mod fail;
mod piece;
mod problem;
mod step;
mod table;
mod turn;
mod when;

pub(crate) use act::{Act, Cut};
pub(crate) use fail::{Fail, kind_of, status_of, words_of};
pub(crate) use piece::{Piece, Pieces};
pub use problem::ScriptError;
pub(crate) use step::{Agent, Block, Call, Found, Search, Step, Tool};
pub(crate) use turn::{Answer, Does, Then, Turn, Usage};
pub(crate) use when::When;

use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use toml::Spanned;

/// What the model says, and to whom: a TOML file, described in `docs/fake-model.md`.
///
/// ```
/// let script: unspool_fake::Script = r#"
///     [[turn]]
///     say = "I'll look."
///     call.Bash.command = "ls"
///
///     [[turn]]
///     say = "There are three files."
/// "#
/// .parse()?;
/// # Ok::<(), unspool_fake::ScriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    pub(crate) conversations: Vec<Conversation>,
    /// What the counting of tokens answers; an estimate if it is not said.
    pub(crate) count_tokens: Option<u64>,
}

/// A sequence of turns, for the requests that it takes.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    pub(crate) name: String,
    pub(crate) when: When,
    pub(crate) turns: Vec<Turn>,
    /// What is answered when the turns have run out.
    pub(crate) then: Then,
}

impl Script {
    /// Reads a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|source| ScriptError::unreadable(path, source))?;
        text.parse::<Script>().map_err(|error| error.in_file(path))
    }
}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        let raw: RawScript = toml::from_str(text).map_err(|error| ScriptError::of_toml(&error, text))?;
        check::script(raw).map_err(|fault| ScriptError::at(fault.at, fault.message, text))
    }
}

/// A script as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScript {
    #[serde(default)]
    turn: Vec<Spanned<Turn>>,
    #[serde(default)]
    conversation: Vec<Spanned<RawConversation>>,
    #[serde(default)]
    then: Then,
    usage: Option<Usage>,
    count_tokens: Option<u64>,
}

/// A conversation as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConversation {
    name: Option<Spanned<String>>,
    #[serde(default)]
    when: When,
    #[serde(default)]
    turn: Vec<Turn>,
    then: Option<Then>,
    usage: Option<Usage>,
}

#[cfg(test)]
mod tests;
