use super::*;
use crate::json::Str;
use std::borrow::Cow;

fn text(words: &str) -> Part<'_> {
    Part::Text { words: Cow::Borrowed(words), citations: None }
}

/// A message with these texts, each in one delta, as far as they have come.
fn streamed(texts: &[&str]) -> Stream {
    let mut stream = Stream::default();
    for (index, words) in (0..).zip(texts) {
        stream.begin(index, Begun::Text(None), true);
        stream.at(index).unwrap().push(Str::wire(words, false), &mut String::new());
    }
    stream
}

/// The deltas of a text, as on the wire, and what can be told at each.
fn check(deltas: &[(&str, &str)], held_back: &str) {
    let mut stream = Stream::default();
    stream.begin(0, Begun::Text(None), true);
    let draft = stream.at(0).unwrap();
    for (delta, told) in deltas {
        let mut scratch = String::new();
        let words = draft.push(Str::wire(delta, delta.contains('\\')), &mut scratch).into_owned();
        assert_eq!(words, *told, "{delta} of {deltas:?}");
        if draft.rank().is_none() && !words.is_empty() {
            draft.set_rank(0);
        }
    }
    assert_eq!(draft.flush(), held_back, "{deltas:?}");
}

#[test]
fn spaces_wait_for_words() {
    check(&[(" ", ""), ("\\n", ""), ("a", " \na"), (" ", " ")], "");
    check(&[(" ", ""), ("  ", "")], "   ");
}

#[test]
fn half_a_character_waits_for_the_other() {
    check(&[("a\\ud83d", "a"), ("\\ude00b", "😀b")], "");
    check(&[("a\\ud83d", "a"), ("b", "\u{fffd}b")], "");
    check(&[("a\\ud83d", "a")], "\u{fffd}");
}

#[test]
fn a_line_confirms_the_longest_draft_it_begins_with() {
    let rest = |texts: &[&str], line: &str| {
        let mut stream = streamed(texts);
        stream.confirm(&text(line)).map(|it| (it.rest.to_owned(), stream.open))
    };
    assert_eq!(rest(&["a", "ab"], "abc"), Some(("c".to_owned(), 1)));
    assert_eq!(rest(&["", "ab"], "ab"), Some((String::new(), 1)));
    assert_eq!(rest(&["ab"], "a"), None);
    assert_eq!(rest(&[], "a"), None);
}

#[test]
fn a_line_takes_the_place_of_a_draft_with_words() {
    let index = |texts: &[&str]| streamed(texts).contradict(&text("(no content)")).map(|draft| draft.index());
    assert_eq!(index(&["  "]), Some(0));
    assert_eq!(index(&["", "b", "c"]), Some(1));
    assert_eq!(index(&[""]), None);
}
