//! Writes a session down as the many dialects of the wire do.

use crate::session::{Message, Part, Session, Step, Turn};
use serde_json::{Map, Value, json};

/// One way to write a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dialect {
    pub(crate) shape: Shape,
    /// Messages have ids.
    pub(crate) ids: bool,
    /// Lines have uuids.
    pub(crate) uuids: bool,
    /// Agents that work side by side take turns at random.
    pub(crate) mixed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// One block per line.
    Blocks,
    /// Each line has all blocks so far; without uuids the last words grow too, and lines repeat.
    Snapshots,
    /// The whole message, without an envelope; printed over several lines or not.
    Bare { pretty: bool },
    /// In pieces, with the block as a line before or after its end.
    Partial,
    /// In pieces that nobody confirms.
    Unconfirmed,
}

/// Chances, from a seed.
#[derive(Clone, Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Writes a session down.
pub(crate) fn render(session: &Session, dialect: Dialect, seed: u64) -> Vec<u8> {
    let mut chance = Chance(seed);
    let lines = session.turns.iter().flat_map(|turn| Writer { dialect, chance: &mut chance }.turn(turn));
    let lines: Vec<_> = lines.collect();
    Dress::new(&mut chance).bytes(&lines, dialect.shape == Shape::Bare { pretty: true }, &mut chance)
}

struct Writer<'c> {
    dialect: Dialect,
    chance: &'c mut Chance,
}

