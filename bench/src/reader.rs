//! The ways to read an input. Each returns how many things it has read, so that none can be skipped.

use crate::input::Input;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::hint::black_box;
use unspool::event::{Tell, What};
use unspool::{Event, Grain, Spool};

/// One way to read.
#[derive(Clone, Copy)]
pub struct Reader {
    pub name: &'static str,
    pub read: fn(&Input) -> usize,
}

/// M: the least that anybody does who reads lines.
pub const SPLIT: Reader = Reader {
    name: "M: memchr line split",
    read: |input| input.lines().map(|line| black_box(line).len().min(1)).sum(),
};

/// V: the least that anybody does who wants to know whether a line is JSON.
pub const VALID: Reader = Reader {
    name: "V: serde_json::IgnoredAny",
    read: |input| {
        let valid = |line: &&[u8]| black_box(serde_json::from_slice::<IgnoredAny>(line)).is_ok();
        input.lines().filter(valid).count()
    },
};

/// J: what most readers do.
pub const VALUE: Reader = Reader {
    name: "J: serde_json::Value",
    read: |input| {
        let valid = |line: &&[u8]| black_box(serde_json::from_slice::<Value>(line)).is_ok();
        input.lines().filter(valid).count()
    },
};

/// Events as they are told: their text borrows from the line where it can.
pub const BORROWED: Reader = Reader {
    name: "unspool, borrowed text",
    read: |input| {
        let mut count = 0;
        tell(input, Spool::new, |event| {
            count += 1;
            black_box(&event);
        });
        count
    },
};

/// Events whose words are kept, each in a `String`.
pub const OWNED: Reader = Reader { name: "unspool, owned text", read: |input| keep(input, Spool::new) };

/// The careful reading, which takes no short cuts: what they buy is the ratio of this and [`OWNED`].
pub const CAREFUL: Reader =
    Reader { name: "unspool, careful", read: |input| keep(input, |grain| Spool::new(grain).careful()) };

/// Events written as JSON, one after the other, into the same place.
pub const WRITTEN: Reader = Reader {
    name: "unspool, events as JSON",
    read: |input| {
        let (mut count, mut line) = (0, String::new());
        tell(input, Spool::new, |event| {
            count += 1;
            line.clear();
            event.write(&mut line);
            black_box(&line);
        });
        count
    },
};

pub const ALL: [Reader; 7] = [SPLIT, VALID, VALUE, BORROWED, OWNED, WRITTEN, CAREFUL];

/// Reads each stream as a session of its own, in one piece.
fn tell(input: &Input, new: fn(Grain) -> Spool, mut sink: impl FnMut(Event<'_>)) {
    for stream in input.streams() {
        let mut spool = new(input.grain);
        spool.feed(stream, &mut sink);
        spool.finish(&mut sink);
    }
}

/// Keeps the words of all events; returns how many there are.
fn keep(input: &Input, new: fn(Grain) -> Spool) -> usize {
    let mut count = 0;
    tell(input, new, |event| {
        count += 1;
        keep_words(event);
    });
    count
}

/// Makes a `String` of the words of an event, which is what somebody who keeps them needs. All else is only looked
/// at: to move an event to a `black_box` would cost more than to tell it.
#[inline(always)]
pub fn keep_words(event: Event<'_>) {
    match event.what {
        What::Text { content, .. }
        | What::Thinking { content, .. }
        | What::TextDelta { content, .. }
        | What::ThinkingDelta { content, .. }
        | What::ToolInputDelta { content, .. }
        | What::ToolResult { output: content, .. }
        | What::UserText { content, .. }
        | What::Error { text: content, .. }
        | What::TurnComplete { result: Some(content), .. } => drop(black_box(content.into_owned())),
        What::ToolUse { input: Some(input), .. } => drop(black_box(input.own())),
        ref other => _ = black_box(other),
    }
}
