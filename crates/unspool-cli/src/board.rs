//! Many sessions and what each is doing: found, followed, told in rows.

use crate::sessions::Row;
use crate::source::{Follow, Source, Sources, kept_folders};
use crate::zone::now_ms;
use anstyle::Style;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;
use unspool::Grain;
use unspool_report::state::Standing;
use unspool_report::view::Line;
use unspool_report::view::style::{BAD, DIM, GOOD, PLAIN, WARN};
use unspool_report::words::{duration, one_line};

/// Folders are looked through again after so many looks.
const LOOKS: u32 = 8;

/// What is said as long as there is none to follow.
pub(crate) const NOTHING: &str = "no session was written to lately: start one, or say --since 30d";

/// Sessions that are followed.
pub(crate) struct Board {
    files: Vec<PathBuf>,
    since: Duration,
    followed: Vec<Followed>,
    known: HashSet<PathBuf>,
    looks: u32,
    failures: u64,
}

struct Followed {
    follow: Follow,
    row: Row,
    /// What was last said of it.
    said: String,
    /// It was looked at before: what is there now and was not there then has come since.
    looked: bool,
}

impl Board {
    /// Follows these files, or all that Claude Code keeps. Those that are only found count if they were written to lately.
    pub(crate) fn new(files: Vec<PathBuf>, since: Duration) -> anyhow::Result<Self> {
        let files = if files.is_empty() { kept_folders()? } else { files };
        let mut board =
            Board { files, since, followed: Vec::new(), known: HashSet::new(), looks: 0, failures: 0 };
        // What cannot be found at all is said at once.
        let found = Sources::of(board.files.clone()).find_so_far()?;
        board.failures = found.missing;
        board.add(found.sources);
        Ok(board)
    }

    /// Takes in what was added since the last look.
    pub(crate) fn look(&mut self) {
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS)
            && let Ok(found) = Sources::of(self.files.clone()).find_so_far()
        {
            self.add(found.sources);
        }
        let mut failures = 0;
        let now = now_ms();
        for Followed { follow, row, looked, .. } in &mut self.followed {
            if std::mem::replace(looked, true) {
                row.set_clock(now);
            }
            failures += u64::from(follow.look(None, row).is_err());
        }
        self.failures = self.failures.max(failures);
    }

    /// Whether there is none to follow yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.followed.is_empty()
    }

    /// How many cannot be read.
    pub(crate) fn failures(&self) -> u64 {
        self.failures
    }

    /// What has changed, a line for each session.
    pub(crate) fn changes(&mut self, json: bool) -> Vec<String> {
        let now = now_ms();
        let mut changes = Vec::new();
        for followed in self.followed.iter_mut().filter(|followed| !followed.row.is_silent()) {
            let said = words(&followed.row, now);
            if said != followed.said {
                let text = || line(&followed.row, now, usize::MAX).text().trim_end().to_owned();
                changes.push(if json { followed.row.json(now).to_string() } else { text() });
                followed.said = said;
            }
        }
        changes
    }

    /// So many rows of so many columns, those that matter most first.
    pub(crate) fn rows(&self, columns: usize, rows: usize) -> Vec<Line> {
        let now = now_ms();
        let mut shown: Vec<&Row> =
            self.followed.iter().map(|followed| &followed.row).filter(|row| !row.is_silent()).collect();
        shown.sort_by_key(|row| (rank(&row.state.at(now)), std::cmp::Reverse(row.when())));
        if shown.is_empty() {
            return vec![Line::of(NOTHING, DIM)];
        }
        let more = shown.len().saturating_sub(rows.max(1));
        let mut lines: Vec<Line> =
            shown.iter().take(rows.max(1)).map(|row| line(row, now, columns)).collect();
        if more > 0
            && let Some(last) = lines.last_mut()
        {
            *last = Line::of(&format!("and {} more", more + 1), DIM);
        }
        lines
    }

    fn add(&mut self, sources: Vec<Source>) {
        let oldest = now_ms().saturating_sub(u64::try_from(self.since.as_millis()).unwrap_or(u64::MAX));
        for source in sources {
            let is_old = source.written().is_some_and(|written| u64::try_from(written).unwrap_or(0) < oldest);
            let is_known = self.known.contains(source.path());
            if is_known || is_old && !source.is_named() {
                continue;
            }
            if let Ok(follow) = Follow::new(&source, Grain::Blocks) {
                self.known.insert(follow.path().to_owned());
                let row = Row::new(&source);
                self.followed.push(Followed { follow, row, said: String::new(), looked: false });
            }
        }
    }
}

/// Those that wait for somebody come first.
fn rank(standing: &Standing) -> u8 {
    match standing {
        Standing::Waiting { .. } => 0,
        Standing::Stuck { .. } => 1,
        Standing::Working { .. } | Standing::Starting { .. } => 2,
        Standing::Background { .. } => 3,
        Standing::Idle { .. } => 4,
        _ => 5,
    }
}

/// What it is doing, without how long it has taken.
fn words(row: &Row, now: u64) -> String {
    let standing = row.state.at(now);
    let what = match &standing {
        Standing::Waiting { .. } => row.state.asks().map(|ask| ask.words.line()).collect::<Vec<_>>(),
        Standing::Working { .. } | Standing::Background { .. } | Standing::Stuck { .. } => {
            let name = |agent: &str, description: Option<&str>| match (agent, description) {
                ("main", _) => String::new(),
                (_, Some(description)) => format!("{description}: "),
                (agent, None) => format!("{}: ", agent.get(..12).unwrap_or(agent)),
            };
            let workers = row.state.activity().workers();
            workers
                .map(|worker| name(&worker.agent, worker.description.as_deref()) + &worker.words())
                .collect()
        }
        Standing::Done { verdict, reason } => vec![format!("{verdict}: {reason}")],
        _ => Vec::new(),
    };
    format!("{standing} {}", what.join(" · "))
}

/// `working     12 s  5eab33a4  project  Fix the tests  Bash cargo test`
fn line(row: &Row, now: u64, columns: usize) -> Line {
    let standing = row.state.at(now);
    let style = style(&standing);
    let ago = standing.since().map_or(String::new(), |since| duration(now.saturating_sub(since)));
    let id: String = row.session.as_deref().unwrap_or("?").chars().take(8).collect();
    let project = row.cwd.as_deref().and_then(|cwd| cwd.rsplit(['/', '\\']).next()).unwrap_or("–");
    let said = words(row, now);
    let doing = said.split_once(' ').map_or("", |(_, doing)| doing);
    let title = one_line(row.titles.best().unwrap_or("–"));
    let title: String = title.chars().take(40).collect();
    let mut line = Line::of(&format!("{:<10}", standing.name()), style);
    line.push(&format!(" {ago:>8}  {id:<8}  "), DIM);
    line.push(&one_line(project), PLAIN);
    line.push(&format!("  {title}"), DIM);
    if !doing.is_empty() {
        line.push(&format!("  {}", one_line(doing)), PLAIN);
    }
    line.cut(columns)
}

fn style(standing: &Standing) -> Style {
    match standing {
        Standing::Waiting { .. } => WARN,
        Standing::Stuck { .. } => BAD,
        Standing::Working { .. } | Standing::Starting { .. } | Standing::Background { .. } => GOOD,
        _ => DIM,
    }
}