impl Writer<'_> {
    fn turn(&mut self, turn: &Turn) -> Vec<Value> {
        let bare = matches!(self.dialect.shape, Shape::Bare { .. });
        let mut lines = Vec::new();
        if !bare {
            lines.push(json!({"type": "system", "subtype": "init", "session_id": "s", "tools": ["Bash"]}));
        }
        lines.push(self.user_text(None, &turn.prompt));
        for phase in &turn.phases {
            lines.extend(self.message(None, &phase.message));
            let strands = phase.strands.iter().map(|(agent, steps)| self.strand(agent, steps)).collect();
            lines.extend(self.mix(strands));
            lines.extend(self.answers(None, &phase.message));
        }
        lines.push(match (bare, turn.failed) {
            (true, failed) => {
                json!({"role": "system", "cost_usd": 0.5, "result": turn.result(), "is_error": failed})
            }
            (false, false) => json!({"type": "result", "subtype": "success", "result": turn.result()}),
            (false, true) => json!({"type": "result", "subtype": "error_max_turns", "result": turn.result()}),
        });
        lines
    }

    fn strand(&mut self, agent: &str, steps: &[Step]) -> Vec<Value> {
        let mut lines = Vec::new();
        for step in steps {
            match step {
                Step::Said(message) => {
                    lines.extend(self.message(Some(agent), message));
                    lines.extend(self.answers(Some(agent), message));
                }
                Step::Told(words) => lines.push(self.user_text(Some(agent), words)),
            }
        }
        lines
    }

    /// One line after the other from whichever strand; each strand keeps its order.
    fn mix(&mut self, strands: Vec<Vec<Value>>) -> Vec<Value> {
        let mut strands: Vec<_> = strands.into_iter().map(Vec::into_iter).collect();
        let mut mixed = Vec::new();
        while !strands.is_empty() {
            let at = if self.dialect.mixed { self.chance.below(strands.len()) } else { 0 };
            match strands[at].next() {
                Some(line) => mixed.push(line),
                None => drop(strands.remove(at)),
            }
        }
        mixed
    }

    fn user_text(&mut self, agent: Option<&str>, words: &str) -> Value {
        let content =
            if self.chance.once_in(2) { json!(words) } else { json!([{"type": "text", "text": words}]) };
        self.envelope("user", agent, json!({"role": "user", "content": content}))
    }

    fn answers(&mut self, agent: Option<&str>, message: &Message) -> Vec<Value> {
        let mut lines = Vec::new();
        for part in &message.parts {
            if let Part::Call { id, answer, failed, .. } = part {
                let content = match self.chance.below(2) {
                    0 => json!(answer),
                    _ => json!([{"type": "text", "text": answer}]),
                };
                let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
                if *failed || self.chance.once_in(2) {
                    block["is_error"] = json!(failed);
                }
                lines.push(self.envelope("user", agent, json!({"role": "user", "content": [block]})));
            }
        }
        lines
    }

    fn message(&mut self, agent: Option<&str>, message: &Message) -> Vec<Value> {
        let blocks: Vec<_> = message.parts.iter().map(Part::block).collect();
        match self.dialect.shape {
            Shape::Blocks => {
                blocks.into_iter().flat_map(|block| self.line(agent, message, vec![block])).collect()
            }
            Shape::Bare { .. } => self.line(agent, message, blocks),
            Shape::Snapshots => self.snapshots(agent, message),
            Shape::Partial | Shape::Unconfirmed => self.pieces(agent, message),
        }
    }

    /// An assistant line. One that has a uuid may come twice.
    fn line(&mut self, agent: Option<&str>, message: &Message, blocks: Vec<Value>) -> Vec<Value> {
        let mut said = json!({"role": "assistant", "type": "message", "content": blocks});
        if self.dialect.ids {
            said["id"] = json!(message.id);
        }
        let mut line = self.envelope("assistant", agent, said);
        if self.dialect.uuids {
            line["uuid"] = json!(format!("uuid-{:x}", self.chance.below(usize::MAX)));
        }
        let times = if self.dialect.uuids && self.chance.once_in(6) { 2 } else { 1 };
        vec![line; times]
    }

    fn snapshots(&mut self, agent: Option<&str>, message: &Message) -> Vec<Value> {
        let mut lines = Vec::new();
        let mut so_far: Vec<Value> = Vec::new();
        for part in &message.parts {
            if let Some(words) = part.words()
                && !self.dialect.uuids
            {
                for cut in self.cuts(words) {
                    let begun = match part {
                        Part::Thinking(_) => Part::Thinking(words[..cut].into()),
                        _ => Part::Text(words[..cut].into()),
                    };
                    let blocks = so_far.iter().cloned().chain([begun.block()]).collect();
                    lines.extend(self.line(agent, message, blocks));
                }
            }
            so_far.push(part.block());
            lines.extend(self.line(agent, message, so_far.clone()));
            // With a uuid, a single block would be a new part.
            let shorter = 1 + self.chance.below(so_far.len());
            if self.chance.once_in(4) && (shorter > 1 || !self.dialect.uuids) {
                lines.extend(self.line(agent, message, so_far[..shorter].to_vec()));
            }
        }
        lines
    }

    /// Some places inside the words, in order.
    fn cuts(&mut self, words: &str) -> Vec<usize> {
        let inside = words.char_indices().skip(1).map(|(at, _)| at);
        inside.filter(|_| self.chance.once_in(4)).collect()
    }

    fn pieces(&mut self, agent: Option<&str>, message: &Message) -> Vec<Value> {
        let confirmed = self.dialect.shape == Shape::Partial;
        let start = json!({"id": message.id, "type": "message", "role": "assistant", "content": []});
        let mut lines = vec![self.event(agent, json!({"type": "message_start", "message": start}))];
        for (index, part) in message.parts.iter().enumerate() {
            let (begun, pieces) = self.taken_apart(part);
            let start = json!({"type": "content_block_start", "index": index, "content_block": begun});
            lines.push(self.event(agent, start));
            for delta in pieces {
                let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
                lines.push(self.event(agent, delta));
            }
            let stop = self.event(agent, json!({"type": "content_block_stop", "index": index}));
            let line = if confirmed { self.line(agent, message, vec![part.block()]) } else { Vec::new() };
            if self.chance.once_in(2) {
                lines.extend(line.into_iter().chain([stop]));
            } else {
                lines.extend([stop].into_iter().chain(line));
            }
        }
        let usage = json!({"output_tokens": 3});
        let end = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage});
        lines.push(self.event(agent, end));
        lines.push(self.event(agent, json!({"type": "message_stop"})));
        lines
    }

    /// How a block begins, and the deltas that complete it.
    fn taken_apart(&mut self, part: &Part) -> (Value, Vec<Value>) {
        let mut begun = part.block();
        let (field, kind, name, words) = match part {
            Part::Text(words) => ("text", "text_delta", "text", words.clone()),
            Part::Thinking(words) => ("thinking", "thinking_delta", "thinking", words.clone()),
            Part::Call { input, .. } => ("input", "input_json_delta", "partial_json", input.to_string()),
            Part::Other(_) => return (begun, Vec::new()),
        };
        begun[field] = if field == "input" { json!({}) } else { json!("") };
        let units: Vec<u16> = words.encode_utf16().collect();
        let mut pieces = vec![json!({"type": kind, name: ""})];
        let mut from = 0;
        while from < units.len() {
            let to = (from + 1 + self.chance.below(6)).min(units.len());
            pieces.push(json!({"type": kind, name: {UTF_16: units[from..to]}}));
            from = to;
        }
        (begun, pieces)
    }

    fn event(&mut self, agent: Option<&str>, event: Value) -> Value {
        json!({"type": "stream_event", "event": event, "session_id": "s", "parent_tool_use_id": agent})
    }

    fn envelope(&mut self, kind: &str, agent: Option<&str>, message: Value) -> Value {
        if matches!(self.dialect.shape, Shape::Bare { .. }) {
            return message;
        }
        let mut line = json!({"type": kind, "message": message, "session_id": "s"});
        if agent.is_some() || self.chance.once_in(2) {
            line["parent_tool_use_id"] = json!(agent);
        }
        line
    }
}

