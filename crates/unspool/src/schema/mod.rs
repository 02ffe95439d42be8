//! The events and the lines of the wire for other languages: JSON Schema and TypeScript, made from the
//! declarations that the Rust types are made from.
//!
//! Both are open, as a stream is: further keys, further values of a listed string and objects with a tag
//! that is not listed are allowed. Of a line every field may be absent or `null`; of an event only those
//! that say so.

mod json;
mod names;
mod typescript;

use crate::event::What;
use crate::wire::ask::ANSWERS;
use crate::wire::command::REPLIES;
use crate::wire::{Envelope, Input, Shape, Wire};

/// The events as JSON Schema: `Event` is any of them.
#[must_use]
pub fn events_json() -> String {
    json::write(&events())
}

/// The events as TypeScript: `Event` is any of them.
#[must_use]
pub fn events_typescript() -> String {
    typescript::write(&events())
}

/// The lines of the wire as JSON Schema: `Envelope` is any line of Claude Code, `Input` any line for it.
#[must_use]
pub fn wire_json() -> String {
    json::write(&wire())
}

/// The lines of the wire as TypeScript: `Envelope` is any line of Claude Code, `Input` any line for it.
#[must_use]
pub fn wire_typescript() -> String {
    typescript::write(&wire())
}

/// What a schema is about.
struct Subject {
    title: &'static str,
    doc: &'static str,
    /// What one line may be.
    lines: Vec<Shape>,
    /// What is described beside it.
    more: Vec<Shape>,
    /// Whether TypeScript may read keys that are not declared.
    any_key: bool,
}

fn events() -> Subject {
    Subject {
        title: "The events of unspool",
        doc: "A line of `unspool events`.",
        lines: vec![Shape::Choice(What::CHOICE)],
        more: vec![],
        any_key: false,
    }
}

fn wire() -> Subject {
    Subject {
        title: "Claude Code's stream-json protocol",
        doc: "A line of Claude Code (`Envelope`) or a line for it (`Input`).",
        lines: vec![Envelope::shape(), Input::shape()],
        more: REPLIES.iter().chain(ANSWERS).map(|(_, reply)| Shape::Object(reply)).collect(),
        any_key: true,
    }
}

/// A doc comment as one text.
fn doc(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
