//! A run as `tracing` sees it: `claude` for the session, in it a `turn` each, in those a `tool` for each call. What answers
//! a question of Claude Code runs in a `question`.

use std::collections::BTreeMap;
use tracing::Span;
use tracing::field::Empty;
use unspool::Event;
use unspool::event::What;

/// What has begun and not ended.
#[derive(Debug)]
pub(super) struct Spans {
    session: Span,
    /// The session's id, as it was last given.
    id: Option<String>,
    turns: BTreeMap<u64, Span>,
    calls: BTreeMap<String, Span>,
}

impl Spans {
    pub(super) fn new(process: Option<u32>) -> Self {
        let session = tracing::info_span!("claude", process, session = Empty);
        Spans { session, id: None, turns: BTreeMap::new(), calls: BTreeMap::new() }
    }

    /// The span in which everything else happens.
    pub(super) fn session(&self) -> Span {
        self.session.clone()
    }

    pub(super) fn step(&mut self, event: &Event<'_>) {
        if let Some(id) = &event.session
            && self.id.as_deref() != Some(id)
        {
            self.session.record("session", &**id);
            self.id = Some(id.to_string());
        }
        match &event.what {
            What::TurnStart { cause, .. } => {
                let Some(number) = event.turn else { return };
                let span =
                    tracing::info_span!("turn", number, cause = cause.as_str(), ok = Empty, cost_usd = Empty);
                if !span.is_disabled() {
                    self.turns.insert(number, span);
                }
            }
            What::ToolUse { id: Some(id), name, abandoned: None | Some(false), .. } => {
                let turn = event.turn.and_then(|turn| self.turns.get(&turn)).and_then(Span::id);
                let (name, agent) = (name.as_deref().unwrap_or_default(), event.agent.as_str());
                let span = match turn {
                    Some(turn) => {
                        tracing::info_span!(parent: turn, "tool", id = &**id, name, agent, is_error = Empty)
                    }
                    None => tracing::info_span!("tool", id = &**id, name, agent, is_error = Empty),
                };
                if !span.is_disabled() {
                    self.calls.insert(id.to_string(), span);
                }
            }
            What::ToolResult { id: Some(id), is_error, .. } => {
                if let Some(call) = self.calls.remove(&**id) {
                    call.record("is_error", is_error);
                }
            }
            What::TurnComplete { ok, cost_usd, merged, .. } => {
                for number in merged.iter().flatten().chain(&event.turn) {
                    let Some(turn) = self.turns.remove(number) else { continue };
                    turn.record("ok", ok);
                    if let Some(cost) = cost_usd {
                        turn.record("cost_usd", cost);
                    }
                }
            }
            _ => {}
        }
    }
}
