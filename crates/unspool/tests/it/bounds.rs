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

/// Snapshots are read in time that is linear in their bytes: 320,400 blocks on the wire, 800 told.
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

/// A list on one line that is far longer than a line may be is read element by element.
#[test]
fn a_list_beyond_the_limit() {
    let mut told = 0;
    let mut spool = Spool::new(Grain::Blocks).limit(1_000);
    let mut take =
        |event: unspool::Event<'_>| told += usize::from(matches!(event.what, What::Unknown { .. }));
    for n in 0..10_000 {
        let opens = if n == 0 { "[" } else { "," };
        spool.feed(format!("{opens}{{\"type\":\"brand_new\",\"n\":{n}}}").as_bytes(), &mut take);
    }
    spool.feed(b"]", &mut take);
    spool.finish(|event| assert!(matches!(event.what, What::Finished { malformed: 0, .. }), "{event}"));
    assert_eq!(told, 10_000);
}

/// Agents that never end are told as ended when there are too many, and so are those that speak after their end.
#[test]
fn agents_that_never_end_are_let_go() {
    let line = |n: usize, said: usize| {
        let message = format!(r#"{{"id":"m{said}","content":[{{"type":"text","text":"x"}}]}}"#);
        format!("{{\"type\":\"assistant\",\"parent_tool_use_id\":\"t{n}\",\"message\":{message}}}\n")
    };
    let lines = (0..40_000).map(|n| line(n, 1)).chain((0..40_000).map(|n| line(n, 2)));
    let (mut at_work, mut most, mut texts) = (0, 0, 0);
    let mut spool = Spool::new(Grain::Blocks);
    for piece in lines {
        spool.feed(piece.as_bytes(), |event| match event.what {
            What::AgentStart { .. } => at_work += 1,
            What::AgentEnd { .. } => at_work -= 1,
            What::Text { .. } => texts += 1,
            _ => {}
        });
        most = most.max(at_work);
    }
    assert!(most < 10_000 && texts == 80_000, "{most} agents at work, {texts} texts");
    spool.finish(|event| match event.what {
        What::Finished { agents_open, .. } => assert_eq!(agents_open.len(), at_work),
        other => panic!("{other:?}"),
    });
}

/// Calls that are never answered: the newest are listed.
#[test]
fn calls_without_an_answer_are_bounded() {
    let lines = (0..300_000).map(|n| {
        let block = format!(r#"{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{}}}}"#);
        format!("{{\"type\":\"assistant\",\"message\":{{\"id\":\"m{n}\",\"content\":[{block}]}}}}\n")
    });
    let is = |what: &What<'_>| match what {
        What::Finished { tools_open, .. } => {
            let newest = tools_open.last().is_some_and(|id| id == "t299999");
            tools_open.len() <= 131_072 && tools_open.len() >= 65_536 && newest
        }
        _ => false,
    };
    assert_eq!(count(Grain::Blocks, lines, is), 1);
}
