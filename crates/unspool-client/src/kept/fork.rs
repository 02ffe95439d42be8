//! The copy of a session that goes on by itself.

use super::session::some;
use super::{About, clock, entries_in};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io;
use unspool::json::{Json, Str};
use unspool::wire::entry::{CustomTitle, ForkedFrom};
use unspool::wire::{EntryHead, EntryKind, Wire as _};
use uuid::Uuid;

/// Entries about a session that hold for its copy too. Others speak of what it has cost, or of what was there at the time.
const ASIDE: [EntryKind; 8] = [
    EntryKind::AtisLatch,
    EntryKind::ContentReplacement,
    EntryKind::DataFlowIncomplete,
    EntryKind::DataFlowRecords,
    EntryKind::DerivedFrom,
    EntryKind::HistorySuppression,
    EntryKind::Relocated,
    EntryKind::ToolsUsed,
];

/// Fields that a copy has none of: it is nobody's agent, and begins with itself.
const NONE: [&str; 8] = [
    EntryHead::NAMES.agent_name,
    EntryHead::NAMES.dropped_prompt_uuids,
    EntryHead::NAMES.session_kind,
    EntryHead::NAMES.slug,
    EntryHead::NAMES.source_tool_assistant_uuid,
    EntryHead::NAMES.summarized_turn_prompt_uuids,
    EntryHead::NAMES.team_name,
    EntryHead::NAMES.turn_attribution_key,
];

/// Fields that hold what was said, where nothing is the name of an entry.
const SAID: [&str; 2] = [EntryHead::NAMES.message, EntryHead::NAMES.tool_use_result];

/// So many letters of a name are enough to know a session again; it may be a prompt.
const LONGEST_TITLE: usize = 200;

/// How a session is copied: whole, under its own name with ` (fork)` behind it, unless it says otherwise.
///
/// ```
/// use unspool_client::kept::Fork;
///
/// let fork = Fork::new().title("The other way");
/// # assert_ne!(fork, Fork::new());
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Fork {
    up_to: Option<String>,
    title: Option<String>,
}

impl Fork {
    /// A copy of all of it.
    #[must_use]
    pub fn new() -> Self {
        Fork::default()
    }

    /// Only as far as the entry with this uuid ([`KeptMessage::uuid`](crate::kept::KeptMessage::uuid)), that one too.
    #[must_use]
    pub fn up_to(mut self, uuid: impl Into<String>) -> Self {
        self.up_to = Some(uuid.into());
        self
    }

    /// The name of the copy.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The copy of a session with this id and this main file: its id, and its lines.
    pub(crate) fn of(&self, from: &str, text: &str) -> io::Result<(String, String)> {
        let title = match &self.title {
            Some(title) => some(title, "a title has letters")?,
            None => {
                let about = About::of(entries_in(text));
                let title = about.best().unwrap_or("Forked session").chars().take(LONGEST_TITLE);
                format!("{} (fork)", title.collect::<String>())
            }
        };
        let copy = Copied { id: Uuid::new_v4().to_string(), from, title };
        let lines = copy.of(text, self.up_to.as_deref())?;
        Ok((copy.id, lines))
    }
}

/// An entry, and what it says of its place.
#[derive(Clone, Copy)]
struct Placed<'t> {
    json: Json<'t>,
    kind: Option<EntryKind>,
    uuid: Option<Str<'t>>,
    parent: Option<Str<'t>>,
    timestamp: Option<Str<'t>>,
    /// Part of what was said by the main agent, or of what went with it.
    is_chained: bool,
}

impl<'t> Placed<'t> {
    fn of(json: Json<'t>) -> Self {
        let head = EntryHead::of(json).unwrap_or_default();
        Placed {
            json,
            kind: head.kind.and_then(|kind| EntryKind::of(&kind.decode())),
            uuid: head.uuid,
            parent: head.parent_uuid,
            timestamp: head.timestamp,
            is_chained: head.is_sidechain != Some(true) && head.uuid.is_some() && head.is_chained(),
        }
    }

    fn is_passing(&self) -> bool {
        self.kind == Some(EntryKind::Progress)
    }
}

/// The copy.
struct Copied<'s> {
    id: String,
    from: &'s str,
    title: String,
}

