//! `unspool convert`: nothing is changed on the way, and what is lost is said.

use crate::bad::entries;
use crate::program::{Ran, SESSION, run};
use crate::sources::kept;
use crate::stand_in::StandIn;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is lost, in words.
fn lost(ran: &Ran) -> Vec<&str> {
    ran.err.lines().filter_map(|line| line.strip_prefix("unspool: lost: ")).collect()
}

fn fixtures() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let folders = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut streams: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|end| end == "ndjson")).collect();
    streams.sort();
    streams
}

/// A bare stream becomes a recording and a stream again: every byte is the same, nothing is lost, and all tell the same.
#[test]
fn a_stream_is_the_same_after_it_was_a_recording() {
    let folder = folder("identity");
    let (recording, again) = (folder.join("run.rec"), folder.join("run.ndjson"));
    let mut tried = 0;
    for stream in fixtures() {
        let there = run(&["convert", text(&stream), text(&recording), "--strict"], "");
        if there.err.contains("no line in it is one of Claude Code's")
            || there.err.contains("there is nothing in it")
        {
            continue;
        }
        tried += 1;
        assert_eq!((there.code, &*there.out, &*there.err), (Some(0), "", ""), "{}", stream.display());
        let back = run(&["convert", text(&recording), text(&again), "--strict"], "");
        assert_eq!((back.code, &*back.out, &*back.err), (Some(0), "", ""), "{}", stream.display());
        assert!(fs::read(&again).unwrap() == fs::read(&stream).unwrap(), "{}", stream.display());
        assert!(!folder.join("run.ndjson.times").exists(), "nobody knows its times");
        let whole = run(&["events", text(&stream)], "").out;
        assert_eq!(run(&["events", text(&recording)], "").out, whole, "{}", stream.display());
        assert_eq!(run(&["convert", text(&recording), "--to", "events"], "").out, whole);
        let of = |file: &Path| (run(&["check", text(file)], "").code, run(&["check", text(file)], "").out);
        assert_eq!(of(&recording), of(&stream), "{}", stream.display());
    }
    assert!(tried > 150, "{tried}");
}

