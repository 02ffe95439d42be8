//! Makes a folder of transcripts to measure with: `keep PATTERNS FOLDER [FILES [BYTES]]`.
//!
//! `PATTERNS` has transcripts as Claude Code keeps them, for example `fixtures/transcripts`; `FOLDER` is then one that
//! `CLAUDE_CONFIG_DIR` may name.

use anyhow::Context;
use std::path::PathBuf;
use unspool_bench::input::keep;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1);
    let (patterns, folder) = args.next().zip(args.next()).context("PATTERNS FOLDER [FILES [BYTES]]")?;
    let mut number = |usual: u64| -> anyhow::Result<u64> {
        args.next().map_or(Ok(usual), |text| Ok(text.to_string_lossy().replace('_', "").parse()?))
    };
    let (files, bytes) = (number(10_000)?, number(1_000_000_000)?);
    let kept = keep(&PathBuf::from(patterns), &PathBuf::from(folder), files as usize, bytes)?;
    println!("{} files, {} bytes", kept.files, kept.bytes);
    Ok(())
}
