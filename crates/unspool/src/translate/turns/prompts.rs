//! The other direction: what the host wrote to Claude Code, as far as events tell of it.

use crate::event::Event;
use crate::json::{Chart, Json, Str};
use crate::translate::Translator;
use crate::translate::notice::is_denied_by_hook;
use crate::translate::tell::Cx;
use crate::wire::input::Input;
use crate::wire::quirk::flatten_content;
use crate::wire::{Kind, Wire};
use std::collections::VecDeque;

/// Prompts that are remembered until their turn begins.
const WAITING: usize = 1024;

impl Translator {
    /// A line was written to Claude Code's standard input. An answer to a permission request is told at once,
    /// a prompt with the turn that it starts.
    pub fn wrote(&mut self, line: &str, sink: &mut dyn FnMut(Event<'_>)) {
        let Ok(json) = Json::new(line) else { return };
        match Input::of(json) {
            Some(Input::User(message)) if message.should_query != Some(false) => {
                self.turns.sent.push(Prompt::of(json));
            }
            Some(Input::ControlResponse(_)) => {
                let answer = json.get("response").and_then(|answer| answer.get("response"));
                self.evidence.denied |= answer.is_some_and(is_denied_by_hook);
                let mut cx = Cx::new(None, Chart::EMPTY, sink);
                if let Some((agent, what)) = self.resolved(Kind::ControlResponse, json) {
                    self.teller.tell(&mut cx, agent.as_deref(), what);
                }
            }
            _ => {}
        }
    }
}

/// A prompt that was sent.
#[derive(Debug)]
pub(crate) struct Prompt {
    uuid: Option<String>,
    pub(crate) words: String,
}

impl Prompt {
    fn of(line: Json<'_>) -> Self {
        let uuid = line.get("uuid").and_then(Json::as_str);
        let content = line.get("message").and_then(|message| message.get("content"));
        Prompt {
            uuid: uuid.map(|uuid| uuid.to_string()),
            words: content.map(|content| flatten_content(content).into_owned()).unwrap_or_default(),
        }
    }
}

/// The prompts that were sent and whose turn has not begun, in the order they will be taken.
#[derive(Debug, Default)]
pub(crate) struct Prompts(VecDeque<Prompt>);

impl Prompts {
    fn push(&mut self, prompt: Prompt) {
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

    /// Claude Code takes this one now.
    pub(crate) fn started(&mut self, uuid: Str<'_>) {
        if let Some(prompt) = self.take(uuid) {
            self.0.push_front(prompt);
        }
    }

    /// No turn will begin with this one: it went into a running one, or was cancelled.
    pub(crate) fn used(&mut self, uuid: Str<'_>) {
        self.take(uuid);
    }

    fn take(&mut self, uuid: Str<'_>) -> Option<Prompt> {
        let is_it = |prompt: &Prompt| prompt.uuid.as_deref().is_some_and(|own| uuid == own);
        self.0.iter().position(is_it).and_then(|at| self.0.remove(at))
    }
}
