//! A folder of transcripts, as Claude Code would have kept them over a long time.

use anyhow::{Context, ensure};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A session to make others from: its main file, and those of its agents.
struct Pattern {
    id: String,
    main: String,
    /// Where each stands beside the main file, and its text.
    agents: Vec<(PathBuf, String)>,
}

/// How the folder was made.
pub struct Kept {
    pub files: usize,
    pub bytes: u64,
}

/// Sessions of one project before the next one begins.
const PROJECT: usize = 100;

/// Makes `projects/` in `folder` with about so many files of so many bytes in all, from the sessions under
/// `patterns`. Every session, message, request and call has ids of its own; a session is made longer by turns that
/// repeat those of its pattern.
pub fn keep(patterns: &Path, folder: &Path, files: usize, bytes: u64) -> anyhow::Result<Kept> {
    let patterns = Pattern::all(patterns)?;
    ensure!(!patterns.is_empty(), "no transcripts to make others from");
    let mut kept = Kept { files: 0, bytes: 0 };
    let mut number = 0;
    while kept.files < files {
        let pattern = &patterns[number % patterns.len()];
        let left = (files - kept.files) as u64;
        let want = (bytes.saturating_sub(kept.bytes) / left) * (1 + pattern.agents.len() as u64);
        let project = folder.join("projects").join(format!("-home-user-project-{}", number / PROJECT));
        pattern.write(&project, number, want, &mut kept)?;
        number += 1;
    }
    Ok(kept)
}

impl Pattern {
    fn all(folder: &Path) -> anyhow::Result<Vec<Pattern>> {
        let mut files = Vec::new();
        collect(folder, &mut files)?;
        files.sort();
        let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (agents, mains): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|path| name(path).starts_with("agent-"));
        let mut patterns = Vec::new();
        for path in mains {
            let (id, main) = (name(&path), fs::read_to_string(&path)?);
            let mine = format!("\"sessionId\":\"{id}\"");
            let folder = path.parent().context("a file is in a folder")?;
            let mut own = Vec::new();
            for agent in agents.iter().filter(|agent| agent.starts_with(folder)) {
                let text = fs::read_to_string(agent)?;
                if text.contains(&mine) {
                    own.push((agent.strip_prefix(folder)?.to_owned(), text));
                }
            }
            if main.contains("\"type\":\"assistant\"") {
                patterns.push(Pattern { id, main, agents: own });
            }
        }
        Ok(patterns)
    }

    fn write(&self, project: &Path, number: usize, want: u64, kept: &mut Kept) -> anyhow::Result<()> {
        let id = format!("{:08x}-0000-4000-8000-{number:012x}", number.wrapping_mul(0x9e37_79b1) as u32);
        let once: u64 = self.agents.iter().map(|(_, text)| text.len() as u64).sum();
        let turns = (want.saturating_sub(once) / self.main.len() as u64).max(1);
        let mut write = |path: PathBuf, text: &str, turns: u64| -> anyhow::Result<()> {
            fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
            let mut file = BufWriter::with_capacity(1 << 20, fs::File::create(&path)?);
            for turn in 0..turns {
                let text = renew(text, &self.id, &id, number, turn);
                kept.bytes += text.len() as u64;
                file.write_all(text.as_bytes())?;
            }
            kept.files += 1;
            Ok(file.flush()?)
        };
        write(project.join(format!("{id}.jsonl")), &self.main, turns)?;
        for (path, text) in &self.agents {
            let path = path.to_string_lossy().replace(&self.id, &id);
            let (path, name) = match path.strip_prefix("agent-") {
                // Agents of several sessions stand in one folder here.
                Some(rest) => (format!("agent-{number:x}{rest}"), format!("{number:x}")),
                None => (path, String::new()),
            };
            let text = text.replace("\"agentId\":\"", &format!("\"agentId\":\"{name}"));
            write(project.join(path), &text, 1)?;
        }
        Ok(())
    }
}

/// The same entries with other ids. Turns after the first end in the same way, and are other ones.
fn renew(text: &str, old: &str, new: &str, number: usize, turn: u64) -> String {
    let mark = format!("{number:x}x{turn:x}");
    let text = text.replace(old, new);
    let text = text.replace("msg_01Mock", &format!("msg_{mark}")).replace("req_mock", &format!("req_{mark}"));
    let text = text.replace("toolu_01Mock", &format!("toolu_{mark}"));
    ["\"uuid\":\"", "\"parentUuid\":\""]
        .iter()
        .fold(text, |text, field| text.replace(field, &format!("{field}{mark}-")))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|kind| kind == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}
