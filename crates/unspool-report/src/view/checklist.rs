//! What is to be done: `TodoWrite`, and the tools that keep tasks one by one.

use super::line::Line;
use super::style::{BOLD, DIM, GOOD, PLAIN};
use super::wrap::{cut, tidy_line};
use crate::words::{self, Progress};
use std::collections::BTreeMap;
use unspool::event::Raw;
use unspool::json::Json;
use unspool::wire::Wire;
use unspool::wire::tool::{TaskCreateInput, TaskCreateOutput, TaskUpdateInput, ToolInput};

/// Items that are shown.
const SHOWN: usize = 30;

/// Tasks that are remembered.
const REMEMBERED: usize = 1000;

/// The tasks that `TaskCreate` has made, by their id.
#[derive(Default)]
pub(super) struct Checklist {
    subjects: BTreeMap<String, String>,
}

impl Checklist {
    /// Whether this is one of these tools.
    pub(super) fn is_kept_by(tool: &str) -> bool {
        use ToolInput::{TaskCreate, TaskUpdate, TodoWrite};
        matches!(ToolInput::named(tool), TodoWrite(_) | TaskCreate(_) | TaskUpdate(_))
    }

    /// The lines below a call of one of these tools, once it has succeeded.
    pub(super) fn lines(
        &mut self,
        tool: &str,
        input: Option<&Raw<'_>>,
        detail: Option<&Raw<'_>>,
        columns: usize,
    ) -> Vec<Line> {
        let Some(raw) = input else { return Vec::new() };
        if let Some(list) = words::Checklist::of(tool, raw) {
            let entries = list.entries.iter().take(SHOWN);
            return entries.map(|entry| item(entry.progress, &tidy_line(&entry.words), columns)).collect();
        }
        let input = raw.json();
        match ToolInput::named(tool) {
            ToolInput::TaskCreate(_) => {
                let subject = text(input, TaskCreateInput::NAMES.subject);
                let made = detail.and_then(|detail| TaskCreateOutput::of(detail.json()));
                let id = made.and_then(|made| made.task?.read().id).map(|id| tidy_line(&id.decode()));
                if let Some(id) = id.filter(|id| !id.is_empty() && self.subjects.len() < REMEMBERED) {
                    self.subjects.insert(id, subject.clone());
                }
                vec![item(Progress::Open, &subject, columns)]
            }
            ToolInput::TaskUpdate(_) => {
                let update = TaskUpdateInput::of(input).unwrap_or_default();
                let names = TaskUpdateInput::NAMES;
                let id = text(input, names.task_id);
                let subject = Some(text(input, names.subject)).filter(|subject| !subject.is_empty());
                let subject = subject.or_else(|| self.subjects.get(&id).cloned());
                let progress = Progress::of(update.status);
                vec![item(progress, &subject.unwrap_or_else(|| format!("#{id}")), columns)]
            }
            _ => Vec::new(),
        }
    }
}

/// The value of a field, whatever it is.
fn text(json: Json<'_>, field: &str) -> String {
    let Some(value) = json.get(field) else { return String::new() };
    tidy_line(&value.as_str().map_or_else(|| value.compact(), |text| text.to_string()))
}

fn item(progress: Progress, words: &str, columns: usize) -> Line {
    let (mark, style, words_style) = match progress {
        Progress::Done => ("☑", GOOD, DIM),
        Progress::Current => ("▶", BOLD, BOLD),
        Progress::Dropped => ("☒", DIM, DIM),
        Progress::Open => ("☐", PLAIN, PLAIN),
    };
    let mut line = Line::of("    ", PLAIN).with(mark, style).with(" ", PLAIN);
    line.push(&cut(words, columns.saturating_sub(7)), words_style);
    line
}
