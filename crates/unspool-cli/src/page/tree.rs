//! Who took part, as a way through the page.

use super::{Html, Page, agent_anchor, colour};
use crate::words::{count, duration};
use unspool::event::AgentStatus;

/// Agents that are listed; a list that is longer helps nobody.
const LISTED: usize = 500;

impl Page<'_> {
    pub(super) fn tree(&self, html: &mut Html) {
        html.raw(
            "<nav aria-label=\"Contents\"><details open id=\"contents\"><summary>Contents</summary>\n<ul>",
        );
        if self.story.problems().next().is_some() {
            html.raw("<li><a href=\"#problems\">What went wrong</a></li>");
        }
        html.raw("<li><a href=\"#timeline\">Timeline</a></li>");
        html.raw("<li><a href=\"#conversation\">Conversation</a>");
        let mut listed = 0;
        self.branch(0, &mut listed, html);
        html.raw("</li><li><a href=\"#bill\">Bill</a></li></ul>\n");
        let missing = self.story.agents.len().saturating_sub(1 + LISTED);
        if missing > 0 {
            html.raw("<p>And ").text(&count(missing as u64, "agent")).raw(" more.</p>");
        }
        html.raw("</details></nav>\n");
    }

    fn branch(&self, agent: usize, listed: &mut usize, html: &mut Html) {
        let children = &self.story.agents[agent].children;
        if children.is_empty() || *listed >= LISTED {
            return;
        }
        html.raw("<ul>");
        for &child in children {
            if *listed >= LISTED {
                break;
            }
            *listed += 1;
            let member = &self.story.agents[child];
            html.raw("<li class=\"")
                .raw(colour(child))
                .raw("\"><a")
                .attr("href", &format!("#{}", agent_anchor(child)));
            html.raw("><span class=\"dot\" aria-hidden=\"true\">●</span> ").text(&member.name()).raw("</a>");
            html.element("small", "", &self.about(child));
            self.branch(child, listed, html);
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
        let facts = [
            member.kind.clone(),
            status,
            member.background.then(|| "in the background".to_owned()),
            Some(count(member.calls() as u64, "call")),
            member.duration_ms.map(duration),
            member.tokens.map(|tokens| format!("{} tokens", crate::words::tokens(tokens))),
        ];
        facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}
