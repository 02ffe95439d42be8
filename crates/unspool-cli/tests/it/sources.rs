//! What the commands read: streams, transcripts, folders, ids.

use crate::program::{Ran, SESSION, ended, run, start_with, types};
use serde_json::Value;
use std::fs;
use std::io::Write;
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

/// Commands that read a session.
const COMMANDS: [&str; 8] = ["check", "view", "events", "summary", "html", "cost", "stats", "sessions"];

/// What the command says of a file, and of the same bytes in a pipe.
fn both_ways(command: &str, file: &Path, bytes: &[u8]) -> [Ran; 2] {
    fs::write(file, bytes).unwrap();
    let mut child = start_with(&[command, "-"], &[]);
    // It may have seen enough before the end.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    [run(&[command, text(file)], ""), ended(child)]
}

/// As `--output-format json --verbose` prints it, and as claude-code-action keeps it.
#[test]
fn a_list_of_messages_is_a_stream() {
    let folder = folder("list");
    let objects: Vec<Value> = SESSION.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let file = folder.join("run.json");
    let compact = format!("{}\n", serde_json::to_string(&objects).unwrap());
    let printed = serde_json::to_string_pretty(&objects).unwrap();
    for command in COMMANDS {
        let [lines, _] = both_ways(command, &file, SESSION.as_bytes());
        for list in [&compact, &printed] {
            for ran in both_ways(command, &file, list.as_bytes()) {
                assert_eq!((ran.code, &*ran.err), (lines.code, ""), "{command}");
                if !["events", "html", "sessions", "view"].contains(&command) {
                    assert_eq!(ran.out, lines.out, "{command}");
                }
            }
        }
    }
    let cut = &printed[..printed.len() - 9];
    for ran in both_ways("check", &file, cut.as_bytes()) {
        assert_eq!((ran.code, &*ran.out), (Some(21), "truncated: the last line is cut\n"));
    }
    // Without `--verbose` it is the last line of the stream alone.
    let last = SESSION.lines().nth(2).unwrap();
    for ran in both_ways("check", &file, last.as_bytes()) {
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    }
}

/// The same bytes are the same thing for every command, in a file and in a pipe.
#[test]
fn what_is_no_session_is_the_same_for_all() {
    let folder = folder("odd");
    let file = folder.join("it");
    let noise: Vec<u8> = (0..9000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
    let cut = &SESSION.as_bytes()[..40];
    let other = "no line in it is one of Claude Code's";
    for (bytes, judged, words) in [
        (&noise[..], Some(1), "it is no text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01", Some(1), "it is no text"),
        (b"Credit balance is too low\n", Some(30), other),
        (b"{\"name\":\"left-pad\"}\n", Some(30), other),
        (b"Credit balance is too low", Some(21), other),
        (cut, Some(21), other),
        (b"", Some(30), "there is nothing in it"),
        (b"\n\n", Some(30), "there is nothing in it"),
    ] {
        for command in COMMANDS {
            let is_judge = ["check", "view"].contains(&command);
            let says_so = ["check", "view", "events", "summary"].contains(&command);
            let code = if is_judge || judged == Some(1) { judged } else { Some(0) };
            for (ran, how) in both_ways(command, &file, bytes).into_iter().zip(["file", "pipe"]) {
                let sample = String::from_utf8_lossy(&bytes[..bytes.len().min(20)]);
                assert_eq!(ran.code, code, "{command} of a {how}: {sample:?}: {}", ran.err);
                let silent = says_so && code != Some(1);
                let name = if how == "pipe" { "standard input" } else { text(&file) };
                let is_named = ran.err.contains(words) && ran.err.contains(name);
                let fits = if silent { ran.err.is_empty() } else { is_named };
                assert!(
                    fits && ran.err.lines().count() <= 1,
                    "{command} of a {how}: {sample:?}: {}",
                    ran.err
                );
            }
        }
    }
}

/// By its first bytes, whatever its name is.
#[test]
fn what_is_compressed_is_read_by_all() {
    let folder = folder("packed");
    let [plain, file] = ["plain", "packed"].map(|name| folder.join(name));
    let zst = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/packed/session.ndjson.zst");
    let gz = zst.with_extension("gz");
    for packed in [fs::read(zst).unwrap(), fs::read(gz).unwrap()] {
        for command in COMMANDS {
            let [expected, _] = both_ways(command, &plain, SESSION.as_bytes());
            for ran in both_ways(command, &file, &packed) {
                assert_eq!((ran.code, &*ran.err), (expected.code, ""), "{command}");
                if !["sessions", "html", "view"].contains(&command) {
                    assert_eq!(ran.out, expected.out, "{command}");
                }
            }
        }
        for ran in both_ways("check", &file, &packed[..packed.len() - 3]) {
            assert_eq!((ran.code, &*ran.err), (Some(21), ""), "{}", ran.out);
        }
    }
}

/// A session with its agents, all of it compressed.
#[test]
fn a_compressed_session_is_found_with_its_agents() {
    let config = kept("2.1.112-subnest");
    let packed = folder("packed_session");
    pack(&config, &packed);
    let id = "a8f817fe-384d-4164-b1b7-74501f61687b";
    for command in ["events", "check"] {
        let expected = run(&[command, text(&config.join(MAIN))], "");
        let main = packed.join(format!("{MAIN}.gz"));
        for named in [text(&main), text(&packed), id] {
            let ran = run_in(&packed, &[command, named]);
            assert_eq!(
                (ran.code, ran.out),
                (expected.code, expected.out.clone()),
                "{command} {named}: {}",
                ran.err
            );
        }
    }
    for command in [&["stats"][..], &["sessions", "--json", "--limit", "1"], &["cost", "--by", "model"]] {
        let ran = run(&[command, &[text(&packed)]].concat(), "");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
        assert!(!ran.out.contains("NaN") && ran.out.lines().count() > 0, "{command:?}");
    }
}

/// The folder with its transcripts compressed.
fn pack(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            pack(&path, &to);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            let file = fs::File::create(format!("{}.gz", text(&to))).unwrap();
            let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            packed.write_all(&fs::read(path).unwrap()).unwrap();
            packed.finish().unwrap();
        } else {
            fs::copy(path, to).unwrap();
        }
    }
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
