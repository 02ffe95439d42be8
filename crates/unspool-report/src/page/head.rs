//! The top of the page: what it is, how it ended, what it took.

use super::{Html, Page, cut, policy};
use crate::story::{Figures, Item};
use crate::words::{duration, money, one_line, tokens};
use jiff::Timestamp;

/// The longest title.
const TITLE: usize = 120;

impl Page<'_> {
    pub(super) fn head(&self, html: &mut Html) {
        let title = self.title();
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\"")
            .attr("content", &policy::policy(self.play))
            .raw(">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"unspool\">\n");
        html.element("title", "", &title)
            .raw("\n<style>")
            .raw(policy::style(self.play))
            .raw("</style>\n</head>\n<body>\n");
        html.raw("<a class=\"skip\" href=\"#conversation\">To the conversation</a>\n");
        html.raw(BAR).raw("<header>\n");
        html.element("h1", "", &title).raw("\n");
        self.verdict(html);
        self.facts(html);
        html.raw("</header>\n");
    }

    fn title(&self) -> String {
        let told = self.title.or(self.story.title.as_deref());
        let prompt = self.story.agents[0].items.iter().find_map(|item| match item {
            Item::Prompt(said) if !said.synthetic => Some(&*said.text),
            _ => None,
        });
        let folder = self
            .story
            .totals
            .cwd
            .as_deref()
            .and_then(|folder| folder.rsplit(['/', '\\']).find(|name| !name.is_empty()));
        let unnamed =
            || folder.map_or("A session of Claude Code".to_owned(), |name| format!("A session in {name}"));
        cut(&one_line(&told.or(prompt).map_or_else(unnamed, str::to_owned)), TITLE)
    }

    fn facts(&self, html: &mut Html) {
        let totals = &self.story.totals;
        let spent = totals.models.tokens().and_then(|spent| spent.known_total());
        let agents = Some(totals.agents).filter(|agents| *agents > 0);
        html.raw("<dl class=\"facts\">");
        // What it was at some moment; where there is nothing, it was the same all the time.
        type Then = Option<fn(&Figures) -> Option<String>>;
        let facts: [(&'static str, Option<String>, Then); 7] = [
            ("Cost", totals.cost_usd.map(money), Some(|then| then.usd.map(money))),
            (
                "Tokens",
                spent.map(tokens),
                Some(|then| Some(then.tokens).filter(|tokens| *tokens > 0).map(tokens)),
            ),
            ("Time", totals.duration_ms().map(duration), Some(|_| None)),
            (
                "Turns",
                Some(totals.turns).filter(|turns| *turns != 1).map(|turns| turns.to_string()),
                Some(|then| Some(then.turns.to_string())),
            ),
            (
                "Sub-agents",
                agents.map(|agents| agents.to_string()),
                Some(|then| Some(then.agents.to_string())),
            ),
            ("Model", totals.model.clone(), None),
            ("Began", self.story.began.as_deref().map(began), None),
        ];
        for (name, value, then) in facts {
            let Some(value) = value else { continue };
            html.raw("<div>").element("dt", "", name);
            match then.filter(|_| self.play) {
                Some(then) => self.fact(then, &one_line(&value), html),
                None => drop(html.element("dd", "", &one_line(&value))),
            }
            html.raw("</div>");
        }
        html.raw("</dl>\n");
        let version = totals.version.as_ref().map(|version| format!("Claude Code {version}"));
        let session = totals.session.as_ref().map(|session| format!("session {session}"));
        let origin: Vec<_> = [totals.cwd.clone(), version, session].into_iter().flatten().collect();
        if !origin.is_empty() {
            html.element("p", "origin", &one_line(&origin.join(" · "))).raw("\n");
        }
    }
}

/// `2026-11-15 09:00:00 UTC`; what is not a time stays as it is.
fn began(time: &str) -> String {
    let read = time.parse::<Timestamp>().map(|time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string());
    read.unwrap_or_else(|_| time.to_owned())
}

/// What needs the script, and is shown by it.
const BAR: &str = "<div class=\"bar\" id=\"bar\" role=\"search\" hidden>\
<input id=\"find\" type=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search in this session\" autocomplete=\"off\" spellcheck=\"false\">\
<output id=\"hits\" for=\"find\" aria-live=\"polite\"></output>\
<button id=\"before\" type=\"button\" aria-label=\"Hit before\" disabled>↑</button>\
<button id=\"next\" type=\"button\" aria-label=\"Next hit\" disabled>↓</button>\
<button id=\"open\" type=\"button\">Open all</button>\
<button id=\"shut\" type=\"button\">Close all</button>\
<button id=\"theme\" type=\"button\" aria-label=\"Light or dark\">◐</button>\
</div>\n";
