//! How one says more than another before it.

use serde_json::{Map, Value};

/// Adds what a later one says: objects field by field, lists one behind the other, each word and number once; anything
/// else takes the place of what was there. `Err` says what cannot be put together.
pub(super) fn merge(all: &mut Map<String, Value>, later: Map<String, Value>) -> Result<(), String> {
    for (name, value) in later {
        match (all.get_mut(&name), value) {
            (Some(Value::Object(all)), Value::Object(later)) => merge(all, later)?,
            (Some(Value::Array(all)), Value::Array(later)) => *all = both(all, later),
            (Some(Value::Array(_)), Value::Object(_)) => {
                return Err(format!("`{name}` is an object here and a list in what comes before"));
            }
            (_, value) => drop(all.insert(name, value)),
        }
    }
    Ok(())
}

/// Objects and lists in a list are never the same as others.
fn both(first: &[Value], then: Vec<Value>) -> Vec<Value> {
    let mut both: Vec<Value> = Vec::new();
    for value in first.iter().cloned().chain(then) {
        if value.is_object() || value.is_array() || !both.contains(&value) {
            both.push(value);
        }
    }
    both
}
