//! Turns lines into events: each thing once, each agent apart.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice. What is
//! remembered is bounded, so that a stream may be of any length.

mod agents;
mod calls;
mod draft;
mod lifecycle;
mod notice;
mod part;
mod recent;
mod result;
mod speech;
mod stream;
mod tell_part;
mod teller;
mod track;
mod turns;

use crate::event::{Event, What, Words};
use crate::json::{Cursor, Fault, Json, Str};
use crate::line::{End, Line};
use crate::tally::Tally;
use crate::verdict::{Cut, Evidence, FailOn};
use crate::wire::{Assistant, Found, Init, Message, ResultLine, StreamEvent, User, Wire};
use agents::Agents;
use calls::Calls;
use recent::Recent;
use std::borrow::Cow;
use std::collections::HashMap;
use teller::{Cx, Teller};
use turns::Turns;

/// How finely parts are told. Each grain is complete by itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
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
    /// Lines of messages, by uuid and content.
    lines: Recent,
    /// What the last `session_meta` said.
    meta: Option<u64>,
    /// Permission requests without an answer.
    asked: HashMap<String, Option<String>>,
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
            lines: Recent::new(LINES),
            meta: None,
            asked: HashMap::new(),
            malformed: 0,
            unknown: 0,
        }
    }

    /// Says what else counts as a failure.
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// It is now so many milliseconds since the stream began.
    pub fn set_clock(&mut self, milliseconds: u64) {
        self.teller.clock = Some(milliseconds);
    }

    /// Takes one line; hands on what it adds, in order.
    pub fn step(&mut self, line: Line<'_>, sink: &mut dyn FnMut(Event<'_>)) {
        let mut cx = Cx { number: Some(line.number), uuid: None, time: None, odd: false, sink };
        if let End::TooLong(length) = line.end {
            return self.on_malformed(&mut cx, line.bytes, length, "too long".into());
        }
        let text = line.text();
        if text.is_empty() {
            return;
        }
        if let Err(fault) = self.read(&mut cx, &text) {
            let cut = line.end == End::Stream;
            self.evidence.cut_line |= cut;
            let reason = if cut { Cow::Borrowed("cut") } else { Cow::Owned(fault.to_string()) };
            self.on_malformed(&mut cx, line.bytes, line.bytes.len() as u64, reason);
        }
    }

    /// The stream has ended: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        let mut cx = Cx { number: None, uuid: None, time: None, odd: false, sink };
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

    /// Forgets everything that was told, as for a new stream; only the numbering of events goes on.
    pub fn reset(&mut self) {
        let mut teller = std::mem::take(&mut self.teller);
        teller.reset();
        *self = Translator { teller, fail_on: self.fail_on, ..Translator::new(self.grain) };
    }

    fn read<'l>(&mut self, cx: &mut Cx<'l, '_>, text: &'l str) -> Result<(), Fault> {
        let kind = Cursor::new(text).tag("type").map(Str::decode);
        if self.read_as(cx, text, kind.as_deref())? { Ok(()) } else { self.read_other(cx, text) }
    }

    /// Reads a line of one of the frequent types; returns whether it is one.
    fn read_as<'l>(&mut self, cx: &mut Cx<'l, '_>, text: &'l str, kind: Option<&str>) -> Result<bool, Fault> {
        match kind {
            Some("stream_event") => {
                let Some(line) = whole::<StreamEvent<'_>>(cx, text)? else { return Ok(false) };
                self.hear(cx, line.session_id, line.uuid, None);
                self.on_stream_event(cx, &line, text);
            }
            Some("assistant") => {
                let Some(line) = whole::<Assistant<'_>>(cx, text)? else { return Ok(false) };
                if line.message.is_none() && line.extra.get("message").is_some_and(|it| !it.is_null()) {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                self.on_assistant(cx, &line);
            }
            Some("user") => {
                let Some(line) = whole::<User<'_>>(cx, text)? else { return Ok(false) };
                if line.message.is_none() {
                    return Ok(false);
                }
                self.hear(cx, line.session_id, line.uuid, line.timestamp);
                self.on_user(cx, &line);
            }
            Some("result") => {
                let Some(line) = whole::<ResultLine<'_>>(cx, text)? else { return Ok(false) };
                self.hear(cx, line.session_id, line.uuid, None);
                self.on_result(cx, &line);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_other<'l>(&mut self, cx: &mut Cx<'l, '_>, text: &'l str) -> Result<(), Fault> {
        let mut cursor = Cursor::new(text);
        if cursor.peek() != b'{' {
            return Err(Fault { what: "not an object", at: 0 });
        }
        let json = cursor.skip()?;
        cursor.end()?;
        cx.odd = cursor.deepest() > 256 || cursor.far_numbers();
        let field = |name| json.get(name).and_then(Json::as_str);
        let text_of = |name| field(name).map(Str::decode);
        // Of repeated keys the last wins; to look for it in every line would cost too much.
        if self.read_as(cx, text, text_of("type").as_deref())? {
            return Ok(());
        }
        self.hear(cx, field("session_id"), field("uuid"), field("timestamp"));
        match (text_of("type").as_deref(), text_of("subtype").as_deref(), text_of("role").as_deref()) {
            (Some("system"), Some("init"), _) => {
                if let Some(init) = Init::of(json) {
                    self.on_init(cx, &init);
                    return Ok(());
                }
            }
            (Some("system"), Some("result"), _) => {
                let line = quirk_result(json);
                self.on_result(cx, &line);
                return Ok(());
            }
            (None | Some("message"), _, Some("assistant")) => {
                if let Some(message) = Message::of(json) {
                    self.on_assistant(cx, &Assistant { message: Some(message), ..Assistant::default() });
                    return Ok(());
                }
            }
            (None | Some("message"), _, Some("user")) => {
                if let Some(message) = Message::of(json) {
                    self.on_user(cx, &User { message: Some(message), ..User::default() });
                    return Ok(());
                }
            }
            (None | Some("message"), _, Some("system")) => {
                let line = quirk_result(json);
                self.on_result(cx, &line);
                return Ok(());
            }
            _ => {}
        }
        self.on_notice(cx, json);
        Ok(())
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

    fn on_malformed(&mut self, cx: &mut Cx<'_, '_>, bytes: &[u8], length: u64, reason: Words<'_>) {
        self.malformed += 1;
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MALFORMED)]);
        self.teller.tell(cx, None, What::Malformed { reason, text, bytes: length });
    }

    fn on_unknown(&mut self, cx: &mut Cx<'_, '_>, json: Json<'_>) {
        self.unknown += 1;
        self.teller.tell(cx, None, What::Unknown { raw: Some(crate::event::Raw::new(json)) });
    }
}

