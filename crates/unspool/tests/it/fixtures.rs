//! Every stream in `fixtures/` and its story, in both grains. A story is one short line per event:
//!
//! ```text
//! LINE TURN AGENT MESSAGE/PART type field=value …
//! ```
//!
//! The deltas are shown without the lines that the blocks' story has too. Each is a test of its own:
//! `cargo test -p unspool --test it stories::agents::bgagent_2_1_325`.

mod streams;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::json::{Json, Kind};
use unspool::{Event, Grain, Spool, properties};

/// Compares the story of a stream with the one that was kept.
fn check_story(folder: &str, name: &str) {
    let path = find(folder, name);
    let stream = fs::read(&path).unwrap();
    let blocks = story(&Spool::read(Grain::Blocks, &stream));
    let deltas = story(&Spool::read(Grain::Deltas, &stream));
    let known: BTreeSet<_> = blocks.iter().collect();
    let fresh: Vec<_> = deltas.iter().filter(|line| !known.contains(line)).cloned().collect();
    let told = format!("{}\n\n# deltas\n{}", blocks.join("\n"), fresh.join("\n"));
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_suffix(format!("{folder}__{}", path.file_name().unwrap().display()));
    settings.set_input_file(&path);
    settings.bind(|| insta::assert_snapshot!("story", told));
}

fn check_properties(folder: &str, name: &str) {
    let stream = fs::read(find(folder, name)).unwrap();
    properties::all(&stream);
    properties::cuts_do_not_matter(&stream, 4093);
    properties::journals_keep_streams(&stream, 4093);
    properties::lists_tell_what_lines_tell(&stream);
    if let Ok(text) = str::from_utf8(&stream) {
        text.split('\n').for_each(properties::json_agrees_with_serde_json);
    }
}

/// The stream of this name, in a folder of `fixtures/`.
fn find(folder: &str, name: &str) -> PathBuf {
    let is_it = |path: &PathBuf| named(path) == (folder.to_owned(), name.to_owned());
    streams(&fixtures().join(folder)).into_iter().find(is_it).unwrap()
}

/// The names of all streams there are, with their folders.
fn names() -> Vec<(String, String)> {
    let mut names: Vec<_> = streams(&fixtures()).iter().map(|path| named(path)).collect();
    names.sort_unstable();
    names
}

/// The folder of a stream, and its name as that of a function: `bgagent-2.1.325.ndjson` is `bgagent_2_1_325`.
fn named(path: &Path) -> (String, String) {
    let folder = path.parent().unwrap().strip_prefix(fixtures()).unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap();
    (folder.to_str().unwrap().to_owned(), name.replace(['-', '.'], "_"))
}

fn streams(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inside = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => streams(&path),
        Some(extension) if extension == "ndjson" => vec![path],
        _ => Vec::new(),
    };
    entries.flat_map(inside).collect()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

pub(crate) fn story(events: &[Event<'_>]) -> Vec<String> {
    events.iter().map(tell).collect()
}

/// What says where an event stands.
const PLACE: &[&str] =
    &["type", "seq", "contract", "line", "session", "agent", "turn", "message", "part", "uuid", "time"];

fn tell(event: &Event<'_>) -> String {
    let text = event.to_json();
    let json = Json::new(&text).unwrap();
    let count = |number: Option<u64>| number.map_or("-".into(), |number: u64| number.to_string());
    let mut line = format!("{} {} {}", count(event.line), count(event.turn), short(event.agent.as_str(), 14));
    if let Some(place) = &event.place {
        line += &format!(" {}/{}", short(place.message.as_deref().unwrap_or("-"), 14), place.part);
    }
    line += &format!(" {}", event.what.name());
    for (name, value) in json.fields().filter(|(name, _)| !PLACE.contains(&&*name.decode())) {
        line += &format!(" {name}={}", show(value));
    }
    line
}

/// Enough of a value to know it again. Figures are told whole.
fn show(value: Json<'_>) -> String {
    match value.kind() {
        Kind::String => format!("{:?}", short(&value.as_str().unwrap().decode(), 60)),
        Kind::Object if value.get("total_input").is_some() => {
            let figures = value.fields().map(|(_, figure)| figure.text().to_owned());
            format!("<{}>", figures.collect::<Vec<_>>().join(" "))
        }
        Kind::Object if value.fields().any(|(_, inner)| inner.get("total_input").is_some()) => {
            let models = value.fields().map(|(name, model)| format!("{name}{}", show(model)));
            format!("{{{}}}", models.collect::<Vec<_>>().join(" "))
        }
        Kind::Array if value.items().all(|item| item.get("reason").is_some()) => {
            let note = |item: Json<'_>, name| item.get(name).unwrap().as_str().unwrap().to_string();
            let notes = value.items().map(|item| format!("{}:{}", note(item, "field"), note(item, "reason")));
            let notes = notes.collect::<Vec<_>>().join(" ").replace("not_reported", "?");
            format!("[{notes}]")
        }
        _ => short(value.text(), 60),
    }
}

/// Both ends of a text: its middle is rarely what differs.
fn short(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most * 2 / 3).collect();
    let tail: String = text.chars().skip(length - most / 3).collect();
    format!("{head}…{tail}")
}
