//! The ways to read a stream. Each returns something that depends on all it has read.

use memchr::memchr_iter;
use serde::de::IgnoredAny;
use unspool::json::Json;
use unspool::{Grain, Spool};

/// One way to read.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&[u8]) -> usize,
}

pub(crate) const READERS: &[Reader] = &[
    Reader { name: "memchr line split", read: |bytes| lines(bytes).map(<[u8]>::len).max().unwrap_or(0) },
    Reader { name: "serde_json::IgnoredAny", read: |bytes| count(bytes, ignored) },
    Reader { name: "serde_json::Value", read: |bytes| count(bytes, value) },
    Reader { name: "unspool::json::Json", read: |bytes| count(bytes, json) },
    Reader { name: "unspool events, blocks", read: |bytes| events(bytes, Grain::Blocks) },
    Reader { name: "unspool events, deltas", read: |bytes| events(bytes, Grain::Deltas) },
    Reader { name: "unspool events as JSON", read: written },
];

/// How many events there are, told with borrowed text.
fn events(bytes: &[u8], grain: Grain) -> usize {
    let mut count = 0;
    let mut spool = Spool::new(grain);
    spool.feed(bytes, |_| count += 1);
    spool.finish(|_| count += 1);
    count
}

/// How long the events are, written as JSON.
fn written(bytes: &[u8]) -> usize {
    let (mut line, mut length) = (String::new(), 0);
    let mut spool = Spool::new(Grain::Blocks);
    spool.feed(bytes, |event| {
        line.clear();
        event.write(&mut line);
        length += line.len();
    });
    length
}

fn ignored(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

fn value(line: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(line).is_ok_and(|value| value.is_object())
}

fn json(line: &[u8]) -> bool {
    str::from_utf8(line).is_ok_and(|text| Json::new(text).is_ok())
}

fn count(bytes: &[u8], good: fn(&[u8]) -> bool) -> usize {
    lines(bytes).filter(|line| good(line)).count()
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr_iter(b'\n', bytes).map(move |end| &bytes[std::mem::replace(&mut start, end + 1)..end])
}
