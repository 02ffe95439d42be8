//! The schema of the wire, checked against real lines.

use super::validator::Schema;
use serde_json::json;
use unspool::schema::wire_json;
use unspool::wire::{Envelope, Kind, audit};

const LINES: &str = include_str!("../../../../../fixtures/protocol/lines.ndjson");

#[test]
fn real_lines_are_known_and_valid() {
    let schema = Schema::read(&wire_json());
    for line in LINES.lines() {
        assert_ne!(Kind::of(line), Kind::Unknown, "{line}");
        assert!(Envelope::read(line).unwrap().is_known(), "{line}");
        assert_eq!(audit(line), Vec::<String>::new(), "{line}");
        assert_eq!(schema.check("Envelope", &serde_json::from_str(line).unwrap()), Ok(()), "{line}");
    }
    assert!(LINES.lines().count() > 40);
}

#[test]
fn what_is_new_is_valid_and_what_is_wrong_is_not() {
    let schema = Schema::read(&wire_json());
    for good in [
        json!({ "type": "new", "x": 1 }),
        json!({ "type": "assistant", "new": 1, "error": "new" }),
        json!({ "type": "system", "subtype": "new" }),
        json!({ "type": "assistant", "uuid": null, "message": { "content": [{ "type": "new" }] } }),
        json!({ "role": "user", "content": "hi" }),
    ] {
        assert_eq!(schema.check("Envelope", &good), Ok(()), "{good}");
    }
    for bad in [
        json!({ "type": "assistant", "uuid": 5 }),
        json!({ "type": "result", "num_turns": 1.5 }),
        json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": 1 }] } }),
        json!({ "type": "system", "subtype": "init", "tools": "x" }),
        json!([]),
    ] {
        assert!(schema.check("Envelope", &bad).is_err(), "{bad}");
    }
    let line = json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "set_model" } });
    assert_eq!(schema.check("Input", &line), Ok(()));
}
