//! Turns lines into events: each thing once, each agent apart.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice. What is
//! remembered is bounded, so that a stream may be of any length.

mod agents;
mod entry;
mod memory;
mod notice;
mod read;
mod speech;
mod tell;
mod turns;

use crate::event::{Event, What, Words};
use crate::json::{Chart, Index, LONGEST};
use crate::line::{End, Line};
use crate::tally::Tally;
use crate::verdict::{Beside, Evidence, FailOn};
use crate::wire::{Kind, SystemKind};
use agents::Agents;
use agents::calls::Calls;
pub use entry::milliseconds;
pub use entry::{Advice, Cast, Expense, Figure, Figures, Totals};
pub(crate) use entry::{Book, is_typed, tagged};
use memory::recent::Recent;
use notice::permission::Asked;
use read::fields;
use read::line::{Hearing, Saying, Spoken, Streaming};
use read::result::{Beginning, Ending};
use std::borrow::Cow;
use tell::{Cx, Teller};
use turns::Turns;
use turns::begin::Introduced;

/// How finely parts are told. Each grain is complete by itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "parts are told whole or as they grow")]
pub enum Grain {
    /// A part is told when it is complete.
    #[default]
    Blocks,
    /// A part is told as it grows.
    Deltas,
}

/// Lines whose ids are remembered.
const LINES: usize = 4096;

/// The most of a malformed line that is told.
const MALFORMED: usize = 4096;

/// Turns lines into events.
#[derive(Debug)]
pub struct Translator {
    grain: Grain,
    fail_on: FailOn,
    teller: Teller,
    turns: Turns,
    agents: Agents,
    calls: Calls,
    tally: Tally,
    evidence: Evidence,
    /// Lines are looked at byte by byte: slower, and says the same.
    careful: bool,
    /// What stands where in the line.
    index: Index,
    /// Lines of messages, by uuid and content.
    lines: Recent,
    introduced: Introduced,
    asked: Asked,
    /// Tokens are not told with a message, but by `entry`, which knows when the message is over.
    holds_usage: bool,
    malformed: u64,
    unknown: u64,
}

impl Translator {
    /// A translator for one stream.
    #[must_use]
    pub fn new(grain: Grain) -> Self {
        Translator {
            grain,
            fail_on: FailOn::default(),
            teller: Teller::default(),
            turns: Turns::default(),
            agents: Agents::default(),
            calls: Calls::default(),
            tally: Tally::default(),
            evidence: Evidence::default(),
            careful: false,
            index: Index::default(),
            lines: Recent::new(LINES),
            introduced: Introduced::default(),
            asked: Asked::default(),
            holds_usage: false,
            malformed: 0,
            unknown: 0,
        }
    }

    /// Says what else counts as a failure.
    #[must_use]
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// Takes no short cuts: looks at each line byte by byte, and not at many bytes at a time. For finding out
    /// whether a short cut is wrong; it is slower, and says the same.
    #[must_use]
    pub fn careful(mut self) -> Self {
        self.careful = true;
        self
    }

    /// It is now so many milliseconds since the stream began.
    pub fn set_clock(&mut self, milliseconds: u64) {
        self.teller.set_clock(Some(milliseconds));
    }

    /// What comes are entries of a transcript.
    fn reads_transcript(&mut self) {
        self.holds_usage = true;
        self.evidence.of_transcript();
    }

