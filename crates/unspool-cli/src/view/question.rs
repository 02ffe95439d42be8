//! Whether a call may be: the question, and what was decided.

use super::call;
use super::line::Line;
use super::style::{BAD, BOLD, DIM, GOOD, PLAIN, WARN, over};
use super::wrap::tidy_line;
use super::{Shown, View};
use crate::words::Call;
use unspool::event::Decision;

/// A question without an answer.
pub(super) struct Question {
    call: Call,
    id: Option<String>,
}

impl View {
    /// Whoever answers questions knows them; all others see them.
    pub(super) fn asks(&mut self, agent: &str, request: Option<&str>, id: Option<&str>, mut call: Call) {
        self.shorten(&mut call);
        self.status.does(agent, "waiting for permission", self.now);
        if !self.settings.answers {
            let mut line = Line::of("? ", over(WARN, BOLD));
            line.append(&call::words(&call, over(WARN, BOLD)));
            let line = line.cut(self.room(agent).saturating_sub(11)).with(" · may it?", WARN);
            self.emit(agent, Shown::Short, vec![line]);
        }
        if let Some(request) = request {
            let id = id.map(str::to_owned);
            self.asked.insert(request.to_owned(), Question { call, id });
        }
    }

    pub(super) fn decided(&mut self, agent: &str, request: Option<&str>, decision: Decision, by: &str) {
        let question = request.and_then(|request| self.asked.remove(request));
        let (call, id) = question.map_or_else(Default::default, |question| (question.call, question.id));
        let answers = self.settings.answers;
        let mut line = match decision {
            Decision::Allow => Line::of("  ✓ allowed", GOOD),
            // The answer of the call says it, and why.
            Decision::Deny if answers && id.is_some_and(|id| self.calls.contains_key(&id)) => return,
            Decision::Deny => Line::of("  ✗ denied", BAD),
            _ => Line::of("  · no longer asked", DIM),
        };
        if !answers {
            line.push(&format!(" by {}", tidy_line(by)), DIM);
        }
        line.push(": ", DIM);
        line.append(&call::words(&call, PLAIN));
        let line = line.cut(self.room(agent));
        self.emit(agent, Shown::Short, vec![line]);
    }
}
