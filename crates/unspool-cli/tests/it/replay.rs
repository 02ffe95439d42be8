//! `unspool replay`: what is played again is what was shown and told, for every session that there is.

use crate::program::{Ran, SESSION, run, run_with, start};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use unspool::journal::{Begin, Entry, FORMAT, Finish, Scribe, Way};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

/// Files of the fixtures whose names end so.
fn fixtures(ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(FIXTURES)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 20, "{ending}: {}", files.len());
    files
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Does this with each of them, as many at a time as there are processors.
fn each(files: &[PathBuf], check: impl Fn(usize, &Path) + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for first in 0..threads {
            let check = &check;
            scope.spawn(move || {
                for (at, file) in files.iter().enumerate().skip(first).step_by(threads) {
                    check(at, file);
                }
            });
        }
    });
}

/// Runs the program; what it writes may be any bytes.
fn bytes(args: &[&str], input: &Path) -> (Option<i32>, Vec<u8>) {
    let input = fs::File::open(input).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
    program.args(args).env("COLUMNS", "100").stdin(input).stderr(Stdio::null());
    let output = program.output().unwrap();
    (output.status.code(), output.stdout)
}

#[test]
fn streams_and_transcripts_are_played_as_they_are_told() {
    let files = [fixtures("ndjson"), fixtures("jsonl")].concat();
    each(&files, |_, file| {
        let name = text(file);
        let replayed =
            |from: &str, form: &str| bytes(&["replay", from, "--speed", "max", "--as", form], file).1;
        assert!(replayed(name, "stream") == fs::read(file).unwrap(), "the stream of {name}");
        assert!(replayed(name, "events") == bytes(&["events", name], file).1, "the events of {name}");
        assert!(replayed("-", "events") == bytes(&["events"], file).1, "the events of {name}, piped in");
    });
}

#[test]
fn what_was_recorded_while_it_was_shown_is_shown_again() {
    let scratch = folder("shown");
    each(&fixtures("ndjson"), |at, file| {
        let recording = scratch.join(format!("{at}.rec"));
        let live = bytes(&["view", "--record", text(&recording)], file);
        let again = bytes(&["replay", text(&recording), "--speed", "max"], file);
        assert!(live == again, "{}\n{}", text(file), String::from_utf8_lossy(&again.1));
        let stream = bytes(&["replay", text(&recording), "--speed", "max", "--as", "stream"], file).1;
        assert!(stream == fs::read(file).unwrap(), "the stream of {}", text(file));
    });
}

/// A journal and a bare stream with its times, both of the same session.
fn twins(folder: &Path, name: &str, stream: &[u8]) -> (PathBuf, PathBuf) {
    let (bare, whole) = (folder.join(format!("{name}.ndjson")), folder.join(format!("{name}.rec")));
    let mut rows = "# t_ms\tdir\tline\tbytes\ttext\n".to_owned();
    let (mut journal, mut scribe) = (Vec::new(), Scribe::new());
    let mut keep = |entry: Entry<'_>| entry.write(&mut journal);
    scribe.note(&Begin::default().format(FORMAT), 0, &mut keep);
    let mut number = 0;
    for line in stream.split_inclusive(|byte| *byte == b'\n') {
        number += 1;
        rows.push_str(&format!("{}\tout\t{number}\t{}\n", number * 7, line.len()));
        scribe.feed(Way::Out, line, number * 7, &mut keep);
    }
    scribe.close(Way::Out, &mut keep);
    let end = number * 7 + 3;
    rows.push_str(&format!("{end}\tend\t{number}\t{}\t{{}}\n", stream.len()));
    scribe.note(&Finish::default().code(0_u64), end, &mut keep);
    fs::write(&bare, stream).unwrap();
    fs::write(folder.join(format!("{name}.ndjson.times")), rows).unwrap();
    fs::write(&whole, journal).unwrap();
    (bare, whole)
}

#[test]
fn a_recording_and_a_stream_with_its_times_say_the_same() {
    let scratch = folder("twins");
    each(&fixtures("ndjson"), |at, file| {
        let (bare, whole) = twins(&scratch, &at.to_string(), &fs::read(file).unwrap());
        for args in [
            &["events"][..],
            &["view"],
            &["html"],
            &["cost"],
            &["check", "--json", "--fail-on", "denied,empty"],
        ] {
            let of = |recording: &Path| bytes(&[args, &[text(recording)]].concat(), file);
            // A bill has the name of the file in it.
            let plain = |told: Vec<u8>| String::from_utf8_lossy(&told).replace(".ndjson", ".rec");
            let (one, other) = (of(&bare), of(&whole));
            assert_eq!((one.0, plain(one.1)), (other.0, plain(other.1)), "{args:?} {}", text(file));
        }
        let events = bytes(&["events", text(&whole)], file).1;
        for recording in [&bare, &whole] {
            let replayed = bytes(&["replay", text(recording), "--speed", "max", "--as", "events"], file).1;
            assert!(replayed == events, "{}", text(file));
        }
    });
}

/// When each line of what the program writes comes, in milliseconds since it was started.
fn times(args: &[&str]) -> Vec<(u128, String)> {
    let began = Instant::now();
    let mut child = start(args);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let times = lines.map(|line| (began.elapsed().as_millis(), line.unwrap())).collect();
    assert!(child.wait().unwrap().success());
    times
}

