//! The other direction: what the host wrote to Claude Code, as far as events tell of it.

use super::permission::is_denied_by_hook;
use crate::event::Event;
use crate::json::{Chart, Json};
use crate::translate::Translator;
use crate::translate::tell::Cx;
use crate::translate::turns::prompts::Prompt;
use crate::wire::input::Input;
use crate::wire::{Kind, Wire};

impl Translator {
    /// A line was written to Claude Code's standard input. An answer to a permission request is told at once,
    /// a prompt with the turn that it starts.
    pub fn wrote(&mut self, line: &str, sink: &mut dyn FnMut(Event<'_>)) {
        let Ok(json) = Json::new(line) else { return };
        match Input::of(json) {
            Some(Input::User(message)) if message.should_query != Some(false) => {
                self.turns.sent(Prompt::of(&message));
            }
            Some(Input::ControlResponse(response)) => {
                let answer = response.response.and_then(|answer| answer.read().response);
                if answer.is_some_and(is_denied_by_hook) {
                    self.evidence.tool_denied();
                }
                let mut cx = Cx::new(None, Chart::EMPTY, sink);
                if let Some((agent, what)) = self.resolved(Kind::ControlResponse, json) {
                    self.teller.tell(&mut cx, agent.as_deref(), what);
                }
            }
            _ => {}
        }
    }
}
