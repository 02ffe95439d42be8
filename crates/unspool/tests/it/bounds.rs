//! Work and memory are bounded by the input: what would be quadratic takes far too long here.

use std::fmt::Write;
use unspool::event::What;
use unspool::{Grain, Spool};

fn count(grain: Grain, pieces: impl Iterator<Item = impl AsRef<[u8]>>, is: fn(&What<'_>) -> bool) -> usize {
    let mut found = 0;
    let mut spool = Spool::new(grain);
    for piece in pieces {
        spool.feed(piece.as_ref(), |event| found += usize::from(is(&event.what)));
    }
    spool.finish(|event| found += usize::from(is(&event.what)));
    found
}

/// 320,400 blocks on the wire, 800 told.
#[test]
fn a_message_of_800_blocks_as_snapshots() {
    let mut blocks = String::new();
    let lines = (0..800).map(|n| {
        let comma = if n > 0 { "," } else { "" };
        write!(blocks, r#"{comma}{{"type":"text","text":"part {n}"}}"#).unwrap();
        format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{blocks}]}}}}{}"#, "\n")
    });
    assert_eq!(count(Grain::Blocks, lines, |what| matches!(what, What::Text { .. })), 800);
}

#[test]
fn a_line_of_4_megabytes_in_pieces_of_a_byte() {
    let words = "x".repeat(4 << 20);
    let line =
        format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{words}"}}]}}}}"#);
    let pieces = line.as_bytes().chunks(1).chain([&b"\n"[..]]);
    let whole = |what: &What<'_>| matches!(what, What::Text { content, .. } if content.len() == 4 << 20);
    assert_eq!(count(Grain::Blocks, pieces, whole), 1);
}

/// As many deltas of one part, then its confirmation.
#[test]
fn a_part_of_100_000_deltas() {
    let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ab"}}"#;
    let delta = format!("{{\"type\":\"stream_event\",\"event\":{delta}}}\n");
    let words = "ab".repeat(100_000);
    let line =
        format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{words}"}}]}}}}"#);
    let lines = || std::iter::repeat_n(delta.clone(), 100_000).chain([line.clone()]);
    let ends = |what: &What<'_>| matches!(what, What::BlockEnd { abandoned: false, .. });
    assert_eq!(count(Grain::Deltas, lines(), ends), 1);
    let whole = |what: &What<'_>| matches!(what, What::Text { content, abandoned: None, .. } if content.len() == 200_000);
    assert_eq!(count(Grain::Blocks, lines(), whole), 1);
}

/// A hostile depth neither ends the process nor the stream.
#[test]
fn half_a_million_levels() {
    let deep = format!("{}{}", r#"{"type":"brand_new","a":"#, "[".repeat(500_000));
    let line = format!("{deep}{}}}\n", "]".repeat(500_000));
    assert_eq!(count(Grain::Blocks, [&line].into_iter(), |what| matches!(what, What::Unknown { .. })), 1);
    let line = format!("{deep}\n");
    assert_eq!(count(Grain::Blocks, [&line].into_iter(), |what| matches!(what, What::Malformed { .. })), 1);
}

/// A line beyond the limit is told with its length, and the next one is read.
#[test]
fn a_line_beyond_the_limit() {
    let mut told = Vec::new();
    let mut spool = Spool::new(Grain::Blocks).limit(100);
    let long = format!("{{\"type\":\"{}\"}}\n{{\"type\":\"keep_going\"}}\n", "x".repeat(5_000));
    spool.feed(long.as_bytes(), |event| told.push(event.into_owned().what));
    assert!(matches!(&told[0], What::Malformed { bytes: 5_011, text, .. } if text.len() == 100), "{told:?}");
    assert!(matches!(&told[1], What::Unknown { .. }), "{told:?}");
}

/// As many agents that never end, and then as many results.
#[test]
fn ten_thousand_agents_and_results() {
    let agents = (0..10_000).map(|n| {
        let message = format!(r#"{{"id":"m{n}","content":[{{"type":"text","text":"x"}}]}}"#);
        format!("{{\"type\":\"assistant\",\"parent_tool_use_id\":\"t{n}\",\"message\":{message}}}\n")
    });
    let result = "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"x\"}\n".to_owned();
    let lines = agents.chain(std::iter::repeat_n(result, 10_000));
    assert_eq!(count(Grain::Blocks, lines, |what| matches!(what, What::TurnComplete { .. })), 10_000);
}

/// As many snapshots of one message that have nothing in common.
#[test]
fn ten_thousand_snapshots_out_of_order() {
    let lines = (0..10_000).map(|n| {
        let block = |word: &str| format!(r#"{{"type":"text","text":"{word}{n}"}}"#);
        let content = format!("[{},{}]", block("a"), block("b"));
        format!("{{\"type\":\"assistant\",\"message\":{{\"id\":\"m\",\"content\":{content}}}}}\n")
    });
    assert_eq!(count(Grain::Blocks, lines, |what| matches!(what, What::Text { .. })), 20_000);
}
