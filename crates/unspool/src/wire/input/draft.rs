//! JSON of our own: always whole, always one line.

use crate::json::{Json, write_clean, write_string};
use crate::wire::{Lazy, List, Map, Wire};

/// What can be written into a line: types of the wire, words, lists, `serde_json` values.
pub trait Say {
    /// Appends it as JSON.
    fn say(&self, out: &mut String);
}

/// An object being put together. Of a name that is given twice the last value counts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Draft(String);

/// A value of our own, to put into a type of the wire.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Owned(String);

impl Draft {
    /// `{}`
    #[must_use]
    pub fn new() -> Self {
        Draft("{}".into())
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Say) -> Self {
        self.0.pop();
        if self.0.len() > 1 {
            self.0.push(',');
        }
        write_string(name, &mut self.0);
        self.0.push(':');
        value.say(&mut self.0);
        self.0.push('}');
        self
    }

    /// The object as a line, with its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        format!("{}\n", self.0)
    }

    /// The object as JSON.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        Json::trusted(&self.0)
    }
}

impl Default for Draft {
    fn default() -> Self {
        Draft::new()
    }
}

impl Owned {
    /// The value as JSON of its own.
    pub fn of(value: impl Say) -> Self {
        let mut text = String::new();
        value.say(&mut text);
        Owned(text)
    }

    /// The value as JSON.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        Json::trusted(&self.0)
    }
}

impl<'a, T: Wire<'a>> Say for T {
    fn say(&self, out: &mut String) {
        self.write(out);
    }
}

impl Say for &str {
    fn say(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Say for String {
    fn say(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Say for serde_json::Value {
    fn say(&self, out: &mut String) {
        write_clean(&self.to_string(), out);
    }
}

impl Say for Draft {
    fn say(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl Say for Owned {
    fn say(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl<T: Say> Say for Vec<T> {
    fn say(&self, out: &mut String) {
        say_all(self, out);
    }
}

impl<T: Say, const N: usize> Say for [T; N] {
    fn say(&self, out: &mut String) {
        say_all(self, out);
    }
}

fn say_all(items: &[impl Say], out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        item.say(out);
    }
    out.push(']');
}

macro_rules! held {
    ($($held:ident),*) => { $(
        impl<'a> From<&'a $held> for Json<'a> {
            fn from(held: &'a $held) -> Self {
                held.json()
            }
        }
        impl<'a, T> From<&'a $held> for List<'a, T> {
            fn from(held: &'a $held) -> Self {
                held.json().into()
            }
        }
        impl<'a, T> From<&'a $held> for Map<'a, T> {
            fn from(held: &'a $held) -> Self {
                held.json().into()
            }
        }
        impl<'a, T> From<&'a $held> for Lazy<'a, T> {
            fn from(held: &'a $held) -> Self {
                held.json().into()
            }
        }
    )* };
}

held!(Draft, Owned);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_the_line() {
        let text = "{\n \"a\": [1,\r\n 2] }";
        let draft = Draft::new()
            .with("words\n", "one\ntwo\u{2028}\r")
            .with("json", Json::new(text).unwrap())
            .with("value", serde_json::json!({"a\n": "b\n"}))
            .with("list", vec!["a\n".to_owned()])
            .with("none", Vec::<String>::new());
        let line = draft.to_line();
        assert_eq!(line.find(['\n', '\r']), Some(line.len() - 1));
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["json"]["a"][1], 2);
        assert_eq!(read["words\n"], "one\ntwo\u{2028}\r");
        assert_eq!(read["list"][0], "a\n");
    }
}
