//! The `unspool` program.

// What drives a program needs Unix, and some of what is shared is used by nothing else.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod bill;
mod board;
mod browser;
mod choice;
mod command;
#[cfg(unix)]
mod desk;
#[cfg(unix)]
mod drive;
mod help;
mod input;
mod output;
mod paper;
mod recording;
mod redact;
mod replay;
#[cfg(unix)]
mod report;
mod sessions;
mod source;
mod stage;
#[cfg(unix)]
mod tee;
mod value;
mod wrong_call;
mod zone;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::io::IsTerminal;
use std::process::ExitCode;

/// Reads what Claude Code writes with `--output-format stream-json`, and tells it once.
#[derive(Parser)]
#[command(name = "unspool", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<command::Command>,
    #[command(flatten)]
    view: command::ViewOptions,
}

const EXAMPLES: &str = "\
Examples:
  unspool demo
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool events
  unspool check run.ndjson || echo \"it did not end well: $?\"
  unspool run 'fix the tests' --allow 'Bash(cargo *)' --timeout 30m --max-cost 2
  unspool html run.ndjson > run.html
  unspool doctor
  unspool fake-model hello.toml --port 8790
  unspool fake-claude session.rec --install bin

Every command has its own --help, with examples. `demo` needs nothing and shows what
a session looks like.";

fn main() -> ExitCode {
    #[cfg(unix)]
    if let Some(code) = tee::exec() {
        return code;
    }
    if let Some(played) = command::as_claude() {
        return end(played);
    }
    let cli = parsed().unwrap_or_else(|error| refuse(&error));
    let command = match cli.command {
        Some(command) => command,
        // Nobody pipes anything in: this is somebody who wants to know what can be done.
        None if std::io::stdin().is_terminal() => return help(),
        None => command::Command::View(command::View::of_pipe(cli.view)),
    };
    end(command.run())
}

/// What was called. How wide help is drawn has only to be known where it is asked for.
fn parsed() -> Result<Cli, clap::Error> {
    let parsed = Cli::try_parse();
    if parsed.as_ref().is_err_and(|error| error.kind() == ErrorKind::DisplayHelp) {
        return fitted().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    }
    parsed
}

/// The program, whose help fits where it is shown.
fn fitted() -> clap::Command {
    help::fitted(Cli::command(), paper::columns())
}

/// Says what went wrong, if something did.
fn end(ended: anyhow::Result<ExitCode>) -> ExitCode {
    match ended {
        Ok(code) => code,
        Err(error) => {
            // Whatever else cannot be read or written is named.
            let is_bare = error.source().is_none() && error.is::<std::io::Error>();
            let about = if is_bare { "cannot write to standard output: " } else { "" };
            eprintln!("unspool: {about}{error:#}");
            ExitCode::from(if error.is::<wrong_call::WrongCall>() { 2 } else { 1 })
        }
    }
}

/// Says what is wrong with a call. Whoever names a file where a command should be wants to see it.
fn refuse(error: &clap::Error) -> ! {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && std::path::Path::new(word).exists()
    {
        eprintln!("unspool: `{word}` is no command; `unspool view {word}` shows it");
        std::process::exit(2);
    }
    error.exit()
}

/// What a call without anything shows; as any wrong call, on standard error.
fn help() -> ExitCode {
    eprint!("{}", fitted().render_help().ansi());
    ExitCode::from(2)
}
