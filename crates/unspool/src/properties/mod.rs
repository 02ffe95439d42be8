//! What holds for any input: each function panics where it does not, and says what it saw.
//!
//! Tests, fuzz targets and `cargo xtask corpus` try the same promises on different inputs. None needs to
//! know what the right story of a stream is.

mod journal;
mod json;
mod list;
mod said;
mod standin;
mod transcript;

pub use journal::{damaged_journals_are_read, holds_for_journals, journals_keep_streams};
pub use json::json_agrees_with_serde_json;
pub use list::lists_tell_what_lines_tell;
pub use standin::{
    any_host_is_survived, holds_for_stand_ins, journals_are_played, recorded_hosts_see_what_was_recorded,
};
pub use transcript::holds_for_transcripts;

use crate::event::{Agent, Event, What};
use crate::json::{Cursor, Json};
use crate::line::{End, Line};
use crate::retell::Regrain;
use crate::{Grain, Retelling, Spool};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeSet;

/// Both grains.
const GRAINS: [Grain; 2] = [Grain::Blocks, Grain::Deltas];

/// The deepest nesting that `serde_json` reads as values.
const SERDE_DEPTH: usize = 127;

/// All of it at once; for inputs that are tried one by one.
pub fn all(bytes: &[u8]) {
    cuts_do_not_matter(bytes, 1);
    short_cuts_do_not_matter(bytes);
    grains_agree(bytes);
    output_is_json(bytes);
    events_come_back(bytes);
    told_in_order(bytes);
    nothing_is_lost(bytes);
}

/// Bytes that come in pieces of this size tell what the same bytes tell at once.
pub fn cuts_do_not_matter(bytes: &[u8], piece: usize) {
    for grain in GRAINS {
        let whole = Spool::read(grain, bytes);
        let mut told = whole.iter();
        let mut compare = |event: Event<'_>| assert_eq!(Some(&event), told.next(), "in pieces of {piece}");
        let mut spool = Spool::new(grain);
        for piece in bytes.chunks(piece.max(1)) {
            spool.feed(piece, &mut compare);
        }
        spool.finish(&mut compare);
        assert_eq!(told.next(), None, "in pieces of {piece}");
    }
}

/// Lines that are looked at many bytes at a time tell what they tell when they are looked at byte by byte.
pub fn short_cuts_do_not_matter(bytes: &[u8]) {
    for grain in GRAINS {
        let whole = Spool::read(grain, bytes);
        let mut told = whole.iter();
        let mut compare = |event: Event<'_>| assert_eq!(told.next(), Some(&event), "a short cut is wrong");
        let mut spool = Spool::new(grain).careful();
        spool.feed(bytes, &mut compare);
        spool.finish(&mut compare);
        assert_eq!(told.next(), None, "a short cut tells more");
    }
}

/// Joined, the deltas tell what the blocks tell, at the same lines, and all else is the same.
pub fn grains_agree(bytes: &[u8]) {
    agree(Spool::read(Grain::Blocks, bytes), Spool::read(Grain::Deltas, bytes));
}

fn agree(blocks: Vec<Event<'static>>, deltas: Vec<Event<'static>>) {
    let (blocks, deltas) = (without_numbers(blocks), without_numbers(joined(deltas)));
    for (block, delta) in blocks.iter().zip(&deltas) {
        assert_eq!(block, delta, "blocks on the left, joined deltas on the right");
    }
    assert_eq!(blocks.len(), deltas.len(), "one grain tells more: {:?} {:?}", blocks.last(), deltas.last());
}

/// Pieces joined to parts.
fn joined(deltas: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let (mut regrain, mut joined) = (Regrain::new(Grain::Blocks), Vec::new());
    for event in deltas {
        assert!(
            !matches!(event.what, What::Text { .. } | What::Thinking { .. }),
            "whole, in deltas: {event}"
        );
        regrain.step(event, &mut |event| joined.push(event));
    }
    assert!(!regrain.is_amid_a_part(), "never closed: {regrain:?}");
    joined
}

fn without_numbers(mut events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    events.iter_mut().for_each(|event| event.seq = 0);
    events
}

/// Every event is one line of JSON that `serde_json` reads, depth apart, with what all events bear.
pub fn output_is_json(bytes: &[u8]) {
    GRAINS.into_iter().for_each(|grain| are_json(&Spool::read(grain, bytes)));
}

