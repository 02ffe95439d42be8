//! How values are written: on the command line, into `initialize`, into the environment.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use unspool::wire::PermissionMode;
use unspool::wire::input::Draft;

/// A value that is one word.
pub(super) trait Word {
    fn word(&self) -> OsString;
}

/// A value that becomes words on the command line, none if it is not set.
pub(super) trait Flag {
    fn add(&self, flag: &str, args: &mut Vec<OsString>);
}

/// A value that becomes a field of `initialize`, unless it is not set.
pub(super) trait Field {
    fn add(&self, name: &str, draft: Draft) -> Draft;
}

/// A value that becomes an environment variable, unless it is not set.
pub(super) trait Variable {
    fn value(&self) -> Option<OsString>;
}

/// `--flag=value`: joined, so that a value which begins with `-` is never taken for a flag.
pub(super) fn join(flag: &str, value: impl AsRef<OsStr>, args: &mut Vec<OsString>) {
    let mut word = OsString::from(flag);
    word.push("=");
    word.push(value);
    args.push(word);
}

/// `--flag value`: for flags that some versions look for before they read the command line properly.
pub(super) fn pair(flag: &str, value: impl AsRef<OsStr>, args: &mut Vec<OsString>) {
    let value = value.as_ref();
    if value.as_encoded_bytes().starts_with(b"-") {
        join(flag, value, args);
    } else {
        args.extend([flag.into(), value.to_owned()]);
    }
}

/// Any value of ours as JSON.
pub(super) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("words, numbers and lists of them are JSON")
}

impl Word for String {
    fn word(&self) -> OsString {
        self.into()
    }
}

impl Word for PathBuf {
    fn word(&self) -> OsString {
        self.into()
    }
}

impl Word for u64 {
    fn word(&self) -> OsString {
        self.to_string().into()
    }
}

impl Word for f64 {
    fn word(&self) -> OsString {
        self.to_string().into()
    }
}

impl Word for PermissionMode<'_> {
    fn word(&self) -> OsString {
        self.as_str().into_owned().into()
    }
}

/// A list is one word, with commas.
impl<T: AsRef<str>> Word for Vec<T> {
    fn word(&self) -> OsString {
        self.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(",").into()
    }
}

impl<T: Word> Flag for Option<T> {
    fn add(&self, flag: &str, args: &mut Vec<OsString>) {
        if let Some(value) = self {
            join(flag, value.word(), args);
        }
    }
}

impl<T: Word> Flag for Vec<T> {
    fn add(&self, flag: &str, args: &mut Vec<OsString>) {
        for value in self {
            join(flag, value.word(), args);
        }
    }
}

impl Flag for bool {
    fn add(&self, flag: &str, args: &mut Vec<OsString>) {
        if *self {
            args.push(flag.into());
        }
    }
}

impl<T: Serialize> Field for Option<T> {
    fn add(&self, name: &str, draft: Draft) -> Draft {
        match self {
            Some(value) => draft.with(name, json(value)),
            None => draft,
        }
    }
}

impl<T: Serialize> Field for BTreeMap<String, T> {
    fn add(&self, name: &str, draft: Draft) -> Draft {
        if self.is_empty() { draft } else { draft.with(name, json(self)) }
    }
}

impl Field for bool {
    fn add(&self, name: &str, draft: Draft) -> Draft {
        if *self { draft.with(name, Value::Bool(true)) } else { draft }
    }
}

impl<T: Word> Variable for Option<T> {
    fn value(&self) -> Option<OsString> {
        self.as_ref().map(Word::word)
    }
}

impl Variable for bool {
    fn value(&self) -> Option<OsString> {
        self.then(|| "1".into())
    }
}