/// A turn of one line each at 0, 400, 800 and 1200 ms, and 2 s of silence before the last.
fn recorded(name: &str) -> PathBuf {
    let file = folder(name).join("run.ndjson");
    fs::write(&file, SESSION.to_owned() + SESSION).unwrap();
    let rows: String = [0, 400, 800, 1200, 1600, 3600]
        .iter()
        .zip(1..)
        .map(|(at, line)| format!("{at}\tout\t{line}\t1\n"))
        .collect();
    fs::write(file.with_extension("ndjson.times"), rows).unwrap();
    file
}

#[test]
fn what_is_played_comes_when_it_came() {
    let file = recorded("times");
    for (form, speed, wait) in [
        ("stream", "4x", None),
        ("events", "4x", None),
        ("view", "4x", None),
        ("stream", "4x", Some("100ms")),
    ] {
        let mut args = vec!["replay", text(&file), "--as", form, "--speed", speed];
        args.extend(wait.iter().flat_map(|wait| ["--max-wait", wait]));
        let came = times(&args);
        let (first, last) = (came.first().unwrap().0, came.last().unwrap().0);
        // The last wait is 500 ms, or cut to 100.
        let least = if wait.is_some() { 480 } else { 880 };
        assert!(last - first >= least && last - first < least + 3000, "{args:?}: {came:?}");
    }
    let began = Instant::now();
    assert_eq!(run(&["replay", text(&file), "--speed", "max"], "").code, Some(0));
    assert!(began.elapsed() < Duration::from_secs(3), "nothing is waited for");
}

#[test]
fn without_times_lines_come_evenly_and_that_is_said() {
    let ran = run(&["replay", "-", "--as", "stream", "--speed", "100x"], SESSION);
    assert_eq!((ran.code, &*ran.out), (Some(0), SESSION));
    assert_eq!(
        ran.err,
        "unspool: standard input: nobody knows when its lines came; they are played evenly, 20 a second\n"
    );
    assert_eq!(run(&["replay", "-", "--speed", "max"], SESSION).err, "", "then it does not matter");
}

#[test]
fn a_part_of_it_is_played() {
    let file = recorded("part");
    let part = |places: &[&str], form: &str| -> Ran {
        let args = [&["replay", text(&file), "--speed", "max", "--as", form], places].concat();
        run_with(&args, "", &[])
    };
    let lines: Vec<&str> = SESSION.lines().chain(SESSION.lines()).collect();
    for (places, from, to) in [
        (&["--from", "turn:2"][..], 4, 6),
        (&["--to", "turn:1"], 1, 3),
        (&["--from", "turn:2", "--to", "turn:2"], 4, 6),
        (&["--from", "2", "--to", "3"], 2, 3),
        (&["--from", "0.5s", "--to", "1600ms"], 3, 5),
        (&["--from", "1:00:00", "--to", "1"], 7, 6),
    ] {
        let ran = part(places, "stream");
        let expected: String = lines[from - 1..to].iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(ran.out, expected, "{places:?}");
        let is_there = from <= to;
        assert_eq!(ran.code, Some(if is_there { 0 } else { 1 }), "{ran:?}");
        let of_lines = |out: &str| -> Vec<u64> {
            let line =
                |event: &str| serde_json::from_str::<serde_json::Value>(event).unwrap()["line"].as_u64();
            out.lines().filter_map(line).collect()
        };
        let told = of_lines(&part(places, "events").out);
        assert!(told.iter().all(|line| (from as u64..=to as u64).contains(line)), "{places:?} {told:?}");
        assert!(told.is_empty() != is_there, "{places:?}");
    }
    let late = part(&["--from", "1:00:00"], "view");
    assert_eq!((late.code, &*late.out), (Some(1), ""));
    assert!(late.err.ends_with("run.ndjson ends before 1h 00m\n"), "{}", late.err);
    // What comes before it has happened, and is not shown.
    let second = part(&["--from", "turn:2"], "view");
    assert!(second.out.contains("turn 2") && !second.out.contains("opus\n"), "{}", second.out);
    assert!(second.out.contains("2 turns"), "{}", second.out);
    let first = part(&["--to", "turn:1"], "view");
    assert_eq!(first.code, Some(0));
    assert!(first.out.contains("Hello") && !first.out.contains("turn 2"), "{}", first.out);
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let file = recorded("gone");
    let mut child = start(&["replay", text(&file), "--as", "events"]);
    let mut one = [0];
    child.stdout.take().unwrap().read_exact(&mut one).unwrap();
    let began = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(3), "it was not noticed");
}

#[test]
fn wrong_calls_are_2() {
    for args in [
        &["replay"][..],
        &["replay", "x", "--speed", "0"],
        &["replay", "x", "--from", "soon"],
        &["replay", "x", "--as", "pictures"],
        &["replay", "x", "--record", "y.rec"],
    ] {
        assert_eq!(run(args, "").code, Some(2), "{args:?}");
    }
    assert_eq!(run(&["replay", "no/such/file"], "").code, Some(1));
}

#[test]
fn that_there_is_nothing_to_play_is_said() {
    for (input, why) in [("", "there is nothing in it"), ("words\n", "no line in it is one of Claude Code's")]
    {
        let ran = run(&["replay", "-", "--as", "stream", "--speed", "max"], input);
        assert_eq!((ran.code, &*ran.out), (Some(0), input));
        assert_eq!(ran.err, format!("unspool: standard input: {why}\n"));
    }
}
