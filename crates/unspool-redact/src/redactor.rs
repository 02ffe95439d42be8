//! Lines in, the same lines without their secrets out.

use crate::env;
use crate::find::{Secret, Surroundings};
use crate::flow::{Decided, Flow};
use crate::held::{Held, Queue};
use crate::masks::Masks;
use crate::unescape::Unescaped;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use unspool::journal::Way;
use unspool::json::Json;
use unspool::texts::{Ends, Part, Text, Texts};

/// More lines do not wait for one that is not decided.
const LINES: usize = 4096;
/// Nor more bytes.
const BYTES: usize = 16 << 20;
/// Calls that read variables and have no answer yet: more are forgotten.
const CALLS: usize = 1024;
/// More parts do not grow at once.
const PARTS: usize = 4096;
/// Nothing that is shorter can be nothing but a secret.
const SHORTEST: usize = 16;

/// Masks lines. What belongs to a line comes out with it, in the order in which it went in.
#[derive(Debug)]
pub(crate) struct Lines<T> {
    masks: Masks,
    queue: Queue<T>,
    /// Parts that grow.
    parts: BTreeMap<Part, Flow>,
    /// Text that is no JSON, by the way it goes.
    loose: BTreeMap<Way, Flow>,
    /// Calls that read variables.
    calls: VecDeque<String>,
}

/// A line that comes out.
pub(crate) struct Masked<T> {
    pub(crate) tag: T,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_changed: bool,
}

type Changes = Vec<(Range<usize>, String)>;

impl<T> Lines<T> {
    pub(crate) fn new(masks: Masks) -> Self {
        Lines {
            masks,
            queue: Queue::default(),
            parts: BTreeMap::new(),
            loose: BTreeMap::new(),
            calls: VecDeque::new(),
        }
    }

    /// A line that goes this way; `whole` if its line feed is there.
    pub(crate) fn line(&mut self, way: Way, bytes: Vec<u8>, whole: bool, tag: T) {
        match json_in(&bytes) {
            Some(at) => {
                // What is no JSON is over.
                self.settle_loose(way);
                self.json(way, bytes, &at, tag);
            }
            None => self.loose(way, bytes, whole, tag),
        }
        self.bound();
    }

    /// Nothing more goes this way.
    pub(crate) fn close(&mut self, way: Way) {
        self.settle_loose(way);
        if way == Way::Out {
            self.settle(|_| true);
        }
    }

    /// There are no more lines.
    pub(crate) fn finish(&mut self) {
        Way::ALL.into_iter().for_each(|way| self.settle_loose(way));
        self.settle(|_| true);
    }

    /// The next line that is decided.
    pub(crate) fn pop(&mut self) -> Option<Masked<T>> {
        let (tag, bytes, is_changed) = self.queue.pop()?;
        Some(Masked { tag, bytes, is_changed })
    }

    fn json(&mut self, way: Way, bytes: Vec<u8>, at: &Range<usize>, tag: T) {
        let (changes, piece) = self.look(way, &bytes, at);
        let held = Held::done(tag, bytes, changes);
        let Some((part, range, words)) = piece else { return self.queue.push(held) };
        let number = self.queue.next();
        self.queue.push(held.open(range, true));
        let flow = self.parts.entry(part).or_default();
        flow.push(Some(number), &words);
        let decided = self.masks.with(|finder, vault| flow.decide(false, finder, vault));
        take(&mut self.queue, decided);
    }

    /// What is to be changed in a line, and what of it is a piece: of which part, where, and which words.
    fn look(
        &mut self,
        way: Way,
        bytes: &[u8],
        at: &Range<usize>,
    ) -> (Changes, Option<(Part, Range<usize>, String)>) {
        let mut changes = Changes::new();
        let line = str::from_utf8(&bytes[at.clone()]).unwrap_or_default();
        let Some(mut found) = Texts::of(line) else { return (changes, None) };
        if way != Way::Out {
            // Whatever stands elsewhere says nothing of the parts that grow there.
            (found.ends, found.piece) = (None, None);
        }
        match &found.ends {
            Some(Ends::Part(part)) => self.settle(|it| it == part),
            Some(Ends::Agent(agent)) => self.settle(|it| it.agent == *agent),
            Some(Ends::All) => self.settle(|_| true),
            _ => {}
        }
        let is_env = self.reads_variables(line, &found);
        for (number, text) in found.strings.iter().enumerate() {
            if found.piece.as_ref().is_none_or(|piece| piece.string != number) {
                self.mask(line, text, is_env, at.start, &mut changes);
            }
        }
        let piece = found.piece.map(|piece| {
            let range = found.strings[piece.string].range.clone();
            let words = Unescaped::json(&line[range.clone()]).text.into_owned();
            (piece.part, range.start + at.start..range.end + at.start, words)
        });
        (changes, piece)
    }

