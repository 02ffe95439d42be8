//! What holds for any input; tests and the fuzz target share it.

mod made;

pub use made::{Dice, KINDS, Made};

use crate::{EntryRedactor, Masks, Redactor};
use unspool::journal::{Begin, FORMAT, Finish, Reader, Scribe, Way};
use unspool::json::Json;
use unspool::texts::Texts;
use unspool::verdict::Beside;
use unspool::{Event, Grain, Spool};

/// All of it at once, of bytes that are taken for a stream and for words, and of secrets that `seed` makes up.
pub fn holds_for_masks(bytes: &[u8], piece: usize, seed: u64) {
    lines_stay_what_they_are(bytes, piece);
    secrets_never_survive(bytes, seed);
}

/// Whatever goes in comes out, however it was cut: as many lines, JSON that was JSON, all ids, figures and names of fields, and nothing is
/// masked twice.
pub fn lines_stay_what_they_are(bytes: &[u8], piece: usize) {
    let masked = masked(bytes, usize::MAX);
    assert_eq!(masked, self::masked(bytes, piece.max(1)), "however it is cut");
    assert_eq!(masked, self::masked(&masked, usize::MAX), "once is enough");
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (before, after) = (lines(bytes), lines(&masked));
    assert_eq!(before.len(), after.len(), "as many lines");
    for (before, after) in before.iter().zip(&after) {
        if before != after {
            assert_eq!(skeleton(before), skeleton(after), "nothing but words is changed");
        }
    }
}

/// A secret that stands in a text survives nowhere: in pieces of parts, in escapes of any kind, in lines, entries and events.
pub fn secrets_never_survive(words: &[u8], seed: u64) {
    let mut dice = Dice::new(seed);
    let words: String = String::from_utf8_lossy(words).chars().take(WORDS).collect();
    let kind = &KINDS[dice.below(KINDS.len())];
    let made = kind.make(&mut dice);
    let text = surrounded(&words, &made.text, &mut dice);
    let stream = streamed(&text, &mut dice);
    let masked = masked(stream.as_bytes(), 1 + dice.below(4000));
    let masked = String::from_utf8(masked).expect("text stays text");
    is_gone(&made, &said(&masked), kind.name);
    assert_eq!(events(&stream), events(&masked), "the same events but for what was masked");
    // One of them for each input: together they take ten times as long as all before.
    match dice.below(3) {
        0 => tells_what_masked_events_say(&stream, &masked),
        1 => in_a_journal(&text, &stream, &made, kind.name, &mut dice),
        _ => events_are_masked(&stream, &made, kind.name),
    }
}

/// So many letters stand around a secret.
const WORDS: usize = 60;

/// All bytes, masked, in pieces of this length.
#[must_use]
pub fn masked(bytes: &[u8], piece: usize) -> Vec<u8> {
    let (mut redactor, mut out) = (Redactor::new(&Masks::new()), Vec::new());
    bytes.chunks(piece.max(1)).for_each(|piece| redactor.feed(piece, &mut out));
    redactor.finish(&mut out);
    out
}

/// The secret between the words, behind and before signs that may stand around one.
fn surrounded(words: &str, secret: &str, dice: &mut Dice) -> String {
    const BEFORE: [&str; 8] = [" ", "\n", "\"", "'", "(", "= ", "`", "\t"];
    const BEHIND: [&str; 8] = [" ", "\n", "\"", "'", ")", ";", "`", ", "];
    let cut =
        words.char_indices().map(|(at, _)| at).nth(dice.below(words.chars().count().max(1))).unwrap_or(0);
    let (before, behind) = (BEFORE[dice.below(8)], BEHIND[dice.below(8)]);
    format!("{}{before}{secret}{behind}{}", &words[..cut], &words[cut..])
}