fn quirk_result<'l>(json: Json<'l>) -> ResultLine<'l> {
    let mut cursor = Cursor::new(json.text());
    let mut it = ResultLine::default();
    let _ = cursor.object(|key, cursor| {
        match &*key.decode() {
            "result" => it.result = Some(cursor.skip()?),
            "is_error" => it.is_error = cursor.skip()?.as_bool(),
            "session_id" => it.session_id = cursor.skip()?.as_str(),
            "uuid" => it.uuid = cursor.skip()?.as_str(),
            "cost_usd" => it.cost_usd = cursor.skip()?.as_f64(),
            "total_cost_usd" => it.total_cost_usd = cursor.skip()?.as_f64(),
            "duration_ms" => it.duration_ms = cursor.skip()?.as_f64(),
            "structured_output" => it.structured_output = Some(cursor.skip()?),
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    });
    it
}

/// Reads a whole line as a `T`; `None` if it is an object of another shape.
fn whole<'l, T: Wire<'l>>(cx: &mut Cx<'l, '_>, text: &'l str) -> Result<Option<T>, Fault> {
    let mut cursor = Cursor::new(text);
    let found = T::read(&mut cursor)?;
    cursor.end()?;
    cx.odd = cursor.deepest() > 256 || cursor.far_numbers();
    Ok(match found {
        Found::Fits(value) => Some(value),
        Found::Null | Found::Odd => None,
    })
}
