//! Lines come out in their order, as soon as they are decided, and in bounded memory.

use unspool_redact::{Masks, Redactor};

fn delta(agent: &str, text: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}},"parent_tool_use_id":{agent}}}"#
    ) + "\n"
}

/// How many lines are out after each line that went in.
fn out_after_each(lines: &[String]) -> Vec<usize> {
    let (mut redactor, mut out) = (Redactor::new(&Masks::new()), Vec::new());
    let (mut counts, mut count) = (Vec::new(), 0);
    let mut step = |redactor: &mut Redactor, line: Option<&String>| {
        match line {
            Some(line) => redactor.feed(line.as_bytes(), &mut out),
            None => redactor.finish(&mut out),
        }
        count += out.iter().filter(|byte| **byte == b'\n').count();
        out.clear();
        count
    };
    counts.extend(lines.iter().map(|line| step(&mut redactor, Some(line))));
    assert_eq!(step(&mut redactor, None), lines.len());
    counts
}

#[test]
fn a_piece_waits_only_while_it_may_begin_a_secret() {
    let words =
        ["The", " tests", " all pass", " now. ", "I have", " run them", " twice,", " and all is ", "well"];
    let lines: Vec<_> = words.iter().map(|text| delta("null", text)).collect();
    let counts = out_after_each(&lines);
    // A word may end with the first letter of a key: then it waits for the next piece, and no longer.
    assert!(counts.iter().enumerate().all(|(at, out)| *out >= at), "{counts:?}");
    assert!(counts.iter().enumerate().filter(|(at, out)| **out == at + 1).count() > 5, "{counts:?}");

    let key = ["sk-a", "nt-api", "03-abcdefghijkl", "mnopqrstuvwxyz012345"];
    let mut lines: Vec<_> = key.iter().map(|text| delta("null", text)).collect();
    lines.push(delta("\"t\"", "another agent "));
    lines.push(delta("null", " over "));
    assert_eq!(out_after_each(&lines), [0, 0, 0, 0, 0, 6]);
}

#[test]
fn nobody_waits_for_ever() {
    // A part that may go on with a secret, and never does.
    let mut lines = vec![delta("\"t\"", "it is sk-ant-")];
    lines.extend((0..6000).map(|_| delta("null", "words ")));
    let waiting = out_after_each(&lines).iter().enumerate().map(|(at, out)| at + 1 - out).max();
    assert!(waiting.is_some_and(|waiting| waiting <= 4097), "{waiting:?}");
}

#[test]
fn a_long_line_takes_time_in_proportion() {
    // Beginnings of all kinds, none of which goes on.
    for word in [
        "://",
        "sk-",
        "cookie: a=b",
        "eyJ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "Q~",
        "MT",
        "x-api-key: ",
        "\\\\n",
        "?key=",
    ] {
        let line = format!(
            "{{\"type\":\"user\",\"message\":{{\"content\":\"{}\"}}}}\n",
            word.repeat(1_000_000 / word.len())
        );
        let (mut redactor, mut out) = (Redactor::new(&Masks::new()), Vec::new());
        redactor.feed(line.as_bytes(), &mut out);
        assert!(out.ends_with(b"\n"), "{word}");
    }
}

#[test]
fn what_was_read_from_a_file_of_variables_is_masked_from_then_on() {
    let value = "hunter2hunter2";
    let lines = [
        format!("{{\"type\":\"user\",\"message\":{{\"content\":\"before: {value}\"}}}}"),
        r#"{"type":"assistant","message":{"id":"m","content":[{"input":{"command":"cat config/.env.local"},"type":"tool_use","name":"Bash","id":"t"}]}}"#.to_owned(),
        format!(r#"{{"type":"user","tool_use_result":{{"stdout":"A_KEY={value}\nMODE=test"}},"message":{{"content":[{{"content":"A_KEY={value}\nMODE=test","type":"tool_result","tool_use_id":"t"}}]}}}}"#),
        format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"behind: {value}, test"}}]}}}}"#),
    ];
    let (mut redactor, mut out) = (Redactor::new(&Masks::new()), Vec::new());
    redactor.feed((lines.join("\n") + "\n").as_bytes(), &mut out);
    let out = String::from_utf8(out).unwrap();
    let out: Vec<_> = out.lines().collect();
    assert_eq!(out[..2], [&lines[0], &lines[1]], "nobody knew");
    assert_eq!(out[2].matches(r"A_KEY=[redacted:env:1]\nMODE=[redacted:env:2]").count(), 2, "{}", out[2]);
    assert!(out[3].contains("behind: [redacted:env:1], test"), "{}", out[3]);
}

#[test]
fn what_stands_on_standard_error_says_nothing_of_parts_that_grow() {
    let key = format!("AK{}{}", "IA", "Q7".repeat(8));
    let out = |text: &str| delta("null", text).trim_end().to_owned();
    let entries = [
        ("out", out(&format!("it is {}", &key[..9]))),
        ("err", r#"{"type":"result","subtype":"success"}"#.to_owned()),
        ("err", out("text of another")),
        ("out", out(&key[9..])),
    ];
    let line = |(at, (way, text)): (usize, &(&str, String))| format!("{}\t0\t{way}\t{text}\n", at + 1);
    let journal: String = entries.iter().enumerate().map(line).collect();
    let (mut redactor, mut masked) = (Redactor::new(&Masks::new()), Vec::new());
    redactor.feed(journal.as_bytes(), &mut masked);
    redactor.finish(&mut masked);
    let masked = String::from_utf8(masked).unwrap();
    assert!(masked.contains("it is [redacted:aws-key-id:1]") && !masked.contains("Q7"), "{masked}");
}
