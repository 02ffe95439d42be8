//! Whether a call may be: the question, and what was decided.

use super::call;
use super::line::Line;
use super::style::{BAD, BOLD, DIM, GOOD, PLAIN, WARN, over};
use super::wrap::tidy_line;
use super::{Shown, View};
use crate::words::CallWords;
use unspool::event::{Decision, Raw, Tell};

/// A question without an answer.
pub(super) struct Question {
    tool: Option<String>,
    call: CallWords,
    id: Option<String>,
}

impl View {
    /// Whoever answers questions knows them; all others see them.
    pub(super) fn asks(
        &mut self,
        agent: &str,
        request: Option<&str>,
        id: Option<&str>,
        tool: Option<&str>,
        input: Option<&Raw<'_>>,
    ) {
        let mut call = CallWords::of(tool, input);
        self.shorten(&mut call);
        if !self.settings.answers {
            let mut line = Line::of("? ", over(WARN, BOLD));
            line.append(&call::words(&call, over(WARN, BOLD)));
            let line = line.cut(self.room(agent).saturating_sub(11)).with(" · may it?", WARN);
            self.emit(agent, Shown::Short, vec![line]);
        }
        if let Some(request) = request {
            let (id, tool) = (id.map(str::to_owned), tool.map(str::to_owned));
            self.asked.insert(request.to_owned(), Question { tool, call, id });
        }
    }

    /// What was decided; where the answer has another input, that is what is done.
    pub(super) fn decided(
        &mut self,
        agent: &str,
        request: Option<&str>,
        decision: Decision,
        by: &str,
        input: Option<&Raw<'_>>,
    ) {
        let Some(question) = request.and_then(|request| self.asked.remove(request)) else { return };
        let Question { tool, mut call, id } = question;
        let changed = input.map(|input| self.change(id.as_deref(), tool.as_deref(), input));
        let is_changed = changed.as_ref().is_some_and(|changed| *changed != call);
        call = changed.unwrap_or(call);
        let answers = self.settings.answers;
        let follows = answers && id.is_some() && self.last.call == id;
        let mut line = match decision {
            Decision::Allow => Line::of("  ✓ allowed", GOOD),
            // The answer of the call says it, and why.
            Decision::Deny if answers && id.as_ref().is_some_and(|id| self.calls.contains_key(id)) => return,
            Decision::Deny => Line::of("  ✗ denied", BAD),
            _ => Line::of("  · no longer asked", DIM),
        };
        if !answers {
            line.push(&format!(" by {}", tidy_line(by)), DIM);
        }
        if is_changed {
            line.push(", changed to", WARN);
        }
        if !follows || is_changed {
            line.push(": ", DIM);
            line.append(&call::words(&call, PLAIN));
        }
        let line = line.cut(self.room(agent));
        self.emit(agent, Shown::Short, vec![line]);
        self.last.call = id.filter(|_| follows);
    }

    /// A call is made with another input than it was shown with.
    fn change(&mut self, id: Option<&str>, tool: Option<&str>, input: &Raw<'_>) -> CallWords {
        let mut call = CallWords::of(tool, Some(input));
        self.shorten(&mut call);
        if let Some((id, open)) = id.and_then(|id| Some((id, self.calls.get_mut(id)?))) {
            open.call = call.clone();
            open.input = open.input.is_some().then(|| input.clone().own());
            self.status.changes(id, &call);
        }
        call
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::super::tests::settings;
    use super::*;
    use serde_json::json;
    use unspool::{Grain, Spool};

    /// One call that is allowed, one that is not, and one that is changed, as they are shown.
    fn shown(answers: bool) -> Vec<String> {
        let mut view = View::new(Settings { answers, ..settings(80, false) });
        let mut spool = Spool::new(Grain::Deltas);
        for (id, decision) in [("a", "allow"), ("b", "deny"), ("c", "allow")] {
            let input = json!({"command": format!("touch {id}")});
            let given = if id == "c" { json!({"command": "touch d"}) } else { input.clone() };
            let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": input});
            let says = json!({"type": "assistant", "uuid": id, "message": {"id": id, "content": [call]}});
            let asks = json!({"type": "control_request", "request_id": id, "request": {"subtype": "can_use_tool",
                "tool_name": "Bash", "tool_use_id": id, "input": input}});
            let answer = json!({"type": "control_response", "response": {"subtype": "success", "request_id": id,
                "response": {"behavior": decision, "message": "no", "updatedInput": given}}});
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": "no", "is_error": decision == "deny"});
            let did = json!({"type": "user", "uuid": format!("{id} did"), "message": {"content": [result]}});
            spool.feed(format!("{says}\n{asks}\n").as_bytes(), |event| view.step(&event));
            spool.wrote(&answer.to_string(), |event| view.step(&event));
            spool.feed(format!("{did}\n").as_bytes(), |event| view.step(&event));
        }
        view.take().iter().map(|line| line.text().to_owned()).collect()
    }

    #[test]
    fn whoever_answers_sees_what_was_decided_and_all_others_also_what_was_asked() {
        let call = |id: &str| format!("● Bash touch {id}");
        assert_eq!(
            shown(true),
            [
                &*call("a"),
                "  ✓ allowed",
                "  ✓ no",
                &*call("b"),
                "  ✗ denied · no",
                &*call("c"),
                "  ✓ allowed, changed to: Bash touch d",
                "  ✓ no",
            ]
            .map(str::to_owned)
        );
        let others = shown(false).join("\n");
        for line in [
            "? Bash touch a · may it?",
            "  ✓ allowed by host: Bash touch a",
            "  ✓ allowed by host, changed to: Bash touch d",
            "  ✓ Bash touch d · no",
            "  ✗ denied by host: Bash touch b",
            "  ✗ denied",
        ] {
            assert!(others.contains(line), "{line}: {others}");
        }
    }
}
