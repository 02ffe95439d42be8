//! What the session cost and used: money, tokens by model, tools, files.

use super::diff::changed;
use super::{Html, Page};
use crate::words::{count, duration, grouped, money};
use std::collections::BTreeMap;

/// What is counted of each model.
const COLUMNS: [&str; 5] = ["Input", "Cache read", "Cache write", "Output", "Cost"];

/// Files and tools that are listed; the rest is counted.
const LISTED: usize = 500;

impl Page<'_> {
    pub(super) fn bill(&self, html: &mut Html) {
        if !self.has_bill() {
            return;
        }
        html.raw("<section id=\"bill\" aria-labelledby=\"cost\"");
        self.from(self.last(), html);
        html.raw(">\n<h2 id=\"cost\">Bill</h2>\n");
        self.models(html);
        self.tools(html);
        self.files(html);
        self.notes(html);
        html.raw("</section>\n");
    }

    /// Whether there is anything in it.
    pub(super) fn has_bill(&self) -> bool {
        let totals = &self.story.totals;
        !(totals.models.is_empty() && totals.tools.is_empty() && totals.files.is_empty())
    }

    /// Why figures are missing or doubtful, by reason.
    fn notes(&self, html: &mut Html) {
        let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for note in self.story.notes() {
            reasons.entry(note.reason.replace('_', " ")).or_default().push(&note.field);
        }
        if reasons.is_empty() {
            return;
        }
        html.raw("<details class=\"note\"><summary>What these figures leave open</summary><ul>");
        for (reason, fields) in reasons {
            html.raw("<li>").text(&reason).raw(": ");
            html.raw("<code>").text(&fields.join(", ")).raw("</code></li>");
        }
        html.raw("</ul></details>\n");
    }

    fn models(&self, html: &mut Html) {
        let totals = &self.story.totals;
        if totals.models.is_empty() {
            return;
        }
        html.raw("<table class=\"cards\"><caption>Models</caption><thead><tr><th scope=\"col\">Model</th>");
        for name in COLUMNS {
            html.raw("<th scope=\"col\" class=\"number\">").raw(name).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for (name, spent) in &totals.models {
            html.raw("<tr><th scope=\"row\">").text(name).raw("</th>");
            let tokens = [spent.input, spent.cache_read, spent.cache_creation, spent.output];
            let figures =
                tokens.map(|number| number.map(grouped)).into_iter().chain([spent.cost_usd.map(money)]);
            for (figure, name) in figures.zip(COLUMNS) {
                html.raw("<td class=\"number\"").attr("data-name", name).raw(">");
                html.text(&figure.unwrap_or_else(unknown)).raw("</td>");
            }
            html.raw("</tr>");
        }
        html.raw("</tbody>");
        // One row is its own sum, if it has one.
        let adds_up =
            totals.models.len() == 1 && totals.models[0].1.cost_usd.map(money) == totals.cost_usd.map(money);
        if !adds_up {
            html.raw(
                "<tfoot><tr><th scope=\"row\" colspan=\"5\">All</th><td class=\"number\" data-name=\"Cost\">",
            );
            html.text(&totals.cost_usd.map(money).unwrap_or_else(unknown)).raw("</td></tr></tfoot>");
        }
        html.raw("</table>\n");
    }

    fn tools(&self, html: &mut Html) {
        let tools = &self.story.totals.tools;
        if tools.is_empty() {
            return;
        }
        let has_denied = tools.values().any(|tool| tool.denied > 0);
        html.raw("<table><caption>Tools</caption><thead><tr><th scope=\"col\">Tool</th>");
        for (name, is_shown) in [("Calls", true), ("Failed", true), ("Denied", has_denied), ("Time", true)] {
            if is_shown {
                html.raw("<th scope=\"col\" class=\"number\">").raw(name).raw("</th>");
            }
        }
        html.raw("</tr></thead><tbody>");
        for (name, tool) in tools.iter().take(LISTED) {
            let time = if tool.timed > 0 { duration(tool.ms) } else { unknown() };
            html.raw("<tr><th scope=\"row\">").text(name).raw("</th>").element(
                "td",
                "number",
                &grouped(tool.calls),
            );
            let bad = |number: u64| if number > 0 { "number bad" } else { "number" };
            html.element("td", bad(tool.failed), &grouped(tool.failed));
            if has_denied {
                html.element("td", bad(tool.denied), &grouped(tool.denied));
            }
            html.element("td", "number", &time).raw("</tr>");
        }
        html.raw("</tbody></table>\n");
        more(tools.len(), "tool", html);
    }

    fn files(&self, html: &mut Html) {
        let files = &self.story.totals.files;
        if files.is_empty() {
            return;
        }
        html.raw("<table><caption>Files changed</caption><thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"number\">Lines</th></tr></thead><tbody>");
        for (path, change) in files.iter().take(LISTED) {
            html.raw("<tr><th scope=\"row\"><code>").text(path).raw("</code>").raw(if change.is_new {
                " <small>new</small>"
            } else {
                ""
            });
            html.raw("</th><td class=\"number\">");
            changed(change.added, change.removed, html);
            html.raw("</td></tr>");
        }
        html.raw("</tbody></table>\n");
        more(files.len(), "file", html);
    }
}

fn more(number: usize, thing: &str, html: &mut Html) {
    let missing = number.saturating_sub(LISTED);
    if missing > 0 {
        html.raw("<p>And ").text(&count(missing as u64, thing)).raw(" more.</p>");
    }
}

fn unknown() -> String {
    "–".to_owned()
}
