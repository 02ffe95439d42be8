//! The contents: turns by their prompts, and who was called in them, as a way through the page.

use super::{Html, Page, agent_anchor, colour, turn_anchor};
use crate::story::Turn;
use crate::words::{count, duration};
use unspool::event::AgentStatus;

/// Turns and agents that are listed; a list that is longer helps nobody.
const LISTED: usize = 500;

/// So many agents in a row stand open, unless there are many turns.
const OPEN: usize = 6;

/// The longest name of an agent.
const NAME: usize = 90;

impl Page<'_> {
    pub(super) fn tree(&self, html: &mut Html) {
        html.raw(
            "<nav aria-label=\"Contents\"><details open id=\"contents\"><summary>Contents</summary>\n<ul>",
        );
        if self.answered().is_some() {
            html.raw("<li><a href=\"#answer\">Answer</a></li>");
        }
        if !self.ended_well() && self.listed_problems().next().is_some() {
            let seen = self.listed_problems().map(|(place, item)| self.trouble_with(place, item));
            html.raw("<li");
            self.from(seen.min().unwrap_or(0), html);
            html.raw("><a href=\"#problems\">What went wrong</a></li>");
        }
        if self.story.span().is_some() {
            html.raw("<li><a href=\"#timeline\">Timeline</a></li>");
        }
        html.raw("<li><a href=\"#conversation\">Conversation</a>");
        self.turn_list(html);
        html.raw("</li>");
        if self.has_bill() {
            html.raw("<li");
            self.from(self.last(), html);
            html.raw("><a href=\"#bill\">Bill</a></li>");
        }
        html.raw("</ul>\n</details></nav>\n");
    }

    fn turn_list(&self, html: &mut Html) {
        let turns = &self.story.turns;
        let mut left = LISTED;
        html.raw("<ol class=\"turns\">");
        for (at, turn) in turns.iter().enumerate().take(1 + LISTED) {
            if turn.number.is_none() && turn.agents.is_empty() {
                continue;
            }
            html.raw("<li");
            self.from(turn.began, html);
            html.raw(">");
            if let Some(number) = turn.number {
                html.raw("<a").attr("href", &format!("#{}", turn_anchor(at))).raw("><span class=\"rank\">");
                html.show(number).raw("</span><span class=\"clip\">");
                if turn.ok == Some(false) {
                    html.raw("<span class=\"bad\"");
                    self.from(self.turn_ended_with(turn), html);
                    html.raw(">✗</span> ");
                }
                html.text(&self.turn_gist(turn)).raw("</span></a>");
            }
            self.agents_of(turn, &mut left, html);
            html.raw("</li>");
        }
        html.raw("</ol>");
        missing(turns.len().saturating_sub(1 + LISTED), "turn", html);
        missing((self.story.agents.len() - 1).saturating_sub(LISTED), "agent", html);
    }

    fn agents_of(&self, turn: &Turn, left: &mut usize, html: &mut Html) {
        if turn.agents.is_empty() || *left == 0 {
            return;
        }
        let open = turn.agents.len() <= OPEN && self.story.turns.len() <= 2 + OPEN;
        let began = || turn.agents.iter().map(|agent| self.story.agents[*agent].began);
        html.raw("<details");
        self.from(began().min().unwrap_or(0), html);
        html.raw(if open { " open><summary>" } else { "><summary>" });
        self.so_far(began(), "Agents so far", html, |html| {
            html.text(&count(turn.agents.len() as u64, "agent"));
        });
        html.raw("</summary>");
        self.branch(&turn.agents, left, html);
        html.raw("</details>");
    }

    fn branch(&self, agents: &[usize], left: &mut usize, html: &mut Html) {
        if agents.is_empty() || *left == 0 {
            return;
        }
        html.raw("<ul>");
        for &agent in agents {
            if *left == 0 {
                break;
            }
            *left -= 1;
            let member = &self.story.agents[agent];
            html.raw("<li class=\"").raw(colour(agent)).raw("\"");
            self.from(member.began, html);
            html.raw("><a").attr("href", &format!("#{}", agent_anchor(agent)));
            html.raw("><span class=\"clip\"><span class=\"dot\" aria-hidden=\"true\">●</span> ");
            html.text(&super::cut(&member.name(), NAME)).raw("</span></a>");
            html.raw("<small");
            self.from(member.ended.unwrap_or(self.last()), html);
            html.raw(">").text(&self.about(agent)).raw("</small>");
            self.branch(&member.children, left, html);
            html.raw("</li>");
        }
        html.raw("</ul>");
    }

    /// What is known of an agent besides its name.
    pub(super) fn about(&self, agent: usize) -> String {
        let member = &self.story.agents[agent];
        let status = match member.status {
            Some(AgentStatus::Completed) => None,
            Some(status) => Some(status.to_string()),
            None => Some("still open".to_owned()),
        };
        let calls = Some(member.calls() as u64).filter(|calls| *calls > 0);
        let facts = [
            member.kind.clone(),
            status,
            member.background.then(|| "in the background".to_owned()),
            calls.map(|calls| count(calls, "call")),
            member.duration_ms.map(duration),
            member.tokens.map(|tokens| format!("{} tokens", crate::words::tokens(tokens))),
        ];
        facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

fn missing(number: usize, thing: &str, html: &mut Html) {
    if number > 0 {
        html.raw("<p>And ").text(&count(number as u64, thing)).raw(" more.</p>");
    }
}
