//! A stream may be long; what `unspool events` holds of it may not.
//!
//! Streams are made as they are read, so that neither they nor their length has to be kept anywhere, and read side by
//! side. The program is measured as the step `test` has built it: what is held does not depend on how fast it is read.

use crate::step::Done;
use crate::workspace::{Workspace, run};
use anyhow::{Context, ensure};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// The most that may be resident, ever.
const LIMIT: u64 = 50 << 20;

/// How long each stream is.
const LENGTH: usize = 64 << 20;

/// From here on hardly more may be held: what is remembered of a stream is all there by then.
const SETTLED: usize = 48 << 20;

/// By how much it may still grow.
const GROWTH: u64 = 3 << 20;

/// A stream without end.
struct Stream {
    name: &'static str,
    grain: &'static str,
    /// Appends the lines of one round.
    round: fn(u64, &mut String),
}

const STREAMS: [Stream; 4] = [
    Stream { name: "one part in short deltas", grain: "deltas", round: delta },
    Stream { name: "streamed messages", grain: "deltas", round: streamed },
    Stream { name: "short messages, calls and agents", grain: "blocks", round: turn },
    Stream { name: "a recording of streamed messages", grain: "deltas", round: recorded },
];

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    if !cfg!(target_os = "linux") {
        return Ok(Done::Skipped("only Linux tells the most memory that a program ever had".into()));
    }
    run(&mut workspace.cargo(["test", "--workspace", "--no-run", "--locked"]))?;
    let peaks = thread::scope(|scope| {
        let running = STREAMS.each_ref().map(|stream| scope.spawn(|| peaks(workspace, stream)));
        running.map(|running| running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    for (stream, peaks) in STREAMS.iter().zip(peaks) {
        let Peaks { settled, whole } = peaks?;
        let grown = whole - settled;
        let [name, grain] = [stream.name, stream.grain];
        println!(
            "{name}, {grain}: {} KB after {} MB, {grown} KB more after {} MB",
            settled,
            SETTLED >> 20,
            LENGTH >> 20
        );
        ensure!(whole << 10 < LIMIT, "{name}: {whole} KB");
        ensure!(grown << 10 < GROWTH, "{name}: what is held grows with the stream, by {grown} KB");
    }
    Ok(Done::Passed)
}

/// The most memory that the program ever had, in kilobytes.
struct Peaks {
    /// In the first part of the stream.
    settled: u64,
    /// In all of it.
    whole: u64,
}

/// Lets the program read the stream.
fn peaks(workspace: &Workspace, stream: &Stream) -> anyhow::Result<Peaks> {
    let mut command = Command::new(workspace.target.join("debug/unspool"));
    command.args(["events", "--grain", stream.grain]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().context("no pipe")?;
    let (mut written, mut number, mut lines) = (0, 0, String::new());
    let mut settled = None;
    while written < LENGTH {
        lines.clear();
        while lines.len() < 64 << 10 {
            (stream.round)(number, &mut lines);
            number += 1;
        }
        input.write_all(lines.as_bytes())?;
        written += lines.len();
        if written >= SETTLED && settled.is_none() {
            settled = Some(most(child.id())?);
        }
    }
    let peaks = Peaks { settled: settled.context("a short stream")?, whole: most(child.id())? };
    drop(input);
    ensure!(child.wait()?.success(), "unspool events failed");
    Ok(peaks)
}

/// The most memory that a process ever had, in kilobytes.
fn most(process: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// One message of one part that never ends.
fn delta(number: u64, out: &mut String) {
    if number == 0 {
        out.push_str(
            r#"{"type":"stream_event","uuid":"u","event":{"type":"message_start","message":{"id":"m"}}}"#,
        );
        out.push('\n');
        out.push_str(r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#);
        out.push('\n');
    }
    piece(number, out);
}

fn piece(number: u64, out: &mut String) {
    let _ = writeln!(
        out,
        r#"{{"type":"stream_event","uuid":"d{number}","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"word {number}"}}}}}}"#
    );
}

/// One message, streamed and then confirmed.
fn streamed(number: u64, out: &mut String) {
    let _ = writeln!(
        out,
        r#"{{"type":"stream_event","uuid":"a{number}","event":{{"type":"message_start","message":{{"id":"m{number}"}}}}}}
{{"type":"stream_event","uuid":"b{number}","event":{{"type":"content_block_start","index":0,"content_block":{{"type":"text","text":""}}}}}}"#
    );
    piece(number, out);
    let _ = writeln!(
        out,
        r#"{{"type":"assistant","uuid":"c{number}","message":{{"id":"m{number}","content":[{{"type":"text","text":"word {number}"}}]}}}}
{{"type":"stream_event","uuid":"e{number}","event":{{"type":"content_block_stop","index":0}}}}
{{"type":"stream_event","uuid":"f{number}","event":{{"type":"message_stop"}}}}"#
    );
}

/// One turn: a prompt, an agent that says something and ends, an answer, a result.
fn turn(number: u64, out: &mut String) {
    let _ = writeln!(
        out,
        r#"{{"type":"system","subtype":"init","session_id":"s","uuid":"a{number}"}}
{{"type":"user","uuid":"b{number}","message":{{"role":"user","content":"prompt {number}"}}}}
{{"type":"assistant","uuid":"c{number}","message":{{"id":"m{number}","content":[{{"type":"tool_use","id":"t{number}","name":"Task","input":{{"prompt":"p"}}}}]}}}}
{{"type":"assistant","uuid":"d{number}","parent_tool_use_id":"t{number}","message":{{"id":"n{number}","content":[{{"type":"text","text":"from below {number}"}}]}}}}
{{"type":"user","uuid":"e{number}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"done"}}]}}}}
{{"type":"assistant","uuid":"f{number}","message":{{"id":"o{number}","content":[{{"type":"text","text":"answer {number}"}}]}}}}
{{"type":"result","subtype":"success","is_error":false,"result":"answer {number}","session_id":"s","uuid":"g{number}","total_cost_usd":0.1}}"#
    );
}

/// A streamed message, as entries of a recording.
fn recorded(number: u64, out: &mut String) {
    if number == 0 {
        out.push_str("1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n");
    }
    let mut lines = String::new();
    streamed(number, &mut lines);
    let count = lines.lines().count() as u64;
    for (line, entry) in lines.lines().zip(number * count + 2..) {
        let _ = writeln!(out, "{entry}\t{number}\tout\t{line}");
    }
}
