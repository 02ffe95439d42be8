//! Ids that hosts make: what they were called when it was recorded, and what they are called now.

use crate::json::{Json, Str};
use crate::wire::{Kind, SystemKind, Wire};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What the host calls things now, by what they were called.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Names {
    /// Requests of the host.
    requests: BTreeMap<String, String>,
    /// Its hooks.
    hooks: BTreeMap<String, String>,
    /// Its messages and sessions: names that stand anywhere.
    anywhere: BTreeMap<String, String>,
}

impl Names {
    /// Names of messages and sessions that were noted elsewhere: recorded, and now.
    pub fn note(&mut self, recorded: impl Into<String>, now: impl Into<String>) {
        let (recorded, now) = (recorded.into(), now.into());
        if recorded != now && !recorded.is_empty() {
            self.anywhere.insert(recorded, now);
        }
    }

    /// The names of messages and sessions: recorded, and now.
    pub fn noted(&self) -> impl Iterator<Item = (&str, &str)> {
        self.anywhere.iter().map(|(recorded, now)| (recorded.as_str(), now.as_str()))
    }

    /// What a message or a session is called now.
    pub(super) fn now(&self, recorded: &str) -> Option<&str> {
        self.anywhere.get(recorded).map(String::as_str)
    }

    /// What a request of the host is called now.
    pub(super) fn request(&self, recorded: &str) -> Option<&str> {
        self.requests.get(recorded).map(String::as_str)
    }

    pub(super) fn note_request(&mut self, recorded: &str, now: &str) {
        self.requests.insert(recorded.into(), now.into());
    }

    /// Notes the names of the hooks in two requests that are otherwise the same, however their fields are ordered.
    pub(super) fn note_hooks(&mut self, recorded: Json<'_>, now: Json<'_>) {
        let (Some(recorded), Some(now)) = (events(recorded), events(now)) else { return };
        for (event, recorded) in recorded.fields() {
            let now = now.get(&event.decode()).map(ids).unwrap_or_default();
            for (recorded, now) in ids(recorded).into_iter().zip(now) {
                if recorded != now {
                    self.hooks.insert(recorded, now);
                }
            }
        }
    }

    /// A recorded line with the names of now.
    pub(super) fn rename<'l>(&self, line: &'l [u8]) -> Cow<'l, [u8]> {
        if self.requests.is_empty() && self.hooks.is_empty() && self.anywhere.is_empty() {
            return line.into();
        }
        let Ok(text) = str::from_utf8(line) else { return line.into() };
        let kind = Kind::of(text);
        // Only these tell of requests of the host; those of Claude Code have names of their own.
        let answers =
            matches!(kind, Kind::ControlResponse | Kind::System(SystemKind::ControlRequestProgress));
        let renamed = |key: &str, value: Str<'_>| match key {
            "request_id" => {
                let recorded = value.decode();
                let now = self.request(&recorded).filter(|now| answers && *now != recorded);
                now.map(escaped)
            }
            "callback_id" if kind == Kind::ControlRequest => {
                self.hooks.get(&*value.decode()).map(|now| escaped(now))
            }
            _ => self.anywhere(value),
        };
        rewrite(text, renamed).map_or(line.into(), |text| text.into_bytes().into())
    }

    /// A string, as it is written, in which messages and sessions are called as they are now; nothing if it names none.
    fn anywhere(&self, string: Str<'_>) -> Option<String> {
        if self.anywhere.is_empty() {
            return None;
        }
        if let Some(now) = self.now(&string.decode()) {
            return Some(escaped(now));
        }
        let text = string.raw()?;
        let mut renamed = String::new();
        let mut rest = text;
        while let Some(at) = uuid(rest) {
            let (before, name) = rest[..at + UUID].split_at(at);
            renamed.push_str(before);
            renamed.push_str(&self.now(name).map_or_else(|| name.to_owned(), escaped));
            rest = &rest[at + UUID..];
        }
        renamed.push_str(rest);
        (renamed != text).then_some(renamed)
    }
}

/// A name as it stands in a string.
fn escaped(name: &str) -> String {
    let mut written = String::new();
    Str::from(name).write(&mut written);
    written[1..written.len() - 1].to_owned()
}

/// The hooks that a request names, by the event.
fn events(request: Json<'_>) -> Option<Json<'_>> {
    request.get("request")?.get("hooks")
}

/// The ids of the hooks of an event, in order.
fn ids(matchers: Json<'_>) -> Vec<String> {
    let ids = matchers.items().filter_map(|matcher| matcher.get("hookCallbackIds")).flat_map(Json::items);
    ids.filter_map(|id| Some(id.as_str()?.to_string())).collect()
}

/// Letters of a UUID.
const UUID: usize = 36;

/// Where the first UUID stands in a text.
fn uuid(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'-', bytes).filter_map(|dash| dash.checked_sub(8)).find(|&at| {
        let letters = bytes.get(at..at + UUID).unwrap_or_default();
        letters.len() == UUID
            && letters.iter().enumerate().all(|(place, letter)| match place {
                8 | 13 | 18 | 23 => *letter == b'-',
                _ => letter.is_ascii_hexdigit(),
            })
    })
}

/// A JSON text in which strings have become others; nothing if none has. `renamed` is told the key that the string stands behind, also
/// in a list, and gives the new string as it is to be written.
fn rewrite(text: &str, renamed: impl Fn(&str, Str<'_>) -> Option<String>) -> Option<String> {
    let (mut written, mut kept, mut key) = (String::new(), 0, "");
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'"', text.get(at..)?.as_bytes()).map(|open| at + open + 1) {
        let close = open + closing(text.get(open..)?)?;
        let string = text.get(open..close)?;
        at = close + 1;
        if text[at..].trim_start().starts_with(':') {
            key = string;
        } else if let Some(new) = renamed(key, Str::wire(string, string.contains('\\'))) {
            written.push_str(&text[kept..open]);
            written.push_str(&new);
            kept = close;
        }
    }
    if kept == 0 {
        return None;
    }
    written.push_str(&text[kept..]);
    Some(written)
}

/// Where a string ends.
fn closing(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.as_bytes().get(at..)?)?;
        if text.as_bytes()[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}
