use super::*;
use crate::line::End;
use crate::{Grain, Spool, Verdict, properties};
use proptest::prelude::*;

fn text_of(entries: &[Entry<'_>]) -> String {
    let mut text = Vec::new();
    entries.iter().for_each(|entry| entry.write(&mut text));
    String::from_utf8(text).unwrap()
}

/// What is read of a text: numbers of entries, and sentences on what is wrong.
fn story(text: &str) -> Vec<String> {
    let (mut story, mut reader) = (Vec::new(), Reader::new());
    let mut see = |entry: Result<Entry<'_>, Fault>| match entry {
        Ok(entry) => story.push(format!("{} {}", entry.number, entry.way)),
        Err(fault) => story.push(fault.to_string()),
    };
    reader.feed(text.as_bytes(), &mut see);
    reader.finish(&mut see);
    story
}

#[test]
fn each_entry_is_a_line_that_people_can_look_at() {
    let open = Entry { end: End::Stream, ..Entry::new(4, 9, Way::Out, b"{\"cut".as_slice()) };
    let entries = [
        Entry::new(1, 0, Way::Note, b"{\"note\":\"begin\"}".as_slice()),
        Entry::new(2, 5, Way::In, "{\"a\":\"tab\tand 100 % é\u{2028}\"}".as_bytes()),
        Entry::new(3, 7, Way::Err, b"50 %\x1b[1m\xff\r".as_slice()),
        open,
        Entry { end: End::Stream, ..Entry::new(5, 9, Way::Err, b"\0".as_slice()) },
        Entry::new(6, 9, Way::Out, b"".as_slice()),
        Entry::new(7, 9, Way::Out, "\u{9b}31m".as_bytes()),
    ];
    let text = text_of(&entries);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1..],
        [
            "2\t5\tin\t{\"a\":\"tab\tand 100 % é\u{2028}\"}",
            "3\t7\terr%\t50 %25%1B[1m%FF%0D",
            "4\t9\tout-\t{\"cut",
            "5\t9\terr%-\t%00",
            "6\t9\tout\t",
            "7\t9\tout%\t%C2%9B31m",
        ]
    );
    let mut read = Vec::new();
    Reader::new().feed(text.as_bytes(), |entry| read.push(entry.unwrap().into_owned()));
    assert_eq!(read, entries);
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_read() {
    let begin = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n";
    let end = "\t9\tnote\t{\"note\":\"end\",\"code\":0}\n";
    let no_end = "the recording has no end: whoever wrote it was stopped, or still writes";
    for (text, expected) in [
        (String::new(), vec![no_end]),
        (format!("{begin}2{end}"), vec!["1 note", "2 note"]),
        (begin.to_owned(), vec!["1 note", no_end]),
        (format!("{begin}2\t3\tou"), vec!["1 note", "the recording is cut in the middle of an entry"]),
        (format!("{begin}4{end}"), vec!["1 note", "entries 2 to 3 of the recording are missing", "4 note"]),
        (format!("2{end}"), vec!["entry 1 of the recording is missing", "2 note"]),
        (
            format!("{begin}2\t1\tout\ta\n2\t1\tout\tb\n3{end}"),
            vec!["1 note", "2 out", "entry 2 of the recording stands twice, or behind a later one", "3 note"],
        ),
        (
            format!("{begin}hello\n\n2\t1\tout%\t%zz\n3\t1\tother\tx\n4{end}"),
            vec![
                "1 note",
                "line 2 of the recording is no entry",
                "line 3 of the recording is no entry",
                "line 4 of the recording is no entry",
                "entry 2 of the recording is missing",
                "entry 3 of the recording is of a kind that this version does not know",
                "4 note",
            ],
        ),
        (
            format!(
                "1\t0\tnote\t{{\"note\":\"begin\",\"format\":2}}\n2\t1\tnote\t{{\"note\":\"new\"}}\n3{end}"
            ),
            vec![
                "the recording has format 2, and this version knows 1: what it does not know is passed over",
                "1 note",
                "2 note",
                "3 note",
            ],
        ),
        (format!("{begin}2{end}3\t10\tout\tx\n"), vec!["1 note", "2 note", "3 out", no_end]),
        (format!("01\t0\tnote\tx\n0\t0\tout\tx\n-1\t0\tout\tx\n{begin}2{end}"), {
            let odd = ["line 1 of the recording is no entry", "line 2 of the recording is no entry"];
            [&odd[..], &["line 3 of the recording is no entry", "1 note", "2 note"]].concat()
        }),
    ] {
        assert_eq!(story(&text), expected, "{text}");
    }
}

#[test]
fn a_journal_ends_as_its_end_says() {
    let turn = "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"4\",\"session_id\":\"s\"}\n";
    let verdict = |end: Option<Finish<'_>>| {
        let (mut text, mut scribe) = (Vec::new(), Scribe::new());
        let mut keep = |entry: Entry<'_>| entry.write(&mut text);
        scribe.note(&Begin::default().format(FORMAT), 0, &mut keep);
        scribe.feed(Way::Out, turn.as_bytes(), 3, &mut keep);
        if let Some(end) = end {
            scribe.note(&end, 4, &mut keep);
        }
        let mut verdict = None;
        let mut playback = Playback::new(Spool::new(Grain::Blocks));
        playback.feed(&text, |_| {});
        playback.finish(|event| {
            if let crate::event::What::Finished { verdict: said, reason, .. } = event.what {
                verdict = Some((said, reason.to_string()));
            }
        });
        verdict.unwrap()
    };
    let hung = Finish::default().cut("hung").why("no line for 300 s");
    assert_eq!(verdict(Some(Finish::default().code(0_u64))).0, Verdict::Ok);
    assert_eq!(verdict(Some(hung)), (Verdict::Hung, "no line for 300 s".into()));
    assert_eq!(verdict(Some(Finish::default().left("a command at work"))).0, Verdict::Truncated);
    assert_eq!(verdict(None), (Verdict::Truncated, Fault::NoEnd.to_string()));
}

#[test]
fn a_scribe_goes_on_where_another_stopped() {
    let mut text = Vec::new();
    let mut scribe = Scribe::after(41, 1000);
    scribe.feed(Way::Err, b"x\n", 5, |entry| entry.write(&mut text));
    assert_eq!(text, b"42\t1000\terr\tx\n", "times never go back");
}

proptest! {
    #[test]
    fn any_stream_is_kept(
        stream in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'%')], 0..400),
        piece in 1_usize..50,
    ) {
        properties::journals_keep_streams(&stream, piece);
    }

    #[test]
    fn any_damage_is_survived(
        lines in proptest::collection::vec((0_u64..9, prop::sample::select(vec!["out", "in", "note", "x"]), ".{0,9}"), 0..12),
        cut in 0_usize..300,
    ) {
        let mut text = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n".to_owned();
        for (number, way, words) in lines {
            text.push_str(&format!("{number}\t{number}\t{way}\t{words}\n"));
        }
        properties::damaged_journals_are_read(text.as_bytes(), cut);
    }
}
