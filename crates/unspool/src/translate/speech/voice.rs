//! What one agent has said and is saying.

use crate::json::Str;
use crate::translate::speech::draft::Draft;
use crate::translate::speech::part::{Mark, Part};
use crate::translate::speech::said::Said;
use crate::translate::speech::streamed::Stream;
use crate::translate::speech::track::Track;

/// What one agent has said and is saying.
#[derive(Debug, Default)]
pub(crate) struct Voice {
    track: Track,
    stream: Option<Stream>,
    /// The one before, whose memory is used again.
    spare: Option<Stream>,
}

impl Voice {
    /// A user line was said to the agent.
    pub(crate) fn user_line(&mut self) {
        self.track.user_line();
    }

    /// The message that arrives in deltas.
    pub(crate) fn stream(&self) -> Option<&Stream> {
        self.stream.as_ref()
    }

    pub(super) fn stream_mut(&mut self) -> Option<&mut Stream> {
        self.stream.as_mut()
    }

    /// What was said of the message of a line, and the message that arrives in deltas if it is this one. A line of
    /// Claude Code's own words is no part of what a model streams.
    pub(super) fn said(
        &mut self,
        id: Option<&str>,
        parts: &[(Part<'_>, Mark)],
        results: u64,
        synthetic: bool,
    ) -> (&mut Said, Option<&mut Stream>) {
        let said = match id {
            Some(id) => self.track.message(id),
            None => self.track.unnamed(parts, results),
        };
        let stream = self.stream.as_mut().filter(|stream| !synthetic && stream.id() == id);
        if let Some(stream) = &stream {
            said.ranks_given(stream.ranks());
        }
        (said, stream)
    }

    /// The part at this place of the message that arrives in deltas.
    #[inline]
    pub(super) fn draft(&mut self, index: u64) -> Option<&mut Draft> {
        self.stream.as_mut()?.at(index)
    }

    /// A rank for a part of the message that arrives in deltas.
    pub(super) fn next_rank(&mut self) -> u64 {
        let Some(stream) = self.stream.as_mut() else { return 0 };
        match stream.id() {
            Some(id) => self.track.message(id).rank(),
            None => stream.rank(),
        }
    }

    /// A message arrives in deltas, in the memory of the one before.
    pub(super) fn begin_stream(&mut self) -> &mut Stream {
        self.stream = self.spare.take();
        self.stream.get_or_insert_default()
    }

    /// The message that arrives in deltas; one that began before we listened has no start.
    pub(super) fn stream_of(&mut self, id: Option<Str<'_>>, turn: Option<u64>) {
        self.stream.get_or_insert_with(|| {
            let mut stream = Stream::default();
            stream.renew(id.map(Str::decode).as_deref(), None, None, turn);
            stream
        });
    }

    /// The message that arrived in deltas is over.
    pub(super) fn end_stream(&mut self) {
        self.spare = self.stream.take();
    }

    /// A line says that the message is this one, whose start was not heard. Returns whether it can be: it was not
    /// heard before.
    pub(super) fn name_stream(&mut self, id: &str) -> bool {
        if self.track.knows(id) {
            return false;
        }
        if let Some(stream) = self.stream.as_mut() {
            stream.set_id(id);
            self.track.message(id).ranks_given(stream.ranks());
        }
        true
    }

    /// The tokens of the message that arrives in deltas are to be told. Returns whether it is the first time.
    pub(super) fn tell_usage(&mut self) -> bool {
        let Some(stream) = self.stream.as_mut() else { return false };
        let first = stream.tell_usage();
        match stream.id() {
            Some(id) => self.track.message(id).tell_usage() && first,
            None => first,
        }
    }
}
