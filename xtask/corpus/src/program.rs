//! What must hold for the output of the program `unspool`, whatever the stream.

use crate::findings::Findings;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program on a file in both grains, and compares `check` with what `events` said.
pub(crate) fn check(program: &Path, file: &Path, findings: &mut Findings) {
    for grain in ["blocks", "deltas"] {
        let events = output(program, &["events", "--grain", grain], file);
        if events.status.code() != Some(0) {
            findings.fault(format!("events --grain {grain}: {}", events.status));
        }
        let Some(code) = finished(&events.stdout, &mut |fault| findings.fault(format!("{grain}: {fault}")))
        else {
            continue;
        };
        let status = output(program, &["check"], file).status;
        if status.code().map(i64::from) != Some(code) {
            findings.fault(format!("{grain}: finished says code {code}, check ended with {status}"));
        }
    }
}

fn output(program: &Path, args: &[&str], file: &Path) -> Output {
    let mut command = Command::new(program);
    command.args(args).arg(file).stdin(Stdio::null()).stderr(Stdio::inherit());
    command.output().unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

/// Checks the form of the events; returns the code that the last one, `finished`, tells.
fn finished(output: &[u8], fault: &mut dyn FnMut(String)) -> Option<i64> {
    let mut ended = None;
    for (seq, line) in (1..).zip(output.split_inclusive(|&byte| byte == b'\n')) {
        if ended.is_some() {
            fault(format!("event {seq} comes behind finished"));
        }
        let Some(text) = line.strip_suffix(b"\n") else {
            fault(format!("event {seq} has no line end"));
            return None;
        };
        let Some(event) = read(text) else {
            fault(format!("event {seq} is not JSON: {}", String::from_utf8_lossy(text)));
            continue;
        };
        if event["seq"] != seq || !event["type"].is_string() || !event["agent"].is_string() {
            fault(format!("event {seq} lacks what every event has: {event}"));
        }
        if (event["contract"] == 1) != (seq == 1) {
            fault(format!("event {seq}: the first event has the contract, and no other"));
        }
        if event["type"] == "finished" {
            ended = Some(event["code"].as_i64().unwrap_or(-1));
        }
    }
    if ended.is_none() {
        fault("there is no finished".into());
    }
    ended
}

/// What is written may be deeper than serde_json goes, 512 levels and a few.
fn read(text: &[u8]) -> Option<Value> {
    if let Ok(event) = serde_json::from_slice(text) {
        return Some(event);
    }
    let json = unspool::json::Json::new(str::from_utf8(text).ok()?).ok()?;
    let shallow = json.fields().filter(|(_, value)| value.depth() < 100);
    shallow
        .map(|(key, value)| Some((key.to_string(), serde_json::from_str::<Value>(value.text()).ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str) -> (Option<i64>, usize) {
        let mut faults = 0;
        (finished(output.as_bytes(), &mut |_| faults += 1), faults)
    }

    const FIRST: &str = r#"{"type":"text","seq":1,"contract":1,"agent":"main"}"#;
    const LAST: &str = r#"{"type":"finished","seq":2,"agent":"main","code":21}"#;

    #[test]
    fn a_good_telling_gives_its_code() {
        assert_eq!(check(&format!("{FIRST}\n{LAST}\n")), (Some(21), 0));
        let deep = format!(r#"{{"input":{}1{},"#, "[".repeat(400), "]".repeat(400));
        assert_eq!(check(&format!("{FIRST}\n{}\n", LAST.replacen('{', &deep, 1))), (Some(21), 0));
    }

    #[test]
    fn what_breaks_the_form_is_found() {
        assert_eq!(check(""), (None, 1), "nothing at all");
        assert_eq!(check(&format!("{FIRST}\n")), (None, 1), "no end");
        assert_eq!(check(&format!("{FIRST}\n{LAST}")), (None, 1), "no newline");
        assert_eq!(check(&format!("{LAST}\n")), (Some(21), 2), "wrong number, no contract");
        assert_eq!(check(&format!("{FIRST}\n{LAST}\n{LAST}\n")), (Some(21), 2), "two ends");
        assert_eq!(check(&format!("{FIRST}\nnot JSON\n")), (None, 2), "not JSON");
    }
}
