//! Which files a run has read and changed, and how they ended as far as its events say.

use super::noise::{Noise, Origin, hash};
use super::take::file_of;
use crate::words::Change;
use std::collections::{BTreeMap, HashMap};
use unspool::event::{Raw, Tell};
use unspool::wire::Wire;
use unspool::wire::tool::{EditOutput, ToolInput, WriteOutput};

/// Longer files are not kept.
const LONGEST: usize = 1 << 20;

/// Nor are files when so much of others is kept.
const ALL: usize = 64 << 20;

/// The files of one run, by paths without what is random.
#[derive(Default)]
pub(super) struct Files {
    pub(super) all: BTreeMap<String, FileUse>,
    open: HashMap<String, Open>,
    kept: usize,
}

/// What was done with a file.
#[derive(Default)]
pub(super) struct FileUse {
    /// As the run calls it.
    pub(super) path: String,
    /// How often it was read.
    pub(super) read: u64,
    /// How often it was changed.
    pub(super) changed: u64,
    /// It was not there before.
    pub(super) is_new: bool,
    /// Lines that came, and that went.
    pub(super) added: u64,
    pub(super) removed: u64,
    /// What is in it at the end, as far as that is known.
    pub(super) end: Option<String>,
    /// All changes together, as a number that only says whether they are the same.
    pub(super) changes: u64,
}

struct Open {
    /// What is given, as a number.
    given: u64,
    name: String,
    file: String,
    key: String,
    /// Of calls that change files.
    input: Option<Raw<'static>>,
}

impl Files {
    pub(super) fn called(&mut self, id: &str, name: &str, input: Option<&Raw<'_>>, noise: &Noise) {
        let Some((file, input)) = input.and_then(|input| Some((file_of(name, input)?, input))) else {
            return;
        };
        let key = noise.without(&file, Origin::Said).into_owned();
        let input = Change::is_made_by(name).then(|| input.clone().own());
        let given = input.as_ref().map_or(0, |input| noise.value(input.json()));
        self.open.insert(id.to_owned(), Open { given, name: name.to_owned(), file, key, input });
    }

    pub(super) fn answered(&mut self, id: &str, is_error: bool, detail: Option<&Raw<'_>>) {
        let Some(open) = self.open.remove(id).filter(|_| !is_error) else { return };
        let used = self.all.entry(open.key).or_default();
        if used.path.is_empty() {
            used.path = open.file;
        }
        let Some(input) = &open.input else {
            used.read += 1;
            return;
        };
        used.changed += 1;
        used.changes = hash(&(used.changes, &open.name, open.given));
        if let Some(change) = Change::of(&open.name, Some(input), detail) {
            used.is_new |= change.is_new;
            used.added += change.added;
            used.removed += change.removed;
        }
        let before = used.end.take();
        self.kept -= before.as_ref().map_or(0, String::len);
        let end = changed(&open.name, input, detail, before);
        used.end = end.filter(|end| end.len() <= LONGEST && self.kept + end.len() <= ALL);
        self.kept += used.end.as_ref().map_or(0, String::len);
    }
}

/// What is in a file when this was done to it.
fn changed(name: &str, input: &Raw<'_>, detail: Option<&Raw<'_>>, before: Option<String>) -> Option<String> {
    let input = ToolInput::of(name, input.json());
    if let ToolInput::Write(write) = input {
        let said = detail.and_then(|detail| WriteOutput::of(detail.json())?.content);
        return Some(said.or(write.content)?.to_string());
    }
    // What the tool says that was there is believed before what we know: somebody else may have changed the file.
    let said = detail.and_then(|detail| EditOutput::of(detail.json())).unwrap_or_default();
    let before = said.original_file.map(|text| text.to_string()).or(before)?;
    match input {
        _ if said.user_modified == Some(true) => None,
        ToolInput::Edit(edit) => {
            let (old, new) = (said.old_string.or(edit.old_string)?, said.new_string.or(edit.new_string)?);
            let everywhere = said.replace_all.or(edit.replace_all);
            replaced(before, &old.decode(), &new.decode(), everywhere == Some(true))
        }
        ToolInput::MultiEdit(all) => all.edits?.iter().try_fold(before, |text, edit| {
            let everywhere = edit.replace_all == Some(true);
            replaced(text, &edit.old_string?.decode(), &edit.new_string?.decode(), everywhere)
        }),
        _ => None,
    }
}

fn replaced(text: String, old: &str, new: &str, everywhere: bool) -> Option<String> {
    match (old, everywhere) {
        ("", _) => text.is_empty().then(|| new.to_owned()),
        _ if !text.contains(old) => None,
        (_, true) => Some(text.replace(old, new)),
        (_, false) => Some(text.replacen(old, new, 1)),
    }
}
