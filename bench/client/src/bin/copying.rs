//! Stands between a client and Claude Code, and keeps a copy of every line that the client was given.
//!
//! A line is in the copy only after it is in the client's pipe: a client that was killed beside it must have it.

use anyhow::Context;
use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, Stdio};

fn main() -> anyhow::Result<ExitCode> {
    let program = env::var_os("CHAOS_CLI").context("CHAOS_CLI, the program")?;
    let mut copy = File::create(env::var_os("CHAOS_COPY").context("CHAOS_COPY, the file")?)?;
    let mut child = Command::new(program).args(env::args_os().skip(1)).stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(child.stdout.take().context("no pipe")?);
    let mut client = std::io::stdout().lock();
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        client.write_all(&line)?;
        client.flush()?;
        copy.write_all(&line)?;
        line.clear();
    }
    let status = child.wait()?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
