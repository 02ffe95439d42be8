//! The files of a session's agents.

use super::lines::Lines;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use unspool::json::Json;
use unspool::line::Line;
use unspool::transcript::Merge;

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
        let id = id_of(path)?.to_owned();
        Some(Agent { path: path.to_owned(), id, begins: Merge::time_of(&first), lines: None })
    }

    /// What stands beside it, by its id.
    pub(super) fn meta(&self) -> Option<(&str, String)> {
        let meta = self.path.with_extension("meta.json");
        fs::read_to_string(meta).ok().map(|meta| (&*self.id, meta))
    }

    /// Reads its first line. Returns whether there is one.
    pub(super) fn open(&mut self) -> io::Result<bool> {
        self.lines = Some(Lines::new(Vec::new(), Box::new(File::open(&self.path)?)));
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

/// The id of an agent with this file.
pub(super) fn id_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix("agent-")?.strip_suffix(".jsonl")
}

/// The session of an agent whose file stands beside the session's.
pub(super) fn session_of(path: &Path) -> Option<String> {
    let first = first_line(path)?;
    let text = String::from_utf8(first).ok()?;
    let session = Json::new(text.trim()).ok()?.get("sessionId")?.as_str()?;
    Some(session.to_string())
}

/// The files of the agents of the session with this main file.
pub(super) fn agents_of(main: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&main.with_extension("").join("subagents"), &mut found);
    let session = main.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = main.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let its_own = |path: &PathBuf| id_of(path).is_some() && session_of(path).as_deref() == Some(session);
    found.extend(beside.filter(its_own));
    found.sort();
    found
}

/// All agents' files in a folder and the folders in it.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, found),
            Ok(_) if id_of(&path).is_some() => found.push(path),
            _ => {}
        }
    }
}

fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut lines = Lines::new(Vec::new(), Box::new(File::open(path).ok()?));
    lines.advance().ok()?.then(|| lines.line().bytes.to_vec())
}