/// A stream in which this text is said by the model, given to a tool, and answered by it.
fn streamed(text: &str, dice: &mut Dice) -> String {
    let said = escaped(text, dice);
    let input = format!("{{\"command\":\"{}\"}}", escaped(text, dice));
    let mut lines = vec![
        r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/src","tools":["Bash"],"model":"m"}"#
            .to_owned(),
    ];
    lines.push(r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[]}}}"#.into());
    pieces(text, 0, "text_delta", "text", &mut lines, dice);
    lines.push(format!(r#"{{"type":"assistant","message":{{"id":"msg_1","role":"assistant","content":[{{"type":"text","text":"{said}"}}]}},"session_id":"s","uuid":"u1"}}"#));
    lines.push(r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0}}"#.into());
    pieces(&input, 1, "input_json_delta", "partial_json", &mut lines, dice);
    lines.push(format!(r#"{{"type":"assistant","message":{{"id":"msg_1","role":"assistant","content":[{{"type":"tool_use","id":"toolu_1","name":"Bash","input":{input}}}]}},"session_id":"s","uuid":"u2"}}"#));
    lines.push(r#"{"type":"stream_event","event":{"type":"content_block_stop","index":1}}"#.into());
    lines.push(r#"{"type":"stream_event","event":{"type":"message_stop"}}"#.into());
    let answer = escaped(text, dice);
    lines.push(format!(r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_1","content":"{answer}"}}]}},"session_id":"s","uuid":"u3","tool_use_result":{{"stdout":"{answer}"}}}}"#));
    lines.push(format!(r#"{{"type":"result","subtype":"success","is_error":false,"result":"{said}","session_id":"s","num_turns":1,"total_cost_usd":0.25,"usage":{{"input_tokens":7,"output_tokens":9}}}}"#));
    lines.join("\n") + "\n"
}

/// A text as pieces of a part, between which lines of others stand.
fn pieces(text: &str, index: u32, kind: &str, field: &str, lines: &mut Vec<String>, dice: &mut Dice) {
    let letters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < letters.len() {
        let end = (at + 1 + dice.below(20)).min(letters.len());
        let piece: String = letters[at..end].iter().collect();
        let piece = escaped(&piece, dice);
        lines.push(format!(r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":"{piece}"}}}}}}"#));
        if dice.below(8) == 0 {
            lines.push(r#"{"type":"stream_event","event":{"type":"ping"}}"#.into());
        }
        at = end;
    }
}

/// A text as it may stand in a JSON string: some letters as escapes.
fn escaped(text: &str, dice: &mut Dice) -> String {
    let mut made = String::new();
    for letter in text.chars() {
        match letter {
            '"' => made.push_str("\\\""),
            '\\' => made.push_str("\\\\"),
            '/' if dice.below(3) == 0 => made.push_str("\\/"),
            '\n' => made.push_str("\\n"),
            '\t' => made.push_str("\\t"),
            letter if letter < ' ' || letter.is_ascii() && dice.below(24) == 0 => {
                made.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => made.push(letter),
        }
    }
    made
}

/// A recording of the stream, with the text on standard error, too, line by line, and in what was started.
fn in_a_journal(text: &str, stream: &str, made: &Made, kind: &str, dice: &mut Dice) {
    let (mut scribe, mut journal, mut live) = (Scribe::new(), Vec::new(), Vec::new());
    let mut redactor = EntryRedactor::new(&Masks::new());
    let mut keep = |entry: unspool::journal::Entry<'_>| {
        entry.write(&mut journal);
        redactor.feed(entry, |entry| entry.write(&mut live));
    };
    let words = [text.to_owned()];
    let argv = unspool::wire::input::Owned::of(words);
    scribe.note(&Begin::default().format(FORMAT).argv(&argv), 0, &mut keep);
    let mut errors = text.split_inclusive('\n');
    for (at, line) in stream.split_inclusive('\n').enumerate() {
        if dice.below(4) == 0
            && let Some(line) = errors.next()
        {
            scribe.feed(Way::Err, line.as_bytes(), at as u64, &mut keep);
        }
        scribe.feed(Way::Out, line.as_bytes(), at as u64, &mut keep);
    }
    errors.for_each(|line| scribe.feed(Way::Err, line.as_bytes(), 9999, &mut keep));
    [Way::In, Way::Out, Way::Err].into_iter().for_each(|way| scribe.close(way, &mut keep));
    scribe.note(&Finish::of(Some(0), None, &Beside::new()), 9999, &mut keep);
    redactor.finish(|entry| entry.write(&mut live));
    let masked = masked(&journal, 1 + dice.below(4000));
    assert_eq!(masked, live, "as a file, and while it is written");
    assert_eq!(columns(&journal), columns(&masked), "entries keep number, time and way");
    let errors: String = entries(&masked).filter(|it| it.0 == Way::Err).map(|it| it.1).collect();
    is_gone(made, &errors, kind);
    let rest: String = entries(&masked).filter(|it| it.0 != Way::Err).map(|it| it.1).collect();
    is_gone(made, &said(&rest), kind);
}

/// Whether the lines are masked or the events that they tell comes to the same. What of a piece is left may be nothing, which is not told.
fn tells_what_masked_events_say(stream: &str, masked: &str) {
    let blocks = self::masked(told(Grain::Blocks, stream).as_bytes(), usize::MAX);
    assert_eq!(told(Grain::Blocks, masked), String::from_utf8_lossy(&blocks));
    let deltas = self::masked(told(Grain::Deltas, stream).as_bytes(), usize::MAX);
    let said = |events: &str| {
        let events = events.lines().filter_map(|line| Event::read(line).ok());
        let what =
            events.map(|event| format!("{:?}", event.what)).filter(|what| !what.contains("content: \"\""));
        what.collect::<Vec<_>>()
    };
    assert_eq!(said(&told(Grain::Deltas, masked)), said(&String::from_utf8_lossy(&deltas)));
}

/// The events of the stream, masked as events.
fn events_are_masked(stream: &str, made: &Made, kind: &str) {
    for grain in [Grain::Blocks, Grain::Deltas] {
        let told = told(grain, stream);
        let masked = masked(told.as_bytes(), usize::MAX);
        let masked = String::from_utf8(masked).expect("text stays text");
        is_gone(made, &said(&masked), kind);
        assert_eq!(told.lines().count(), masked.lines().count());
    }
}

fn told(grain: Grain, stream: &str) -> String {
    Spool::read(grain, stream.as_bytes()).iter().map(|event| event.to_json() + "\n").collect()
}

/// What the events of a stream are but for their words.
fn events(stream: &str) -> Vec<String> {
    told(Grain::Blocks, stream).lines().map(|line| skeleton(line.as_bytes())).collect()
}

fn entries(journal: &[u8]) -> impl Iterator<Item = (Way, String)> {
    let mut entries = Vec::new();
    let (mut reader, mut bytes) = (Reader::new(), Vec::new());
    reader.feed(journal, |entry| {
        let entry = entry.expect("no fault");
        bytes.clear();
        entry.write_bytes(&mut bytes);
        entries.push((entry.way, String::from_utf8_lossy(&bytes).into_owned()));
    });
    entries.into_iter()
}

fn columns(journal: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(journal);
    let column = |line: &str| {
        line.splitn(4, '\t').take(3).map(|it| it.trim_end_matches('%')).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(column).collect()
}

/// All words of lines, pieces of a part joined, without escapes of any kind.
fn said(lines: &str) -> String {
    let mut all = String::new();
    let mut parts = std::collections::BTreeMap::<_, String>::new();
    for line in lines.lines() {
        let Some(texts) = Texts::of(line) else {
            all.push_str(line);
            all.push('\n');
            continue;
        };
        for (number, text) in texts.strings.iter().enumerate() {
            let words = text.string.decode();
            match texts.piece.as_ref().filter(|piece| piece.string == number) {
                Some(piece) => parts.entry(piece.part.clone()).or_default().push_str(&words),
                None => {
                    all.push_str(&words);
                    all.push('\n');
                }
            }
        }
    }
    for part in parts.values() {
        all.push_str(part);
        all.push('\n');
    }
    let flat = crate::unescape::Unescaped::flat(&all).text.into_owned();
    all.push_str(&flat);
    all
}

#[track_caller]
fn is_gone(made: &Made, words: &str, kind: &str) {
    for part in &made.secret {
        let letters: Vec<char> = part.chars().collect();
        for window in letters.windows(10.min(letters.len())) {
            let window: String = window.iter().collect();
            if let Some(at) = words.find(&window) {
                let around: String =
                    words[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
                panic!(
                    "{window:?} of a {kind} survives behind {around:?}: {:?}",
                    made.text.chars().take(80).collect::<String>()
                );
            }
        }
    }
}

/// A line without the words that may be masked; of what is no JSON nothing.
fn skeleton(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let Some(texts) = Json::new(text).ok().and_then(|_| Texts::of(text)) else { return String::new() };
    let (mut made, mut at) = (String::new(), 0);
    for string in &texts.strings {
        let words = &text[string.range.clone()];
        // What can be nothing but a secret is masked even in an id.
        if !string.is_fixed || words.len() >= 16 {
            made.push_str(&text[at..string.range.start]);
            at = string.range.end;
        }
    }
    made.push_str(&text[at..]);
    made
}

#[cfg(test)]
mod tests;
