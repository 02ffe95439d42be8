//! What becomes of streamed parts that nobody confirms.

use crate::event::Role;
use crate::translate::Translator;
use crate::translate::read::line::Counts;
use crate::translate::speech::draft::Draft;
use crate::translate::speech::speaker::Speaker;
use crate::translate::speech::streamed::Stream;
use crate::translate::tell::Cx;

impl Translator {
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
        let Some(stream) = voice.stream() else { return };
        let is_other = match (stream.id(), id) {
            // The CLI's own words are no part of what a model streams.
            _ if synthetic => true,
            (Some(open), id) => Some(open) != id,
            // Its start was not heard. This line says which message it is, unless that was heard before.
            (None, Some(id)) => !voice.name_stream(id),
            (None, None) => false,
        };
        if is_other {
            self.give_up(cx, agent, 0);
        }
    }

    /// The streamed message of this agent will not be finished.
    pub(crate) fn give_up_stream(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>) {
        if self.agents.voice(agent).stream().is_none() {
            return;
        }
        self.give_up(cx, agent, 0);
        self.tell_stream_usage(cx, agent, &Counts::default(), None, false);
        self.agents.voice(agent).end_stream();
    }

    pub(crate) fn give_up_all(&mut self, cx: &mut Cx<'_, '_>) {
        for agent in self.agents.heard() {
            self.give_up_stream(cx, agent.as_deref());
        }
    }

    /// The drafts from this place on will not be finished.
    pub(super) fn give_up(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, from: u64) {
        self.give_up_those(cx, agent, |_, draft| draft.index() >= from);
    }

    pub(super) fn give_up_those(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        gone: impl Fn(usize, &Draft) -> bool,
    ) {
        let Some(stream) = self.agents.voice(agent).stream_mut() else { return };
        // Nothing else happens to the message meanwhile.
        let (mut drafts, open) = stream.take_all();
        for (at, draft) in drafts[..open].iter_mut().enumerate() {
            if gone(at, draft) {
                self.abandon(cx, agent, draft);
            }
        }
        if let Some(stream) = self.agents.voice(agent).stream_mut() {
            stream.put_back(drafts, open, gone);
        }
    }

    fn abandon(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, draft: &mut Draft) {
        let voice = self.agents.voice(agent);
        let heard = voice.stream().is_some_and(Stream::is_heard);
        // Spaces alone are no loss where other lines of the message have come: the CLI leaves them out.
        if draft.rank().is_none() && (heard || !draft.has_words()) {
            return;
        }
        let rank = draft.rank().unwrap_or_else(|| voice.next_rank());
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: voice.stream().and_then(Stream::id),
            role: Role::Assistant,
            synthetic: false,
            detail: None,
            launch: false,
        };
        speaker.abandoned(cx, rank, draft);
    }
}
