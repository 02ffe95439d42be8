//! A schema that is looked through once: every keyword has the shape it should have, every reference leads
//! somewhere, every pattern can be read. What cannot be checked is refused here, not passed over later.

use super::Fault;
use regex_lite::Regex;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// So many schemas may stand inside each other, and so many be entered for a value. JSON of an answer is at most 128
/// levels deep, and a level takes a few schemas.
pub(super) const DEEPEST: usize = 400;

/// A schema that can be checked with.
pub(super) struct Sound {
    pub(super) root: Value,
    pub(super) patterns: HashMap<String, Regex>,
}

/// What a keyword holds.
enum Holds {
    Schema,
    Schemas,
    NamedSchemas,
    /// A list in older drafts.
    SchemaOrSchemas,
    /// Schemas or lists of names, by name.
    Dependencies,
    Types,
    Names,
    NamedNames,
    Values,
    Count,
    Number,
    /// A number above zero.
    Step,
    Flag,
    Pattern,
    Reference,
}

fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "else"
        | "if"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Holds::NamedSchemas
        }
        "items" => Holds::SchemaOrSchemas,
        "dependencies" => Holds::Dependencies,
        "type" => Holds::Types,
        "required" => Holds::Names,
        "dependentRequired" => Holds::NamedNames,
        "enum" => Holds::Values,
        "maxContains" | "maxItems" | "maxLength" | "maxProperties" | "minContains" | "minItems"
        | "minLength" | "minProperties" => Holds::Count,
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" => Holds::Number,
        "multipleOf" => Holds::Step,
        "uniqueItems" => Holds::Flag,
        "pattern" => Holds::Pattern,
        "$ref" => Holds::Reference,
        _ => return None,
    })
}

/// What would change what a schema means, and is not done here.
const REFUSED: [&str; 6] =
    ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "unevaluatedItems"];

impl Sound {
    pub(super) fn new(root: Value) -> Result<Self, Fault> {
        let mut look = Look { root: &root, patterns: HashMap::new(), followed: HashSet::new() };
        look.schema(&root, "", 0)?;
        let patterns = look.patterns;
        Ok(Sound { root, patterns })
    }

    /// What a reference leads to.
    pub(super) fn target(&self, reference: &str) -> Option<&Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

struct Look<'s> {
    root: &'s Value,
    patterns: HashMap<String, Regex>,
    followed: HashSet<String>,
}

impl<'s> Look<'s> {
    fn schema(&mut self, schema: &'s Value, path: &str, depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(fault(path, "is nested too deeply"));
        }
        match schema {
            Value::Bool(_) => Ok(()),
            Value::Object(keywords) => self.keywords(keywords, path, depth),
            _ => Err(fault(path, "is neither an object nor true or false")),
        }
    }

    fn keywords(&mut self, keywords: &'s Map<String, Value>, path: &str, depth: usize) -> Result<(), Fault> {
        for (keyword, value) in keywords {
            let at = step(path, keyword);
            if REFUSED.contains(&keyword.as_str()) {
                return Err(fault(&at, "is not known here"));
            }
            // An id inside changes what references mean; at the top it only names the schema.
            if keyword == "$id" && depth > 0 {
                return Err(fault(&at, "is known at the top only"));
            }
            if let Some(holds) = holds(keyword) {
                self.keyword(holds, value, &at, depth)?;
            }
        }
        Ok(())
    }

    fn keyword(&mut self, holds: Holds, value: &'s Value, at: &str, depth: usize) -> Result<(), Fault> {
        let good = match (holds, value) {
            (Holds::SchemaOrSchemas, Value::Array(_)) => return self.schemas(value, at, depth),
            (Holds::Schema | Holds::SchemaOrSchemas, _) => return self.schema(value, at, depth + 1),
            (Holds::Schemas, Value::Array(list)) if !list.is_empty() => {
                return self.schemas(value, at, depth);
            }
            (Holds::NamedSchemas, Value::Object(named)) => return self.named(named, at, depth),
            (Holds::Dependencies, Value::Object(named)) => {
                let (names, schemas): (Vec<_>, Vec<_>) = named.iter().partition(|(_, it)| it.is_array());
                schemas.into_iter().try_for_each(|(name, it)| self.schema(it, &step(at, name), depth + 1))?;
                names.into_iter().all(|(_, it)| is_names(it))
            }
            (Holds::Types, Value::String(name)) => is_type(name),
            (Holds::Types, Value::Array(names)) => {
                !names.is_empty() && names.iter().all(|name| name.as_str().is_some_and(is_type))
            }
            (Holds::Names, names) => is_names(names),
            (Holds::NamedNames, Value::Object(named)) => named.values().all(is_names),
            (Holds::Values, Value::Array(_)) => true,
            (Holds::Count, Value::Number(count)) => {
                count.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0)
            }
            (Holds::Number, Value::Number(_)) => true,
            (Holds::Step, Value::Number(number)) => number.as_f64().is_some_and(|number| number > 0.0),
            (Holds::Flag, Value::Bool(_)) => true,
            (Holds::Pattern, Value::String(pattern)) => return self.pattern(pattern, at),
            (Holds::Reference, Value::String(reference)) => return self.follow(reference, at, depth),
            _ => false,
        };
        if good { Ok(()) } else { Err(fault(at, "has the wrong shape")) }
    }

    fn schemas(&mut self, list: &'s Value, at: &str, depth: usize) -> Result<(), Fault> {
        let list = list.as_array().into_iter().flatten().enumerate();
        list.into_iter().try_for_each(|(index, it)| self.schema(it, &step(at, &index.to_string()), depth + 1))
    }

    fn named(&mut self, named: &'s Map<String, Value>, at: &str, depth: usize) -> Result<(), Fault> {
        if at.ends_with("/patternProperties") {
            named.keys().try_for_each(|pattern| self.pattern(pattern, at))?;
        }
        named.iter().try_for_each(|(name, schema)| self.schema(schema, &step(at, name), depth + 1))
    }

    fn pattern(&mut self, pattern: &str, at: &str) -> Result<(), Fault> {
        let regex = Regex::new(pattern).map_err(|error| fault(at, &format!("cannot be read: {error}")))?;
        self.patterns.insert(pattern.to_owned(), regex);
        Ok(())
    }

    /// Looks at the target, once; it may stand where no keyword leads.
    fn follow(&mut self, reference: &'s str, at: &str, depth: usize) -> Result<(), Fault> {
        let pointer = reference.strip_prefix('#').filter(|pointer| !pointer.contains('%'));
        let target = pointer.and_then(|pointer| self.root.pointer(pointer));
        let target = target.ok_or_else(|| fault(at, "leads out of the schema, or nowhere"))?;
        if self.followed.insert(reference.to_owned()) {
            self.schema(target, at, depth + 1)?;
        }
        Ok(())
    }
}

fn is_type(name: &str) -> bool {
    matches!(name, "null" | "boolean" | "object" | "array" | "number" | "string" | "integer")
}

fn is_names(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

/// A JSON pointer, one step on.
pub(super) fn step(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn fault(path: &str, reason: &str) -> Fault {
    Fault { path: path.to_owned(), reason: reason.to_owned() }
}
