//! Variations: the recording as it might have been, so that hosts can be tried with what seldom happens.

use super::ended::Ended;
use super::life::Life;
use super::step::{Hear, Lane, Meaning, Say, Step};
use crate::journal::Way;
use crate::json::{Json, Str};
use crate::wire::ask::AskKind;
use crate::wire::{Kind, Wire};

/// What is otherwise than in the recording. Lines are those of standard output, counted from 1, as they were recorded.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Variation {
    /// There are no results.
    pub no_result: bool,
    /// Standard output ends behind so many lines, and the program exits as it did.
    pub cut_lines: Option<usize>,
    /// Standard output ends behind so many bytes, and the program exits as it did.
    pub cut_bytes: Option<usize>,
    /// Pauses before lines.
    pub delays: Vec<Before<u64>>,
    /// A pause before every line, in milliseconds.
    pub delay_each: u64,
    /// Lines that are no JSON.
    pub garbage: Vec<Before<String>>,
    /// Before these lines, lines of a type that nobody knows.
    pub unknown_lines: Vec<usize>,
    /// All lines that are objects have a field that nobody knows.
    pub unknown_fields: bool,
    /// These questions for permission, counted from 1, are withdrawn as soon as they are asked.
    pub cancelled: Vec<usize>,
    /// The program ends behind so many lines, and how.
    pub crash: Option<(usize, Ended)>,
    /// So many bytes on standard error.
    pub floods: Vec<Before<usize>>,
}

/// Something before a line.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Before<T> {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub what: T,
}

impl<T> Before<T> {
    /// Something that is to stand before the line of this number.
    #[must_use]
    pub const fn new(line: usize, what: T) -> Self {
        Before { line, what }
    }
}

/// What stands in a stream now and then: what a program that Claude Code starts says there.
pub(super) const GARBAGE: &str = "[SandboxDebug] this is no JSON";

/// A name that no version has given to anything.
const UNKNOWN: &str = "unheard_of";

/// How long a line of a flood is.
const FLOOD: &str = "unspool: a line of a flood on standard error, to see whether anybody reads it in time\n";

impl Life {
    /// This life as it might have been.
    #[must_use]
    pub fn varied(&self, variation: &Variation) -> Life {
        let mut life = Life { steps: Vec::new(), ..self.clone() };
        let (mut line, mut asked) = (0, 0);
        if let Some(ended) = variation.end_behind(0, self) {
            return life.ending(ended, 0, &self.steps);
        }
        for (index, step) in self.steps.iter().enumerate() {
            let Step::Say(say) = step else {
                life.steps.push(step.clone());
                continue;
            };
            if say.way != Way::Out {
                life.steps.push(step.clone());
                continue;
            }
            line += 1;
            variation.before(line, say.at, &mut life.steps);
            if !(variation.no_result && matches!(say.is, Meaning::Result { .. })) {
                life.steps.push(Step::Say(variation.line(line, say)));
            }
            if let Meaning::Ask { id, .. } = &say.is
                && is_permission(&say.bytes)
            {
                asked += 1;
                if variation.cancelled.contains(&asked) {
                    life.withdraw(id, say.at);
                }
            }
            if let Some(ended) = variation.end_behind(line, self) {
                return life.ending(ended, say.at, &self.steps[index + 1..]);
            }
        }
        match variation.cut_bytes {
            Some(bytes) => life.cut(bytes),
            None => life.settled(),
        }
    }

    /// A question is withdrawn, and nobody waits for its answer.
    fn withdraw(&mut self, id: &str, at: u64) {
        let mut line = String::from("{\"type\":\"control_cancel_request\",\"request_id\":");
        Str::from(id).write(&mut line);
        line.push_str("}\n");
        self.steps.push(Step::Say(Say::new(Way::Out, line.into_bytes(), at)));
    }

