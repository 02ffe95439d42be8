//! What each event looks like.

use super::call::{self, Outcome, Room};
use super::code::Painter;
use super::line::Line;
use super::markdown;
use super::notice::{self, Notice};
use super::style::{BAD, BAD_WORDS, BOLD, DIM, GOOD, PLAIN, PROMPT, WARN, over};
use super::voice::Voice;
use super::wrap::{cut, tidy, tidy_line, wrap};
use super::{AgentsArg, OpenCall, Shown, ThinkingArg, ToolsArg, View, diff, summary};
use crate::words::{Call, Change, Diff, clean, count, duration, tokens};
use std::hash::{DefaultHasher, Hash, Hasher};
use unspool::event::{AgentStatus, Decision, ErrorKind, Event, PartKind, Raw, Role, Tell, What, Words};
use unspool::json::Json;

/// Texts that are remembered, so that the result that repeats one is not shown again.
const SHOWN_TEXTS: usize = 64;

/// Lines of a prompt that are shown.
const PROMPT_LINES: usize = 8;

/// Lines of a structured answer that are shown.
const VALUE_LINES: usize = 40;

/// Inputs of calls that are larger are not kept for their outcome.
const KEPT: usize = 4 << 20;

impl View {
    /// Shows an event; of agents that are hidden only what must not be overlooked.
    pub(super) fn show(&mut self, event: &Event<'_>, hidden: bool) {
        let agent = event.agent.as_str();
        let at = self.now;
        match &event.what {
            What::SessionMeta { model, cwd, version, .. } => {
                self.session(model.as_ref(), cwd.as_ref(), version.as_ref());
            }
            What::TurnStart { prompt, .. } => self.turn(event.turn, prompt.as_deref()),
            What::Text { content, abandoned, .. } => {
                self.text(agent, content, hidden);
                self.end(agent, PartKind::Text, *abandoned == Some(true), hidden);
            }
            What::Thinking { content, abandoned, .. } if !hidden => {
                self.thought(agent, content);
                self.end(agent, PartKind::Thinking, *abandoned == Some(true), hidden);
            }
            What::TextDelta { content, .. } => {
                self.status.does(agent, "writing", at);
                self.text(agent, content, hidden);
            }
            What::ThinkingDelta { content, .. } => {
                self.status.does(agent, "thinking", at);
                if !hidden {
                    self.thought(agent, content);
                }
            }
            What::ToolInputDelta { name: Some(name), .. } if at.is_some() => {
                self.status.does(agent, &format!("preparing {}", cut(&tidy_line(name), 30)), at);
            }
            What::BlockEnd { kind, abandoned, .. } => self.end(agent, *kind, *abandoned, hidden),
            What::ToolUse { id, name, input, abandoned, partial } => {
                let given_up = *abandoned == Some(true);
                self.call(agent, id.as_deref(), name.as_deref(), input.as_ref(), at, given_up, hidden);
                if let Some(partial) = partial.as_ref().filter(|_| !hidden && given_up) {
                    let words = cut(&tidy_line(partial), self.room(agent).saturating_sub(4)).into_owned();
                    self.emit(agent, Shown::Short, vec![Line::of("    ", PLAIN).with(&words, DIM)]);
                }
            }
            What::ToolResult { .. } => self.result(agent, &event.what, hidden),
            What::Block { kind, role, raw, .. } if !hidden => {
                self.block(agent, kind.as_deref(), *role, raw.as_ref());
            }
            What::UserText { content, synthetic, replay } if !hidden => {
                self.user(agent, content, *synthetic, *replay);
            }
            What::Usage { usage, .. } => self.status.uses(usage),
            What::StructuredOutput { value: Some(value) } => self.value(agent, value),
            What::AgentStart { parent, kind, description, prompt, .. } => {
                self.agent(agent, parent, kind, description, prompt.as_deref());
                self.status.does(agent, "starting", at);
            }
            What::AgentEnd { status, duration_ms, usage, total_tokens } => {
                let used = usage.as_ref().and_then(|usage| Some(usage.total_input? + usage.output?));
                self.agent_end(agent, *status, *duration_ms, used.or(*total_tokens), hidden);
            }
            What::PermissionRequest { request, tool, input, .. } => {
                let call = Call::of(tool.as_deref(), input.as_ref());
                let mut line = Line::of("? ", over(WARN, BOLD));
                line.append(&call::words(&call, over(WARN, BOLD)));
                let line = line.cut(self.room(agent).saturating_sub(11)).with(" · may it?", WARN);
                self.emit(agent, Shown::Short, vec![line]);
                self.status.does(agent, "waiting for permission", at);
                if let Some(request) = request {
                    self.asked.insert(request.to_string(), call);
                }
            }
            What::PermissionResolved { request, decision, by } => {
                self.decided(agent, request.as_deref(), *decision, by);
            }
            What::Status { data, .. } => {
                if let Some(status) = data.json().get("status").and_then(Json::as_str) {
                    let doing = if status == "requesting" { "waiting for the model" } else { "compacting" };
                    self.status.does(agent, doing, at);
                }
            }
            What::Error { text, kind, status, retryable } => {
                self.error(agent, text, *kind, *status, *retryable)
            }
            What::TurnComplete { result, ok, cost_usd, .. } => {
                self.status.costs(*cost_usd);
                self.status.rests();
                self.answer(result.as_deref(), *ok);
            }
            What::Finished { .. } => self.finish(),
            What::Notice { kind, data } if kind == "permission_denied" => {
                if let Some(id) = data.json().get("tool_use_id").and_then(Json::as_str) {
                    let why = data.json().get("message").and_then(Json::as_str);
                    self.denied.insert(id.to_string(), why.map(|why| why.to_string()).unwrap_or_default());
                }
                self.notice(agent, &event.what, false);
            }
            What::Hook { .. }
            | What::Task { .. }
            | What::ApiRetry { .. }
            | What::RateLimit { .. }
            | What::Compaction { .. }
            | What::Notice { .. }
            | What::Unknown { .. }
            | What::Malformed { .. } => {
                self.notice(agent, &event.what, hidden);
            }
            _ => {}
        }
    }

