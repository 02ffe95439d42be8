//! Checks what must hold for any stream, on every stream below a folder. It needs no expected results, so
//! any recording will do, also one that must not leave its machine.

mod findings;
mod program;
mod property;
mod walk;

use anyhow::ensure;
use clap::Parser;
use findings::Findings;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check what must hold for any stream, on a folder of streams.
#[derive(Parser)]
#[command(name = "cargo xtask corpus")]
struct Args {
    /// Where to look for streams: every *.ndjson and *.jsonl below.
    folder: PathBuf,
    /// Also check the output of this `unspool` program on each stream.
    #[arg(long)]
    program: Option<PathBuf>,
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let files = walk::streams(&args.folder)?;
    ensure!(!files.is_empty(), "no streams below {}", args.folder.display());
    findings::keep_panics();
    let (mut bytes, mut notes, mut faults) = (0, 0, 0);
    for file in &files {
        let stream = fs::read(file)?;
        let findings = check(file, &stream, args.program.as_deref());
        if !findings.is_empty() {
            println!("{}\n{findings}", file.display());
        }
        bytes += stream.len();
        notes += findings.notes();
        faults += findings.faults();
    }
    println!("{} streams, {} MB: {faults} faults, {notes} notes", files.len(), bytes / 1_000_000);
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(file: &Path, stream: &[u8], program: Option<&Path>) -> Findings {
    let mut findings = Findings::default();
    for property in property::PROPERTIES {
        findings.try_out(property.name, |findings| (property.check)(stream, findings));
    }
    if let Some(program) = program {
        findings.try_out("the program", |findings| program::check(program, file, findings));
    }
    findings
}