fn are_json(events: &[Event<'_>]) {
    for event in events {
        let text = event.to_json();
        assert!(!text.contains(['\n', '\r']), "a line end inside {text}");
        let json = Json::new(&text).unwrap_or_else(|fault| panic!("{fault}: {text}"));
        assert!(json.depth() <= 512 + 2, "{} levels: {text}", json.depth());
        let read = if json.depth() <= SERDE_DEPTH {
            serde_json::from_str::<Value>(&text).map(drop)
        } else {
            serde_json::from_str::<IgnoredAny>(&text).map(drop)
        };
        read.unwrap_or_else(|error| panic!("{error}: {text}"));
        let field = |name| json.get(name).unwrap_or_else(|| panic!("no {name}: {text}"));
        assert_eq!(field("type").as_str().unwrap_or_default(), event.what.name());
        assert_eq!(field("seq").as_u64(), Some(event.seq));
        assert!(field("agent").as_str().is_some(), "{text}");
        assert_eq!(json.get("contract").is_some(), event.seq == 1, "{text}");
    }
}

/// Every event is read back from its JSON as the same value, and all of them tell the same again, in either grain.
pub fn events_come_back(bytes: &[u8]) {
    let [blocks, deltas] = GRAINS.map(|grain| Spool::read(grain, bytes));
    come_back(&blocks);
    come_back(&deltas);
    assert_eq!(retold(Grain::Blocks, &blocks), retold(Grain::Blocks, &deltas), "told again as blocks");
    let from_blocks = retold(Grain::Deltas, &blocks);
    assert_eq!(retold(Grain::Deltas, &deltas), written(&deltas), "told again as deltas");
    agree(blocks.clone(), from_blocks.iter().map(|line| Event::read(line).expect("an event")).collect());
    assert_eq!(retold(Grain::Blocks, &blocks), written(&blocks), "told again as blocks");
}

fn written(events: &[Event<'_>]) -> Vec<String> {
    events.iter().map(Event::to_json).collect()
}

/// What the JSON of these events tells in this grain, as JSON.
fn retold(grain: Grain, events: &[Event<'_>]) -> Vec<String> {
    let (mut retelling, mut told) = (Retelling::new(grain), Vec::new());
    for (number, line) in (1..).zip(written(events)) {
        let line = Line::whole(number, line.as_bytes(), End::Newline);
        retelling.step(line, |event| told.push(event.to_json()));
    }
    retelling.finish(|event| told.push(event.to_json()));
    told
}

fn come_back(events: &[Event<'_>]) {
    for event in events {
        let text = event.to_json();
        let read = Event::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(!matches!(read.what, What::Other { .. }) && read.extra.is_none(), "not known: {text}");
        // The JSON of a call that is named as the main agent does not say that it is not.
        if !matches!(&event.agent, Agent::Sub(call) if call == "main") {
            assert_eq!(&read, event, "read back from {text}");
        }
        assert_eq!(read.to_json(), text, "written again");
    }
}

/// Events are numbered 1, 2, 3 …, `finished` comes last and once, turns begin in order and end once, an
/// agent begins before it ends, a call is told once, and a part is closed once.
pub fn told_in_order(bytes: &[u8]) {
    GRAINS.into_iter().for_each(|grain| are_in_order(&Spool::read(grain, bytes)));
}

fn are_in_order(events: &[Event<'_>]) {
    let last = events.last().expect("a stream always ends with an event");
    assert!(matches!(last.what, What::Finished { .. }), "{last}");
    let (mut turns, mut over) = (0, BTreeSet::new());
    let (mut agents, mut ended, mut calls) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (seq, event) in (1..).zip(events) {
        assert_eq!(event.seq, seq, "{event}");
        match &event.what {
            What::Finished { turns: told, .. } => {
                assert_eq!((seq, *told), (last.seq, turns), "finished: {event}");
            }
            What::TurnStart { .. } => {
                turns += 1;
                assert_eq!(event.turn, Some(turns), "{event}");
            }
            What::TurnComplete { merged, .. } => {
                let closed = merged.iter().flatten().copied().chain(event.turn);
                for turn in closed {
                    assert!(turn <= turns && over.insert(turn), "turn {turn} ends again: {event}");
                }
                assert!(event.turn.is_some(), "{event}");
            }
            What::AgentStart { .. } => assert!(agents.insert(&event.agent), "begins again: {event}"),
            What::AgentEnd { .. } => {
                assert!(agents.contains(&event.agent) && ended.insert(&event.agent), "{event}");
            }
            What::ToolUse { id: Some(id), abandoned: None, .. } => {
                assert!(calls.insert(id), "told again: {event}");
            }
            _ => {}
        }
    }
}

/// Every byte stands in a line, every line that is not blank is told or is of a kind that may have nothing to add, and
/// every part that `serde_json` sees in a line of a message is among the parts that are told.
pub fn nothing_is_lost(bytes: &[u8]) {
    let lines = said::lines(bytes);
    let blocks = Spool::read(Grain::Blocks, bytes);
    let told: BTreeSet<u64> = blocks.iter().filter_map(|event| event.line).collect();
    for (number, line) in &lines {
        let silent = said::may_be_silent(line);
        assert!(told.contains(number) || silent, "line {number} is not told: {line}");
    }
    said::parts_are_told(&lines, &blocks);
}

/// Whether a number in it is beyond what an `f64` holds.
fn has_far_number(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip().is_ok() && cursor.far_numbers()
}
