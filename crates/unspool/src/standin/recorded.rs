//! A recording, read whole.

use super::args::Args;
use super::life::{Life, LifeDraft};
use super::names::Names;
use super::stand_in::StandIn;
use crate::journal::{Entry, Fault, Note, Reader, Way, is_journal};
use crate::line::{DEFAULT_LIMIT, Splitter};

/// A recording, read whole: each [`Life`] of the program in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    lives: Vec<Life>,
    faults: Vec<Fault>,
}

impl Recorded {
    /// Reads the text of a journal, or a bare stream: what Claude Code wrote and nothing else. Nobody can know what the host wrote to
    /// that; all of it is played as soon as the host has written a prompt, or at once where it writes none.
    #[must_use]
    pub fn read(text: &[u8]) -> Self {
        let mut recorded = Recorded::default();
        if is_journal(text) {
            recorded.read_journal(text);
        } else {
            recorded.read_stream(text);
        }
        recorded
    }

    /// Several recordings as one, each with what it is called: the lives of all of them, in the order in which they began.
    #[must_use]
    pub fn together(recordings: impl IntoIterator<Item = (String, Recorded)>) -> Self {
        let mut together = Recorded::default();
        for (name, recorded) in recordings {
            let named = |life: Life| Life { recording: Some(name.clone()), ..life };
            together.lives.extend(recorded.lives.into_iter().map(named));
            together.faults.extend(recorded.faults);
        }
        together.lives.sort_by(|left, right| left.began.cmp(&right.began));
        together
    }

    /// Each time that the program was started. There is one at least, unless no recordings were put together.
    #[must_use]
    pub fn lives(&self) -> &[Life] {
        &self.lives
    }

    /// What is wrong with the journal: what is there is played.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The version of Claude Code that was recorded, where that is known.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.lives.iter().find_map(Life::version)
    }

    /// The life whose arguments fit these best, of those that are `free`; of equals the first. A command that is no session, such as
    /// `mcp list`, has to be the recorded one. Names are those that are known from lives that were played.
    #[must_use]
    pub fn best<A: AsRef<str>>(
        &self,
        args: &[A],
        names: &Names,
        free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let args = Args::read(args);
        let cost = |life: &Life| {
            life.args.as_ref().map_or(0, |recorded| {
                args.deviations(recorded, names).into_iter().map(|(_, weight)| weight).sum::<u32>()
            })
        };
        let command = |life: &Life| life.args.as_ref().and_then(Args::command);
        let lives = self
            .lives
            .iter()
            .enumerate()
            .filter(|(index, life)| free(*index) && command(life) == args.command());
        lives.min_by_key(|(_, life)| cost(life)).map(|(index, _)| index)
    }

    /// Plays a life, by its index, for a host that gives these arguments.
    ///
    /// # Panics
    ///
    /// If there is no such life.
    #[must_use]
    pub fn stand_in<A: AsRef<str>>(&self, life: usize, args: &[A]) -> StandIn {
        StandIn::new(&self.lives[life], args)
    }

    fn read_journal(&mut self, text: &[u8]) {
        let mut reader = Reader::new();
        let mut drafts = vec![LifeDraft::default()];
        let mut faults = Vec::new();
        let mut take = |entry: Result<Entry<'_>, Fault>| match entry {
            Ok(entry) => {
                let note = entry.note();
                if let Some(Note::Start(_)) = note {
                    let before = drafts.last().map(LifeDraft::behind);
                    drafts.push(before.unwrap_or_default());
                }
                if let Some(draft) = drafts.last_mut() {
                    draft.entry(&entry, note);
                }
            }
            Err(fault) => faults.push(fault),
        };
        reader.feed(text, &mut take);
        reader.finish(&mut take);
        self.lives = drafts.into_iter().map(LifeDraft::finish).collect();
        self.faults = faults;
    }

    fn read_stream(&mut self, text: &[u8]) {
        let mut draft = LifeDraft::default();
        let mut splitter = Splitter::new(DEFAULT_LIMIT);
        let mut take = |line: crate::line::Line<'_>| {
            let entry = Entry::new(line.number, 0, Way::Out, line.bytes);
            draft.entry(&Entry { end: line.end, ..entry }, None);
        };
        splitter.feed(text, &mut take);
        splitter.finish(&mut take);
        self.lives = vec![draft.finish()];
    }
}
