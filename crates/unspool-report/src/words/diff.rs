//! What an edit changes, line by line.

use similar::{ChangeTag, TextDiff};
use unspool::event::Raw;
use unspool::json::Str;
use unspool::wire::Wire;
use unspool::wire::tool::{self, ToolInput, WriteKind, WriteOutput};

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;

/// Longer texts are not compared line by line: the old one goes, the new one comes.
const COMPARED: usize = 512 << 10;

/// Nor are those of which so many lines would have to be held against each other: that takes longer than anybody waits.
const PAIRS: usize = 16 << 20;

/// A change of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Diff {
    /// Its pieces, from the top of the file down.
    pub hunks: Vec<Hunk>,
}

/// Lines that stand together.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Hunk {
    /// The number of its first line in the old and in the new file; not known before the edit was made.
    pub starts: Option<(u64, u64)>,
    /// Its lines.
    pub rows: Vec<Row>,
}

/// A line of a hunk.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// Where it stands.
    pub side: Side,
    /// Its text, without its end, as it came: not yet fit for a terminal.
    pub text: String,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a line is in both files, the old or the new")]
pub enum Side {
    /// In both files.
    Both,
    /// In the old file.
    Old,
    /// In the new file.
    New,
}

impl FromIterator<Hunk> for Diff {
    fn from_iter<I: IntoIterator<Item = Hunk>>(hunks: I) -> Self {
        Diff { hunks: hunks.into_iter().collect() }
    }
}

impl Diff {
    /// What a call is about to change: of `Edit`, `MultiEdit`, `Write` and `NotebookEdit`.
    #[must_use]
    pub fn of_call(name: &str, input: &Raw<'_>) -> Option<Diff> {
        let between = |old: Option<Str<'_>>, new: Option<Str<'_>>| {
            Some(Diff::between(&old?.decode(), &new?.decode(), None))
        };
        let all_new = |text: Option<Str<'_>>| Some(Diff::between("", &text?.decode(), None));
        let diff = match ToolInput::of(name, input.json()) {
            ToolInput::Edit(it) => between(it.old_string, it.new_string)?,
            ToolInput::MultiEdit(it) => {
                let edits = it.edits?.iter().filter_map(|edit| between(edit.old_string, edit.new_string));
                Diff { hunks: edits.flat_map(|diff| diff.hunks).collect() }
            }
            ToolInput::Write(it) => all_new(it.content)?,
            ToolInput::NotebookEdit(it) => all_new(it.new_source)?,
            _ => return None,
        };
        Some(diff).filter(|diff| !diff.hunks.is_empty())
    }

    /// What was changed, as the tool's own output tells it: a patch, or the content of a new file. All tools that change files
    /// answer as `Write` does, some with less.
    pub fn of_detail(detail: &Raw<'_>) -> Option<Diff> {
        let output = WriteOutput::of(detail.json())?;
        let hunks: Vec<Hunk> = output.structured_patch?.iter().filter_map(hunk).collect();
        if !hunks.is_empty() {
            return Some(Diff { hunks });
        }
        let is_new = output.r#type == Some(WriteKind::Create);
        let content = output.content.filter(|_| is_new)?;
        Some(Diff::between("", &content.decode(), Some((1, 1)))).filter(|diff| !diff.hunks.is_empty())
    }

    /// What makes one text of the other. `starts` are the numbers of their first lines, if they are known.
    #[must_use]
    pub fn between(old: &str, new: &str, starts: Option<(u64, u64)>) -> Diff {
        if old.len() + new.len() > COMPARED || pairs(old, new) > PAIRS {
            let rows = rows(Side::Old, old).chain(rows(Side::New, new)).collect();
            return Diff { hunks: vec![Hunk { starts, rows }] };
        }
        let compared = TextDiff::from_lines(old, new);
        let hunks = compared.grouped_ops(CONTEXT).into_iter().map(|group| {
            let first = &group[0];
            let starts = starts.map(|(in_old, in_new)| {
                (in_old + first.old_range().start as u64, in_new + first.new_range().start as u64)
            });
            let changes = group.iter().flat_map(|step| compared.iter_changes(step));
            let rows =
                changes.map(|change| Row { side: side(change.tag()), text: without_end(change.value()) });
            Hunk { starts, rows: rows.collect() }
        });
        Diff { hunks: hunks.collect() }
    }

    /// How many lines came.
    #[must_use]
    pub fn added(&self) -> u64 {
        self.number(Side::New)
    }

    /// How many lines went.
    #[must_use]
    pub fn removed(&self) -> u64 {
        self.number(Side::Old)
    }

