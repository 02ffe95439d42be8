//! The system prompt: Claude Code's own unless somebody says otherwise.

use super::Options;
use super::word::{Field, join};
use std::ffi::OsString;
use std::path::PathBuf;
use unspool::wire::input::Draft;

/// A text is not put on the command line if it is longer: Linux takes 128 KiB for one word, Windows 32 KiB for
/// all of them.
const LONG: usize = if cfg!(windows) { 8 << 10 } else { 100 << 10 };

/// What takes the place of Claude Code's own system prompt.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SystemPrompt {
    /// A text. An empty one leaves the model without a system prompt.
    Text(String),
    /// Several texts, to be cached one by one. [`SystemPrompt::DYNAMIC_BOUNDARY`] among them says where the
    /// part begins that changes from session to session. Needs `initialize`, so versions before 2.1 ignore it.
    Blocks(Vec<String>),
    /// What is in a file.
    File(PathBuf),
}

impl SystemPrompt {
    /// A block that stands between what never changes and what does.
    pub const DYNAMIC_BOUNDARY: &'static str = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";
}

impl From<&str> for SystemPrompt {
    fn from(text: &str) -> Self {
        SystemPrompt::Text(text.to_owned())
    }
}

impl From<String> for SystemPrompt {
    fn from(text: String) -> Self {
        SystemPrompt::Text(text)
    }
}

impl From<Vec<String>> for SystemPrompt {
    fn from(blocks: Vec<String>) -> Self {
        SystemPrompt::Blocks(blocks)
    }
}

impl From<PathBuf> for SystemPrompt {
    fn from(file: PathBuf) -> Self {
        SystemPrompt::File(file)
    }
}

/// Whether a text is too long for the command line.
pub(super) fn is_long(text: &str) -> bool {
    text.len() > LONG
}

impl Options {
    /// A prompt and what stands behind it travel together, so that nothing depends on which of two ways
    /// counts more.
    fn prompt_is_in_initialize(&self) -> bool {
        let blocks = match &self.system_prompt {
            Some(SystemPrompt::Blocks(_)) => true,
            Some(SystemPrompt::Text(text)) => is_long(text),
            Some(SystemPrompt::File(_)) | None => false,
        };
        blocks || self.append_system_prompt.as_deref().is_some_and(is_long)
    }

    /// Whether what stands behind the prompt would be a word of the command line.
    pub(super) fn appends_on_command_line(&self) -> bool {
        let is_text_of_files = !matches!(self.system_prompt, Some(SystemPrompt::Blocks(_)));
        self.append_system_prompt.is_some() && is_text_of_files && self.append_system_prompt_file.is_none()
    }

    /// Flags are known to every version, so they are what is used where it can be.
    pub(super) fn prompt_args(&self, args: &mut Vec<OsString>) {
        if let Some(SystemPrompt::File(file)) = &self.system_prompt {
            join("--system-prompt-file", file, args);
        }
        if self.prompt_is_in_initialize() {
            return;
        }
        if let Some(SystemPrompt::Text(text)) = &self.system_prompt {
            join("--system-prompt", text, args);
        }
        if let Some(text) = &self.append_system_prompt {
            join("--append-system-prompt", text, args);
        }
    }

    /// Nothing is said of a prompt that is not set: an empty one would not be Claude Code's own.
    pub(super) fn prompt_fields(&self, draft: Draft) -> Draft {
        if !self.prompt_is_in_initialize() {
            return draft;
        }
        let draft = match &self.system_prompt {
            Some(SystemPrompt::Text(text)) => draft.with("systemPrompt", [text.as_str()]),
            Some(SystemPrompt::Blocks(blocks)) => draft.with("systemPrompt", blocks.clone()),
            Some(SystemPrompt::File(_)) | None => draft,
        };
        self.append_system_prompt.add("appendSystemPrompt", draft)
    }
}
