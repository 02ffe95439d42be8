//! Settings: a file or JSON, with the sandbox in it.

use super::Options;
use super::hidden::Hidden;
use super::word::{json, pair};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Settings that count more than those in the user's files.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Settings {
    /// As in a settings file.
    Json(Value),
    /// Such a file.
    File(PathBuf),
}

/// What is in them is not printed: there may be secrets.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Settings::Json(_) => f.debug_tuple("Json").field(&Hidden).finish(),
            Settings::File(file) => f.debug_tuple("File").field(file).finish(),
        }
    }
}

impl From<Value> for Settings {
    fn from(settings: Value) -> Self {
        Settings::Json(settings)
    }
}

impl From<PathBuf> for Settings {
    fn from(file: PathBuf) -> Self {
        Settings::File(file)
    }
}

impl From<&Path> for Settings {
    fn from(file: &Path) -> Self {
        Settings::File(file.to_owned())
    }
}

impl Options {
    pub(super) fn settings_args(&self, args: &mut Vec<OsString>) {
        match self.settings_with_sandbox() {
            Some(Settings::Json(settings)) => pair("--settings", settings.to_string(), args),
            Some(Settings::File(file)) => pair("--settings", file, args),
            None => {}
        }
    }

    /// The sandbox is a part of the settings. (A file cannot take it; `check` says so.)
    pub(crate) fn settings_with_sandbox(&self) -> Option<Settings> {
        let Some(sandbox) = &self.sandbox else { return self.settings.clone() };
        let Value::Object(mut ours) = json(sandbox) else { return self.settings.clone() };
        ours.entry("failIfUnavailable").or_insert(true.into());
        let mut settings = match &self.settings {
            Some(Settings::Json(Value::Object(settings))) => settings.clone(),
            Some(other) => return Some(other.clone()),
            None => Map::new(),
        };
        match settings.get_mut("sandbox") {
            Some(Value::Object(theirs)) => theirs.extend(ours),
            _ => drop(settings.insert("sandbox".into(), Value::Object(ours))),
        }
        Some(Settings::Json(settings.into()))
    }

    /// Sent by `initialize`, they do not stand in the list of processes, where other users could see them. [`Options::hide`] sees to
    /// that.
    pub(super) fn managed_settings_args(&self, args: &mut Vec<OsString>) {
        match &self.managed_settings {
            Some(_) if self.await_initialize => args.push("--managed-settings-in-initialize".into()),
            Some(settings) => pair("--managed-settings", settings.to_string(), args),
            None => {}
        }
    }
}