    /// Only the answer, at the end.
    pub(super) fn step_quietly(&mut self, event: &Event<'_>) {
        match &event.what {
            What::Usage { usage, .. } => self.status.uses(usage),
            What::TurnComplete { cost_usd, .. } => self.status.costs(*cost_usd),
            What::Finished { .. } => {
                let answer = self.totals.answer.clone().unwrap_or_default();
                self.is_over = true;
                if self.settings.verbatim {
                    let answer = clean(answer.trim_end());
                    self.lines.extend(answer.split('\n').map(|line| Line::of(line, PLAIN)));
                } else {
                    self.lines.extend(markdown::whole(&answer, self.settings.colors, self.settings.columns));
                }
            }
            _ => {}
        }
    }

    fn session(&mut self, model: Option<&Words<'_>>, cwd: Option<&Words<'_>>, version: Option<&Words<'_>>) {
        let version = version.map(|version| format!("Claude Code {version}"));
        let facts = [model.map(|it| it.to_string()), cwd.map(|it| it.to_string()), version];
        let facts: Vec<String> = facts.into_iter().flatten().map(|fact| tidy_line(&fact)).collect();
        if !facts.is_empty() {
            let words = cut(&facts.join(" · "), self.settings.columns).into_owned();
            self.emit("main", Shown::Words, vec![Line::of(&words, DIM)]);
        }
    }

    fn turn(&mut self, number: Option<u64>, prompt: Option<&str>) {
        self.said.clear();
        self.has_value = false;
        self.status.does("main", "waiting for the model", self.now);
        if let Some(number) = number.filter(|number| *number > 1) {
            let words = format!("── turn {number} ");
            let rule = "─".repeat(self.settings.columns.min(60).saturating_sub(words.chars().count()));
            self.emit("main", Shown::Words, vec![Line::of(&format!("{words}{rule}"), DIM)]);
        }
        if let Some(prompt) = prompt {
            self.user("main", prompt, false, false);
        }
    }