    fn number(&self, side: Side) -> u64 {
        self.hunks.iter().flat_map(|hunk| &hunk.rows).filter(|row| row.side == side).count() as u64
    }
}

/// How many pairs of lines there are where the texts differ.
fn pairs(old: &str, new: &str) -> usize {
    let same = |pair: &(&str, &str)| pair.0 == pair.1;
    let above = old.lines().zip(new.lines()).take_while(same).count();
    let below = old.lines().rev().zip(new.lines().rev()).take_while(same).count();
    let left = |text: &str| text.lines().count().saturating_sub(above + below);
    left(old).saturating_mul(left(new))
}

fn rows(side: Side, text: &str) -> impl Iterator<Item = Row> {
    text.split_inclusive('\n').map(move |line| Row { side, text: without_end(line) })
}

fn side(tag: ChangeTag) -> Side {
    match tag {
        ChangeTag::Equal => Side::Both,
        ChangeTag::Delete => Side::Old,
        ChangeTag::Insert => Side::New,
    }
}

fn without_end(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}

/// A hunk of a patch: its lines begin with ` `, `-`, `+` or `\`.
fn hunk(patched: tool::Hunk<'_>) -> Option<Hunk> {
    let row = |line: Str<'_>| {
        let line = line.to_string();
        let side = match line.chars().next()? {
            ' ' => Side::Both,
            '-' => Side::Old,
            '+' => Side::New,
            _ => return None,
        };
        Some(Row { side, text: line[1..].to_owned() })
    };
    Some(Hunk {
        starts: patched.old_start.zip(patched.new_start),
        rows: patched.lines?.iter().filter_map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::json::Json;

    fn shown(diff: &Diff) -> String {
        let mut out = String::new();
        for hunk in &diff.hunks {
            out += &format!("@{:?}\n", hunk.starts);
            for row in &hunk.rows {
                let mark = match row.side {
                    Side::Both => ' ',
                    Side::Old => '-',
                    Side::New => '+',
                };
                out += &format!("{mark}{}\n", row.text);
            }
        }
        out
    }

    fn raw(text: &str) -> Raw<'_> {
        Raw::new(Json::new(text).unwrap())
    }

    #[test]
    fn an_edit_is_shown_line_by_line() {
        let input = r#"{"file_path":"a","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}"#;
        let diff = Diff::of_call("Edit", &raw(input)).unwrap();
        assert_eq!(shown(&diff), "@None\n one\n-two\n+2\n three\n");
        assert_eq!((diff.added(), diff.removed()), (1, 1));
    }

    #[test]
    fn what_the_tool_says_has_numbers() {
        let detail = r#"{"structuredPatch":[{"oldStart":7,"oldLines":2,"newStart":8,"newLines":1,"lines":[" a","-b","\\ No newline at end of file"]}]}"#;
        assert_eq!(shown(&Diff::of_detail(&raw(detail)).unwrap()), "@Some((7, 8))\n a\n-b\n");
        let detail = r#"{"type":"create","filePath":"f","content":"x\ny\n","structuredPatch":[]}"#;
        assert_eq!(shown(&Diff::of_detail(&raw(detail)).unwrap()), "@Some((1, 1))\n+x\n+y\n");
        assert_eq!(Diff::of_detail(&raw(r#""Error: no""#)), None);
    }

    #[test]
    fn far_apart_changes_are_hunks_of_their_own() {
        let old: String = (1..=30).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n2\n", "\nB\n").replace("\n28\n", "\nZ\n");
        let diff = Diff::between(&old, &new, Some((1, 1)));
        let starts: Vec<_> = diff.hunks.iter().map(|hunk| hunk.starts).collect();
        assert_eq!(starts, [Some((1, 1)), Some((25, 25))]);
    }

    #[test]
    fn texts_that_have_nothing_in_common_are_exchanged_whole() {
        let lines =
            |word: &str, count: usize| (0..count).map(|line| format!("{word}{line}\n")).collect::<String>();
        let diff = Diff::between(&lines("a", 20_000), &lines("b", 20_000), None);
        assert_eq!((diff.hunks.len(), diff.removed(), diff.added()), (1, 20_000, 20_000));
        let edited = lines("a", 20_000).replace("a10000\n", "b\n");
        let diff = Diff::between(&lines("a", 20_000), &edited, None);
        assert_eq!((diff.removed(), diff.added()), (1, 1), "a small edit of a long text is compared");
    }

    #[test]
    fn long_texts_are_exchanged_whole() {
        let old = "same\n".repeat(60_000);
        let diff = Diff::between(&old, &format!("{old}more\n"), None);
        assert!(old.len() * 2 > COMPARED);
        assert_eq!((diff.removed(), diff.added()), (60_000, 60_001));
    }
}
