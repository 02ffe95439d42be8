//! What a call would do to a file, before it does it: the file that is there is read, and nothing else is touched.

use serde_json::Value;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::json::{Json, Str};
use unspool::wire::Wire;
use unspool::wire::tool::{
    EditInput, EditMode, MultiEditInput, NotebookEditInput, Replacement, ToolInput, WriteInput,
};
use unspool_report::words::Diff;

/// Larger files are not read: nobody looks through them at a prompt.
const READ: u64 = 4 << 20;

// What a change tells of the input that asks for it.
const WRITE: [&str; 2] = [WriteInput::NAMES.file_path, WriteInput::NAMES.content];
const EDIT: [&str; 3] =
    [EditInput::NAMES.file_path, EditInput::NAMES.old_string, EditInput::NAMES.new_string];
const MULTI_EDIT: [&str; 2] = [MultiEditInput::NAMES.file_path, MultiEditInput::NAMES.edits];
const NOTEBOOK_EDIT: [&str; 2] =
    [NotebookEditInput::NAMES.notebook_path, NotebookEditInput::NAMES.new_source];

/// A change of a file that is asked about.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    /// The file, as it is named; from the folder of the session if it is in there.
    pub(super) path: String,
    /// Where it really is, if it is a link.
    pub(super) behind: Option<String>,
    /// There is no such file.
    pub(super) is_new: bool,
    pub(super) diff: Diff,
    /// Why it may not be what it seems.
    pub(super) doubt: Option<&'static str>,
    /// Fields of the input that it tells.
    pub(super) told: &'static [&'static str],
}

/// What is where the file would be.
enum There {
    Nothing,
    Text(String),
    /// It is not known what is in it.
    Unread(&'static str),
}

impl Proposal {
    /// Of tools that change a file, with an input that names one.
    pub(super) fn of(tool: &str, input: &Value, cwd: &Path) -> Option<Proposal> {
        let input = input.to_string();
        let input = ToolInput::of(tool, Json::new(&input).ok()?);
        let named = match &input {
            ToolInput::Write(it) => it.file_path,
            ToolInput::Edit(it) => it.file_path,
            ToolInput::MultiEdit(it) => it.file_path,
            ToolInput::NotebookEdit(it) => it.notebook_path,
            _ => None,
        };
        let named = &*named?.decode();
        let file = cwd.join(named);
        let there = There::at(&file);
        let (told, change): (&'static [&'static str], _) = match input {
            ToolInput::Write(it) => (&WRITE, write(&it.content?.decode(), &there)),
            ToolInput::Edit(it) => {
                let edit = Edit::of(it.old_string, it.new_string, it.replace_all)?;
                (&EDIT, edits(&[edit], &there))
            }
            ToolInput::MultiEdit(it) => {
                let list = it.edits?.json().items().map(|edit| {
                    let edit = Replacement::of(edit)?;
                    Edit::of(edit.old_string, edit.new_string, edit.replace_all)
                });
                (&MULTI_EDIT, edits(&list.collect::<Option<Vec<_>>>()?, &there))
            }
            ToolInput::NotebookEdit(it) => (&NOTEBOOK_EDIT, cell(&it, &there)?),
            _ => return None,
        };
        let (diff, doubt) = change;
        let inside = file.strip_prefix(cwd).map_or(named, |path| path.to_str().unwrap_or(named));
        let is_new = matches!(there, There::Nothing);
        Some(Proposal { path: inside.to_owned(), behind: behind(&file), is_new, diff, doubt, told })
    }
}

