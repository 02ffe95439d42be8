//! What each event looks like.

use super::code::Painter;
use super::line::Line;
use super::markdown;
use super::notice::Notice;
use super::style::{BAD, BAD_WORDS, DIM, GOOD, PLAIN, PROMPT, WARN};
use super::voice::Voice;
use super::wrap::{cut, tidy, tidy_line, wrap};
use super::{Shown, ThinkingArg, View, summary};
use crate::denials;
use crate::words::{clean, count, duration, failed, tokens};
use std::hash::{DefaultHasher, Hash, Hasher};
use unspool::event::{AgentStatus, Cause, ErrorKind, Event, PartKind, Raw, Tokens, What, Words};
use unspool::json::Json;
use unspool::verdict::for_people;

/// Texts that are remembered, so that the result that repeats one is not shown again.
const SHOWN_TEXTS: usize = 64;

/// Lines of a prompt that are shown.
const PROMPT_LINES: usize = 8;

/// Lines of a structured answer that are shown.
const VALUE_LINES: usize = 40;

/// Lines one after the other that are no JSON objects.
const BROKEN: u64 = 20;

impl View {
    /// Shows an event; of agents that are hidden only what must not be overlooked.
    pub(super) fn show(&mut self, event: &Event<'_>, hidden: bool) {
        let agent = event.agent.as_str();
        if goes_on(&event.what) {
            self.release();
        }
        match &event.what {
            What::SessionMeta { model, cwd, version, .. } => {
                self.session(model.as_ref(), cwd.as_ref(), version.as_ref());
            }
            What::TurnStart { cause, prompt, .. } => self.turn(event.turn, *cause, prompt.as_deref()),
            What::Text { content, abandoned, synthetic, .. } => {
                self.text(agent, content, *synthetic == Some(true), hidden);
                self.end(agent, PartKind::Text, *abandoned == Some(true), hidden);
            }
            What::Thinking { content, abandoned, .. } if !hidden => {
                self.thought(agent, content);
                self.end(agent, PartKind::Thinking, *abandoned == Some(true), hidden);
            }
            What::TextDelta { content, synthetic, .. } => {
                self.text(agent, content, *synthetic == Some(true), hidden);
            }
            What::ThinkingDelta { content, .. } if !hidden => self.thought(agent, content),
            What::BlockEnd { kind, abandoned, .. } => self.end(agent, *kind, *abandoned, hidden),
            What::ToolUse { id, name, input, abandoned, partial, .. } => {
                let given_up = *abandoned == Some(true);
                self.call(agent, id.as_deref(), name.as_deref(), input.as_ref(), given_up, hidden);
                if let Some(partial) = partial.as_ref().filter(|_| !hidden && given_up) {
                    let words = cut(&tidy_line(partial), self.room(agent).saturating_sub(4)).into_owned();
                    self.emit(agent, Shown::Short, vec![Line::of("    ", PLAIN).with(&words, DIM)]);
                }
            }
            What::ToolResult { .. } => self.result(agent, &event.what, hidden),
            What::Block { kind, role, raw, .. } if !hidden => {
                let raw = raw.as_ref().map_or_else(|| Raw::new(Json::NULL), Clone::clone);
                self.block(agent, kind.as_deref(), *role, Some(&raw));
            }
            What::UserText { content, synthetic, replay, .. } if !hidden => {
                self.user(agent, content, *synthetic, *replay);
            }
            What::StructuredOutput { value, .. } => {
                self.value(agent, value.as_ref().unwrap_or(&Raw::new(Json::NULL)));
            }
            What::AgentStart { parent, kind, description, prompt, .. } => {
                self.agent(agent, parent, kind, description, prompt.as_deref());
            }
            What::AgentEnd { status, duration_ms, usage, total_tokens, .. } => {
                let used = usage.as_ref().and_then(Tokens::known_total);
                self.agent_end(agent, *status, *duration_ms, used.or(*total_tokens), hidden);
            }
            What::PermissionRequest { request, call, tool, input, .. } => {
                let (request, call, tool) = (request.as_deref(), call.as_deref(), tool.as_deref());
                self.asks(agent, request, call, tool, input.as_ref());
            }
            What::PermissionResolved { request, decision, by, input, .. } => {
                self.decided(agent, request.as_deref(), *decision, by, input.as_ref());
            }
            What::Error { text, kind, status, retryable, .. } => {
                self.error(agent, text, *kind, *status, *retryable)
            }
            What::TurnComplete { result, ok, .. } => self.answer(result.as_deref(), *ok),
            What::Finished { .. } => self.finish(),
            What::Notice { .. } => {
                let denied = denials::told(&event.what);
                if let Some((id, why)) = denied.and_then(|line| Some((line.tool_use_id?, line.message))) {
                    self.reasons.insert(id.to_string(), why.map(|why| why.to_string()).unwrap_or_default());
                }
                self.notice(agent, &event.what, hidden && denied.is_none());
            }
            What::Hook { .. }
            | What::Task { .. }
            | What::ApiRetry { .. }
            | What::RateLimit { .. }
            | What::Compaction { .. }
            | What::Unknown { .. }
            | What::Malformed { .. } => {
                self.notice(agent, &event.what, hidden);
            }
            _ => {}
        }
    }

