//! The schemas for other languages.

mod events;
mod typescript;
mod validator;
mod wire;

use unspool::schema::{events_json, wire_json};
use validator::Schema;

#[test]
fn every_reference_leads_somewhere() {
    for (text, least) in [(wire_json(), 500), (events_json(), 50)] {
        let Schema(schema) = Schema::read(&text);
        let mut count = 0;
        for reference in text.split("\"#/$defs/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schema["$defs"][name].is_object(), "{name}");
            count += 1;
        }
        assert!(count > least, "{count}");
    }
}
