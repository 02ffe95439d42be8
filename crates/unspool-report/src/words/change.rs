//! Which file a call has changed, and by how much.

use super::{Diff, clean_line};
use unspool::event::Raw;
use unspool::json::Json;

/// A change of a file that was made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// The file.
    pub path: String,
    /// It was not there before.
    pub is_new: bool,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

impl Change {
    /// What a call that succeeded has changed. The tool's own output is believed before the input.
    pub fn of(name: &str, input: Option<&Raw<'_>>, detail: Option<&Raw<'_>>) -> Option<Change> {
        let field = match name {
            "Edit" | "MultiEdit" | "Write" => "file_path",
            "NotebookEdit" => "notebook_path",
            _ => return None,
        };
        let path = input?.json().get(field).and_then(Json::as_str)?;
        let is_new = detail.and_then(|detail| detail.json().get("type")).and_then(Json::as_str);
        let diff =
            detail.and_then(Diff::of_detail).or_else(|| Diff::of_call(name, input?)).unwrap_or_default();
        Some(Change {
            path: clean_line(&path.decode()),
            is_new: is_new.is_some_and(|kind| kind == "create"),
            added: diff.added(),
            removed: diff.removed(),
        })
    }
}
