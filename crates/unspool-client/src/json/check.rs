//! Whether a value fits a schema, and where it does not. The rules are those of JSON Schema 2020-12, with the older forms
//! of `items` and `dependencies`.

use super::schema::{DEEPEST, Sound, step};
use super::value::{compare, equal, is, is_multiple, short};
use super::{FAULTS, Fault};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What is wrong with a value; nothing if it fits.
pub(super) fn faults(schema: &Sound, value: &Value) -> Vec<Fault> {
    let mut check = Check { schema, faults: Vec::new(), depth: 0, following: Vec::new() };
    check.value(&schema.root, value, "");
    check.faults.truncate(FAULTS);
    check.faults
}

/// What a number must be to its limit, and what it is otherwise.
type Limit = (&'static str, fn(Ordering) -> bool, &'static str);

const LIMITS: [Limit; 4] = [
    ("minimum", Ordering::is_ge, "less than"),
    ("maximum", Ordering::is_le, "greater than"),
    ("exclusiveMinimum", Ordering::is_gt, "not greater than"),
    ("exclusiveMaximum", Ordering::is_lt, "not less than"),
];

struct Check<'s> {
    schema: &'s Sound,
    faults: Vec<Fault>,
    depth: usize,
    /// Where references have led to, for which value: to come there again would never end.
    following: Vec<(*const Value, *const Value)>,
}

/// The members of an object that some schema has looked at.
type Seen<'v> = BTreeSet<&'v str>;

impl<'s> Check<'s> {
    fn fault(&mut self, path: &str, reason: impl Into<String>) {
        self.faults.push(Fault { path: path.to_owned(), reason: reason.into() });
    }

