//! Prompts that were written to Claude Code, and whose turns have not begun.
//!
//! Turns take them in the order in which they were sent, and one may go into a turn that runs already. What says
//! so are prompts that are replayed, and from 2.1.257 on `command_lifecycle` lines; both name the prompt by its uuid. Else it cannot
//! be known, and a prompt that began no turn is told with the next (docs/protocol.md, 4).

use crate::json::Str;
use crate::wire::quirk::flatten_content;
use crate::wire::{Content, User};
use std::collections::VecDeque;

/// Prompts that are remembered until their turn begins.
const WAITING: usize = 1024;

/// A prompt that was sent.
#[derive(Debug)]
pub(crate) struct Prompt {
    uuid: Option<String>,
    words: String,
}

impl Prompt {
    pub(crate) fn of(line: &User<'_>) -> Self {
        let words = match line.message.and_then(|message| message.content) {
            Some(Content::Text(words)) => words.to_string(),
            Some(Content::Blocks(blocks)) => flatten_content(blocks.json()).into_owned(),
            Some(Content::Odd(_)) | None => String::new(),
        };
        Prompt { uuid: line.uuid.map(|uuid| uuid.to_string()), words }
    }

    pub(super) fn into_words(self) -> String {
        self.words
    }
}

/// The prompts that were sent and whose turn has not begun, in the order they will be taken.
#[derive(Debug, Default)]
pub(crate) struct Prompts(VecDeque<Prompt>);

impl Prompts {
    pub(super) fn push(&mut self, prompt: Prompt) {
        if self.0.len() == WAITING {
            self.0.pop_front();
        }
        self.0.push_back(prompt);
    }

    /// The prompt of a turn that begins now.
    pub(crate) fn next(&mut self) -> Option<Prompt> {
        self.0.pop_front()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Claude Code takes this one now. One with priority overtakes others, which may be `cancelled` for it:
    /// fixtures/turns/queued_priority_now-2.1.325.
    pub(crate) fn started(&mut self, uuid: Str<'_>) {
        if let Some(prompt) = self.take(uuid) {
            self.0.push_front(prompt);
        }
    }

    /// No turn will begin with this one: it was cancelled, or is `completed`, which comes at the end of a turn that took it while it
    /// ran, too: fixtures/turns/queued-2.1.325.
    pub(crate) fn used(&mut self, uuid: Str<'_>) {
        self.take(uuid);
    }

    fn take(&mut self, uuid: Str<'_>) -> Option<Prompt> {
        let is_it = |prompt: &Prompt| prompt.uuid.as_deref().is_some_and(|own| uuid == own);
        self.0.iter().position(is_it).and_then(|at| self.0.remove(at))
    }
}
