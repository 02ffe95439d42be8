//! Options that contradict each other, found before anything is started.

use super::{Options, PermissionPrompts, Settings};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;
use unspool::wire::PermissionMode;

/// Linux takes no longer word than this, whatever the length of the others.
const WORD_LIMIT: usize = 128 << 10;

/// Flags that are ours to choose: with others nothing on stdout could be read.
const RESERVED: [&str; 9] = [
    "--output-format",
    "--input-format",
    "--help",
    "-h",
    "--version",
    "-v",
    "--sdk-url",
    "--bg",
    "--background",
];

/// Why Claude Code cannot be started with these options.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The fallback is the model itself.
    #[error("the fallback model is the model itself, `{0}`")]
    SameModel(String),
    /// Two answer when permission is asked for.
    #[error("permission cannot be asked of us and of the tool `{0}` at once")]
    TwoAnswers(String),
    /// Two sessions to go on with.
    #[error("`resume` and `continue_session` name two sessions to go on with")]
    TwoSessions,
    /// A session to go on with has an id already.
    #[error("a session that is gone on with keeps its id: `session_id` needs `fork_session` then")]
    IdWithoutFork,
    /// An option for a session to go on with, without one.
    #[error("`{0}` needs `{1}`")]
    Needs(&'static str, &'static str),
    /// Two options that exclude each other.
    #[error("`{0}` and `{1}` exclude each other")]
    Exclude(&'static str, &'static str),
    /// The id of a session is a UUID.
    #[error("the session id `{0}` is not a UUID")]
    NoUuid(String),
    /// A value that Claude Code refuses or ignores.
    #[error("`{option}` cannot be {value}")]
    BadValue {
        /// The option.
        option: &'static str,
        /// The value, in words.
        value: String,
    },
    /// A flag that is ours to choose.
    #[error("`{0}` cannot be an extra argument: the protocol depends on it")]
    Reserved(String),
    /// A word that the system does not take.
    #[error("{flag} is {bytes} bytes long, and the system takes {WORD_LIMIT}: put it into a file")]
    TooLong {
        /// Its beginning.
        flag: String,
        /// Its length.
        bytes: usize,
    },
    /// A zero byte ends a word, so there can be none in it.
    #[error("{0} has a zero byte in it")]
    ZeroByte(String),
    /// Claude Code cannot work in a folder that is not there.
    #[error("the working directory {} is not there", .0.display())]
    NoFolder(PathBuf),
    /// Programs have no users here.
    #[error("a program cannot be run as another user on this system")]
    NoUsers,
}

type Check = Result<(), OptionsError>;

impl Options {
    /// Whether Claude Code can be started with these options, as far as can be told before it is.
    pub fn check(&self) -> Check {
        self.check_permissions()?;
        self.check_sessions()?;
        self.check_values()?;
        self.check_settings()?;
        self.check_words()?;
        if cfg!(not(unix)) && self.user.is_some() {
            return Err(OptionsError::NoUsers);
        }
        match &self.cwd {
            Some(cwd) if !cwd.is_dir() => Err(OptionsError::NoFolder(cwd.clone())),
            _ => Ok(()),
        }
    }

