use super::*;
use crate::translate::speech::said::Fresh;
use std::borrow::Cow;

fn parts(line: &str) -> Vec<(Part<'_>, Mark)> {
    let part = |word| Part::Text { words: Cow::Borrowed(word), citations: None };
    line.split(' ').map(part).map(|part| (part.clone(), part.mark())).collect()
}

/// Says a line of a message, its texts divided by spaces; returns what of it is new, `+` before what a text has grown by.
fn say(said: &mut Said, line: &str, new_line: bool) -> String {
    let parts = parts(line);
    let fresh = said.fresh(&parts, parts.len(), new_line);
    let mut told = Vec::new();
    for (at, (part, mark)) in parts.iter().enumerate() {
        let words = part.words().unwrap();
        match fresh.get(at).copied().unwrap_or(Fresh::New) {
            Fresh::Known => {}
            Fresh::New => {
                let rank = said.rank();
                said.remember(*mark, rank);
                told.push(words.to_owned());
            }
            Fresh::Grown { from, part } => told.push(format!("+{}@{part}", &words[from..])),
        }
    }
    told.join(" ")
}

/// The lines of one message, and what each of them adds.
fn check(new_lines: bool, lines: &[(&str, &str)]) {
    let mut said = Said::default();
    for (line, told) in lines {
        assert_eq!(say(&mut said, line, new_lines), *told, "{line} of {lines:?}");
    }
}

#[test]
fn a_snapshot_adds_what_it_does_not_repeat() {
    check(false, &[("a b", "a b"), ("a b c", "c")]);
    check(false, &[("a b", "a b"), ("a b", ""), ("a", "")]);
    check(false, &[("a b", "a b"), ("b a c", "c")]);
    check(false, &[("a b", "a b"), ("b b", "b")]);
    check(true, &[("a b", "a b"), ("a b c", "c")]);
}

#[test]
fn one_block_per_line_is_a_part_per_line() {
    check(false, &[("a", "a"), ("b", "b"), ("c", "c")]);
    check(true, &[("a", "a"), ("a", "a"), ("ab", "ab")]);
}

#[test]
fn a_text_grows_only_where_lines_have_no_uuid() {
    check(false, &[("ab", "ab"), ("abc", "+c@0"), ("abc", "")]);
    check(false, &[("ab x", "ab x"), ("ab xy", "+y@1")]);
    check(true, &[("ab x", "ab x"), ("ab xy", "xy")]);
}

#[test]
fn a_message_without_id_is_known_by_its_beginning() {
    let mut track = Track::default();
    for (line, user_line, results, told) in [
        ("a", false, 0, "a"),
        ("a b", false, 0, "b"),
        ("a b", false, 0, ""),
        ("c", false, 0, "c"),
        ("a b", true, 0, "a b"),
        ("a b", false, 1, "a b"),
    ] {
        if user_line {
            track.user_line();
        }
        assert_eq!(say(track.unnamed(&parts(line), results), line, false), told, "{line}");
    }
}
