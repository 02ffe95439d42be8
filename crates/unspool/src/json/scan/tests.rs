//! What is JSON and what is not, and how far it may go.

use super::super::Index;
use super::*;

fn check(text: &str, good: bool) {
    let mut cursor = Cursor::new(text);
    let ours = cursor.skip().and_then(|_| cursor.end());
    assert_eq!(ours.is_ok(), good, "{text}: {ours:?}");
    // Who looks at many bytes at once must say the same of it wherever it stands, white space apart.
    for pad in (0..70).step_by(if text.len() > 1000 { 69 } else { 1 }) {
        let line = format!("{{\"{}\":{text}}}", "k".repeat(pad));
        let mut index = Index::default();
        assert_eq!(index.chart(line.as_bytes()).is_some(), good && !text.contains(' '), "{line}");
    }
}

#[test]
fn json_is_taken() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1.5",
        "-1.5e+10",
        "1E9",
        "\"\"",
        "[]",
        "{}",
        " [ 1 , 2 ] ",
        "{\"a\":{\"b\":[{},[]]}}",
        "\"\\u00e9\\n\\\"\"",
        "\"\u{2028}\"",
        "\"\\ud83d\"",
        "1e999",
    ] {
        check(text, true);
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        " ",
        "nul",
        "tru",
        "01",
        "1.",
        ".5",
        "1e",
        "+1",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "[1,]",
        "[,]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "[1}",
        "{\"a\":1]",
        "[1 2]",
        "\"a\u{1}b\"",
        "\"a\nb\"",
        "[",
        "{",
        "[[]",
        "1 2",
        "nullx",
        "[1\"\"]",
        "[1\"x\"]",
        "{\"a\":null\"b\"}",
        "[\"a\"1]",
        "[\"a\"\"b\"]",
    ] {
        check(text, false);
    }
}

#[test]
fn depth_costs_no_stack() {
    for depth in [1, 63, 64, 65, 128, 129, 500_000] {
        check(&("[".repeat(depth) + &"]".repeat(depth)), true);
        check(&("[{\"a\":".repeat(depth) + "1" + &"}]".repeat(depth)), true);
        check(&("[{\"a\":".repeat(depth) + "1" + &"]}".repeat(depth)), false);
    }
    let mut cursor = Cursor::new("[[[]],[]]");
    cursor.skip().unwrap();
    assert_eq!(cursor.deepest(), 3);
}
