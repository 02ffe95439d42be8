//! A folder for one session, with what a store has of it.

use super::{StoredTranscript, entries_of};
#[cfg(unix)]
use crate::options::User;
use crate::private::PrivateFolder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use unspool::control::Payload;
use unspool::transcript::{LONGEST_PROJECT, project_name};
use unspool::wire::entry::AgentMetadata;
use unspool::wire::input::Draft;
use unspool::wire::{Entry, Wire as _};

/// A folder that Claude Code takes for its own (`CLAUDE_CONFIG_DIR`). It goes with its value.
#[derive(Debug)]
pub(crate) struct Folder(PrivateFolder);

impl Folder {
    /// Lays files of a session where Claude Code looks for them if it works in `cwd`. From its own folder `config` it
    /// gets what it needs to work at all.
    pub(crate) fn with(
        transcripts: &[StoredTranscript],
        cwd: &Path,
        config: Option<&Path>,
    ) -> io::Result<Self> {
        let folder = Folder(PrivateFolder::create()?);
        if let Some(StoredTranscript { file, .. }) = transcripts.iter().find(|it| !it.file.is_inside()) {
            let what = format!("{file:?} is no place for a transcript");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let own = project_of(cwd);
        let places: BTreeSet<(&str, PathBuf)> = transcripts
            .iter()
            .map(|it| (own.as_deref().unwrap_or(&it.file.project), it.file.place()))
            .collect();
        for (project, place) in places {
            let file = transcripts.iter().find(|it| it.file.place() == place).map(|it| &it.file);
            let entries = entries_of(transcripts, file.and_then(|file| file.part.as_deref()));
            folder.lay(&entries, &folder.path().join("projects").join(project).join(place))?;
        }
        if let Some(config) = config {
            // Two who refresh a login throw each other out, and plugins are not here.
            folder.copy(config, ".credentials.json", &["/claudeAiOauth/refreshToken"])?;
            folder.copy(config, "settings.json", &["/enabledPlugins", "/extraKnownMarketplaces"])?;
        }
        Ok(folder)
    }

    /// Writes a transcript, and what it says of its agent beside it.
    fn lay(&self, entries: &[&Payload], path: &Path) -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(self.path()))?;
        let mut lines = BufWriter::new(File::create(path)?);
        let (about, entries): (Vec<&Payload>, Vec<&Payload>) =
            entries.iter().partition(|entry| is_metadata(entry));
        entries.iter().try_for_each(|entry| writeln!(lines, "{entry}"))?;
        lines.flush()?;
        about.last().map_or(Ok(()), |about| fs::write(path.with_extension("meta.json"), without_type(about)))
    }

    /// Makes it and all in it this user's, who could not read it otherwise.
    #[cfg(unix)]
    pub(crate) fn give_to(&self, user: User) -> io::Result<()> {
        self.0.give_to(user)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Copies an object without some of its fields. What is not there or no object is left.
    fn copy(&self, from: &Path, name: &str, without: &[&str]) -> io::Result<()> {
        let Ok(text) = fs::read_to_string(from.join(name)) else { return Ok(()) };
        let Ok(mut value) = serde_json::from_str::<Value>(&text) else { return Ok(()) };
        for field in without {
            let (object, name) = field.rsplit_once('/').unwrap_or(("", field));
            if let Some(object) = value.pointer_mut(object).and_then(Value::as_object_mut) {
                object.remove(name);
            }
        }
        self.0.write(name, &value.to_string()).map(drop)
    }
}

fn is_metadata(entry: &Payload) -> bool {
    matches!(Entry::of(entry.json()), Some(Entry::AgentMetadata(_)))
}

fn without_type(entry: &Payload) -> String {
    let tags = AgentMetadata::TYPE.tags;
    let others = entry.json().fields().filter(|(name, _)| tags.iter().all(|(tag, _)| *name != *tag));
    others
        .fold(Draft::new(), |draft, (name, value)| draft.with(&name.decode(), value))
        .json()
        .text()
        .to_owned()
}

/// How Claude Code names the folder of a project; none if only it knows.
fn project_of(cwd: &Path) -> Option<String> {
    let cwd = fs::canonicalize(cwd).ok()?;
    Some(project_name(cwd.to_str()?)).filter(|name| name.len() <= LONGEST_PROJECT)
}

