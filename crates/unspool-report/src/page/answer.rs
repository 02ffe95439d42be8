//! The answer of a session that ended well, where people look first. In the conversation a link stands in its place.

use super::{Html, Page, anchor, turn_anchor};
use crate::story::{Item, ItemPlace, TurnEnd};
use unspool::Verdict;

impl Page<'_> {
    /// Where the answer stands in the story, and the turn that gave it; none if the session did not end well.
    pub(super) fn answered(&self) -> Option<(usize, usize)> {
        let ended_well = self.story.totals.end.as_ref().is_some_and(|end| end.verdict == Verdict::Ok);
        self.story.answer.filter(|_| ended_well)
    }

    pub(super) fn answer_section(&self, html: &mut Html) {
        let Some((turn, rank)) = self.answered() else { return };
        html.raw("<section id=\"answer\" aria-labelledby=\"said\">\n<h2 id=\"said\">Answer");
        if self.story.turns.len() > 2 {
            let prompt = self.turn_prompt(&self.story.turns[turn]);
            html.raw(if prompt.is_some() { " <small>to <a" } else { " <small>of <a" });
            html.attr("href", &format!("#{}", turn_anchor(turn))).raw(">");
            html.text(
                &prompt
                    .unwrap_or_else(|| format!("turn {}", self.story.turns[turn].number.unwrap_or_default())),
            )
            .raw("</a></small>");
        }
        html.raw("</h2>\n");
        let item = &self.story.agents[0].items[rank];
        match item {
            Item::TurnEnd(end) => self.end_answer(ItemPlace { agent: 0, item: rank }, end, html),
            _ => self.item(ItemPlace { agent: 0, item: rank }, item, html, &mut |_| {}),
        }
        html.raw("</section>\n");
    }

    /// Stands in the conversation where the answer was given.
    pub(super) fn answer_link(&self, place: ItemPlace, html: &mut Html) {
        let target = match &self.story.agents[place.agent].items[place.item] {
            Item::TurnEnd(_) => "answer".to_owned(),
            _ => anchor(place),
        };
        html.raw("<p class=\"moved\"");
        self.from(self.story.came(place), html);
        html.raw("><a").attr("href", &format!("#{target}"));
        html.raw(">The answer</a> stands at the top of the page.</p>\n");
    }

    fn end_answer(&self, place: ItemPlace, end: &TurnEnd, html: &mut Html) {
        html.raw("<div class=\"item text\" dir=\"auto\"");
        self.from(self.story.came(place), html);
        html.raw(">");
        super::markdown(end.answer.as_deref().unwrap_or_default(), html);
        html.raw("</div>\n");
    }
}
