//! Lines that are told as they came, as types: notices, tasks, states and the like.

use super::{Raw, What};
use crate::wire::{Entry, Envelope, Kind};

impl<'a> What<'a> {
    /// The line that this was made of, if it is a notice, a task, a status, a hook, a retry, a rate limit or a compaction.
    ///
    /// Where its kind is not known to this version, or it is no object, the line is [`Envelope::Unknown`]. What only transcripts have is an
    /// [`entry`](Self::entry), and no line. `uuid`, `session_id` and `timestamp` of the line are fields of the event; an event that was
    /// read back has them only there.
    ///
    /// ```
    /// use unspool::event::Event;
    /// use unspool::wire::system::System;
    /// use unspool::wire::Envelope;
    ///
    /// let event = Event::read(r#"{"type":"task","seq":9,"agent":"main","kind":"task_started","data":{"task_id":"b1"}}"#)?;
    /// let Some(Envelope::System(System::TaskStarted(task))) = event.what.envelope() else { panic!() };
    /// assert_eq!(task.task_id.unwrap(), "b1");
    /// # Ok::<(), unspool::event::NotAnEvent>(())
    /// ```
    #[must_use]
    pub fn envelope(&self) -> Option<Envelope<'_>> {
        let (name, data) = self.line()?;
        match Kind::named(name) {
            Some(kind) => Some(Envelope::of_kind(kind, data.json())),
            None if Entry::named(name, data.json()).is_some() => None,
            None => Some(Envelope::Unknown(data.json())),
        }
    }

    /// What kind of line this was made of; [`Kind::Unknown`] where streams have no such line, `None` if it is no such event. Cheaper than
    /// [`envelope`](Self::envelope) where nothing else is wanted.
    #[must_use]
    pub fn line_kind(&self) -> Option<Kind> {
        self.line().map(|(name, _)| Kind::named(name).unwrap_or(Kind::Unknown))
    }

    /// The entry of a transcript that this was made of, if streams have no such line. An event that was read back has its `uuid`,
    /// `sessionId` and `timestamp` only in its own fields.
    ///
    /// ```
    /// use unspool::event::Event;
    /// use unspool::wire::Entry;
    ///
    /// let event = Event::read(r#"{"type":"notice","seq":9,"agent":"main","kind":"pr-link","data":{"prNumber":7}}"#)?;
    /// let Some(Entry::PrLink(link)) = event.what.entry() else { panic!() };
    /// assert_eq!(link.pr_number, Some(7));
    /// # Ok::<(), unspool::event::NotAnEvent>(())
    /// ```
    #[must_use]
    pub fn entry(&self) -> Option<Entry<'_>> {
        let (name, data) = self.line()?;
        match Kind::named(name) {
            Some(_) => None,
            None => Entry::named(name, data.json()),
        }
    }

    /// How the wire calls it, and its fields.
    fn line(&self) -> Option<(&str, &Raw<'a>)> {
        match self {
            What::Hook { kind, data }
            | What::Task { kind, data }
            | What::Status { kind, data }
            | What::ApiRetry { kind, data }
            | What::RateLimit { kind, data }
            | What::Compaction { kind, data }
            | What::Notice { kind, data } => Some((kind, data)),
            _ => None,
        }
    }
}