    fn text(&mut self, agent: &str, content: &str, hidden: bool) {
        if agent == "main" {
            if self.voices.get(agent).is_none_or(|voice| !voice.is_text()) {
                self.said.clear();
            }
            self.said.push_str(content);
        }
        if !hidden {
            let colors = self.settings.colors;
            self.turn_to(agent, true);
            self.grow(agent, content, || Voice::text(colors));
        }
    }

    fn thought(&mut self, agent: &str, content: &str) {
        let (how, colors) = (self.settings.thinking, self.settings.colors);
        if how != ThinkingArg::Hide {
            self.turn_to(agent, false);
            self.grow(agent, content, || Voice::thought(how, colors));
        }
    }

    /// A part of another kind ends what grew before.
    fn turn_to(&mut self, agent: &str, is_text: bool) {
        if self.voices.get(agent).is_some_and(|voice| voice.is_text() != is_text) {
            self.end_part(agent, false);
        }
    }

    fn end(&mut self, agent: &str, kind: PartKind, abandoned: bool, hidden: bool) {
        if kind == PartKind::Text && agent == "main" {
            self.shown_texts.truncate(SHOWN_TEXTS - 1);
            self.shown_texts.push_front(fingerprint(&self.said));
        }
        if kind != PartKind::ToolUse && !hidden {
            self.end_part(agent, abandoned);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one event")]
    fn call(
        &mut self,
        agent: &str,
        id: Option<&str>,
        name: Option<&str>,
        input: Option<&Raw<'_>>,
        at: Option<u64>,
        given_up: bool,
        hidden: bool,
    ) {
        let mut call = Call::of(name, input);
        if let Some(path) =
            self.totals.cwd.as_deref().and_then(|cwd| call.subject.strip_prefix(cwd)?.strip_prefix('/'))
        {
            call.subject = path.to_owned();
        }
        if let Some(id) = id.filter(|_| !given_up) {
            self.status.calls(agent, id, &call, at);
        }
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
        let keeps = matches!(
            tool,
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" | "TodoWrite" | "TaskCreate" | "TaskUpdate"
        );
        let input = input.filter(|input| keeps && input.json().text().len() < KEPT).cloned().map(Tell::own);
        if let Some(id) = id.filter(|_| !given_up) {
            self.calls.insert(id.to_owned(), OpenCall { call, tool: tool.to_owned(), input });
        }
    }

    fn result(&mut self, agent: &str, what: &What<'_>, hidden: bool) {
        let What::ToolResult { id, name, output, content, is_error, detail, duration_ms } = what else {
            return;
        };
        let open = id.as_deref().and_then(|id| self.calls.remove(id));
        let denial = id.as_deref().and_then(|id| self.denied.remove(id));
        let agent_of_call = id.as_deref().and_then(|id| self.tree.get(id));
        let is_shown = agent_of_call.is_some() && self.settings.agents != AgentsArg::Hide;
        let is_told = is_shown && !*is_error && agent_of_call.is_some_and(|branch| branch.ended);
        if let Some(id) = id {
            self.status.answers(id);
        }
        self.status.does(agent, "waiting for the model", self.now);
        // Of an agent that was seen at work, its own last line says it.
        if hidden || is_told || self.settings.tools == ToolsArg::Hide {
            return;
        }
        let tool = open.as_ref().map(|open| open.tool.as_str()).or(name.as_deref()).unwrap_or("?");
        let input = open.as_ref().and_then(|open| open.input.as_ref());
        let is_error = *is_error;
        let change = Change::of(tool, input, detail.as_ref()).filter(|_| !is_error);
        let mut facts = Vec::new();
        facts.extend(change.as_ref().map(diff::facts));
        if is_shown && !is_error {
            facts.push("started".to_owned());
        } else if change.is_none() {
            facts.extend(call::size(output));
        }
        let images = content.iter().flat_map(|content| content.json().items());
        let is_image =
            |block: &Json<'_>| block.get("type").and_then(Json::as_str).is_some_and(|kind| kind == "image");
        match images.filter(is_image).count() {
            0 => {}
            images => facts.push(count(images as u64, "image")),
        }
        let follows = id.is_some() && self.last.call.as_deref() == id.as_deref();
        let named = Call::of(Some(tool), None);
        let call = open.as_ref().map_or(&named, |open| &open.call);
        let columns = self.room(agent);
        let outcome = Outcome {
            call: Some(call).filter(|_| !follows),
            is_error,
            is_denied: denial.is_some(),
            ms: *duration_ms,
            facts,
        };
        let mut lines = vec![outcome.line(columns)];
        let output = call::said(output, detail.as_ref());
        let is_known = is_shown && !is_error || denial.is_some_and(|why| why == *output);
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
                    let excerpt = call::excerpt(&output, Room::of(tool, is_error), is_error, columns);
                    call::add(&mut lines, excerpt, columns);
                }
            }
        }
        let kind = if lines.len() > 1 { Shown::Long } else { Shown::Short };
        self.emit(agent, kind, lines);
    }

    fn block(&mut self, agent: &str, kind: Option<&str>, role: Role, raw: Option<&Raw<'_>>) {
        self.end_part(agent, false);
        let columns = self.room(agent);
        let data = raw.map(Raw::json).unwrap_or(Json::NULL);
        let text = |field| data.get(field).and_then(Json::as_str).map(|text| text.to_string());
        let line = match kind {
            Some("server_tool_use" | "mcp_tool_use") if role == Role::Assistant => {
                let name = match (text("server_name"), text("name")) {
                    (Some(server), Some(name)) => Some(format!("mcp__{server}__{name}")),
                    (_, name) => name,
                };
                let input = data.get("input").map(Raw::new);
                call::begin(&Call::of(name.as_deref(), input.as_ref()), columns)
            }
            _ => return self.emit(agent, Shown::Short, notice::block(kind, raw).lines(columns)),
        };
        self.emit(agent, Shown::Short, vec![line]);
    }

    fn user(&mut self, agent: &str, content: &str, synthetic: bool, replay: bool) {
        if content.trim().is_empty() || self.prompt.as_deref() == Some(content) && (replay || agent != "main")
        {
            return;
        }
        self.prompt = Some(content.to_owned());
        // What Claude Code itself puts in has such a mark.
        let synthetic = synthetic || content.starts_with(['[', '<']);
        let columns = self.room(agent);
        let text = content.trim();
        let style = if synthetic || agent != "main" { DIM } else { PLAIN };
        let most = if agent == "main" { PROMPT_LINES } else { 2 };
        let mut lines: Vec<Line> = Vec::new();
        let all = text.lines().count();
        for (at, line) in text.lines().take(most).enumerate() {
            let line: String = line.chars().take(4000).collect();
            for piece in wrap(Line::of(&tidy(&line), style), columns.saturating_sub(2)) {
                let mark = if at == 0 && lines.is_empty() { "❯ " } else { "  " };
                let mut shown = Line::of(mark, if synthetic { DIM } else { PROMPT });
                shown.append(&piece);
                lines.push(shown);
            }
        }
        let left = all.saturating_sub(most) as u64 + lines.len().saturating_sub(2 * most) as u64;
        lines.truncate(2 * most);
        if left > 0 {
            lines.push(Line::of(&format!("  … {}", count(left, "more line")), DIM));
        }
        self.emit(agent, Shown::Words, lines);
    }

    fn value(&mut self, agent: &str, value: &Raw<'_>) {
        self.has_value = true;
        let pretty = serde_json::from_str::<serde_json::Value>(&value.text())
            .and_then(|value| serde_json::to_string_pretty(&value))
            .unwrap_or_else(|_| value.text());
        let columns = self.room(agent);
        let mut painter = Painter::new("json");
        let mut lines = vec![Line::of("structured output", DIM)];
        let total = pretty.lines().count();
        for text in pretty.lines().take(VALUE_LINES) {
            let mut line = Line::of("  ", PLAIN);
            line.append(&painter.line(&tidy(&text.chars().take(4000).collect::<String>())));
            lines.push(line.cut(columns));
        }
        if total > VALUE_LINES {
            lines.push(Line::of(&format!("  … {}", count((total - VALUE_LINES) as u64, "more line")), DIM));
        }
        self.emit(agent, Shown::Words, lines);
    }

    fn agent(
        &mut self,
        agent: &str,
        parent: &str,
        kind: &Option<Words<'_>>,
        description: &Option<Words<'_>>,
        prompt: Option<&str>,
    ) {
        self.tree.begin(agent, parent, description.as_deref(), kind.as_deref());
        // The call says what it is to do; its name is shown when it speaks.
        self.prompt = prompt.map(str::to_owned);
    }

    fn agent_end(
        &mut self,
        agent: &str,
        status: AgentStatus,
        ms: Option<u64>,
        used: Option<u64>,
        hidden: bool,
    ) {
        self.end_part(agent, false);
        self.status.ends(agent);
        let is_bad = matches!(status, AgentStatus::Failed | AgentStatus::Stopped);
        if hidden && !is_bad {
            return;
        }
        let mut line = match status {
            AgentStatus::Completed => Line::of("✓ done", GOOD),
            AgentStatus::Unknown => Line::of("· ended", DIM),
            status => Line::of(&format!("✗ {status}"), BAD),
        };
        let facts: Vec<String> =
            ms.map(duration).into_iter().chain(used.map(|used| format!("{} tokens", tokens(used)))).collect();
        if !facts.is_empty() {
            line.push(&format!(" · {}", facts.join(" · ")), DIM);
        }
        if let Some(branch) = self.tree.get_mut(agent) {
            branch.ended = true;
        }
        self.emit_end(agent, line);
    }

    fn decided(&mut self, agent: &str, request: Option<&str>, decision: Decision, by: &str) {
        let call = request.and_then(|request| self.asked.remove(request)).unwrap_or_default();
        let mut line = match decision {
            Decision::Allow => Line::of("  ✓ allowed", GOOD),
            Decision::Deny => Line::of("  ✗ denied", BAD),
            _ => Line::of("  · no longer asked", DIM),
        };
        line.push(&format!(" by {}: ", tidy_line(by)), DIM);
        line.append(&call::words(&call, PLAIN));
        let line = line.cut(self.room(agent));
        self.emit(agent, Shown::Short, vec![line]);
    }

    fn error(&mut self, agent: &str, text: &str, kind: ErrorKind, status: Option<u64>, retryable: bool) {
        let mut line = Line::of(&format!("✗ {kind}"), BAD);
        if let Some(status) = status {
            line.push(&format!(" ({status})"), BAD);
        }
        let text: String = text.chars().take(2000).collect();
        if !text.trim().is_empty() && text != self.said {
            line.push(&format!(": {}", tidy_line(text.trim())), BAD_WORDS);
        }
        if retryable {
            line.push(" · may work if tried again", DIM);
        }
        let lines = wrap(line, self.room(agent));
        self.emit(agent, Shown::Words, lines);
    }

    /// The answer is the last text, which was shown; unless it is not.
    fn answer(&mut self, result: Option<&str>, ok: bool) {
        let Some(result) = result.filter(|result| ok && !result.trim().is_empty()) else { return };
        // A structured answer is the result in other words; a result that was held back belongs to an earlier text.
        if !self.shown_texts.contains(&fingerprint(result)) && !self.has_value {
            let lines = markdown::whole(result, self.settings.colors, self.room("main"));
            self.emit("main", Shown::Words, lines);
        }
    }

    fn notice(&mut self, agent: &str, what: &What<'_>, hidden: bool) {
        let is_agent = |call: &str| self.tree.get(call).is_some();
        let Some(notice) = Notice::of(what, &self.settings.zone, is_agent).filter(|_| !hidden) else {
            return;
        };
        let lines = notice.lines(self.room(agent));
        self.emit(agent, Shown::Short, lines);
    }

    fn finish(&mut self) {
        self.end_parts();
        self.is_over = true;
        let lines = summary::lines(&self.totals, self.settings.columns);
        self.emit("main", Shown::Words, lines);
    }
}

/// Tells texts apart.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.trim().hash(&mut hasher);
    hasher.finish()
}
