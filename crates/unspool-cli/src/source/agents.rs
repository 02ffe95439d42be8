//! The files of a session's agents.

use super::lines::Lines;
use super::open::open;
use super::unpack::plain_name;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use unspool::line::Line;
use unspool::transcript::Merge;
use unspool_client::kept::KeptAgent;

/// The file of an agent, which is open only while the agent is at work.
pub(super) struct Agent {
    path: PathBuf,
    pub(super) id: String,
    /// When it begins, if its first line says so.
    pub(super) begins: Option<i64>,
    lines: Option<Lines>,
}

impl Agent {
    /// `None` if there is nothing to read.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let first = first_line(path)?;
        let KeptAgent { id, .. } = KeptAgent::at(plain_name(path))?;
        Some(Agent { path: path.to_owned(), id, begins: Merge::time_of(&first), lines: None })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What stands beside it, by its id.
    pub(super) fn meta(&self) -> Option<(&str, String)> {
        let meta = plain_name(&self.path).with_extension("meta.json");
        fs::read_to_string(meta).ok().map(|meta| (&*self.id, meta))
    }

    /// Reads its first line. Returns whether there is one.
    pub(super) fn open(&mut self) -> io::Result<bool> {
        self.lines = Some(Lines::new(Vec::new(), open(&self.path)?));
        self.advance()
    }

    /// Reads its next line. Returns whether there is one.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        self.lines.as_mut().map_or(Ok(false), Lines::advance)
    }

    /// The line that was read last.
    pub(super) fn line(&self) -> Line<'_> {
        let none = Line::whole(0, b"", unspool::line::End::Newline);
        self.lines.as_ref().map_or(none, Lines::line)
    }

    pub(super) fn close(&mut self) {
        self.lines = None;
    }
}

/// The files of the agents of the session with this main file.
pub(super) fn agents_of(main: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if plain_name(main) == main {
        return Ok(KeptAgent::of(main)?.into_iter().map(|agent| agent.path).collect());
    }
    // Who compresses a session compresses its agents, too, which Claude Code itself would not find.
    let folder = main.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_main = |path: &Path| path.parent() == Some(folder) && path.file_name() == main.file_name();
    let found = super::find::in_folder(folder)?.into_iter().find(|source| is_main(&source.path));
    Ok(found.and_then(|source| source.agents).unwrap_or_default())
}

fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut lines = Lines::new(Vec::new(), open(path).ok()?);
    lines.advance().ok()?.then(|| lines.line().bytes.to_vec())
}
