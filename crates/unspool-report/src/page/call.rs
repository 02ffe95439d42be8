//! A call of a tool: what it was given, what it changed, what came of it.

use super::diff::changed;
use super::talk::{code_excerpt, excerpt, picture};
use super::{Html, Page, cut};
use crate::story::{Answer, Called, Item, ItemPlace, Outcome, Permission};
use crate::words::{Checklist, Diff, Progress, duration, one_line};
use unspool::event::Decision;

/// Diffs with fewer rows are open from the beginning.
const SMALL: usize = 40;

/// Errors with more lines are closed, where the session ended well.
const SHORT: usize = 12;

/// The longest subject of a call.
const LINE: usize = 200;

impl Page<'_> {
    pub(super) fn call(&self, place: ItemPlace, call: &Called, html: &mut Html) {
        let outcome = call.outcome();
        self.permission(place, call, html);
        self.open(tag(outcome, self.is_open(call)), place, html);
        html.raw("<summary>").raw(mark(outcome)).raw("<span class=\"line\">");
        self.words(call, html, |html| {
            html.element("span", "tool", &call.words.tool).raw(badge(outcome));
            if !call.words.subject.is_empty() {
                html.raw(" ").element("code", "subject", &cut(self.local(&call.words.subject), LINE));
            }
            if !call.words.aside.is_empty() {
                html.raw(" <span class=\"aside\">(").text(&cut(&call.words.aside, LINE)).raw(")</span>");
            }
        });
        html.raw("</span>");
        if let Some(diff) = call.diff.as_ref().filter(|_| outcome == Outcome::Done) {
            changed(diff.added(), diff.removed(), html);
        }
        if let Some(ms) = self.took(call) {
            html.raw(" ").element("span", "took", &duration(ms));
        }
        html.raw("</summary>\n");
        self.body(call, html);
        html.raw("</details>\n");
    }

    /// The call of an agent, which stands behind what the agent said and did.
    pub(super) fn agent_call(&self, place: ItemPlace, call: &Called, is_open: bool, html: &mut Html) {
        self.permission(place, call, html);
        let outcome = call.outcome();
        self.open(tag(outcome, is_open), place, html);
        html.raw("<summary><span class=\"line gist\">What it was given, and what it handed back");
        html.raw(badge(outcome)).raw("</span></summary>\n");
        self.body(call, html);
        html.raw("</details>\n");
    }

    fn body(&self, call: &Called, html: &mut Html) {
        html.raw("<div class=\"body\">");
        self.input(call, html);
        call.checklist.iter().for_each(|list| checklist(list, html));
        call.diff.iter().for_each(|diff| self.diff(diff, &call.words.subject, html));
        match &call.answer {
            // What the tool says of a change that stands there is nothing new.
            Some(answer)
                if call.outcome() == Outcome::Done && (call.diff.is_some() || call.checklist.is_some()) =>
            {
                html.raw("<details class=\"said\"><summary>What the tool said</summary>");
                self.answer(answer, html);
                html.raw("</details>");
            }
            Some(answer) => self.answer(answer, html),
            None => drop(html.raw("<p class=\"left-out\">It has no answer.</p>")),
        }
        html.raw("</div>");
    }

    /// An answer to a call that is not known.
    pub(super) fn stray(&self, place: ItemPlace, tool: Option<&str>, answer: &Answer, html: &mut Html) {
        let outcome = if answer.is_error { Outcome::Failed } else { Outcome::Done };
        self.open(tag(outcome, answer.is_error), place, html);
        html.raw("<summary>").raw(mark(outcome)).raw("<span class=\"line\">An answer of ");
        html.element("span", "tool", tool.unwrap_or("a tool")).raw(", whose call is not in the stream");
        html.raw(badge(outcome)).raw("</span></summary>\n<div class=\"body\">");
        self.answer(answer, html);
        html.raw("</div></details>\n");
    }

    /// Whether somebody was asked, and what was said: it stands above the call that it is about.
    fn permission(&self, place: ItemPlace, call: &Called, html: &mut Html) {
        let Some(permission) = &call.permission else { return };
        html.raw("<p class=\"asked\"");
        self.from(call.seen.asked.unwrap_or(0).max(self.story.came(place)), html);
        html.raw(">Permission asked");
        if let Permission::Decided { decision, by, asked } = permission {
            if let Some(asked) = asked {
                html.raw(" for ").element("code", "", &cut(asked, LINE));
            }
            self.when_decided(call, html, |html| {
                html.raw(if asked.is_some() { ", which was changed" } else { "" });
                html.raw(match decision {
                    Decision::Allow => ", allowed by ",
                    Decision::Deny => ", denied by ",
                    _ => ", no longer asked: ",
                });
                html.text(by);
            });
        }
        html.raw("</p>\n");
    }

    /// What stands there since it was decided whether the call may be.
    fn when_decided(&self, call: &Called, html: &mut Html, write: impl FnOnce(&mut Html)) {
        if !self.play {
            return write(html);
        }
        html.raw("<span");
        self.from(call.seen.decided.unwrap_or(0), html);
        html.raw(">");
        write(html);
        html.raw("</span>");
    }

    /// What the call is, in words; one that was changed by whoever allowed it was another one before.
    fn words(&self, call: &Called, html: &mut Html, write: impl FnOnce(&mut Html)) {
        let Some(Permission::Decided { asked: Some(asked), .. }) = &call.permission else {
            return write(html);
        };
        if self.play {
            html.raw("<span");
            self.from(0, html);
            self.until(call.seen.decided.unwrap_or(0), html);
            html.raw(">").text(&cut(asked, LINE)).raw("</span>");
        }
        self.when_decided(call, html, write);
    }

    /// What must be seen is open, and what is worth a look, if it is short.
    fn is_open(&self, call: &Called) -> bool {
        let rows = |diff: &Diff| diff.hunks.iter().map(|hunk| hunk.rows.len()).sum::<usize>();
        let is_short =
            |answer: &Answer| answer.text.left_out == 0 && answer.text.head.lines().count() <= SHORT;
        match call.outcome() {
            Outcome::Denied => true,
            Outcome::Failed => !self.ended_well() || call.answer.as_ref().is_none_or(is_short),
            _ => {
                call.checklist.is_some()
                    || call.diff.as_ref().is_some_and(|diff| rows(diff) <= SMALL)
                    || call.answer.as_ref().is_some_and(|answer| !answer.images.is_empty())
            }
        }
    }

    /// A path in the folder of the session, as seen from there; everything else as it is.
    fn local<'w>(&self, subject: &'w str) -> &'w str {
        let inside = self.story.totals.cwd.as_deref().and_then(|folder| subject.strip_prefix(folder));
        inside
            .and_then(|path| path.strip_prefix(['/', '\\']))
            .filter(|path| !path.is_empty())
            .unwrap_or(subject)
    }

    /// How long a call took, as it says itself or by the clock.
    pub(super) fn took(&self, call: &Called) -> Option<u64> {
        let told = call.answer.as_ref().and_then(|answer| answer.ms);
        told.or_else(|| self.story.tool_ms(call.id.as_deref()?))
    }

    /// The fields of the input. An agent's prompt stands at its beginning, and is not shown twice.
    fn input(&self, call: &Called, html: &mut Html) {
        let prompt = call.agent.and_then(|agent| {
            self.story.agents[agent].items.iter().find_map(|item| match item {
                Item::Prompt(said) => Some(&*said.text),
                _ => None,
            })
        });
        // What the heading says is not repeated, nor what the agent's own beginning says.
        let heading =
            |text: &str| one_line(text) == call.words.subject && call.words.subject.chars().count() <= LINE;
        let twice = |name: &str, text: &str| (name == "prompt" && prompt == Some(text)) || heading(text);
        let mut fields = call.input.iter().filter(|(name, text)| !twice(name, &text.head)).peekable();
        if fields.peek().is_none() {
            return;
        }
        html.raw("<dl class=\"input\"");
        if let Some(Permission::Decided { asked: Some(_), .. }) = &call.permission {
            self.from(call.seen.decided.unwrap_or(0), html);
        }
        html.raw(">");
        for (name, text) in fields {
            html.raw("<dt>").text(name).raw("</dt><dd>");
            if name == "command" {
                code_excerpt(text, "sh", html);
            } else if text.left_out == 0 && !text.head.contains('\n') {
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

fn tag(outcome: Outcome, open: bool) -> &'static str {
    match (outcome, open) {
        (Outcome::Failed, true) => "<details class=\"item call bad\" open",
        (Outcome::Failed, false) => "<details class=\"item call bad\"",
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