#[cfg(test)]
mod tests {
    use super::super::{METADATA, TranscriptFile};
    use super::*;
    use serde_json::json;

    #[test]
    fn a_session_stands_where_it_is_looked_for_and_goes_with_the_folder() {
        let here = Folder::with(&[], Path::new("."), None).unwrap();
        let write = |name: &str, value: Value| fs::write(here.path().join(name), value.to_string()).unwrap();
        write(".credentials.json", json!({"claudeAiOauth": {"accessToken": "a", "refreshToken": "r"}}));
        write("settings.json", json!({"model": "opus", "enabledPlugins": {"x": true}}));
        let entries = vec![Payload::from(json!({"uuid": "1"})), Payload::from(json!({"uuid": "2"}))];
        let mut files = ["p/s.jsonl", "p/s/subagents/agent-1.jsonl"].map(|place| StoredTranscript {
            file: TranscriptFile::at(place).unwrap(),
            entries: entries.clone(),
        });
        files[1].entries.push(json!({"type": METADATA, "agentType": "Explore"}).into());
        let folder = Folder::with(&files, here.path(), Some(here.path())).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let project = format!("projects/{}", project_of(here.path()).unwrap());
        assert_eq!(read(&format!("{project}/s.jsonl")), "{\"uuid\":\"1\"}\n{\"uuid\":\"2\"}\n");
        assert_eq!(
            read(&format!("{project}/s/subagents/agent-1.jsonl")),
            read(&format!("{project}/s.jsonl"))
        );
        assert_eq!(read(&format!("{project}/s/subagents/agent-1.meta.json")), r#"{"agentType":"Explore"}"#);
        assert_eq!(read(".credentials.json"), r#"{"claudeAiOauth":{"accessToken":"a"}}"#);
        assert_eq!(read("settings.json"), r#"{"model":"opus"}"#);
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    /// Claude Code keeps a session under the project of the folder that it works in, so a store has one that went on elsewhere twice.
    #[test]
    fn a_session_that_went_on_elsewhere_is_laid_whole() {
        let here = Folder::with(&[], Path::new("."), None).unwrap();
        let files = [("b/s.jsonl", "1", 1), ("a/s.jsonl", "2", 2)].map(|(place, uuid, second)| {
            let time = format!("2026-11-15T06:48:{second:02}.000Z");
            StoredTranscript {
                file: TranscriptFile::at(place).unwrap(),
                entries: vec![json!({ "uuid": uuid, "timestamp": time }).into()],
            }
        });
        let folder = Folder::with(&files, here.path(), None).unwrap();
        let project = folder.path().join("projects").join(project_of(here.path()).unwrap());
        let lines = fs::read_to_string(project.join("s.jsonl")).unwrap();
        let order: Vec<bool> = lines.lines().map(|line| line.contains(r#""uuid":"1""#)).collect();
        assert_eq!(order, [true, false], "{lines}");
    }

    /// Only root may give something away.
    #[cfg(unix)]
    #[test]
    fn a_folder_is_given_to_whoever_is_to_read_it() {
        use std::os::unix::fs::MetadataExt;
        let file = TranscriptFile::at("p/s.jsonl").unwrap();
        let folder =
            Folder::with(&[StoredTranscript { file, entries: Vec::new() }], Path::new("."), None).unwrap();
        let given = folder.give_to(User { uid: 65534, gid: 65533 });
        if fs::metadata(folder.path()).unwrap().uid() == 65534 {
            given.unwrap();
            let inside =
                fs::read_dir(folder.path().join("projects")).unwrap().next().unwrap().unwrap().path();
            let file = fs::metadata(inside.join("s.jsonl")).unwrap();
            assert_eq!((file.uid(), file.gid()), (65534, 65533));
        } else {
            assert_eq!(given.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        }
    }

    #[test]
    fn nothing_is_laid_outside() {
        for (session, part) in [("..", None), ("s", Some("../../x")), ("s", Some("/etc/x")), ("a/b", None)] {
            let file =
                TranscriptFile { project: "p".into(), session: session.into(), part: part.map(Into::into) };
            assert!(
                Folder::with(&[StoredTranscript { file, entries: Vec::new() }], Path::new("."), None)
                    .is_err(),
                "{session} {part:?}"
            );
        }
    }
}
