//! Bad input: whatever a recording has suffered, each command says in one sentence what it is, and none takes it for a session that
//! went well.

use crate::program::{SESSION, ended, run, start};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Commands that read a session, and show it in their own way.
const COMMANDS: &[&[&str]] = &[
    &["events"],
    &["events", "--grain", "deltas"],
    &["view"],
    &["check"],
    &["check", "--json"],
    &["summary"],
    &["html"],
    &["cost"],
    &["cost", "--by", "model"],
    &["stats"],
];

/// The session as a recording, entry by entry.
pub(crate) fn entries() -> Vec<String> {
    let begin = r#"{"note":"begin","format":1,"argv":["claude","-p"]}"#;
    let prompt = r#"{"type":"user","message":{"role":"user","content":"Say hello."}}"#;
    let end = r#"{"note":"end","code":0}"#;
    let lines = SESSION.lines().map(|line| ("out", line));
    let ways = [("note", begin), ("in", prompt)]
        .into_iter()
        .chain(lines)
        .chain([("err%", "%1B[1mx"), ("note", end)]);
    ways.enumerate().map(|(at, (way, text))| format!("{}\t{}\t{way}\t{text}\n", at + 1, at * 7)).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

/// What a recording may have suffered: the file, the exit code of `check`, and what is said on standard error.
fn table() -> Vec<(&'static str, Vec<u8>, i32, &'static str)> {
    let entries = entries();
    let all = |entries: &[String]| entries.concat().into_bytes();
    let whole = all(&entries);
    let without = |at: usize| [&entries[..at], &entries[at + 1..]].concat();
    let mut swapped = entries.clone();
    swapped.swap(3, 4);
    let doubled = [&entries[..4], &entries[3..]].concat();
    let contradicted = [&entries[..4], &[entries[3].replace("Hello", "Bye")], &entries[4..]].concat();
    let foreign = [entries[..3].to_vec(), vec!["# a remark\n".to_owned()], entries[3..].to_vec()].concat();
    let converted = entries.concat().replace('\n', "\r\n");
    let marked = format!("\u{feff}{converted}");
    let noise: Vec<u8> = (0..9000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
    let mut damaged = zstd(&b"0123456789".repeat(100_000));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 9].fill(0xff);
    damaged.extend([0; 99]);
    let packed = [gzip(&whole), zstd(&whole)];
    let cut_pack = |packed: &[u8]| packed[..packed.len() / 2].to_vec();
    vec![
        ("whole", whole.clone(), 0, ""),
        ("packed.gz", packed[0].clone(), 0, ""),
        ("packed.zst", packed[1].clone(), 0, ""),
        ("empty", vec![], 30, ""),
        (
            "cut-in-the-first-entry",
            whole[..9].to_vec(),
            21,
            "the recording is cut in the middle of an entry; 0 entries of it can be read",
        ),
        (
            "cut-in-an-entry",
            whole[..whole.len() - 60].to_vec(),
            21,
            "the recording is cut in the middle of an entry; 4 entries of it can be read",
        ),
        ("cut-behind-an-entry", all(&entries[..6]), 21, ""),
        (
            "cut-before-the-last-line-feed",
            whole[..whole.len() - 1].to_vec(),
            21,
            "the recording is cut in the middle of an entry; 6 entries of it can be read",
        ),
        ("cut.gz", cut_pack(&packed[0]), 21, "the recording is cut in the middle of an entry"),
        ("cut.zst", cut_pack(&packed[1]), 21, ""),
        (
            "newer",
            entries.concat().replace("\"format\":1", "\"format\":9").into_bytes(),
            0,
            "the recording has format 9, and this version knows 1: what it does not know is passed over; 7 entries of it can be read",
        ),
        (
            "newer-way",
            entries.concat().replace("\terr%\t", "\tside\t").into_bytes(),
            21,
            "entry 6 of the recording is of a kind that this version does not know; 6 entries of it can be read",
        ),
        (
            "swapped",
            all(&swapped),
            21,
            "entry 4 of the recording is missing; entry 4 of the recording stands twice, or behind a later one; 6 entries of it can be read",
        ),
        ("doubled", all(&doubled), 0, "entry 4 of the recording stands twice; 7 entries of it can be read"),
        (
            "contradicted",
            all(&contradicted),
            21,
            "entry 4 of the recording stands twice, or behind a later one; 7 entries of it can be read",
        ),
        ("missing", all(&without(3)), 21, "entry 4 of the recording is missing; 6 entries of it can be read"),
        (
            "headless",
            all(&without(0)),
            21,
            "entry 1 of the recording is missing; 6 entries of it can be read",
        ),
        (
            "foreign-line",
            all(&foreign),
            21,
            "line 4 of the recording is no entry; 7 entries of it can be read",
        ),
        (
            "converted",
            converted.into_bytes(),
            0,
            "the line ends of the recording were converted, which harms nothing; 7 entries of it can be read",
        ),
        (
            "marked",
            marked.into_bytes(),
            0,
            "the line ends of the recording were converted, which harms nothing; 7 entries of it can be read",
        ),
        (
            "another",
            [&whole[..], &entries.concat().replace("[\"claude\",\"-p\"]", "[\"claude\"]").into_bytes()]
                .concat(),
            21,
            "another recording begins in line 8, and nothing from there on is read; 7 entries of it can be read",
        ),
        (
            "noise",
            noise.clone(),
            1,
            "it is no text, so it is neither a recording or stream of Claude Code nor a transcript",
        ),
        (
            "noise.zst",
            zstd(&noise),
            1,
            "it is no text, so it is neither a recording or stream of Claude Code nor a transcript",
        ),
        ("words.zst", zstd(b"Dear diary,\n"), 30, ""),
        ("damaged.zst", damaged, 1, "cannot read "),
    ]
}

/// Each command, on a file and on a pipe: no panic, at most one sentence, and an exit code that says what there is.
#[test]
fn what_a_recording_has_suffered_is_said_in_a_sentence() {
    let folder = folder("table");
    let mut wrong = Vec::new();
    for (name, bytes, code, said) in table() {
        let file = folder.join(name);
        fs::write(&file, &bytes).unwrap();
        for command in COMMANDS {
            let named = run(&[command, &[file.to_str().unwrap()][..]].concat(), "");
            let mut child = start(command);
            // Whoever has seen enough reads no further.
            let _ = child.stdin.take().unwrap().write_all(&bytes);
            for ran in [named, ended(child)] {
                let is_judge = matches!(command[0], "check" | "view");
                let expected = if is_judge || code == 1 { code } else { 0 };
                let one =
                    ran.err.lines().count() <= 1 && (ran.err.is_empty() || ran.err.starts_with("unspool: "));
                // What is whole needs no words, and of what has nothing in it some commands say so.
                let may_say = !said.is_empty()
                    || ["empty", "words.zst", "cut.zst"].contains(&name)
                    || ran.err.is_empty();
                if ran.code != Some(expected) || !one || !may_say || !ran.err.contains(said) {
                    wrong.push(format!("{command:?} of {name}: {:?} {}", ran.code, ran.err));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What can be read is converted, and what is none of Claude Code's is refused.
#[test]
fn what_a_recording_has_suffered_is_converted_as_far_as_it_goes() {
    let folder = folder("converted");
    for (name, bytes, code, said) in table() {
        let file = folder.join(name);
        fs::write(&file, &bytes).unwrap();
        for form in ["events", "stream"] {
            let ran = run(&["convert", file.to_str().unwrap(), "--to", form], "");
            let what = format!("{form} of {name}: {ran:?}");
            let is_one = code != 1 && !["empty", "words.zst", "cut.zst"].contains(&name);
            assert_eq!(ran.code, Some(i32::from(!is_one)), "{what}");
            let (lost, other): (Vec<_>, Vec<_>) =
                ran.err.lines().partition(|line| line.starts_with("unspool: lost: "));
            assert!(!ran.err.contains("panicked") && other.len() <= 1 && ran.err.contains(said), "{what}");
            // Of a stream nobody could see any more that some of it is missing.
            let says_so = lost.iter().any(|line| line.contains("lost: that some of it is missing: "));
            assert_eq!(says_so, form == "stream" && is_one && code == 21, "{what}");
            let told = run(&["events", file.to_str().unwrap()], "");
            assert!(form == "stream" || !is_one || told.out == ran.out, "{what}");
        }
    }
}

#[test]
fn a_folder_without_recordings_is_named_and_one_with_them_is_read() {
    let folder = folder("folder");
    for command in COMMANDS {
        let ran = run(&[command, &[folder.to_str().unwrap()][..]].concat(), "");
        assert_eq!(ran.code, Some(1), "{command:?}: {ran:?}");
        let why = "there is no transcript, no recording and no recorded stream in this folder\n";
        assert!(
            ran.err.starts_with("unspool: cannot read ") && ran.err.ends_with(why),
            "{command:?}: {ran:?}"
        );
    }
    fs::write(folder.join("run.rec"), entries().concat()).unwrap();
    assert_eq!(run(&["check", folder.to_str().unwrap()], "").out, "ok: the last turn completed\n");
}

/// Cut anywhere, compressed or not, behind its last entry too: what is left is never taken for a session that went well.
#[test]
fn a_recording_that_is_cut_is_never_ok() {
    let whole = entries().concat().into_bytes();
    for (ending, bytes) in [("rec", whole.clone()), ("rec.gz", gzip(&whole)), ("rec.zst", zstd(&whole))] {
        let folder = folder(&format!("cut-{ending}"));
        for length in 1..=bytes.len() {
            fs::write(folder.join(format!("{length:05}.{ending}")), &bytes[..length]).unwrap();
        }
        let ran = run(&["check", folder.to_str().unwrap()], "");
        let lines: Vec<&str> = ran.out.lines().collect();
        let good: Vec<_> = lines.iter().filter(|line| line.contains(": ok:")).collect();
        let all = format!("{:05}.{ending}: ok: the last turn completed", bytes.len());
        assert!(good.len() == 1 && good[0].ends_with(&all), "{good:?}");
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        // What is cut in its first letters may be anything.
        let cut = lines.iter().filter(|line| line.contains(": truncated: ")).count();
        assert!(cut + 5 > bytes.len(), "{cut} of {} are known to be cut", bytes.len());
    }
}
