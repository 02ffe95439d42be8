//! A host in a process of its own, which is killed while its session is at work.

use anyhow::Context;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::time::sleep;
use unspool_client::program::Program;
use unspool_client::{Claude, Options};

/// The program that a host is to run.
const PROGRAM: &str = "CHAOS_PROGRAM";

/// The word by which this program is told to be a host; behind it the prompt.
const WORD: &str = "--be-host";

/// A host that has not been started yet.
pub(super) struct Host(Command);

impl Host {
    /// One that runs this program, with these options' environment and folder.
    pub(super) fn new(options: &Options, program: &Path) -> anyhow::Result<Self> {
        let there = options.launch(&Program::at(program)?).command();
        let mut host = Command::new(env::current_exe()?);
        host.env_clear().env(PROGRAM, program);
        host.envs(there.get_envs().filter_map(|(name, value)| Some((name, value?))));
        host.current_dir(there.get_current_dir().context("no folder")?);
        host.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Host(host))
    }

    /// Starts it, and kills it after a while, most often so that it can do nothing about it.
    pub(super) async fn live(mut self, prompt: &str, after: Duration, chance: u8) -> String {
        let host = tokio::process::Command::from({
            self.0.args([WORD, prompt]);
            self.0
        })
        .spawn();
        let mut host = match host {
            Ok(host) => host,
            Err(error) => return error.to_string(),
        };
        tokio::select! {
            _ = host.wait() => return "the host has ended before".to_owned(),
            () = sleep(after) => {}
        }
        let signal = ["KILL", "KILL", "TERM", "HUP"][usize::from(chance) % 4];
        let id = host.id().unwrap_or_default().to_string();
        let kill = |signal: &str| Command::new("kill").args(["-s", signal, &id]).status();
        // One that is stopped dies of nothing but SIGKILL until it goes on.
        let killed = kill(signal).and_then(|_| kill("CONT"));
        let ended = host.wait().await;
        match (killed, ended) {
            (Ok(_), Ok(ended)) => format!("the host was sent SIG{signal}: {ended}"),
            (Err(error), _) | (_, Err(error)) => error.to_string(),
        }
    }
}

/// If this process was started to be a host: is one, until it is killed or done.
pub async fn be_host() -> Option<anyhow::Result<()>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [word, prompt] = args.as_slice() else { return None };
    if word != WORD {
        return None;
    }
    let program = env::var_os(PROGRAM)?;
    let claude = Claude::new(Options::new().program(program).skip_permissions(true));
    Some(claude.ask(prompt).await.map(drop).map_err(Into::into))
}
