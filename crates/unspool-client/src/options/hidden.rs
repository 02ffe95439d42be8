//! What may be secret: it is not shown where options are, and travels in files that only the program's user can read.

use super::{Options, Settings, SystemPrompt};
use crate::private::PrivateFolder;
use crate::program::{Program, Version};
use std::fmt;
use std::io;

/// Options that may hold secrets, beside those whose values hide them themselves.
const HIDDEN: [&str; 8] = [
    "system_prompt",
    "append_system_prompt",
    "append_subagent_system_prompt",
    "plan_mode_instructions",
    "managed_settings",
    "mcp_configs",
    "extra_args",
    "extra_fields",
];

/// Flags whose values are not shown.
const HIDDEN_FLAGS: [&str; 5] =
    ["--mcp-config", "--settings", "--managed-settings", "--system-prompt", "--append-system-prompt"];

/// Knows `--append-system-prompt-file`; 2.0.32 refuses to start with it.
const APPENDS_FILES: Version = Version::new(2, 0, 33);

/// Takes managed settings in `initialize`; 2.1.322 takes them on the command line alone.
const TAKES_MANAGED_SETTINGS: Version = Version::new(2, 1, 323);

/// Where what may be secret is while the program runs.
#[derive(Debug, Default)]
pub(crate) struct Hideout {
    /// Goes with the program.
    pub(crate) folder: Option<PrivateFolder>,
    /// The options that are on the command line all the same, because this version takes them nowhere else.
    pub(crate) seen: Vec<&'static str>,
}

/// Something that is set, and not shown.
pub(super) struct Hidden;

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

pub(super) fn is_hidden(option: &str) -> bool {
    HIDDEN.contains(&option)
}

/// A command line without what may be secret in it.
pub(super) fn shown<'a>(words: impl IntoIterator<Item = std::borrow::Cow<'a, str>>) -> Vec<String> {
    let mut hides_next = false;
    let show = |word: std::borrow::Cow<'a, str>| {
        if std::mem::take(&mut hides_next) {
            return "…".to_owned();
        }
        hides_next = HIDDEN_FLAGS.contains(&&*word);
        match word.split_once('=') {
            Some((flag, _)) if HIDDEN_FLAGS.contains(&flag) => format!("{flag}=…"),
            _ => word.into_owned(),
        }
    };
    words.into_iter().map(show).collect()
}

impl Options {
    /// Puts MCP servers, settings and system prompts into files of a folder that has to stay as long as the program runs, and
    /// managed settings into `initialize`. Nothing is done if there are none, or if they are to be on the command line.
    pub(crate) fn hide(&mut self, program: &Program) -> io::Result<Hideout> {
        let mut hideout = Hideout::default();
        if self.config_on_command_line {
            return Ok(hideout);
        }
        // Where the version is not known it is taken for a newer one: an older one says that it does not know the flag.
        let is_at_least = |least| program.installed().is_none_or(|version| version >= least);
        if self.managed_settings.is_some() {
            self.await_initialize |= is_at_least(TAKES_MANAGED_SETTINGS);
            hideout.seen.extend((!self.await_initialize).then_some("managed_settings"));
        }
        let appends = self.appends_on_command_line() && is_at_least(APPENDS_FILES);
        hideout.seen.extend((self.appends_on_command_line() && !appends).then_some("append_system_prompt"));
        let settings = match self.settings_with_sandbox() {
            Some(Settings::Json(settings)) => Some(settings.to_string()),
            _ => None,
        };
        let is_json = |config: &str| config.trim_start().starts_with('{');
        let has_configs = !self.mcp_servers.is_empty() || self.mcp_configs.iter().any(|it| is_json(it));
        let has_prompt = appends || matches!(self.system_prompt, Some(SystemPrompt::Text(_)));
        if settings.is_none() && !has_configs && !has_prompt {
            return Ok(hideout);
        }
        let folder = PrivateFolder::create()?;
        if let Some(SystemPrompt::Text(text)) = &self.system_prompt {
            self.system_prompt = Some(SystemPrompt::File(folder.write("system-prompt.txt", text)?));
        }
        if let Some(text) = self.append_system_prompt.take_if(|_| appends) {
            self.append_system_prompt_file = Some(folder.write("append-system-prompt.txt", &text)?);
        }
        if let Some(settings) = settings {
            self.settings = Some(Settings::File(folder.write("settings.json", &settings)?));
            self.sandbox = None;
        }
        if let Some(servers) = self.own_mcp_config() {
            self.mcp_configs.insert(0, servers);
            self.mcp_servers.clear();
        }
        for (number, config) in self.mcp_configs.iter_mut().enumerate().filter(|(_, config)| is_json(config))
        {
            let path = folder.write(&format!("mcp-{number}.json"), config)?;
            // A folder for such things whose name is no UTF-8 cannot be named in an option.
            *config = path.into_os_string().into_string().map_err(|_| io::ErrorKind::InvalidFilename)?;
        }
        #[cfg(unix)]
        self.user.map_or(Ok(()), |user| folder.give_to(user))?;
        hideout.folder = Some(folder);
        Ok(hideout)
    }
}
