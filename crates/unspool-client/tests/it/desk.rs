//! A session on disk, for tests to look at.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::{env, fs};
use unspool_client::kept::{KeptSession, KeptSessions};
use uuid::Uuid;

/// A folder of Claude Code with one session of two turns, which goes with its value.
pub(crate) struct Desk {
    pub(crate) config: PathBuf,
    pub(crate) id: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let config = env::temp_dir().join(format!("unspool-kept-{}", Uuid::new_v4()));
        let id = Uuid::new_v4().to_string();
        let desk = Desk { config, id };
        let agent = desk.write("agent-a.jsonl", &[said("a", None, "user", "look")]);
        fs::create_dir_all(desk.project().join(&desk.id).join("subagents")).unwrap();
        let agents = desk.project().join(&desk.id).join("subagents");
        fs::rename(agent, agents.join("agent-a.jsonl")).unwrap();
        fs::write(agents.join("agent-a.meta.json"), AGENT).unwrap();
        let entries = [
            json!({ "type": "mode", "mode": "default", "sessionId": desk.id }),
            said(U1, None, "user", "first question"),
            said(A1, Some(U1), "assistant", "first answer"),
            json!({ "type": "progress", "uuid": P, "parentUuid": A1, "timestamp": "2026-11-15T06:48:16.272Z" }),
            said(U2, Some(P), "user", "second question"),
            said(A2, Some(U2), "assistant", &format!("second answer, {U1}")),
            json!({ "type": "cost-state", "totalCostUSD": 1.0, "sessionId": desk.id }),
            json!({ "type": "tools-used", "tools": ["Bash"], "sessionId": desk.id }),
        ];
        desk.write(&format!("{}.jsonl", desk.id), &entries);
        desk.write("notes.jsonl", &[json!({ "type": "user" })]);
        desk
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.config.join("projects/-work")
    }

    pub(crate) fn write(&self, name: &str, entries: &[Value]) -> PathBuf {
        fs::create_dir_all(self.project()).unwrap();
        let path = self.project().join(name);
        fs::write(&path, entries.iter().map(|entry| format!("{entry}\n")).collect::<String>()).unwrap();
        path
    }

    pub(crate) fn session(&self) -> KeptSession {
        KeptSessions::at(&self.config).find(&self.id).unwrap().unwrap()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.config).unwrap();
    }
}

/// What stands beside the transcript of its agent.
pub(crate) const AGENT: &str = r#"{"agentType":"Explore","toolUseId":"toolu_1","parentAgentId":"b"}"#;

pub(crate) const U1: &str = "00000000-0000-4000-8000-000000000001";
pub(crate) const A1: &str = "00000000-0000-4000-8000-000000000002";
pub(crate) const P: &str = "00000000-0000-4000-8000-000000000003";
pub(crate) const U2: &str = "00000000-0000-4000-8000-000000000004";
pub(crate) const A2: &str = "00000000-0000-4000-8000-000000000005";

pub(crate) fn said(uuid: &str, parent: Option<&str>, kind: &str, words: &str) -> Value {
    json!({
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "isSidechain": false,
        "cwd": "/work",
        "gitBranch": "main",
        "version": "2.1.325",
        "timestamp": "2026-11-15T06:48:16.272Z",
        "message": { "role": kind, "content": words },
    })
}
