//! What is to be done, as the agent wrote it down.

use super::one_line;
use unspool::event::Raw;
use unspool::json::Json;
use unspool::wire::Wire;
use unspool::wire::tool::{Todo, TodoStatus, ToolInput};

/// A list of things to do, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Checklist {
    /// What is to be done.
    pub entries: Vec<Entry>,
}

/// One thing to do.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// How far it is.
    pub progress: Progress,
    /// What it is, as one line that cannot steer a terminal.
    pub words: String,
}

/// How far a thing is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// Not begun.
    Open,
    /// Being done.
    Current,
    /// Done.
    Done,
    /// No longer to be done.
    Dropped,
}

impl Progress {
    /// What a tool says of it, if anything.
    #[must_use]
    pub fn of(status: Option<TodoStatus<'_>>) -> Progress {
        match status {
            Some(TodoStatus::Completed) => Progress::Done,
            Some(TodoStatus::InProgress) => Progress::Current,
            Some(TodoStatus::Deleted) => Progress::Dropped,
            _ => Progress::Open,
        }
    }
}

impl Checklist {
    /// The list that a call of `TodoWrite` sets.
    pub fn of(name: &str, input: &Raw<'_>) -> Option<Checklist> {
        let ToolInput::TodoWrite(input) = ToolInput::of(name, input.json()) else { return None };
        let entries: Vec<Entry> = input.todos?.json().items().map(entry).collect();
        (!entries.is_empty()).then_some(Checklist { entries })
    }
}

/// What is no object is an entry too.
fn entry(json: Json<'_>) -> Entry {
    let todo = Todo::of(json).unwrap_or_default();
    let progress = Progress::of(todo.status);
    let words = todo.content.or(todo.active_form).map(|text| text.to_string());
    Entry { progress, words: one_line(&words.unwrap_or_else(|| json.compact())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_kept_whatever_it_is() {
        let input = r#"{"todos":[{"content":"a\nb","status":"completed"},{"content":"c","status":"in_progress"},{"x":1}]}"#;
        let list = Checklist::of("TodoWrite", &Raw::new(Json::new(input).unwrap())).unwrap();
        let told: Vec<_> = list.entries.iter().map(|entry| (entry.progress, &*entry.words)).collect();
        let expected = [(Progress::Done, "a ⏎ b"), (Progress::Current, "c"), (Progress::Open, r#"{"x":1}"#)];
        assert_eq!(told, expected);
    }
}
