use super::*;
use crate::linear;
use crate::sheet::Paper;
use crate::story::tests::{events, sessions};
use crate::view::wrap::width;
use serde_json::Value as Told;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::event::Event;
use unspool::journal::{Playback, Reader, Told as Played, Way};
use unspool::transcript::Transcript;
use unspool::{Grain, Spool};

fn take(name: &str, events: &[Event<'_>]) -> Take {
    let mut take = Take::new(name);
    events.iter().for_each(|event| take.step(event));
    take
}

fn of(lines: &[&str]) -> Take {
    take("x", &Spool::read(Grain::Blocks, lines.join("\n").as_bytes()))
}

fn of_file(path: &Path) -> Take {
    take(&path.display().to_string(), &events(path))
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn shown(comparison: &Comparison<'_>, layout: Layout) -> String {
    lines(comparison, layout).join("\n")
}

fn plain(width: usize) -> Layout {
    Layout::new(Paper::new(width))
}

#[test]
fn a_run_is_the_same_as_itself() {
    for path in sessions() {
        let (one, other) = (of_file(&path), of_file(&path));
        let comparison = Comparison::of(&one, &other);
        assert!(comparison.is_same(), "{}: {}", path.display(), shown(&comparison, plain(100)));
        assert_eq!(comparison.unknowns().count(), 0, "{}", path.display());
        assert_eq!(lines(&comparison, plain(10_000)).len(), 4, "{}", path.display());
        let told = json(&comparison);
        for agents in told["agents"].as_array().unwrap() {
            assert_eq!(agents["same"], true);
            let mut turns = agents["turns"].as_array().unwrap().iter();
            assert!(turns.all(|turns| turns["differ"] == Told::Array(Vec::new())), "{}", path.display());
        }
    }
}

/// Exchanges `a` and `b` wherever they are names or sides; of what stands alone on either side, A's comes first.
fn mirrored(told: &Told) -> Told {
    let exchanged = |name: &str| match name {
        "a" => "b".to_owned(),
        "b" => "a".to_owned(),
        "only_a" => "only_b".to_owned(),
        "only_b" => "only_a".to_owned(),
        name => name.to_owned(),
    };
    match told {
        Told::Object(fields) => {
            let field = |(name, value): (&String, &Told)| {
                // Fields of a call are called as its tool calls them.
                if name == "input" {
                    return (name.clone(), value.clone());
                }
                let is_side = matches!(&**name, "only" | "side") && value.is_string();
                let value = if is_side { exchanged(value.as_str().unwrap()).into() } else { mirrored(value) };
                (exchanged(name), value)
            };
            Told::Object(fields.iter().map(field).collect())
        }
        Told::Array(items) => Told::Array(items.iter().map(mirrored).collect()),
        other => other.clone(),
    }
}

/// What stands alone on one side, in runs, in one order.
fn in_order(told: &mut Told) {
    let rank = |told: &Told| match (&told["a"], &told["b"], told["only"].as_str(), told["side"].as_str()) {
        (_, _, Some("a"), _) | (_, _, _, Some("a")) => 1,
        (_, _, Some("b"), _) | (_, _, _, Some("b")) => 2,
        (a, b, ..) if told.get("a").is_some() && b.is_null() && !a.is_null() => 1,
        (a, b, ..) if told.get("a").is_some() && a.is_null() && !b.is_null() => 2,
        _ => 0,
    };
    match told {
        Told::Array(items) => {
            items.iter_mut().for_each(in_order);
            for run in items.chunk_by_mut(|one, other| (rank(one) == 0) == (rank(other) == 0)) {
                run.sort_by_key(rank);
            }
        }
        Told::Object(fields) => fields.values_mut().for_each(in_order),
        _ => {}
    }
}

#[test]
fn exchanged_it_is_mirrored() {
    let all: Vec<Take> = sessions().iter().map(|path| of_file(path)).collect();
    let mut differ = 0;
    for step in [1, 31] {
        for at in 0..all.len() {
            let (one, other) = (&all[at], &all[(at + step) % all.len()]);
            let mut there = mirrored(&json(&Comparison::of(one, other)));
            let mut back = json(&Comparison::of(other, one));
            in_order(&mut there);
            in_order(&mut back);
            for (name, value) in there.as_object().unwrap() {
                assert_eq!(*value, back[name], "{name} of {} {}", one.name, other.name);
            }
            differ += usize::from(back["same"] == false);
        }
    }
    assert!(differ > 300, "{differ}");
}

/// However wide the paper is, nothing goes beyond it, and nothing of a session can steer the terminal.
#[test]
fn lines_fit_and_steer_nothing() {
    let all: Vec<Take> = sessions().iter().map(|path| of_file(path)).collect();
    for at in 0..all.len() {
        let comparison = Comparison::of(&all[at], &all[(at + 3) % all.len()]);
        for (columns, layout) in
            [(80, plain(80)), (140, plain(140).columns(true).full(true)), (24, plain(24))]
        {
            for line in lines(&comparison, layout) {
                assert!(width(line.trim_end()) <= columns, "{columns}: {line:?}");
                assert!(!line.contains(|letter: char| letter.is_control()), "{line:?}");
            }
        }
    }
}

#[test]
fn events_that_were_written_down_are_the_same_run() {
    for path in sessions() {
        let told = events(&path);
        let read: Vec<Event<'static>> = told
            .iter()
            .map(|event| {
                let mut text = String::new();
                event.write(&mut text);
                Event::read(&text).unwrap().into_owned()
            })
            .collect();
        let (one, other) = (take("told", &told), take("read", &read));
        let comparison = Comparison::of(&one, &other);
        assert!(comparison.is_same(), "{}: {}", path.display(), shown(&comparison, plain(100)));
        assert_eq!(comparison.unknowns().count(), 0, "{}", path.display());
    }
}

#[test]
fn a_recording_and_its_bare_stream_differ_only_in_what_was_written() {
    let mut seen = 0;
    for entry in fs::read_dir(fixtures().join("recordings")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read(&path).unwrap();
        let mut whole = Take::new("whole");
        let mut playback = Playback::new(Spool::new(Grain::Blocks));
        playback.play(&text, |told| {
            if let Played::Event(event) = told {
                whole.step(&event);
            }
        });
        playback.finish(|event| whole.step(&event));
        let (mut stream, mut reader) = (Vec::new(), Reader::new());
        reader.feed(&text, |entry| {
            if let Ok(entry) = entry
                && entry.way == Way::Out
            {
                entry.write_bytes(&mut stream);
            }
        });
        let bare = take("bare", &Spool::read(Grain::Blocks, &stream));
        let comparison = Comparison::of(&whole, &bare);
        assert!(comparison.is_same(), "{}: {}", path.display(), shown(&comparison, plain(100)));
        let untold: Vec<_> = comparison.untold.of_side(1).map(|(what, _)| what).collect();
        assert!(untold.iter().all(|what| *what == "prompts"), "{untold:?}");
        assert_eq!(comparison.untold.of_side(0).count(), 0);
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn a_stream_and_its_transcript_differ_only_in_what_they_do_not_tell() {
    let mut seen = 0;
    for entry in fs::read_dir(fixtures().join("transcripts")).unwrap() {
        let folder = entry.unwrap().path();
        // A fork's transcript has turns of the session from which it was made.
        if folder.to_string_lossy().ends_with("-fork") {
            continue;
        }
        let stream =
            take("stream", &Spool::read(Grain::Blocks, &fs::read(folder.join("session.stream")).unwrap()));
        let id = stream.story.totals.session.clone().unwrap();
        let file =
            sessions().into_iter().find(|path| path.to_string_lossy().ends_with(&format!("{id}.jsonl")));
        let mut kept = Take::new("transcript");
        let file = file.unwrap();
        match agents_beside(&file) {
            None => events(&file).iter().for_each(|event| kept.step(event)),
            Some(agents) => {
                let agents: Vec<(&str, &[u8])> = agents.iter().map(|(id, text)| (&**id, &**text)).collect();
                let told = Transcript::read(Grain::Blocks, &fs::read(&file).unwrap(), &agents);
                told.iter().for_each(|event| kept.step(event));
            }
        }
        let comparison = Comparison::of(&stream, &kept);
        assert!(comparison.is_same(), "{}: {}", folder.display(), shown(&comparison, plain(100)));
        // Of what both tell nothing is unknown.
        for known in [Aspect::Verdict, Aspect::Model, Aspect::Turns, Aspect::Answer, Aspect::Parts] {
            assert_eq!(comparison.same(known), Some(true), "{}: {known:?}", folder.display());
        }
        seen += 1;
    }
    assert!(seen > 7, "{seen}");
}

/// Older versions keep the files of agents beside that of their session.
fn agents_beside(file: &Path) -> Option<Vec<(String, Vec<u8>)>> {
    let folder = fs::read_dir(file.parent()?).ok()?;
    let mut agents: Vec<(String, Vec<u8>)> = folder
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let id = path.file_stem()?.to_str()?.strip_prefix("agent-")?.to_owned();
            Some((id, fs::read(&path).ok()?))
        })
        .collect();
    agents.sort();
    (!agents.is_empty()).then_some(agents)
}

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"opus","cwd":"/home/me/a"}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"Done","session_id":"s"}"#;

