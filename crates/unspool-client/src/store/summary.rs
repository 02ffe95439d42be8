//! What a store knows of its sessions without reading them again.

use super::TranscriptFile;
use crate::kept::About;
use std::time::SystemTime;
use unspool::control::Payload;

/// A session that a store has.
#[derive(Clone, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "stores make them")]
pub struct Listed {
    /// The folder of the project, as Claude Code names it.
    pub project: String,
    /// The session.
    pub session: String,
    /// When its own transcript was last written to, by the clock of the store.
    pub modified: SystemTime,
}

impl Listed {
    pub(super) fn of(summary: &Summary) -> Self {
        let Summary { project, session, modified, .. } = summary.clone();
        Listed { project, session, modified }
    }
}

/// What a store knows of a session without reading it again, because it has looked at what it was given to append.
///
/// A store keeps one for each session of each project, and has it [step](Self::step) with every append; [`About`] is written and read
/// by serde. Who appends from several places at once takes care that no step is lost.
///
/// ```
/// use std::time::SystemTime;
/// use unspool_client::unspool::control::Payload;
/// use unspool_client::store::{Summary, TranscriptFile};
///
/// let file = TranscriptFile::at("-work/5e55.jsonl").unwrap();
/// let asked = serde_json::json!({ "type": "user", "uuid": "1", "cwd": "/work", "message": { "content": "2+2?" } });
/// let named = serde_json::json!({ "type": "custom-title", "customTitle": "Sums" });
/// let mut summary = Summary::new(&file);
/// summary.step(&file, &[Payload::from(asked)], SystemTime::now());
/// summary.step(&file, &[Payload::from(named)], SystemTime::now());
///
/// let kept = serde_json::to_string(&summary.about)?;
/// summary.about = serde_json::from_str(&kept)?;
/// assert_eq!((summary.about.best(), summary.about.first_prompt.as_deref()), (Some("Sums"), Some("2+2?")));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "stores make them")]
pub struct Summary {
    /// The folder of the project, as Claude Code names it.
    pub project: String,
    /// The session.
    pub session: String,
    /// When the summary was last written, by the clock that [`Listed::modified`] is taken from: one that is older than its session counts
    /// for nothing.
    pub modified: SystemTime,
    /// What the entries say.
    pub about: About,
}

impl Summary {
    /// The summary of a session of which nothing is known yet.
    #[must_use]
    pub fn new(file: &TranscriptFile) -> Self {
        Summary {
            project: file.project.clone(),
            session: file.session.clone(),
            modified: SystemTime::UNIX_EPOCH,
            about: About::default(),
        }
    }

    /// Takes entries that are added to a file now; not those that the store has already. What began something stays
    /// ([`first_prompt`](About::first_prompt), [`began`](About::began), [`cwd`](About::cwd)), of all else the last one counts. Transcripts
    /// of agents, and of other sessions, say nothing of it.
    pub fn step(&mut self, file: &TranscriptFile, entries: &[Payload], now: SystemTime) {
        if file.part.is_some() || (&file.project, &file.session) != (&self.project, &self.session) {
            return;
        }
        for entry in entries {
            self.about.step(entry.json());
        }
        self.modified = now;
    }
}
