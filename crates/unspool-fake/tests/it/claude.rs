//! A recording played on pipes.

use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};
use unspool_fake::claude::{DEVIATED, Ended, FakeClaude, Recorded, Speed, install};

const JSON: &str = "--input-format=stream-json";

/// Two starts, a turn each; the second goes on with the session of the first.
const RECORDING: &str = concat!(
    "1\t0\tnote\t{\"note\":\"begin\",\"format\":1,\"argv\":[\"claude\",\"--input-format=stream-json\",\"--session-id\",\"11111111-2222-3333-4444-555555555555\"],\"version\":\"2.1.325\"}\n",
    "2\t0\tin\t{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"one\"}}\n",
    "3\t300\tout\t{\"type\":\"result\",\"result\":\"One.\",\"session_id\":\"11111111-2222-3333-4444-555555555555\"}\n",
    "4\t300\terr\tone is over\n",
    "5\t300\tnote\t{\"note\":\"closed\",\"way\":\"in\"}\n",
    "6\t300\tnote\t{\"note\":\"end\",\"code\":4}\n",
    "7\t300\tnote\t{\"note\":\"start\",\"argv\":[\"claude\",\"--input-format=stream-json\",\"--resume=11111111-2222-3333-4444-555555555555\"]}\n",
    "8\t300\tin\t{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"two\"}}\n",
    "9\t400\tout\t{\"type\":\"result\",\"result\":\"Two.\",\"session_id\":\"11111111-2222-3333-4444-555555555555\"}\n",
    "10\t400\tnote\t{\"note\":\"closed\",\"way\":\"in\"}\n",
    "11\t400\tnote\t{\"note\":\"end\",\"code\":0}\n",
);

fn claude() -> FakeClaude {
    FakeClaude::new(Recorded::read(RECORDING.as_bytes()))
}

fn prompt(words: &str) -> String {
    format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{words}\"}}}}\n")
}

struct Ran {
    ended: Ended,
    out: String,
    err: String,
}

