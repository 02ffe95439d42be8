//! `--redact` and `unspool redact`: no secret is written by any command, and nothing else is changed.

use crate::program::{Ran, SESSION, ended, run, start};
use crate::stand_in::StandIn;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A token of nobody; made here, so that it stands in no file.
fn token() -> String {
    format!("gh{}{}", "p_", "a1B2".repeat(9))
}

/// A value of a `.env` file.
const VALUE: &str = "hunter2hunter2";

/// A session in which the token is said in pieces and failed with, and in which variables are read.
fn session() -> String {
    session_with(&format!(
        r#""subtype":"error_during_execution","is_error":true,"errors":["failed with {}"]"#,
        token()
    ))
}

/// The same, with the token in its answer.
fn session_that_went_well() -> String {
    session_with(&format!(r#""subtype":"success","is_error":false,"result":"it is {}""#, token()))
        .replace(&format!("It says {VALUE}"), &format!("it is {}", token()))
}

fn session_with(result: &str) -> String {
    let token = token();
    let delta = |text: &str| {
        format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}},"session_id":"s"}}"#
        )
    };
    let said = format!("it is {token}, see?");
    let lines = [
        r#"{"type":"system","subtype":"init","session_id":"s","model":"opus","cwd":"/src"}"#.to_owned(),
        r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}},"session_id":"s"}"#.into(),
        r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},"session_id":"s"}"#.into(),
        delta("it is "),
        delta(&token[..9]),
        delta(&token[9..22]),
        delta(&format!("{}, see?", &token[22..])),
        format!(r#"{{"type":"assistant","session_id":"s","uuid":"u1","message":{{"id":"m","usage":{{"input_tokens":3,"output_tokens":5}},"content":[{{"type":"text","text":"{said}"}}]}}}}"#),
        r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0},"session_id":"s"}"#.into(),
        r#"{"type":"stream_event","event":{"type":"message_stop"},"session_id":"s"}"#.into(),
        r#"{"type":"assistant","session_id":"s","uuid":"u2","message":{"id":"n","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/src/.env"}}]}}"#.into(),
        format!(r#"{{"type":"user","session_id":"s","uuid":"u3","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":"     1→PORT=3000\n     2→DB_PASSWORD={VALUE}\n"}}]}}}}"#),
        format!(r#"{{"type":"assistant","session_id":"s","uuid":"u4","message":{{"id":"o","content":[{{"type":"text","text":"It says {VALUE}"}}]}}}}"#),
        format!(r#"{{"type":"result",{result},"session_id":"s","total_cost_usd":0.5,"num_turns":1,"usage":{{"input_tokens":3,"output_tokens":5}}}}"#),
    ];
    lines.join("\n") + "\n"
}

fn file(name: &str, text: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("redact").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("run.ndjson");
    fs::write(&file, text).unwrap();
    file
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[track_caller]
fn is_masked(words: &str) {
    for secret in [&token(), &token()[..9], VALUE] {
        assert!(!words.contains(secret), "{secret} in {words}");
    }
}

#[test]
fn what_a_command_writes_is_masked_and_nothing_else_is_changed() {
    let failed = file("failed", session().as_bytes());
    let failed = text(&failed);
    let stream = file("well", session_that_went_well().as_bytes());
    let stream = text(&stream);
    let empty = file("empty", SESSION.as_bytes());
    let empty = text(&empty);
    let commands: &[&[&str]] = &[
        &["view", stream],
        &["view", stream, "--quiet"],
        &["view", failed],
        &["events", stream],
        &["events", stream, "--grain", "deltas"],
        &["check", failed],
        &["check", failed, "--json"],
        &["html", stream],
        &["summary", stream],
        &["replay", stream, "--speed", "max"],
        &["replay", stream, "--speed", "max", "--as", "events"],
        &["replay", stream, "--speed", "max", "--as", "stream"],
        &["diff", stream, empty, "--full"],
        &["convert", stream, "--to", "recording"],
        &["convert", stream, "--to", "events", "--grain", "deltas"],
    ];
    for command in commands {
        let plain = run(command, "");
        assert!(
            plain.out.contains(&token()) || plain.out.contains(VALUE),
            "{command:?} writes it: {}",
            plain.out
        );
        let masked = run(&[command, &["--redact"][..]].concat(), "");
        is_masked(&masked.out);
        is_masked(&masked.err);
        assert!(format!("{}{}", masked.out, masked.err).contains("[redacted:"), "{command:?}");
        assert_eq!(masked.code, plain.code, "{command:?}: {}", masked.err);
    }
    for figure in ["$0.5000", "1 turn"] {
        assert!(run(&["view", stream, "--redact"], "").out.contains(figure), "{figure}");
    }
}

#[test]
fn events_of_what_was_masked_are_the_events_masked() {
    let stream = file("same", session().as_bytes());
    let masked = run(&["redact", text(&stream)], "");
    assert_eq!(masked.code, Some(0));
    assert!(masked.err.contains("3 secrets masked: 2 env, 1 github-token"), "{}", masked.err);
    for grain in ["blocks", "deltas"] {
        let told = run(&["events", text(&stream), "--grain", grain], "").out;
        let of_masked = run(&["events", "--grain", grain], &masked.out).out;
        let masked_events = run(&["redact"], &told).out;
        if grain == "blocks" {
            assert_eq!(of_masked, masked_events);
        }
        is_masked(&of_masked);
        is_masked(&masked_events);
    }
    assert_eq!(run(&["redact"], &masked.out).out, masked.out, "once is enough");
}

#[test]
fn what_is_piped_in_is_masked_as_it_is_shown_and_recorded() {
    let recording = file("piped", b"").with_file_name("run.rec");
    let ran = run(&["view", "--redact", "--record", text(&recording)], &session());
    is_masked(&ran.out);
    let kept = fs::read_to_string(&recording).unwrap();
    is_masked(&kept);
    assert!(kept.contains("[redacted:github-token:1]") && ran.out.contains("[redacted:github-token:1]"));
    assert_eq!(run(&["check", text(&recording)], "").code, ran.code);
}

#[test]
fn a_line_is_not_kept_waiting_where_there_is_no_secret() {
    let mut child = start(&["events", "--redact", "--grain", "deltas"]);
    let mut input = child.stdin.take().unwrap();
    let session = session();
    // Up to the first piece; nothing more comes as long as it is not told.
    let head: String = session.split_inclusive('\n').take(4).collect();
    input.write_all(head.as_bytes()).unwrap();
    let mut told = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    while !told.contains("text_delta") {
        assert_ne!(std::io::BufRead::read_line(&mut out, &mut told).unwrap(), 0, "{told}");
    }
    assert!(told.contains("\"it is \""), "{told}");
    drop(input);
    child.wait().unwrap();
}

/// What was read from a `.env` file stands before the place from which on it is played.
#[cfg(unix)]
#[test]
fn what_is_played_from_the_middle_is_masked_by_what_stands_before() {
    let stream = file("middle", session().as_bytes());
    for name in ["run.rec", "run.rec.zst"] {
        let recording = stream.with_file_name(name);
        assert_eq!(run(&["convert", text(&stream), text(&recording)], "").code, Some(0));
        for form in ["stream", "events", "view"] {
            let play = ["replay", text(&recording), "--as", form, "--from", "14", "--speed", "max"];
            let plain = run(&play, "");
            assert!(plain.out.contains(VALUE), "{name}, {form}: {plain:?}");
            let masked = run(&[&play[..], &["--redact"]].concat(), "");
            is_masked(&masked.out);
            assert!(masked.out.contains("[redacted:"), "{name}, {form}: {masked:?}");
            assert_eq!(masked.code, plain.code);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_is_recorded_without_its_secrets_and_not_a_byte_of_it_is_changed() {
    let (token, begun) = (token(), ["-----BEGIN RSA PRIVATE", " KEY-----"].concat());
    let line = "MIIEabcd".repeat(8);
    let script = format!(
        "echo '{{\"type\":\"user\",\"message\":{{\"content\":\"{token}\"}}}}'; printf '%s\\n' '{begun}' '{line}' '{line}' >&2; echo over >&2; exit 3"
    );
    for name in ["run.rec", "run.ndjson"] {
        let recording = file("tee", b"").with_file_name(name);
        let child = Command::new(env!("CARGO_BIN_EXE_unspool"))
            .args(["record", "--redact", text(&recording), "--", "/bin/sh", "-c", &script])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let Ran { code, out, err } = ended(child);
        assert_eq!(code, Some(3));
        assert!(out.contains(&token) && err.contains(&line), "handed on as it is");
        let kept = fs::read_to_string(&recording).unwrap();
        is_masked(&kept);
        assert!(!kept.contains("MIIE"), "{kept}");
        assert_eq!(kept.contains("[redacted:private-key:1]"), name == "run.rec", "{kept}");
        if name == "run.rec" {
            let ways: Vec<_> = kept.lines().filter_map(|line| line.split('\t').nth(2)).collect();
            assert_eq!(ways.iter().filter(|way| **way == "err").count(), 4, "{kept}");
            assert!(kept.contains("\"note\":\"end\",\"code\":3"), "{kept}");
        }
    }
}

#[test]
fn a_run_is_told_and_recorded_without_its_secrets() {
    for format in ["events", "text", "json", "view"] {
        let stand_in = StandIn::plays(&session());
        let prompt = format!("use {}", token());
        let plain = stand_in.run(&["run", &prompt, "--format", format]);
        assert!(plain.out.contains(&token()) || plain.err.contains(&token()), "{plain:?}");
        let ran = stand_in.run(&["run", &prompt, "--format", format, "--redact", "--record", "run.rec"]);
        is_masked(&ran.out);
        is_masked(&ran.err);
        assert_eq!(ran.code, plain.code, "{ran:?}");
        let kept = stand_in.read("run.rec");
        is_masked(&kept);
        assert!(kept.contains("use [redacted:github-token:1]"), "{kept}");
        assert!(stand_in.read("heard.ndjson").contains(&token()), "Claude Code is told all of it");
    }
}

#[test]
fn times_beside_a_stream_go_with_it() {
    let stream = file("times", b"");
    let recording =
        run(&["convert", "-", "--to", "recording"], &session()).out.replace(",\"untimed\":true", "");
    let whole = stream.with_file_name("run.rec");
    fs::write(&whole, recording).unwrap();
    assert_eq!(run(&["convert", text(&whole), text(&stream)], "").code, Some(0));
    let masked = stream.with_file_name("masked.ndjson");
    let ran = run(&["redact", text(&stream), "-o", text(&masked)], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    is_masked(&fs::read_to_string(&masked).unwrap());
    let times = |file: &Path| {
        let rows = fs::read_to_string(file.with_extension("ndjson.times")).unwrap();
        let row = |row: &str| row.split('\t').take(3).map(str::to_owned).collect::<Vec<_>>();
        rows.lines().map(row).collect::<Vec<_>>()
    };
    assert_eq!(times(&stream), times(&masked));
    let code = |file: &Path| run(&["check", text(file)], "").code;
    assert_eq!(code(&stream), code(&masked));
}

#[test]
fn patterns_of_ones_own_are_masked_and_wrong_ones_refused() {
    let patterns = file("own", b"# names\nACME-[0-9]+\n");
    let session = session().replace("it is ", "it is ACME-17 ");
    for flags in [&["--redact-pattern", "ACME-[0-9]+"][..], &["--redact-patterns", text(&patterns)]] {
        let ran = run(&[&["events"], flags].concat(), &session);
        assert!(
            !ran.out.contains("ACME") && ran.out.contains("it is [redacted:own:1] [redacted:github-token:1]"),
            "{}",
            ran.out
        );
    }
    let ran = run(&["events", "--redact-pattern", "("], &session);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.out.is_empty() && ran.err.contains("is no pattern"), "{}", ran.err);
    let ran = run(&["events", "--redact-patterns", "/nowhere"], &session);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{}", ran.err);
}

#[test]
fn any_text_is_masked_and_nothing_is_written_over_itself() {
    let log = file("text", format!("the token is {}\nover\n", token()).as_bytes());
    let ran = run(&["redact", text(&log)], "");
    assert_eq!((ran.code, &*ran.out), (Some(0), "the token is [redacted:github-token:1]\nover\n"));
    let ran = run(&["redact", text(&log), "-o", text(&log)], "");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(fs::read_to_string(&log).unwrap().contains(&token()), "it is still there");
    let none = run(&["redact"], "nothing\n");
    assert_eq!((&*none.out, none.err.contains("no secret")), ("nothing\n", true));
}
