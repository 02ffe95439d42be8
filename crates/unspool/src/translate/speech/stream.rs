//! Partial messages: `stream_event` lines, and what becomes of parts that nobody confirms.

use crate::event::{Raw, Role, What};
use crate::json::{Place, Str};
use crate::translate::read::line::{Counts, Streaming};
use crate::translate::read::stream_event::{Begun, Says};
use crate::translate::speech::assistant::sub_agent;
use crate::translate::speech::draft::{Draft, PieceKind, Stream};
use crate::translate::speech::speaker::Speaker;
use crate::translate::tell::Cx;
use crate::translate::{Grain, Translator};
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
            let same = self.agents.voice(agent).stream.as_ref().is_some_and(|stream| {
                id.is_none() || stream.id.is_none() || stream.id.as_deref() == id.as_deref()
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
            Says::Piece { index, kind, words } => {
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
        let (kind, delta) = (flow.kind.map(Str::decode), flow.delta.and_then(|delta| delta.kind));
        match (kind.as_deref(), delta.map(Str::decode).as_deref()) {
            (Some("content_block_start"), _)
            | (Some("content_block_delta"), Some("citations_delta" | "compaction_delta")) => {
                self.stream(agent, line.api_message_id);
            }
            (Some("content_block_delta"), _) => {
                self.stream(agent, line.api_message_id);
                self.on_unknown(cx);
            }
            (Some("error"), _) => {
                let data = Raw::without(cx.chart.json(), &["type", "uuid", "session_id"]);
                self.teller.tell(cx, agent, What::Notice { kind: "error".into(), data });
            }
            _ => self.on_unknown(cx),
        }
    }

    /// An agent is saying something.
    fn streams(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>) {
        match agent {
            None => self.in_turn(cx),
            Some(call) => self.announce(cx, call, Place::default(), Place::default()),
        }
    }

    /// The message that this agent is saying; one that began before we listened has no start.
    pub(crate) fn stream(&mut self, agent: Option<&str>, id: Option<Str<'_>>) -> &mut Stream {
        let turn = self.teller.turn;
        let voice = self.agents.voice(agent);
        voice.stream.get_or_insert_with(|| {
            let mut stream = Stream::default();
            stream.renew(id.map(Str::decode).as_deref(), None, None, turn);
            stream
        })
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
        let turn = self.teller.turn;
        let voice = self.agents.voice(agent);
        voice.stream = voice.spare.take();
        let stream = voice.stream.get_or_insert_default();
        stream.renew(id.as_deref(), model.as_deref(), usage, turn);
    }

    fn on_part(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, begun: Begun<'_>) {
        self.begin_draft(cx, agent, index, begun);
        match begun {
            Begun::Text(Some(words)) | Begun::Thinking(Some(words)) => {
                self.grow(cx, agent, index, PieceKind::Text, words);
            }
            _ => self.rank(agent, index),
        }
    }

    fn begin_draft(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, index: u64, begun: Begun<'_>) {
        let stream = self.agents.voice(agent).stream.as_ref();
        if let Some(gone) = stream.and_then(|stream| stream.in_the_way(index)) {
            self.give_up_those(cx, agent, |at, _| at == gone);
        }
        if let Some(stream) = self.agents.voice(agent).stream.as_mut() {
            stream.begin(index, begun, self.grain == Grain::Blocks);
        }
    }

    /// A piece of a part came.
    pub(crate) fn on_piece(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        index: u64,
        kind: PieceKind,
        words: Str<'_>,
    ) {
        if kind != PieceKind::Signature {
            return self.grow(cx, agent, index, kind, words);
        }
        if let Some(draft) = self.agents.voice(agent).draft(index) {
            words.decode_to(&mut draft.signature);
        }
    }

    /// A draft grows; `kind` is what it is if its start was not heard.
    fn grow(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        index: u64,
        kind: PieceKind,
        piece: Str<'_>,
    ) {
        if self.agents.voice(agent).draft(index).is_none() {
            self.begin_draft(cx, agent, index, kind.begun());
        }
        let mut scratch = self.teller.scratch();
        if let Some(draft) = self.agents.voice(agent).draft(index) {
            let ranked = draft.part.is_some();
            let words = draft.push(piece, &mut scratch);
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
        let Some(stream) = self.agents.voice(agent).stream.as_ref() else { return };
        let Some(draft) = stream.draft(index) else { return };
        let (Some(rank), kind) = (draft.part, draft.kind()) else { return };
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: stream.id.as_deref(),
            role: Role::Assistant,
            synthetic: false,
            detail: None,
            launch: false,
        };
        speaker.piece(cx, rank, kind, words);
    }

    /// Gives a draft its rank, once there is something in it.
    fn rank(&mut self, agent: Option<&str>, index: u64) {
        let voice = self.agents.voice(agent);
        let Some(draft) = voice.draft(index) else { return };
        if draft.part.is_some() || !draft.has_begun() {
            return;
        }
        self.evidence.spoken |= draft.part_kind().is_some();
        let rank = voice.next_rank();
        if let Some(draft) = voice.draft(index) {
            draft.part = Some(rank);
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
            let id = self.agents.voice(None).stream.as_ref().and_then(|stream| stream.id.as_deref());
            self.turns.stopped(id, reason);
        }
        self.tell_stream_usage(cx, agent, usage, reason, true);
    }

    /// Tells the tokens of the streamed message, once.
    fn tell_stream_usage(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        end: &Counts,
        stop_reason: Option<Cow<'_, str>>,
        is_final: bool,
    ) {
        let voice = self.agents.voice(agent);
        let Some(stream) = voice.stream.as_mut() else { return };
        if stream.usage.is_none() && !is_final {
            return;
        }
        let told = std::mem::replace(&mut stream.usage_told, true);
        let told = match stream.id.as_deref() {
            Some(id) => std::mem::replace(&mut voice.track.message(id).usage_told, true) || told,
            None => told,
        };
        if told {
            return;
        }
        let usage = end.or(&stream.usage.unwrap_or_default());
        let model = stream.model.as_deref().map(Cow::Borrowed);
        let message_id = stream.id.as_deref().map(Cow::Borrowed);
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

    /// An assistant line of this message came: parts that another one left open are given up. Its tokens
    /// may still come.
    pub(crate) fn give_up_other(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        id: Option<&str>,
        synthetic: bool,
    ) {
        let voice = self.agents.voice(agent);
        let Some(stream) = voice.stream.as_mut() else { return };
        match (stream.id.as_deref(), id) {
            // The CLI's own words are no part of what a model streams.
            _ if synthetic => self.give_up(cx, agent, 0),
            (Some(open), id) if Some(open) != id => self.give_up(cx, agent, 0),
            // Its start was not heard. This line says which message it is, unless that was heard before.
            (None, Some(id)) if voice.track.knows(id) => self.give_up(cx, agent, 0),
            (None, Some(id)) => {
                stream.id.set(Some(id));
                voice.track.message(id).ranks_given(stream.ranks);
            }
            (Some(_) | None, _) => {}
        }
    }

    /// The streamed message of this agent will not be finished.
    pub(crate) fn give_up_stream(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>) {
        if self.agents.voice(agent).stream.is_none() {
            return;
        }
        self.give_up(cx, agent, 0);
        self.tell_stream_usage(cx, agent, &Counts::default(), None, false);
        let voice = self.agents.voice(agent);
        voice.spare = voice.stream.take();
    }

    pub(crate) fn give_up_all(&mut self, cx: &mut Cx<'_, '_>) {
        for agent in self.agents.heard() {
            self.give_up_stream(cx, agent.as_deref());
        }
    }

    /// The drafts from this place on will not be finished.
    fn give_up(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, from: u64) {
        self.give_up_those(cx, agent, |_, draft| draft.index >= from);
    }

    fn give_up_those(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        gone: impl Fn(usize, &Draft) -> bool,
    ) {
        let Some(stream) = self.agents.voice(agent).stream.as_mut() else { return };
        // Nothing else happens to the message meanwhile.
        let (mut drafts, open) = stream.take_all();
        for (at, draft) in drafts[..open].iter_mut().enumerate() {
            if gone(at, draft) {
                self.abandon(cx, agent, draft);
            }
        }
        if let Some(stream) = self.agents.voice(agent).stream.as_mut() {
            stream.put_back(drafts, open, gone);
        }
    }

    fn abandon(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, draft: &mut Draft) {
        let voice = self.agents.voice(agent);
        let heard = voice.stream.as_ref().is_some_and(|stream| stream.heard);
        // Spaces alone are no loss where other lines of the message have come: the CLI leaves them out.
        if draft.part.is_none() && (heard || !draft.has_words()) {
            return;
        }
        let rank = draft.part.unwrap_or_else(|| voice.next_rank());
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: voice.stream.as_ref().and_then(|stream| stream.id.as_deref()),
            role: Role::Assistant,
            synthetic: false,
            detail: None,
            launch: false,
        };
        speaker.abandoned(cx, rank, draft);
    }
}
