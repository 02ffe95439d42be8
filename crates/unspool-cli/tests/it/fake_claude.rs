//! `fake-claude`: a recording, played in the place of Claude Code.

use crate::program::{Ran, ended, run, run_with, start};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const JSON: [&str; 4] = ["--", "-p", "--output-format=stream-json", "--input-format=stream-json"];

fn fixture(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings").join(name);
    file.to_str().unwrap().to_owned()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake-claude").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays a recording to a host that writes all at once.
fn played(recording: &str, flags: &[&str], input: &str) -> Ran {
    run(&[&["fake-claude", &fixture(recording)], flags, &JSON].concat(), input)
}

fn turn(words: &str) -> String {
    format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{words}\"}}}}\n")
}

fn turns() -> String {
    [turn("SCN:t1 turn 1"), turn("SCN:t2 turn 2"), turn("SCN:t3 turn 3")].concat()
}

/// The lines of standard output in a recording.
fn lines(recording: &str) -> String {
    let text = fs::read_to_string(fixture(recording)).unwrap();
    let lines = text.lines().filter_map(|line| line.splitn(4, '\t').collect::<Vec<_>>().try_into().ok());
    let out = lines.filter(|[_, _, way, _]: &[&str; 4]| *way == "out");
    out.map(|[_, _, _, line]| format!("{line}\n")).collect()
}

#[test]
fn what_was_recorded_comes_out_and_the_code_is_that_of_the_recording() {
    let ran = played("turns-2.1.325.rec", &[], &turns());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(ran.out, lines("turns-2.1.325.rec"));
}

#[test]
fn a_line_comes_when_the_host_has_written_what_it_waits_for() {
    let mut child = start(&[&["fake-claude", &fixture("permission-2.1.325.rec")], &JSON[..]].concat());
    let mut stdin = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    stdin.write_all(b"{\"request\":{\"subtype\":\"initialize\"},\"request_id\":\"mine\",\"type\":\"control_request\"}\n").unwrap();
    assert!(out.next().unwrap().contains("\"request_id\":\"mine\""));
    stdin.write_all(turn("SCN:perm go").as_bytes()).unwrap();
    let asked = out.find(|line| line.contains("can_use_tool")).unwrap();
    let id = asked.split("\"request_id\":\"").nth(1).unwrap().split('"').next().unwrap();
    let answer = "{\"behavior\":\"allow\",\"updatedInput\":{\"description\":\"Run a command\",\"command\":\"touch perm-file && echo created\"}}";
    let line = format!(
        "{{\"type\":\"control_response\",\"response\":{{\"subtype\":\"success\",\"request_id\":\"{id}\",\"response\":{answer}}}}}\n"
    );
    stdin.write_all(line.as_bytes()).unwrap();
    assert!(
        out.any(|line| line.contains("\"subtype\":\"success\"") && line.contains("Permission step fini"))
    );
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_the_host_does_otherwise_is_76_and_told() {
    let ran = played("turns-2.1.325.rec", &[], &turn("SCN:t1 turn one"));
    assert_eq!((ran.code, &*ran.out), (Some(76), ""));
    let told = "fake-claude: the host says something else than the recording does (entry 2)\n  where:    message.content\n  expected: \"SCN:t1 turn 1\"\n  came:     \"SCN:t1 turn one\"\n";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    let ran = played("turns-2.1.325.rec", &[], &turn("SCN:t1 turn 1"));
    assert_eq!(ran.code, Some(76));
    assert!(
        ran.err.contains("has closed the input, and the recording goes on\n  expected: entry 6: "),
        "{}",
        ran.err
    );
    let lenient = played("turns-2.1.325.rec", &["--lenient"], &turn("SCN:t1 turn one"));
    assert_eq!((lenient.code, lenient.out), (Some(0), lines("turns-2.1.325.rec")));
    assert!(lenient.err.contains("expected: \"SCN:t1 turn 1\""), "{}", lenient.err);
    let ignored =
        played("turns-2.1.325.rec", &["--ignore=message.content"], &turns().replace("turn", "round"));
    assert_eq!((ignored.code, &*ignored.err), (Some(0), ""));
}

#[test]
fn other_arguments_are_told_and_with_strict_the_end() {
    let args = [
        "fake-claude",
        &fixture("turns-2.1.325.rec"),
        "--",
        "--input-format=stream-json",
        "--include-partial-messages",
    ];
    let ran = run(&args, &turns());
    assert_eq!((ran.code, ran.out), (Some(0), lines("turns-2.1.325.rec")));
    assert_eq!(
        ran.err,
        "fake-claude: --output-format: `stream-json` in the recording, not given here\nfake-claude: --include-partial-messages: not given in the recording, given here\n"
    );
    let ran = run(&[&args[..2], &["--strict"], &args[2..]].concat(), &turns());
    assert_eq!((ran.code, &*ran.out), (Some(76), ""));
}

#[test]
fn a_bare_stream_is_played_to_whoever_prompts() {
    let stream = folder("bare").join("run.ndjson");
    fs::write(&stream, lines("turns-2.1.325.rec")).unwrap();
    let stream = stream.to_str().unwrap();
    let ran = run(&[&["fake-claude", stream], &JSON[..]].concat(), &turn("whatever"));
    assert_eq!((ran.code, ran.out), (Some(0), lines("turns-2.1.325.rec")));
    let ran = run(&["fake-claude", stream, "--", "-p", "whatever", "--output-format=stream-json"], "");
    assert_eq!((ran.code, ran.out), (Some(0), lines("turns-2.1.325.rec")));
}

#[test]
fn the_version_is_that_of_the_recording() {
    let ran = run(&["fake-claude", &fixture("permission-2.0.77.rec"), "--", "--version"], "");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "2.0.77 (Claude Code)\n", ""));
}

