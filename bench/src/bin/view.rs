//! The view: how soon a line is on the screen, and how fast a recording is rendered.
//!
//! Called with the recordings, the program, and the file that it may write and delete.

use anyhow::{Context, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use unspool_bench::input;
use unspool_bench::measure::median;
use unspool_bench::report::{Report, Verdict};

const FILE: usize = 100_000_000;
const ROUNDS: usize = 3;

/// Lines that are written in a second, and for how long.
const RATE: u32 = 5000;
const LINES: u32 = 4 * RATE;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(2).map(PathBuf::from);
    let (program, file) = args.next().zip(args.next()).context("RECORDINGS PROGRAM FILE")?;
    let mut report = Report::default();
    let shown = shows(&program, &file, &mut report);
    let rendered = renders(&program, &file, &mut report);
    let _ = fs::remove_file(&file);
    shown.and(rendered)?;
    report.print()
}

/// A recording of 100 MB, as a file.
fn renders(program: &Path, file: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut out = BufWriter::new(File::create(file).with_context(|| file.display().to_string())?);
    let mut written = 0;
    for stream in input::long(&input::folder())? {
        out.write_all(&stream)?;
        written += stream.len();
        if written >= FILE {
            break;
        }
    }
    out.flush()?;
    let mut speeds = Vec::new();
    for _ in 0..ROUNDS {
        let shown = file.with_extension("shown");
        let begun = Instant::now();
        let status = Command::new(program).arg("view").arg(file).stdout(File::create(&shown)?).status()?;
        speeds.push(written as f64 / 1e6 / begun.elapsed().as_secs_f64());
        // Any verdict will do: the recordings end as they end.
        ensure!(status.code().is_some_and(|code| code != 1 && code != 2), "{status}");
        fs::remove_file(shown)?;
    }
    let speed = median(&speeds);
    let goal = Verdict::of(speed >= 50.0);
    report.row(
        "`unspool view FILE > shown`, 100 MB",
        format!("{speed:.0} MB/s"),
        "at least 50 MB/s",
        Some(goal),
    );
    Ok(())
}

/// From the moment at which a line is written to that at which its word is on a terminal.
fn shows(program: &Path, file: &Path, report: &mut Report) -> anyhow::Result<()> {
    const WORK: &str = "a line on the screen, at 5,000 lines a second";
    if !cfg!(target_os = "linux") {
        report.note(WORK, "not measured: there is no `script` that runs a command in a terminal".to_owned());
        return Ok(());
    }
    let pipe = file.with_extension("pipe");
    let _ = fs::remove_file(&pipe);
    ensure!(Command::new("mkfifo").arg(&pipe).status()?.success(), "mkfifo");
    let line = format!("stty rows 50 cols 120; exec {} < {}", program.display(), pipe.display());
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).env("SHELL", "/bin/sh").env("TERM", "xterm-256color");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut screen = child.stdout.take().context("no output")?;
    let reader = thread::spawn(move || -> anyhow::Result<Vec<Option<Instant>>> {
        let mut seen = vec![None; LINES as usize];
        let (mut bytes, mut next) = (Vec::new(), 0);
        let mut piece = vec![0; 64 << 10];
        loop {
            let length = screen.read(&mut piece)?;
            if length == 0 {
                return Ok(seen);
            }
            let now = Instant::now();
            bytes.extend_from_slice(&piece[..length]);
            let text = String::from_utf8_lossy(&bytes);
            while next < LINES && text.contains(&word(next)) {
                seen[next as usize] = Some(now);
                next += 1;
            }
            drop(text);
            bytes.drain(..bytes.len().saturating_sub(64 << 10));
        }
    });
    let written = feed(&pipe)?;
    child.wait()?;
    fs::remove_file(&pipe)?;
    let seen = reader.join().map_err(|_| anyhow::anyhow!("the reader panicked"))??;
    let mut waits = Vec::new();
    for (at, (written, seen)) in written.iter().zip(&seen).enumerate() {
        let seen = seen.with_context(|| format!("line {at} was never shown"))?;
        waits.push(seen.saturating_duration_since(*written).as_secs_f64() * 1e3);
    }
    waits.sort_by(f64::total_cmp);
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize];
    let (half, most) = (at(0.5), at(0.99));
    let goal = Verdict::of(most < 5.0);
    report.row(
        WORK,
        format!("{most:.1} ms (99 of 100), {half:.1} ms (half)"),
        "99 of 100 within 5 ms",
        Some(goal),
    );
    Ok(())
}

/// A word that is nowhere else.
fn word(number: u32) -> String {
    format!("w{number:06}x")
}

/// Writes lines at their times; when each was written.
fn feed(pipe: &Path) -> anyhow::Result<Vec<Instant>> {
    let mut out = OpenOptions::new().write(true).open(pipe)?;
    let event =
        |event: &str| format!("{{\"type\":\"stream_event\",\"session_id\":\"s\",\"event\":{event}}}\n");
    out.write_all(b"{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n")?;
    let start = r#"{"type":"message_start","message":{"id":"m","content":[],"usage":{}}}"#;
    out.write_all(event(start).as_bytes())?;
    let block = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    out.write_all(event(block).as_bytes())?;
    thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let mut written = Vec::new();
    for number in 0..LINES {
        let due = Duration::from_secs(1) * number / RATE;
        thread::sleep(due.saturating_sub(begun.elapsed()));
        // Words of a paragraph, and now and then a new one.
        let end = if number % 40 == 39 { r"\n\n" } else { " " };
        let delta = format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{}{end}"}}}}"#,
            word(number)
        );
        out.write_all(event(&delta).as_bytes())?;
        written.push(Instant::now());
    }
    Ok(written)
}
