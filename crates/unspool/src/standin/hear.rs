//! What the host writes, held against what it wrote when it was recorded.

use super::deviation::{Deviation, Waits};
use super::free::Rules;
use super::introduction::{other_settings, settings};
use super::life::Hears;
use super::names::Names;
use super::part::Part;
use super::same::{Difference, difference};
use super::step::{Hear, Lane, Meaning, Say, Step, text_of};
use crate::json::Json;
use crate::wire::{CommandKind, Kind, input};

/// A line that came.
pub(super) struct Came<'l> {
    bytes: &'l [u8],
    pub(super) lane: Lane,
    now: u64,
}

impl Came<'_> {
    /// Whether it is what a host begins with.
    fn is_introduction(&self) -> bool {
        matches!(&self.lane, Lane::Request { subtype, .. } if CommandKind::of(subtype) == Some(CommandKind::Initialize))
    }
}

/// A recorded line that might have been meant, and is another.
struct Near {
    index: usize,
    at: Difference,
}

impl Part {
    /// The host has closed the input.
    pub(super) fn close(&mut self, now: u64) {
        self.is_closed = true;
        self.heard_at = now;
        let left = |step: &Step| matches!(step, Step::Hear(hear) if !hear.is_optional);
        let left: Vec<usize> = self.left().filter(|&index| left(&self.life.steps[index])).collect();
        if let Some(waits) = left.first().and_then(|&index| self.hear_of(index)).map(Hear::waits) {
            self.told.push_back(Deviation::Closed { waits });
            left.into_iter().for_each(|index| self.hear(index, now));
        }
        // Nobody will write a prompt now.
        self.is_prompted = true;
    }

    /// The host wrote a line.
    pub(super) fn line(&mut self, bytes: &[u8], now: u64) {
        self.heard_at = now;
        let is_json = self.life.hears != Hears::Text;
        let lane = if is_json { Lane::of(bytes) } else { Lane::Text };
        let came = Came { bytes, lane, now };
        match (self.life.hears, &came.lane) {
            (Hears::Lines | Hears::Unknown, Lane::Nothing) => {}
            (Hears::Unknown, _) => self.answer_unheard(&came),
            (Hears::Lines | Hears::Text, _) => self.compare_line(&came),
        }
    }

    fn compare_line(&mut self, came: &Came<'_>) {
        let mut near: Option<Near> = None;
        for index in self.candidates(came) {
            let Some(hear) = self.hear_of(index) else { continue };
            match self.fits(hear, came) {
                Ok(()) => return self.take(index, came),
                // The one of its kind is what was meant; else what is waited for.
                Err(at) => {
                    let is_kind = hear.lane.is_like(&came.lane);
                    let better = |near: &Near| is_kind && !self.is_like(near.index, came);
                    if near.as_ref().is_none_or(better) {
                        near = Some(Near { index, at });
                    }
                }
            }
        }
        self.deviate(near, came);
    }

    /// The recorded lines that a line may be, in their order: the first that is waited for whatever it is, and those that need not
    /// wait for it.
    fn candidates(&self, came: &Came<'_>) -> Vec<usize> {
        if let Lane::Answer { id } = &came.lane {
            let answers = self.answers.get(id).into_iter().flatten().copied();
            return self.first().into_iter().chain(answers.filter(|&index| !self.done[index])).collect();
        }
        let mut candidates = Vec::new();
        // The recording waits for a line; and has gone on because of it.
        let (mut waits, mut goes_on) = (false, false);
        for index in self.next..self.life.steps.len() {
            match &self.life.steps[index] {
                Step::Say(say) => goes_on |= waits && say.goes_on(),
                Step::Hear(_) if self.done[index] => {}
                Step::Hear(hear) => {
                    let is_first = !waits && !hear.is_optional;
                    let is_like = hear.lane.is_like(&came.lane);
                    // Prompts may come at any time.
                    if is_first || is_like && (!goes_on || came.lane == Lane::Prompt) {
                        candidates.push(index);
                    }
                    waits |= !hear.is_optional;
                    // These keep their order.
                    if is_like && matches!(came.lane, Lane::Prompt | Lane::Text) {
                        break;
                    }
                }
            }
            if goes_on && came.lane != Lane::Prompt {
                break;
            }
        }
        candidates
    }

