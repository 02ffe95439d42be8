//! A call of a tool: what it was given, what it changed, what came of it.

use super::talk::{excerpt, open, picture};
use super::{Html, Page, ROWS};
use crate::story::{Answer, Called, Item, Outcome, Place};
use crate::words::{Checklist, Diff, Progress, Side, count, duration};

/// Diffs with fewer rows are open from the beginning.
const SMALL: usize = 40;

/// The longest subject of a call.
const LINE: usize = 200;

impl Page<'_> {
    pub(super) fn call(&self, place: Place, call: &Called, html: &mut Html) {
        let outcome = call.outcome();
        open(tag(outcome, self.is_open(call)), place, html);
        html.raw("<summary>").raw(mark(outcome)).element("span", "tool", &call.words.tool);
        if !call.words.subject.is_empty() {
            html.raw(" ").element("code", "subject", &short(&call.words.subject));
        }
        if !call.words.aside.is_empty() {
            html.raw(" <span class=\"aside\">(").text(&short(&call.words.aside)).raw(")</span>");
        }
        html.raw(badge(outcome));
        if let Some(ms) = call.answer.as_ref().and_then(|answer| answer.ms).or_else(|| self.took(call)) {
            html.raw(" ").element("span", "took", &duration(ms));
        }
        if let Some(diff) = &call.diff {
            html.raw(" <span class=\"took\"><ins>+")
                .show(diff.added())
                .raw("</ins> <del>−")
                .show(diff.removed());
            html.raw("</del></span>");
        }
        html.raw("</summary>\n<div class=\"body\">");
        self.input(call, html);
        call.checklist.iter().for_each(|list| checklist(list, html));
        call.diff.iter().for_each(|diff| self.diff(diff, html));
        match &call.answer {
            Some(answer) => self.answer(answer, html),
            None => drop(html.raw("<p class=\"left-out\">It has no answer.</p>")),
        }
        html.raw("</div></details>\n");
    }

    /// An answer to a call that is not known.
    pub(super) fn stray(&self, place: Place, tool: Option<&str>, answer: &Answer, html: &mut Html) {
        let outcome = if answer.is_error { Outcome::Failed } else { Outcome::Done };
        open(tag(outcome, answer.is_error), place, html);
        html.raw("<summary>").raw(mark(outcome)).raw("An answer of ").element(
            "span",
            "tool",
            tool.unwrap_or("a tool"),
        );
        html.raw(", whose call is not in the stream")
            .raw(badge(outcome))
            .raw("</summary>\n<div class=\"body\">");
        self.answer(answer, html);
        html.raw("</div></details>\n");
    }

    /// What must be seen is open, and what is worth a look and short.
    fn is_open(&self, call: &Called) -> bool {
        let rows = |diff: &Diff| diff.hunks.iter().map(|hunk| hunk.rows.len()).sum::<usize>();
        matches!(call.outcome(), Outcome::Failed | Outcome::Denied)
            || call.checklist.is_some()
            || call.diff.as_ref().is_some_and(|diff| rows(diff) <= SMALL)
            || call.answer.as_ref().is_some_and(|answer| !answer.images.is_empty())
    }

    fn took(&self, call: &Called) -> Option<u64> {
        self.story.tool_ms(call.id.as_deref()?)
    }

    /// The fields of the input. An agent's prompt stands at its beginning, and is not shown twice.
    fn input(&self, call: &Called, html: &mut Html) {
        let prompt = call.agent.and_then(|agent| {
            self.story.agents[agent].items.iter().find_map(|item| match item {
                Item::Prompt(said) => Some(&*said.text),
                _ => None,
            })
        });
        let twice = |name: &str, text: &str| name == "prompt" && prompt == Some(text);
        let mut fields = call.input.iter().filter(|(name, text)| !twice(name, &text.head)).peekable();
        if fields.peek().is_none() {
            return;
        }
        html.raw("<dl class=\"input\">");
        for (name, text) in fields {
            html.raw("<dt>").text(name).raw("</dt><dd>");
            if text.left_out == 0 && !text.head.contains('\n') {
                html.element("code", "", &text.head);
            } else {
                excerpt(text, "", html);
            }
            html.raw("</dd>");
        }
        html.raw("</dl>");
    }

    fn answer(&self, answer: &Answer, html: &mut Html) {
        excerpt(&answer.text, if answer.is_error { "bad" } else { "" }, html);
        answer.images.iter().for_each(|image| picture(image, html));
        excerpt(&answer.others, "", html);
        if answer.text.is_empty() && answer.images.is_empty() && answer.others.is_empty() {
            html.raw("<p class=\"left-out\">Its answer is empty.</p>");
        }
    }

    fn diff(&self, diff: &Diff, html: &mut Html) {
        html.raw("<div class=\"diff\" tabindex=\"0\" role=\"group\" aria-label=\"Changes\">");
        let (mut shown, mut hidden) = (0, 0);
        let ends = diff.hunks.iter().filter_map(|hunk| {
            hunk.starts.map(|(old, new)| old.max(new).saturating_add(hunk.rows.len() as u64))
        });
        let digits = ends.max().map_or(0, |number| number.to_string().len());
        for (at, hunk) in diff.hunks.iter().enumerate() {
            if !self.full && shown >= ROWS {
                hidden += hunk.rows.len();
                continue;
            }
            if at > 0 {
                html.raw("<div class=\"hunk\">⋮</div>");
            }
            let mut numbers = hunk.starts;
            for row in &hunk.rows {
                if !self.full && shown >= ROWS {
                    hidden += 1;
                    continue;
                }
                shown += 1;
                let (begins, mark, ends) = match row.side {
                    Side::Both => ("<div>", "\u{a0} ", "</div>"),
                    Side::Old => ("<del>", "− ", "</del>"),
                    Side::New => ("<ins>", "+ ", "</ins>"),
                };
                html.raw(begins);
                if let Some((old, new)) = &mut numbers {
                    let number = if row.side == Side::Old { *old } else { *new };
                    html.element("span", "number", &format!("{number:>digits$} "));
                    *old = old.saturating_add(u64::from(row.side != Side::New));
                    *new = new.saturating_add(u64::from(row.side != Side::Old));
                }
                html.raw(mark).text(&row.text).raw(ends);
            }
        }
        html.raw("</div>");
        if hidden > 0 {
            html.raw("<p class=\"left-out\">").text(&count(hidden as u64, "line")).raw(" left out</p>");
        }
    }
}