    /// Text that is no JSON goes on from line to line.
    fn loose(&mut self, way: Way, bytes: Vec<u8>, whole: bool, tag: T) {
        let number = self.queue.next();
        let flow = self.loose.entry(way).or_default();
        flow.push(Some(number), &Unescaped::lossy(&bytes).text);
        let range = 0..bytes.len();
        self.queue.push(Held::done(tag, bytes, Vec::new()).open(range, false));
        if whole {
            flow.push(None, "\n");
        }
        let decided = self.masks.with(|finder, vault| flow.decide(false, finder, vault));
        take(&mut self.queue, decided);
    }

    fn mask(&self, line: &str, text: &Text<'_>, is_env: bool, start: usize, changes: &mut Changes) {
        if text.is_fixed && text.range.len() < SHORTEST {
            return;
        }
        let words = Unescaped::json(&line[text.range.clone()]);
        let name = text.name.filter(|_| !text.is_name).map(|name| name.decode());
        let place = Surroundings {
            is_fixed: text.is_fixed,
            field: name.as_deref(),
            is_env: is_env && !text.is_fixed,
            is_behind_secret: false,
        };
        for (Secret { range, .. }, placeholder) in self.masks.find(&words.text, place) {
            let source = words.source(range);
            let from = start + text.range.start;
            changes.push((from + source.start..from + source.end, placeholder));
        }
    }

    /// Notes which calls read variables, and what was read. Returns whether variables stand in this line.
    fn reads_variables(&mut self, line: &str, found: &Texts<'_>) -> bool {
        let within = |range: &Range<usize>| {
            let range = range.clone();
            found
                .strings
                .iter()
                .filter(move |it| range.contains(&it.range.start) && !it.is_name && !it.is_fixed)
        };
        for (call, input) in &found.calls {
            if within(input).any(|it| env::is_named(&it.string.decode())) {
                self.calls.push_back(call.to_string());
                if self.calls.len() > CALLS {
                    self.calls.pop_front();
                }
            }
        }
        let mut is_env = false;
        for (call, answer) in &found.answers {
            let call = call.to_string();
            if !self.calls.contains(&call) {
                continue;
            }
            is_env = true;
            for text in within(answer) {
                let words = Unescaped::json(&line[text.range.clone()]);
                let variables = env::values(&words.text);
                let values = variables.into_iter().map(|it| (&words.text[it.name], &words.text[it.value]));
                let distinct: BTreeSet<_> = values
                    .filter(|(name, value)| env::is_distinct(name, value))
                    .map(|(_, value)| value.to_owned())
                    .collect();
                self.masks.learn(distinct);
            }
        }
        is_env
    }

    fn settle(&mut self, which: impl Fn(&Part) -> bool) {
        let parts: Vec<Part> = self.parts.keys().filter(|part| which(part)).cloned().collect();
        for part in parts {
            let Some(mut flow) = self.parts.remove(&part) else { continue };
            let decided = self.masks.with(|finder, vault| flow.decide(true, finder, vault));
            take(&mut self.queue, decided);
        }
    }

    fn settle_loose(&mut self, way: Way) {
        let Some(mut flow) = self.loose.remove(&way) else { return };
        let decided = self.masks.with(|finder, vault| flow.decide(true, finder, vault));
        take(&mut self.queue, decided);
    }

    /// Who waits too long is decided as it is.
    fn bound(&mut self) {
        let (lines, bytes) = self.queue.size();
        if lines > LINES || bytes > BYTES && lines > 1 || self.parts.len() > PARTS {
            self.finish();
        }
    }
}

fn take<T>(queue: &mut Queue<T>, decided: Decided) {
    decided.changes.into_iter().for_each(|change| queue.change(change.line, change.range, change.words));
    decided.lines.into_iter().for_each(|line| queue.decided(line));
}

/// Where the JSON of a line stands: all of it, or an element of a list that is printed over several lines.
fn json_in(bytes: &[u8]) -> Option<Range<usize>> {
    let text = str::from_utf8(bytes).ok()?;
    let is_value = |text: &str| text.starts_with(['{', '[']) && Json::new(text).is_ok();
    let start = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r']).len();
    let line = text[start..].trim_end();
    if is_value(line) {
        return Some(start..start + line.len());
    }
    let inner = line.trim_start_matches(['[', ',', ' ', '\t']);
    let start = start + line.len() - inner.len();
    let inner = inner.trim_end_matches([']', ',', ' ', '\t']);
    is_value(inner).then_some(start..start + inner.len())
}
