//! What can be told of the set-up without using it: folders, settings, who is logged in.
//!
//! Only whether something is there is looked at, never what a secret is.

use super::Finding;
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::{env, fs};

/// Each of these is a way to be logged in.
const LOGINS: [&str; 7] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_USE_MANTLE",
];

/// What is looked at.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) home: Option<PathBuf>,
    pub(super) variables: HashMap<String, OsString>,
    /// Logins are kept by the system, where nobody can look without asking the user.
    pub(super) has_keychain: bool,
}

impl Surroundings {
    /// Those of this process.
    pub(super) fn ours() -> Self {
        let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Surroundings {
            home: env::home_dir(),
            variables: variables.collect(),
            has_keychain: cfg!(target_os = "macos"),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|value| !value.is_empty())
    }

    fn config(&self) -> Option<PathBuf> {
        let named =
            self.variables.get("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
        named.or_else(|| Some(self.home.as_ref()?.join(".claude")))
    }
}

/// All that can be told.
pub(super) fn examine(surroundings: &Surroundings) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(config_dir(surroundings));
    let settings = settings(surroundings, &mut findings);
    findings.push(login(surroundings, &settings));
    findings.extend(variables(surroundings));
    findings
}

fn config_dir(surroundings: &Surroundings) -> Option<Finding> {
    let config =
        surroundings.config().filter(|config| surroundings.has("CLAUDE_CONFIG_DIR") && !config.is_dir())?;
    Some(Finding::wrong(
        "CLAUDE_CONFIG_DIR",
        format!("{} is no folder: create it, or unset the variable", config.display()),
    ))
}

/// The user's settings; nothing if there are none.
fn settings(surroundings: &Surroundings, findings: &mut Vec<Finding>) -> Value {
    let Some(file) = surroundings.config().map(|config| config.join("settings.json")) else {
        return Value::Null;
    };
    let Ok(text) = fs::read(&file) else { return Value::Null };
    serde_json::from_slice(&text).unwrap_or_else(|error| {
        let words = format!("{} is not JSON, so Claude Code ignores it: {error}", file.display());
        findings.push(Finding::wrong("settings", words));
        Value::Null
    })
}

fn login(surroundings: &Surroundings, settings: &Value) -> Finding {
    if let Some(name) = LOGINS.iter().find(|name| surroundings.has(name)) {
        return Finding::fine("login", format!("{name} is set; whether it is taken was not tried"));
    }
    if settings.get("apiKeyHelper").is_some() {
        return Finding::fine("login", "the settings have an apiKeyHelper; whether it works was not tried");
    }
    let in_settings =
        |name: &&&str| settings.get("env").is_some_and(|variables| variables.get(**name).is_some());
    if let Some(name) = LOGINS.iter().find(in_settings) {
        return Finding::fine("login", format!("the settings set {name}; whether it is taken was not tried"));
    }
    let file = surroundings.config().map(|config| config.join(".credentials.json"));
    if let Some(file) = file.filter(|file| file.is_file()) {
        return Finding::fine(
            "login",
            format!("{} is there; whether it is taken was not tried", file.display()),
        );
    }
    if surroundings.has_keychain {
        return Finding::note("login", "kept in the keychain, if anywhere, which was not looked at");
    }
    Finding::wrong(
        "login",
        "nobody is logged in, as far as can be told: run `claude` and log in, or set ANTHROPIC_API_KEY",
    )
}

/// Variables that change more than people remember.
fn variables(surroundings: &Surroundings) -> Vec<Finding> {
    let known = [
        ("CLAUDECODE", "is set: this runs within Claude Code; what unspool starts does not see it"),
        ("NODE_OPTIONS", "is set; what unspool starts does not see it"),
        ("ANTHROPIC_BASE_URL", "is set: requests go elsewhere than to Anthropic"),
    ];
    let set = known.into_iter().filter(|(name, _)| surroundings.has(name));
    set.map(|(name, words)| Finding::note(name, words)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("unspool-doctor-test-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join(".claude")).unwrap();
        folder
    }

    fn set(names: &[(&str, &str)]) -> HashMap<String, OsString> {
        names.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value))).collect()
    }

    fn told(surroundings: &Surroundings) -> Vec<(&'static str, Level)> {
        examine(surroundings).iter().map(|finding| (finding.about, finding.level)).collect()
    }

    #[test]
    fn every_way_to_be_logged_in_is_seen() {
        let home = folder("login");
        let with = |variables| Surroundings { home: Some(home.clone()), variables, has_keychain: false };
        assert_eq!(told(&with(set(&[]))), [("login", Level::Wrong)]);
        assert_eq!(told(&with(set(&[("ANTHROPIC_API_KEY", "")]))), [("login", Level::Wrong)]);
        for name in LOGINS {
            assert_eq!(told(&with(set(&[(name, "1")]))), [("login", Level::Fine)], "{name}");
        }
        let keychain = Surroundings { has_keychain: true, ..with(set(&[])) };
        assert_eq!(told(&keychain), [("login", Level::Note)]);
        for (file, text) in [
            (".credentials.json", "{}"),
            ("settings.json", r#"{"apiKeyHelper":"x"}"#),
            ("settings.json", r#"{"env":{"ANTHROPIC_API_KEY":"x"}}"#),
        ] {
            let file = home.join(".claude").join(file);
            fs::write(&file, text).unwrap();
            assert_eq!(told(&with(set(&[]))), [("login", Level::Fine)], "{text}");
            fs::remove_file(&file).unwrap();
        }
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn what_is_broken_is_named() {
        let home = folder("broken");
        fs::write(home.join(".claude/settings.json"), "{").unwrap();
        let variables = set(&[("ANTHROPIC_API_KEY", "x"), ("CLAUDECODE", "1")]);
        let broken = Surroundings { home: Some(home.clone()), variables, has_keychain: false };
        let expected = [("settings", Level::Wrong), ("login", Level::Fine), ("CLAUDECODE", Level::Note)];
        assert_eq!(told(&broken), expected);
        let nowhere = home.join("nowhere").display().to_string();
        let variables = set(&[("CLAUDE_CONFIG_DIR", &nowhere)]);
        let lost = Surroundings { variables, ..Surroundings::default() };
        assert_eq!(told(&lost), [("CLAUDE_CONFIG_DIR", Level::Wrong), ("login", Level::Wrong)]);
        fs::remove_dir_all(home).unwrap();
    }
}
