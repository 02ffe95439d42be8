//! Events in, a story out.

use super::pretty::pretty;
use super::{Answer, Called, Excerpt, Image, Item, Limit, Member, Place, Said, Story, TurnEnd};
use crate::words::{Call, Checklist, Diff, Notice, Weight, clean_line};
use jiff::tz::TimeZone;
use unspool::event::{Event, ModelTokens, Note, Raw, Tell, Tokens, What};
use unspool::json::{Json, Kind, Str};

/// Fields of inputs that are shown as a diff or a checklist.
const TOLD_OTHERWISE: [&str; 6] = ["old_string", "new_string", "content", "edits", "new_source", "todos"];

impl Story {
    /// Takes the next event of the session, in the grain `blocks`.
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        self.totals.step(event);
        let (work, answers) = (&mut self.work, &mut self.answers);
        self.times.step(event, |worked| {
            if let Some(call) = &worked.call {
                answers.insert(call.clone(), work.len());
            }
            work.push(worked);
        });
        if self.began.is_none() {
            self.began = event.time.as_deref().map(str::to_owned);
        }
        if let What::AgentStart { parent, .. } = &event.what {
            self.enter(event.agent.as_str(), Some(parent));
        }
        let agent = self.enter(event.agent.as_str(), None);
        self.tell(agent, event);
        if let Some(hidden) = &event.raw_text {
            self.push(agent, Item::Unknown(Excerpt::of(hidden, self.limit)));
        }
    }

    fn tell(&mut self, agent: usize, event: &Event<'_>) {
        match &event.what {
            What::SessionMeta { model, permission_mode, .. } => {
                self.session(agent, event, [model, permission_mode].map(|word| word.as_deref()));
            }
            What::TurnStart { cause, prompt } => {
                let number = event.turn.unwrap_or_default();
                self.push(agent, Item::Turn { number, cause: *cause });
                if let Some(prompt) = prompt {
                    self.push(agent, Item::Prompt(said(prompt, None, false)));
                }
            }
            What::Text { content, abandoned, synthetic, more, .. } => {
                self.grow(agent, said(content, *abandoned, *synthetic == Some(true)), *more, Item::Text);
            }
            What::Thinking { content, abandoned, synthetic, more, .. } => {
                self.grow(agent, said(content, *abandoned, *synthetic == Some(true)), *more, Item::Thinking);
            }
            What::UserText { content, synthetic, .. } => {
                self.push(agent, Item::Prompt(said(content, None, *synthetic)));
            }
            What::ToolUse { id, name, input, abandoned, partial } => {
                let name = name.as_deref().unwrap_or("?");
                let mut call = called(name, input.as_ref(), self.limit);
                call.id = id.as_deref().map(str::to_owned);
                call.abandoned = *abandoned == Some(true);
                if let Some(partial) = partial {
                    call.input.push(("as far as it came".to_owned(), Excerpt::of(partial, self.limit)));
                }
                let place = self.push(agent, Item::Call(Box::new(call)));
                if let Some(id) = id {
                    self.calls.entry(id.to_string()).or_insert(place);
                }
            }
            What::ToolResult { id, name, output, content, is_error, detail, duration_ms } => {
                let answer = self.answer(output, content.as_ref(), *is_error, *duration_ms);
                self.answered(agent, id.as_deref(), name.as_deref(), answer, detail.as_ref());
            }
            What::Block { kind, role, raw, abandoned } => {
                let image = raw.as_ref().and_then(|raw| Image::of(raw.json(), self.limit));
                let text = raw.as_ref().filter(|_| image.is_none()).map(|raw| self.json(raw));
                let kind = clean_line(kind.as_deref().unwrap_or("part without a type"));
                let (text, abandoned) = (text.unwrap_or_default(), *abandoned == Some(true));
                self.push(agent, Item::Block { kind, role: *role, text, image, abandoned });
            }
            What::StructuredOutput { value } => {
                let value = value.as_ref().map(|value| self.json(value)).unwrap_or_default();
                self.push(agent, Item::Structured(value));
            }
            What::AgentStart { kind, description, background, .. } => {
                let member = &mut self.agents[agent];
                member.kind = kind.as_deref().map(clean_line);
                member.description = description.as_deref().map(str::to_owned);
                member.background = *background;
            }
            What::AgentEnd { status, duration_ms, usage, total_tokens } => {
                let member = &mut self.agents[agent];
                member.status = Some(*status);
                member.duration_ms = *duration_ms;
                member.tokens = usage.as_ref().and_then(all_tokens).or(*total_tokens);
            }
            What::Error { text, kind, status, .. } => {
                self.push(agent, Item::Error { kind: *kind, status: *status, text: text.to_string() });
            }
            What::TurnComplete { .. } => self.turn_end(agent, event),
            What::Unknown { raw } => {
                let raw = raw.as_ref().map(|raw| self.json(raw)).unwrap_or_default();
                self.push(agent, Item::Unknown(raw));
            }
            What::Malformed { reason, text, bytes } => {
                let text = Excerpt::of(text, self.limit);
                self.push(agent, Item::Malformed { reason: clean_line(reason), text, bytes: *bytes });
            }
            What::Finished { .. } => self.settle(),
            What::Usage { .. } => {}
            _ => self.notice(agent, event),
        }
    }

    /// The rank of an agent; one that is new is put under the call that started it, or under whom is said to have
    /// called it. Whoever called is always there before, so that nobody stands under himself.
    fn enter(&mut self, id: &str, caller: Option<&str>) -> usize {
        if let Some(agent) = self.by_id.get(id) {
            return *agent;
        }
        let place = self.calls.get(id).copied();
        let caller = caller.and_then(|caller| self.by_id.get(caller).copied()).unwrap_or(0);
        let wanted = place.map_or(caller, |place| place.agent);
        let too_deep = self.agents[wanted].depth >= super::DEEPEST;
        let parent = if too_deep { 0 } else { wanted };
        let rank = self.agents.len();
        let depth = self.agents[parent].depth + 1;
        let id = id.to_owned();
        self.by_id.insert(id.clone(), rank);
        self.agents.push(Member { id, depth, ..Default::default() });
        self.agents[parent].children.push(rank);
        match place.filter(|_| !too_deep).and_then(|place| self.call_at(place)) {
            Some(call) => call.agent = Some(rank),
            None => drop(self.push(parent, Item::Agent(rank))),
        }
        rank
    }

    fn push(&mut self, agent: usize, item: Item) -> Place {
        let items = &mut self.agents[agent].items;
        items.push(item);
        Place { agent, item: items.len() - 1 }
    }

    fn call_at(&mut self, place: Place) -> Option<&mut Called> {
        match self.agents.get_mut(place.agent)?.items.get_mut(place.item)? {
            Item::Call(call) => Some(call),
            _ => None,
        }
    }

    /// New words, or the rest of those before.
    fn grow(&mut self, agent: usize, said: Said, more: Option<bool>, item: fn(Said) -> Item) {
        match self.agents[agent].items.last_mut() {
            Some(Item::Text(before) | Item::Thinking(before)) if more == Some(true) => {
                before.text.push_str(&said.text);
                before.abandoned |= said.abandoned;
            }
            _ => drop(self.push(agent, item(said))),
        }
    }

    fn json(&self, raw: &Raw<'_>) -> Excerpt {
        Excerpt::of(&pretty(Json::new(&raw.text()).unwrap_or(raw.json())), self.limit)
    }

    /// The first one stands at the top of everything; a later one says what has changed.
    fn session(&mut self, agent: usize, event: &Event<'_>, words: [Option<&str>; 2]) {
        if !std::mem::replace(&mut self.met, true) {
            return;
        }
        let words = words.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let notice = Notice { weight: Weight::Faint, about: "session".to_owned(), words: clean_line(&words) };
        let data = event.session.as_deref().map(Excerpt::whole).unwrap_or_default();
        self.push(agent, Item::Notice { notice, data });
    }

    fn answer(&self, output: &str, content: Option<&Raw<'_>>, is_error: bool, ms: Option<u64>) -> Answer {
        let mut answer = Answer { is_error, ms, ..Answer::default() };
        answer.text = Excerpt::of(output, self.limit);
        let mut others = Vec::new();
        for part in content.iter().flat_map(|content| content.json().items()) {
            match Image::of(part, self.limit) {
                Some(image) => answer.images.push(image),
                None if is_text(part) => {}
                None => others.push(pretty(part)),
            }
        }
        answer.others = Excerpt::of(&others.join("\n"), self.limit);
        answer
    }

    fn answered(
        &mut self,
        agent: usize,
        id: Option<&str>,
        tool: Option<&str>,
        answer: Answer,
        detail: Option<&Raw<'_>>,
    ) {
        let place = id.and_then(|id| self.calls.get(id)).copied();
        let Some(call) = place.and_then(|place| self.call_at(place)).filter(|call| call.answer.is_none())
        else {
            let item = Item::Stray { tool: tool.map(clean_line), answer: Box::new(answer) };
            self.push(agent, item);
            return;
        };
        if let Some(input) = call.pending.take() {
            let done = detail.filter(|_| !answer.is_error).and_then(Diff::of_detail);
            call.diff = done.or_else(|| Diff::of_call(&call.name, &input));
        }
        call.answer = Some(answer);
    }

    fn notice(&mut self, agent: usize, event: &Event<'_>) {
        match &event.what {
            What::Notice { kind, data } if kind == "session_title_changed" => {
                self.title = text(data.json(), "title").or(self.title.take());
            }
            _ => {}
        }
        let Some(mut notice) = Notice::of(&event.what, &TimeZone::UTC) else { return };
        if let What::Task { data, .. } = &event.what {
            // What an agent does is told by the agent itself.
            let is_agent = text(data.json(), "tool_use_id").is_some_and(|id| self.by_id.contains_key(&id));
            notice.weight = if is_agent { Weight::Program } else { notice.weight };
        }
        // Where the call is known, it is the call that says so.
        let is_told = self.told_by_its_call(&event.what);
        notice.weight = if is_told { Weight::Plain } else { notice.weight };
        let data = match &event.what {
            What::Hook { data, .. }
            | What::Task { data, .. }
            | What::Status { data, .. }
            | What::ApiRetry { data, .. }
            | What::RateLimit { data, .. }
            | What::Compaction { data, .. }
            | What::Notice { data, .. } => self.json(data),
            _ => Excerpt::default(),
        };
        self.push(agent, Item::Notice { notice, data });
    }

    fn told_by_its_call(&self, what: &What<'_>) -> bool {
        match what {
            What::Notice { kind, data } if kind == "permission_denied" => {
                text(data.json(), "tool_use_id").is_some_and(|call| self.calls.contains_key(&call))
            }
            _ => false,
        }
    }

    fn turn_end(&mut self, agent: usize, event: &Event<'_>) {
        let What::TurnComplete {
            ok, result, stop_reason, cost_usd, models, duration_ms, denials, notes, ..
        } = &event.what
        else {
            return;
        };
        let denied = denials.iter().flat_map(|denials| denials.json().items()).count();
        let answer = result.as_deref().filter(|answer| *ok && !self.was_said(answer));
        let end = TurnEnd {
            number: event.turn,
            ok: *ok,
            answer: answer.map(str::to_owned),
            cost_usd: *cost_usd,
            ms: *duration_ms,
            tokens: models.as_deref().and_then(model_tokens),
            stop: stop_reason.as_deref().map(clean_line),
            denials: denied,
            notes: notes.iter().flatten().filter(|note| matters(note)).cloned().collect(),
        };
        self.push(agent, Item::TurnEnd(Box::new(end)));
    }

    /// Whether an answer is empty, or repeats the last words of the main agent.
    fn was_said(&self, answer: &str) -> bool {
        let last = self.agents[0].items.iter().rev().find_map(|item| match item {
            Item::Text(said) => Some(&said.text),
            _ => None,
        });
        answer.trim().is_empty() || last.is_some_and(|last| last.trim().ends_with(answer.trim()))
    }

    /// What was never answered is shown as it was asked for, and what was not allowed as such.
    fn settle(&mut self) {
        for item in self.agents.iter_mut().flat_map(|agent| &mut agent.items) {
            if let Item::Call(call) = item {
                call.denied = call.id.as_deref().is_some_and(|call| self.totals.is_denied(call));
                call.diff = call
                    .pending
                    .take()
                    .and_then(|input| Diff::of_call(&call.name, &input))
                    .or(call.diff.take());
            }
        }
    }
}

