//! Recordings of a gigabyte: how fast `unspool record` keeps them, how little it is in the way, how soon a place in the middle is found, and
//! what it takes to read them.
//!
//! Called with the recordings, the program, and a folder that it may fill and delete.

use anyhow::{Context, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use unspool_bench::input;
use unspool_bench::measure::median;
use unspool_bench::report::{Report, Table, Verdict};
use unspool_bench::watch::{Run, watch, watch_any};

/// The stream that is recorded.
const STREAM: usize = 1_000_000_000;

/// One line of it is as long as the longest that Claude Code was seen to write.
const LONG: usize = 13_000_000;

const ROUNDS: usize = 3;

/// Lines that go there and back, one after the other.
const LINES: usize = 4000;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(2).map(PathBuf::from);
    let (program, folder) = args.next().zip(args.next()).context("RECORDINGS PROGRAM FOLDER")?;
    let mut report = Report::default();
    if cfg!(target_os = "linux") {
        fs::create_dir_all(&folder)?;
        let measured = measure(&program, &folder, &mut report);
        fs::remove_dir_all(&folder)?;
        measured?;
    } else {
        report.note("recordings of 1 GB", "not measured: only Linux tells what it took".to_owned());
    }
    report.print()
}

fn measure(program: &Path, folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    let stream = folder.join("stream");
    let entries = make(&stream)?;
    let [plain, packed] = ["run.rec", "run.rec.zst"].map(|name| folder.join(name));
    keeps(program, &stream, &[&plain, &packed], report)?;
    delays(program, &folder.join("echo.rec"), report)?;
    let cut = folder.join("killed.rec.zst");
    fs::copy(&packed, &cut)?;
    let length = fs::metadata(&cut)?.len();
    // Without the list of its frames, and with half a frame at its end.
    OpenOptions::new().write(true).open(&cut)?.set_len(length - 100_000)?;
    let kinds = [
        ("a recording", &plain),
        ("one that is compressed", &packed),
        ("one whose recorder was killed", &cut),
    ];
    for (kind, file) in kinds {
        finds(program, kind, file, entries, report)?;
    }
    reads(program, &[&plain, &packed], report)
}

/// How fast it is kept, and handed on.
fn keeps(program: &Path, stream: &Path, files: &[&Path; 2], report: &mut Report) -> anyhow::Result<()> {
    let (mut speeds, mut rates, mut tees) = ([vec![], vec![]], [vec![], vec![]], vec![]);
    let copy = stream.with_extension("copy");
    for _ in 0..ROUNDS {
        let alone = piped(Command::new("cat").arg(stream))?;
        let _ = fs::remove_file(&copy);
        let words = ["-c", "cat \"$1\" | exec tee \"$2\"", "sh"];
        let copied = piped(Command::new("sh").args(words).arg(stream).arg(&copy))?;
        for (at, file) in files.iter().enumerate() {
            // One that is written over would be another thing to measure.
            let _ = fs::remove_file(file);
            let tee = piped(Command::new(program).arg("record").arg(file).args(["--", "cat"]).arg(stream))?;
            speeds[at].push(STREAM as f64 / 1e6 / tee.cpu);
            rates[at].push(alone.wall / tee.wall);
            if at == 0 {
                tees.push(copied.wall / tee.wall);
            }
        }
    }
    for (at, file) in files.iter().enumerate() {
        let name = file.file_name().unwrap_or_default().display();
        let (speed, rate) = (median(&speeds[at]), median(&rates[at]));
        report.row(
            &format!(
                "`unspool record {name} -- cat FILE | cat`, 1 GB, with all that is read, kept and handed on"
            ),
            format!("{speed:.0} MB/s of CPU"),
            "at least 300 MB/s",
            Some(Verdict::of(speed >= 300.0)),
        );
        let measured = format!("{rate:.2} times as fast");
        let by_clock = format!("the same by the clock on the wall, beside `cat FILE | cat`, to {name}");
        if at == 0 {
            report.row(&by_clock, measured, "at least 0.5", Some(Verdict::of(rate >= 0.5)));
        } else {
            report.note(&by_clock, measured);
        }
    }
    fs::remove_file(copy)?;
    report.note(
        "the same, beside `cat FILE | tee COPY | cat`, to run.rec",
        format!("{:.2} times as fast", median(&tees)),
    );
    let size = |file: &Path| fs::metadata(file).map(|it| it.len() as f64);
    report.note("a compressed recording", format!("{:.1} times smaller", size(files[0])? / size(files[1])?));
    Ok(())
}

/// Runs it into a pipe that another program reads.
fn piped(command: &mut Command) -> anyhow::Result<Run> {
    let mut reader = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let pipe = reader.stdin.take().context("no pipe")?;
    let run = watch(command.stdin(Stdio::null()).stdout(pipe))?;
    // The command still has its end of the pipe, and is dropped by whoever made it.
    command.stdout(Stdio::null());
    ensure!(reader.wait()?.success(), "cat failed");
    Ok(run)
}

