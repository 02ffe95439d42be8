//! Partial messages: `stream_event` lines.

use crate::event::{Raw, Role, What};
use crate::json::{Spot, Str};
use crate::translate::read::line::{Counts, Streaming};
use crate::translate::read::stream_event::{Begun, DeltaOf, Says};
use crate::translate::speech::assistant::sub_agent;
use crate::translate::speech::speaker::Speaker;
use crate::translate::speech::streamed::Stream;
use crate::translate::tell::Cx;
use crate::translate::{Grain, Translator};
use crate::wire::{DeltaKind, PieceKind, STREAM_ERROR};
use std::borrow::Cow;

impl Translator {
    pub(crate) fn on_stream_event(&mut self, cx: &mut Cx<'_, '_>, line: &Streaming<'_>) {
        let agent = sub_agent(line.parent_tool_use_id);
        let agent = agent.as_deref();
        self.streams(cx, agent);
        match line.event.as_ref().and_then(Says::of) {
            Some(says) => self.on_flow(cx, agent, line.api_message_id, says),
            None => self.on_unusual_flow(cx, agent, line),
        }
        if let Some(gone) = &line.abandoned_blocks {
            let gone = gone.read();
            let id = gone.api_message_id.map(Str::decode);
            let same =
                self.agents.voice(agent).stream().is_some_and(|stream| {
                    id.is_none() || stream.id().is_none() || stream.id() == id.as_deref()
                });
            if same {
                self.give_up(cx, agent, gone.from_block_index.unwrap_or(0));
            }
        }
    }

    /// `id`: the message, if the line says so.
    pub(crate) fn on_flow(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        id: Option<Str<'_>>,
        says: Says<'_>,
    ) {
        match says {
            Says::Delta { index, kind, words } => {
                self.stream(agent, id);
                self.on_piece(cx, agent, index, kind, words);
            }
            Says::Part { index, begun } => {
                self.stream(agent, id);
                self.on_part(cx, agent, index, begun);
            }
            Says::Message { id, model, usage } => self.on_message(cx, agent, id, model, usage),
            Says::Stopped { reason, usage } => self.on_stopped(cx, agent, reason, &usage),
            Says::Nothing => {}
        }
    }

    fn on_unusual_flow(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, line: &Streaming<'_>) {
        let flow = line.event.unwrap_or_default();
        let (kind, delta) = (flow.kind, flow.delta.and_then(|delta| delta.kind));
        let delta = delta.and_then(|delta| DeltaKind::of(&delta.decode()));
        match (kind.and_then(|kind| PieceKind::of(&kind.decode())), delta) {
            (Some(PieceKind::ContentBlockStart), _)
            | (
                Some(PieceKind::ContentBlockDelta),
                Some(DeltaKind::CitationsDelta | DeltaKind::CompactionDelta),
            ) => {
                self.stream(agent, line.api_message_id);
            }
            (Some(PieceKind::ContentBlockDelta), _) => {
                self.stream(agent, line.api_message_id);
                self.on_unknown(cx, None);
            }
            (Some(PieceKind::StreamError), _) => {
                let data = Raw::without(cx.chart().json(), &["type", "uuid", "session_id"]);
                self.teller.tell(cx, agent, What::Notice { kind: STREAM_ERROR.into(), data });
            }
            _ => self.on_unknown(cx, None),
        }
    }

    /// An agent is saying something.
    fn streams(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>) {
        match agent {
            None => self.in_turn(cx),
            Some(call) => self.announce(cx, call, Spot::default(), Spot::default()),
        }
    }

    /// The message that this agent is saying; one that began before we listened has no start.
    fn stream(&mut self, agent: Option<&str>, id: Option<Str<'_>>) {
        let turn = self.teller.turn();
        self.agents.voice(agent).stream_of(id, turn);
    }

    fn on_message(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        id: Option<Str<'_>>,
        model: Option<Str<'_>>,
        usage: Option<Counts>,
    ) {
        self.give_up_stream(cx, agent);
        let id = id.filter(|id| !id.is_empty()).map(Str::decode);
        if agent.is_none() {
            self.turns.speaks(id.as_deref());
        }
        let model = model.map(Str::decode);
        let turn = self.teller.turn();
        let stream = self.agents.voice(agent).begin_stream();
        stream.renew(id.as_deref(), model.as_deref(), usage, turn);
    }

