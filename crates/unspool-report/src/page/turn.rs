//! A turn: its heading, what was said and done in it, and how it ended.

use super::{Html, Page, markdown, turn_anchor};
use crate::story::{Item, ItemPlace, Turn, TurnEnd};
use crate::words::{count, duration, money, one_line, tokens};
use unspool::event::Cause;
use unspool::json::Str;
use unspool::wire::StopReason;

/// The longest prompt in a list of turns.
const GIST: usize = 110;

impl Page<'_> {
    /// All turns, one after the other. `pass` is called now and then, to hand on what is there.
    pub(super) fn turns(&self, html: &mut Html, pass: &mut dyn FnMut(&mut Html)) {
        let mut before: &[usize] = &[];
        for (at, turn) in self.story.turns.iter().enumerate() {
            // Notices before the first turn stand with those of that turn.
            if at == 0 && self.story.turns.len() > 1 && turn.items.iter().all(|rank| self.is_noise(*rank)) {
                before = &turn.items;
                continue;
            }
            if turn.number.is_some() {
                self.turn_heading(at, turn, html);
            }
            self.talk(0, std::mem::take(&mut before).iter().chain(&turn.items).copied(), html, pass);
        }
    }

    fn turn_heading(&self, at: usize, turn: &Turn, html: &mut Html) {
        let last = self.story.turns.len() - 1;
        html.raw("<h3 class=\"turn\"").attr("id", &turn_anchor(at));
        self.from(turn.began, html);
        html.raw(">Turn ").show(turn.number.unwrap_or_default());
        match turn.cause {
            Cause::Task => drop(html.raw(" <small>begun by a task that ended</small>")),
            Cause::Command => drop(html.raw(" <small>a local command</small>")),
            _ => {}
        }
        if last > 1 {
            html.raw("<span class=\"walk\">");
            step(at.checked_sub(1).filter(|to| *to > 0), "Turn before", "↑", html);
            step(Some(at + 1).filter(|to| *to <= last), "Next turn", "↓", html);
            html.raw("</span>");
        }
        html.raw("</h3>\n");
    }

    pub(super) fn turn_end(&self, place: ItemPlace, end: &TurnEnd, moved: bool, html: &mut Html) {
        if let Some(answer) = end.answer.as_ref().filter(|_| !moved) {
            html.raw("<div class=\"item text\" dir=\"auto\"");
            self.from(self.story.came(place), html);
            html.raw(">");
            markdown(answer, html);
            html.raw("</div>\n");
        }
        self.open(
            if end.ok { "<div class=\"item end\"" } else { "<div class=\"item end bad\"" },
            place,
            html,
        );
        let number = end.number.map(|number| format!("Turn {number}")).unwrap_or_else(|| "A turn".to_owned());
        let facts = [
            Some(format!("{number} {}", if end.ok { "complete" } else { "failed" })),
            end.ms.map(duration),
            end.cost_usd.map(money),
            end.tokens.map(|(input, output)| format!("{} tokens in, {} out", tokens(input), tokens(output))),
            end.stop.clone().filter(|stop| end.ok && !is_usual(stop)),
        ];
        html.text(&facts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
        if end.denials > 0 {
            html.raw(" · <strong class=\"bad\">").text(&count(end.denials as u64, "denial")).raw("</strong>");
        }
        html.raw("</div>\n");
    }

    /// When it was seen how a turn ended.
    pub(super) fn turn_ended_with(&self, turn: &Turn) -> usize {
        let ends = |rank: &&usize| matches!(self.story.agents[0].items[**rank], Item::TurnEnd(_));
        let end = turn.items.iter().rfind(ends);
        end.map_or(self.last(), |item| self.story.came(ItemPlace { agent: 0, item: *item }))
    }

    /// The prompt of a turn, or its beginning.
    pub(super) fn turn_prompt(&self, turn: &Turn) -> Option<String> {
        turn.items.iter().find_map(|rank| match &self.story.agents[0].items[*rank] {
            Item::Prompt(said) if !said.synthetic => Some(super::cut(&one_line(&said.text), GIST)),
            _ => None,
        })
    }

    /// What a turn is about: its prompt, or what else began it.
    pub(super) fn turn_gist(&self, turn: &Turn) -> String {
        self.turn_prompt(turn).unwrap_or_else(|| match turn.cause {
            Cause::Task => "A task has ended".to_owned(),
            Cause::Command => "A local command".to_owned(),
            _ => format!("Turn {}", turn.number.unwrap_or_default()),
        })
    }
}

fn step(to: Option<usize>, label: &'static str, arrow: &'static str, html: &mut Html) {
    if let Some(to) = to {
        html.raw("<a").attr("href", &format!("#{}", turn_anchor(to))).attr("aria-label", label);
        html.raw(">").raw(arrow).raw("</a>");
    }
}

/// Whether a turn that went well stops for this reason: it has done what it was to do, or a tool ended it.
fn is_usual(stop: &str) -> bool {
    matches!(StopReason::from(Str::from(stop)), StopReason::EndTurn | StopReason::ToolUse)
}
