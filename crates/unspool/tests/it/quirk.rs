//! The functions of `wire::quirk` against the vectors of an earlier parser.
//!
//! The vectors are read with our own JSON, for one of them holds half a character.

use unspool::json::{Fault, Json};
use unspool::wire::quirk::{double_encoded, fingerprint, flatten_content, parse_line};

#[test]
fn lines_are_parsed_as_before() {
    suite("parse_line", |input| {
        let line = input.as_str().unwrap().decode().into_owned();
        parse_line(&line).and_then(Result::ok).unwrap_or(Json::NULL).clean().into_owned()
    });
    assert!(parse_line(" \t").is_none());
    let Some(Err(Fault { what, at, .. })) = parse_line("[1]") else { panic!() };
    assert_eq!((what, at), ("the value is not an object", 0));
}

#[test]
fn fingerprints_are_as_before() {
    suite("fingerprint", |input| quoted(&fingerprint(input)));
}

#[test]
fn contents_are_flattened_as_before() {
    suite("extract_content", |input| quoted(&flatten_content(defined(input))));
}

#[test]
fn results_are_decoded_as_before() {
    suite("parse_double_encoded", |input| quoted(&double_encoded(defined(input))));
}

/// Runs a function over all vectors of a suite; it gives JSON.
fn suite(name: &str, run: impl Fn(Json<'_>) -> String) {
    let file = Json::new(include_str!("../../../../fixtures/seeds/seed-dialect.json")).unwrap();
    let mut count = 0;
    for vector in
        file.get("vectors").unwrap().items().filter(|it| it.get("suite").unwrap().as_str().unwrap() == name)
    {
        let first = |key: &str| vector.get(key).unwrap().items().next().unwrap();
        let (ours, expected) = (run(first("input")), first("expected"));
        let same = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        let expected = expected.clean();
        match same(&expected) {
            // Too deep for other readers: compare the texts.
            None => assert_eq!(squeezed(&ours), squeezed(&expected), "{vector:?}"),
            value => assert_eq!(same(&ours), value, "{vector:?}"),
        }
        count += 1;
    }
    assert!(count >= 10, "{name}: {count}");
}

/// JavaScript's `undefined`, as the vectors write it, is told as `null`.
fn defined(input: Json<'_>) -> Json<'_> {
    if input.get("$undefined").is_some() { Json::NULL } else { input }
}

fn quoted(words: &str) -> String {
    serde_json::to_string(words).unwrap()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}
