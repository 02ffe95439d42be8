//! The bill for people.

use super::book::Book;
use super::group::{By, Groups, Node, Sum};
use super::notes::{Remark, remarks};
use crate::sheet::Paper;
use crate::sheet::{DIM, Row, Sheet, wrap};
use crate::words::{grouped, money};

/// The bill as lines.
#[must_use]
pub fn table(book: &Book, groups: &Groups, paper: Paper) -> Vec<String> {
    let tools = groups.by.contains(&By::Tool);
    let mut sheet = Sheet::default();
    for (title, rank) in if tools { TOOL_COLUMNS } else { COLUMNS } {
        sheet = sheet.column(title, *rank);
    }
    let scale = Scale::of(groups);
    sheet = sheet.bars(scale.name);
    push(&mut sheet, &groups.all.groups, 0, &scale, tools);
    let total =
        Row { name: "total".to_owned(), cells: cells(&groups.all.sum, tools), total: true, ..Row::default() };
    sheet.push(total);
    let mut lines = match groups.has_none_of_it() {
        true => vec!["nothing was spent in this time".to_owned()],
        false => sheet.lines(&title(&groups.by), paper),
    };
    let remarks = remarks(&book.facts, groups);
    if !remarks.is_empty() {
        lines.push(String::new());
    }
    for Remark { text, .. } in remarks {
        let wrapped = wrap("* ", &text, paper.width);
        lines.extend(wrapped.iter().map(|line| paper.paint(DIM, line)));
    }
    lines
}

/// What is left out first has the highest rank.
const COLUMNS: &[(&str, u8)] = &[
    ("input", 4),
    ("cache write", 5),
    ("cache read", 5),
    ("all input", 2),
    ("cached", 3),
    ("output", 1),
    ("cost", 0),
];

const TOOL_COLUMNS: &[(&str, u8)] = &[
    ("calls", 0),
    ("failed", 3),
    ("results", 1),
    ("messages", 5),
    ("all input", 4),
    ("output", 4),
    ("cost", 2),
];

fn title(by: &[By]) -> String {
    by.iter().map(|by| by.word()).collect::<Vec<_>>().join(", ")
}

fn push(sheet: &mut Sheet, nodes: &[Node], depth: usize, scale: &Scale, tools: bool) {
    for node in nodes {
        let name = node.name.clone();
        sheet.push(Row {
            name,
            depth,
            cells: cells(&node.sum, tools),
            bar: scale.share(&node.sum),
            total: false,
        });
        push(sheet, &node.groups, depth + 1, scale, tools);
    }
}

fn cells(sum: &Sum, tools: bool) -> Vec<String> {
    let count = &sum.count;
    let some = |number: u64| if number == 0 { "-".to_owned() } else { grouped(number) };
    if tools {
        return vec![
            some(sum.calls),
            if sum.failed == 0 { String::new() } else { grouped(sum.failed) },
            if sum.calls == 0 { "-".to_owned() } else { grouped(sum.bytes) },
            some(sum.messages),
            some(count.total_input()),
            some(count.output),
            amount(sum),
        ];
    }
    let cached =
        count.cache_share().map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0));
    vec![
        some(count.input),
        some(count.cache_creation),
        some(count.cache_read),
        some(count.total_input()),
        cached,
        some(count.output),
        amount(sum),
    ]
}

/// Money; computed or incomplete sums are marked.
fn amount(sum: &Sum) -> String {
    let Some(known) = sum.money() else { return String::new() };
    let computed = if sum.computed.is_some() { "~" } else { "" };
    let incomplete = if sum.lacks_money { "+" } else { "" };
    format!("{computed}{}{incomplete}", money(known))
}

/// What bars are measured by: money, where it is known for all; else tokens, or calls.
struct Scale {
    name: &'static str,
    measure: fn(&Sum) -> f64,
    most: f64,
}

impl Scale {
    fn of(groups: &Groups) -> Self {
        let sum = &groups.all.sum;
        let (name, measure): (_, fn(&Sum) -> f64) = if groups.by.contains(&By::Tool) {
            ("calls", |sum| sum.calls as f64)
        } else if sum.money().is_some_and(|money| money > 0.0) && !sum.lacks_money {
            ("cost", |sum| sum.money().unwrap_or(0.0))
        } else {
            ("tokens", |sum| sum.tokens() as f64)
        };
        let most = groups.all.groups.iter().map(|node| measure(&node.sum)).fold(0.0, f64::max);
        Scale { name, measure, most }
    }

    fn share(&self, sum: &Sum) -> Option<f64> {
        (self.most > 0.0).then(|| (self.measure)(sum) / self.most)
    }
}
