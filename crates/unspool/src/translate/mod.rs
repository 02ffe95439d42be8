//! Turns lines into events: each thing once, each agent apart.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice. What is
//! remembered is bounded, so that a stream may be of any length.

mod agents;
mod bill;
mod calls;
mod content;
mod detail;
mod draft;
mod failure;
mod flow;
mod form;
mod gap;
mod growth;
mod known;
mod lifecycle;
mod notice;
mod part;
mod recent;
mod result;
mod short_cut;
mod slot;
mod speech;
mod stream;
mod tell_part;
mod teller;
mod track;
mod turns;
mod twin;
mod view;
mod wrote;

use crate::event::{Event, What, Words};
use crate::json::{Cursor, Fault, Index, Json, Str};
use crate::line::{End, Line};
use crate::tally::Tally;
use crate::verdict::{Cut, Evidence, FailOn};
use crate::wire::{Fill, Found, Head, Kind, SystemKind};
use agents::Agents;
use calls::Calls;
use form::Forms;
use growth::{Growth, Repeated};
use recent::Recent;
use std::borrow::Cow;
use std::collections::VecDeque;
use teller::{Cx, Teller};
use turns::Turns;
use twin::Twin;
use view::{Ending, Hearing, Saying, Spoken, Streaming};

/// How finely parts are told. Each grain is complete by itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Grain {
    /// A part is told when it is complete.
    #[default]
    Blocks,
    /// A part is told as it grows.
    Deltas,
}

/// A value this deep, counted from where the reader skipped it, may be too deep to be told as it is: the
/// events count from the block or the line it stands in.
const MAYBE_DEEP: usize = 500;

/// Lines whose ids are remembered.
const LINES: usize = 4096;

/// Permission requests that are remembered. Without the host's side of the dialogue most answers are not
/// seen.
const ASKED: usize = 1024;

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
    /// Every line is read by itself, byte by byte: slower, and says the same.
    careful: bool,
    /// Where the strings of the line end.
    index: Index,
    /// What the last lines looked like.
    forms: Forms,
    /// The last line, if it was a piece of a part.
    twin: Twin,
    /// The last line, if the next may repeat it.
    growth: Growth,
    /// Lines of messages, by uuid and content.
    lines: Recent,
    /// What the last `session_meta` said.
    meta: Option<u64>,
    asked: Asked,
    malformed: u64,
    unknown: u64,
}

