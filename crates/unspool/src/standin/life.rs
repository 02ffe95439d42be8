//! One life of the program: from its start to its exit.

use super::args::Args;
use super::ended::Ended;
use super::step::{Lane, Meaning, Step};
use crate::journal::{Entry, Note, Way};
use crate::json::{Json, Str};
use crate::wire::{Kind, List, SystemKind};
use std::collections::HashMap;

/// One life of the program: what it wrote and what was written to it, from its start to its exit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Life {
    /// What it was started with, where that is known; without the program.
    pub(super) args: Option<Args>,
    pub(super) version: Option<String>,
    pub(super) steps: Vec<Step>,
    pub(super) hears: Hears,
    /// The host closed the input before the end, and the end waits for that.
    pub(super) closes: bool,
    pub(super) ended: Option<Ended>,
    /// When it ended.
    pub(super) end: u64,
    /// When its recording began, by the clock on the wall.
    pub(super) began: Option<String>,
    /// What its recording is called, where it is one of several.
    pub(super) recording: Option<String>,
}

/// What is known of what the host wrote.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Hears {
    /// Lines of JSON, all of them.
    #[default]
    Lines,
    /// A text until its end, which may be none at all.
    Text,
    /// Nothing: only what the program wrote was recorded.
    Unknown,
}

impl Life {
    /// The version of Claude Code, where that is known.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// What its recording is called, where it is one of several that were put [together](super::Recorded::together).
    #[must_use]
    pub fn recording(&self) -> Option<&str> {
        self.recording.as_deref()
    }

    /// How many lines the program wrote to its standard output.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Say(say) if say.way == Way::Out)).count()
    }

    /// How it ended: as is known, or else as Claude Code would after this stream.
    pub(super) fn ended(&self) -> Ended {
        let failed = self.steps.iter().rev().find_map(|step| match step {
            Step::Say(say) => match say.is {
                Meaning::Result { is_error } => Some(is_error),
                _ => None,
            },
            Step::Hear(_) => None,
        });
        self.ended.unwrap_or(Ended::with(failed.unwrap_or(false).into()))
    }
}

/// A life that is being read.
#[derive(Default)]
pub(super) struct LifeDraft {
    args: Option<Args>,
    version: Option<String>,
    entries: Vec<Entry<'static>>,
    closes: bool,
    ended: Option<Ended>,
    end: u64,
    began: Option<String>,
}

impl LifeDraft {
    /// A life behind this one, in the same recording.
    pub(super) fn behind(&self) -> Self {
        LifeDraft { began: self.began.clone(), ..LifeDraft::default() }
    }

    fn begin(&mut self, argv: Option<List<'_, Str<'_>>>, version: Option<Str<'_>>) {
        let argv: Option<Vec<String>> = argv.map(|argv| argv.iter().map(|word| word.to_string()).collect());
        self.args = argv.filter(|argv| !argv.is_empty()).map(|argv| Args::read(&argv[1..]));
        self.version = version.map(|version| version.to_string());
    }

    /// Takes the next entry, which may be a note.
    pub(super) fn entry(&mut self, entry: &Entry<'_>, note: Option<Note<'_>>) {
        match note {
            Some(Note::Begin(begin)) => {
                self.began = begin.time.map(|time| time.to_string());
                self.begin(begin.argv, begin.version);
            }
            Some(Note::Start(start)) => self.begin(start.argv, start.version),
            Some(note) => self.note(&note, entry.at),
            None => self.entries.push(entry.clone().into_owned()),
        }
    }

    fn note(&mut self, note: &Note<'_>, at: u64) {
        let number = |number: Option<u64>| number.and_then(|number| i32::try_from(number).ok());
        match note {
            Note::Finish(end) => {
                self.end = at;
                self.ended = Some(Ended { code: number(end.code), signal: number(end.signal) })
                    .filter(|ended| ended.code.is_some() || ended.signal.is_some());
            }
            Note::Closed(closed) if closed.way.is_some_and(|way| way == Way::In.name()) => self.closes = true,
            _ => {}
        }
    }

    pub(super) fn finish(self) -> Life {
        let hears = self.hears();
        let steps = self.entries.iter().filter_map(|entry| Step::of(entry, hears != Hears::Text));
        let mut life = Life {
            steps: steps.collect(),
            hears,
            args: self.args,
            version: self.version,
            closes: self.closes,
            ended: self.ended,
            end: self.end,
            began: self.began,
            recording: None,
        };
        life.version = life.version.take().or_else(|| version(&life.steps));
        life.ease();
        life
    }

    fn hears(&self) -> Hears {
        // Whoever saw the input closed would have seen what was written to it.
        let hears_any = self.closes || self.entries.iter().any(|entry| entry.way == Way::In);
        match &self.args {
            Some(args) if !args.is_json() => Hears::Text,
            _ if hears_any => Hears::Lines,
            _ => Hears::Unknown,
        }
    }
}

impl Life {
    /// Notes which lines of the host nobody waits for, and which may say anything.
    fn ease(&mut self) {
        let mut asked = HashMap::new();
        for step in &self.steps {
            if let Step::Say(say) = step {
                match &say.is {
                    Meaning::Ask { id, is_notice } => drop(asked.insert(id.clone(), (*is_notice, false))),
                    Meaning::Cancel { id } => {
                        asked.entry(id.clone()).or_insert((false, true)).1 = true;
                    }
                    _ => {}
                }
            }
        }
        let mut goes_on = false;
        for step in self.steps.iter_mut().rev() {
            match step {
                Step::Say(say) => goes_on |= say.way == Way::Out,
                Step::Hear(hear) => match &hear.lane {
                    Lane::Answer { id } => {
                        let (is_notice, is_withdrawn) = asked.get(id).copied().unwrap_or_default();
                        hear.is_any = is_notice;
                        // An answer that crosses the withdrawal, or the end, may as well not come.
                        hear.is_optional = is_withdrawn || !goes_on;
                    }
                    Lane::Nothing => hear.is_optional = true,
                    _ => {}
                },
            }
        }
    }
}

/// The version that a stream names.
fn version(steps: &[Step]) -> Option<String> {
    steps.iter().find_map(|step| {
        let Step::Say(say) = step else { return None };
        let text = str::from_utf8(&say.bytes).ok()?;
        let is_init = Kind::of(text) == Kind::System(SystemKind::Init);
        let line = is_init.then(|| Json::new(text.trim_end()).ok())??;
        Some(line.get("claude_code_version")?.as_str()?.to_string())
    })
}
