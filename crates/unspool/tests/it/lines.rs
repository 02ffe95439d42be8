//! Notices, tasks, states and the like give the line that they were made of, as its type, and so they do after they were written down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use unspool::event::{Event, What};
use unspool::json::Json;
use unspool::transcript::Transcript;
use unspool::wire::entry::{EntryKind, SystemEntryKind};
use unspool::wire::{AskKind, CommandKind, Entry, Envelope, Kind, System, SystemKind, Wire};
use unspool::{Grain, Spool};

#[test]
fn every_line_of_the_fixtures_gives_its_type_and_all_its_fields() {
    let mut seen = BTreeSet::new();
    insta::glob!("../../../../fixtures", "**/*.ndjson", |path| {
        let stream = fs::read(path).unwrap();
        for event in Spool::read(Grain::Deltas, &stream) {
            let Some(kind) = event.what.line_kind() else { continue };
            assert_ne!(kind, Kind::Unknown, "{event}");
            check(&event, |line| Some(Envelope::read(line).unwrap().to_json()), &stream);
            seen.insert(format!("{kind:?}"));
        }
    });
    for kind in ["System(TaskStarted)", "System(Status)", "RateLimitEvent", "ControlRequest", "ToolProgress"]
    {
        assert!(seen.contains(kind), "{kind} is in no fixture: {seen:?}");
    }
}

#[test]
fn every_entry_of_the_fixtures_gives_its_type_and_all_its_fields() {
    let mut seen = BTreeSet::new();
    insta::glob!("../../../../fixtures", "transcripts/**/*.jsonl", |path| {
        let file = fs::read(path).unwrap();
        for event in Transcript::read(Grain::Blocks, &file, &[]) {
            let What::Notice { kind, .. } = &event.what else { continue };
            if event.what.entry().is_some() {
                check(&event, |_| None, &file);
                seen.insert(kind.to_string());
            }
        }
    });
    for kind in ["attachment", "cost-state", "last-prompt", "tools-used"] {
        assert!(seen.contains(kind), "{kind} is in no fixture: {seen:?}");
    }
}

/// Holds the typed line against the line in the file, as far as that stands on one line, and against that of the event when it was
/// read back.
#[track_caller]
fn check(event: &Event<'_>, read: impl Fn(&str) -> Option<String>, file: &[u8]) {
    let again = Event::read(&event.to_json()).unwrap();
    assert_eq!(fields(&typed(&again.what)), fields(&typed(&event.what)), "{event}");
    let line = event.line.and_then(|line| file.split(|byte| *byte == b'\n').nth(line as usize - 1));
    let Some(line) = line.and_then(|line| str::from_utf8(line).ok()) else { return };
    if let Ok(json) = Json::new(line.trim()) {
        let names = |text: &str| fields(text).into_keys().collect::<Vec<_>>();
        assert_eq!(names(&typed(&event.what)), names(json.text()), "{event}");
        if let Some(read) = read(json.text()) {
            assert_eq!(typed(&event.what), read, "{event}");
        }
    }
}

fn typed(what: &What<'_>) -> String {
    match (what.envelope(), what.entry()) {
        (Some(Envelope::Unknown(json)), None) => panic!("not known: {json:?}"),
        (Some(line), None) => line.to_json(),
        (None, Some(entry)) => entry.to_json(),
        both => panic!("{both:?}"),
    }
}

/// The fields that the line has for itself; the others are the event's. A type has nothing where the wire has `null`.
fn fields(text: &str) -> BTreeMap<String, String> {
    const TOLD: &[&str] = &["type", "subtype", "uuid", "session_id", "sessionId", "timestamp"];
    let fields = Json::new(text).unwrap().fields().filter(|(_, value)| !value.is_null());
    let fields = fields.map(|(key, value)| (key.to_string(), value.compact()));
    fields.filter(|(key, _)| !TOLD.contains(&&**key)).collect()
}

#[test]
fn what_no_version_knows_is_handed_on() {
    let read = |text: &str| Event::read(text).unwrap();
    let new = read(r#"{"type":"notice","seq":1,"agent":"main","kind":"dream","data":{"depth":4}}"#);
    let Some(Envelope::Unknown(json)) = new.what.envelope() else { panic!("{new}") };
    assert_eq!((json.text(), new.what.entry()), (r#"{"depth":4}"#, None));
    assert_eq!(new.what.line_kind(), Some(Kind::Unknown));
    let odd = read(r#"{"type":"task","seq":1,"agent":"main","kind":"task_started","data":null}"#);
    assert!(matches!(odd.what.envelope(), Some(Envelope::System(System::Unknown(_)))), "{odd}");
    let said = read(r#"{"type":"text","seq":1,"agent":"main","message":"m","part":0,"content":"hi"}"#);
    assert_eq!((said.what.envelope(), said.what.entry(), said.what.line_kind()), (None, None, None));
}

#[test]
fn a_name_stands_for_one_kind_of_line() {
    let requests: BTreeSet<&str> =
        AskKind::ALL.iter().map(|it| it.name()).chain(CommandKind::ALL.iter().map(|it| it.name())).collect();
    let types = Envelope::CHOICE.shapes.iter().map(|(name, _)| *name);
    // Of results and what was said, no notice is told.
    let types = types.filter(|name| !["result", "assistant", "user", "system"].contains(name));
    let mut names: Vec<&str> = requests.into_iter().chain(types).chain(["error"]).collect();
    names.extend(SystemKind::ALL.iter().map(|it| it.name()));
    names.extend(EntryKind::ALL.iter().map(|it| it.name()));
    names.extend(SystemEntryKind::ALL.iter().map(|it| it.name()));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn a_line_is_what_its_type_is_declared_to_be() {
    for kind in SystemKind::ALL {
        let line = format!(r#"{{"type":"system","subtype":"{}"}}"#, kind.name());
        let read = Envelope::read(&line).unwrap();
        assert!(read.is_known(), "{line}");
        assert_eq!(Envelope::of_kind(Kind::of(&line), Json::new("{}").unwrap()), read);
    }
    for kind in EntryKind::ALL {
        let line = format!(r#"{{"type":"{}"}}"#, kind.name());
        let read = Entry::of(Json::new(&line).unwrap()).unwrap();
        assert_eq!(read.to_json(), line);
        assert_eq!(Entry::of_kind(*kind, Json::new("{}").unwrap()), read);
    }
}