fn said(text: &str, abandoned: Option<bool>, synthetic: bool) -> Said {
    Said { text: text.to_owned(), abandoned: abandoned == Some(true), synthetic }
}

fn called(name: &str, input: Option<&Raw<'_>>, limit: Limit) -> Called {
    let checklist = input.and_then(|input| Checklist::of(name, input));
    let pending = input.filter(|_| matches!(name, "Edit" | "MultiEdit" | "Write" | "NotebookEdit"));
    let told = checklist.is_some() || pending.is_some();
    Called {
        id: None,
        name: name.to_owned(),
        words: Call::of(Some(name), input),
        input: input.map(|input| fields(input.json(), told, limit)).unwrap_or_default(),
        diff: None,
        pending: pending.cloned().map(Tell::own),
        checklist,
        abandoned: false,
        denied: false,
        answer: None,
        agent: None,
    }
}

/// What a tool is given, by field: strings as they are, all else as JSON.
fn fields(input: Json<'_>, told: bool, limit: Limit) -> Vec<(String, Excerpt)> {
    if input.kind() != Kind::Object {
        return vec![("input".to_owned(), Excerpt::of(&pretty(input), limit))];
    }
    let field = |(name, value): (Str<'_>, Json<'_>)| {
        let text = value.as_str().map(|text| text.to_string()).unwrap_or_else(|| pretty(value));
        (clean_line(&name.decode()), Excerpt::of(&text, limit))
    };
    let wanted = |name: &str| !(told && TOLD_OTHERWISE.contains(&name));
    input.fields().map(field).filter(|(name, _)| wanted(name)).collect()
}

fn text(json: Json<'_>, field: &str) -> Option<String> {
    json.get(field).and_then(Json::as_str).map(|text| text.to_string())
}

fn is_text(part: Json<'_>) -> bool {
    text(part, "type").is_some_and(|kind| kind == "text")
}

fn all_tokens(usage: &Tokens) -> Option<u64> {
    Some(usage.total_input?.saturating_add(usage.output?))
}

/// Whether a note is about a figure that is shown.
pub(super) fn matters(note: &Note) -> bool {
    let field = &note.field;
    !(field.ends_with(".context_window") || field.ends_with(".max_output") || field.starts_with("usage."))
}

/// Input and output of all models; none if one is not known.
fn model_tokens(models: &[(String, ModelTokens)]) -> Option<(u64, u64)> {
    models.iter().try_fold((0u64, 0u64), |(input, output), (_, spent)| {
        Some((input.saturating_add(spent.total_input?), output.saturating_add(spent.output?)))
    })
}
