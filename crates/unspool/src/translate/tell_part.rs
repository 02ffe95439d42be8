//! Tells parts of messages, in either grain.

use super::Grain;
use super::calls::Calls;
use super::draft::{Draft, DraftKind, Kept};
use super::part::Part;
use super::teller::{Cx, Teller};
use crate::event::{PartKind, Raw, Role, What, Words};
use crate::json::{Json, Str};
use crate::wire::{ToolResult, ToolUse, quirk};
use std::borrow::Cow;

/// Who speaks, in which message.
pub(super) struct Speaker<'t> {
    pub(super) teller: &'t mut Teller,
    pub(super) calls: &'t mut Calls,
    pub(super) grain: Grain,
    pub(super) agent: Option<&'t str>,
    pub(super) message: Option<&'t str>,
    pub(super) role: Role,
    pub(super) synthetic: bool,
    /// The structured output of the line's one tool result.
    pub(super) detail: Option<Json<'t>>,
}

impl Speaker<'_> {
    fn tell(&mut self, cx: &mut Cx<'_, '_>, part: u64, what: What<'_>) {
        self.teller.part(cx, self.agent, self.message, part, what);
    }

    fn synthetic(&self) -> Option<bool> {
        self.synthetic.then_some(true)
    }

    /// Tells a whole part. `draft`: some of it was streamed, and `rest` was not.
    pub(super) fn whole(
        &mut self,
        cx: &mut Cx<'_, '_>,
        rank: u64,
        part: &Part<'_>,
        draft: Option<(Draft, &str)>,
    ) {
        match part {
            Part::Text { words, citations } => {
                if self.grain == Grain::Deltas {
                    let rest = draft.as_ref().map_or(&**words, |(_, rest)| rest);
                    return self.close_words(cx, rank, PartKind::Text, rest);
                }
                let synthetic = self.synthetic();
                let citations = citations.map(Raw::new);
                let content = Cow::Borrowed(&**words);
                self.tell(
                    cx,
                    rank,
                    What::Text { content, abandoned: None, synthetic, more: None, citations },
                );
            }
            Part::Thinking { words, signature } => {
                if self.grain == Grain::Deltas {
                    let rest = draft.as_ref().map_or(&**words, |(_, rest)| rest);
                    return self.close_words(cx, rank, PartKind::Thinking, rest);
                }
                let synthetic = self.synthetic();
                let signature = signature.filter(|signature| !signature.is_empty()).map(Str::decode);
                let content = Cow::Borrowed(&**words);
                self.tell(
                    cx,
                    rank,
                    What::Thinking { content, abandoned: None, synthetic, more: None, signature },
                );
            }
            Part::Call(call) => self.call(cx, rank, call, draft.is_some_and(|(draft, _)| draft.has_words())),
            Part::Answer(answer) => self.answer(cx, rank, answer),
            Part::Other { kind, raw } => {
                let (kind, role) = (kind.map(Str::decode), self.role);
                self.tell(cx, rank, What::Block { kind, role, raw: Some(Raw::new(*raw)), abandoned: None });
            }
        }
    }

    /// Tells what has been added to a text that was told.
    pub(super) fn grown(&mut self, cx: &mut Cx<'_, '_>, rank: u64, part: &Part<'_>, from: usize) {
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

    /// Tells a piece of a part that is still arriving; only in deltas grain.
    pub(super) fn piece(&mut self, cx: &mut Cx<'_, '_>, rank: u64, kind: &DraftKind, words: &str) {
        if self.grain == Grain::Blocks || words.is_empty() {
            return;
        }
        let content = Cow::Borrowed(words);
        let (synthetic, more) = (self.synthetic(), None);
        match kind {
            DraftKind::Text => self.tell(cx, rank, What::TextDelta { content, synthetic, more }),
            DraftKind::Thinking => self.tell(cx, rank, What::ThinkingDelta { content, synthetic, more }),
            DraftKind::Call { id, name } => {
                let (id, name) = (borrow(id), borrow(name));
                self.tell(cx, rank, What::ToolInputDelta { id, name, content });
            }
            DraftKind::Other { .. } => {}
        }
    }

    fn close_words(&mut self, cx: &mut Cx<'_, '_>, rank: u64, kind: PartKind, rest: &str) {
        let draft = if kind == PartKind::Thinking { DraftKind::Thinking } else { DraftKind::Text };
        self.piece(cx, rank, &draft, rest);
        self.close(cx, rank, kind);
    }

    /// Closes a part that was told in pieces.
    pub(super) fn close(&mut self, cx: &mut Cx<'_, '_>, rank: u64, kind: PartKind) {
        if self.grain == Grain::Deltas {
            self.tell(cx, rank, What::BlockEnd { kind, abandoned: false });
        }
    }

    fn call(&mut self, cx: &mut Cx<'_, '_>, rank: u64, call: &ToolUse<'_>, streamed: bool) {
        let (id, name) = (call.id.map(Str::decode), call.name.map(Str::decode));
        if self.grain == Grain::Deltas
            && !streamed
            && let Some(input) = call.input
        {
            let (id, name, content) = (id.clone(), name.clone(), input.clean());
            self.tell(cx, rank, What::ToolInputDelta { id, name, content });
        }
        self.close(cx, rank, PartKind::ToolUse);
        self.calls.open(call, self.agent, self.teller.clock);
        let input = call.input.map(Raw::new);
        self.tell(cx, rank, What::ToolUse { id, name, input, abandoned: None, partial: None });
    }

    fn answer(&mut self, cx: &mut Cx<'_, '_>, rank: u64, answer: &ToolResult<'_>) {
        let id = answer.tool_use_id.map(Str::decode);
        let call = id.as_deref().and_then(|id| self.calls.answer(id));
        let detail = self.detail;
        let took = detail.and_then(took);
        let waited = call.as_ref().and_then(|call| Some(self.teller.clock?.saturating_sub(call.at?)));
        let content = answer.content.unwrap_or(Json::NULL);
        let what = What::ToolResult {
            id,
            name: call.and_then(|call| call.name).map(|name| Cow::Owned(name.into())),
            output: quirk::flatten_content(content),
            content: (!quirk::is_only_text(content)).then(|| Raw::new(content)),
            is_error: answer.is_error.unwrap_or(false),
            detail: detail.map(Raw::new),
            duration_ms: took.or(waited),
        };
        self.tell(cx, rank, what);
    }

    /// Tells a part that will never be confirmed. `heard`: lines of its message have come; the CLI leaves
    /// out texts of spaces alone, so that one of these is no loss.
    pub(super) fn abandoned(&mut self, cx: &mut Cx<'_, '_>, mut draft: Draft, heard: bool) {
        let waiting = draft.flush();
        let Some(rank) = draft.part else { return };
        let words = matches!(draft.kind, DraftKind::Text | DraftKind::Thinking);
        if words && heard && self.grain == Grain::Blocks && draft.is_blank() {
            return;
        }
        if self.grain == Grain::Deltas {
            self.piece(cx, rank, &draft.kind, &waiting);
            if let Some(kind) = draft.part_kind() {
                self.tell(cx, rank, What::BlockEnd { kind, abandoned: true });
            }
        }
        let words = match draft.kept {
            Kept::Words(words) => words,
            Kept::Digest(_) => return,
        };
        let (abandoned, synthetic, more) = (Some(true), self.synthetic(), None);
        let what = match draft.kind {
            DraftKind::Text | DraftKind::Thinking if self.grain == Grain::Deltas => return,
            DraftKind::Text => {
                What::Text { content: words.into(), abandoned, synthetic, more, citations: None }
            }
            DraftKind::Thinking => {
                let signature = (!draft.signature.is_empty()).then(|| draft.signature.into());
                What::Thinking { content: words.into(), abandoned, synthetic, more, signature }
            }
            DraftKind::Call { id, name } => {
                let whole = Json::new(&words).is_ok();
                What::ToolUse {
                    id: own(id),
                    name: own(name),
                    input: whole.then(|| Raw::owned(words.clone())),
                    abandoned,
                    partial: (!whole).then(|| words.into()),
                }
            }
            DraftKind::Other { kind, raw } => {
                let raw = Some(Raw::owned(raw.into()));
                What::Block { kind: own(kind), role: self.role, raw, abandoned }
            }
        };
        self.tell(cx, rank, what);
    }
}

/// How long a tool says that it took. Its output may be long, so it is not read without need.
fn took(detail: Json<'_>) -> Option<u64> {
    memchr::memmem::find(detail.text().as_bytes(), b"urationMs\"")?;
    detail.get("durationMs").or_else(|| detail.get("totalDurationMs"))?.as_u64()
}

fn own(text: Option<Box<str>>) -> Option<Words<'static>> {
    text.map(|text| Cow::Owned(text.into()))
}

fn borrow(text: &Option<Box<str>>) -> Option<Words<'_>> {
    text.as_deref().map(Cow::Borrowed)
}
