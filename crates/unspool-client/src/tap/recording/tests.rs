use super::*;
use std::fs;
use std::path::PathBuf;
use unspool::journal::{Begin, FORMAT, Fault, Finish, Reader, Scribe, Start, Way};

fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unspool-recording-file-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    let _ = fs::remove_file(&file);
    file
}

/// Numbers of the entries, and what is wrong.
fn story(text: &[u8]) -> (Vec<u64>, Vec<Fault>) {
    let (mut numbers, mut faults, mut reader) = (Vec::new(), Vec::new(), Reader::new());
    let mut see = |entry: Result<Entry<'_>, Fault>| match entry {
        Ok(entry) => numbers.push(entry.number),
        Err(fault) => faults.push(fault),
    };
    reader.feed(text, &mut see);
    reader.finish(&mut see);
    (numbers, faults)
}

/// What stands in a file, and in what is compressed as far as it can be read.
fn text_of(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return bytes;
    }
    let mut text = Vec::new();
    // A frame that is cut gives what it has, and then an error.
    let _ = io::Read::read_to_end(&mut zstd::stream::read::Decoder::new(&bytes[..]).unwrap(), &mut text);
    text
}

/// A line of text that does not compress to nothing.
fn line(number: u64, length: usize) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::with_capacity(length + 1);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        text.push(char::from(b'a' + (state >> 59) as u8 % 26));
    }
    text + "\n"
}

/// Begins or goes on, with so many lines of so many bytes; ends it, or does not.
fn write(path: &Path, lines: &[(u64, usize)], is_ended: bool) -> Option<Resumed> {
    let (mut recording, resumed) = RecordingFile::append(path).unwrap();
    let mut scribe = resumed.map_or(Scribe::new(), |it| Scribe::after(it.number, it.at));
    match &resumed {
        None => scribe.note(&Begin::default().format(FORMAT), 0, |entry| recording.take(&entry)),
        Some(_) => scribe.note(&Start::default(), 0, |entry| recording.take(&entry)),
    }
    for (number, length) in lines {
        scribe.feed(Way::Out, line(*number, *length).as_bytes(), *number, |entry| recording.take(&entry));
        recording.write().unwrap();
    }
    if is_ended {
        scribe.note(&Finish::default(), 0, |entry| recording.take(&entry));
        recording.end().unwrap();
    }
    resumed
}

const NAMES: [&str; 2] = ["a.rec", "a.rec.zst"];

#[test]
fn what_was_written_is_in_the_file_at_once() {
    for name in NAMES {
        let path = file(&format!("once-{name}"));
        let mut recording = RecordingFile::create(&path).unwrap();
        let mut scribe = Scribe::new();
        for number in 1..=300 {
            scribe.feed(Way::Out, line(number, 10).as_bytes(), number, |entry| recording.take(&entry));
            recording.write().unwrap();
            assert_eq!(story(&text_of(&path)).0.len() as u64, number, "{name}");
        }
    }
}

#[test]
fn a_recording_goes_on_behind_its_last_whole_entry_wherever_it_was_cut() {
    for name in NAMES {
        let path = file(&format!("cut-{name}"));
        // The last one is longer than a block, the one before longer than a frame.
        write(&path, &[(1, 40), (2, 40), (3, 3 << 19), (4, 400_000)], false);
        let whole = fs::read(&path).unwrap();
        let ends = [0, 1, 4, 5, 13, 14, 40, 99].into_iter().chain((0..40).map(|n| whole.len() * n / 40));
        for end in ends.chain(whole.len() - 9..=whole.len()) {
            fs::write(&path, &whole[..end]).unwrap();
            let left = text_of(&path);
            let read = story(&left).0;
            if read.is_empty() && end > 0 {
                let error = RecordingFile::append(&path).unwrap_err();
                assert_eq!(error.to_string(), "it is no recording", "{name} {end}");
                assert_eq!(fs::read(&path).unwrap(), whole[..end], "nothing is changed");
                continue;
            }
            let resumed = write(&path, &[(7, 40)], true);
            assert_eq!(resumed.map_or(0, |it| it.number), read.len() as u64, "{name} {end}");
            let text = text_of(&path);
            let (numbers, faults) = story(&text);
            assert_eq!((numbers.len(), faults), (read.len() + 3, vec![]), "{name} cut at {end}");
            let kept = memchr::memrchr(b'\n', &left).map_or(0, |end| end + 1);
            assert!(text.starts_with(&left[..kept]), "{name} {end}");
        }
    }
}

