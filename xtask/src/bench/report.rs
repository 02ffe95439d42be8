//! What the programs of the benchmark report, all in one.

use serde::Deserialize;
use std::fmt::Write;

/// Figures, with their goals and with the tables that explain them.
#[derive(Default, Deserialize)]
pub(super) struct Report {
    pub(super) rows: Vec<Row>,
    pub(super) tables: Vec<Table>,
}

/// One figure and the goal it is held against.
#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) work: String,
    pub(super) measured: String,
    pub(super) goal: String,
    pub(super) verdict: Option<String>,
}

/// Figures that explain the rows.
#[derive(Deserialize)]
pub(super) struct Table {
    pub(super) title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Report {
    /// Puts another report behind this one.
    pub(super) fn add(&mut self, other: Report) {
        self.rows.extend(other.rows);
        self.tables.extend(other.tables);
    }

    /// All figures and goals, as one table.
    pub(super) fn summary(&self) -> String {
        let head = ["work", "measured", "goal", "verdict"].map(str::to_owned);
        let row = |row: &Row| {
            let verdict = match row.verdict.as_deref() {
                Some("missed") => "**missed**",
                Some(verdict) => verdict,
                None => "",
            };
            vec![row.work.clone(), row.measured.clone(), row.goal.clone(), verdict.to_owned()]
        };
        markdown(&head, &self.rows.iter().map(row).collect::<Vec<_>>())
    }

    /// How many goals there are, how many of them are met, and how many are ties.
    pub(super) fn score(&self) -> String {
        let count = |which: fn(&str) -> bool| {
            self.rows.iter().filter_map(|row| row.verdict.as_deref()).filter(|it| which(it)).count()
        };
        let (missed, ties) = (count(|it| it == "missed"), count(|it| it == "tie"));
        let goals = count(|_| true);
        let met = goals - missed - ties;
        format!("{met} of {goals} goals are met, {missed} are missed, and {ties} cannot be told from noise")
    }
}

impl Table {
    pub(super) fn markdown(&self) -> String {
        markdown(&self.head, &self.rows)
    }
}

/// A table for people and for Markdown: cells of a column are equally wide.
fn markdown(head: &[String], rows: &[Vec<String>]) -> String {
    let rule = head.iter().map(|_| "---".to_owned()).collect();
    let lines: Vec<_> = [head.to_vec(), rule].iter().chain(rows).cloned().collect();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        for (cell, &width) in line.iter().zip(&widths) {
            let _ = write!(out, "| {cell:<width$} ");
        }
        out.push_str("|\n");
    }
    out
}
