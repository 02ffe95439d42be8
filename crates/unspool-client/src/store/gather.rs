//! The transcripts of a session that a store has under several projects, as one.

use super::{StoredTranscript, uuid_of};
use std::collections::HashSet;
use unspool::control::Payload;
use unspool::transcript::Merge;

/// The entries of a session's own transcript, or of a part of it, in order. A session that went on in another folder or on another
/// machine stands under a project for each, and only all of them together are the session.
pub(crate) fn entries_of<'t>(loaded: &'t [StoredTranscript], part: Option<&str>) -> Vec<&'t Payload> {
    let files = loaded.iter().filter(|it| it.file.part.as_deref() == part);
    let mut files: Vec<_> = files.map(|it| it.entries.iter().peekable()).collect();
    let mut merge = Merge::new();
    let text = |entry: &Payload| entry.json().text().as_bytes().to_vec();
    for (at, file) in files.iter_mut().enumerate() {
        file.peek().into_iter().for_each(|entry| merge.push(at, &text(entry)));
    }
    let (mut entries, mut seen) = (Vec::new(), HashSet::new());
    while let Some(at) = merge.pop() {
        let Some(entry) = files[at].next() else { continue };
        if uuid_of(entry).is_none_or(|uuid| seen.insert(uuid)) {
            entries.push(entry);
        }
        if let Some(entry) = files[at].peek() {
            merge.push(at, &text(entry));
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::super::TranscriptFile;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_session_that_went_on_elsewhere_and_came_back_is_one() {
        let said = |uuid: &str, second: u32| {
            Payload::from(json!({ "uuid": uuid, "timestamp": format!("2026-11-15T06:48:{second:02}.000Z") }))
        };
        let file = |place: &str, entries: Vec<Payload>| StoredTranscript {
            file: TranscriptFile::at(place).unwrap(),
            entries,
        };
        let title = Payload::from(json!({ "type": "mode" }));
        let loaded = [
            file("b/s.jsonl", vec![said("3", 3), said("4", 4)]),
            file("a/s.jsonl", vec![title, said("1", 1), said("2", 2), said("5", 5), said("3", 6)]),
            file("a/s/subagents/agent-1.jsonl", vec![said("x", 1)]),
        ];
        let names = |part| -> Vec<String> {
            let entries = entries_of(&loaded, part).into_iter();
            entries.filter_map(uuid_of).collect()
        };
        assert_eq!(names(None), ["1", "2", "3", "4", "5"]);
        assert_eq!(entries_of(&loaded, None).len(), 6);
        assert_eq!(names(Some("subagents/agent-1.jsonl")), ["x"]);
        assert!(names(Some("subagents/agent-2.jsonl")).is_empty());
    }
}
