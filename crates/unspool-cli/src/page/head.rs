//! The top of the page: what it is, how it ended, and what went wrong.

use super::{Html, Page, anchor, policy};
use crate::story::{Item, Outcome};
use crate::words::{count, duration, money, one_line, tokens};
use jiff::Timestamp;
use unspool::Verdict;

/// Problems that are listed; the rest is counted.
const LISTED: usize = 40;

/// The longest title.
const TITLE: usize = 120;

impl Page<'_> {
    pub(super) fn head(&self, html: &mut Html) {
        let title = self.title();
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\"")
            .attr("content", &policy::policy())
            .raw(">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"unspool\">\n");
        html.element("title", "", &title)
            .raw("\n<style>")
            .raw(policy::STYLE)
            .raw("</style>\n</head>\n<body>\n");
        html.raw("<a class=\"skip\" href=\"#conversation\">To the conversation</a>\n");
        html.raw(BAR).raw("<header>\n");
        html.element("h1", "", &title).raw("\n");
        self.verdict(html);
        self.facts(html);
        html.raw("</header>\n");
    }

    fn title(&self) -> String {
        let told = self.story.title.as_deref();
        let prompt = self.story.agents[0].items.iter().find_map(|item| match item {
            Item::Prompt(said) if !said.synthetic => Some(&*said.text),
            _ => None,
        });
        let session = self.story.totals.session.as_deref().map(|id| format!("Session {id}"));
        let title = told.or(prompt).map(str::to_owned).or(session);
        cut(&one_line(&title.unwrap_or_else(|| "A session of Claude Code".to_owned())))
    }

    fn verdict(&self, html: &mut Html) {
        let Some(end) = &self.story.totals.end else { return };
        let (class, mark) =
            if end.verdict == Verdict::Ok { ("verdict good", "✓ ") } else { ("verdict bad", "✗ ") };
        html.raw("<p class=\"").raw(class).raw("\"><strong>").raw(mark).show(end.verdict);
        html.raw("</strong> ").text(&end.reason).raw("</p>\n");
    }

    fn facts(&self, html: &mut Html) {
        let totals = &self.story.totals;
        let spent = totals.models.iter().try_fold(0u64, |sum, (_, model)| {
            Some(sum.saturating_add(model.total_input?).saturating_add(model.output?))
        });
        let agents = Some(totals.agents).filter(|agents| *agents > 0);
        html.raw("<dl class=\"facts\">");
        for (name, value) in [
            ("Cost", totals.cost_usd.map(money)),
            ("Tokens", spent.filter(|_| !totals.models.is_empty()).map(tokens)),
            ("Time", totals.duration_ms().map(duration)),
            ("Turns", Some(totals.turns.to_string())),
            ("Sub-agents", agents.map(|agents| agents.to_string())),
            ("Model", totals.model.clone()),
            ("Began", self.story.began.as_deref().map(began)),
            ("Folder", totals.cwd.clone()),
            ("Claude Code", totals.version.clone()),
            ("Session", totals.session.clone()),
        ] {
            if let Some(value) = value {
                html.raw("<div>").element("dt", "", name).element("dd", "", &one_line(&value)).raw("</div>");
            }
        }
        html.raw("</dl>\n");
    }

    /// Everything that failed or was not allowed, with links to it.
    pub(super) fn problems(&self, html: &mut Html) {
        let mut problems = self.story.problems();
        let listed: Vec<_> = problems.by_ref().take(LISTED).collect();
        if listed.is_empty() {
            return;
        }
        html.raw("<section id=\"problems\" aria-labelledby=\"wrong\">\n<h2 id=\"wrong\">What went wrong</h2>\n<ul>");
        for (place, item) in listed {
            let (kind, words) = problem(item);
            html.raw("<li>")
                .element("strong", "", &kind)
                .raw(" <a")
                .attr("href", &format!("#{}", anchor(place)));
            html.raw(">").text(&one_line(&words).chars().take(240).collect::<String>()).raw("</a></li>\n");
        }
        html.raw("</ul>");
        let more = problems.count();
        if more > 0 {
            html.raw("<p>And ").show(more).raw(" more.</p>");
        }
        html.raw("</section>\n");
    }
}

/// The beginning of a title that is too long, in whole words if there are any.
fn cut(title: &str) -> String {
    let Some((end, _)) = title.char_indices().nth(TITLE) else { return title.to_owned() };
    let words = match title[..end].rfind(' ') {
        Some(space) if !title[end..].starts_with(' ') && space > end / 2 => &title[..space],
        _ => &title[..end],
    };
    format!("{} …", words.trim_end().trim_end_matches([',', ';', ':']))
}

/// `2026-11-15 09:00:00 UTC`; what is not a time stays as it is.
fn began(time: &str) -> String {
    let read = time.parse::<Timestamp>().map(|time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string());
    read.unwrap_or_else(|_| time.to_owned())
}

fn problem(item: &Item) -> (String, String) {
    match item {
        Item::Call(call) => {
            let kind = if call.outcome() == Outcome::Denied { "denied" } else { "failed" };
            (kind.to_owned(), call.words.line())
        }
        Item::Stray { tool, answer } => {
            ("failed".to_owned(), format!("{} {}", tool.as_deref().unwrap_or("?"), answer.text.head))
        }
        Item::Notice { notice, .. } => (notice.about.clone(), notice.words.clone()),
        Item::Error { kind, text, .. } => (format!("error ({kind})"), text.clone()),
        Item::Malformed { reason, bytes, .. } => {
            ("broken line".to_owned(), format!("{reason}, {}", count(*bytes, "byte")))
        }
        _ => Default::default(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_cut_between_words() {
        let long = "The tests of the parser fail since Tuesday, and nobody knows why; find out what has changed, and mend it before Wednesday";
        assert_eq!(
            cut(long),
            "The tests of the parser fail since Tuesday, and nobody knows why; find out what has changed, and mend it before …"
        );
        assert_eq!(cut("short"), "short");
        let word = "x".repeat(200);
        assert_eq!(cut(&word), format!("{} …", &word[..TITLE]));
        assert_eq!(cut(&"漢".repeat(200)), format!("{} …", "漢".repeat(TITLE)));
        let fits = format!("{} b and more", "a".repeat(TITLE - 2));
        assert_eq!(cut(&fits), format!("{} b …", "a".repeat(TITLE - 2)));
    }
}
