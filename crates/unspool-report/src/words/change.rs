//! Which file a call has changed, and by how much.

use super::{Diff, clean_line};
use unspool::event::Raw;
use unspool::wire::Wire;
use unspool::wire::tool::{ToolInput, WriteKind, WriteOutput};

/// A change of a file that was made.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
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
    /// Whether this tool changes files.
    pub(crate) fn is_made_by(name: &str) -> bool {
        use ToolInput::{Edit, MultiEdit, NotebookEdit, Write};
        matches!(ToolInput::named(name), Edit(_) | MultiEdit(_) | Write(_) | NotebookEdit(_))
    }

    /// What a call that succeeded has changed. The tool's own output is believed before the input.
    pub fn of(name: &str, input: Option<&Raw<'_>>, detail: Option<&Raw<'_>>) -> Option<Change> {
        let path = match ToolInput::of(name, input?.json()) {
            ToolInput::Edit(it) => it.file_path,
            ToolInput::MultiEdit(it) => it.file_path,
            ToolInput::Write(it) => it.file_path,
            ToolInput::NotebookEdit(it) => it.notebook_path,
            _ => None,
        }?;
        // They all answer as `Write` does, some with less.
        let output = detail.and_then(|detail| WriteOutput::of(detail.json())).unwrap_or_default();
        let diff =
            detail.and_then(Diff::of_detail).or_else(|| Diff::of_call(name, input?)).unwrap_or_default();
        Some(Change {
            path: clean_line(&path.decode()),
            is_new: output.r#type == Some(WriteKind::Create),
            added: diff.added(),
            removed: diff.removed(),
        })
    }
}
