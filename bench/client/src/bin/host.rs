//! What an application in Rust does with our client, and what it takes; or with none, for comparison.
//!
//! `host client|raw WORK COUNT`, with the environment of Claude Code; prints one line of JSON.

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use unspool::event::What;
use unspool_client::{Claude, Options, Session};
use unspool_client_bench::own;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [client, work, count] = args.as_slice() else { bail!("host client|raw WORK COUNT") };
    let count = count.parse()?;
    let mut told = Map::new();
    match client.as_str() {
        "client" => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(with_client(work, count, &mut told))?;
        }
        _ => with_none(work, count, &mut told)?,
    }
    told.entry("memory").or_insert_with(|| own::memory().into());
    told.insert("cpu".into(), own::cpu().into());
    println!("{}", Value::Object(told));
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

async fn with_client(work: &str, count: u32, told: &mut Map<String, Value>) -> anyhow::Result<()> {
    let program = env::var_os("BENCH_CLI").context("BENCH_CLI")?;
    let options = Options::new().program(program).skip_permissions(true).partial_messages(work == "deltas");
    let grain = if work == "deltas" { unspool::Grain::Deltas } else { unspool::Grain::Blocks };
    let claude = Claude::new(options).grain(grain);
    match work {
        "hello" | "deltas" => {
            let begun = Instant::now();
            let mut events = 0;
            let mut run = claude.run(work).await?;
            while let Some(event) = run.next().await {
                // Others tell of this line first, too.
                if matches!(event.what, What::SessionMeta { .. }) {
                    told.entry("first").or_insert_with(|| milliseconds(begun).into());
                }
                if matches!(event.what, What::TurnComplete { .. }) {
                    told.entry("result").or_insert_with(|| milliseconds(begun).into());
                }
                events += u32::from(matches!(event.what, What::TextDelta { .. }));
            }
            told.extend([("end".into(), milliseconds(begun).into()), ("events".into(), events.into())]);
        }
        "turns" => {
            let mut session = claude.session().await?;
            session.ask("hello").await?;
            let (before, mut turns) = (own::cpu(), Vec::new());
            for _ in 0..count {
                let begun = Instant::now();
                session.ask("hello").await?;
                turns.push(milliseconds(begun));
            }
            told.insert("cpu_per_turn".into(), json!((own::cpu() - before) / f64::from(count)));
            told.insert("turns".into(), turns.into());
            session.finish().await;
        }
        _ => {
            let mut all: Vec<Session> = Vec::new();
            for _ in 0..count {
                let mut session = claude.session().await?;
                session.ask("hello").await?;
                all.push(session);
            }
            told.insert("memory".into(), own::memory().into());
            let all: Vec<_> = all.into_iter().map(|session| tokio::spawn(session.close())).collect();
            for session in all {
                session.await?;
            }
        }
    }
    Ok(())
}

/// A pipe, and a search for words in lines: the least that anybody can do.
struct Raw {
    child: Child,
    input: ChildStdin,
    lines: BufReader<ChildStdout>,
    line: String,
}

impl Raw {
    fn start(partial: bool) -> anyhow::Result<Self> {
        let mut command = Command::new(env::var_os("BENCH_CLI").context("BENCH_CLI")?);
        command.args(["-p", "--input-format=stream-json", "--output-format=stream-json", "--verbose"]);
        command
            .args(["--dangerously-skip-permissions"])
            .args(partial.then_some("--include-partial-messages"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no pipe")?;
        let lines = BufReader::new(child.stdout.take().context("no pipe")?);
        Ok(Raw { child, input, lines, line: String::new() })
    }

    fn send(&mut self, prompt: &str) -> anyhow::Result<()> {
        let line = json!({"type": "user", "message": {"role": "user", "content": prompt}});
        Ok(writeln!(self.input, "{line}")?)
    }

    fn next(&mut self) -> anyhow::Result<&str> {
        self.line.clear();
        self.lines.read_line(&mut self.line)?;
        Ok(&self.line)
    }

    fn until_result(&mut self) -> anyhow::Result<()> {
        loop {
            let line = self.next()?;
            if line.is_empty() || is_result(line) {
                return Ok(());
            }
        }
    }

    fn end(mut self) -> anyhow::Result<()> {
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }
}

/// Its fields come in any order.
fn is_result(line: &str) -> bool {
    line.contains(r#""type":"result""#)
}

fn with_none(work: &str, count: u32, told: &mut Map<String, Value>) -> anyhow::Result<()> {
    match work {
        "hello" | "deltas" => {
            let begun = Instant::now();
            let mut raw = Raw::start(work == "deltas")?;
            raw.send(work)?;
            let mut events = 0;
            loop {
                let line = raw.next()?;
                if line.starts_with(r#"{"type":"system","subtype":"init""#) {
                    told.insert("first".into(), milliseconds(begun).into());
                }
                events += u32::from(line.starts_with(r#"{"type":"stream_event""#));
                if line.is_empty() || is_result(line) {
                    break;
                }
            }
            told.insert("result".into(), milliseconds(begun).into());
            raw.end()?;
            told.extend([("end".into(), milliseconds(begun).into()), ("events".into(), events.into())]);
        }
        "turns" => {
            let mut raw = Raw::start(false)?;
            raw.send("hello")?;
            raw.until_result()?;
            let (before, mut turns) = (own::cpu(), Vec::new());
            for _ in 0..count {
                let begun = Instant::now();
                raw.send("hello")?;
                raw.until_result()?;
                turns.push(milliseconds(begun));
            }
            told.insert("cpu_per_turn".into(), json!((own::cpu() - before) / f64::from(count)));
            told.insert("turns".into(), turns.into());
            raw.end()?;
        }
        _ => {
            let mut all = Vec::new();
            for _ in 0..count {
                let mut raw = Raw::start(false)?;
                raw.send("hello")?;
                raw.until_result()?;
                all.push(raw);
            }
            told.insert("memory".into(), own::memory().into());
            all.into_iter().try_for_each(Raw::end)?;
        }
    }
    Ok(())
}
