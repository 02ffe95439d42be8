//! What the commands read: streams, transcripts, folders, ids.

use crate::program::{Ran, SESSION, ended, run, start_with, types};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Recorded sessions as Claude Code keeps them, by version and what happened.
pub(crate) fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts").join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run_in(config: &Path, args: &[&str]) -> Ran {
    let mut child = start_with(args, &[("CLAUDE_CONFIG_DIR", text(config))]);
    drop(child.stdin.take());
    ended(child)
}

const MAIN: &str = "projects/-home-user-project/a8f817fe-384d-4164-b1b7-74501f61687b.jsonl";

#[test]
fn a_transcript_is_told_with_its_agents_however_it_is_named() {
    let config = kept("2.1.112-subnest");
    let main = config.join(MAIN);
    let told = run(&["events", text(&main)], "");
    assert_eq!((told.code, &*told.err), (Some(0), ""));
    let events: Vec<Value> = told.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let parents: Vec<_> =
        events.iter().filter(|event| event["type"] == "agent_start").map(|event| &event["parent"]).collect();
    assert_eq!(parents.len(), 2, "{}", told.out);
    assert_eq!(*parents[0], "main");
    assert!(parents[1].as_str().unwrap().starts_with("toolu_"), "an agent of an agent");
    let id = main.file_stem().unwrap().to_str().unwrap();
    assert!(events.iter().all(|event| event["session"] == id));
    assert_eq!(events.last().unwrap()["verdict"], "ok");
    for named in [id, &id[..8], text(&config), text(main.parent().unwrap())] {
        assert_eq!(run_in(&config, &["events", named]).out, told.out, "{named}");
    }
}

#[test]
fn a_transcript_may_come_by_standard_input() {
    let main = fs::read_to_string(kept("2.1.112-subnest").join(MAIN)).unwrap();
    let told = run(&["events"], &main);
    let count = |name: &str| types(&told.out).iter().filter(|other| *other == name).count();
    assert_eq!((count("turn_complete"), count("tool_result"), count("finished")), (1, 1, 1));
    assert_eq!(run(&["check"], &main).out, "ok: the last turn completed\n");
}

#[test]
fn a_transcript_that_stops_in_the_middle_is_truncated() {
    let main = fs::read_to_string(kept("2.1.112-subnest").join(MAIN)).unwrap();
    let lines: Vec<_> = main.lines().collect();
    let cut = lines[..6].join("\n") + "\n";
    let ran = run(&["check"], &cut);
    assert_eq!((ran.code, &*ran.out), (Some(21), "truncated: the transcript ends in the middle of a turn\n"));
    let nothing = lines[..2].join("\n") + "\n";
    assert_eq!(run(&["check"], &nothing).code, Some(30));
}

#[test]
fn what_can_be_read_is_told_and_the_rest_is_named() {
    let folder = folder("many");
    let stream = folder.join("run.ndjson");
    fs::write(&stream, SESSION).unwrap();
    let ran = run(&["events", "no/such/file", text(&stream), text(&stream)], "");
    assert_eq!(ran.code, Some(1));
    assert_eq!(types(&ran.out).iter().filter(|name| *name == "finished").count(), 2);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("unspool: cannot read no/such/file: "), "{}", ran.err);
    let ran = run(&["check", text(&stream), "no/such/file"], "");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 1));
}

#[test]
fn several_sessions_are_as_bad_as_the_worst() {
    let folder = folder("verdicts");
    fs::write(folder.join("a.ndjson"), SESSION).unwrap();
    let cut = SESSION.lines().next().unwrap();
    fs::write(folder.join("b.ndjson"), format!("{cut}\n")).unwrap();
    let ran = run(&["check", text(&folder)], "");
    assert_eq!(ran.code, Some(21), "{}", ran.err);
    let lines: Vec<_> = ran.out.lines().collect();
    assert!(lines[0].ends_with("a.ndjson: ok: the last turn completed"), "{lines:?}");
    assert!(lines[1].ends_with("b.ndjson: truncated: there is no result"), "{lines:?}");
}

#[test]
fn times_beside_a_recording_are_a_clock() {
    let folder = folder("times");
    let stream = folder.join("run.ndjson");
    fs::write(&stream, SESSION).unwrap();
    let at = || {
        let ran = run(&["events", text(&stream)], "");
        let at = |line| serde_json::from_str::<Value>(line).unwrap()["at"].as_u64();
        ran.out.lines().map(at).collect::<Vec<_>>()
    };
    assert!(at().iter().all(Option::is_none));
    fs::write(
        folder.join("run.ndjson.times"),
        "# t_ms\tdir\tline\tbytes\n5\tout\t1\t9\n7.6\tin\t1\t9\n12.5\tout\t2\t9\n40\tout\t3\t9\n",
    )
    .unwrap();
    assert_eq!(at(), [5, 5, 13, 13, 40, 40].map(Some));
}

#[test]
fn agents_without_their_session_are_told_by_themselves() {
    let folder = folder("orphans");
    let project = kept("2.0.77-think").join("projects/-home-user-project");
    for entry in fs::read_dir(project).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("agent-") {
            fs::copy(&path, folder.join(name)).unwrap();
        }
    }
    let ran = run(&["events", text(&folder)], "");
    let names = types(&ran.out);
    let count = |wanted: &str| names.iter().filter(|name| *name == wanted).count();
    assert_eq!((count("agent_start"), count("agent_end"), count("finished")), (3, 3, 1), "{}", ran.out);
}

#[test]
fn an_id_may_be_short_but_not_too_short() {
    let config = kept("2.1.325-fork");
    for (id, why) in [
        ("5", "there is no such file, and the beginning of an id has at least 4 characters"),
        ("ffff", "there is no such file, and no session whose id begins so in "),
        ("no-id", ""),
    ] {
        let ran = run_in(&config, &["view", id]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{id}");
        assert!(ran.err.starts_with(&format!("unspool: cannot read {id}: {why}")), "{}", ran.err);
    }
    assert_eq!(run_in(&config, &["check", "5a4d"]).code, Some(0));
}

/// As `--output-format json --verbose` prints it.
#[test]
fn one_json_value_gets_a_hint() {
    let file = folder("json").join("run.json");
    let lines: Vec<_> = SESSION.lines().collect();
    fs::write(&file, format!("[{}]\n", lines.join(","))).unwrap();
    let hint =
        "it looks like the output of `--output-format json`; use `--output-format stream-json --verbose`\n";
    for command in ["view", "cost", "html"] {
        let ran = run(&[command, text(&file)], "");
        assert_eq!(ran.code, Some(1), "{command}");
        assert!(ran.err.ends_with(hint), "{command}: {}", ran.err);
    }
    let ran = run(&["check", text(&file)], "");
    assert_eq!((ran.code, &*ran.err), (Some(30), &*format!("unspool: {}: {hint}", file.display())));
    // Without `--verbose` it is the last line of the stream alone, which can be read.
    fs::write(&file, lines[2]).unwrap();
    let ran = run(&["check", text(&file)], "");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_left_waiting_at_a_terminal() {
    use crate::terminal::Terminal;
    use std::process::Command;
    for name in ["stats", "html", "summary", "check", "events"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.arg(name).current_dir(env!("CARGO_TARGET_TMPDIR"));
        let mut shown = Vec::new();
        let code = Terminal::start(&command).watch(|bytes| shown.extend_from_slice(bytes));
        let shown = String::from_utf8_lossy(&shown);
        assert_eq!(code, Some(2), "{name}: {shown}");
        assert!(shown.contains("there is nothing to read: name a file"), "{name}: {shown}");
    }
}
