//! Recordings that are compressed while they are written: everything reads them, appends to them, and finds its way in them.

use crate::bad::entries;
use crate::program::{SESSION, run, run_with, start};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use unspool::journal::{Begin, Entry, FORMAT, Fault, Finish, Note, Reader, Scribe, Way};
use unspool_client::tap::RecordingFile;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packed").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Takes a recording apart as text, compressed or not.
pub(crate) fn plain(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).unwrap();
    if !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return bytes;
    }
    let mut convert = Command::new(env!("CARGO_BIN_EXE_unspool"));
    convert.args(["convert", text(file), "--to", "recording"]).stderr(Stdio::null());
    convert.output().unwrap().stdout
}

/// Writes entry by entry, as they would come.
fn packed(file: &Path, entries: &[Entry<'_>], is_ended: bool) {
    let mut recording = RecordingFile::create(file).unwrap();
    for entry in entries {
        recording.take(entry);
        recording.write().unwrap();
    }
    if is_ended {
        recording.end().unwrap();
    }
}

/// Records a shell script.
fn record(file: &Path, flags: &[&str], script: &str) -> Option<i32> {
    let mut record = Command::new(env!("CARGO_BIN_EXE_unspool"));
    record.arg("record").args(flags).arg(file).args(["--", "/bin/sh", "-c", script]);
    record.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn a_recording_is_compressed_and_back_without_a_byte_of_difference() {
    let folder = folder("back");
    let [first, small, again] = ["a.rec", "a.rec.zst", "b.rec"].map(|name| folder.join(name));
    fs::write(&first, entries().concat()).unwrap();
    for (from, to) in [(&first, &small), (&small, &again)] {
        let ran = run(&["convert", text(from), text(to)], "");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
    }
    assert!(fs::read(&first).unwrap() == fs::read(&again).unwrap());
    assert!(fs::read(&small).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    for command in [&["events"][..], &["view"], &["check"], &["html"], &["summary"], &["cost"], &["stats"]] {
        let told = |file: &Path| {
            let ran = run(&[command, &[text(file)]].concat(), "");
            (ran.code, ran.out.replace("a.rec.zst", "a.rec"), ran.err)
        };
        assert_eq!(told(&first), told(&small), "{command:?}");
    }
    let same = run(&["convert", text(&small), text(&folder.join("c.rec.zst"))], "");
    assert!(same.code == Some(2) && same.err.contains("is a recording already"), "{same:?}");
}

#[test]
fn what_is_piped_in_is_recorded_compressed() {
    let file = folder("piped").join("run.rec.zst");
    let live = run(&["view", "--record", text(&file)], SESSION);
    let check = run(&["check", text(&file)], "");
    assert_eq!((live.code, check.code, &*check.err), (Some(0), Some(0), ""), "{live:?} {check:?}");
    assert_eq!(run(&["convert", text(&file), "--to", "stream"], "").out, SESSION);
}

#[test]
fn names_that_promise_something_else_are_refused() {
    let folder = folder("names");
    for name in ["run.rec.gz", "run.ndjson.zst", "run.rec.zstd"] {
        let file = folder.join(name);
        let ran = run(&["view", "--record", text(&file)], SESSION);
        assert_eq!((ran.code, file.exists()), (Some(2), false), "{ran:?}");
    }
}

#[test]
fn a_recording_is_gone_on_with() {
    for name in ["run.rec", "run.rec.zst"] {
        let file = folder(name).join(name);
        let says = format!("printf '%s' '{SESSION}'");
        for round in 0..3 {
            assert_eq!(record(&file, &["--append"], &says), Some(0));
            let (mut starts, mut ends, mut out, mut last) = (0, 0, Vec::new(), 0);
            let mut reader = Reader::new();
            reader.feed(&plain(&file), |entry| {
                let entry = entry.unwrap();
                match entry.note() {
                    Some(Note::Begin(_) | Note::Start(_)) => starts += 1,
                    Some(Note::Finish(_)) => ends += 1,
                    _ => {}
                }
                if entry.way == Way::Out {
                    entry.write_bytes(&mut out);
                }
                assert!(entry.at >= last);
                last = entry.at;
            });
            assert_eq!((starts, ends), (round + 1, round + 1));
            assert_eq!(String::from_utf8(out).unwrap(), SESSION.repeat(round + 1));
            let check = run(&["check", text(&file)], "");
            assert_eq!((check.code, &*check.err), (Some(0), ""), "{check:?}");
        }
        // One that was killed has half an entry, and no end.
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 40]).unwrap();
        let before = run(&["check", text(&file)], "");
        assert_eq!(before.code, Some(21), "{before:?}");
        assert_eq!(record(&file, &["--append"], &says), Some(0));
        let after = run(&["check", text(&file)], "");
        assert_eq!((after.code, &*after.err), (Some(0), ""), "{after:?}");
        // Without the flag it is made anew.
        assert_eq!(record(&file, &[], &says), Some(0));
        let anew = String::from_utf8(plain(&file)).unwrap();
        assert!(anew.contains(r#"{"note":"begin""#) && !anew.contains(r#"{"note":"start""#), "{anew}");
    }
    let other = folder("other").join("notes.rec");
    fs::write(&other, "my notes\n").unwrap();
    assert_eq!(record(&other, &["--append"], "exit 0"), Some(1));
    assert_eq!(fs::read_to_string(&other).unwrap(), "my notes\n");
    let stream = other.with_extension("ndjson");
    assert_eq!((record(&stream, &["--append"], "exit 0"), stream.exists()), (Some(2), false));
}

/// Cut at every byte: what can be read is the beginning of what was written, and nothing but all of it is ok.
#[test]
fn of_one_that_is_cut_the_beginning_is_read() {
    let folder = folder("cut");
    let file = folder.join("whole.rec.zst");
    let text_of = entries().concat();
    let mut all = Vec::new();
    Reader::new().feed(text_of.as_bytes(), |entry| all.push(entry.unwrap().into_owned()));
    packed(&file, &all, true);
    let bytes = fs::read(&file).unwrap();
    let list = bytes.len() - 8 - 8 - 9;
    let cuts = folder.join("cuts");
    fs::create_dir(&cuts).unwrap();
    for length in 1..=bytes.len() {
        fs::write(cuts.join(format!("{length:05}.rec.zst")), &bytes[..length]).unwrap();
    }
    let ran = run(&["check", text(&cuts)], "");
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    let good: Vec<_> = ran.out.lines().filter(|line| line.contains(": ok:")).collect();
    assert_eq!(good.len(), 2, "whole, and without its list: {good:?}");
    for (line, length) in good.iter().zip([list, bytes.len()]) {
        assert!(line.contains(&format!("{length:05}.rec.zst")), "{line}");
    }
    let mut most = 0;
    for length in (20..bytes.len()).step_by(37).chain([list - 1, list, list + 1]) {
        let read = plain(&cuts.join(format!("{length:05}.rec.zst")));
        assert!(text_of.as_bytes().starts_with(&read) && read.len() >= most.min(read.len()), "{length}");
        most = most.max(read.len());
    }
    assert_eq!(most, text_of.len());
}

/// Several frames, with their list and without, and not compressed: from any place on it is the same.
#[test]
fn a_place_in_the_middle_is_found() {
    let folder = folder("middle");
    let (mut all, mut scribe) = (Vec::new(), Scribe::new());
    let mut keep = |entry: Entry<'_>| all.push(entry.into_owned());
    scribe.note(&Begin::default().format(FORMAT), 0, &mut keep);
    for number in 0..900_u64 {
        // One is longer than a frame.
        let length = if number == 500 { 1_500_000 } else { 4000 };
        let line = format!("{{\"n\":{number},\"pad\":\"{}\"}}\n", "x".repeat(length));
        scribe.feed(Way::Out, line.as_bytes(), number * 10, &mut keep);
    }
    scribe.note(&Finish::default().code(0_u64), 9000, &mut keep);
    let plain = folder.join("run.rec");
    let mut text_of = Vec::new();
    all.iter().for_each(|entry| entry.write(&mut text_of));
    fs::write(&plain, &text_of).unwrap();
    let [ended, killed] = ["ended.rec.zst", "killed.rec.zst"].map(|name| folder.join(name));
    packed(&ended, &all, true);
    packed(&killed, &all[..880], false);
    for (from, to) in
        [("2", "5"), ("450", "451"), ("502", "503"), ("870", "871"), ("4.5s", "4505ms"), ("0s", "10ms")]
    {
        let played = |file: &Path| {
            let args = ["replay", text(file), "--as", "stream", "--speed", "max", "--from", from, "--to", to];
            let ran = run_with(&args, "", &[]);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", file.display());
            ran.out
        };
        let numbers: Vec<u64> = played(&plain)
            .lines()
            .map(|line| line[5..].split(',').next().unwrap().parse().unwrap())
            .collect();
        let expected: Vec<u64> = match from.parse::<u64>() {
            Ok(first) => (first - 2..=to.parse::<u64>().unwrap() - 2).collect(),
            Err(_) if from == "0s" => vec![0, 1],
            Err(_) => vec![450],
        };
        assert_eq!(numbers, expected, "{from}");
        assert!(played(&plain) == played(&ended) && played(&plain) == played(&killed), "{from}");
    }
    let ran = run(&["replay", text(&ended), "--as", "stream", "--speed", "max", "--from", "9999"], "");
    assert!(ran.code == Some(1) && ran.err.contains("ends before number 9999"), "{ran:?}");
}

#[test]
fn what_is_left_of_a_killed_one_has_no_gap() {
    let file = folder("killed").join("run.rec.zst");
    let mut all = Vec::new();
    Reader::new().feed(entries().concat().as_bytes(), |entry| all.push(entry.unwrap().into_owned()));
    packed(&file, &all[..4], false);
    let mut faults = Vec::new();
    let (mut reader, mut count) = (Reader::new(), 0);
    let mut see = |entry: Result<Entry<'_>, Fault>| match entry {
        Ok(_) => count += 1,
        Err(fault) => faults.push(fault),
    };
    reader.feed(&plain(&file), &mut see);
    reader.finish(&mut see);
    assert_eq!((count, faults), (4, vec![Fault::NoEnd]));
    let check = run(&["check", text(&file)], "");
    assert_eq!(check.code, Some(21), "{check:?}");
}

/// Ends with its value, whatever the test finds.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Block by block, from frame to frame, and from one program to the next.
#[test]
fn a_view_follows_one_as_it_is_written() {
    let file = folder("follow").join("run.rec.zst");
    let mut recording = RecordingFile::create(&file).unwrap();
    let mut scribe = Scribe::new();
    scribe.note(&Begin::default().format(FORMAT), 0, |entry| recording.take(&entry));
    recording.write().unwrap();
    let mut child = Ended(start(&["view", "--follow", text(&file)]));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    for number in 0..6 {
        let said = if number == 3 { "x".repeat(1_200_000) } else { format!("word {number}.") };
        let line = format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"m{number}\",\"content\":[{{\"type\":\"text\",\"text\":\"{said}\"}}]}}}}\n"
        );
        scribe.feed(Way::Out, line.as_bytes(), number, |entry| recording.take(&entry));
        recording.write().unwrap();
        if number != 3 {
            assert!(lines.any(|line| line.contains(&said)), "{number}");
        }
    }
}
