//! What is random by nature: ids, times, the folder of a run, temporary paths. Runs that differ in nothing else say the same.
//!
//! Only what is known by its shape: what is passed over wrongly would make two runs the same that are not.

mod shapes;

use shapes::{ID, ends_as_id, is_of_name, is_random, random};
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use unspool::json::{Json, Kind};

/// Takes away what is random.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    /// The folder of the run, and how paths are named that are made of it.
    folder: Option<(String, String)>,
    /// Ids that a tool has told: wherever they stand, they are ids.
    ids: HashSet<String>,
    /// Nothing is taken for random.
    pub(super) exact: bool,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Origin {
    /// Somebody has said it, or asks for it.
    Said,
    /// A tool has printed it: there, lengths of time are random, too.
    Output,
}

/// What stands for the folder of a run.
pub(super) const FOLDER: &str = "<folder>";

/// Shorter folders stand in too many texts.
const SHORTEST: usize = 4;

/// More ids of one run are not kept.
const MOST: usize = 4096;

/// Deeper values are taken as they are written.
const DEEPEST: usize = 64;

impl Noise {
    /// This is the folder in which the run is at work.
    pub(super) fn set_folder(&mut self, folder: &str) {
        let folder = folder.trim_end_matches('/');
        let dashed =
            folder.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        self.folder = (folder.len() >= SHORTEST).then(|| (folder.to_owned(), dashed));
    }

    /// Whether the other run was at work in the same folder.
    pub(super) fn is_at(&self, other: &Noise) -> bool {
        self.folder == other.folder
    }

    /// A tool has printed this: ids that are called so in it are known from now on.
    pub(super) fn learn(&mut self, output: &str) {
        if self.exact || self.ids.len() >= MOST {
            return;
        }
        let mut found = Vec::new();
        self.scrub(output, Origin::Output, |id| found.push(id.to_owned()));
        self.ids.extend(found);
    }

    /// The text without what is random.
    pub(super) fn without<'t>(&self, text: &'t str, origin: Origin) -> Cow<'t, str> {
        if self.exact {
            return Cow::Borrowed(text);
        }
        let mut text = Cow::Borrowed(text);
        for folder in self.folder.iter().flat_map(|(folder, dashed)| [folder, dashed]) {
            if text.contains(&**folder) {
                text = Cow::Owned(replaced(&text, folder));
            }
        }
        match self.scrub(&text, origin, |_| {}) {
            Some(scrubbed) => Cow::Owned(scrubbed),
            None => text,
        }
    }

    /// The text without noise, for people: folders stay in it, for they want to see where it was if it was another place.
    pub(super) fn shown<'t>(&self, text: &'t str, origin: Origin) -> Cow<'t, str> {
        match self.scrub(text, origin, |_| {}) {
            Some(scrubbed) if !self.exact => Cow::Owned(scrubbed),
            _ => Cow::Borrowed(text),
        }
    }

    /// The text without what is known to be random; nothing if there is none. Ids that are called so are handed out.
    fn scrub(&self, text: &str, origin: Origin, mut id: impl FnMut(&str)) -> Option<String> {
        let bytes = text.as_bytes();
        let mut out: Option<String> = None;
        let (mut at, mut kept) = (0, 0);
        while at < bytes.len() {
            let is_behind_dash = at > 0 && bytes[at - 1] == b'-';
            let begins = at == 0 || !is_of_name(bytes[at - 1]) || is_behind_dash;
            let known = || self.known(&text[at..]).map(|length| (0, length, ID));
            match begins.then(|| random(&bytes[at..], is_behind_dash, origin).or_else(known)).flatten() {
                Some((before, length, mark)) => {
                    if before > 0 && mark == ID {
                        id(&text[at + before..at + before + length]);
                    }
                    let out = out.get_or_insert_with(|| String::with_capacity(text.len()));
                    out.push_str(&text[kept..at + before]);
                    out.push_str(mark);
                    at += before + length;
                    kept = at;
                }
                None => at += 1,
            }
        }
        out.map(|mut out| {
            out.push_str(&text[kept..]);
            out
        })
    }

    /// How long the id is that stands here, if a tool has told it.
    fn known(&self, text: &str) -> Option<usize> {
        if self.ids.is_empty() || !text.is_char_boundary(1) {
            return None;
        }
        let length = text.bytes().take_while(|byte| is_of_name(*byte)).count();
        self.ids.contains(&text[..length]).then_some(length)
    }

    /// What the text says, as a number.
    pub(super) fn key(&self, text: &str, origin: Origin) -> u64 {
        hash(&*self.without(text.trim_end(), origin))
    }

    /// What a value says, as a number: the order of fields does not matter.
    pub(super) fn value(&self, json: Json<'_>) -> u64 {
        self.nested(json, 0)
    }

    fn nested(&self, json: Json<'_>, depth: usize) -> u64 {
        match json.kind() {
            _ if depth >= DEEPEST => hash(&json.compact()),
            Kind::Object => {
                let field = |(name, value): (unspool::json::Str<'_>, Json<'_>)| {
                    let name = name.decode();
                    let is_id = !self.exact
                        && ends_as_id(&name)
                        && value.as_str().is_some_and(|text| is_random(&text.decode()));
                    hash(&(&*name, if is_id { 0 } else { self.nested(value, depth + 1) }))
                };
                hash(&("object", json.fields().map(field).fold(0, u64::wrapping_add)))
            }
            Kind::Array => {
                let mut hasher = DefaultHasher::new();
                json.items().for_each(|item| self.nested(item, depth + 1).hash(&mut hasher));
                hash(&("array", hasher.finish()))
            }
            Kind::String => {
                let text = json.as_str().map(|text| text.to_string()).unwrap_or_default();
                hash(&("text", self.key(&text, Origin::Said)))
            }
            _ => hash(&json.compact()),
        }
    }
}