    /// The first line that is waited for.
    fn first(&self) -> Option<usize> {
        self.left().find(|&index| self.hear_of(index).is_some_and(|hear| !hear.is_optional))
    }

    /// Lines that have not come.
    fn left(&self) -> impl Iterator<Item = usize> + '_ {
        (self.next..self.life.steps.len()).filter(|&index| !self.done[index] && self.hear_of(index).is_some())
    }

    fn hear_of(&self, index: usize) -> Option<&Hear> {
        match self.life.steps.get(index)? {
            Step::Hear(hear) => Some(hear),
            Step::Say(_) => None,
        }
    }

    fn is_like(&self, index: usize, came: &Came<'_>) -> bool {
        self.hear_of(index).is_some_and(|hear| hear.lane.is_like(&came.lane))
    }

    /// Whether a line says what the recorded one says.
    fn fits(&self, hear: &Hear, came: &Came<'_>) -> Result<(), Difference> {
        if hear.bytes == came.bytes {
            return Ok(());
        }
        let (expected, text) = (hear.text(), text_of(came.bytes));
        let whole = || Difference {
            path: String::new(),
            expected: Some(expected.to_string()),
            came: Some(text.to_string()),
        };
        if hear.lane == Lane::Text || came.lane == Lane::Text {
            return Err(whole());
        }
        let (Ok(expected), Ok(text)) = (Json::new(&expected), Json::new(&text)) else { return Err(whole()) };
        if hear.is_any && hear.lane == came.lane {
            return Ok(());
        }
        let kind = Kind::last_of(text).name();
        let kind = if kind.is_empty() { Kind::said_by(text) } else { kind.to_owned() };
        let settings = if came.is_introduction() { settings(expected, text) } else { Vec::new() };
        let rules = Rules::of(&kind, &self.ignored).and(&settings);
        match difference(expected, text, &rules, &self.names) {
            // What is withdrawn is a request by its id.
            Some(at) if at.path == "request_id" && self.is_withdrawn(expected, text) => Ok(()),
            Some(at) => Err(at),
            None => Ok(()),
        }
    }

    /// Whether two lines withdraw the one request of the host.
    fn is_withdrawn(&self, recorded: Json<'_>, now: Json<'_>) -> bool {
        let id = |line: Json<'_>| Some(line.get("request_id")?.as_str()?.to_string());
        let is_cancel = Kind::last_of(recorded) == Kind::ControlCancelRequest;
        is_cancel && id(recorded).is_some_and(|recorded| self.names.request(&recorded) == id(now).as_deref())
    }

    /// A line is the recorded one: whatever the host has named in it is called so from now on.
    fn take(&mut self, index: usize, came: &Came<'_>) {
        self.hear(index, came.now);
        let Step::Hear(hear) = &self.life.steps[index] else { return };
        if came.is_introduction() {
            self.told.extend(other_settings(&hear.text(), &text_of(came.bytes), &self.ignored));
        }
        note_names(hear, came, &mut self.names);
    }

    fn deviate(&mut self, near: Option<Near>, came: &Came<'_>) {
        let text = text_of(came.bytes).into_owned();
        let waits = self.first().and_then(|index| self.hear_of(index)).map(Hear::waits);
        if came.lane == Lane::Text && self.life.hears == Hears::Lines {
            let why = Json::new(&text).map_or_else(|fault| fault.to_string(), |_| String::new());
            self.told.push_back(Deviation::Unreadable { why, came: text, waits });
            return;
        }
        if let Some(Near { index, at }) = near.filter(|near| self.is_like(near.index, came)) {
            let Some(hear) = self.hear_of(index) else { return };
            let (entry, expected) = (hear.number, hear.text().into_owned());
            self.told.push_back(Deviation::Differs { entry, at, expected, came: text });
            return self.take(index, came);
        }
        match &came.lane {
            Lane::Answer { id } => self.deviate_answer(id.clone(), text, waits),
            Lane::Request { id, subtype } => {
                let later = self.left().find(|&index| self.is_like(index, came));
                match (later.and_then(|index| Some((index, self.hear_of(index)?.number))), waits) {
                    (Some((index, entry)), Some(waits)) => {
                        self.told.push_back(Deviation::TooSoon { entry, came: text, waits });
                        self.take(index, came);
                    }
                    (_, waits) => self.refuse(id, subtype, text, waits),
                }
            }
            // Claude Code passes over what withdraws a request that it has answered.
            Lane::Else(kind) if *kind == Kind::ControlCancelRequest.name() => {}
            _ => self.told.push_back(Deviation::Unexpected { came: text, waits }),
        }
    }

    fn deviate_answer(&mut self, id: String, came: String, waits: Option<Waits>) {
        let asks = |say: &Say| matches!(&say.is, Meaning::Ask { id: asked, .. } if *asked == id);
        let was_asked = self
            .life
            .steps
            .iter()
            .zip(&self.done)
            .any(|(step, done)| *done && matches!(step, Step::Say(say) if asks(say)));
        let was_answered =
            self.answers.get(&id).is_some_and(|answers| answers.iter().any(|&index| self.done[index]));
        match (was_asked, was_answered) {
            (true, true) => self.told.push_back(Deviation::Answered { id, came }),
            // Nobody answered it when it was recorded, and nobody waits for it.
            (true, false) => {}
            (false, _) => self.told.push_back(Deviation::Unasked { id, came, waits }),
        }
    }

    /// A request that the recording does not have. What Claude Code does not know, it refuses; what it knows, it would have done.
    fn refuse(&mut self, id: &str, subtype: &str, came: String, waits: Option<Waits>) {
        if CommandKind::of(subtype).is_some() {
            self.told.push_back(Deviation::Unexpected { came, waits });
            if self.is_lenient {
                self.replies.push_back(
                    input::refuse(id, "this request is not in the recording").to_line().into_bytes(),
                );
            }
            return;
        }
        self.told.push_back(Deviation::Unknown { subtype: subtype.into(), came });
        if self.life.version().is_none_or(refuses) {
            self.replies.push_back(input::unsupported(id, subtype).to_line().into_bytes());
        }
    }
}

/// 2.1.112 and later refuse what they do not know; older ones never answer it. (2.0.77 and 1.0.128 do not.)
fn refuses(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse::<u64>().unwrap_or(0));
    let version = [numbers.next(), numbers.next(), numbers.next()].map(Option::unwrap_or_default);
    version >= [2, 1, 112]
}

fn note_names(hear: &Hear, came: &Came<'_>, names: &mut Names) {
    match (&hear.lane, &came.lane) {
        (Lane::Request { id: recorded, .. }, Lane::Request { id: now, .. }) => {
            names.note_request(recorded, now)
        }
        (Lane::Prompt, Lane::Prompt) => {}
        _ => return,
    }
    let (expected, text) = (hear.text(), text_of(came.bytes));
    let (Ok(expected), Ok(text)) = (Json::new(&expected), Json::new(&text)) else { return };
    match hear.lane {
        Lane::Request { .. } => names.note_hooks(expected, text),
        _ => {
            let id = |line: Json<'_>| Some(line.get("uuid")?.as_str()?.to_string());
            if let (Some(recorded), Some(now)) = (id(expected), id(text)) {
                names.note(recorded, now);
            }
        }
    }
}
