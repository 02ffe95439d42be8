//! What is done: calls of tools, what came of them, and who allowed it.

use super::call::{self, Outcome, Room};
use super::checklist::Checklist;
use super::notice;
use super::style::DIM;
use super::{AgentsArg, OpenCall, Shown, ToolsArg, View, diff};
use crate::denials::reason;
use crate::words::{CallWords, Change, Diff, count, tool_failure};
use unspool::event::{Raw, Role, Tell, What};
use unspool::json::Json;
use unspool::wire::{Block, BlockKind, Wire};

/// Inputs of calls that are larger are not kept for their outcome.
const KEPT: usize = 4 << 20;

impl View {
    pub(super) fn call(
        &mut self,
        agent: &str,
        id: Option<&str>,
        name: Option<&str>,
        input: Option<&Raw<'_>>,
        given_up: bool,
        hidden: bool,
    ) {
        let mut call = CallWords::of(name, input);
        self.shorten(&mut call);
        self.end_part(agent, false);
        if !hidden && self.settings.tools != ToolsArg::Hide {
            let mut line = call::begin(&call, self.room(agent));
            if given_up {
                line = line.cut(self.room(agent).saturating_sub(17)).with(" (never finished)", DIM);
            }
            self.emit(agent, Shown::Short, vec![line]);
            self.last.call = id.map(str::to_owned);
        }
        let tool = name.unwrap_or("?");
        let keeps = Change::is_made_by(tool) || Checklist::is_kept_by(tool);
        let input = input.filter(|input| keeps && input.json().text().len() < KEPT).cloned().map(Tell::own);
        if let Some(id) = id.filter(|_| !given_up) {
            self.calls.insert(id.to_owned(), OpenCall { call, tool: tool.to_owned(), input });
        }
    }

    pub(super) fn result(&mut self, agent: &str, what: &What<'_>, hidden: bool) {
        let What::ToolResult { id, name, output, content, is_error, detail, duration_ms, .. } = what else {
            return;
        };
        let open = id.as_deref().and_then(|id| self.calls.remove(id));
        let is_denied = id.as_deref().is_some_and(|id| self.totals.is_denied(id) || self.denied.contains(id));
        let why = id.as_deref().and_then(|id| self.reasons.remove(id));
        let agent_of_call = id.as_deref().and_then(|id| self.tree.get(id));
        let is_shown = agent_of_call.is_some() && self.settings.agents != AgentsArg::Hide;
        let is_told = is_shown && !*is_error && agent_of_call.is_some_and(|branch| branch.ended);
        // Of an agent that was seen at work, its own last line says it.
        if hidden || is_told || self.settings.tools == ToolsArg::Hide {
            return;
        }
        let tool = open.as_ref().map(|open| open.tool.as_str()).or(name.as_deref()).unwrap_or("?");
        let input = open.as_ref().and_then(|open| open.input.as_ref());
        let is_error = *is_error;
        let change = Change::of(tool, input, detail.as_ref()).filter(|_| !is_error);
        let mut facts = Vec::new();
        facts.extend(change.as_ref().map(|it| diff::amounts(it.is_new, it.added, it.removed)));
        if is_shown && !is_error {
            facts.push("started".to_owned());
        } else if change.is_none() {
            facts.extend(call::size(output));
        }
        let images = content.iter().flat_map(|content| content.json().items());
        let is_image = |block: &Json<'_>| matches!(Block::of(*block), Some(Block::Image(_)));
        match images.filter(is_image).count() {
            0 => {}
            images => facts.push(count(images as u64, "image")),
        }
        let follows = id.is_some() && self.last.call.as_deref() == id.as_deref();
        let named = CallWords::of(Some(tool), None);
        let call = open.as_ref().map_or(&named, |open| &open.call);
        let columns = self.room(agent);
        let outcome =
            Outcome { call: Some(call).filter(|_| !follows), is_error, is_denied, ms: *duration_ms, facts };
        let mut lines = vec![outcome.line(columns)];
        let output = call::said(output, detail.as_ref());
        let output = match (is_denied, is_error) {
            (true, _) => reason(&output),
            (_, true) => tool_failure(&output),
            _ => &*output,
        };
        let is_known = is_shown && !is_error || why.is_some_and(|why| why == output);
        if !is_known && (self.settings.tools == ToolsArg::Full || is_error) {
            let listed = self.checklist.lines(tool, input.filter(|_| !is_error), detail.as_ref(), columns);
            let diff = detail.as_ref().and_then(Diff::of_detail).or_else(|| Diff::of_call(tool, input?));
            match diff.filter(|_| change.is_some()) {
                // The list says all that a mark would.
                _ if !listed.is_empty() && follows => lines = listed,
                _ if !listed.is_empty() => lines.extend(listed),
                Some(diff) => lines.extend(diff::lines(&diff, columns)),
                None if change.is_some() => {}
                None => {
                    let excerpt = call::excerpt(output, Room::of(tool, is_error), is_error, columns);
                    call::add(&mut lines, excerpt, columns);
                }
            }
        }
        let kind = if lines.len() > 1 { Shown::Long } else { Shown::Short };
        self.emit(agent, kind, lines);
    }

    pub(super) fn block(&mut self, agent: &str, kind: Option<&str>, role: Role, raw: Option<&Raw<'_>>) {
        self.end_part(agent, false);
        let columns = self.room(agent);
        let data = raw.map_or(Json::EMPTY, Raw::json);
        let called = match BlockKind::of(kind.unwrap_or_default()).map(|kind| Block::of_kind(kind, data)) {
            Some(Block::ServerToolUse(call)) => Some((None, call.name, call.input)),
            Some(Block::McpToolUse(call)) => Some((call.server_name, call.name, call.input)),
            _ => None,
        };
        let line = match called.filter(|_| role == Role::Assistant) {
            Some((server, name, input)) => {
                let name = match (server, name) {
                    (Some(server), Some(name)) => Some(format!("mcp__{server}__{name}")),
                    (_, name) => name.map(|name| name.to_string()),
                };
                let input = input.map(Raw::new);
                call::begin(&CallWords::of(name.as_deref(), input.as_ref()), columns)
            }
            None => return self.emit(agent, Shown::Short, notice::block(kind, raw).lines(columns)),
        };
        self.emit(agent, Shown::Short, vec![line]);
    }

    /// Files of the session's own folder are named from there.
    pub(super) fn shorten(&self, call: &mut CallWords) {
        let cwd = self.totals.cwd.as_deref();
        let path = cwd.and_then(|cwd| call.subject.strip_prefix(cwd)?.strip_prefix('/'));
        if let Some(path) = path.map(str::to_owned) {
            call.subject = path;
        }
    }
}
