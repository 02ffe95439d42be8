//! The settings that Claude Code would find for a folder: which files it reads, in which order, and what comes of them.
//!
//! What is decided here was compared with the official SDK's own reading, on many homes and projects. Where that drops what it does
//! not understand, this says which file it is, and gives nothing.

mod check;
mod denied;
mod error;
mod merge;
mod tier;

pub use denied::DeniedModels;
pub use error::SettingsError;
pub use tier::SettingsTier;

use crate::Options;
use crate::options::{SettingSource, Settings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};
use unspool::json::Str;
use unspool::wire::PermissionMode;

/// Where Claude Code looks for its settings.
///
/// ```no_run
/// # fn show() -> Result<(), unspool_client::settings::SettingsError> {
/// use unspool_client::settings::{SettingsFiles, SettingsTier};
///
/// let settings = SettingsFiles::new("/home/me/project").resolve()?;
/// println!("{:?} from {:?}", settings.effective.get("model"), settings.origins.get("model"));
/// assert_ne!(settings.origins.get("apiKeyHelper"), Some(&SettingsTier::Project), "the project runs a program of its own");
/// # Ok(())
/// # }
/// ```
///
/// Settings that are given as managed ones ([`Options::managed_settings`]), that an organisation hands out by its server, by a profile of the device (macOS) or by the registry (Windows), and what a
/// `policyHelper` says, are not looked for: that Claude Code may do something does not follow from what is found here.
#[derive(Clone, Debug)]
pub struct SettingsFiles {
    cwd: PathBuf,
    /// Where the project's settings are.
    project: PathBuf,
    config: Option<PathBuf>,
    sources: Option<Vec<SettingSource>>,
    flag: Option<Settings>,
    managed: PathBuf,
}

/// The settings for a folder.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ResolvedSettings {
    /// What holds, of all tiers together.
    pub effective: Map<String, Value>,
    /// Of each setting, the last who has said something to it. Lists and objects may have parts of others before.
    pub origins: BTreeMap<String, SettingsTier>,
    /// What each has said, the last word last. Who has said nothing is not there.
    pub sources: Vec<SettingsSource>,
}

/// What one tier says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingsSource {
    /// Who says it.
    pub tier: SettingsTier,
    /// The files it was read from; none if it was given.
    pub files: Vec<PathBuf>,
    /// The settings.
    pub settings: Map<String, Value>,
}

impl SettingsFiles {
    /// For Claude Code in this folder, started by the user that runs this process. Only the folder itself counts, not
    /// those around it.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        SettingsFiles::of(&Options::new().cwd(cwd))
    }

    /// For a session with these options: its folder, home, sources and settings.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        let cwd = options.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
        SettingsFiles {
            project: options.project_config_root.clone().unwrap_or_else(|| cwd.clone()),
            cwd,
            config: options.config_folder(),
            sources: options.setting_sources.clone(),
            flag: options.settings_with_sandbox(),
            managed: PathBuf::from(managed_folder()),
        }
    }

    /// The folder of the user's own settings, `~/.claude` or what `CLAUDE_CONFIG_DIR` says.
    #[must_use]
    pub fn config_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.config = Some(folder.into());
        self
    }

    /// Only these of user, project and local; in no particular order. All of them unless said otherwise.
    #[must_use]
    pub fn sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.sources = Some(sources.into_iter().collect());
        self
    }

    /// What Claude Code is given by [`Options::settings`].
    #[must_use]
    pub fn flag(mut self, settings: impl Into<Settings>) -> Self {
        self.flag = Some(settings.into());
        self
    }

    /// The folder of `managed-settings.json`, if it is not the usual one.
    #[must_use]
    pub fn managed_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.managed = folder.into();
        self
    }

    /// Reads what is there. Blocks.
    pub fn resolve(&self) -> Result<ResolvedSettings, SettingsError> {
        let project = self.project.join(".claude");
        let mut resolved = ResolvedSettings::default();
        let user = self.config.iter().map(|folder| folder.join("settings.json"));
        resolved.add(SettingsTier::User, user.filter(|_| self.wants(SettingSource::User)))?;
        let shared = Some(project.join("settings.json")).filter(|_| self.wants(SettingSource::Project));
        resolved.add(SettingsTier::Project, shared)?;
        let local = Some(project.join("settings.local.json")).filter(|_| self.wants(SettingSource::Local));
        resolved.add(SettingsTier::Local, local)?;
        match &self.flag {
            None => {}
            Some(Settings::File(file)) => resolved.add(SettingsTier::Flag, [self.cwd.join(file)])?,
            Some(Settings::Json(value)) => {
                let settings = check::checked(SettingsTier::Flag, value.clone());
                let settings =
                    settings.map_err(|why| SettingsError::not_understood(Path::new("--settings"), why))?;
                resolved.put(SettingsTier::Flag, Vec::new(), settings)?;
            }
        }
        resolved.add(SettingsTier::Managed, self.managed_files()?)?;
        Ok(resolved)
    }

    fn wants(&self, source: SettingSource) -> bool {
        self.sources.as_ref().is_none_or(|sources| sources.contains(&source))
    }

    /// The file, then what lies beside it, by name.
    fn managed_files(&self) -> Result<Vec<PathBuf>, SettingsError> {
        let folder = self.managed.join("managed-settings.d");
        let unreadable = |source| SettingsError::Unreadable { file: folder.clone(), source };
        let listed = match fs::read_dir(&folder) {
            Err(error) if is_absent(&error) => Vec::new(),
            listed => listed.and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(unreadable)?,
        };
        let is_meant = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".json") && !name.starts_with('.') && !file.is_dir()
        };
        let mut files: Vec<PathBuf> = listed.iter().map(fs::DirEntry::path).filter(is_meant).collect();
        files.sort();
        files.insert(0, self.managed.join("managed-settings.json"));
        Ok(files)
    }
}

