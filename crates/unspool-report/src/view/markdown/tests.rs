use super::*;
use proptest::prelude::*;

fn shown(text: &str, columns: usize) -> String {
    let lines: Vec<String> =
        whole(text, false, columns).iter().map(|line| line.text().trim_end().to_owned()).collect();
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(text, 40), expected);
}

#[test]
fn blocks_stand_apart() {
    check("# Title\nOne *two*\nthree.\n\n\nFour.", "# Title\n\nOne two\nthree.\n\nFour.");
    check("a\n---\nb", "## a\n\nb");
    check("> quoted\n> words\n\nb", "│ quoted\n│ words\n\nb");
}

#[test]
fn lists_keep_their_numbers_and_depth() {
    check("Do:\n- a\n- b\n  - c\n- d", "Do:\n\n• a\n• b\n  • c\n• d");
    check("3. three\n4. four\n\n   more\n5. five", "3. three\n4. four\n\n   more\n\n5. five");
    check("- [x] done\n- [ ] not", "• ☑ done\n• ☐ not");
    check(
        "1. run\n\n   ```sh\n   ls -l\n\n   pwd\n   ```\n2. see",
        "1. run\n\n     ls -l\n\n     pwd\n\n2. see",
    );
}

#[test]
fn code_is_kept_as_it_is() {
    check("See:\n```rust\nfn a() {\n\n    b  c\n}\n```\nand", "See:\n\n  fn a() {\n\n      b  c\n  }\n\nand");
    check("```\nnever closed", "  never closed");
    check("run `ls` now", "run `ls` now");
}

#[test]
fn tables_fit() {
    check(
        "| a | number |\n|---|--:|\n| one | 1 |\n| two | 22 |",
        "a   │ number\n────┼───────\none │      1\ntwo │     22",
    );
    let wide = format!("| a | b |\n|---|---|\n| {} | x |", "word ".repeat(20));
    assert!(shown(&wide, 40).lines().all(|line| line.chars().count() <= 40), "{}", shown(&wide, 40));
}

#[test]
fn links_say_where_they_lead() {
    check("[docs](https://a.b/c) <https://x.y>", "docs (https://a.b/c) https://x.y");
}

#[test]
fn what_is_unfinished_is_shown_too() {
    let mut markdown = Markdown::new(true);
    let mut lines = Vec::new();
    markdown.feed("First.\n\nSome **bo", 40, &mut lines);
    assert_eq!(lines.iter().map(Line::text).collect::<Vec<_>>(), ["First."]);
    let tail: Vec<_> = markdown.tail(40).iter().map(|line| line.text().to_owned()).collect();
    assert_eq!(tail, ["", "Some bo"]);
}

/// Words and marks that mean something together.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("- "),
        Just("1. "),
        Just("```"),
        Just("```rust\n"),
        Just("# "),
        Just("> "),
        Just("| a | b |\n|---|---|\n"),
        Just("**"),
        Just("`"),
        Just("word "),
        Just("  "),
        Just("---"),
        Just("漢字"),
        Just("e\u{301}"),
        Just("\r\n"),
        Just("\t"),
        Just("\u{1b}[2J"),
        Just("[x](y)"),
        Just("<b>"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn cuts_do_not_matter(text in text(), cuts in prop::collection::vec(0usize..200, 0..8)) {
        let mut lines = Vec::new();
        let mut markdown = Markdown::new(true);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|at| text.is_char_boundary(*at) && *at <= text.len()).collect();
        cuts.sort_unstable();
        let mut start = 0;
        for cut in cuts {
            markdown.feed(&text[start..cut], 30, &mut lines);
            let _ = markdown.tail(30);
            start = cut;
        }
        markdown.feed(&text[start..], 30, &mut lines);
        markdown.finish(30, &mut lines);
        prop_assert_eq!(&lines, &whole(&text, true, 30));
        for line in &lines {
            prop_assert!(line.width() <= 30, "{:?}", line);
            prop_assert!(!line.text().contains(char::is_control));
        }
    }
}

#[test]
fn long_lines_are_cut_at_the_same_places() {
    let text = format!("{} {}\n", "x".repeat(40_000), "y z ".repeat(9_000));
    let mut lines = Vec::new();
    let mut markdown = Markdown::new(true);
    for piece in text.as_bytes().chunks(777) {
        markdown.feed(std::str::from_utf8(piece).unwrap(), 60, &mut lines);
    }
    markdown.finish(60, &mut lines);
    assert_eq!(lines, whole(&text, true, 60));
}
