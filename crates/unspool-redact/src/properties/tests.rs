use super::*;
use proptest::prelude::*;

/// Each kind so often.
const EACH: usize = 8;

#[test]
fn each_kind_is_found_alone() {
    for (number, kind) in KINDS.iter().enumerate() {
        for round in 0..EACH {
            let made = kind.make(&mut Dice::new((number * EACH + round) as u64 + 1));
            let masked = Masks::new().text(&made.text).into_owned();
            is_gone(&made, &masked, kind.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn a_secret_never_survives_any_cut(words in "[ -~\n\t\u{e9}\u{4e2d}]{0,60}", seed in any::<u64>()) {
        secrets_never_survive(words.as_bytes(), seed);
    }

    #[test]
    fn patterns_and_values_are_found_however_a_text_is_cut(
        words in prop::collection::vec(prop::sample::select(vec![
            "ACME-", "12", "3456", "id:", "ab", " ", "hunter2", "hunter3x", "\\u0041", "\\n", "\n", "az", "a", "é", "\"",
        ]), 0..24),
        cuts in prop::collection::vec(1..6_usize, 24),
    ) {
        let text = words.concat();
        let masks = || {
            let masks = Masks::with_patterns(["ACME-[0-9]{6}", r"\bid:\w+\b", "a.?z"]).unwrap();
            ["hunter2hunter3x", "ab ab"].into_iter().for_each(|value| masks.add_secret(value));
            masks
        };
        let (mut lines, mut rest, mut cuts) = (String::new(), text.as_str(), cuts.into_iter().cycle());
        while !rest.is_empty() {
            let end = rest.char_indices().map(|(at, _)| at).nth(cuts.next().unwrap()).unwrap_or(rest.len());
            let piece = serde_json::Value::from(&rest[..end]);
            lines += &format!("{{\"type\":\"stream_event\",\"event\":{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":{piece}}}}}}}\n");
            rest = &rest[end..];
        }
        let (mut redactor, mut out) = (Redactor::new(&masks()), Vec::new());
        redactor.feed(lines.as_bytes(), &mut out);
        redactor.finish(&mut out);
        let piece = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["event"]["delta"]["text"].as_str().unwrap().to_owned();
        let joined: String = str::from_utf8(&out).unwrap().lines().map(piece).collect();
        prop_assert_eq!(joined, masks().text(&text));
    }

    #[test]
    fn what_is_no_secret_is_untouched(
        lines in prop::collection::vec(line(), 0..12),
        piece in 1_usize..500,
    ) {
        lines_stay_what_they_are(lines.join("\n").as_bytes(), piece);
    }
}

/// Fewer than usual, as each is a whole session.
fn cases() -> u32 {
    ProptestConfig::default().cases / 3
}

/// Lines of all kinds, with words in them that rules look for.
fn line() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "sk-",
        "ghp_",
        "AKIA",
        "eyJ",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "-----END ",
        "://",
        "u:p@",
        "?token=",
        "Bearer ",
        "authorization",
        ": ",
        "\\n",
        "\\",
        "\\u0041",
        "[redacted:",
        "jwt:1]",
        "cookie",
        "a=b",
        ".env",
        "0123456789",
        "abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHIJ",
        "\n",
        "\"",
        " ",
        "é",
        "MT",
        ".",
        "Q~",
        ":AA",
    ]);
    let words = prop::collection::vec(word, 0..8).prop_map(|words| words.concat());
    (words, 0..6_u8).prop_map(|(words, form)| {
        let string = serde_json::Value::from(words.as_str()).to_string();
        match form {
            0 => words.replace('\n', " "),
            1 => format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":{string}}}]}}}}"#),
            2 => format!(r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":{string}}}}}}}"#),
            3 => r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0}}"#.to_owned(),
            4 => format!(r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":{string}}}]}}}}"#),
            _ => format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"tool_use","id":"t","name":"Read","input":{{"file_path":{string}}}}}]}}}}"#),
        }
    })
}
