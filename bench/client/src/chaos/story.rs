//! What was told, beside what Claude Code wrote.

use serde_json::Value;
use std::fs;
use std::path::Path;
use unspool::{Event, Grain, Spool};

/// What the model said and what tools did: told the same way live and from a recording.
const CONTENT: [&str; 5] = ["text", "thinking", "tool_use", "tool_result", "turn_complete"];

/// The events of a session, as far as they are content, in order.
#[derive(Default)]
pub struct Story {
    content: Vec<String>,
    finished: usize,
    last: String,
}

impl Story {
    pub fn add(&mut self, event: &Event<'_>) {
        let value = serde_json::to_value(event).unwrap_or_default();
        let kind = value["type"].as_str().unwrap_or_default().to_owned();
        if CONTENT.contains(&kind.as_str()) {
            let field = |name: &str| value.get(name).map(Value::to_string).unwrap_or_default();
            // Not what depends on the way: a live session knows the cause of a turn, and its own prompts.
            let gist =
                ["type", "agent", "content", "id", "input", "output", "result", "uuid"].map(field).join(" ");
            self.content.push(gist);
        }
        self.finished += usize::from(kind == "finished");
        self.last = kind;
    }

    /// What is wrong with it, beside the copy of what Claude Code wrote.
    pub fn fault(&self, copy: &Path) -> Option<String> {
        if self.finished != 1 || self.last != "finished" {
            return Some(format!("`finished` was told {} times, last was `{}`", self.finished, self.last));
        }
        let mut written = Story::default();
        // There is no copy of what was killed before it began.
        let bytes = fs::read(copy).unwrap_or_default();
        Spool::new(Grain::Blocks).feed(&bytes, |event| written.add(&event));
        let mut told = self.content.iter();
        let lost = written.content.iter().find(|gist| !told.any(|told| told == *gist))?;
        Some(format!("lost: {lost}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_was_not_told_is_missed() {
        let line = |id: &str| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"{id}","content":[{{"type":"text","text":"{id}"}}]}}}}"#
            )
        };
        let copy = std::env::temp_dir().join(format!("unspool-story-{}.ndjson", std::process::id()));
        fs::write(&copy, format!("{}\n{}\n", line("one"), line("two"))).unwrap();
        let told = |lines: &[String]| {
            let mut story = Story::default();
            Spool::read(Grain::Blocks, lines.join("\n").as_bytes()).iter().for_each(|event| story.add(event));
            story.fault(&copy)
        };
        assert_eq!(told(&[line("one"), line("two")]), None);
        assert!(told(&[line("one")]).unwrap().contains("two"));
        assert!(told(&[line("two"), line("one")]).unwrap().contains("two"));
        fs::remove_file(&copy).unwrap();
    }
}
