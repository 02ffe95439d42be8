//! Tells parts of messages, in either grain.

use crate::event::{PartKind, Place, Raw, Role, What, Words};
use crate::json::{Json, Str};
use crate::translate::Grain;
use crate::translate::agents::calls::Calls;
use crate::translate::read::content::{Answer, ToolUseBlock};
use crate::translate::read::detail::Detail;
use crate::translate::speech::draft::{Confirmed, Draft, DraftKind};
use crate::translate::speech::part::Part;
use crate::translate::tell::{Cx, Teller, decode};
use crate::wire::quirk;
use std::borrow::Cow;

/// Who speaks, in which message.
pub(crate) struct Speaker<'t> {
    pub(crate) teller: &'t mut Teller,
    pub(crate) calls: &'t mut Calls,
    pub(crate) grain: Grain,
    pub(crate) agent: Option<&'t str>,
    pub(crate) message: Option<&'t str>,
    pub(crate) role: Role,
    pub(crate) synthetic: bool,
    /// The structured output of the line's one tool result.
    pub(crate) detail: Option<&'t Detail<'t>>,
    /// The tool result only says that an agent was launched.
    pub(crate) launch: bool,
}

impl Speaker<'_> {
    fn tell(&mut self, cx: &mut Cx<'_, '_>, part: u64, what: What<'_>) {
        self.teller.part(cx, self.agent, self.message, part, what);
    }

    fn synthetic(&self) -> Option<bool> {
        self.synthetic.then_some(true)
    }

    /// Tells a whole part. `draft`: it was streamed, and this is left of it.
    pub(crate) fn whole(
        &mut self,
        cx: &mut Cx<'_, '_>,
        rank: u64,
        part: &Part<'_>,
        draft: Option<Confirmed<'_>>,
    ) {
        let (synthetic, abandoned, more) = (self.synthetic(), None, None);
        match part {
            Part::Text { words, .. } | Part::Thinking { words, .. } if self.grain == Grain::Deltas => {
                self.rest(cx, rank, part, words, draft);
            }
            Part::Text { words, citations } => {
                let (content, citations) = (Cow::Borrowed(&**words), citations.map(Raw::new));
                self.tell(cx, rank, What::Text { content, abandoned, synthetic, more, citations });
            }
            Part::Thinking { words, signature } => {
                let (content, signature) = (Cow::Borrowed(&**words), signature_of(*signature));
                self.tell(cx, rank, What::Thinking { content, abandoned, synthetic, more, signature });
            }
            Part::Call(call) => self.call(cx, rank, call, draft.is_some_and(|draft| draft.streamed)),
            Part::Answer(answer) => self.answer(cx, rank, answer),
            Part::Other { kind, raw } => {
                let (kind, role) = (kind.map(Str::decode), self.role);
                self.tell(cx, rank, What::Block { kind, role, raw: Raw::unless_null(*raw), abandoned });
            }
        }
    }

    /// Tells what was not streamed of a text, and closes it.
    fn rest(
        &mut self,
        cx: &mut Cx<'_, '_>,
        rank: u64,
        part: &Part<'_>,
        words: &str,
        draft: Option<Confirmed<'_>>,
    ) {
        let rest = match &draft {
            Some(draft) if draft.lead.is_empty() => Cow::Borrowed(draft.rest),
            Some(draft) => Cow::Owned(format!("{}{}", draft.lead, draft.rest)),
            None => Cow::Borrowed(words),
        };
        match part {
            Part::Thinking { signature, .. } => {
                self.delta(cx, rank, DraftKind::Thinking, &rest);
                self.close(cx, rank, PartKind::Thinking, signature_of(*signature), None);
            }
            Part::Text { citations, .. } => {
                self.delta(cx, rank, DraftKind::Text, &rest);
                self.close(cx, rank, PartKind::Text, None, citations.map(Raw::new));
            }
            Part::Call(_) | Part::Answer(_) | Part::Other { .. } => {}
        }
    }

    /// Tells what has been added to a text that was told.
    pub(crate) fn grown(&mut self, cx: &mut Cx<'_, '_>, rank: u64, part: &Part<'_>, from: usize) {
        let content = Cow::Borrowed(part.words().and_then(|words| words.get(from..)).unwrap_or_default());
        let (synthetic, more, abandoned) = (self.synthetic(), Some(true), None);
        let thought = matches!(part, Part::Thinking { .. });
        let what = match (self.grain, thought) {
            (Grain::Deltas, true) => What::ThinkingDelta { content, synthetic, more },
            (Grain::Deltas, false) => What::TextDelta { content, synthetic, more },
            (Grain::Blocks, true) => What::Thinking { content, abandoned, synthetic, more, signature: None },
            (Grain::Blocks, false) => What::Text { content, abandoned, synthetic, more, citations: None },
        };
        self.tell(cx, rank, what);
    }

    /// Tells a delta of a part that is still arriving; only in deltas grain.
    pub(crate) fn delta(&mut self, cx: &mut Cx<'_, '_>, rank: u64, kind: DraftKind<'_>, words: &str) {
        if self.grain == Grain::Blocks || words.is_empty() {
            return;
        }
        let (content, synthetic, more) = (Cow::Borrowed(words), self.synthetic(), None);
        let place = Place { message: self.message.map(Cow::Borrowed), part: rank };
        let (teller, agent) = (&mut *self.teller, self.agent);
        match kind {
            DraftKind::Text => {
                teller.delta(cx, agent, place, || What::TextDelta { content, synthetic, more });
            }
            DraftKind::Thinking => {
                teller.delta(cx, agent, place, || What::ThinkingDelta { content, synthetic, more });
            }
            DraftKind::Call { id, name } => {
                let (id, name) = (id.map(Cow::Borrowed), name.map(Cow::Borrowed));
                teller.delta(cx, agent, place, || What::ToolInputDelta { id, name, content });
            }
            DraftKind::Other { .. } => {}
        }
    }

    /// Closes a part that was told in deltas.
    pub(crate) fn close(
        &mut self,
        cx: &mut Cx<'_, '_>,
        rank: u64,
        kind: PartKind,
        signature: Option<Words<'_>>,
        citations: Option<Raw<'_>>,
    ) {
        if self.grain == Grain::Deltas {
            self.tell(cx, rank, What::BlockEnd { kind, abandoned: false, signature, citations });
        }
    }

    fn call(&mut self, cx: &mut Cx<'_, '_>, rank: u64, call: &ToolUseBlock<'_>, streamed: bool) {
        let (id, name) = (call.id.map(Str::decode), call.name.map(Str::decode));
        if self.grain == Grain::Deltas
            && !streamed
            && let Some(input) = call.input
        {
            let (id, name, content) = (id.clone(), name.clone(), input.clean());
            self.tell(cx, rank, What::ToolInputDelta { id, name, content });
        }
        self.close(cx, rank, PartKind::ToolUse, None, None);
        self.calls.open(call, self.agent, self.teller.clock());
        let input = call.input.and_then(Raw::unless_null);
        self.tell(cx, rank, What::ToolUse { id, name, input, abandoned: None, partial: None });
    }

    fn answer(&mut self, cx: &mut Cx<'_, '_>, rank: u64, answer: &Answer<'_>) {
        let id = answer.tool_use_id.map(Str::decode);
        let call = id.as_deref().and_then(|id| self.calls.answer(id, self.launch));
        let clock = self.teller.clock();
        let waited = || call.as_ref()?.at().and_then(|at| Some(clock?.saturating_sub(at)));
        let content = answer.content.unwrap_or(Json::NULL);
        let mut scratch = self.teller.scratch();
        let (output, only_text) = match answer.words {
            Some(words) => (decode(words, &mut scratch), true),
            None => quirk::words_of(content),
        };
        let what = What::ToolResult {
            name: call.as_ref().and_then(|call| call.name()).map(Cow::Borrowed),
            output,
            content: (!only_text).then(|| Raw::new(content)),
            is_error: answer.is_error.unwrap_or(false),
            detail: self.detail.map(|detail| Raw::new(detail.json)),
            duration_ms: self.detail.and_then(|detail| detail.took).or_else(waited),
            id,
        };
        self.teller.part(cx, self.agent, self.message, rank, what);
        self.teller.give_back(scratch);
    }

    /// Tells a part that will never be confirmed.
    pub(crate) fn abandoned(&mut self, cx: &mut Cx<'_, '_>, rank: u64, draft: &mut Draft) {
        let (synthetic, more) = (self.synthetic(), None);
        let waiting = draft.flush();
        self.delta(cx, rank, draft.kind(), &waiting);
        let signature = draft.signature().map(Cow::Borrowed);
        if self.grain == Grain::Deltas
            && let Some(kind) = draft.part_kind()
        {
            let signature = signature.clone();
            self.tell(cx, rank, What::BlockEnd { kind, abandoned: true, signature, citations: None });
        }
        let content = Cow::Borrowed(draft.words());
        let abandoned = Some(true);
        let what = match draft.kind() {
            DraftKind::Text | DraftKind::Thinking if self.grain == Grain::Deltas => return,
            DraftKind::Text => What::Text { content, abandoned, synthetic, more, citations: None },
            DraftKind::Thinking => What::Thinking { content, abandoned, synthetic, more, signature },
            DraftKind::Call { id, name } => {
                let input = Json::new(draft.words()).ok();
                What::ToolUse {
                    id: id.map(Cow::Borrowed),
                    name: name.map(Cow::Borrowed),
                    input: input.and_then(Raw::unless_null),
                    abandoned,
                    partial: input.is_none().then_some(content),
                }
            }
            DraftKind::Other { kind, raw } => {
                let raw = Raw::unless_null(Json::trusted(raw));
                What::Block { kind: kind.map(Cow::Borrowed), role: self.role, raw, abandoned }
            }
        };
        cx.with_kept(|cx| self.tell(cx, rank, what));
    }
}

fn signature_of(signature: Option<Str<'_>>) -> Option<Words<'_>> {
    signature.filter(|signature| !signature.is_empty()).map(Str::decode)
}
