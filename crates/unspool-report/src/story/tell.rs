//! Events in, a story out.

use super::call::called;
use super::pretty::pretty;
use super::{Excerpt, Image, Item, ItemPlace, Member, Story, Utterance};
use crate::denials;
use crate::task;
use crate::words::{CallWords, Notice, Weight, clean_line};
use jiff::tz::TimeZone;
use unspool::event::{Event, Note, Raw, Tokens, What};
use unspool::json::Json;
use unspool::verdict::for_people;
use unspool::wire::Envelope;
use unspool::wire::system::System;

impl Story {
    /// Takes the next event of the session, in the grain `blocks`.
    pub fn step(&mut self, event: &Event<'_>) {
        // What nobody sees by itself is seen with what comes next.
        self.now = self.moments.last() + 1;
        self.moments.step(event);
        self.totals.step(event);
        self.reckon(event);
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
            What::TurnStart { cause, prompt, .. } => self.turn_start(event.turn, *cause, prompt.as_deref()),
            What::Text { content, abandoned, synthetic, more, .. } => {
                self.grow(agent, said(content, *abandoned, *synthetic == Some(true)), *more, Item::Text);
            }
            What::Thinking { content, abandoned, synthetic, more, .. } => {
                self.grow(agent, said(content, *abandoned, *synthetic == Some(true)), *more, Item::Thinking);
            }
            What::UserText { content, synthetic, .. } => {
                self.user_text(agent, event.turn, said(content, None, *synthetic));
            }
            What::ToolUse { id, name, input, abandoned, partial, .. } => {
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
            What::ToolResult { id, name, output, content, is_error, detail, duration_ms, .. } => {
                let answer = self.answer_of(output, content.as_ref(), *is_error, *duration_ms);
                self.answered(agent, id.as_deref(), name.as_deref(), answer, detail.as_ref());
            }
            What::Block { kind, role, raw, abandoned, .. } => {
                let image = raw.as_ref().and_then(|raw| Image::of(raw.json(), self.limit));
                let text = raw.as_ref().filter(|_| image.is_none()).map(|raw| self.json(raw));
                let kind = clean_line(kind.as_deref().unwrap_or("part without a type"));
                let (text, abandoned) = (text.unwrap_or_default(), *abandoned == Some(true));
                self.push(agent, Item::Block { kind, role: *role, text, image, abandoned });
            }
            What::StructuredOutput { value, .. } => {
                let value = value.as_ref().map(|value| self.json(value)).unwrap_or_default();
                self.push_in(event.turn, Item::Structured(value));
            }
            What::AgentStart { kind, description, background, .. } => {
                let member = &mut self.agents[agent];
                member.kind = kind.as_deref().map(clean_line);
                member.description = description.as_deref().map(str::to_owned);
                member.background = *background;
            }
            What::AgentEnd { status, duration_ms, usage, total_tokens, .. } => {
                let member = &mut self.agents[agent];
                member.status = Some(*status);
                member.ended = Some(self.now);
                member.duration_ms = *duration_ms;
                member.tokens = usage.as_ref().and_then(Tokens::known_total).or(*total_tokens);
            }
            What::Error { text, kind, status, .. } => {
                self.error(event.turn, *kind, *status, &for_people(text))
            }
            What::TurnComplete { .. } => self.turn_end(event),
            What::PermissionRequest { request, tool, call, input, .. } => {
                let words = CallWords::of(tool.as_deref(), input.as_ref());
                if !self.asked(agent, request.as_deref(), call.as_deref(), &words) {
                    self.notice(agent, event);
                }
            }
            What::PermissionResolved { request, decision, by, input, .. } => {
                if !self.decided(request.as_deref(), *decision, by, input.as_ref()) {
                    self.notice(agent, event);
                }
            }
            What::Unknown { raw, .. } => {
                let raw = raw.as_ref().map(|raw| self.json(raw)).unwrap_or_default();
                self.push(agent, Item::Unknown(raw));
            }
            What::Malformed { reason, text, bytes, .. } => {
                let text = Excerpt::of(text, self.limit);
                self.push(agent, Item::Malformed { reason: clean_line(reason), text, bytes: *bytes });
            }
            What::Finished { .. } => {
                self.settle();
                self.settle_turns();
            }
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
        self.agents.push(Member { id, depth, began: self.now, ..Default::default() });
        self.agents[parent].children.push(rank);
        if parent == 0 {
            let called = place.filter(|place| place.agent == 0);
            let turn = called.map_or(self.turns.len() - 1, |place| self.turn_of(place.item));
            self.turns[turn].agents.push(rank);
        }
        match place.filter(|_| !too_deep).and_then(|place| self.call_at(place)) {
            Some(call) => call.agent = Some(rank),
            None => drop(self.push(parent, Item::Agent(rank))),
        }
        rank
    }

    pub(super) fn push(&mut self, agent: usize, item: Item) -> ItemPlace {
        let place = self.keep(agent, item);
        if agent == 0 {
            self.last_turn().items.push(place.item);
        }
        place
    }

    pub(super) fn keep(&mut self, agent: usize, item: Item) -> ItemPlace {
        let member = &mut self.agents[agent];
        member.items.push(item);
        member.came.push(self.now);
        ItemPlace { agent, item: member.items.len() - 1 }
    }

    /// New words, or the rest of those before.
    fn grow(&mut self, agent: usize, said: Utterance, more: Option<bool>, item: fn(Utterance) -> Item) {
        match self.agents[agent].items.last_mut() {
            Some(Item::Text(before) | Item::Thinking(before)) if more == Some(true) => {
                before.text.push_str(&said.text);
                before.abandoned |= said.abandoned;
                // It is seen when all of it has come.
                let came = &mut self.agents[agent].came;
                came.last_mut().into_iter().for_each(|last| *last = self.now);
            }
            _ => drop(self.push(agent, item(said))),
        }
    }

    pub(super) fn json(&self, raw: &Raw<'_>) -> Excerpt {
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

    fn notice(&mut self, agent: usize, event: &Event<'_>) {
        if let Some(Envelope::System(System::SessionTitleChanged(line))) = event.what.envelope() {
            self.title = line.title.map(|title| title.to_string()).or(self.title.take());
        }
        let Some(mut notice) = Notice::of(&event.what, &TimeZone::UTC) else { return };
        // What an agent does is told by the agent itself.
        let is_agent = task::call(&event.what).is_some_and(|id| self.by_id.contains_key(&*id));
        notice.weight = if is_agent { Weight::Program } else { notice.weight };
        // Where the call is known, it is the call that says so.
        let is_told = self.told_by_its_call(&event.what);
        notice.weight = if is_told { Weight::Program } else { notice.weight };
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
        let call = denials::told(what).and_then(|line| line.tool_use_id);
        call.is_some_and(|call| self.calls.contains_key(&*call.decode()))
    }
}

fn said(text: &str, abandoned: Option<bool>, synthetic: bool) -> Utterance {
    Utterance { text: text.to_owned(), abandoned: abandoned == Some(true), synthetic }
}

/// Whether a note is about a figure that is shown.
pub(super) fn matters(note: &Note) -> bool {
    let field = &note.field;
    !(field.ends_with(".context_window") || field.ends_with(".max_output") || field.starts_with("usage."))
}
