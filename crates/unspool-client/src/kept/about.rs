//! What is known of a session that is kept.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fs, io};
use unspool::json::{Json, Str};
use unspool::transcript::{milliseconds, typed};
use unspool::wire::entry::ArchiveMark;
use unspool::wire::{Block, Content, Entry, EntryHead, Wire as _};

/// What is known of a session on disk or in a store, without what was said in it.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct About {
    /// The name that the user gave it.
    pub custom_title: Option<String>,
    /// The name that a model gave it.
    pub ai_title: Option<String>,
    /// What it is about, in old versions.
    pub summary: Option<String>,
    /// What was asked first.
    pub first_prompt: Option<String>,
    /// What was asked last.
    pub last_prompt: Option<String>,
    /// The mark that the user put on it.
    pub tag: Option<String>,
    /// Where Claude Code worked.
    pub cwd: Option<String>,
    /// The branch that it was on last.
    pub git_branch: Option<String>,
    /// When it began: `2026-11-15T06:48:16.272Z`.
    pub began: Option<String>,
    /// The version that wrote to it last.
    pub version: Option<String>,
    /// The user put it away, and nothing was asked since. A store does not know that.
    pub archived: bool,
}

impl About {
    /// The best name for it: a title, else the words by which people know their session. A summary may be that of the session
    /// from which this one was resumed.
    pub fn best(&self) -> Option<&str> {
        let About { custom_title, ai_title, first_prompt, summary, last_prompt, .. } = self;
        [custom_title, ai_title, first_prompt, summary, last_prompt].into_iter().find_map(Option::as_deref)
    }

    /// What these entries say, all of a session's main file.
    pub(crate) fn of<'a>(entries: impl IntoIterator<Item = Json<'a>>) -> Self {
        let mut about = About::default();
        for entry in entries {
            about.step(entry);
        }
        about
    }

    /// What a main file says, and the mark beside it.
    pub(super) fn on_disk(text: &str, archived: &Path) -> io::Result<Self> {
        let (mut about, mut asked) = (About::default(), None);
        for entry in entries_in(text) {
            asked = about.step(entry).or(asked);
        }
        about.archived = match fs::read_to_string(archived) {
            Ok(mark) => put_away_at(&mark).is_some_and(|at| asked.is_none_or(|asked| asked <= at)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        Ok(about)
    }

    /// Takes the next entry. If it is a prompt, returns when it was asked.
    pub(crate) fn step(&mut self, entry: Json<'_>) -> Option<i64> {
        let set = |place: &mut Option<String>, said| *place = words(said).or(place.take());
        match Entry::of(entry)? {
            Entry::CustomTitle(entry) => set(&mut self.custom_title, entry.custom_title),
            Entry::AiTitle(entry) => set(&mut self.ai_title, entry.ai_title),
            Entry::Summary(entry) => set(&mut self.summary, entry.summary),
            Entry::LastPrompt(entry) => set(&mut self.last_prompt, entry.last_prompt),
            // An empty one takes it away.
            Entry::Tag(entry) => self.tag = words(entry.tag),
            Entry::Relocated(entry) => set(&mut self.cwd, entry.relocated_cwd),
            _ => {}
        }
        let head = EntryHead::of(entry)?;
        head.uuid?;
        self.began = self.began.take().or_else(|| words(head.timestamp));
        self.cwd = self.cwd.take().or_else(|| words(head.cwd));
        set(&mut self.git_branch, head.git_branch);
        set(&mut self.version, head.version);
        let prompt = prompt(&head)?;
        self.first_prompt.get_or_insert_with(|| prompt.clone());
        self.last_prompt = Some(prompt);
        words(head.timestamp).as_deref().and_then(milliseconds)
    }
}

/// The entries of a file. What is none is left out.
pub(crate) fn entries_in(text: &str) -> impl Iterator<Item = Json<'_>> {
    text.lines().filter_map(|line| Json::new(line.trim()).ok())
}

/// What the user typed, if this is that.
fn prompt(entry: &EntryHead<'_>) -> Option<String> {
    let marks =
        [entry.is_meta, entry.is_sidechain, entry.is_compact_summary, entry.is_visible_in_transcript_only];
    if !entry.is_user() || marks.contains(&Some(true)) {
        return None;
    }
    let words = match entry.message?.read().content? {
        Content::Text(words) => words,
        Content::Blocks(blocks) => blocks.iter().find_map(|block| match block {
            Block::Text(block) => block.text,
            _ => None,
        })?,
        _ => return None,
    };
    typed(&words.decode()).map(|words| words.into_owned())
}

/// When a session was put away; none if it was put back.
fn put_away_at(mark: &str) -> Option<i64> {
    let mark = ArchiveMark::of(Json::new(mark.trim()).ok()?)?;
    mark.archived.filter(|archived| *archived)?;
    milliseconds(&words(mark.at)?)
}

/// What a field says, if it says anything.
fn words(said: Option<Str<'_>>) -> Option<String> {
    said.map(|said| said.to_string()).filter(|words| !words.is_empty())
}
