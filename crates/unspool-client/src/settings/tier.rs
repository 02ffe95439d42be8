//! Who says which settings hold.

use std::fmt;

/// Who has said something. Later ones have the last word.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum SettingsTier {
    /// The user, for all projects.
    User,
    /// The project, for all who work on it: anybody may say it who can commit to it.
    Project,
    /// The user, for this project.
    Local,
    /// The program or user that started Claude Code, by flags.
    Flag,
    /// The owner of the machine: an organisation.
    Managed,
}

/// As Claude Code calls it.
impl fmt::Display for SettingsTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SettingsTier::User => "user",
            SettingsTier::Project => "project",
            SettingsTier::Local => "local",
            SettingsTier::Flag => "flag",
            SettingsTier::Managed => "managed",
        })
    }
}