/// Stands for a string of UTF-16 units that may begin or end with half a character.
const UTF_16: &str = "$utf-16";

/// How JSON is written, which must not matter. A stream is written in one way throughout: a block that comes
/// again looks the same again.
struct Dress {
    /// Decides the order of keys, and which letters are escaped.
    taste: u64,
    shuffled: bool,
    escaped: bool,
    crlf: bool,
    marked: bool,
    blank_lines: bool,
}

impl Dress {
    fn new(chance: &mut Chance) -> Self {
        let taste = chance.below(usize::MAX) as u64;
        let mut it = || chance.once_in(3);
        Dress { taste, shuffled: it(), escaped: it(), crlf: it(), marked: it(), blank_lines: it() }
    }

    fn bytes(&self, lines: &[Value], pretty: bool, chance: &mut Chance) -> Vec<u8> {
        let end = if self.crlf { "\r\n" } else { "\n" };
        let mut out = String::new();
        if self.marked {
            out.push('\u{feff}');
        }
        for line in lines {
            if pretty {
                let text = serde_json::to_string_pretty(line).unwrap();
                out += &text.replace('\n', end);
            } else {
                self.write(line, &mut out);
            }
            out += end;
            if self.blank_lines && chance.once_in(3) {
                out += end;
            }
        }
        out.into_bytes()
    }

    fn write(&self, value: &Value, out: &mut String) {
        match value {
            Value::String(words) => self.write_units(words.encode_utf16(), out),
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    self.write(item, out);
                }
                out.push(']');
            }
            Value::Object(fields) if fields.contains_key(UTF_16) => {
                let units: Vec<u16> = serde_json::from_value(fields[UTF_16].clone()).unwrap();
                self.write_units(units, out);
            }
            Value::Object(fields) => self.write_fields(fields, out),
            Value::Null | Value::Bool(_) | Value::Number(_) => *out += &value.to_string(),
        }
    }

    fn escapes(&self, letter: char) -> bool {
        self.escaped && Chance(self.taste ^ u64::from(letter)).once_in(4)
    }

    fn write_fields(&self, fields: &Map<String, Value>, out: &mut String) {
        let mut fields: Vec<_> = fields.iter().collect();
        if self.shuffled {
            let liking =
                |name: &str| name.bytes().fold(self.taste, |sum, byte| Chance(sum ^ u64::from(byte)).next());
            fields.sort_by_key(|(name, _)| liking(name));
        }
        out.push('{');
        for (at, (name, value)) in fields.into_iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            self.write_units(name.encode_utf16(), out);
            out.push(':');
            self.write(value, out);
        }
        out.push('}');
    }

    fn write_units(&self, units: impl IntoIterator<Item = u16>, out: &mut String) {
        out.push('"');
        for letter in char::decode_utf16(units) {
            match letter {
                Ok(letter) if plain(letter) && !self.escapes(letter) => out.push(letter),
                Ok(letter) => {
                    for unit in letter.encode_utf16(&mut [0; 2]) {
                        *out += &format!("\\u{unit:04x}");
                    }
                }
                Err(half) => *out += &format!("\\u{:04X}", half.unpaired_surrogate()),
            }
        }
        out.push('"');
    }
}

fn plain(letter: char) -> bool {
    letter >= ' ' && letter != '"' && letter != '\\'
}
