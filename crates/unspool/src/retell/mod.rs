//! Events that were written down, told again.
//!
//! In go the lines that `unspool events` printed, of one stream or of several, in either grain; out come their events in the grain
//! that is wanted, numbered anew, with one `finished` at the end. What the stream said and its events do not is not there:
//! bytes that were no events, and in [`Grain::Deltas`] how the parts of whole blocks grew.

mod regrain;

pub(crate) use regrain::{Regrain, is_of_deltas};

use crate::event::{Agent, Decision, Event, Note, What};
use crate::line::{End, Line};
use crate::translate::Grain;
use crate::verdict::{FailOn, Verdict};
use crate::wire::{Kind, SystemKind};
use std::collections::BTreeSet;

/// The most of a line that is no event that is told.
const MALFORMED: usize = 4096;

/// Tells written events again.
///
/// ```
/// use unspool::line::{End, Line};
/// use unspool::{Grain, Retelling, Spool};
///
/// let stream = br#"{"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"4"}]}}"#;
/// let written: Vec<String> = Spool::read(Grain::Deltas, stream).iter().map(|event| event.to_json()).collect();
///
/// let (mut retelling, mut told) = (Retelling::new(Grain::Blocks), Vec::new());
/// for (number, line) in (1..).zip(&written) {
///     retelling.step(Line::whole(number, line.as_bytes(), End::Newline), |event| told.push(event.into_owned()));
/// }
/// retelling.finish(|event| told.push(event.into_owned()));
/// assert_eq!(told, Spool::read(Grain::Blocks, stream));
/// ```
#[derive(Debug)]
pub struct Retelling {
    regrain: Regrain,
    fail_on: FailOn,
    seq: u64,
    /// The last end that was told; more may come behind it.
    end: Option<Event<'static>>,
    /// Something was told that is an event.
    begun: bool,
    cut: bool,
    denied: bool,
    spoken: bool,
    turns: u64,
    malformed: u64,
    unknown: u64,
    /// Money of the streams that ended, and of the turns since; `None` once something is not known.
    cost_usd: Option<f64>,
    since_end: Option<f64>,
    session: Option<String>,
    agents: BTreeSet<String>,
    tools: BTreeSet<String>,
}

impl Retelling {
    /// Tells parts in this grain, whatever grain they were written in.
    #[must_use]
    pub fn new(grain: Grain) -> Self {
        Retelling {
            regrain: Regrain::new(grain),
            fail_on: FailOn::default(),
            seq: 0,
            end: None,
            begun: false,
            cut: false,
            denied: false,
            spoken: false,
            turns: 0,
            malformed: 0,
            unknown: 0,
            cost_usd: Some(0.0),
            since_end: Some(0.0),
            session: None,
            agents: BTreeSet::new(),
            tools: BTreeSet::new(),
        }
    }

    /// Says what else counts as a failure.
    #[must_use]
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// Goes on behind so many events that were told already.
    #[must_use]
    pub fn after(mut self, seq: u64) -> Self {
        self.seq = seq;
        self
    }