impl ResolvedSettings {
    /// What holds, without a permission mode that lets more pass than usual and that the project itself wants: Claude Code takes
    /// `bypassPermissions`, `auto` and `acceptEdits` from nobody who can commit to the project, and the first two not from the user's
    /// own settings for it either. No other tier's mode comes in its place.
    pub fn without_escalating_mode(&self) -> Map<String, Value> {
        let mode = |settings: &Map<String, Value>| settings.get("permissions")?.get("defaultMode").cloned();
        let mut effective = self.effective.clone();
        let said = self.sources.iter().rev().find(|source| mode(&source.settings).is_some());
        let tier = said.map(|source| source.tier);
        let wanted = mode(&effective);
        let wanted =
            wanted.as_ref().and_then(Value::as_str).map(|mode| PermissionMode::from(Str::from(mode)));
        let escalates = match wanted {
            Some(PermissionMode::BypassPermissions | PermissionMode::Auto) => {
                matches!(tier, Some(SettingsTier::Project | SettingsTier::Local))
            }
            Some(PermissionMode::AcceptEdits) => tier == Some(SettingsTier::Project),
            _ => false,
        };
        if let Some(Value::Object(permissions)) = effective.get_mut("permissions").filter(|_| escalates) {
            permissions.remove("defaultMode");
        }
        effective
    }

    /// The models that the owner of the machine does not want to be used.
    pub fn denied_models(&self) -> DeniedModels {
        let list = self.effective.get("deniedModels").and_then(Value::as_array);
        DeniedModels::new(list.into_iter().flatten().filter_map(Value::as_str))
    }

    fn add(
        &mut self,
        tier: SettingsTier,
        files: impl IntoIterator<Item = PathBuf>,
    ) -> Result<(), SettingsError> {
        let mut all = Map::new();
        let mut found = Vec::new();
        for file in files {
            let Some(settings) = read(tier, &file)? else { continue };
            merge::merge(&mut all, settings).map_err(|why| SettingsError::not_understood(&file, why))?;
            found.push(file);
        }
        self.put(tier, found, all)
    }

    fn put(
        &mut self,
        tier: SettingsTier,
        files: Vec<PathBuf>,
        settings: Map<String, Value>,
    ) -> Result<(), SettingsError> {
        if settings.is_empty() {
            return Ok(());
        }
        let last = files.last().map_or(Path::new("--settings"), PathBuf::as_path);
        merge::merge(&mut self.effective, settings.clone())
            .map_err(|why| SettingsError::not_understood(last, why))?;
        self.origins.extend(settings.keys().map(|key| (key.clone(), tier)));
        self.sources.push(SettingsSource { tier, files, settings });
        Ok(())
    }
}

/// The settings in a file, if there is one.
fn read(tier: SettingsTier, file: &Path) -> Result<Option<Map<String, Value>>, SettingsError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        // Who gives a file means one that is there.
        Err(error) if is_absent(&error) && tier != SettingsTier::Flag => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(SettingsError::not_understood(file, "it is not UTF-8".to_owned()));
        }
        Err(source) => return Err(SettingsError::Unreadable { file: file.to_owned(), source }),
    };
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(None);
    }
    let value =
        serde_json::from_str(text).map_err(|error| SettingsError::not_understood(file, error.to_string()))?;
    check::checked(tier, value).map(Some).map_err(|why| SettingsError::not_understood(file, why))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn managed_folder() -> &'static str {
    if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        r"C:\Program Files\ClaudeCode"
    } else {
        "/etc/claude-code"
    }
}
