//! The name of a transcript.

use std::path::PathBuf;

/// A transcript, by where it stands in Claude Code's folder `projects`.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub struct TranscriptFile {
    /// The folder of the project, as Claude Code names it.
    pub project: String,
    /// The session.
    pub session: String,
    /// Of an agent: its file below the session's folder, for example `subagents/agent-1.jsonl`.
    pub part: Option<String>,
}

impl TranscriptFile {
    /// The transcript at a place below `projects`; none if it is no such place.
    ///
    /// ```
    /// use unspool_client::store::TranscriptFile;
    ///
    /// let file = TranscriptFile::at("-home-me/5e55/subagents/agent-1.jsonl").unwrap();
    /// assert_eq!((&*file.session, file.part.as_deref()), ("5e55", Some("subagents/agent-1.jsonl")));
    /// assert_eq!(TranscriptFile::at("-home-me/../5e55.jsonl"), None);
    /// ```
    #[must_use]
    pub fn at(place: &str) -> Option<Self> {
        let (project, rest) = place.split_once('/')?;
        let (session, part) = match rest.split_once('/') {
            None => (rest.strip_suffix(".jsonl")?, None),
            Some((session, part)) => (session, Some(part.to_owned())),
        };
        let file = TranscriptFile { project: project.to_owned(), session: session.to_owned(), part };
        file.is_inside().then_some(file)
    }

    /// The transcript that Claude Code says it has written.
    pub(super) fn written(path: &str) -> Option<Self> {
        let path = path.replace('\\', "/");
        Self::at(path.rsplit_once("/projects/")?.1)
    }

    /// Where it stands, in the folder of a project. Whatever Claude Code writes is inside that folder.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        match &self.part {
            None => PathBuf::from(format!("{}.jsonl", self.session)),
            Some(part) => PathBuf::from(&self.session).join(part),
        }
    }

    /// Whether it stands where transcripts stand. A store may say anything.
    pub(super) fn is_inside(&self) -> bool {
        let names = [&*self.project, &*self.session].into_iter();
        let inside = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', ':', '\0']);
        let mut names = names.chain(self.part.iter().flat_map(|part| part.split('/')));
        names.all(inside) && !self.project.contains('/') && !self.session.contains('/')
    }
}
