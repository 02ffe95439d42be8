//! Which calls were not allowed, as far as it is known when their answers come.
//!
//! Claude Code says it by a notice of its own, by the answer to its question or of a hook, or in the tool's place; a turn lists
//! all of them only at its end.

use crate::words::tool_failure;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use unspool::event::{Decision, Event, Raw, Tell, What};
use unspool::json::Json;
use unspool::wire::quirk::says_denied;
use unspool::wire::system::{PermissionDenied, System};
use unspool::wire::{Envelope, Kind, PermissionDenial, SystemKind, Wire};

/// Watches who is asked, and what is decided. Memory grows with what is open and what was denied.
#[derive(Default)]
pub struct Denials {
    /// Calls without an answer, by what they are: CLI 1.0 does not say which one it asks about.
    open: HashMap<u64, String>,
    /// What the open calls are, by id.
    whats: HashMap<String, u64>,
    /// Calls that are asked about, by request.
    asked: HashMap<String, String>,
    denied: HashSet<String>,
    /// What turns list, each call once: later turns may list what earlier ones did.
    listed: Vec<Raw<'static>>,
    /// The ids of those; of one without an id all its text.
    known: HashSet<String>,
}

impl Denials {
    /// Takes an event. Returns what a turn lists that none has listed before.
    pub fn step(&mut self, event: &Event<'_>) -> &[Raw<'static>] {
        let known = self.listed.len();
        match &event.what {
            What::ToolUse { id: Some(id), name, input, .. } => {
                let what = what(name.as_deref(), input.as_ref());
                self.open.insert(what, id.to_string());
                self.whats.insert(id.to_string(), what);
            }
            What::ToolResult { id: Some(id), output, is_error, .. } => {
                if let Some(what) = self.whats.remove(&**id)
                    && self.open.get(&what).is_some_and(|open| *open == **id)
                {
                    self.open.remove(&what);
                }
                if *is_error && says_denied(output) {
                    self.denied.insert(id.to_string());
                }
            }
            What::PermissionRequest { request: Some(request), call, tool, input, .. } => {
                let open = || self.open.get(&what(tool.as_deref(), input.as_ref())).cloned();
                if let Some(call) = call.as_deref().map(str::to_owned).or_else(open) {
                    self.asked.insert(request.to_string(), call);
                }
            }
            What::PermissionResolved { request: Some(request), decision, call, .. } => {
                let call = self.asked.remove(&**request).or_else(|| call.as_deref().map(str::to_owned));
                self.denied.extend(call.filter(|_| *decision == Decision::Deny));
            }
            What::Notice { .. } => {
                let call = told(&event.what).and_then(|line| line.tool_use_id);
                self.denied.extend(call.map(|call| call.to_string()));
            }
            What::TurnComplete { denials: Some(denials), .. } => {
                denials.json().items().for_each(|denial| self.list(denial));
            }
            _ => {}
        }
        &self.listed[known..]
    }

    /// Whether this call was denied.
    #[must_use]
    pub fn has(&self, call: &str) -> bool {
        self.denied.contains(call)
    }

    /// What turns list, each call once, as the wire has it.
    #[must_use]
    pub fn listed(&self) -> &[Raw<'static>] {
        &self.listed
    }

    fn list(&mut self, denial: Json<'_>) {
        let call = PermissionDenial::of(denial).and_then(|denial| denial.tool_use_id);
        let call = call.map(|call| call.to_string());
        self.denied.extend(call.clone());
        if self.known.insert(call.unwrap_or_else(|| denial.text().to_owned())) {
            self.listed.push(Raw::new(denial).own());
        }
    }
}

/// The tool of a denial.
#[must_use]
pub fn denied_tool(denial: &Raw<'_>) -> String {
    let tool = PermissionDenial::of(denial.json()).and_then(|denial| denial.tool_name);
    tool.map(|tool| tool.to_string()).unwrap_or_else(|| "?".to_owned())
}

/// What Claude Code says of a call that it did not allow, if this says so.
pub(crate) fn told<'e>(what: &'e What<'_>) -> Option<PermissionDenied<'e>> {
    if what.line_kind() != Some(Kind::System(SystemKind::PermissionDenied)) {
        return None;
    }
    match what.envelope() {
        Some(Envelope::System(System::PermissionDenied(line))) => Some(line),
        _ => None,
    }
}

/// Why a call was denied, without the words by which Claude Code says that a hook did it.
#[must_use]
pub fn reason(output: &str) -> &str {
    let output = tool_failure(output);
    let by_hook = |mark: &str| {
        let (hook, why) = output.split_once(mark)?;
        (!hook.contains(char::is_whitespace)).then_some(why)
    };
    // 2.1.325, then 1.0.128; 2.0.77 says only why.
    by_hook(" hook error: ").or_else(|| by_hook(" operation blocked by hook:\n- ")).unwrap_or(output)
}

/// What a call is, if nothing names it.
fn what(tool: Option<&str>, input: Option<&Raw<'_>>) -> u64 {
    let mut hasher = DefaultHasher::new();
    tool.hash(&mut hasher);
    input.map(|input| input.json().text()).hash(&mut hasher);
    hasher.finish()
}