/// By how much a line comes later.
fn delays(program: &Path, file: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut differences = [vec![], vec![]];
    for _ in 0..ROUNDS {
        let alone = echoes(&mut Command::new("cat"))?;
        let tee = echoes(Command::new(program).arg("record").arg(file).args(["--", "cat"]))?;
        for (at, part) in [0.5, 0.99].into_iter().enumerate() {
            differences[at].push((rank(&tee, part) - rank(&alone, part)) / 2.0);
        }
    }
    let [half, most] = differences.map(|times| median(&times) * 1e3);
    report.row(
        "a line through `unspool record`, beside one without it",
        format!("{:+.3} ms (half), {most:+.3} ms (99 of 100)", half),
        "less than 1 ms",
        Some(Verdict::of(most < 1.0)),
    );
    Ok(())
}

/// The seconds that each line takes there and back.
fn echoes(command: &mut Command) -> anyhow::Result<Vec<f64>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut to = child.stdin.take().context("no pipe")?;
    let mut from = BufReader::new(child.stdout.take().context("no pipe")?);
    let (line, mut back) = ([&[b'x'; 500][..], b"\n"].concat(), Vec::new());
    let mut times = Vec::with_capacity(LINES);
    for _ in 0..LINES {
        let begun = Instant::now();
        to.write_all(&line)?;
        back.clear();
        from.read_until(b'\n', &mut back)?;
        times.push(begun.elapsed().as_secs_f64());
        ensure!(back == line, "another line came back");
    }
    drop(to);
    ensure!(child.wait()?.success(), "{:?} failed", command.get_program());
    // The first ones wait for programs to start.
    Ok(times.split_off(LINES / 10))
}

fn rank(times: &[f64], part: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[(times.len() as f64 * part) as usize]
}

/// How soon an entry in the middle is there.
fn finds(program: &Path, kind: &str, file: &Path, entries: u64, report: &mut Report) -> anyhow::Result<()> {
    let mut times = Vec::new();
    for part in 1..=9 {
        let number = (entries * part / 10).to_string();
        let mut replay = Command::new(program);
        replay
            .arg("replay")
            .arg(file)
            .args(["--as", "stream", "--speed", "max", "--from", &number, "--to", &number]);
        let begun = Instant::now();
        let output = replay.output()?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        let is_one = output.stdout.iter().filter(|byte| **byte == b'\n').count() == 1;
        ensure!(output.status.success() && is_one, "{number} is not found in {}: {output:?}", file.display());
    }
    let (middle, most) = (median(&times), times.iter().copied().fold(0.0, f64::max));
    report.row(
        &format!("`unspool replay --from N --to N` of {kind}, 1 GB, until it has ended"),
        format!("{middle:.1} ms, at most {most:.1} ms"),
        "under 100 ms",
        Some(Verdict::of(middle < 100.0)),
    );
    Ok(())
}

/// What it takes to read all of it.
fn reads(program: &Path, files: &[&Path; 2], report: &mut Report) -> anyhow::Result<()> {
    let ways: [&[&str]; 6] = [
        &["check"],
        &["events"],
        &["view", "--quiet"],
        &["replay", "--as", "stream", "--speed", "max"],
        &["replay", "--as", "events", "--speed", "max"],
        &["convert", "--to", "stream"],
    ];
    let mut rows = Vec::new();
    let mut peak = 0;
    for way in ways {
        let mut row = vec![format!("`unspool {}`", way.join(" "))];
        for file in files {
            let mut command = Command::new(program);
            command.args(way).arg(file).stdout(Stdio::null()).stderr(Stdio::null());
            // The verdict is that of recordings one behind the other, and says nothing here.
            let run = watch_any(&mut command)?;
            row.push(format!("{:.0} MB/s", STREAM as f64 / 1e6 / run.cpu));
            row.push(format!("{:.0} MB", run.peak as f64 / 1e6));
            peak = run.peak.max(peak);
        }
        rows.push(row);
    }
    let head = ["", "MB/s of CPU", "peak memory", "compressed: MB/s of CPU", "peak memory"];
    let title = "Reading a recording of 1 GB, with one line of 13 MB in it".to_owned();
    report.table(Table { title, head: head.map(str::to_owned).to_vec(), rows });
    let limit = (30 << 20) + MOST_LINES * LONG;
    report.row(
        "peak memory of reading it, whichever way",
        format!("{:.0} MB", peak as f64 / 1e6),
        &format!("under 30 MB and {MOST_LINES} times its longest line: {:.0} MB", limit as f64 / 1e6),
        Some(Verdict::of(peak < limit)),
    );
    Ok(())
}

/// So many times its longest line may be held.
const MOST_LINES: usize = 3;

/// Writes the stream. Returns how many entries a recording of it has.
fn make(stream: &Path) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(File::create(stream).with_context(|| stream.display().to_string())?);
    let (mut written, mut lines, mut is_long) = (0, 0, false);
    for part in input::long(&input::folder())? {
        if written >= STREAM / 2 && !std::mem::replace(&mut is_long, true) {
            let output = "0123456789abcdef".repeat(LONG / 16);
            let line = format!(
                r#"{{"type":"user","session_id":"long","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":"{output}"}}]}}}}"#
            );
            writeln!(out, "{line}")?;
            (written, lines) = (written + line.len() + 1, lines + 1);
        }
        let left = part.len().min(STREAM - written);
        out.write_all(&part[..left])?;
        written += left;
        lines += memchr::memchr_iter(b'\n', &part[..left]).count() as u64;
        if written == STREAM {
            break;
        }
    }
    out.flush()?;
    Ok(lines + 1)
}
