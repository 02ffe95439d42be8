//! `unspool fake-model`: a scripted model on loopback, for whoever tests against the real CLI.

use anyhow::Context;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Builder;
use tokio::signal;
use unspool_fake::{FakeModel, Received, Script};

/// Play a script as the Messages API, on 127.0.0.1; needs no login and costs nothing.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FakeModelArgs {
    /// The script, a TOML file.
    script: PathBuf,
    /// The port; a free one if it is 0.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

const EXAMPLES: &str = "\
Examples:
  unspool fake-model hello.toml --port 8790
  ANTHROPIC_BASE_URL=http://127.0.0.1:8790 ANTHROPIC_API_KEY=fake claude -p 'hi'
  curl http://127.0.0.1:8790/__unspool/requests

A script, in its shortest form:
  [[turn]]
  say = \"I'll look.\"
  call.Bash.command = \"ls\"

  [[turn]]
  say = \"There are three files.\"

The first line of output is the address; then each request is a line. Ctrl-C ends it. How
scripts are written, with errors, slow and cut streams, sub-agents and more:
docs/fake-model.md.

Exit code: 0; 1 if the script is wrong, the port is taken, or something was asked that the
script calls a failure.";

impl FakeModelArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let script = Script::open(&self.script)?;
        // The model answers on another thread than this one, which waits for whoever reads its lines.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        runtime.block_on(async {
            let model = FakeModel::start_on(self.port, script).await;
            let model = model.with_context(|| format!("cannot listen on port {}", self.port))?;
            say(out, &model.url());
            let mut told = 0;
            tokio::select! {
                () = tell(&model, &mut told, out) => {}
                ended = asked_to_end() => ended?,
            }
            Ok(ending(&model, told, out))
        })
    }
}

/// A line for each request, for ever.
async fn tell(model: &FakeModel, told: &mut usize, out: &mut impl Write) {
    loop {
        match model.request(*told + 1).await {
            Some(request) => {
                say(out, &line(&request));
                *told += 1;
            }
            // Somebody has let the model forget everything.
            None => *told = 0,
        }
    }
}

fn line(request: &Received) -> String {
    let Received { number, status, does, .. } = request;
    let turn = request.turn.map(|turn| format!(" {turn}")).unwrap_or_default();
    match &request.conversation {
        Some(name) => format!("{number} {name}{turn}: {does} ({status})"),
        None => format!("{number} {} {}: {does} ({status})", request.method, request.path),
    }
}

/// What there is to say at the end.
fn ending(model: &FakeModel, told: usize, out: &mut impl Write) -> ExitCode {
    for request in model.requests().iter().skip(told) {
        say(out, &line(request));
    }
    for turn in model.unplayed() {
        say(out, &format!("not asked for: {turn}"));
    }
    let failures = model.failures();
    for failure in &failures {
        say(out, &format!("failure: {failure}"));
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Writes a line. If nobody reads it the model goes on all the same.
fn say(out: &mut impl Write, line: &str) {
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Ctrl-C, or the signal by which scripts end a program.
async fn asked_to_end() -> io::Result<()> {
    tokio::select! {
        ended = signal::ctrl_c() => ended,
        ended = terminated() => ended,
    }
}

#[cfg(unix)]
async fn terminated() -> io::Result<()> {
    signal::unix::signal(signal::unix::SignalKind::terminate())?.recv().await;
    Ok(())
}

#[cfg(not(unix))]
async fn terminated() -> io::Result<()> {
    std::future::pending().await
}