impl Translator {
    /// A translator for one stream.
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
            forms: Forms::default(),
            twin: Twin::default(),
            growth: Growth::default(),
            lines: Recent::new(LINES),
            meta: None,
            asked: Asked::default(),
            malformed: 0,
            unknown: 0,
        }
    }

    /// Says what else counts as a failure.
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// Takes no short cuts: looks at each line byte by byte, whatever the lines before were. For finding out
    /// whether a short cut is wrong; it is slower, and says the same.
    pub fn careful(mut self) -> Self {
        self.careful = true;
        self
    }

    /// It is now so many milliseconds since the stream began.
    pub fn set_clock(&mut self, milliseconds: u64) {
        self.teller.clock = Some(milliseconds);
    }

    /// Takes one line; hands on what it adds, in order.
    pub fn step(&mut self, line: Line<'_>, sink: &mut dyn FnMut(Event<'_>)) {
        let bytes = line.bytes.trim_ascii();
        if self.take_short_cut(&line, bytes, sink) {
            return;
        }
        let mut index = std::mem::take(&mut self.index);
        // Nearly every line is one object.
        let usual = !self.careful && bytes.starts_with(b"{");
        let (ascii, marks) = if usual { index.of(bytes) } else { (None, None) };
        let text = ascii.map_or_else(|| line.text(), |text| Cow::Borrowed(crate::line::trim(text)));
        // What was not UTF-8, or had other spaces around it, has moved.
        let marks = marks.filter(|_| matches!(text, Cow::Borrowed(text) if text.len() == bytes.len()));
        let start = Cursor::indexed(&text, marks);
        let cx = Cx { number: Some(line.number), start, uuid: None, time: None, odd: false, sink };
        self.step_in(cx, line, &text);
        self.index = index;
    }

    fn step_in<'l>(&mut self, mut cx: Cx<'l, '_>, line: Line<'_>, text: &'l str) {
        if line.is_too_long() {
            let cut = line.end == End::Stream;
            self.evidence.cut_line |= cut;
            return self.on_malformed(&mut cx, &line, if cut { "cut" } else { "too long" }.into());
        }
        if text.is_empty() {
            return;
        }
        if let Err(fault) = self.read(&mut cx, text) {
            let cut = line.end == End::Stream;
            self.evidence.cut_line |= cut;
            let reason = if cut { Cow::Borrowed("cut") } else { Cow::Owned(fault.to_string()) };
            self.on_malformed(&mut cx, &line, reason);
        }
    }

    /// The stream has ended: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        self.twin.forget();
        let start = Cursor::checked("");
        let mut cx = Cx { number: None, start, uuid: None, time: None, odd: false, sink };
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
        self.teller.turn = None;
        self.teller.tell(&mut cx, None, what);
    }

    /// The run was ended by us, not by the program.
    pub fn cut(&mut self, cut: Cut) {
        self.evidence.cut = Some(cut);
    }

    /// The last structured answer fits its schema, or does not, and why.
    pub fn unfit(&mut self, why: Option<String>) {
        self.evidence.unfit = why;
    }

    /// Forgets everything that was told, as for a new stream; only the numbering of events goes on.
    pub fn reset(&mut self) {
        let mut teller = std::mem::take(&mut self.teller);
        teller.reset();
        let Translator { careful, fail_on, grain, .. } = *self;
        *self = Translator { teller, fail_on, careful, ..Translator::new(grain) };
    }

    /// Reads a line by its type. Should that stand there twice, the last counts.
    fn read<'l>(&mut self, cx: &mut Cx<'l, '_>, text: &'l str) -> Result<(), Fault> {
        if !text.starts_with('{') {
            return Err(Fault { what: "not an object", at: 0 });
        }
        let first = Kind::first_of(text, &cx.start);
        if self.read_as(cx, first, text)? {
            return Ok(());
        }
        let mut head = Head::default();
        fill(cx, &mut head)?;
        let json = Json::trusted(text);
        let last = Kind::last_of(json);
        if last != first && self.read_as(cx, last, text)? {
            return Ok(());
        }
        self.hear(cx, head.session_id, head.uuid, head.timestamp);
        self.on_unknown(cx, json);
        Ok(())
    }

    /// Reads a line as what it says it is. Returns whether it has that shape.
    fn read_as<'l>(&mut self, cx: &mut Cx<'l, '_>, kind: Kind, text: &'l str) -> Result<bool, Fault> {
        match kind {
            Kind::StreamEvent => {
                let mut line = Streaming::default();
                if !whole(cx, &mut line)? {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                self.on_stream_event(cx, &line, text);
                if !cx.odd && !self.careful {
                    self.forms.learn(&line, cx.start.clone(), text);
                }
            }
            Kind::Assistant => {
                let mut line = Saying::default();
                if !whole(cx, &mut line)? {
                    return Ok(false);
                }
                if line.message.is_none() && line.extra.get("message").is_some() {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                let told = self.on_assistant(cx, &line, Repeated::default());
                // Programs that give their lines a uuid and send one block in each do not repeat it.
                let repeats = |told: &Repeated| told.blocks > 1 || line.uuid.is_none();
                if let (Some(repeated), Some(blocks)) = (told.filter(repeats), line.blocks())
                    && !self.careful
                {
                    self.growth.learn(text.as_bytes(), blocks, repeated);
                }
            }
            Kind::User => {
                let mut line = Hearing::default();
                if !whole(cx, &mut line)? {
                    return Ok(false);
                }
                if line.message.as_ref().and_then(|message| message.content).is_none() {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                self.on_user(cx, &line);
            }
            Kind::BareAssistant => {
                let mut message = Spoken::default();
                if !whole(cx, &mut message)? {
                    return Ok(false);
                }
                let line = Saying { message: Some(message), ..Saying::default() };
                self.on_assistant(cx, &line, Repeated::default());
            }
            Kind::BareUser => {
                let mut message = Spoken::default();
                if !whole(cx, &mut message)? {
                    return Ok(false);
                }
                self.on_user(cx, &Hearing { message: Some(message), ..Hearing::default() });
            }
            Kind::Result | Kind::BareResult | Kind::System(SystemKind::Result) => {
                let mut line = Ending::default();
                let tags = fill(cx, &mut line)?;
                if tags.is_none_or(|wrong| wrong != 0 && kind == Kind::Result) {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                self.on_result(cx, &line);
            }
            Kind::System(kind) => return self.read_system(cx, kind, text),
            Kind::Unknown => return Ok(false),
            other => return self.read_other(cx, other, text),
        }
        Ok(true)
    }

    /// Notes what all events of the line bear.
    fn hear<'l>(
        &mut self,
        cx: &mut Cx<'l, '_>,
        session: Option<Str<'l>>,
        uuid: Option<Str<'l>>,
        time: Option<Str<'l>>,
    ) {
        self.teller.hear(session);
        cx.uuid = uuid;
        cx.time = time;
    }

    fn on_malformed(&mut self, cx: &mut Cx<'_, '_>, line: &Line<'_>, reason: Words<'_>) {
        self.malformed += 1;
        let text = String::from_utf8_lossy(&line.bytes[..line.bytes.len().min(MALFORMED)]);
        self.teller.tell(cx, None, What::Malformed { reason, text, bytes: line.length });
    }

    fn on_unknown(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        self.unknown += 1;
        self.teller.tell(cx, None, What::Unknown { raw: Some(crate::event::Raw::new(json)) });
    }
}

/// Permission requests whose answer was not seen, the last ones.
#[derive(Debug, Default)]
struct Asked(VecDeque<Question>);

#[derive(Debug)]
struct Question {
    request: String,
    /// The agent that wants to know.
    agent: Option<String>,
    call: Option<String>,
}

impl Asked {
    fn push(&mut self, question: Question) {
        if self.0.len() == ASKED {
            self.0.pop_front();
        }
        self.0.push_back(question);
    }

    fn has(&self, request: Str<'_>) -> bool {
        self.0.iter().any(|question| request == question.request.as_str())
    }

    fn take(&mut self, request: &str) -> Option<Question> {
        let at = self.0.iter().rposition(|question| question.request == request)?;
        self.0.remove(at)
    }

    /// The call was made, or not: nobody answers any more.
    fn called(&mut self, call: &str) {
        self.0.retain(|question| question.call.as_deref() != Some(call));
    }
}

/// Reads a whole line into a `T`. Returns whether it is an object of that type.
fn whole<'l, T: Fill<'l>>(cx: &mut Cx<'l, '_>, line: &mut T) -> Result<bool, Fault> {
    Ok(fill(cx, line)? == Some(0))
}

/// The same whatever type the object says it is; returns the tags that are not the type's.
fn fill<'l, T: Fill<'l>>(cx: &mut Cx<'l, '_>, line: &mut T) -> Result<Option<u8>, Fault> {
    let mut cursor = cx.start.clone();
    let found = line.fill(&mut cursor)?;
    cursor.end()?;
    cx.odd = cursor.deepest() > MAYBE_DEEP || cursor.far_numbers();
    Ok(match found {
        Found::Fits(wrong_tags) => Some(wrong_tags),
        Found::Null | Found::Odd => None,
    })
}
