//! An agent under the call that started it: one heading for both.

use super::{Html, Page, agent_anchor, colour};
use crate::story::{Called, Item, ItemPlace, Outcome};
use crate::words::duration;
use unspool::event::AgentStatus;

/// Agents with fewer items are open from the beginning.
const SMALL: usize = 40;

impl Page<'_> {
    /// What an agent said and did, and its call, where that is known.
    pub(super) fn nested(
        &self,
        agent: usize,
        call: Option<(ItemPlace, &Called)>,
        html: &mut Html,
        pass: &mut dyn FnMut(&mut Html),
    ) {
        let member = &self.story.agents[agent];
        let outcome = call.map(|(_, call)| call.outcome());
        let bad = matches!(member.status, Some(AgentStatus::Failed | AgentStatus::Stopped))
            || matches!(outcome, Some(Outcome::Failed | Outcome::Denied));
        html.raw("<details class=\"agent ").raw(colour(agent)).raw("\"").attr("id", &agent_anchor(agent));
        self.from(call.map_or(member.began, |(place, _)| self.story.came(place)), html);
        self.result(self.ended_with(agent, call.map(|(_, call)| call)), html);
        html.raw(if member.items.len() <= SMALL || bad { " open><summary>" } else { "><summary>" });
        html.raw(match (bad, member.status) {
            (true, _) => "<span class=\"mark bad\" aria-hidden=\"true\">✗</span> ",
            (false, Some(AgentStatus::Completed)) => {
                "<span class=\"mark good\" aria-hidden=\"true\">✓</span> "
            }
            (false, _) => "<span class=\"mark\" aria-hidden=\"true\">…</span> ",
        });
        html.raw("<span class=\"line\"><span class=\"tool\">Agent</span> ").element(
            "strong",
            "",
            &member.name(),
        );
        let took = call.and_then(|(_, call)| self.took(call)).filter(|_| member.duration_ms.is_none());
        let facts = [Some(self.about(agent)).filter(|about| !about.is_empty()), took.map(duration)];
        html.raw(if bad { " <small class=\"bad\">" } else { " <small>" });
        html.text(&facts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
            .raw("</small></span></summary>\n");
        self.talk(agent, 0..member.items.len(), html, pass);
        if let Some((place, call)) = call {
            // What it has not said itself stands in what it handed back.
            let is_silent = !member.items.iter().any(|item| matches!(item, Item::Text(_)));
            self.agent_call(place, call, bad || is_silent, html);
        }
        html.raw("</details>\n");
    }

    /// When it was seen what became of an agent; of one that is still open that is seen at the end.
    fn ended_with(&self, agent: usize, call: Option<&Called>) -> usize {
        let answered = call.and_then(|call| call.seen.answered);
        self.story.agents[agent].ended.or(answered).unwrap_or(self.last())
    }
}