    /// Nobody waits for answers to what was withdrawn.
    fn settled(mut self) -> Life {
        let withdrawn: Vec<String> = self
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Say(Say { is: Meaning::Cancel { id }, .. }) => Some(id.clone()),
                _ => None,
            })
            .collect();
        for step in &mut self.steps {
            if let Step::Hear(hear) = step
                && let Lane::Answer { id } = &hear.lane
                && withdrawn.contains(id)
            {
                hear.is_optional = true;
            }
        }
        self
    }

    /// The program ends here, whatever the host does; which may write what it wrote when nothing was wrong.
    fn ending(mut self, ended: Ended, at: u64, rest: &[Step]) -> Life {
        for step in rest {
            if let Step::Hear(hear) = step {
                self.steps.push(Step::Hear(Hear { is_optional: true, ..hear.clone() }));
            }
        }
        (self.closes, self.ended, self.end) = (false, Some(ended), at);
        self.settled()
    }

    /// Standard output has no more bytes than these.
    fn cut(mut self, bytes: usize) -> Life {
        let ended = self.ended();
        let mut left = bytes;
        let mut steps = std::mem::take(&mut self.steps);
        for index in 0..steps.len() {
            let Step::Say(say) = &mut steps[index] else { continue };
            if say.way != Way::Out {
                continue;
            }
            if say.bytes.len() > left {
                say.bytes.truncate(left);
                let at = say.at;
                let rest = steps.split_off(index + 1);
                self.steps = steps;
                return self.ending(ended, at, &rest);
            }
            left -= say.bytes.len();
        }
        self.steps = steps;
        self.settled()
    }
}

impl Variation {
    /// How the program ends behind so many lines, if it does.
    fn end_behind(&self, lines: usize, life: &Life) -> Option<Ended> {
        if let Some((_, ended)) = self.crash.filter(|(after, _)| *after == lines) {
            return Some(ended);
        }
        (self.cut_lines == Some(lines)).then(|| life.ended())
    }

    /// What stands before a line.
    fn before(&self, line: usize, at: u64, steps: &mut Vec<Step>) {
        let mut say = |way, bytes: Vec<u8>| steps.push(Step::Say(Say::new(way, bytes, at)));
        for flood in self.floods.iter().filter(|it| it.line == line) {
            let mut bytes = FLOOD.as_bytes().repeat(flood.what / FLOOD.len() + 1);
            bytes.truncate(flood.what);
            say(Way::Err, bytes);
        }
        for garbage in self.garbage.iter().filter(|it| it.line == line) {
            let text = if garbage.what.is_empty() { GARBAGE } else { &garbage.what };
            say(Way::Out, format!("{text}\n").into_bytes());
        }
        for _ in self.unknown_lines.iter().filter(|it| **it == line) {
            say(
                Way::Out,
                format!("{{\"type\":\"{UNKNOWN}\",\"subtype\":\"{UNKNOWN}\",\"{UNKNOWN}\":[null]}}\n")
                    .into_bytes(),
            );
        }
    }

    /// A line as it might have been.
    fn line(&self, line: usize, say: &Say) -> Say {
        let delays = self.delays.iter().filter(|it| it.line == line).map(|it| it.what);
        let pause = delays.fold(self.delay_each, u64::saturating_add);
        let mut say = Say { pause, ..say.clone() };
        if self.unknown_fields && is_object(&say.bytes) {
            let brace = say.bytes.iter().rposition(|byte| *byte == b'}').unwrap_or(0);
            let comma = if say.bytes[..brace].trim_ascii_end().ends_with(b"{") { "" } else { "," };
            let field = format!("{comma}\"{UNKNOWN}\":{{\"{UNKNOWN}\":[1,\"\",null]}}");
            say.bytes.splice(brace..brace, field.into_bytes());
        }
        say
    }
}

fn is_object(line: &[u8]) -> bool {
    let text = str::from_utf8(line).ok();
    text.and_then(|text| Json::new(text).ok()).is_some_and(|json| json.kind() == crate::json::Kind::Object)
}

fn is_permission(line: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(line) else { return false };
    let Ok(json) = Json::new(text.trim_end()) else { return false };
    let subtype = json.get("request").and_then(|request| request.get("subtype")?.as_str());
    Kind::last_of(json) == Kind::ControlRequest
        && subtype.is_some_and(|name| name == AskKind::CanUseTool.name())
}
