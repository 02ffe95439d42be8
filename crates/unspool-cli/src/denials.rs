//! Which calls were not allowed, as far as it is known when their answers come.
//!
//! Claude Code says it by a notice of its own, or by the answer to its question; a turn lists all of them only at its
//! end.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use unspool::event::{Decision, Event, Raw, What};
use unspool::json::Json;

/// Watches who is asked, and what is decided. Memory grows with what is open and what was denied.
#[derive(Default)]
pub(crate) struct Denials {
    /// Calls without an answer, by what they are: CLI 1.0 does not say which one it asks about.
    open: HashMap<u64, String>,
    /// Calls that are asked about, by request.
    asked: HashMap<String, String>,
    denied: HashSet<String>,
}

impl Denials {
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::ToolUse { id: Some(id), name, input, .. } => {
                self.open.insert(what(name.as_deref(), input.as_ref()), id.to_string());
            }
            What::ToolResult { id: Some(id), .. } => self.open.retain(|_, open| *open != **id),
            What::PermissionRequest { request: Some(request), call, tool, input, .. } => {
                let open = || self.open.get(&what(tool.as_deref(), input.as_ref())).cloned();
                if let Some(call) = call.as_deref().map(str::to_owned).or_else(open) {
                    self.asked.insert(request.to_string(), call);
                }
            }
            What::PermissionResolved { request: Some(request), decision, .. } => {
                let call = self.asked.remove(&**request);
                self.denied.extend(call.filter(|_| *decision == Decision::Deny));
            }
            What::Notice { kind, data } if kind == "permission_denied" => {
                let call = data.json().get("tool_use_id").and_then(Json::as_str);
                self.denied.extend(call.map(|call| call.to_string()));
            }
            What::TurnComplete { denials: Some(denials), .. } => {
                let calls = denials.json().items().filter_map(|denial| denial.get("tool_use_id")?.as_str());
                self.denied.extend(calls.map(|call| call.to_string()));
            }
            _ => {}
        }
    }

    /// Whether this call was denied.
    pub(crate) fn has(&self, call: &str) -> bool {
        self.denied.contains(call)
    }
}

/// What a call is, if nothing names it.
fn what(tool: Option<&str>, input: Option<&Raw<'_>>) -> u64 {
    let mut hasher = DefaultHasher::new();
    tool.hash(&mut hasher);
    input.map(|input| input.json().text()).hash(&mut hasher);
    hasher.finish()
}