    fn on_part(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, begun: Begun<'_>) {
        self.begin_draft(cx, agent, index, begun);
        match begun {
            Begun::Text(Some(words)) | Begun::Thinking(Some(words)) => {
                self.grow(cx, agent, index, DeltaOf::Text, words);
            }
            _ => self.rank(agent, index),
        }
    }

    fn begin_draft(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, begun: Begun<'_>) {
        let stream = self.agents.voice(agent).stream();
        if let Some(gone) = stream.and_then(|stream| stream.in_the_way(index)) {
            self.give_up_those(cx, agent, |at, _| at == gone);
        }
        if let Some(stream) = self.agents.voice(agent).stream_mut() {
            stream.begin(index, begun, self.grain == Grain::Blocks);
        }
    }

    /// A delta of a part came.
    pub(crate) fn on_piece(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        index: u64,
        kind: DeltaOf,
        words: Str<'_>,
    ) {
        if kind != DeltaOf::Signature {
            return self.grow(cx, agent, index, kind, words);
        }
        if let Some(draft) = self.agents.voice(agent).draft(index) {
            draft.sign(words);
        }
    }

    /// A draft grows; `kind` is what it is if its start was not heard.
    fn grow(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, kind: DeltaOf, delta: Str<'_>) {
        if self.agents.voice(agent).draft(index).is_none() {
            self.begin_draft(cx, agent, index, kind.begun());
        }
        let mut scratch = self.teller.scratch();
        if let Some(draft) = self.agents.voice(agent).draft(index) {
            let ranked = draft.rank().is_some();
            let words = draft.push(delta, &mut scratch);
            if !ranked {
                self.rank(agent, index);
            }
            self.tell_piece(cx, agent, index, &words);
        }
        self.teller.give_back(scratch);
    }

    /// Tells words that were added to a draft.
    fn tell_piece(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, words: &str) {
        if self.grain == Grain::Blocks || words.is_empty() {
            return;
        }
        let Some(stream) = self.agents.voice(agent).stream() else { return };
        let Some(draft) = stream.draft(index) else { return };
        let (Some(rank), kind) = (draft.rank(), draft.kind()) else { return };
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: stream.id(),
            role: Role::Assistant,
            synthetic: false,
            detail: None,
            launch: false,
        };
        speaker.delta(cx, rank, kind, words);
    }

    /// Gives a draft its rank, once there is something in it.
    fn rank(&mut self, agent: Option<&str>, index: u64) {
        let voice = self.agents.voice(agent);
        let Some(draft) = voice.draft(index) else { return };
        if draft.rank().is_some() || !draft.has_begun() {
            return;
        }
        if draft.part_kind().is_some() {
            self.evidence.model_spoke();
        }
        let rank = voice.next_rank();
        if let Some(draft) = voice.draft(index) {
            draft.set_rank(rank);
        }
    }

    fn on_stopped(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        reason: Option<Str<'_>>,
        usage: &Counts,
    ) {
        let reason = reason.map(Str::decode);
        if let (None, Some(reason)) = (agent, &reason) {
            let id = self.agents.voice(None).stream().and_then(Stream::id);
            self.turns.stopped(id, reason);
        }
        self.tell_stream_usage(cx, agent, usage, reason, true);
    }

    /// Tells the tokens of the streamed message, once.
    pub(super) fn tell_stream_usage(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        end: &Counts,
        stop_reason: Option<Cow<'_, str>>,
        is_final: bool,
    ) {
        let voice = self.agents.voice(agent);
        let owes = voice.stream().is_some_and(|stream| stream.usage().is_some() || is_final);
        if !owes || !voice.tell_usage() {
            return;
        }
        let Some(stream) = voice.stream() else { return };
        let usage = end.or(&stream.usage().unwrap_or_default());
        let model = stream.model().map(Cow::Borrowed);
        let message_id = stream.id().map(Cow::Borrowed);
        let what = What::Usage {
            model,
            usage: usage.tokens(),
            stop_reason,
            is_final,
            message_id,
            request_id: None,
            cache_creation_1h: usage.for_an_hour(),
        };
        self.teller.tell(cx, agent, what);
    }
}
