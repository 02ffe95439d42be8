//! Where the project is, and how its programs are run.

use anyhow::{Context, bail};
use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// The project on this machine.
pub(crate) struct Workspace {
    /// The folder of the root manifest.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// Asks cargo, which has started this program.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
        let root = Path::new(&manifest).parent().context("xtask has no parent folder")?.to_owned();
        let mut workspace = Workspace { target: root.join("target"), root };
        let metadata = workspace.metadata(&["--no-deps"])?;
        workspace.target = metadata["target_directory"].as_str().context("no target_directory")?.into();
        Ok(workspace)
    }

    /// A cargo command in the root folder.
    pub(crate) fn cargo<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        command.current_dir(&self.root).args(args);
        command
    }

    /// What `cargo metadata` says.
    pub(crate) fn metadata(&self, args: &[&str]) -> anyhow::Result<serde_json::Value> {
        let mut command = self.cargo(["metadata", "--format-version=1", "--locked"]);
        let output = command.args(args).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            bail!("cargo metadata: {}", output.status);
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Shows a command, runs it with our own output, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    show(command);
    let status = command.status().with_context(|| format!("{:?} does not start", command.get_program()))?;
    judge(command, status)
}

/// Runs commands at once, shows each with all that it said, one after the other, and fails if one of them fails.
pub(crate) fn run_beside<const N: usize>(mut commands: [Command; N]) -> anyhow::Result<()> {
    let outputs = thread::scope(|scope| {
        let running = commands.each_mut().map(|command| scope.spawn(|| command.output()));
        running.map(|running| running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let mut result = Ok(());
    for (command, output) in commands.iter().zip(outputs) {
        show(command);
        let output = output.with_context(|| format!("{:?} does not start", command.get_program()))?;
        print!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        result = result.and(judge(command, output.status));
    }
    result
}

fn judge(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if !status.success() {
        bail!(
            "{}: {status}",
            words(command).take_while(|word| !word.starts_with("-")).take(2).collect::<Vec<_>>().join(" ")
        );
    }
    Ok(())
}

/// Whether a program is there and answers to `args`.
pub(crate) fn answers(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
}

/// Prints a command the way one would type it.
pub(crate) fn show(command: &Command) {
    println!("$ {}", words(command).collect::<Vec<_>>().join(" "));
}

/// The program, without its folder, and its arguments.
fn words(command: &Command) -> impl Iterator<Item = Cow<'_, str>> {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    std::iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy)
}
