//! All strings of a line, in their order, however deep it is.

use super::{Text, Texts, fixed, place_of};
use crate::json::{Json, Str};
use crate::wire::{ToolResult, ToolUse, Wire};
use std::ops::Range;

/// An object or a list that is open.
struct Open<'a> {
    is_object: bool,
    /// Where it begins.
    start: usize,
    /// It is anybody's.
    is_said: bool,
    /// The name of the field whose value is next or being walked; of a list the one that the list stands in.
    name: Option<Str<'a>>,
    /// A name is next, and no value.
    wants_name: bool,
    /// What its type may be, if it says so.
    kind: Option<Str<'a>>,
}

/// Walks a line that was checked.
pub(super) fn walk<'a>(json: Json<'a>, texts: &mut Texts<'a>) {
    let text = json.text();
    let bytes = text.as_bytes();
    let mut open: Vec<Open<'a>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at + 1);
                string(text, at + 1..end, &mut open, texts);
                at = end;
            }
            b'{' | b'[' => {
                let outer = open.last();
                let name = outer.and_then(|outer| outer.name);
                let is_said = outer.is_some_and(|outer| outer.is_said) || name.is_some_and(is_anybodys);
                let is_object = byte == b'{';
                open.push(Open { is_object, start: at, is_said, name, wants_name: is_object, kind: None });
            }
            b'}' | b']' => {
                if let Some(closed) = open.pop() {
                    calls(text, &closed, at + 1, texts);
                }
            }
            b',' => {
                if let Some(object) = open.last_mut().filter(|it| it.is_object) {
                    object.wants_name = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn string<'a>(text: &'a str, range: Range<usize>, open: &mut [Open<'a>], texts: &mut Texts<'a>) {
    let inner = &text[range.clone()];
    let string = Str::wire(inner, inner.contains('\\'));
    let Some(holder) = open.last_mut() else {
        return texts.strings.push(Text { string, range, name: None, is_name: false, is_fixed: false });
    };
    if holder.is_object && holder.wants_name {
        (holder.wants_name, holder.name) = (false, Some(string));
        let is_fixed = !holder.is_said;
        return texts.strings.push(Text { string, range, name: None, is_name: true, is_fixed });
    }
    if holder.is_object && holder.name.is_some_and(|name| name == "type") {
        holder.kind = Some(string);
    }
    // What stands directly in a field of anybody's is anybody's, too.
    let is_said = holder.is_said || holder.name.is_some_and(is_anybodys);
    let is_fixed = holder.name.is_some_and(|name| fixed::is_fixed(&name.decode(), inner, is_said));
    texts.strings.push(Text { string, range, name: holder.name, is_name: false, is_fixed });
}

/// Notes whether what has just been closed is a call or an answer.
fn calls<'a>(text: &'a str, closed: &Open<'a>, end: usize, texts: &mut Texts<'a>) {
    let Some(kind) = closed.kind.filter(|_| closed.is_object && !closed.is_said) else { return };
    let json = || Json::trusted(&text[closed.start..end]);
    if kind == "tool_use" {
        let call = ToolUse::of(json());
        let found = call.and_then(|call| Some((call.id?, place_of(text, call.input?.text())?)));
        texts.calls.extend(found);
    } else if kind == "tool_result" {
        // An event has the id of the call as its own.
        let id = ToolResult::of(json()).and_then(|answer| answer.tool_use_id);
        let id = id.or_else(|| json().get("id")?.as_str());
        texts.answers.extend(id.map(|id| (id, closed.start..end)));
    }
}

fn is_anybodys(name: Str<'_>) -> bool {
    fixed::is_anybodys(&name.decode())
}

/// From behind an opening quote: where the closing one is.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += next;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}