    /// Only the answer, at the end.
    pub(super) fn step_quietly(&mut self, event: &Event<'_>) {
        if let What::Finished { .. } = &event.what {
            let answer = self.totals.answer().unwrap_or_default();
            self.is_over = true;
            if self.settings.verbatim {
                let answer = clean(answer.trim_end());
                self.lines.extend(answer.split('\n').map(|line| Line::of(line, PLAIN)));
            } else {
                self.lines.extend(markdown::whole(answer, self.settings.colors, self.settings.columns));
            }
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

    fn turn(&mut self, number: Option<u64>, cause: Cause, prompt: Option<&str>) {
        self.said.clear();
        self.has_value = false;
        if let Some(number) = number.filter(|number| *number > 1) {
            let why = match cause {
                Cause::Task => ": a task ended",
                Cause::Command => ": a command",
                Cause::User if prompt.is_none() => ": a prompt",
                _ => "",
            };
            let words = format!("── turn {number}{why} ");
            let rule = "─".repeat(self.settings.columns.min(60).saturating_sub(words.chars().count()));
            self.emit("main", Shown::Words, vec![Line::of(&format!("{words}{rule}"), DIM)]);
        }
        if let Some(prompt) = prompt {
            self.user("main", prompt, false, false);
        }
    }

    /// What no model has said waits: it may be an error, which is told once.
    fn text(&mut self, agent: &str, content: &str, synthetic: bool, hidden: bool) {
        if agent == "main" {
            if self.voices.get(agent).is_none_or(|voice| !voice.is_text()) {
                self.said.clear();
            }
            self.said.push_str(content);
        }
        if synthetic && agent == "main" {
            return self.held.push_str(content);
        }
        if !hidden {
            let colors = self.settings.colors;
            self.turn_to(agent, true);
            self.grow(agent, content, || Voice::text(colors));
        }
    }

    /// Shows what has waited.
    fn release(&mut self) {
        let text = std::mem::take(&mut self.held);
        if !text.is_empty() {
            let colors = self.settings.colors;
            self.turn_to("main", true);
            self.grow("main", &text, || Voice::text(colors));
            self.end_part("main", false);
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
                let mark = match synthetic {
                    _ if at > 0 || !lines.is_empty() => Line::of("  ", if synthetic { DIM } else { PROMPT }),
                    true => Line::of("· ", DIM),
                    false => Line::of("❯ ", PROMPT),
                };
                let mut shown = mark;
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

    fn error(&mut self, agent: &str, text: &str, kind: ErrorKind, status: Option<u64>, retryable: bool) {
        let is_held = self.held.trim() == text.trim();
        if is_held {
            self.held.clear();
        }
        self.release();
        let people = for_people(text);
        let words: String = people.chars().take(2000).collect();
        // Words that the model's place was taken by stand there already, unless they were held.
        let is_shown = !is_held && text == self.said;
        let told = failed(kind, status, if is_shown { "" } else { &words });
        let (head, rest) = told.split_once(": ").map_or((&*told, None), |(head, rest)| (head, Some(rest)));
        let mut line = Line::of(&format!("✗ {}", tidy_line(head)), BAD);
        if let Some(rest) = rest {
            line.push(&format!(": {}", tidy_line(rest)), BAD_WORDS);
        }
        if retryable {
            line.push(" · may work if tried again", DIM);
        }
        self.failure = people.lines().next().map(str::to_owned);
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

    /// What is no stream may have many lines: of those one after the other only the first are shown.
    pub(super) fn broken(&mut self, what: &What<'_>) -> bool {
        let is_broken = matches!(what, What::Malformed { .. });
        if !is_broken && self.broken > BROKEN {
            let words = format!("! {} without a JSON object", count(self.broken - BROKEN, "more line"));
            self.emit("main", Shown::Short, vec![Line::of(&words, WARN)]);
        }
        self.broken = if is_broken { self.broken + 1 } else { 0 };
        self.broken > BROKEN
    }

    fn finish(&mut self) {
        self.end_parts();
        self.is_over = true;
        let lines = summary::lines(&self.totals, self.failure.as_deref(), self.settings.columns);
        self.emit("main", Shown::Words, lines);
    }
}

/// Whether something is said or done that what waits stands before.
fn goes_on(what: &What<'_>) -> bool {
    match what {
        What::TextDelta { synthetic, .. } | What::Text { synthetic, .. } => *synthetic != Some(true),
        What::TurnStart { .. }
        | What::Thinking { .. }
        | What::ThinkingDelta { .. }
        | What::ToolUse { .. }
        | What::ToolResult { .. }
        | What::UserText { .. }
        | What::TurnComplete { .. }
        | What::Finished { .. } => true,
        _ => false,
    }
}

/// Tells texts apart.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.trim().hash(&mut hasher);
    hasher.finish()
}
