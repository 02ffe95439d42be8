//! What the session cost and used: money, tokens by model, tools, files.

use super::{Html, Page};
use crate::words::{count, duration, money};

/// Files and tools that are listed; the rest is counted.
const LISTED: usize = 500;

impl Page<'_> {
    pub(super) fn bill(&self, html: &mut Html) {
        html.raw("<section id=\"bill\" aria-labelledby=\"cost\">\n<h2 id=\"cost\">Bill</h2>\n");
        self.models(html);
        self.tools(html);
        self.files(html);
        let notes = self.story.notes();
        if !notes.is_empty() {
            html.raw("<p class=\"note\">What the stream does not say: ");
            let notes =
                notes.iter().map(|note| format!("{} ({})", note.field, note.reason.replace('_', " ")));
            html.text(&notes.collect::<Vec<_>>().join(", ")).raw(".</p>");
        }
        html.raw("</section>\n");
    }

    fn models(&self, html: &mut Html) {
        let totals = &self.story.totals;
        html.raw(
            "<div class=\"wide\"><table><caption>Models</caption><thead><tr><th scope=\"col\">Model</th>",
        );
        html.raw("<th scope=\"col\" class=\"number\">Input</th><th scope=\"col\" class=\"number\">Cache read</th><th scope=\"col\" class=\"number\">Cache write</th><th scope=\"col\" class=\"number\">Output</th><th scope=\"col\" class=\"number\">Cost</th></tr></thead><tbody>");
        for (name, spent) in &totals.models {
            html.raw("<tr>").element("th", "", name);
            for number in [spent.input, spent.cache_read, spent.cache_creation, spent.output] {
                html.element("td", "number", &number.map(grouped).unwrap_or_else(unknown));
            }
            html.element("td", "number", &spent.cost_usd.map(money).unwrap_or_else(unknown)).raw("</tr>");
        }
        html.raw("</tbody><tfoot><tr><th scope=\"row\" colspan=\"5\">All</th>");
        html.element("td", "number", &totals.cost_usd.map(money).unwrap_or_else(unknown));
        html.raw("</tr></tfoot></table></div>\n");
    }

    fn tools(&self, html: &mut Html) {
        let tools = &self.story.totals.tools;
        if tools.is_empty() {
            return;
        }
        html.raw("<div class=\"wide\"><table><caption>Tools</caption><thead><tr><th scope=\"col\">Tool</th><th scope=\"col\" class=\"number\">Calls</th><th scope=\"col\" class=\"number\">Failed</th><th scope=\"col\" class=\"number\">Time</th></tr></thead><tbody>");
        for (name, tool) in tools.iter().take(LISTED) {
            let time = if tool.timed > 0 { duration(tool.ms) } else { unknown() };
            html.raw("<tr>").element("th", "", name).element("td", "number", &grouped(tool.calls));
            let failed = if tool.failed > 0 { "number bad" } else { "number" };
            html.element("td", failed, &grouped(tool.failed)).element("td", "number", &time).raw("</tr>");
        }
        html.raw("</tbody></table></div>\n");
        more(tools.len(), "tool", html);
    }

    fn files(&self, html: &mut Html) {
        let files = &self.story.totals.files;
        if files.is_empty() {
            return;
        }
        html.raw("<div class=\"wide\"><table><caption>Files changed</caption><thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"number\">Added</th><th scope=\"col\" class=\"number\">Removed</th></tr></thead><tbody>");
        for (path, change) in files.iter().take(LISTED) {
            html.raw("<tr><th><code>").text(path).raw("</code>").raw(if change.is_new {
                " <small>new</small>"
            } else {
                ""
            });
            html.raw("</th><td class=\"number\"><ins>+").show(change.added).raw("</ins></td>");
            html.raw("<td class=\"number\"><del>−").show(change.removed).raw("</del></td></tr>");
        }
        html.raw("</tbody></table></div>\n");
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

/// `1 234 567`, with spaces that do not break.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1234567].map(grouped),
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
    }
}
