//! What a program has measured, for `cargo xtask bench`, which makes one document of all reports.

use serde::Serialize;

/// All that one program has found.
#[derive(Default, Serialize)]
pub struct Report {
    rows: Vec<Row>,
    tables: Vec<Table>,
}

/// One figure and the goal it is held against.
#[derive(Serialize)]
pub struct Row {
    work: String,
    measured: String,
    goal: String,
    /// How the figure stands to its goal; `None` for one without a goal.
    verdict: Option<Verdict>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Missed,
    /// Too close to be told from noise.
    Tie,
    Met,
    /// More than was asked for: what was dreamt of.
    Moonshot,
}

impl Verdict {
    pub fn of(met: bool) -> Self {
        if met { Verdict::Met } else { Verdict::Missed }
    }
}

/// Figures that explain the rows.
#[derive(Serialize)]
pub struct Table {
    /// What it shows, and what has to be known to read it.
    pub title: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Report {
    /// A figure and its goal; shown on the way, as a run takes a while.
    pub fn row(&mut self, work: &str, measured: String, goal: &str, verdict: Option<Verdict>) {
        let verdict_text = verdict.map(|it| format!(", {it:?}").to_lowercase()).unwrap_or_default();
        eprintln!("{work}: {measured} [{goal}{verdict_text}]");
        self.rows.push(Row { work: work.to_owned(), measured, goal: goal.to_owned(), verdict });
    }

    /// A figure that nobody has set a goal for.
    pub fn note(&mut self, work: &str, measured: String) {
        self.row(work, measured, "", None);
    }

    pub fn table(&mut self, table: Table) {
        self.tables.push(table);
    }

    /// Hands it on: the report is all that a program writes to its standard output.
    pub fn print(&self) -> anyhow::Result<()> {
        println!("{}", serde_json::to_string(self)?);
        Ok(())
    }
}
