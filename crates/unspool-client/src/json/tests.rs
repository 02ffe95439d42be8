//! Answers that fit, and what is wrong with those that do not.

use super::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Report {
    title: String,
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    tags: Vec<Tag>,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Tag {
    Good,
    Bad,
}

#[test]
fn fences_are_taken_off() {
    for (text, inside) in [
        ("```json\n{\"a\":1}\n```", "{\"a\":1}"),
        ("```\n{\"a\":1}\n```", "{\"a\":1}"),
        ("{\"a\":1}", "{\"a\":1}"),
        ("  {\"a\":1}  ", "{\"a\":1}"),
        ("  ```json\n  {\"a\":1}\n  ```  ", "{\"a\":1}"),
        ("```json\r\n{\"a\":1}\r\n```", "{\"a\":1}"),
        // No fences that belong together: left alone.
        ("```json\n{\"a\":1}", "```json\n{\"a\":1}"),
        ("``````", "``````"),
        ("```", "```"),
        ("", ""),
    ] {
        assert_eq!(strip_fences(text), inside, "{text:?}");
    }
}

#[test]
fn what_is_structured_counts_more_than_the_words() {
    let schema = Schema::of::<Report>();
    let good = json!({"title": "t", "stars": 5, "tags": ["good", "bad"]});
    let words = good.to_string();
    let report = Report { title: "t".into(), stars: 5, tags: vec![Tag::Good, Tag::Bad] };
    let payload = Payload::from(good);
    assert_eq!(schema.extract::<Report>("Done!", Some(&payload)).unwrap(), report);
    assert_eq!(schema.extract::<Report>(&words, None).unwrap(), report);
    assert_eq!(schema.extract::<Report>(&words, Some(&Payload::from(Value::Null))).unwrap(), report);
    let unfit = Payload::from(json!({"title": 1}));
    assert!(matches!(schema.extract::<Report>(&words, Some(&unfit)), Err(JsonError::Unfit { .. })));
}

#[test]
fn a_fault_says_where_and_what() {
    let schema = Schema::of::<Report>();
    let check = |value: Value, told: &str| {
        let error = schema.value_of(&value.to_string(), None).unwrap_err().to_string();
        assert_eq!(error, format!("the answer does not fit its schema: {told}"));
    };
    check(json!({"title": "t", "stars": 9, "tags": []}), "/stars: 9 is greater than 5");
    check(
        json!({"title": "t", "stars": 1, "tags": ["good", "so so"]}),
        r#"/tags/1: "so so" is not one of "good", "bad""#,
    );
    check(json!({"stars": 1, "tags": []}), r#""title" is missing"#);
    check(json!({"title": 1, "stars": 0, "tags": []}), "/stars: 0 is less than 1; /title: 1 is not string");
}

#[test]
fn an_answer_in_words_is_noticed() {
    let schema = Schema::of::<Report>();
    for text in ["", "I could not do it.", "{\"title\":", &"long ".repeat(100)] {
        let Err(JsonError::Missing { text: kept }) = schema.value_of(text, None) else { panic!("{text}") };
        assert!(kept.chars().count() <= KEPT + 1 && text.starts_with(kept.trim_end_matches('…')));
    }
}

#[test]
fn the_draft_is_for_us_alone() {
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {"$schema": {"type": "string"}}});
    let schema = Schema::new(schema).unwrap();
    let bare = json!({"type": "object", "properties": {"$schema": {"type": "string"}}});
    assert_eq!(*schema.value(), bare);
    assert!(Schema::of::<Report>().value().get("$schema").is_none());
}

/// A line each: a schema, values that fit, and values that do not, with what is wrong with them.
const SCHEMAS: &str = include_str!("../../tests/data/schemas.ndjson");

#[test]
fn every_keyword_is_checked() {
    for line in SCHEMAS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let schema = Schema::new(case["schema"].clone()).unwrap_or_else(|error| panic!("{line}: {error}"));
        for value in case["fits"].as_array().unwrap() {
            assert!(schema.check(value).is_ok(), "{value} should fit {}", case["schema"]);
        }
        for wrong in case["wrong"].as_array().unwrap() {
            let Err(JsonError::Unfit { faults }) = schema.check(&wrong[0]) else { panic!("{wrong}: {line}") };
            assert_eq!(join(&faults), wrong[1].as_str().unwrap(), "{line}");
        }
    }
}

#[test]
fn a_schema_that_cannot_be_checked_is_told_before_anything_is_asked() {
    for (wrong, told) in [
        (json!({"type": "objekt"}), "/type: has the wrong shape"),
        (json!({"properties": {"a": {"minLength": -1}}}), "/properties/a/minLength: has the wrong shape"),
        (json!({"required": "a"}), "/required: has the wrong shape"),
        (json!({"anyOf": []}), "/anyOf: has the wrong shape"),
        (json!({"multipleOf": 0}), "/multipleOf: has the wrong shape"),
        (json!(7), "is neither an object nor true or false"),
        (json!({"$ref": "https://example.com/a.json"}), "/$ref: leads out of the schema, or nowhere"),
        (json!({"$ref": "#/$defs/a"}), "/$ref: leads out of the schema, or nowhere"),
        (json!({"unevaluatedItems": false}), "/unevaluatedItems: is not known here"),
        (json!({"items": {"$id": "a"}}), "/items/$id: is known at the top only"),
        // What a reference leads to is looked at too.
        (json!({"$ref": "#/x", "x": {"type": 1}}), "/$ref/type: has the wrong shape"),
    ] {
        let Err(JsonError::Schema { fault }) = Schema::new(wrong.clone()) else { panic!("{wrong}") };
        assert_eq!(fault.to_string(), told);
    }
    let Err(JsonError::Schema { fault }) = Schema::new(json!({"pattern": "(?=a)"})) else { panic!() };
    assert!(fault.to_string().starts_with("/pattern: cannot be read: "), "{fault}");
}

#[test]
fn no_schema_and_no_value_is_too_deep_for_the_stack() {
    for list in ["allOf", "anyOf", "oneOf"] {
        let endless = Schema::new(json!({list: [{"$ref": "#"}, {"$ref": "#"}]})).unwrap();
        assert!(endless.check(&json!(1)).is_err(), "{list}");
    }
    let tree = Schema::new(json!({"type": "array", "items": {"anyOf": [{"$ref": "#"}, false]}})).unwrap();
    let nest = |depth| (0..depth).fold(json!([]), |inside, _| json!([inside]));
    assert!(tree.check(&nest(100)).is_ok());
    assert!(tree.check(&nest(500)).is_err());
    let schema = (0..500).fold(json!(true), |inside, _| json!({"not": inside}));
    assert!(matches!(Schema::new(schema), Err(JsonError::Schema { .. })));
}

#[test]
fn what_fits_a_schema_of_ones_own_may_still_not_fit_the_type() {
    let schema = Schema::new(json!({"type": "object"})).unwrap();
    assert!(matches!(schema.extract::<Report>("{}", None), Err(JsonError::Type(_))));
}