    fn value<'v>(&mut self, schema: &'s Value, value: &'v Value, path: &str) -> Seen<'v> {
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => {
                self.fault(path, "nothing is allowed here");
                return Seen::new();
            }
            _ => return Seen::new(),
        };
        self.depth += 1;
        let seen = if self.depth > DEEPEST {
            self.fault(path, "is nested too deeply");
            Seen::new()
        } else {
            self.keywords(keywords, value, path)
        };
        self.depth -= 1;
        seen
    }

    fn keywords<'v>(&mut self, schema: &'s Map<String, Value>, value: &'v Value, path: &str) -> Seen<'v> {
        self.any(schema, value, path);
        let mut seen = self.combined(schema, value, path);
        match value {
            Value::Number(number) => self.number(schema, number, path),
            Value::String(words) => self.words(schema, words, path),
            Value::Array(items) => self.items(schema, items, path),
            Value::Object(members) => {
                self.members(schema, members, path, &mut seen);
                self.depending(schema, value, members, path, &mut seen);
                self.unseen(schema, members, path, &mut seen);
            }
            Value::Null | Value::Bool(_) => {}
        }
        seen
    }

    fn any(&mut self, schema: &'s Map<String, Value>, value: &Value, path: &str) {
        let types = match schema.get("type") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(name)) => vec![name.as_str()],
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.iter().any(|name| is(value, name)) {
            self.fault(path, format!("{} is not {}", short(value), types.join(" or ")));
        }
        if let Some(Value::Array(values)) = schema.get("enum")
            && !values.iter().any(|it| equal(it, value))
        {
            let values: Vec<_> = values.iter().map(short).collect();
            self.fault(path, format!("{} is not one of {}", short(value), values.join(", ")));
        }
        if let Some(wanted) = schema.get("const").filter(|it| !equal(it, value)) {
            self.fault(path, format!("{} is not {}", short(value), short(wanted)));
        }
    }

    /// Schemas for the same value.
    fn combined<'v>(&mut self, schema: &'s Map<String, Value>, value: &'v Value, path: &str) -> Seen<'v> {
        let list = |keyword| schema.get(keyword).and_then(Value::as_array);
        let mut seen = Seen::new();
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|it| self.schema.target(it))
        {
            seen.extend(self.follow(target, value, path));
        }
        for each in list("allOf").into_iter().flatten() {
            seen.extend(self.value(each, value, path));
        }
        if let Some(choices) = list("anyOf") {
            seen.extend(self.choose(choices, value, path, false));
        }
        if let Some(choices) = list("oneOf") {
            seen.extend(self.choose(choices, value, path, true));
        }
        if schema.get("not").is_some_and(|not| self.try_value(not, value, path).is_ok()) {
            self.fault(path, format!("{} is just what is not allowed", short(value)));
        }
        if let Some(condition) = schema.get("if") {
            let met = self.try_value(condition, value, path);
            let next = schema.get(if met.is_ok() { "then" } else { "else" });
            seen.extend(met.unwrap_or_default());
            seen.extend(next.map(|next| self.value(next, value, path)).unwrap_or_default());
        }
        seen
    }

    fn follow<'v>(&mut self, target: &'s Value, value: &'v Value, path: &str) -> Seen<'v> {
        let here = (std::ptr::from_ref(target), std::ptr::from_ref(value));
        if self.following.contains(&here) {
            self.fault(path, "the schema never ends");
            return Seen::new();
        }
        self.following.push(here);
        let seen = self.value(target, value, path);
        self.following.pop();
        seen
    }

    fn choose<'v>(&mut self, choices: &'s [Value], value: &'v Value, path: &str, one: bool) -> Seen<'v> {
        let tried: Vec<_> = choices.iter().map(|choice| self.try_value(choice, value, path)).collect();
        let fit = tried.iter().filter(|tried| tried.is_ok()).count();
        if fit == 0 {
            // Of something that may be absent, what is wrong with it says more than that it is not absent.
            let mut real = choices.iter().zip(&tried).filter(|(choice, _)| choice["type"] != "null");
            match (real.next(), real.next()) {
                (Some((_, Err(faults))), None) => self.faults.extend(faults.iter().cloned()),
                _ => self.fault(path, format!("{} fits none of {} schemas", short(value), choices.len())),
            }
        } else if one && fit > 1 {
            self.fault(path, format!("{} fits {fit} schemas, not one", short(value)));
        }
        tried.into_iter().flatten().flatten().collect()
    }

    /// Checks without telling.
    fn try_value<'v>(
        &mut self,
        schema: &'s Value,
        value: &'v Value,
        path: &str,
    ) -> Result<Seen<'v>, Vec<Fault>> {
        let before = std::mem::take(&mut self.faults);
        let seen = self.value(schema, value, path);
        let faults = std::mem::replace(&mut self.faults, before);
        if faults.is_empty() { Ok(seen) } else { Err(faults) }
    }

    fn number(&mut self, schema: &Map<String, Value>, number: &Number, path: &str) {
        for (keyword, holds, words) in LIMITS {
            if let Some(limit) = schema.get(keyword).and_then(Value::as_number)
                && !compare(number, limit).is_some_and(holds)
            {
                self.fault(path, format!("{number} is {words} {limit}"));
            }
        }
        if let Some(step) = schema.get("multipleOf").and_then(Value::as_number)
            && !is_multiple(number, step)
        {
            self.fault(path, format!("{number} is not a multiple of {step}"));
        }
    }

    fn words(&mut self, schema: &Map<String, Value>, words: &str, path: &str) {
        let length = words.chars().count() as f64;
        self.size(schema, ("minLength", "maxLength"), length, "characters", path);
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && !self.matches(pattern, words)
        {
            self.fault(path, format!("{words:?} does not match {pattern}"));
        }
    }

    fn items(&mut self, schema: &'s Map<String, Value>, items: &[Value], path: &str) {
        self.size(schema, ("minItems", "maxItems"), items.len() as f64, "items", path);
        let old = schema.get("items").filter(|it| it.is_array());
        let first =
            old.or(schema.get("prefixItems")).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let rest = if old.is_some() { schema.get("additionalItems") } else { schema.get("items") };
        for (index, item) in items.iter().enumerate() {
            if let Some(each) = first.get(index).or(rest) {
                self.value(each, item, &step(path, &index.to_string()));
            }
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let twice = |(at, item): (usize, &Value)| items[..at].iter().any(|it| equal(it, item));
            if items.iter().enumerate().any(twice) {
                self.fault(path, "an item is there twice");
            }
        }
        if let Some(wanted) = schema.get("contains") {
            let fit = items.iter().filter(|item| self.try_value(wanted, item, path).is_ok()).count() as f64;
            let limit = |keyword| schema.get(keyword).and_then(Value::as_f64);
            if fit < limit("minContains").unwrap_or(1.0) || limit("maxContains").is_some_and(|it| fit > it) {
                self.fault(path, format!("{fit} items are as some should be"));
            }
        }
    }

    fn members<'v>(
        &mut self,
        schema: &'s Map<String, Value>,
        members: &'v Map<String, Value>,
        path: &str,
        seen: &mut Seen<'v>,
    ) {
        self.size(schema, ("minProperties", "maxProperties"), members.len() as f64, "members", path);
        self.required(schema.get("required"), members, path);
        let named = |keyword| schema.get(keyword).and_then(Value::as_object);
        for (name, member) in members {
            let own = named("properties").and_then(|named| named.get(name));
            let patterns = named("patternProperties").into_iter().flatten();
            let matching = patterns.filter(|(pattern, _)| self.matches(pattern, name)).map(|(_, it)| it);
            let mut schemas: Vec<&Value> = own.into_iter().chain(matching).collect();
            if schemas.is_empty() {
                schemas.extend(schema.get("additionalProperties"));
            }
            for each in &schemas {
                self.member(each, name, member, path);
            }
            if !schemas.is_empty() {
                seen.insert(name);
            }
            if let Some(names) = schema.get("propertyNames") {
                self.value(names, &Value::String(name.clone()), &step(path, name));
            }
        }
    }

    /// What no other keyword has looked at.
    fn unseen<'v>(
        &mut self,
        schema: &'s Map<String, Value>,
        members: &'v Map<String, Value>,
        path: &str,
        seen: &mut Seen<'v>,
    ) {
        let Some(each) = schema.get("unevaluatedProperties") else { return };
        for (name, member) in members.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
            self.member(each, name, member, path);
        }
        seen.extend(members.keys().map(String::as_str));
    }

    fn member(&mut self, schema: &'s Value, name: &str, member: &Value, path: &str) {
        if *schema == Value::Bool(false) {
            self.fault(path, format!("{name:?} should not be there"));
        } else {
            self.value(schema, member, &step(path, name));
        }
    }

    /// What must be there, or hold, because something else is there.
    fn depending<'v>(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &'v Value,
        members: &'v Map<String, Value>,
        path: &str,
        seen: &mut Seen<'v>,
    ) {
        let keywords = ["dependentRequired", "dependentSchemas", "dependencies"];
        let named = keywords.iter().filter_map(|keyword| schema.get(*keyword)?.as_object());
        for (_, wanted) in named.flatten().filter(|(name, _)| members.contains_key(*name)) {
            if wanted.is_array() {
                self.required(Some(wanted), members, path);
            } else {
                seen.extend(self.value(wanted, value, path));
            }
        }
    }

    fn required(&mut self, names: Option<&Value>, members: &Map<String, Value>, path: &str) {
        let names = names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in names.filter(|name| !members.contains_key(*name)) {
            self.fault(path, format!("{name:?} is missing"));
        }
    }

    fn size(
        &mut self,
        schema: &Map<String, Value>,
        (least, most): (&str, &str),
        size: f64,
        of: &str,
        path: &str,
    ) {
        let limit = |keyword| schema.get(keyword).and_then(Value::as_f64);
        if let Some(limit) = limit(least).filter(|limit| size < *limit) {
            self.fault(path, format!("{size} {of} are less than {limit}"));
        }
        if let Some(limit) = limit(most).filter(|limit| size > *limit) {
            self.fault(path, format!("{size} {of} are more than {limit}"));
        }
    }

    fn matches(&self, pattern: &str, words: &str) -> bool {
        self.schema.patterns.get(pattern).is_some_and(|regex| regex.is_match(words))
    }
}
