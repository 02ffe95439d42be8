//! A session at a glance: when it was, and whether anything was said in it, from as little of its files as will do.

use super::Source;
use super::kind::What;
use super::lines::Lines;
use super::open::{Opened, open};
use anyhow::Context;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use unspool::event::{self, Event};
use unspool::journal::Playback;
use unspool::transcript::{Merge, Transcript};
use unspool::wire::quirk::SYNTHETIC;
use unspool::{Grain, Retelling, Spool};

/// Bytes at the end of a file that are looked at for its last time; more where they have none.
const TAILS: [u64; 2] = [16 << 10, 1 << 20];

/// What a glance at a session tells.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Glance {
    /// Its last time, in milliseconds since 1970; where it tells none, when its file was last written to.
    pub(crate) when: i64,
    /// Whether anything was said in it; none if only reading all of it would tell.
    pub(crate) spoken: Option<bool>,
}

impl Source {
    /// Looks at the beginning and the end of its files.
    pub(crate) fn glance(&self) -> anyhow::Result<Glance> {
        // What is piped in can be read only once, and comes now.
        if self.path.as_os_str() == "-" {
            return Ok(Glance { when: i64::MAX, spoken: Some(true) });
        }
        let look = || -> anyhow::Result<Glance> {
            let opened = Opened::new(&self.path)?;
            self.must_be_one(opened.what, opened.rest.is_cut())?;
            let agents = self.agents.as_deref().unwrap_or_default();
            let spoken = is_spoken(opened.what, Lines::new(opened.head, opened.rest))?;
            let spoken = if spoken || agents.is_empty() { Some(spoken) } else { None };
            let files = std::iter::once(&self.path).chain(agents);
            let when = files.filter_map(|file| last_time_of(file).ok().flatten()).max();
            Ok(Glance { when: when.or(self.written()).unwrap_or(0), spoken })
        };
        look().with_context(|| format!("cannot read {}", self.path.display()))
    }

    /// When its main file was last written to, in milliseconds since 1970.
    pub(crate) fn written(&self) -> Option<i64> {
        let since = self.modified.and_then(|time: SystemTime| time.duration_since(UNIX_EPOCH).ok())?;
        i64::try_from(since.as_millis()).ok()
    }
}

/// Whether a turn begins in it, or a model speaks. Reads no further than that.
fn is_spoken(form: What, mut lines: Lines) -> io::Result<bool> {
    let (mut transcript, mut spool) = (Transcript::new(Grain::Blocks), Spool::new(Grain::Blocks));
    let mut retelling = Retelling::new(Grain::Blocks);
    let mut playback = Playback::new(Spool::new(Grain::Blocks));
    while lines.advance()? {
        let mut spoken = false;
        let see = |event: Event<'_>| spoken |= says(&event.what);
        match form {
            What::Transcript => transcript.step(lines.line(), see),
            What::Events => retelling.step(lines.line(), see),
            What::Recording => playback.feed(&[lines.line().bytes, b"\n"].concat(), see),
            _ => spool.feed(&[lines.line().bytes, b"\n"].concat(), see),
        }
        if spoken {
            return Ok(true);
        }
    }
    Ok(false)
}

fn says(what: &event::What<'_>) -> bool {
    match what {
        event::What::TurnStart { .. } => true,
        event::What::Usage { model, .. } => model.as_deref().is_some_and(|model| model != SYNTHETIC),
        _ => false,
    }
}

/// The last time in a file. Nobody can look at the end of a compressed one alone.
fn last_time_of(path: &Path) -> io::Result<Option<i64>> {
    let unpacked = open(path)?;
    if !unpacked.is_packed() {
        return last_time(File::open(path)?);
    }
    let (mut lines, mut last) = (Lines::new(Vec::new(), unpacked), None);
    while lines.advance()? {
        last = last.max(Merge::time_of(lines.line().bytes));
    }
    Ok(last)
}

/// The highest time of the last lines that have one.
fn last_time(mut file: impl Read + Seek) -> io::Result<Option<i64>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut tail = Vec::new();
    for size in TAILS {
        let from = length.saturating_sub(size);
        file.seek(SeekFrom::Start(from))?;
        tail.clear();
        Read::by_ref(&mut file).take(size).read_to_end(&mut tail)?;
        // What stands before the first line end is only a part of its line.
        let begins = if from == 0 { Some(0) } else { memchr::memchr(b'\n', &tail).map(|end| end + 1) };
        let lines = begins.map_or(&[][..], |begins| &tail[begins..]).split(|&byte| byte == b'\n');
        let last = lines.filter_map(Merge::time_of).max();
        if last.is_some() || from == 0 {
            return Ok(last);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::unpack::Unpacked;
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_last_time_is_found_behind_long_lines_and_lines_without_one() {
        let entry = |second: u8| format!("{{\"timestamp\":\"1970-01-01T00:00:0{second}.000Z\"}}\n");
        let long = |length: usize| format!("{{\"a\":\"{}\"}}\n", "x".repeat(length));
        for (name, text, last) in [
            ("empty", String::new(), None),
            ("plain", entry(1) + &entry(3) + &entry(2), Some(3000)),
            ("behind", entry(1) + &entry(2) + &long(20 << 10), Some(2000)),
            ("far", entry(1) + &long(2 << 20), None),
            ("part", long(2 << 20) + &entry(4), Some(4000)),
        ] {
            assert_eq!(last_time(Cursor::new(text)).unwrap(), last, "{name}");
        }
    }

    #[test]
    fn it_is_spoken_where_a_turn_begins() {
        let prompt =
            "{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\",\"message\":{\"content\":\"Hello\"}}\n";
        let title = "{\"type\":\"summary\",\"summary\":\"A title\",\"leafUuid\":\"u\"}\n";
        let is_spoken = |form, text: &str| {
            is_spoken(form, Lines::new(text.into(), Unpacked::new(Box::new(io::empty())).unwrap())).unwrap()
        };
        let (stream, transcript) = (What::Stream, What::Transcript);
        assert!(is_spoken(transcript, &format!("{title}{prompt}")) && !is_spoken(transcript, title));
        let init = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n";
        assert!(is_spoken(stream, init) && !is_spoken(stream, "Warning\n"));
        let event = "{\"type\":\"turn_start\",\"seq\":1,\"agent\":\"main\",\"turn\":1,\"cause\":\"user\"}\n";
        assert!(is_spoken(What::Events, event));
    }
}