    /// Takes one line; hands on what it tells. A line that is no event is malformed, as in a stream.
    pub fn step(&mut self, line: Line<'_>, mut sink: impl FnMut(Event<'_>)) {
        let text = line.text();
        if text.is_empty() {
            return;
        }
        match Event::read(&text) {
            Ok(event) => {
                self.begun = true;
                self.on_event(event, &mut sink);
            }
            Err(why) => {
                self.cut |= line.end == End::Stream;
                let reason = if line.end == End::Stream { "cut".into() } else { format!("no event: {why}") };
                let text = String::from_utf8_lossy(&line.bytes[..line.bytes.len().min(MALFORMED)]);
                let what = What::Malformed { reason: reason.into(), text, bytes: line.length };
                self.on_event(Event::about(Agent::Main, what).into_owned(), &mut sink);
            }
        }
    }

    /// Whether parts were written whole and told as one piece each, since deltas were wanted: how they grew is not in these events.
    #[must_use]
    pub fn has_split(&self) -> bool {
        self.regrain.has_split()
    }

    /// What was read is not all that was there, as of a compressed file that was cut.
    pub fn cut_off(&mut self) {
        self.cut = true;
    }

    /// There are no more lines: hands on `finished`. Where the last stream did not end, it is `truncated`.
    pub fn finish(&mut self, mut sink: impl FnMut(Event<'_>)) {
        let (agents, tools) = (std::mem::take(&mut self.agents), std::mem::take(&mut self.tools));
        let mut event = self.end.take().unwrap_or_else(|| {
            let none = !self.begun;
            let (verdict, reason) = match none {
                true => (Verdict::NotStarted, "no turn has begun"),
                false => (Verdict::Truncated, "the events end before their stream does"),
            };
            let what = What::Finished {
                verdict,
                code: verdict.code(),
                reason: reason.into(),
                turns: 0,
                cost_usd: self.since_end,
                total_cost_usd: None,
                models: None,
                agents_open: agents.into_iter().map(Into::into).collect(),
                tools_open: tools.into_iter().map(Into::into).collect(),
                malformed: 0,
                unknown: 0,
                notes: Some(not_told(self.since_end)),
            };
            Event { session: self.session.take().map(Into::into), ..Event::about(Agent::Main, what) }
        });
        self.judge(&mut event);
        self.number(event, &mut sink);
    }

    fn on_event(&mut self, event: Event<'static>, sink: &mut dyn FnMut(Event<'_>)) {
        self.note(&event);
        // If there was an end before, this is of another stream.
        if let Some(What::Finished { cost_usd, .. }) = self.end.take().map(|end| end.what) {
            (self.cost_usd, self.since_end) = (add(self.cost_usd, cost_usd), Some(0.0));
        }
        if matches!(event.what, What::Finished { .. }) {
            self.end = Some(event);
            return;
        }
        let Retelling { regrain, seq, .. } = self;
        regrain.step(event, &mut |event| {
            *seq += 1;
            sink(Event { seq: *seq, ..event });
        });
    }

    fn number(&mut self, event: Event<'static>, sink: &mut dyn FnMut(Event<'_>)) {
        self.seq += 1;
        sink(Event { seq: self.seq, ..event });
    }

    /// Takes what the end of all of it is made from.
    fn note(&mut self, event: &Event<'_>) {
        let agent = || event.agent.as_str().to_owned();
        if let Some(session) =
            event.session.as_deref().filter(|session| self.session.as_deref() != Some(session))
        {
            self.session = Some(session.to_owned());
        }
        match &event.what {
            What::TurnStart { .. } => self.turns += 1,
            What::Text { synthetic: None, .. }
            | What::Thinking { synthetic: None, .. }
            | What::TextDelta { synthetic: None, .. }
            | What::ThinkingDelta { synthetic: None, .. } => self.spoken = true,
            What::ToolUse { id, .. } => {
                self.spoken = true;
                self.tools.extend(id.as_deref().map(str::to_owned));
            }
            What::ToolResult { id: Some(id), .. } => drop(self.tools.remove(&**id)),
            What::AgentStart { .. } => drop(self.agents.insert(agent())),
            What::AgentEnd { .. } => drop(self.agents.remove(event.agent.as_str())),
            What::TurnComplete { denials, cost_usd, .. } => {
                self.denied |= denials.as_ref().is_some_and(|denials| !denials.json().is_empty());
                self.since_end = add(self.since_end, *cost_usd);
            }
            What::PermissionResolved { decision: Decision::Deny, .. } => self.denied = true,
            What::Notice { .. } => {
                self.denied |= event.what.line_kind() == Some(Kind::System(SystemKind::PermissionDenied));
            }
            What::Malformed { .. } => self.malformed += 1,
            What::Unknown { .. } => self.unknown += 1,
            _ => {}
        }
    }

    /// Gives the last end the verdict over all of it.
    fn judge(&self, event: &mut Event<'static>) {
        let What::Finished { verdict, code, reason, turns, cost_usd, malformed, unknown, .. } =
            &mut event.what
        else {
            return;
        };
        (*turns, *malformed, *unknown) = (self.turns, self.malformed, self.unknown);
        *cost_usd = add(*cost_usd, self.cost_usd);
        let was_asked_for = matches!(verdict, Verdict::Denied | Verdict::Empty);
        if was_asked_for {
            (*verdict, *reason) = (Verdict::Ok, "the last turn completed".into());
        }
        if self.cut {
            (*verdict, *reason) = (Verdict::Truncated, "the last line is cut".into());
        } else if *verdict == Verdict::Ok && self.fail_on.denied && self.denied {
            (*verdict, *reason) = (Verdict::Denied, "a tool was not allowed".into());
        } else if *verdict == Verdict::Ok && self.fail_on.empty && !self.spoken {
            (*verdict, *reason) = (Verdict::Empty, "no model said anything".into());
        }
        *code = verdict.code();
    }
}

fn add(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? + other?)
}

/// Why figures of an end that was not told are missing.
fn not_told(cost_usd: Option<f64>) -> Vec<Note> {
    let unknown = ["total_cost_usd", "models"].into_iter().chain(cost_usd.is_none().then_some("cost_usd"));
    unknown.map(|field| Note::new(field, "not_reported")).collect()
}
