//! A state as JSON, for programs.

use super::{Standing, State};
use serde_json::{Value, json};

impl State {
    /// What it is doing at this time, as one object: `state`, `since`, and what belongs to the state. Times are those that the
    /// state was given.
    #[must_use]
    pub fn json(&self, now: u64) -> Value {
        let standing = self.at(now);
        let mut object = standing_json(&standing);
        let agents: Vec<Value> = self
            .activity()
            .workers()
            .map(|worker| {
                json!({
                    "agent": worker.agent,
                    "description": worker.description,
                    "doing": worker.words(),
                    "since": worker.busy_since(),
                    "calls": worker.calls().map(|call| json!({
                        "id": call.id, "tool": call.words.tool, "words": call.words.line(), "since": call.since,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect();
        let asks: Vec<Value> = self
            .asks()
            .map(|ask| {
                json!({
                    "request": ask.request,
                    "kind": ask.kind.as_str(),
                    "agent": ask.agent,
                    "tool": ask.tool,
                    "call": ask.call,
                    "words": ask.words.line(),
                    "since": ask.since,
                })
            })
            .collect();
        object["agents"] = agents.into();
        object["asks"] = asks.into();
        object["tasks"] = self.tasks().collect::<Vec<_>>().into();
        object
    }
}

fn standing_json(standing: &Standing) -> Value {
    let mut object = json!({ "state": standing.name(), "since": standing.since() });
    match standing {
        Standing::Stuck { last, .. } => object["last"] = json!(last),
        Standing::Away { was, .. } => object["was"] = standing_json(was),
        Standing::Done { verdict, reason } => {
            object["verdict"] = json!(verdict.as_str());
            object["code"] = json!(verdict.code());
            object["reason"] = json!(reason);
        }
        _ => {}
    }
    object
}
