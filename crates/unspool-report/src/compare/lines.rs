//! The comparison for people: what matters first, then what differs.

use super::draw::{Entry, Page};
use super::noise::Origin;
use super::parts::{Agents, Turns};
use super::spell::{Row, rows};
use super::tables::{entry, files, is_shown, models, tools};
use super::{Aspect, Comparison, part_lines};
use crate::sheet::Paper;
use crate::view::Line;
use crate::view::style::{BOLD, DIM, GOOD, PLAIN, WARN};
use crate::view::wrap::tidy;
use crate::words::count;

/// How it is drawn.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Layout {
    /// On what.
    pub paper: Paper,
    /// Side by side; else one below the other.
    pub columns: bool,
    /// Only what both came to.
    pub brief: bool,
    /// All that differs, however long it is.
    pub full: bool,
}

impl Layout {
    /// One below the other, and long parts cut.
    #[must_use]
    pub fn new(paper: Paper) -> Self {
        Layout { paper, columns: false, brief: false, full: false }
    }

    /// Whether both stand side by side.
    #[must_use]
    pub fn columns(mut self, columns: bool) -> Self {
        self.columns = columns;
        self
    }

    /// Whether only what both came to is shown.
    #[must_use]
    pub fn brief(mut self, brief: bool) -> Self {
        self.brief = brief;
        self
    }

    /// Whether all that differs is shown, however long it is.
    #[must_use]
    pub fn full(mut self, full: bool) -> Self {
        self.full = full;
        self
    }
}

/// Rows of a table, and parts, that are shown.
pub(super) const SHOWN: usize = 40;

/// The comparison as lines.
#[must_use]
pub fn lines(comparison: &Comparison<'_>, layout: Layout) -> Vec<String> {
    let mut page = Page::new(layout);
    for (side, take) in ["A", "B"].into_iter().zip(comparison.takes) {
        page.name(side, &take.name);
    }
    page.gap();
    let is_same = comparison.is_same();
    page.line(sentence(comparison));
    for (side, name) in ["A", "B"].into_iter().enumerate() {
        for (_, what) in comparison.untold.of_side(side) {
            page.line(Line::of(&format!("{name} does not tell {what}: that is not compared."), DIM));
        }
    }
    if is_same {
        return page.finish();
    }
    page.gap();
    let shown = comparison.figures.iter().filter(|figure| is_shown(figure));
    let entries: Vec<Entry> = shown.map(|figure| entry(comparison, figure)).collect();
    page.table(["A", "B", "B − A"], &entries);
    if !layout.brief {
        answers(comparison, &mut page);
        offered(comparison, &mut page);
        tools(comparison, &mut page);
        files(comparison, &mut page);
        models(comparison, &mut page);
        talk(comparison, &mut page);
    }
    page.finish()
}

/// `They differ in version, answer and parts.`
fn sentence(comparison: &Comparison<'_>) -> Line {
    let words = |aspects: &mut dyn Iterator<Item = Aspect>| -> String {
        let words: Vec<&str> = aspects.map(Aspect::word).collect();
        match &*words {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [all @ .., last] => format!("{} and {last}", all.join(", ")),
        }
    };
    let unknown = words(&mut comparison.unknowns());
    let unknown = match &*unknown {
        "" => String::new(),
        words => format!(" Not every figure is told by both: {words}."),
    };
    if !comparison.is_same() {
        let differ = words(&mut comparison.differences());
        return Line::of(&format!("They differ in {differ}."), BOLD).with(&unknown, DIM);
    }
    let totals = &comparison.takes[0].story.totals;
    let calls: u64 = totals.tools.values().map(|tool| tool.calls).sum();
    let verdict = totals.end.as_ref().map(|end| end.verdict.to_string()).unwrap_or_default();
    let what = format!("{verdict}, {}, {}", count(totals.turns, "turn"), count(calls, "call"));
    let all = comparison.all_count();
    let which = if all { String::new() } else { format!(" in {}", words(&mut comparison.counted())) };
    Line::of(&format!("They are the same{which}"), GOOD).with(&format!(" ({what}).{unknown}"), PLAIN)
}

fn answers(comparison: &Comparison<'_>, page: &mut Page) {
    if comparison.same(Aspect::Answer) != Some(false) || !comparison.counts(Aspect::Answer) {
        return;
    }
    page.heading("answer");
    match comparison.answers() {
        [Some(one), Some(other)] => {
            let noises = comparison.takes.map(|take| &take.noise);
            page.rows(rows([one, other], noises, Origin::Said, page));
        }
        answers => {
            let side = |answer: Option<&str>| -> Vec<Line> {
                let text = answer.map_or_else(String::new, |text| tidy(text.trim()).into_owned());
                if answer.is_none() {
                    return vec![Line::of("(no answer)", DIM)];
                }
                text.lines().map(|line| Line::of(line, PLAIN)).collect()
            };
            page.rows(vec![Row::Sides(answers.map(side))]);
        }
    }
}

fn offered(comparison: &Comparison<'_>, page: &mut Page) {
    let Some(only) = comparison.offered().filter(|only| only.iter().any(|names| !names.is_empty())) else {
        return;
    };
    if !comparison.counts(Aspect::Setup) {
        return;
    }
    page.heading("tools that only one of them offers the model");
    let sides = only.map(|names| {
        if names.is_empty() { Vec::new() } else { vec![Line::of(&page.tidy(&names.join(", ")), PLAIN)] }
    });
    page.rows(vec![Row::Sides(sides)]);
}

/// What was said and done.
fn talk(comparison: &Comparison<'_>, page: &mut Page) {
    let differ: Vec<&Agents<'_>> = comparison.agents.iter().filter(|agents| agents.differs()).collect();
    if differ.is_empty() || !comparison.counts(Aspect::Parts) {
        return;
    }
    let mut left = if page.is_full() { usize::MAX } else { SHOWN };
    let mut hidden = 0;
    page.heading("what was said and done");
    for agents in differ {
        let several = comparison.agents.len() > 1;
        if several || agents.members.iter().any(Option::is_none) {
            page.line(part_lines::agent(agents, page));
        }
        let turns: Vec<&Turns<'_>> = agents.turns.iter().filter(|turns| turns.differs()).collect();
        for turns in turns {
            if agents.turns.len() > 2 {
                page.line(part_lines::turn(turns));
            }
            let (rows, beyond) = part_lines::parts(comparison, turns, &mut left, page);
            hidden += beyond;
            page.rows(rows);
        }
    }
    page.rest(hidden, "part");
}

impl Comparison<'_> {
    fn all_count(&self) -> bool {
        Aspect::ALL.into_iter().all(|aspect| self.counts(aspect))
    }

    fn counted(&self) -> impl Iterator<Item = Aspect> + '_ {
        Aspect::ALL.into_iter().filter(|aspect| self.counts(*aspect))
    }
}

impl Page {
    fn warn(&mut self, words: &str) {
        self.line(Line::of(words, WARN));
    }

    /// So many more differ than are shown.
    pub(super) fn rest(&mut self, number: usize, thing: &str) {
        if number > 0 {
            self.warn(&format!("… {} more that differ: --full shows all", count(number as u64, thing)));
        }
    }
}