/// A host that writes this and closes its pipe.
fn run(claude: FakeClaude, input: &str) -> Ran {
    let (reader, mut writer) = pipe().unwrap();
    writer.write_all(input.as_bytes()).unwrap();
    drop(writer);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = claude.play(reader, &mut out, &mut err);
    let [out, err] = [out, err].map(|bytes| String::from_utf8(bytes).unwrap());
    Ran { ended, out, err }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn what_was_recorded_is_played_when_the_host_has_written() {
    let (reader, mut writer) = pipe().unwrap();
    let (mut seen, output) = pipe().unwrap();
    let player = thread::spawn(move || {
        let mut errors = Vec::new();
        let ended = claude().args([JSON]).play(reader, output, &mut errors);
        (ended, String::from_utf8(errors).unwrap())
    });
    writer.write_all(prompt("one").as_bytes()).unwrap();
    let mut piece = [0; 1000];
    let length = seen.read(&mut piece).unwrap();
    assert!(str::from_utf8(&piece[..length]).unwrap().contains("One."));
    // It waits until its input is closed, as it did.
    drop(writer);
    let (ended, errors) = player.join().unwrap();
    assert_eq!(ended, Ended::with(4));
    assert_eq!(
        errors,
        "fake-claude: --session-id: `11111111-2222-3333-4444-555555555555` in the recording, not given here\none is over\n"
    );
}

#[test]
fn what_the_host_does_otherwise_has_a_code_of_its_own() {
    let ran = run(claude().args([JSON]), &prompt("other"));
    assert_eq!((ran.ended, &*ran.out), (Ended::with(DEVIATED), ""));
    assert!(
        ran.err.contains("  where:    message.content\n  expected: \"one\"\n  came:     \"other\"\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.ends_with("this is start 1 of 2 in the recording, whose arguments fit best; with a folder for what was played (--state) they come one after the other\n"), "{}", ran.err);
    let lenient = run(claude().args([JSON]).lenient(true), &prompt("other"));
    assert!(lenient.out.contains("One.") && lenient.ended == Ended::with(4), "{}", lenient.err);
    let ignored = run(claude().args([JSON]).ignore("message.content"), &prompt("other"));
    assert!(ignored.out.contains("One.") && ignored.ended == Ended::with(4), "{}", ignored.err);
    let strict = run(claude().args([JSON]).strict(true), &prompt("one"));
    assert_eq!((strict.ended, &*strict.out), (Ended::with(DEVIATED), ""));
}

#[test]
fn each_start_is_played_once_and_knows_what_those_before_were_called() {
    let folder = folder("fake-claude-state");
    let mine = "66666666-7777-8888-9999-aaaaaaaaaaaa";
    let first = run(claude().args([JSON, "--session-id", mine]).state(&folder), &prompt("one"));
    assert!(first.out.contains(mine) && !first.out.contains("11111111"), "{}", first.out);
    let again = run(claude().args([JSON, "--resume", mine]).strict(true).state(&folder), &prompt("two"));
    assert_eq!((again.ended, &*again.err), (Ended::with(0), ""));
    assert!(again.out.contains("Two.") && again.out.contains(mine), "{}", again.out);
    let third = run(claude().args([JSON]).state(&folder), "");
    assert_eq!(third.ended, Ended::with(DEVIATED));
    assert!(third.err.contains("the recording has 2 starts, and no more are played"), "{}", third.err);
}

#[test]
fn without_a_folder_the_arguments_say_which_start_it_is() {
    let resume = "--resume=11111111-2222-3333-4444-555555555555";
    let ran = run(claude().args([JSON, resume]), &prompt("two"));
    assert_eq!((ran.ended, &*ran.err), (Ended::with(0), ""));
}

#[test]
fn a_version_is_told_and_other_commands_are_not_played() {
    let ran = run(claude().args(["--version"]), "");
    assert_eq!((ran.ended, &*ran.out), (Ended::with(0), "2.1.325 (Claude Code)\n"));
    let ran = run(claude().args(["mcp", "list"]), "");
    assert_eq!((ran.ended, &*ran.out), (Ended::with(DEVIATED), ""));
    assert!(ran.err.contains("the recording has nothing that `claude mcp list` would be"), "{}", ran.err);
}

#[test]
fn time_passes_as_it_did() {
    let took = |speed: Speed| {
        let begun = Instant::now();
        let ran = run(claude().args([JSON]).speed(speed), &prompt("one"));
        assert_eq!(ran.ended, Ended::with(4));
        begun.elapsed()
    };
    assert!(took("1x".parse().unwrap()) >= Duration::from_millis(300));
    assert!(took(Speed::Times(100.0)) >= Duration::from_millis(3));
}

#[test]
fn whoever_is_waited_for_is_told_so() {
    let (reader, mut writer) = pipe().unwrap();
    let (errors, error_writer) = pipe().unwrap();
    thread::spawn(move || {
        claude().args([JSON]).patience(Duration::from_millis(20)).play(reader, std::io::sink(), error_writer);
    });
    let (told, words) = std::sync::mpsc::channel();
    thread::spawn(move || {
        BufReader::new(errors).lines().map_while(Result::ok).try_for_each(|it| told.send(it))
    });
    let next = || words.recv_timeout(Duration::from_secs(60));
    while !next().expect("it says that it waits").contains("has waited 0 s for the host") {}
    assert!(next().unwrap().starts_with("  expected: entry 2: {\"type\":\"user\""));
    writer.write_all(prompt("one").as_bytes()).unwrap();
    drop(writer);
    while let Ok(line) = next() {
        assert!(!line.contains("has waited"), "{line}");
    }
}

#[test]
fn a_host_that_does_not_read_ends_it() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (reader, mut writer) = pipe().unwrap();
    writer.write_all(prompt("one").as_bytes()).unwrap();
    assert_eq!(claude().args([JSON]).play(reader, Gone, std::io::sink()), Ended::with(0));
}

#[cfg(unix)]
#[test]
fn a_program_that_is_installed_calls_unspool() {
    let folder = folder("it's installed");
    std::fs::create_dir_all(&folder).unwrap();
    let (unspool, recording) = (folder.join("unspool"), folder.join("a 'b'.rec"));
    // It prints what it is called with, in place of the real one.
    std::fs::write(&unspool, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n").unwrap();
    std::fs::set_permissions(&unspool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&recording, RECORDING).unwrap();
    let claude = install(folder.join("bin"), &unspool, &recording, &["--speed", "1x"]).unwrap();
    let output = std::process::Command::new(&claude).args(["-p", "a b"]).output().unwrap();
    let shown =
        format!("fake-claude\n--speed\n1x\n{}\n--\n-p\na b\n", recording.canonicalize().unwrap().display());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown);
    // Over itself it may be written, over another not.
    install(folder.join("bin"), &unspool, &recording, &[""; 0]).unwrap();
    std::fs::write(&claude, "something").unwrap();
    let error = install(folder.join("bin"), &unspool, &recording, &[""; 0]).unwrap_err();
    assert!(error.to_string().contains("none of ours"), "{error}");
}
