//! What may be secret: it is not shown where options are, and travels in files that only the program's user can read.

use super::{Options, Settings};
use crate::private::PrivateFolder;
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
    /// Puts MCP servers and settings into files of a folder that has to stay as long as the program runs. Nothing is done
    /// if there are none, or if they are to be on the command line.
    pub(crate) fn hide(&mut self) -> io::Result<Option<PrivateFolder>> {
        let settings = match self.settings_with_sandbox() {
            Some(Settings::Json(settings)) => Some(settings.to_string()),
            _ => None,
        };
        let is_json = |config: &str| config.trim_start().starts_with('{');
        let has_configs = !self.mcp_servers.is_empty() || self.mcp_configs.iter().any(|it| is_json(it));
        if self.config_on_command_line || settings.is_none() && !has_configs {
            return Ok(None);
        }
        let folder = PrivateFolder::create()?;
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
        Ok(Some(folder))
    }
}
