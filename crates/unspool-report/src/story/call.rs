//! Calls, the questions about them, and their answers.

use super::item::CallSeen;
use super::pretty::pretty;
use super::{Answer, Called, Excerpt, Image, Item, ItemPlace, Limit, Permission, Story};
use crate::denials::reason;
use crate::words::{CallWords, Change, Checklist, Diff, clean_line, tool_failure};
use unspool::event::{Decision, Raw, Tell};
use unspool::json::{Json, Kind, Str};
use unspool::wire::tool::{EditInput, MultiEditInput, NotebookEditInput, TodoWriteInput, WriteInput};
use unspool::wire::{Block, Wire};

/// Fields of inputs that are shown as a diff or a checklist.
const TOLD_OTHERWISE: [&str; 6] = [
    EditInput::NAMES.old_string,
    EditInput::NAMES.new_string,
    WriteInput::NAMES.content,
    MultiEditInput::NAMES.edits,
    NotebookEditInput::NAMES.new_source,
    TodoWriteInput::NAMES.todos,
];

/// How far back a call is looked for that a question does not name (CLI 1.0).
const NEAR: usize = 64;

impl Story {
    /// Somebody is asked about a call. False if that call is not known.
    pub(super) fn asked(
        &mut self,
        agent: usize,
        request: Option<&str>,
        call: Option<&str>,
        words: &CallWords,
    ) -> bool {
        let named = call.and_then(|call| self.calls.get(call)).copied();
        let Some(place) = named.or_else(|| self.open_call(agent, words)) else { return false };
        let now = self.now;
        let Some(called) = self.call_at(place) else { return false };
        called.seen.asked = Some(now);
        called.permission = Some(Permission::Asked);
        if let Some(request) = request {
            self.requests.insert(request.to_owned(), place);
        }
        true
    }

    /// The answer to such a question; `input` is what the tool is given instead. False if the question is not known.
    pub(super) fn decided(
        &mut self,
        request: Option<&str>,
        decision: Decision,
        by: &str,
        input: Option<&Raw<'_>>,
    ) -> bool {
        let place = request.and_then(|request| self.requests.remove(request));
        let (limit, now) = (self.limit, self.now);
        let Some(call) = place.and_then(|place| self.call_at(place)) else { return false };
        let mut asked = None;
        if let Some(input) = input {
            let Called { words, input, pending, checklist, .. } = called(&call.name, Some(input), limit);
            asked = Some(std::mem::replace(&mut call.words, words).line());
            (call.input, call.pending, call.checklist) = (input, pending, checklist);
        }
        call.seen.decided = Some(now);
        call.permission = Some(Permission::Decided { decision, by: clean_line(by), asked });
        true
    }

    fn open_call(&self, agent: usize, words: &CallWords) -> Option<ItemPlace> {
        let items = self.agents[agent].items.iter().enumerate().rev().take(NEAR);
        let is_it =
            |call: &Called| call.answer.is_none() && call.permission.is_none() && call.words == *words;
        let mut found = items.filter(|(_, item)| matches!(item, Item::Call(call) if is_it(call)));
        found.next().map(|(item, _)| ItemPlace { agent, item })
    }

    pub(super) fn call_at(&mut self, place: ItemPlace) -> Option<&mut Called> {
        match self.agents.get_mut(place.agent)?.items.get_mut(place.item)? {
            Item::Call(call) => Some(call),
            _ => None,
        }
    }

    pub(super) fn answer_of(
        &self,
        output: &str,
        content: Option<&Raw<'_>>,
        is_error: bool,
        ms: Option<u64>,
    ) -> Answer {
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

    pub(super) fn answered(
        &mut self,
        agent: usize,
        id: Option<&str>,
        tool: Option<&str>,
        answer: Answer,
        detail: Option<&Raw<'_>>,
    ) {
        let place = id.and_then(|id| self.calls.get(id)).copied();
        let now = self.now;
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
        call.seen.answered = Some(now);
    }

    /// What was never answered is shown as it was asked for, and what was not allowed as such.
    pub(super) fn settle(&mut self) {
        for item in self.agents.iter_mut().flat_map(|agent| &mut agent.items) {
            if let Item::Call(call) = item {
                call.denied = call.id.as_deref().is_some_and(|call| self.totals.is_denied(call));
                let words = if call.denied { reason } else { tool_failure };
                let answer =
                    call.answer.as_mut().filter(|answer| answer.is_error && answer.text.left_out == 0);
                if let Some(answer) = answer {
                    answer.text = Excerpt::whole(words(&answer.text.head));
                }
                call.diff = call
                    .pending
                    .take()
                    .and_then(|input| Diff::of_call(&call.name, &input))
                    .or(call.diff.take());
            }
        }
    }
}

pub(super) fn called(name: &str, input: Option<&Raw<'_>>, limit: Limit) -> Called {
    let checklist = input.and_then(|input| Checklist::of(name, input));
    let pending = input.filter(|_| Change::is_made_by(name));
    let told = checklist.is_some() || pending.is_some();
    Called {
        id: None,
        name: name.to_owned(),
        words: CallWords::of(Some(name), input),
        input: input.map(|input| fields(input.json(), told, limit)).unwrap_or_default(),
        diff: None,
        pending: pending.cloned().map(Tell::own),
        checklist,
        abandoned: false,
        denied: false,
        permission: None,
        answer: None,
        agent: None,
        seen: CallSeen::default(),
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

fn is_text(part: Json<'_>) -> bool {
    matches!(Block::of(part), Some(Block::Text(_)))
}