impl Copied<'_> {
    /// The lines of the copy: all of the session, or as far as an entry.
    fn of(&self, text: &str, up_to: Option<&str>) -> io::Result<String> {
        let entries: Vec<Placed<'_>> = entries_in(text).map(Placed::of).collect();
        let mut chain: Vec<Placed<'_>> = entries.iter().copied().filter(|entry| entry.is_chained).collect();
        if let Some(up_to) = up_to {
            let last = chain.iter().position(|entry| entry.uuid.is_some_and(|uuid| uuid == up_to));
            let missing = || fault(format!("the session has no entry {up_to}"));
            chain.truncate(last.ok_or_else(missing)? + 1);
        }
        let names = Names::of(&chain);
        chain.retain(|entry| !entry.is_passing());
        if chain.is_empty() {
            return Err(fault("nothing was said in the session".to_owned()));
        }
        let now = clock::now();
        let mut out = String::new();
        for (at, entry) in chain.iter().enumerate() {
            let is_last = at + 1 == chain.len();
            let time = owned(entry.timestamp).filter(|_| !is_last).unwrap_or_else(|| now.clone());
            self.copy(entry, &names, &time, &mut out);
        }
        let own = [(EntryHead::NAMES.session_id, quoted(&self.id))];
        for entry in &entries {
            if entry.kind.is_some_and(|kind| ASIDE.contains(&kind)) {
                copy_with(&own, entry.json, &[], None, &mut out);
            }
        }
        let uuid = Uuid::new_v4().to_string();
        let mut title = CustomTitle::default();
        title.custom_title = Some((&*self.title).into());
        title.session_id = Some((&*self.id).into());
        title.uuid = Some((&*uuid).into());
        title.timestamp = Some((&*now).into());
        title.write(&mut out);
        out.push('\n');
        Ok(out)
    }

    fn copy(&self, entry: &Placed<'_>, names: &Names, time: &str, out: &mut String) {
        let name = owned(entry.uuid).unwrap_or_default();
        let named = |name: Option<&String>| name.map_or_else(|| "null".to_owned(), |name| quoted(name));
        let from = ForkedFrom::default().session_id(self.from).message_uuid(&*name);
        let head = EntryHead::NAMES;
        let own = [
            (head.parent_uuid, named(names.parent(entry))),
            (head.is_sidechain, "false".to_owned()),
            (head.uuid, named(names.new.get(&name))),
            (head.session_id, quoted(&self.id)),
            (head.timestamp, quoted(time)),
            (head.forked_from, from.to_json()),
        ];
        copy_with(&own, entry.json, &NONE, Some(names), out);
    }
}

fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// Writes an object as it is, with some fields of its own, without some others, and with other names.
fn copy_with(
    own: &[(&str, String)],
    entry: Json<'_>,
    without: &[&str],
    names: Option<&Names>,
    out: &mut String,
) {
    let mut write = |key: &str, value: &dyn Fn(&mut String)| {
        out.push(if out.ends_with('\n') || out.is_empty() { '{' } else { ',' });
        let _ = write!(out, "{}:", quoted(key));
        value(out);
    };
    let mut missing: Vec<&(&str, String)> = own.iter().collect();
    for (key, value) in entry.fields() {
        let key = key.decode();
        let before = missing.len();
        missing.retain(|(own, _)| *own != key);
        if let Some((_, own)) = own.iter().find(|(own, _)| *own == key) {
            if missing.len() < before {
                write(&key, &|out| out.push_str(own));
            }
        } else if !without.contains(&&*key) {
            write(&key, &|out| match names.filter(|_| !SAID.contains(&&*key)) {
                Some(names) => names.rewrite(value.text(), out),
                None => out.push_str(value.text()),
            });
        }
    }
    for (key, value) in missing {
        write(key, &|out| out.push_str(value));
    }
    out.push_str("}\n");
}

/// What the entries are called in the copy.
struct Names {
    new: HashMap<String, String>,
    /// Entries that do not stay, with the one before each.
    passing: HashMap<String, Option<String>>,
}

impl Names {
    fn of(chain: &[Placed<'_>]) -> Self {
        let named = |entry: &Placed<'_>| Some((owned(entry.uuid)?, Uuid::new_v4().to_string()));
        let passing = chain.iter().filter(|entry| entry.is_passing());
        let before = |entry: &Placed<'_>| Some((owned(entry.uuid)?, owned(entry.parent)));
        Names { new: chain.iter().filter_map(named).collect(), passing: passing.filter_map(before).collect() }
    }

    /// The entry that comes before this one in the copy.
    fn parent(&self, entry: &Placed<'_>) -> Option<&String> {
        let (mut parent, mut seen) = (owned(entry.parent)?, HashSet::new());
        while let Some(before) = self.passing.get(&parent) {
            if !seen.insert(std::mem::replace(&mut parent, before.clone()?)) {
                return None;
            }
        }
        self.new.get(&parent)
    }

    /// Copies a value with the new names. A name is a whole string; what only speaks of one stays.
    fn rewrite(&self, json: &str, out: &mut String) {
        let mut rest = json;
        while let Some(at) = rest.find('"') {
            let (before, string) = rest.split_at(at + 1);
            let (string, behind) = string.split_at(end_of_string(string));
            out.push_str(before);
            out.push_str(self.new.get(string).map_or(string, |new| new));
            let (quote, behind) = behind.split_at(1);
            out.push_str(quote);
            rest = behind;
        }
        out.push_str(rest);
    }
}

/// Where the quote is that ends a string whose first quote was read.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let ends = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    text.bytes().position(ends).unwrap_or(text.len() - 1)
}

fn owned(text: Option<Str<'_>>) -> Option<String> {
    text.map(|text| text.to_string())
}

fn fault(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