    /// Takes one line; hands on what it adds, in order.
    pub fn step(&mut self, line: Line<'_>, sink: &mut dyn FnMut(Event<'_>)) {
        self.look(line, sink, &mut |it, cx| it.read(cx));
    }

    /// Looks at a line; `read` tells it if it is an object.
    fn look(
        &mut self,
        line: Line<'_>,
        sink: &mut dyn FnMut(Event<'_>),
        read: &mut dyn FnMut(&mut Self, &mut Cx<'_, '_>),
    ) {
        let mut index = std::mem::take(&mut self.index);
        let usual = !self.careful && !line.is_too_long();
        match if usual { index.chart(line.bytes.trim_ascii()) } else { None } {
            Some(chart) => read(self, &mut Cx::new(Some(line.number), chart, sink)),
            None => self.search(line, sink, read),
        }
        self.index = index;
    }

    /// Takes a line that has to be looked at byte by byte; `read` tells it if it is an object.
    fn search(
        &mut self,
        line: Line<'_>,
        sink: &mut dyn FnMut(Event<'_>),
        read: &mut dyn FnMut(&mut Self, &mut Cx<'_, '_>),
    ) {
        let cut = line.end == End::Stream;
        let reason = if line.is_too_long() || line.bytes.len() > LONGEST {
            Cow::Borrowed("too long")
        } else {
            let text = line.text();
            if text.is_empty() {
                return;
            }
            match Chart::searched(&text) {
                Ok(chart) => return read(self, &mut Cx::new(Some(line.number), chart, sink)),
                Err(fault) => Cow::Owned(fault.to_string()),
            }
        };
        if cut {
            self.evidence.line_cut();
        }
        let reason = if cut { Cow::Borrowed("cut") } else { reason };
        self.on_malformed(&mut Cx::new(Some(line.number), Chart::EMPTY, sink), &line, reason);
    }

    /// The stream has ended: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        let mut cx = Cx::new(None, Chart::EMPTY, sink);
        self.give_up_all(&mut cx);
        self.end_unheard(&mut cx);
        let bill = self.tally.finish();
        let (verdict, reason) = self.evidence.verdict(self.fail_on);
        let open = |ids: Vec<&str>| ids.into_iter().map(|id| Cow::Owned(id.to_owned())).collect();
        let what = What::Finished {
            verdict,
            code: verdict.code(),
            reason: reason.into(),
            turns: self.turns.begun(),
            cost_usd: bill.cost_usd,
            total_cost_usd: bill.total_cost_usd,
            models: bill.models,
            agents_open: open(self.agents.still_open()),
            tools_open: open(self.calls.still_open()),
            malformed: self.malformed,
            unknown: self.unknown,
            notes: (!bill.notes.is_empty()).then_some(bill.notes),
        };
        self.teller.set_turn(None);
        self.teller.tell(&mut cx, None, what);
    }

    /// What is known of the end beside the stream.
    pub fn beside(&mut self, beside: Beside) {
        self.evidence.know_beside(beside);
    }

    /// What was read is not all that was there: the stream is cut, wherever its last line ends.
    pub fn cut_off(&mut self) {
        self.evidence.line_cut();
    }

    /// Some of the stream is not there, as in a recording that is damaged; what that is, in words.
    pub fn incomplete(&mut self, why: String) {
        self.evidence.incomplete(why);
    }

    /// Forgets everything that was told, as for a new stream; only the numbering of events goes on.
    pub fn reset(&mut self) {
        let mut teller = std::mem::take(&mut self.teller);
        teller.reset();
        let Translator { careful, fail_on, grain, .. } = *self;
        *self = Translator { teller, fail_on, careful, ..Translator::new(grain) };
    }

    /// Tells a line by its type. Should that stand there twice, the last counts.
    fn read(&mut self, cx: &mut Cx<'_, '_>) {
        let chart = cx.chart();
        let fields = fields::Line::of(&chart, chart.root());
        let kind = kind_of(&chart, &fields);
        self.hear(cx, &fields);
        if !self.read_as(cx, kind, &fields) {
            self.on_unknown(cx, None);
        }
    }

    /// Tells a line as what it says it is. Returns whether it has that shape.
    fn read_as(&mut self, cx: &mut Cx<'_, '_>, kind: Kind, fields: &fields::Line) -> bool {
        let chart = cx.chart();
        match kind {
            Kind::StreamEvent => {
                self.on_stream_event(cx, &Streaming::of(&chart, fields));
            }
            Kind::Assistant => {
                if !Saying::fits(&chart, fields) {
                    return false;
                }
                self.on_assistant(cx, &Saying::of(&chart, fields));
            }
            Kind::User => {
                let Some(line) = Hearing::of(&chart, fields) else { return false };
                self.on_user(cx, &line);
            }
            Kind::BareAssistant => {
                let message = Some(Spoken::of(&chart, chart.root()));
                self.on_assistant(cx, &Saying { message, ..Saying::default() });
            }
            Kind::BareUser => {
                let message = Some(Spoken::of(&chart, chart.root()));
                self.on_user(cx, &Hearing { message, ..Hearing::default() });
            }
            Kind::Result | Kind::BareResult | Kind::System(SystemKind::Result) => {
                self.on_result(cx, Ending::of(&chart, fields));
            }
            Kind::System(SystemKind::Init) => self.on_init(cx, &Beginning::of(&chart, fields)),
            Kind::System(kind) => self.on_system(cx, kind, fields),
            Kind::Unknown => return false,
            other => return self.on_other(cx, other, fields),
        }
        true
    }

    /// Notes what all events of the line bear.
    fn hear<'l>(&mut self, cx: &mut Cx<'l, '_>, fields: &fields::Line) {
        let chart = cx.chart();
        self.teller.hear(chart.str(fields.session_id()));
        cx.bears(chart.str(fields.uuid()), chart.str(fields.timestamp()));
    }

    fn on_malformed(&mut self, cx: &mut Cx<'_, '_>, line: &Line<'_>, reason: Words<'_>) {
        self.malformed += 1;
        let text = String::from_utf8_lossy(&line.bytes[..line.bytes.len().min(MALFORMED)]);
        self.teller.tell(cx, None, What::Malformed { reason, text, bytes: line.length });
    }

    fn on_unknown(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>) {
        self.unknown += 1;
        let raw = Some(crate::event::Raw::new(cx.chart().json()));
        self.teller.tell(cx, agent, What::Unknown { raw });
    }
}

/// What a line says it is.
fn kind_of(chart: &Chart<'_>, fields: &fields::Line) -> Kind {
    let has = |place| chart.first(place) != 0;
    Kind::of_fields(
        chart.str(fields.kind()),
        || chart.str(fields.subtype()),
        || chart.str(fields.role()),
        || has(fields.cost_usd()) || has(fields.duration_ms()) || has(fields.result()),
    )
}
