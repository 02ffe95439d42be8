//! Which calls were not allowed, as far as it is known when their answers come.
//!
//! Claude Code says it by a notice of its own, by the answer to its question or of a hook, or in the tool's place; a turn lists
//! them at its end, but not those that a rule or the host has denied.

use crate::words::tool_failure;
use std::collections::HashMap;
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
    /// What each of them is, and its tool, by its id.
    calls: HashMap<String, (u64, String)>,
    /// Calls that are asked about, by request.
    asked: HashMap<String, String>,
    /// Each call once: later turns may list what earlier ones did, and many list none of what the host has denied.
    listed: Vec<Raw<'static>>,
    /// Their places in the list, by their ids; of one without an id by all its text.
    known: HashMap<String, usize>,
}

impl Denials {
    /// Takes an event. Returns which calls are known by it not to have been allowed.
    pub fn step(&mut self, event: &Event<'_>) -> &[Raw<'static>] {
        let known = self.listed.len();
        match &event.what {
            What::ToolUse { id: Some(id), name, input, .. } => {
                let what = what(name.as_deref(), input.as_ref());
                self.open.insert(what, id.to_string());
                self.calls.insert(id.to_string(), (what, name.as_deref().unwrap_or("?").to_owned()));
            }
            What::ToolResult { id: Some(id), output, is_error, .. } => {
                if *is_error && says_denied(output) {
                    self.deny(id, "?");
                }
                if let Some((what, _)) = self.calls.remove(&**id)
                    && self.open.get(&what).is_some_and(|open| *open == **id)
                {
                    self.open.remove(&what);
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
                if let Some(call) = call.filter(|_| *decision == Decision::Deny) {
                    self.deny(&call, "?");
                }
            }
            What::Notice { .. } => {
                if let Some((call, tool)) =
                    told(&event.what).and_then(|line| line.tool_use_id.zip(line.tool_name))
                {
                    self.deny(&call.to_string(), &tool.to_string());
                }
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
        self.known.contains_key(call)
    }

    /// All calls that were not allowed, each once, as a result of the wire lists them: of one that is in no such list the tool and
    /// the id.
    #[must_use]
    pub fn listed(&self) -> &[Raw<'static>] {
        &self.listed
    }

    /// A call that a result lists, which says most of it.
    fn list(&mut self, denial: Json<'_>) {
        let call = PermissionDenial::of(denial).and_then(|denial| denial.tool_use_id);
        let key = call.map_or_else(|| denial.text().to_owned(), |call| call.to_string());
        self.keep(key, Raw::new(denial));
    }

    /// A call of which something else says so, and perhaps whose it is.
    fn deny(&mut self, call: &str, said: &str) {
        if !self.has(call) {
            let tool = self.calls.get(call).map_or(said, |(_, tool)| tool);
            let text = PermissionDenial::text_of(tool, call);
            if let Ok(denial) = Json::new(&text) {
                self.keep(call.to_owned(), Raw::new(denial));
            }
        }
    }

    fn keep(&mut self, key: String, denial: Raw<'_>) {
        match self.known.get(&key) {
            Some(place) => self.listed[*place] = denial.own(),
            None => {
                self.known.insert(key, self.listed.len());
                self.listed.push(denial.own());
            }
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

#[cfg(test)]
mod tests {
    use crate::totals::Totals;
    use unspool::wire::{PermissionDenial, Wire};
    use unspool::{Grain, Spool};

    /// What is listed of a stream, and how many calls of which tool were denied and failed.
    fn check(stream: &[u8], expected: &[(&str, &str)], tools: &[(&str, u64, u64)]) {
        let mut totals = Totals::default();
        Spool::read(Grain::Blocks, stream).iter().for_each(|event| totals.step(event));
        let listed = totals.denials().iter().map(|denial| {
            let denial = PermissionDenial::of(denial.json()).unwrap();
            let told =
                |text: Option<unspool::json::Str<'_>>| text.map(|it| it.to_string()).unwrap_or_default();
            (told(denial.tool_name), told(denial.tool_use_id))
        });
        let expected: Vec<_> =
            expected.iter().map(|(tool, call)| (tool.to_string(), call.to_string())).collect();
        assert_eq!(listed.collect::<Vec<_>>(), expected);
        let of_tools = totals.tools.iter().map(|(name, tool)| (&**name, tool.denied, tool.failed));
        assert_eq!(of_tools.collect::<Vec<_>>(), tools);
    }

    /// 2.1.325 lists none of the calls that its own list of denied tools has stopped.
    #[test]
    fn what_no_turn_lists_is_listed_all_the_same() {
        let stream = include_bytes!("../../../fixtures/errors/disallowed-2.1.325.ndjson");
        check(stream, &[("Bash", "toolu_01Mockd132d097f505192c")], &[("Bash", 1, 0)]);
    }

    #[test]
    fn what_is_said_in_several_ways_is_one_denial_with_all_that_is_said_of_it() {
        let call = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"x"}}]}}"#;
        let notice =
            r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"c"}"#;
        let answer = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"no"}]}}"#;
        let result = r#"{"type":"result","subtype":"success","num_turns":1,"permission_denials":[{"tool_name":"Bash","tool_use_id":"c","tool_input":{"command":"x"}}]}"#;
        for order in
            [[call, notice, answer, result], [call, answer, notice, result], [notice, call, answer, result]]
        {
            let stream = order.join("\n");
            check(stream.as_bytes(), &[("Bash", "c")], &[("Bash", u64::from(order[0] == call), 0)]);
            let mut totals = Totals::default();
            Spool::read(Grain::Blocks, stream.as_bytes()).iter().for_each(|event| totals.step(event));
            assert!(totals.denials()[0].text().contains("tool_input"));
        }
    }
}
