//! What a person is asked.

use crate::words::CallWords;
use std::collections::BTreeMap;
use unspool::event::{Event, Raw, Tell as _, What};
use unspool::wire::{self, Envelope, ToolInput};

/// Something that waits for a person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ask {
    /// The request, by which it is answered.
    pub request: String,
    /// What kind of answer it wants.
    pub kind: AskKind,
    /// Who asks: `main`, or the call that started the agent.
    pub agent: String,
    /// The tool that would be used.
    pub tool: Option<String>,
    /// The call that waits for it.
    pub call: Option<String>,
    /// What the tool would be given, as it was asked.
    pub input: Option<Raw<'static>>,
    /// What would be done, in words.
    pub words: CallWords,
    /// Since when.
    pub since: u64,
}

/// What kind of answer an ask wants.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum AskKind {
    /// Whether a tool may be used.
    Permission,
    /// Answers to questions of the model.
    Question,
    /// Whether a plan is good.
    Plan,
    /// A form that an MCP server wants filled in.
    Elicitation,
}

impl AskKind {
    /// The kind in one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AskKind::Permission => "permission",
            AskKind::Question => "question",
            AskKind::Plan => "plan",
            AskKind::Elicitation => "elicitation",
        }
    }

    fn of(tool: Option<&str>) -> Self {
        match ToolInput::named(tool.unwrap_or_default()) {
            ToolInput::AskUserQuestion(_) => AskKind::Question,
            ToolInput::ExitPlanMode(_) => AskKind::Plan,
            _ => AskKind::Permission,
        }
    }
}

/// Asks without an answer, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Asks {
    open: BTreeMap<u64, Ask>,
    next: u64,
}

impl Asks {
    pub(super) fn step(&mut self, event: &Event<'_>, now: u64) {
        match &event.what {
            What::PermissionRequest { request: Some(request), tool, call, input, .. } => {
                self.next += 1;
                let ask = Ask {
                    request: request.to_string(),
                    kind: AskKind::of(tool.as_deref()),
                    agent: event.agent.as_str().to_owned(),
                    tool: tool.as_deref().map(str::to_owned),
                    call: call.as_deref().map(str::to_owned),
                    input: input.clone().own(),
                    words: CallWords::of(tool.as_deref(), input.as_ref()),
                    since: now,
                };
                self.open.insert(self.next, ask);
            }
            What::Notice { data, .. } => {
                let Some(Envelope::ControlRequest(line)) = event.what.envelope() else { return };
                let (Some(request), wire::Ask::Elicitation(_)) = (line.request_id, line.ask()) else {
                    return;
                };
                self.next += 1;
                let ask = Ask {
                    request: request.to_string(),
                    kind: AskKind::Elicitation,
                    agent: event.agent.as_str().to_owned(),
                    tool: None,
                    call: None,
                    input: Some(data.clone().own()),
                    words: CallWords::default(),
                    since: now,
                };
                self.open.insert(self.next, ask);
            }
            What::PermissionResolved { request: Some(request), .. } => {
                self.open.retain(|_, ask| ask.request != **request);
            }
            // Where the answer is not seen, what follows shows that it was given.
            What::ToolResult { id: Some(id), .. } => {
                self.open.retain(|_, ask| ask.call.as_deref() != Some(id) && !ask.is_form_of(event));
            }
            What::AgentEnd { .. } => self.open.retain(|_, ask| ask.agent != event.agent.as_str()),
            What::TurnComplete { .. } => self.open.retain(|_, ask| ask.agent != "main"),
            What::Finished { .. } => self.open.clear(),
            _ => {}
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Ask> {
        self.open.values()
    }
}

impl Ask {
    /// Whether it is a form that the answer to a call shows to be filled in: a server asks while its tool runs.
    fn is_form_of(&self, answer: &Event<'_>) -> bool {
        self.kind == AskKind::Elicitation && self.agent == answer.agent.as_str()
    }
}