impl There {
    fn at(file: &Path) -> There {
        let Ok(about) = fs::metadata(file) else { return There::Nothing };
        // A pipe would have to be waited for.
        if !about.is_file() {
            return There::Unread("what is there is no file");
        }
        if about.len() > READ {
            return There::Unread("what is there is too long to be compared");
        }
        match fs::read(file) {
            Ok(bytes) => There::Text(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
            Err(_) => There::Unread("what is there cannot be read"),
        }
    }
}

type Change = (Diff, Option<&'static str>);

fn write(after: &str, there: &There) -> Change {
    match there {
        There::Nothing => (Diff::between("", after, Some((1, 1))), None),
        There::Text(before) => (Diff::between(before, after, Some((1, 1))), None),
        There::Unread(why) => (Diff::between("", after, Some((1, 1))), Some(why)),
    }
}

/// One edit after the other; where they do not fit what is there, each by itself.
fn edits(list: &[Edit<'_>], there: &There) -> Change {
    let (before, doubt) = match there {
        There::Text(before) => (before.as_str(), None),
        There::Nothing => ("", None),
        There::Unread(why) => ("", Some(*why)),
    };
    let applied = list.iter().try_fold(before.to_owned(), |text, edit| edit.applied(&text));
    match applied {
        Ok(after) if doubt.is_none() => (Diff::between(before, &after, Some((1, 1))), None),
        applied => {
            let hunks = list.iter().flat_map(|edit| Diff::between(&edit.old, &edit.new, None).hunks);
            (hunks.collect(), doubt.or(applied.err()))
        }
    }
}

struct Edit<'a> {
    old: Cow<'a, str>,
    new: Cow<'a, str>,
    all: bool,
}

impl<'a> Edit<'a> {
    fn of(old: Option<Str<'a>>, new: Option<Str<'a>>, all: Option<bool>) -> Option<Self> {
        Some(Edit { old: old?.decode(), new: new?.decode(), all: all == Some(true) })
    }

    fn applied(&self, text: &str) -> Result<String, &'static str> {
        match text.matches(&*self.old).count() {
            // How a file is begun.
            _ if self.old.is_empty() && text.is_empty() => Ok(self.new.to_string()),
            _ if self.old.is_empty() => Err("it does not say what it replaces"),
            0 => Err("what it replaces is not in the file"),
            1 => Ok(text.replacen(&*self.old, &self.new, 1)),
            _ if self.all => Ok(text.replace(&*self.old, &self.new)),
            _ => Err("what it replaces is in the file more than once"),
        }
    }
}

/// The source of a cell of a notebook.
fn cell(input: &NotebookEditInput<'_>, there: &There) -> Option<Change> {
    let new = &*input.new_source?.decode();
    let id = input.cell_id.map(|id| id.decode());
    let notebook: Option<Value> = match there {
        There::Text(text) => serde_json::from_str(text).ok(),
        There::Nothing | There::Unread(_) => None,
    };
    let cells = notebook.as_ref().and_then(|notebook| notebook.get("cells")?.as_array());
    let is_it = |cell: &&Value| id.is_some() && cell.get("id").and_then(Value::as_str) == id.as_deref();
    let old = cells.and_then(|cells| cells.iter().find(is_it)).and_then(source);
    Some(match (input.edit_mode, old) {
        (Some(EditMode::Insert), _) => (Diff::between("", new, None), None),
        (Some(EditMode::Delete), Some(old)) => (Diff::between(&old, "", None), None),
        (_, Some(old)) => (Diff::between(&old, new, None), None),
        (_, None) => (Diff::between("", new, None), Some("the cell as it is was not found")),
    })
}

/// A text, or a list of its lines.
fn source(cell: &Value) -> Option<String> {
    match cell.get("source")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => Some(lines.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Where a file is that is reached by a link of its own name.
fn behind(file: &Path) -> Option<String> {
    let real = file.canonicalize().ok()?;
    let here: PathBuf = file.parent()?.canonicalize().ok()?.join(file.file_name()?);
    (real != here).then(|| real.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use unspool_report::words::Side;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("unspool-proposal-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// `+` and `-` and the line's number before each row that changes.
    fn shown(proposal: &Proposal) -> Vec<String> {
        let rows = proposal.diff.hunks.iter().flat_map(|hunk| &hunk.rows);
        rows.filter_map(|row| match row.side {
            Side::Both => None,
            Side::Old => Some(format!("-{}", row.text)),
            Side::New => Some(format!("+{}", row.text)),
        })
        .collect()
    }

    #[test]
    fn a_change_is_that_of_the_file_which_is_there() {
        let folder = folder("change");
        fs::write(folder.join("a.txt"), "one\r\ntwo\r\nthree\r\n").unwrap();
        let of = |tool: &str, input: Value| Proposal::of(tool, &input, &folder).unwrap();
        let path = folder.join("a.txt");
        let write = of("Write", json!({"file_path": path, "content": "one\n2\nthree\n"}));
        assert_eq!((&*write.path, write.is_new, write.doubt), ("a.txt", false, None));
        assert_eq!(shown(&write), ["-two", "+2"]);
        let new = of("Write", json!({"file_path": "b/c.txt", "content": "x\ny\n"}));
        assert_eq!((&*new.path, new.is_new), ("b/c.txt", true));
        assert_eq!(shown(&new), ["+x", "+y"]);
        let edit = of("Edit", json!({"file_path": path, "old_string": "two", "new_string": "2\n2"}));
        assert_eq!(shown(&edit), ["-two", "+2", "+2"]);
        assert_eq!(edit.diff.hunks[0].starts, Some((1, 1)), "with the numbers of its lines");
        let list =
            json!([{"old_string": "one", "new_string": "1"}, {"old_string": "1\ntwo", "new_string": "2"}]);
        let multi = of("MultiEdit", json!({"file_path": path, "edits": list}));
        assert_eq!((shown(&multi), multi.doubt), (vec!["-one".into(), "-two".into(), "+2".into()], None));
        let elsewhere = of("Write", json!({"file_path": "/nowhere/x", "content": ""}));
        assert_eq!(elsewhere.path, "/nowhere/x");
        assert!(Proposal::of("Read", &json!({"file_path": path}), &folder).is_none());
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let folder = folder("doubt");
        fs::write(folder.join("a.txt"), "same\nsame\n").unwrap();
        let edit = |old: &str, all: bool| {
            let input =
                json!({"file_path": "a.txt", "old_string": old, "new_string": "n", "replace_all": all});
            let proposal = Proposal::of("Edit", &input, &folder).unwrap();
            (shown(&proposal), proposal.doubt)
        };
        let rows = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            edit("gone", false),
            (rows(&["-gone", "+n"]), Some("what it replaces is not in the file"))
        );
        let twice = Some("what it replaces is in the file more than once");
        assert_eq!(edit("same", false), (rows(&["-same", "+n"]), twice));
        assert_eq!(edit("same", true), (rows(&["-same", "-same", "+n", "+n"]), None));
        let write = Proposal::of("Write", &json!({"file_path": ".", "content": "x"}), &folder).unwrap();
        assert_eq!(write.doubt, Some("what is there is no file"));
    }

    #[test]
    fn a_link_is_followed_by_name() {
        let folder = folder("link");
        fs::write(folder.join("real.txt"), "x\n").unwrap();
        std::os::unix::fs::symlink("real.txt", folder.join("link.txt")).unwrap();
        let write = |name: &str| {
            Proposal::of("Write", &json!({"file_path": name, "content": "y\n"}), &folder).unwrap().behind
        };
        assert!(write("link.txt").is_some_and(|path| path.ends_with("/real.txt")));
        assert_eq!((write("real.txt"), write("new.txt")), (None, None));
    }

    #[test]
    fn a_cell_is_compared_with_its_source() {
        let folder = folder("cell");
        let cells = json!({"cells": [{"id": "c1", "source": ["a\n", "b\n"]}, {"id": "c2", "source": "x"}]});
        fs::write(folder.join("n.ipynb"), cells.to_string()).unwrap();
        for (id, mode, rows) in
            [("c1", "replace", &["-b", "+c"][..]), ("c2", "delete", &["-x"]), ("c2", "insert", &["+a", "+c"])]
        {
            let input =
                json!({"notebook_path": "n.ipynb", "cell_id": id, "edit_mode": mode, "new_source": "a\nc\n"});
            assert_eq!(shown(&Proposal::of("NotebookEdit", &input, &folder).unwrap()), rows, "{mode}");
        }
    }
}