fn checklist(list: &Checklist, html: &mut Html) {
    html.raw("<ul class=\"checklist\">");
    for entry in &list.entries {
        html.raw(match entry.progress {
            Progress::Done => "<li class=\"done\">☑ <span class=\"hidden\">done: </span>",
            Progress::Current => "<li class=\"current\">▶ <span class=\"hidden\">now: </span>",
            Progress::Dropped => "<li class=\"done\">☒ <span class=\"hidden\">dropped: </span>",
            Progress::Open => "<li>☐ <span class=\"hidden\">to do: </span>",
        });
        html.text(&entry.words).raw("</li>");
    }
    html.raw("</ul>");
}

/// What fits into a line or two; the whole stands in the input.
fn short(words: &str) -> String {
    match words.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words.to_owned(),
    }
}

fn tag(outcome: Outcome, open: bool) -> &'static str {
    match (outcome, open) {
        (Outcome::Failed, _) => "<details class=\"item call bad\" open",
        (Outcome::Denied, _) => "<details class=\"item call bad denied\" open",
        (Outcome::Done, true) => "<details class=\"item call\" open",
        (Outcome::Done, false) => "<details class=\"item call\"",
        (Outcome::Open | Outcome::Abandoned, true) => "<details class=\"item call pending\" open",
        (Outcome::Open | Outcome::Abandoned, false) => "<details class=\"item call pending\"",
    }
}

fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "<span class=\"mark good\" aria-hidden=\"true\">✓</span> ",
        Outcome::Failed | Outcome::Denied => "<span class=\"mark bad\" aria-hidden=\"true\">✗</span> ",
        Outcome::Open | Outcome::Abandoned => "<span class=\"mark\" aria-hidden=\"true\">…</span> ",
    }
}

fn badge(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "",
        Outcome::Failed => " <strong class=\"badge bad\">failed</strong>",
        Outcome::Denied => " <strong class=\"badge bad\">denied</strong>",
        Outcome::Open => " <span class=\"badge\">no answer</span>",
        Outcome::Abandoned => " <span class=\"badge\">abandoned</span>",
    }
}