fn call(id: &str, name: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","session_id":"s","uuid":"{id}","message":{{"id":"m{id}","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}}}"#
    )
}

fn answer(id: &str, output: &str) -> String {
    format!(
        r#"{{"type":"user","session_id":"s","uuid":"a{id}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{output}"}}]}}}}"#
    )
}

#[track_caller]
fn differ(one: &[&str], other: &[&str], expected: &[&str]) -> String {
    let whole = |lines: &[&str]| of(&[&[INIT], lines, &[RESULT]].concat());
    let (one, other) = (whole(one), whole(other));
    let comparison = Comparison::of(&one, &other);
    let found: Vec<&str> = comparison.differences().map(Aspect::word).collect();
    assert_eq!(found, expected, "{}", shown(&comparison, plain(100)));
    shown(&comparison, plain(100))
}

#[test]
fn what_is_random_by_nature_does_not_count() {
    let one =
        [call("c1", "Bash", r#"{"command":"date > /tmp/tmp.aB1/x"}"#), answer("c1", "Nov 19 12:42 0.3s")];
    let other =
        [call("c2", "Bash", r#"{"command":"date > /tmp/tmp.zZ9/x"}"#), answer("c2", "Nov 20 09:01 1.7s")];
    let [one, other] = [&one, &other].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    differ(&one, &other, &[]);
    let exact = |lines: &[&str]| {
        let mut take = Take::new("x").exact();
        Spool::read(Grain::Blocks, lines.join("\n").as_bytes()).iter().for_each(|event| take.step(event));
        take
    };
    let (one, other) = (exact(&one), exact(&other));
    assert_eq!(Comparison::of(&one, &other).same(Aspect::Parts), Some(false));
}

#[test]
fn an_output_that_differs_where_nobody_looks_differs() {
    let long = |middle: &str| {
        let lines: String =
            (0..9000).map(|at| format!("line {at} {}\\n", if at == 4500 { middle } else { "" })).collect();
        [call("c", "Bash", r#"{"command":"x"}"#), answer("c", &lines)]
    };
    let [one, other] = [long("one"), long("other")];
    let [one, other] = [&one, &other].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = differ(&one, &other, &["parts"]);
    assert!(shown.contains("they differ in what is not shown"), "{shown}");
}

#[test]
fn how_a_file_ended_is_told() {
    let write = |id: &str, text: &str| {
        let input = format!(r#"{{"file_path":"/home/me/a/f","content":"{text}"}}"#);
        [call(id, "Write", &input), answer(id, "ok")]
    };
    let edit = |id: &str, old: &str, new: &str| {
        let input = format!(r#"{{"file_path":"/home/me/a/f","old_string":"{old}","new_string":"{new}"}}"#);
        [call(id, "Edit", &input), answer(id, "ok")]
    };
    let one = [write("c1", "one\\ntwo\\n"), edit("c2", "two", "TWO")].concat();
    let at_once = write("c3", "one\\nTWO\\n");
    let otherwise = [write("c1", "one\\ntwo\\n"), edit("c2", "two", "2")].concat();
    let unknown = edit("c4", "a", "b");
    let lines = |lines: &[String]| -> Vec<String> { lines.to_vec() };
    let [one, at_once, otherwise, unknown] =
        [lines(&one), lines(&at_once), lines(&otherwise), lines(&unknown)];
    let borrowed = |lines: &'_ Vec<String>| -> Vec<String> { lines.clone() };
    let check = |one: &Vec<String>, other: &Vec<String>, expected: &[&str]| {
        let (one, other) = (borrowed(one), borrowed(other));
        let one: Vec<&str> = one.iter().map(String::as_str).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        differ(&one, &other, expected)
    };
    check(&one, &at_once, &["parts", "tools"]);
    let shown = check(&one, &otherwise, &["parts", "files"]);
    assert!(shown.contains("f, as it was in the end\n    one\n  - TWO\n  + 2"), "{shown}");
    let shown = check(&one, &unknown, &["parts", "tools"]);
    assert!(shown.contains("not both say what was in it in the end"), "{shown}");
}

#[test]
fn agents_are_known_by_what_they_are_to_do() {
    let agent = |id: &str, what: &str, said: &str| {
        let input = format!(r#"{{"description":"{what}","prompt":"Go","subagent_type":"Explore"}}"#);
        let words = format!(
            r#"{{"type":"assistant","session_id":"s","uuid":"u{id}","parent_tool_use_id":"{id}","message":{{"id":"n{id}","content":[{{"type":"text","text":"{said}"}}]}}}}"#
        );
        [call(id, "Agent", &input), words]
    };
    let both = |first: [String; 2], second: [String; 2]| {
        [first, second, [answer("x", "x"), answer("y", "y")]].concat()
    };
    let one = both(agent("x", "Look", "I look."), agent("y", "Mend", "I mend."));
    let other = both(agent("y", "Mend", "I mend it."), agent("x", "Look", "I look."));
    let [one, other] = [&one, &other].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = differ(&one, &other, &["parts"]);
    assert!(shown.contains("agent “Mend” (Explore)"), "{shown}");
    assert!(!shown.contains("agent “Look” (Explore)\n"), "the same, although it was called later: {shown}");
}

#[test]
fn only_what_is_wanted_counts() {
    let one = of(&[INIT, RESULT]);
    let other = of(&[&INIT.replace("opus", "haiku"), RESULT]);
    let comparison = Comparison::of(&one, &other);
    assert_eq!(comparison.differences().collect::<Vec<_>>(), [Aspect::Model]);
    assert!(!comparison.is_same());
    let comparison = comparison.only(&[Aspect::Verdict, Aspect::Tools]);
    assert!(comparison.is_same());
    assert!(shown(&comparison, plain(100)).contains("They are the same in verdict and tools"));
}

#[test]
fn money_that_nobody_told_is_never_none() {
    let told = of(&[INIT, &RESULT.replace("\"is_error\"", "\"total_cost_usd\":0.5,\"is_error\"")]);
    let silent = of(&[INIT, RESULT]);
    let comparison = Comparison::of(&told, &silent);
    assert_eq!(comparison.same(Aspect::Cost), None);
    let figures = json(&comparison)["figures"].clone();
    let cost = figures.as_array().unwrap().iter().find(|it| it["name"] == "cost_usd").cloned().unwrap();
    assert_eq!((&cost["a"], &cost["b"], &cost["same"]), (&0.5.into(), &Told::Null, &Told::Null));
}

/// Four times as much takes about four times as long, whatever it is.
#[test]
fn long_lists_take_as_long_as_they_are_long() {
    type Key = fn(u64) -> u64;
    let keys = |of: Key, size: usize| -> Vec<align::Keys> {
        (0..size as u64).map(|at| [of(at), of(at) % 7, 0]).collect()
    };
    // Nothing in common; few words, over and over; all there, in another order; what is there once among what is not.
    let lists: [(&str, Key, Key); 4] = [
        ("strangers", |at| at * 2, |at| at * 2 + 1),
        ("few words", |at| at % 3, |at| at % 5),
        ("another order", |at| at, |at| at.wrapping_mul(2_654_435_761) % 50_021),
        ("anchors", |at| if at % 9 == 0 { at } else { at % 4 }, |at| if at % 9 == 0 { at } else { at % 5 }),
    ];
    for (name, one, other) in lists {
        linear::check(name, 4_000, |size| {
            assert!(align::align(&keys(one, size), &keys(other, size)).len() >= size);
        });
    }
}
