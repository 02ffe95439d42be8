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
fn the_beginning_of_a_journal_is_known() {
    let first = "1\t0\tnote\t{}";
    for cut in 2..first.len() {
        let begin = &first.as_bytes()[..cut];
        assert!(is_begun(begin) != is_journal(begin), "{cut}");
    }
    for other in ["", "1", "2\t0\tno", "1\tx", "1\t0\tnow", "1 0 note", "1\t0\tout\n"] {
        assert!(!is_begun(other.as_bytes()), "{other:?}");
    }
}

#[test]
fn a_journal_that_knows_no_times_tells_none() {
    let told = |untimed: bool| {
        let (mut text, mut scribe) = (Vec::new(), Scribe::new());
        let mut keep = |entry: Entry<'_>| entry.write(&mut text);
        scribe.note(&Begin::default().format(FORMAT).untimed(untimed), 0, &mut keep);
        scribe.feed(Way::Out, b"{\"type\":\"system\",\"subtype\":\"init\"}\n", 0, &mut keep);
        scribe.note(&Finish::default(), 0, &mut keep);
        let (mut times, mut playback) = (Vec::new(), Playback::new(Spool::new(Grain::Blocks)));
        playback.feed(&text, |event| times.push(event.at));
        playback.finish(|event| times.push(event.at));
        assert_eq!(playback.entries(), 3);
        times
    };
    assert_eq!((told(false), told(true)), (vec![Some(0); 3], vec![None; 3]));
}

/// A writer escapes each carriage return, so one that stands in the text was put there by somebody else.
#[test]
fn what_an_editor_does_to_line_ends_harms_nothing() {
    let mut text = text_of(&[
        Entry::new(1, 0, Way::Note, b"{\"note\":\"begin\",\"format\":1}".as_slice()),
        Entry::new(2, 5, Way::Out, b"{\"a\":1}\r".as_slice()),
        Entry::new(3, 5, Way::Out, b"".as_slice()),
        Entry::new(4, 9, Way::Note, b"{\"note\":\"end\"}".as_slice()),
    ]);
    let read = |text: &str| {
        let (mut entries, mut faults, mut reader) = (Vec::new(), Vec::new(), Reader::new());
        let mut see = |entry: Result<Entry<'_>, Fault>| match entry {
            Ok(entry) => entries.push(entry.into_owned()),
            Err(fault) => faults.push(fault),
        };
        reader.feed(text.as_bytes(), &mut see);
        reader.finish(&mut see);
        (entries, faults)
    };
    let (entries, faults) = read(&text);
    assert_eq!((entries.len(), faults), (4, vec![]));
    text = text.replace('\n', "\r\n");
    assert_eq!(read(&text), (entries.clone(), vec![Fault::Converted]));
    assert!(is_journal(text.as_bytes()) && !Fault::Converted.is_loss());
    text.insert(0, '\u{feff}');
    assert!(is_journal(text.as_bytes()));
    assert_eq!(read(&text), (entries, vec![Fault::Converted]));
}

#[test]
fn what_stands_twice_is_harmless_only_if_it_is_the_same() {
    let begin = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n";
    let end = "\t9\tnote\t{\"note\":\"end\",\"code\":0}\n";
    let whole = format!("{begin}2\t1\tout\ta\n3{end}");
    let verdict = |text: &str| {
        let mut playback = Playback::new(Spool::new(Grain::Blocks));
        playback.feed(text.as_bytes(), |_| {});
        playback.finish(|_| {});
        (playback.faults().to_vec(), playback.faults().iter().any(Fault::is_loss))
    };
    assert_eq!(verdict(&whole), (vec![], false));
    let again = (1..=3).map(|number| Fault::Twice { number }).collect();
    assert_eq!(verdict(&whole.repeat(2)), (again, false), "the file twice, one behind the other");
    let other = whole.replace("out\ta", "out\tb");
    assert_eq!(verdict(&format!("{begin}2\t1\tout\ta\n2\t1\tout\tb\n3{end}")).0, [Fault::Late { number: 2 }]);
    assert!(Fault::Late { number: 2 }.is_loss());
    // Of two recordings in a file, what the second says must not be taken for what the first goes on to say.
    let longer = format!(
        "{}2\t1\tout\tx\n3\t1\tout\tx\n4\t1\tout\tx\n5{end}",
        begin.replace(":1}", ":1,\"cwd\":\"/\"}")
    );
    assert_eq!(verdict(&format!("{whole}{longer}")), (vec![Fault::Another { line: 4 }], true));
    assert_eq!(verdict(&format!("{other}{longer}3\t9\tou")), (vec![Fault::Another { line: 4 }], true));
    // Far apart, nobody remembers what it was.
    let many: String = (2..2000).map(|number| format!("{number}\t1\tout\tx\n")).collect();
    let late = verdict(&format!("{begin}{many}2\t1\tout\tx\n1999\t1\tout\tx\n2000{end}"));
    assert_eq!(late, (vec![Fault::Late { number: 2 }, Fault::Twice { number: 1999 }], true));
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
fn entries_are_handed_on_before_what_they_add() {
    let journal = "1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n2\t3\tout\t{\"type\":\"system\",\"subtype\":\"init\"}\n3\t4\terr\tx\n3\t4\terr\tx\n";
    let mut story = Vec::new();
    Playback::new(Spool::new(Grain::Blocks)).play(journal.as_bytes(), |told| {
        story.push(match told {
            Told::Entry(entry) => format!("{} {}", entry.number, entry.way),
            Told::Event(event) => event.what.name().to_owned(),
        });
    });
    assert_eq!(
        story,
        ["1 note", "2 out", "session_meta", "turn_start", "3 err"],
        "what stands twice is told once"
    );
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