/// What a run has recorded is told alike in every form, with its times, its prompt, its answers and its end.
#[test]
fn a_run_tells_the_same_in_every_form() {
    let takes = r#"{"type":"control_response","response":{"subtype":"success","request_id":"u-1"}}"#;
    let asks = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}}"#;
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let aborted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#;
    let answers = format!(
        "hear; echo oops >&2; echo '{takes}'; hear; echo '{init}'; echo '{asks}'; printf '%s' '{{\"type\":\"keep_'; hear; printf '%s\\n' 'alive\"}}' '{result}'; cat > /dev/null"
    );
    let hangs = format!("hear; echo '{init}'; hear; echo '{aborted}'; cat > /dev/null");
    for (record, script, flags, told) in [
        ("run.rec", &answers, ["--allow", "Bash(ls)"], r#""type":"permission_resolved""#),
        ("run.ndjson", &answers, ["--allow", "Bash(ls)"], r#""type":"permission_resolved""#),
        ("run.rec", &hangs, ["--timeout", "1s"], r#""verdict":"hung""#),
    ] {
        let stand_in = StandIn::acts(script);
        let run = ["run", "say zebra", "--format", "events", "--record", record];
        let live = stand_in.run(&[&run[..], &flags].concat());
        assert!(live.out.contains(told) && live.out.contains(r#""prompt":"say zebra""#), "{live:?}");
        let mut from = record;
        for form in ["a.rec", "b.ndjson", "c.rec", "d.ndjson", "e.events.ndjson"] {
            if Path::new(from).extension() == Path::new(form).extension() && !form.contains("events") {
                continue;
            }
            let ran = stand_in.run(&["convert", from, form]);
            assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{from} {form}: {ran:?}");
            assert_eq!(stand_in.run(&["events", form]).out, live.out, "{from} {form}");
            assert_eq!(stand_in.run(&["check", form]).code, live.code, "{from} {form}");
            from = form;
        }
    }
}

#[test]
fn what_is_lost_is_said_and_only_that() {
    let folder = folder("lost");
    let recording = folder.join("run.rec");
    let initialize = r#"{"type":"control_request","request_id":"i","request":{"subtype":"initialize","systemPrompt":"x"}}"#;
    let mut all = entries();
    all.insert(2, format!("0\t7\tin\t{initialize}\n"));
    let partial =
        r#"{"type":"stream_event","session_id":"s","event":{"type":"message_start","message":{"id":"m"}}}"#;
    all.insert(4, format!("0\t7\tout\t{partial}\n"));
    // Numbered anew.
    let numbered = |all: &[String]| {
        let rest = |line: &str| line.split_once('\t').unwrap().1.to_owned();
        all.iter().enumerate().map(|(at, line)| format!("{}\t{}", at + 1, rest(line))).collect::<String>()
    };
    fs::write(&recording, numbered(&all)).unwrap();
    let around =
        ["standard error: 1 line", "what was started, and where", "how the program ended: exit code 0"];
    let to = |args: &[&str]| run(&[&["convert", text(&recording)][..], args].concat(), "");
    let stream = to(&["--to", "stream"]);
    let written = ["times", "what was written to Claude Code: 2 lines"];
    assert_eq!(lost(&stream), [&written[..], &around].concat());
    let in_part = "what was written to Claude Code, but for prompts and decisions: 1 line";
    let file = folder.join("run.ndjson");
    assert_eq!(lost(&to(&[text(&file)])), [&[in_part][..], &around].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), stream.out);
    let events = ["the lines as they came: 4 lines", "the grain of deltas: 1 line", in_part];
    assert_eq!(lost(&to(&["--to", "events"])), [&events[..], &around].concat());
    let deltas = to(&["--to", "events", "--grain", "deltas"]);
    assert_eq!(lost(&deltas), [&[events[0], in_part][..], &around].concat());
    let session = folder.join("b837353a-cbb2-42ae-8e45-3716e025b6d3.jsonl");
    let told = [
        "the grain of deltas: 1 line",
        "how turns ended, and what they cost: 1 line",
        "what else was told: 1 line",
        in_part,
    ];
    assert_eq!(lost(&to(&[text(&session)])), [&told[..], &around].concat());
    // Of events in deltas their grain, and of a transcript its entries.
    fs::write(&file, &deltas.out).unwrap();
    assert_eq!(lost(&run(&["convert", text(&file), "--to", "events"], "")), ["the grain of deltas: 2 lines"]);
    assert_eq!(lost(&run(&["convert", text(&file), "--to", "events", "--grain", "deltas"], "")), [""; 0]);
    let ran = run(&["convert", text(&session), "--to", "events"], "");
    assert_eq!(lost(&ran), ["the lines as they came: 2 lines"]);
    assert!(ran.out.contains("Say hello.") && ran.out.contains("Hello"), "{ran:?}");
    // A stream by itself has neither times nor a beginning, so nothing of them is lost.
    assert_eq!(run(&["convert", "-", "--to", "recording", "--strict"], SESSION).err, "");
    let ended = entries().concat().replace("\"code\":0", "\"cut\":\"hung\",\"why\":\"no line for 5 s\"");
    let ran = run(&["convert", "-", "--to", "stream"], &ended);
    assert_eq!(lost(&ran).last(), Some(&"why it was ended: no line for 5 s"));
}

#[test]
fn with_strict_nothing_is_made_of_what_cannot_be_made_whole() {
    let folder = folder("strict");
    let (recording, stream) = (folder.join("run.rec"), folder.join("run.ndjson"));
    fs::write(&recording, entries().concat()).unwrap();
    fs::write(&stream, "there before").unwrap();
    let ran = run(&["convert", text(&recording), text(&stream), "--strict"], "");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
    let why =
        format!("unspool: nothing is made of {}, because something would be lost\n", recording.display());
    assert!(ran.err.ends_with(&why) && lost(&ran).len() == 3, "{ran:?}");
    assert_eq!(fs::read_to_string(&stream).unwrap(), "there before");
    assert_eq!(run(&["convert", text(&recording), "--to", "stream", "--strict"], "").out, "");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left");
}

#[test]
fn a_file_is_there_when_it_is_whole_and_for_the_same_eyes() {
    let folder = folder("file");
    let (recording, stream) = (folder.join("run.rec"), folder.join("run.ndjson"));
    fs::write(&recording, entries().concat()).unwrap();
    fs::set_permissions(&recording, fs::Permissions::from_mode(0o400)).unwrap();
    assert_eq!(run(&["convert", text(&recording), text(&stream)], "").code, Some(0));
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&stream), mode(&folder.join("run.ndjson.times"))), (0o600, 0o600));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    // Times of another stream must not be believed of this one.
    assert_eq!(
        run(
            &["convert", "-", text(&stream), "--to", "stream"],
            &run(&["convert", "-", "--to", "recording"], SESSION).out
        )
        .code,
        Some(0)
    );
    assert_eq!(fs::read_to_string(&stream).unwrap(), SESSION);
    assert!(!folder.join("run.ndjson.times").exists());
    // What is no file is written to as it is.
    let ran = run(&["convert", text(&recording), "/dev/null", "--to", "stream"], "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!Path::new("/dev/null.times").exists() && !fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn what_cannot_be_made_is_refused_in_a_sentence() {
    let folder = folder("refused");
    let recording = folder.join("run.rec");
    fs::write(&recording, entries().concat()).unwrap();
    let transcript =
        kept("2.1.325-rwe/projects/-home-user-project/aff214ca-b098-4cbe-873b-1e81fcfba479.jsonl");
    let bare = run(&["convert", text(&recording), "--to", "stream"], "").out;
    let events = run(&["events", text(&recording)], "").out;
    let (bare_file, events_file) = (folder.join("bare.ndjson"), folder.join("e.events.ndjson"));
    fs::write(&bare_file, bare).unwrap();
    fs::write(&events_file, events).unwrap();
    let lacks = "does not have the lines that Claude Code wrote";
    for (args, code, why) in [
        (vec![text(&recording), "--to", "recording"], 2, "is a recording already"),
        (vec![text(&recording), "x.rec"], 2, "is a recording already"),
        (vec![text(&bare_file), "--to", "stream"], 2, "is a stream already"),
        (vec![text(&transcript), "--to", "transcript"], 2, "is a transcript already"),
        (vec![text(&recording)], 2, "say what to make: --to recording, stream, events or transcript"),
        (vec![text(&recording), "x.jsonl"], 2, "the name x.jsonl does not tell"),
        (vec![text(&recording), "x.ndjson.zst"], 2, "the name of something compressed"),
        (vec![text(&recording), "x.rec.gz"], 2, "the name of something compressed"),
        (vec![text(&transcript), "--to", "recording"], 1, lacks),
        (vec![text(&transcript), "--to", "stream"], 1, lacks),
        (vec![text(&events_file), "--to", "stream"], 1, lacks),
        (vec![text(&events_file), "--to", "transcript"], 1, lacks),
        (vec![text(&bare_file), "--to", "transcript"], 1, "what was asked before line 2 is not in it"),
        (vec![text(&recording), text(&recording), "--to", "stream"], 1, "would be written over itself"),
        (vec![text(&recording), "no/such/run.ndjson"], 1, "cannot write no/such/run.ndjson"),
        (vec!["no/such/run.rec", "--to", "stream"], 1, "cannot read no/such/run.rec"),
    ] {
        let ran = run(&[&["convert"], &*args].concat(), "");
        assert_eq!((ran.code, &*ran.out), (Some(code), ""), "{args:?}: {ran:?}");
        assert!(ran.err.contains(why), "{args:?}: {ran:?}");
    }
    assert_eq!(fs::read_to_string(&recording).unwrap(), entries().concat());
}

/// What was said in a missing entry would be missing in the conversation, and nobody would see it.
#[test]
fn no_transcript_is_made_of_a_recording_with_a_hole() {
    let entries = entries();
    for at in 1..entries.len() - 1 {
        let rest = [&entries[..at], &entries[at + 1..]].concat().concat();
        let ran = run(&["convert", "-", "--to", "transcript"], &rest);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{at}: {}", ran.err);
        assert!(
            ran.err.contains(&format!("entry {} of the recording is missing", at + 1)),
            "{at}: {}",
            ran.err
        );
    }
    // What is cut is the beginning of the same conversation.
    let begun = entries[..entries.len() - 1].concat();
    assert_eq!(run(&["convert", "-", "--to", "transcript"], &begun).code, Some(0));
}