pub(super) fn hash(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The text with another word for this folder, where it is that folder and not the beginning of another one's name.
fn replaced(text: &str, folder: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(folder) {
        let (before, behind) = (&rest[..at], &rest[at + folder.len()..]);
        let goes_on = behind.bytes().next().is_some_and(is_of_name);
        out.push_str(before);
        out.push_str(if goes_on { folder } else { FOLDER });
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, origin: Origin) -> String {
        let mut noise = Noise::default();
        noise.set_folder("/home/me/work");
        noise.without(text, origin).into_owned()
    }

    #[test]
    fn what_is_random_by_nature_is_taken_away() {
        for (text, left) in [
            ("Read /home/me/work/a.rs", "Read <folder>/a.rs"),
            ("-home-me-work/x", "<folder>/x"),
            ("agent 0d0c9a3e-cbb2-42ae-8e45-3716e025b6d3.", "agent <id>."),
            ("run-0d0c9a3e-cbb2-42ae-8e45-3716e025b6d3.log", "run-<id>.log"),
            ("toolu_01AbCdEfGh and msg_0123456789", "<id> and <id>"),
            ("agentId: a907cc447f4528dbc (internal)", "agentId: <id> (internal)"),
            (r#"{"task_id":"b1x2y3"}"#, r#"{"task_id":"<id>"}"#),
            ("with ID: b1x2y3z.", "with ID: <id>."),
            ("at 2026-11-19T12:42:11.123Z", "at <time>"),
            ("2026-11-19 12:42 +0100 12:42:11", "<time> +0100 <time>"),
            ("Nov 19 12:42 a.txt", "<time> a.txt"),
            ("Thu Nov 19 12:42:11 UTC 2026", "<time> UTC 2026"),
            ("1763553731000", "<time>"),
            ("cat /tmp/tmp.Xa1/src/a.rs", "cat /tmp/<temporary>/src/a.rs"),
            ("/private/tmp/claude-501/tasks/bqw1x2.output", "/private/tmp/<temporary>/tasks/<id>.output"),
            ("/var/folders/ab/cd_ef/T/x1/y", "/var/folders/<temporary>/y"),
        ] {
            assert_eq!(shown(text, Origin::Said), left);
        }
    }

    #[test]
    fn what_somebody_chose_stays() {
        for text in [
            "/home/me/workshop/a.rs",
            "src/main.rs:12:30",
            "on 2026-11-19",
            "sleep 12 ms, 0.5s",
            "version 2.1.325, port 8790",
            "issue id: 12345",
            "call_me_maybe, task_runner",
            "/tmp/report.txt",
            "a5b64cd",
            "user_id: string",
            "naïve: 10:30",
        ] {
            assert_eq!(shown(text, Origin::Said), text);
        }
    }

    #[test]
    fn an_id_is_one_wherever_it_stands() {
        let mut noise = Noise::default();
        noise.learn("agentId: a907cc447f4528dbc (use SendMessage with to: 'a907cc447f4528dbc')");
        assert_eq!(
            noise.without("to a907cc447f4528dbc, x-a907cc447f4528dbc", Origin::Said),
            "to <id>, x-<id>"
        );
        assert_eq!(noise.without("a907cc447f4528dbcd é", Origin::Said), "a907cc447f4528dbcd é");
    }

    #[test]
    fn how_long_a_tool_took_is_random() {
        let text = "3 passed; finished in 0.03s (12 ms), duration_ms: 431, waited 5s";
        assert_eq!(
            shown(text, Origin::Output),
            "3 passed; finished in <time> (<time>), duration_ms: <time>, waited 5s"
        );
    }

    #[test]
    fn values_are_compared_by_what_they_say() {
        let noise = Noise::default();
        let value = |text: &str| noise.value(Json::new(text).unwrap());
        assert_eq!(value(r#"{"a":1,"b":["x"]}"#), value(r#"{ "b" : ["\u0078"], "a" : 1 }"#));
        assert_eq!(value(r#"{"task_id":"b1x2y3"}"#), value(r#"{"task_id":"c4x5y6"}"#));
        assert_ne!(value(r#"{"taskId":"1"}"#), value(r#"{"taskId":"2"}"#));
        assert_ne!(value("[1,2]"), value("[2,1]"));
        assert_ne!(value(r#"{"a":"1"}"#), value(r#"{"a":1}"#));
        let exact = Noise { exact: true, ..Noise::default() };
        let text = r#"{"task_id":"b1x2y3"}"#;
        assert_ne!(
            exact.value(Json::new(text).unwrap()),
            exact.value(Json::new(&text.replace('b', "c")).unwrap())
        );
    }
}