#[test]
fn frames_are_of_whole_lines_and_listed_at_the_end() {
    let path = file("list.rec.zst");
    let lines: Vec<_> = (0..250).map(|number| (number, 20_000)).collect();
    for _ in 0..3 {
        write(&path, &lines, true);
        let bytes = fs::read(&path).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len();
        assert_eq!((bytes[end - 5], number(end - 4)), (0, 0x8f92_eab1));
        let frames = number(end - 9);
        let list = end - 9 - frames * 8;
        assert_eq!((number(list - 8), number(list - 4)), (0x184d_2a5e, frames * 8 + 9));
        let (mut at, mut text) = (0, Vec::new());
        for row in 0..frames {
            let (packed, content) = (number(list + row * 8), number(list + row * 8 + 4));
            let frame = zstd::stream::decode_all(&bytes[at..at + packed]).unwrap();
            assert!(frame.len() == content && frame.ends_with(b"\n"));
            assert!(content < 1 << 21, "{content}");
            at += packed;
            text.extend(frame);
        }
        assert_eq!((at, frames > 3), (list - 8, true));
        assert_eq!(story(&text).1, []);
    }
}

#[test]
fn what_is_no_recording_is_not_gone_on_with() {
    let newer = "1\t0\tnote\t{\"note\":\"begin\",\"format\":99}\n";
    let two = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n2\t0\tnote\t{\"note\":\"end\"}\n1\t0\tnote\t{\"note\":\"begin\",\"format\":1,\"cwd\":\"/\"}\n";
    for (text, why) in [
        ("hello\n", "it is no recording"),
        ("{\"type\":\"system\"}\n", "it is no recording"),
        (newer, "it was written by a newer version"),
        (two, "there are two recordings in it"),
    ] {
        let packed = zstd::stream::encode_all(text.as_bytes(), 1).unwrap();
        for bytes in [text.as_bytes(), &packed] {
            let path = file("other");
            fs::write(&path, bytes).unwrap();
            assert_eq!(RecordingFile::append(&path).unwrap_err().to_string(), why);
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is changed");
        }
    }
    let path = file("damaged.zst");
    fs::write(&path, b"\x28\xb5\x2f\xfdhello, this is damaged").unwrap();
    assert!(RecordingFile::append(&path).is_err());
}

#[test]
fn what_another_program_compressed_is_gone_on_with_if_it_is_whole() {
    let path = file("theirs.rec.zst");
    let begin = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n2\t5\tout\thello\n";
    let mut packed = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    packed.include_checksum(true).unwrap();
    packed.write_all(begin.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    fs::write(&path, &packed).unwrap();
    assert_eq!(write(&path, &[(1, 40)], true).unwrap().number, 2);
    assert_eq!(story(&text_of(&path)), (vec![1, 2, 3, 4, 5], vec![]));
    fs::write(&path, &packed[..packed.len() - 2]).unwrap();
    assert!(RecordingFile::append(&path).is_err());
}

#[test]
fn nobody_else_may_read_it_or_write_it_meanwhile() {
    use std::os::unix::fs::PermissionsExt;
    for name in NAMES {
        let path = file(&format!("alone-{name}"));
        let first = RecordingFile::create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let is_text = name == NAMES[0];
        let second =
            if is_text { RecordingFile::create(&path) } else { RecordingFile::append(&path).map(|it| it.0) };
        assert_eq!(second.unwrap_err().kind(), ErrorKind::WouldBlock);
        drop(first);
        RecordingFile::create(&path).unwrap();
    }
    for _ in 0..2 {
        std::mem::forget(RecordingFile::create("/dev/null").unwrap());
    }
}
