//! Where a client plays: a scripted model, a fresh home and a fresh folder, nothing of whoever runs it.

use anyhow::Context;
use std::path::{Path, PathBuf};
use std::{env, fs};
use unspool_client::Options;
use unspool_fake::FakeModel;

/// A home and a place to work in, removed when it is dropped.
pub struct Stage {
    root: PathBuf,
    pub model: FakeModel,
}

impl Stage {
    /// A new one, with a model that plays this script.
    pub async fn new(name: &str, script: &str) -> anyhow::Result<Self> {
        let script = script.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
        let model = FakeModel::start(script).await.context("no port for the model")?;
        let root = env::temp_dir().join(format!("unspool-stage-{}-{name}", std::process::id()));
        for folder in ["home", "work"] {
            fs::create_dir_all(root.join(folder))?;
        }
        Ok(Stage { root, model })
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The environment of Claude Code here.
    pub fn env(&self) -> Vec<(&'static str, String)> {
        let mut env = vec![
            ("PATH", env::var("PATH").unwrap_or_default()),
            ("HOME", self.file("home").display().to_string()),
            ("ANTHROPIC_BASE_URL", self.model.url()),
            ("ANTHROPIC_API_KEY", "sk-ant-fake".to_owned()),
        ];
        let switches = [
            "IS_SANDBOX",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
        ];
        env.extend(switches.map(|switch| (switch, "1".to_owned())));
        env
    }

    /// Options to drive a program here, with every tool allowed.
    pub fn options(&self, program: &Path) -> Options {
        let options =
            Options::new().program(program).cwd(self.file("work")).clear_env(true).skip_permissions(true);
        self.env().into_iter().fold(options, |options, (name, value)| options.env(name, value))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What cannot be removed lies in the folder for such things.
        let _ = fs::remove_dir_all(&self.root);
    }
}
