//! How it ended, in words for people, and what went wrong, in proportion to that.

use super::{Html, Page, anchor};
use crate::story::{Item, ItemPlace, Outcome};
use crate::words::{count, one_line};
use unspool::Verdict;
use unspool::event::ErrorKind;

/// Problems that are listed; the rest is counted.
const LISTED: usize = 12;

/// The longest line of a problem.
const LINE: usize = 160;

impl Page<'_> {
    pub(super) fn verdict(&self, html: &mut Html) {
        let Some(end) = &self.story.totals.end else { return };
        let good = end.verdict == Verdict::Ok;
        if self.play {
            html.raw("<p class=\"verdict\"");
            self.from(0, html);
            self.until(self.last(), html);
            html.raw("><strong>▸ Under way:</strong> the session as it stood at this moment</p>\n");
        }
        html.raw(if good { "<p class=\"verdict good\"" } else { "<p class=\"verdict bad\"" });
        self.from(self.last(), html);
        html.raw(if good { "><strong>✓ " } else { "><strong>✗ " });
        match self.error_told() {
            Some((place, kind)) => {
                html.raw(because(kind)).raw("</strong> <a").attr("href", &format!("#{}", anchor(place)));
                html.raw(">What was said</a>");
            }
            None => {
                html.raw(ended(end.verdict)).raw("</strong>");
                if !good {
                    html.raw(" ").text(&one_line(&end.reason));
                }
            }
        }
        html.raw("</p>\n");
    }

    /// The error that the verdict tells of.
    fn error_told(&self) -> Option<(ItemPlace, ErrorKind)> {
        let verdict = self.story.totals.end.as_ref()?.verdict;
        if !matches!(verdict, Verdict::Failed | Verdict::ApiError | Verdict::OverBudget) {
            return None;
        }
        let ranks = self.story.turns.iter().rev().flat_map(|turn| turn.items.iter().rev().copied());
        ranks.map(|item| ItemPlace { agent: 0, item }).find_map(|place| {
            match &self.story.agents[0].items[place.item] {
                Item::Error { kind, .. } => Some((place, *kind)),
                _ => None,
            }
        })
    }

    /// Everything that failed or was not allowed, with links to it: open and at hand if the session failed, else folded
    /// into a line.
    pub(super) fn problems(&self, html: &mut Html) {
        let problems: Vec<_> = self.listed_problems().collect();
        if problems.is_empty() {
            return;
        }
        let seen = || problems.iter().map(|(place, item)| self.trouble_with(*place, item));
        html.raw(if self.ended_well() {
            "<details id=\"problems\" class=\"minor\""
        } else {
            "<section id=\"problems\" aria-labelledby=\"wrong\""
        });
        self.from(seen().min().unwrap_or(0), html);
        if self.ended_well() {
            html.raw("><summary>");
            self.so_far(seen(), "What went wrong so far", html, |html| {
                html.text(&along_the_way(&problems));
            });
            html.raw("</summary>\n");
        } else {
            html.raw(">\n<h2 id=\"wrong\">What went wrong</h2>\n");
        }
        html.raw("<ul>");
        for (place, item) in problems.iter().take(LISTED) {
            let (kind, words) = problem(item);
            html.raw("<li");
            self.from(self.trouble_with(*place, item), html);
            html.raw(">")
                .element("strong", "", &kind)
                .raw(" <a")
                .attr("href", &format!("#{}", anchor(*place)));
            html.raw(">").text(&super::cut(&one_line(&words), LINE)).raw("</a></li>\n");
        }
        html.raw("</ul>");
        let more = problems.len().saturating_sub(LISTED);
        if more > 0 {
            html.raw("<p");
            self.from(seen().max().unwrap_or(0), html);
            html.raw(">And ").show(more).raw(" more.</p>");
        }
        html.raw(if self.ended_well() { "</details>\n" } else { "</section>\n" });
    }

    /// Problems beside the error that the verdict tells of.
    pub(super) fn listed_problems(&self) -> impl Iterator<Item = (ItemPlace, &Item)> {
        let told = self.error_told().map(|(place, _)| place);
        self.story.problems().filter(move |(place, _)| Some(*place) != told)
    }

    pub(super) fn ended_well(&self) -> bool {
        self.story.totals.end.as_ref().is_none_or(|end| end.verdict == Verdict::Ok)
    }
}

/// `2 calls failed and 1 was not allowed along the way`.
fn along_the_way(problems: &[(ItemPlace, &Item)]) -> String {
    let calls = |wanted: Outcome| {
        problems
            .iter()
            .filter(|(_, item)| matches!(item, Item::Call(call) if call.outcome() == wanted))
            .count()
    };
    let (failed, denied) = (calls(Outcome::Failed), calls(Outcome::Denied));
    let others = problems.len() - failed - denied;
    let verb = |number: usize| if number == 1 { "was" } else { "were" };
    let facts = [
        (failed > 0).then(|| format!("{} failed", count(failed as u64, "call"))),
        (denied > 0).then(|| format!("{} {} not allowed", count(denied as u64, "call"), verb(denied))),
        (others > 0).then(|| format!("{} went wrong", count(others as u64, "other thing"))),
    ];
    format!("{} along the way", facts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn problem(item: &Item) -> (String, String) {
    match item {
        Item::Call(call) => {
            let kind = if call.outcome() == Outcome::Denied { "denied" } else { "failed" };
            (kind.to_owned(), call.words.line())
        }
        Item::Stray { tool, .. } => {
            ("failed".to_owned(), format!("an answer of {}", tool.as_deref().unwrap_or("a tool")))
        }
        Item::Notice { notice, .. } => (notice.about.clone(), notice.words.clone()),
        Item::Error { kind, .. } => ("error".to_owned(), because(*kind).to_owned()),
        Item::Malformed { reason, bytes, .. } => {
            ("broken line".to_owned(), format!("{reason}, {}", count(*bytes, "byte")))
        }
        _ => Default::default(),
    }
}

/// Why a turn failed.
pub(super) fn because(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::MaxTurns => "It reached its limit of turns",
        ErrorKind::MaxBudget => "It reached its budget",
        ErrorKind::StructuredOutput => "No answer fitted the schema",
        ErrorKind::Interrupted => "It was interrupted",
        ErrorKind::Refusal => "The model refused to answer",
        ErrorKind::Context => "The conversation has become too long for the model",
        ErrorKind::Startup => "The session could not be started",
        ErrorKind::MaxTokens => "The answer was too long and was cut",
        ErrorKind::Auth => "Not logged in, or not allowed to use the API",
        ErrorKind::Billing => "The account has no credit",
        ErrorKind::RateLimit => "A limit of use was reached",
        ErrorKind::Overloaded => "The API was overloaded",
        ErrorKind::Api => "The API answered with an error",
        _ => "It failed",
    }
}

fn ended(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "Completed",
        Verdict::Failed => "It failed:",
        Verdict::ApiError => "The API answered with an error:",
        Verdict::Denied => "A call was not allowed:",
        Verdict::Empty => "The model said nothing:",
        Verdict::Hung => "It hung:",
        Verdict::Truncated => "It ends in the middle:",
        Verdict::OverBudget => "It reached its budget:",
        Verdict::NotStarted => "There is no session in it:",
        _ => "It ended:",
    }
}
