//! As much of a JSON Schema validator as our schemas need; it refuses to overlook a rule it does not know.

use serde_json::Value;

/// A schema, read.
pub(super) struct Schema(pub(super) Value);

/// The rules that are checked, and the words that are none.
const KNOWN: [&str; 14] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "items",
    "minimum",
    "not",
    "properties",
    "required",
    "type",
    "description",
    "title",
];

impl Schema {
    pub(super) fn read(text: &str) -> Self {
        let schema: Value = serde_json::from_str(text).unwrap();
        for (_, definition) in schema["$defs"].as_object().unwrap() {
            every_rule_is_known(definition);
        }
        Schema(schema)
    }

    /// Checks a value against a definition.
    pub(super) fn check(&self, name: &str, value: &Value) -> Result<(), String> {
        valid(&self.0["$defs"][name], value, &self.0)
    }
}

fn every_rule_is_known(schema: &Value) {
    for (key, rule) in schema.as_object().into_iter().flatten() {
        assert!(KNOWN.contains(&&**key), "{key} of {schema:.200}");
        match key.as_str() {
            "properties" => rule.as_object().unwrap().values().for_each(every_rule_is_known),
            "anyOf" | "allOf" => rule.as_array().unwrap().iter().for_each(every_rule_is_known),
            "not" | "items" | "additionalProperties" => every_rule_is_known(rule),
            _ => {}
        }
    }
}

fn valid(rule: &Value, value: &Value, root: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{value} is against {what} of {rule:.200}"));
    if let Some(name) = rule["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        valid(&root["$defs"][name], value, root)?;
    }
    if let Some(any) = rule["anyOf"].as_array()
        && !any.iter().any(|rule| valid(rule, value, root).is_ok())
    {
        return wrong("anyOf");
    }
    for rule in rule["allOf"].as_array().into_iter().flatten() {
        valid(rule, value, root)?;
    }
    let fits = match rule["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("null") => value.is_null(),
        Some(other) => panic!("{other}"),
        None => true,
    };
    if !fits {
        return wrong("type");
    }
    if rule["minimum"].as_i64().is_some_and(|least| value.as_i64().is_some_and(|value| value < least)) {
        return wrong("minimum");
    }
    if rule.get("const").is_some_and(|only| only != value) {
        return wrong("const");
    }
    if rule["enum"].as_array().is_some_and(|listed| !listed.contains(value)) {
        return wrong("enum");
    }
    if rule.get("not").is_some_and(|not| valid(not, value, root).is_ok()) {
        return wrong("not");
    }
    for name in rule["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            return wrong("required");
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        match rule["properties"].get(name) {
            Some(rule) => valid(rule, member, root)?,
            None => rule.get("additionalProperties").map_or(Ok(()), |rule| valid(rule, member, root))?,
        }
    }
    for item in value.as_array().into_iter().flatten() {
        rule.get("items").map_or(Ok(()), |rule| valid(rule, item, root))?;
    }
    Ok(())
}
