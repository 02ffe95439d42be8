//! Numbers the events and puts on them what all events bear.

use crate::event::{Agent, Event, Place, What, Words};
use crate::json::{Chart, Str};
use std::borrow::Cow;

/// The line that is being told, and who listens.
pub(crate) struct Cx<'l, 's> {
    number: Option<u64>,
    chart: Chart<'l>,
    uuid: Option<Str<'l>>,
    time: Option<Str<'l>>,
    /// A value of the line may be one that ordinary JSON readers refuse.
    odd: bool,
    sink: &'s mut dyn FnMut(Event<'_>),
}

impl<'l, 's> Cx<'l, 's> {
    pub(crate) fn new(number: Option<u64>, chart: Chart<'l>, sink: &'s mut dyn FnMut(Event<'_>)) -> Self {
        Cx { number, chart, uuid: None, time: None, odd: chart.is_odd(), sink }
    }

    /// What stands where in the line.
    pub(crate) fn chart(&self) -> Chart<'l> {
        self.chart
    }

    /// The line's number; `None` where nothing was read.
    pub(crate) fn number(&self) -> Option<u64> {
        self.number
    }

    pub(crate) fn uuid(&self) -> Option<Str<'l>> {
        self.uuid
    }

    pub(crate) fn time(&self) -> Option<Str<'l>> {
        self.time
    }

    /// The line bears this uuid and this time.
    pub(crate) fn bears(&mut self, uuid: Option<Str<'l>>, time: Option<Str<'l>>) {
        (self.uuid, self.time) = (uuid, time);
    }

    /// Who listens, to be told of another line.
    pub(crate) fn sink(&mut self) -> &mut dyn FnMut(Event<'_>) {
        self.sink
    }

    /// Tells something that was kept of other lines, which may be odd though this line is not.
    pub(crate) fn with_kept(&mut self, tell: impl FnOnce(&mut Self)) {
        let odd = std::mem::replace(&mut self.odd, true);
        tell(self);
        self.odd = odd;
    }
}

/// The next event. An event is large, and a function that makes one moves what it says twice more: a macro makes it where it is
/// told, `what` last.
macro_rules! next_event {
    ($teller:expr, $cx:expr, $agent:expr, $place:expr, $raw_text:expr, $what:expr) => {{
        $teller.seq += 1;
        Event {
            seq: $teller.seq,
            line: $cx.number,
            session: $teller.session.as_deref().map(Cow::Borrowed),
            agent: $agent.map_or(Agent::Main, |call| Agent::Sub(Cow::Borrowed(call))),
            turn: $teller.turn,
            place: $place,
            uuid: $cx.uuid.map(Str::decode),
            time: $cx.time.map(Str::decode),
            at: $teller.clock,
            raw_text: $raw_text,
            extra: None,
            what: $what,
        }
    }};
}

#[derive(Debug, Default)]
pub(crate) struct Teller {
    seq: u64,
    session: Option<String>,
    /// The turn that events bear.
    turn: Option<u64>,
    clock: Option<u64>,
    /// Where words are decoded that are told at once.
    scratch: String,
}

/// Longer words have memory of their own, which whoever keeps them need not copy.
const SCRATCH: usize = 1 << 16;

impl Teller {
    /// A line bears this session.
    pub(crate) fn hear(&mut self, session: Option<Str<'_>>) {
        let Some(session) = session else { return };
        if self.session.as_deref().is_none_or(|last| session != last) {
            self.session = Some(session.decode().into_owned());
        }
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Events bear this turn from now on.
    pub(crate) fn set_turn(&mut self, turn: Option<u64>) {
        self.turn = turn;
    }

    pub(crate) fn turn(&self) -> Option<u64> {
        self.turn
    }

    /// It is now so many milliseconds since the stream began.
    pub(crate) fn set_clock(&mut self, clock: Option<u64>) {
        self.clock = clock;
    }

    pub(crate) fn clock(&self) -> Option<u64> {
        self.clock
    }

    pub(crate) fn tell(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, what: What<'_>) {
        self.event(cx, agent, None, what);
    }

    /// Tells a part of a message.
    pub(crate) fn part(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        message: Option<&str>,
        part: u64,
        what: What<'_>,
    ) {
        self.event(cx, agent, Some(Place { message: message.map(Cow::Borrowed), part }), what);
    }

    fn event(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        place: Option<Place<'_>>,
        mut what: What<'_>,
    ) {
        let raw_text: Option<Words<'_>> = if cx.odd { what.hide_odd() } else { None };
        let event = next_event!(self, cx, agent, place, raw_text, what);
        (cx.sink)(event);
    }

    /// Tells a delta of a part, in which nothing can be odd. They come by the thousand, so what it says is made in its event.
    #[inline(always)]
    pub(crate) fn delta<'p>(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        place: Place<'_>,
        what: impl FnOnce() -> What<'p>,
    ) {
        let event = next_event!(self, cx, agent, Some(place), None, what());
        (cx.sink)(event);
    }

    /// Memory for words that are told at once; to be [given back](Teller::give_back).
    pub(crate) fn scratch(&mut self) -> String {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch
    }

    pub(crate) fn give_back(&mut self, scratch: String) {
        self.scratch = scratch;
    }

    /// Forgets everything but the numbering.
    pub(crate) fn reset(&mut self) {
        *self = Teller { seq: self.seq, ..Teller::default() };
    }
}

/// The words, decoded into this memory if they need decoding and fit.
pub(crate) fn decode<'s>(words: Str<'s>, scratch: &'s mut String) -> Cow<'s, str> {
    match words.simple() {
        Some(simple) => Cow::Borrowed(simple),
        None if words.raw().is_none_or(|raw| raw.len() > SCRATCH) => words.decode(),
        None => {
            words.decode_to(scratch);
            Cow::Borrowed(scratch)
        }
    }
}