#[test]
fn what_cannot_be_played_is_said() {
    let folder = folder("odd");
    let file = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let begin = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n";
    fs::create_dir(folder.join("folder")).unwrap();
    for (file, why) in [
        (file("empty", ""), "there is nothing in it"),
        (file("other", "hello\n"), "it is neither a recording nor a stream of Claude Code"),
        (file("begun.rec", begin), "Claude Code has written nothing in it"),
        (
            file(
                "transcript.jsonl",
                "{\"parentUuid\":null,\"sessionId\":\"s\",\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
            ),
            "it is a transcript",
        ),
        (folder.join("folder").to_str().unwrap().to_owned(), "no file whose name ends with `.rec`"),
        (folder.join("none").to_str().unwrap().to_owned(), "No such file"),
    ] {
        let ran = run(&["fake-claude", &file], "");
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{file}");
        assert!(ran.err.contains(&format!("cannot play {file}")) && ran.err.contains(why), "{}", ran.err);
        assert_eq!(run(&["fake-claude", &file, "--install", folder.to_str().unwrap()], "").code, Some(1));
    }
    let cut = file("cut.rec", &format!("{begin}2\t0\tout\t{{\"type\":\"result\"}}\n4\t0\tou"));
    let ran = run(&["fake-claude", &cut, "--", "-p", "x"], "");
    assert_eq!((ran.code, &*ran.out), (Some(0), "{\"type\":\"result\"}\n"));
    assert!(ran.err.contains("the recording is cut in the middle of an entry"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn an_application_finds_it_as_claude() {
    let folder = folder("installed");
    let bin = folder.join("bin");
    let run_to = |flags: &[&str]| {
        run(
            &[&["fake-claude", "--install", bin.to_str().unwrap()], flags, &[&fixture("hello-2.1.325.rec")]]
                .concat(),
            "",
        )
    };
    let ran = run_to(&[]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let claude = bin.canonicalize().unwrap().join("claude");
    assert_eq!(ran.out, format!("{}\n", claude.display()));
    let hello = |path: &Path| {
        let mut claude = Command::new("claude");
        claude.args([
            "-p",
            "SCN:hello hi",
            "--output-format",
            "stream-json",
            "--verbose",
            "--dangerously-skip-permissions",
        ]);
        claude.env("PATH", format!("{}:/usr/bin:/bin", path.display())).current_dir("/");
        claude.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        ended(claude.spawn().unwrap())
    };
    let ran = hello(&bin);
    assert_eq!((ran.code, ran.out), (Some(0), lines("hello-2.1.325.rec")), "{}", ran.err);
    // It keeps how it is played.
    run_to(&["--crash=1=7", "--unknown-fields"]);
    let ran = hello(&bin);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(7), 1));
    assert!(ran.out.contains("unheard_of"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn under_the_name_of_claude_it_plays_what_a_variable_names() {
    let claude = folder("named").join("claude");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_unspool"), &claude).unwrap();
    let call = |recording: Option<&str>| {
        let mut command = Command::new(&claude);
        command
            .arg("--version")
            .env_remove("UNSPOOL_FAKE_CLAUDE")
            .envs(recording.map(|it| ("UNSPOOL_FAKE_CLAUDE", it)));
        let output = command.output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(call(Some(&fixture("hello-2.1.325.rec"))), "2.1.325 (Claude Code)\n");
    assert!(call(None).starts_with("unspool "));
}

#[test]
fn each_start_is_played_once_with_a_folder() {
    let state = folder("state");
    let state = state.to_str().unwrap();
    let args = ["fake-claude", &fixture("resume-2.1.325.rec"), "--", "-p"];
    let call = || run_with(&args, "", &[("UNSPOOL_FAKE_STATE", state)]);
    assert!(call().out.contains("hello-from"), "the first");
    let second = call();
    assert_eq!(second.code, Some(76), "it waits for a prompt, which does not come: {}", second.err);
    assert!(call().err.contains("the recording has 2 starts, and no more are played"));
}

/// As a host leaves it that is recorded by a script: a file for each start, and one for whatever it asked the program itself.
#[test]
fn a_folder_of_recordings_is_played_one_after_the_other() {
    let (folder, state) = (folder("recordings"), folder("recordings-state"));
    let begin = |argv: &str, time: u8| {
        format!(
            "1\t0\tnote\t{{\"note\":\"begin\",\"format\":1,\"argv\":[\"claude\",{argv}],\"time\":\"2026-11-19T12:00:0{time}Z\"}}\n"
        )
    };
    let said = |words: &str| format!("2\t0\tout\t{words}\n3\t0\tnote\t{{\"note\":\"end\",\"code\":0}}\n");
    for (name, argv, time, words) in [
        ("1.rec", "\"-p\",\"go\"", 3, "second"),
        ("2.rec", "\"-p\",\"go\"", 2, "first"),
        ("3.rec", "\"auth\",\"status\"", 1, "logged in"),
        ("4.rec", "\"-v\"", 1, "2.1.325 (Claude Code)"),
    ] {
        fs::write(folder.join(name), begin(argv, time) + &said(words)).unwrap();
    }
    fs::write(folder.join("notes.txt"), "no recording").unwrap();
    let [name, state] = [&folder, &state].map(|it| it.to_str().unwrap());
    let call = |args: &[&str]| run(&[&["fake-claude", name, "--state", state, "--"], args].concat(), "");
    for words in ["first\n", "second\n"] {
        assert_eq!(call(&["--version"]).out, "2.1.325 (Claude Code)\n");
        assert_eq!(call(&["auth", "status"]).out, "logged in\n");
        let ran = call(&["-p", "go"]);
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), words, ""));
    }
    assert!(call(&["-p", "go"]).err.contains("the recording has 4 starts, and no more are played"));
    // Whoever does otherwise is told in which of them.
    let ran = run(&["fake-claude", name, "--strict", "--", "-p", "stop"], "");
    assert_eq!(ran.code, Some(76));
    assert!(ran.err.contains("prompt: `go` in the recording, `stop` here"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn signals_end_it_as_they_end_claude_code() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 0)] {
        let mut child = start(&[&["fake-claude", &fixture("turns-2.1.325.rec")], &JSON[..]].concat());
        // It stays open: who waits for a child closes it, and that would be an end, too.
        let mut input = child.stdin.take().unwrap();
        input.write_all(turn("SCN:t1 turn 1").as_bytes()).unwrap();
        // It is there when it has written something.
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut String::new()).unwrap();
        assert!(
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_that_ended_it_ends_it_again() {
    use std::os::unix::process::ExitStatusExt;
    for (crash, signal) in [("1=SIGKILL", 9), ("1=SEGV", 11), ("1=TERM", 15)] {
        let mut child =
            start(&[&["fake-claude", &fixture("turns-2.1.325.rec"), "--crash", crash], &JSON[..]].concat());
        child.stdin.take().unwrap().write_all(turn("SCN:t1 turn 1").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.signal(), output.status.code()), (Some(signal), None), "{crash}");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1);
    }
}

#[test]
fn variations_are_flags_or_a_file() {
    let folder = folder("variations");
    let file = folder.join("v.toml");
    fs::write(&file, "no_result = true\ngarbage = [{ line = 1, text = \"hm\" }]").unwrap();
    let ran = played("turns-2.1.325.rec", &["--variation", file.to_str().unwrap()], &turns());
    assert!(ran.out.starts_with("hm\n{") && !ran.out.contains("duration_api_ms"), "{}", ran.out);
    let ran = played("turns-2.1.325.rec", &["--cut-bytes=100"], &turns());
    assert_eq!((ran.code, &*ran.out), (Some(0), &lines("turns-2.1.325.rec")[..100]));
    let ran = played("turns-2.1.325.rec", &["--flood=2=100000"], &turns());
    assert_eq!((ran.err.len(), ran.out), (100_000, lines("turns-2.1.325.rec")));
    fs::write(&file, "no_reslut = true").unwrap();
    let ran = played("turns-2.1.325.rec", &["--variation", file.to_str().unwrap()], &turns());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("v.toml") && ran.err.contains("unknown field `no_reslut`"), "{}", ran.err);
    for flags in [["--delay=x"], ["--crash=1=SIGNAL"], ["--flood=2"], ["--speed=fast"], ["--garbage="]] {
        assert_eq!(played("turns-2.1.325.rec", &flags, "").code, Some(2), "{flags:?}");
    }
}