    /// The options by which calls pass that the application is not asked about, if there are any.
    pub(crate) fn lets_pass(&self) -> Option<&'static str> {
        let extra = |word: &str| self.extra_args.iter().any(|arg| arg == OsStr::new(word));
        if self.skip_permissions || extra("--dangerously-skip-permissions") {
            Some("skipped permissions")
        } else if self.permission_mode == Some(PermissionMode::BypassPermissions)
            || extra("bypassPermissions")
            || extra("--permission-mode=bypassPermissions")
        {
            Some("the mode bypassPermissions")
        } else {
            self.allowed_tools.iter().flatten().next().map(|_| "allowed_tools")
        }
    }

    fn check_permissions(&self) -> Check {
        match &self.permission_prompt_tool {
            Some(tool) if self.ask_host => return Err(OptionsError::TwoAnswers(tool.clone())),
            _ => {}
        }
        let nobody = self.permission_prompts == Some(PermissionPrompts::None);
        exclude(self.ask_host, "ask_host", nobody, "permission_prompts: none")?;
        exclude(self.restricted, "restricted", self.skip_permissions, "skip_permissions")
    }

    fn check_sessions(&self) -> Check {
        let goes_on = self.resume.is_some() || self.continue_session;
        if self.resume.is_some() && self.continue_session {
            return Err(OptionsError::TwoSessions);
        }
        if self.session_id.is_some() && goes_on && !self.fork_session {
            return Err(OptionsError::IdWithoutFork);
        }
        needs(self.fork_session, "fork_session", goes_on, "resume")?;
        needs(self.resume_session_at.is_some(), "resume_session_at", self.resume.is_some(), "resume")?;
        let at = self.resume_session_at.is_some();
        needs(self.resume_drops_turn.is_some(), "resume_drops_turn", at, "resume_session_at")?;
        let mirror = self.session_mirror;
        exclude(mirror, "session_mirror", self.no_session_persistence, "no_session_persistence")?;
        exclude(mirror, "session_mirror", self.file_checkpointing, "file_checkpointing")?;
        match &self.session_id {
            Some(id) if uuid::Uuid::try_parse(id).is_err() => Err(OptionsError::NoUuid(id.clone())),
            _ => Ok(()),
        }
    }

    fn check_values(&self) -> Check {
        match (&self.model, &self.fallback_model) {
            (Some(model), Some(other)) if model == other => {
                return Err(OptionsError::SameModel(model.clone()));
            }
            _ => {}
        }
        refuse("resume", self.resume.as_deref() == Some(""), || "empty".into())?;
        refuse("max_turns", self.max_turns == Some(0), || "0".into())?;
        refuse("task_budget", self.task_budget == Some(0), || "0".into())?;
        let budget = self.max_budget_usd.unwrap_or(1.0);
        refuse("max_budget_usd", !(budget > 0.0 && budget.is_finite()), || budget.to_string())?;
        let schema = self.json_schema.as_ref().filter(|it| !it.is_object());
        refuse("json_schema", schema.is_some(), || "anything but an object".into())?;
        let kind = self.json_schema.as_ref().and_then(other_than_object);
        refuse("json_schema", kind.is_some(), || {
            let kind = kind.unwrap_or_default();
            format!(
                "a schema of {kind}: Claude Code answers with objects only, so put it into a field of one"
            )
        })
    }

    fn check_settings(&self) -> Check {
        let file = matches!(self.settings, Some(Settings::File(_)));
        exclude(file, "settings from a file", self.sandbox.is_some(), "sandbox")?;
        let odd = matches!(&self.settings, Some(Settings::Json(it)) if !it.is_object());
        refuse("settings", odd, || "anything but an object".into())?;
        let odd = self.managed_settings.as_ref().is_some_and(|it| !it.is_object());
        refuse("managed_settings", odd, || "anything but an object".into())
    }

    fn check_words(&self) -> Check {
        for word in &self.extra_args {
            let name = word.to_string_lossy();
            let name = name.split('=').next().unwrap_or_default();
            if RESERVED.contains(&name) {
                return Err(OptionsError::Reserved(name.to_owned()));
            }
        }
        let mut words = Vec::new();
        self.flags(&mut words);
        words.extend(self.extra_args.iter().cloned());
        words.iter().try_for_each(|word| check_word(word))
    }
}

fn check_word(word: &OsStr) -> Check {
    let beginning = || word.to_string_lossy().chars().take(40).collect::<String>();
    let bytes = word.as_encoded_bytes();
    if bytes.contains(&0) {
        return Err(OptionsError::ZeroByte(beginning()));
    }
    // The zero at its end counts, too.
    if bytes.len() >= WORD_LIMIT {
        return Err(OptionsError::TooLong { flag: beginning(), bytes: bytes.len() });
    }
    Ok(())
}

/// The type that a schema describes at its top, where an object does not fit it.
fn other_than_object(schema: &Value) -> Option<String> {
    match schema.get("type")? {
        Value::String(kind) if kind != "object" => Some(kind.clone()),
        Value::Array(kinds) if !kinds.iter().any(|kind| kind == "object") => {
            let kinds: Vec<_> = kinds.iter().filter_map(Value::as_str).collect();
            Some(kinds.join(" or "))
        }
        _ => None,
    }
}

fn needs(has: bool, option: &'static str, has_other: bool, other: &'static str) -> Check {
    if has && !has_other { Err(OptionsError::Needs(option, other)) } else { Ok(()) }
}

fn exclude(has: bool, option: &'static str, has_other: bool, other: &'static str) -> Check {
    if has && has_other { Err(OptionsError::Exclude(option, other)) } else { Ok(()) }
}

fn refuse(option: &'static str, bad: bool, value: impl FnOnce() -> String) -> Check {
    if bad { Err(OptionsError::BadValue { option, value: value() }) } else { Ok(()) }
}
