//! What holds for any stand-in: a host that does what was recorded sees what was recorded, and any other is survived.

use crate::journal::{Begin, Closed, Entry, FORMAT, Finish, Note, Reader, Scribe, Way};
use crate::json::{Json, Kind as JsonKind};
use crate::standin::{Act, Deviation, Ended, Recorded, StandIn};
use crate::wire::Kind;
use crate::wire::input::Owned;

/// All of it at once, of bytes that are taken for a recording and for what a host writes.
pub fn holds_for_stand_ins(recording: &[u8], host: &[u8], piece: usize) {
    recorded_hosts_see_what_was_recorded(recording);
    any_host_is_survived(recording, host, piece);
}

/// Of each line the first byte says which way it went, and the rest is the line: [`journals_are_played`].
pub fn recorded_hosts_see_what_was_recorded(lines: &[u8]) {
    journals_are_played(&journal_of(lines, &[JSON]));
    journals_are_played(&journal_of(lines, &["--print"]));
}

/// A host that writes what was written sees what was read, byte for byte, in each life, and nobody complains; also if it writes its JSON
/// otherwise. Whatever line of its says more is caught. The journal is whole, and says what the host wrote.
pub fn journals_are_played(text: &[u8]) {
    let recorded = Recorded::read(text);
    assert_eq!(recorded.faults(), []);
    let lives = lives_of(text);
    assert_eq!(recorded.lives().len(), lives.len());
    for (index, Lived { args, entries }) in lives.iter().enumerate() {
        sees(entries, recorded.stand_in(index, args), <[u8]>::to_vec);
        if args.iter().any(|arg| arg.contains("stream-json")) {
            sees(entries, recorded.stand_in(index, args), otherwise);
            let heard = entries.iter().filter(|entry| entry.way == Way::In).count();
            (0..heard).for_each(|line| is_caught(entries, recorded.stand_in(index, args), line));
        }
    }
}

/// Whatever a recording is and whatever a host writes, it is played to an end, and what comes of it does not depend on the cuts.
pub fn any_host_is_survived(recording: &[u8], host: &[u8], piece: usize) {
    let texts = [recording.to_vec(), journal_of(recording, &[JSON])];
    for text in texts {
        let recorded = Recorded::read(&text);
        let Some(life) = recorded.best(&[JSON], &Default::default(), |_| true) else {
            panic!("there is a life in each recording");
        };
        let played = |piece: usize, is_lenient: bool| {
            let claude = recorded.stand_in(life, &[JSON]);
            let mut claude = claude.lenient(is_lenient);
            host.chunks(piece.max(1)).for_each(|bytes| claude.feed(bytes, 1));
            claude.close(2);
            play(&mut claude, 1 << 20)
        };
        for is_lenient in [false, true] {
            let whole = played(usize::MAX, is_lenient);
            assert_eq!(whole, played(piece, is_lenient), "in pieces of {piece}");
            assert!(whole.ended.is_some(), "it ends when the input does");
        }
    }
}

const JSON: &str = "--input-format=stream-json";

/// A life as it stands in a journal.
#[derive(Default)]
struct Lived {
    args: Vec<String>,
    entries: Vec<Entry<'static>>,
}

/// What was played.
#[derive(Debug, Default, PartialEq)]
struct Played {
    out: Vec<u8>,
    err: Vec<u8>,
    told: Vec<Deviation>,
    ended: Option<Ended>,
}

/// Plays until the stand-in listens or exits.
fn play(claude: &mut StandIn, now: u64) -> Played {
    let mut played = Played::default();
    loop {
        match claude.poll(now) {
            Act::Write(Way::Err, bytes) => played.err.extend_from_slice(&bytes),
            Act::Write(_, bytes) => played.out.extend_from_slice(&bytes),
            Act::Tell(deviation) => played.told.push(deviation),
            Act::Wait(_) | Act::Listen => return played,
            Act::Exit(ended) => {
                played.ended = Some(ended);
                return played;
            }
        }
    }
}

/// A host that writes each line, spelled so, when the stand-in waits for it.
fn sees(entries: &[Entry<'_>], mut claude: StandIn, spell: fn(&[u8]) -> Vec<u8>) {
    let of = |way: Way| entries.iter().filter(move |entry| entry.way == way);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    of(Way::Out).for_each(|entry| entry.write_bytes(&mut out));
    of(Way::Err).for_each(|entry| entry.write_bytes(&mut err));
    let mut seen = Played::default();
    let mut lines = of(Way::In);
    let mut is_closed = false;
    loop {
        let played = play(&mut claude, 0);
        seen.out.extend(played.out);
        seen.err.extend(played.err);
        assert_eq!(played.told, [], "the host did what was recorded");
        if played.ended.is_some() {
            // Not every recording knows.
            assert!(ended_of(entries).is_none_or(|ended| played.ended == Some(ended)), "{:?}", played.ended);
            break;
        }
        match lines.next() {
            Some(entry) => claude.feed(&[spell(&entry.bytes), b"\n".to_vec()].concat(), 0),
            None => {
                assert!(!is_closed, "it ends when all is said");
                is_closed = true;
                claude.close(0);
            }
        }
    }
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(seen.out == out, "not {} but {}", shown(&out), shown(&seen.out));
    assert!(seen.err == err, "not {} but {}", shown(&err), shown(&seen.err));
}

/// A host that says more in one of its lines than it did is told so, unless nobody looks at the line.
fn is_caught(entries: &[Entry<'_>], mut claude: StandIn, line: usize) {
    let lines: Vec<_> = entries.iter().filter(|entry| entry.way == Way::In).collect();
    let Some(other) = says_more(&lines[line].bytes) else { return };
    // To a notification any answer will do.
    let tells_servers =
        entries.iter().any(|entry| memchr::memmem::find(&entry.bytes, b"mcp_message").is_some());
    if tells_servers && Kind::of(&other) == Kind::ControlResponse {
        return;
    }
    for (index, entry) in lines.into_iter().enumerate().take(line + 1) {
        let played = play(&mut claude, 0);
        assert_eq!(played.told, [], "the host did what was recorded");
        if played.ended.is_some() {
            return;
        }
        let bytes = if index == line { other.as_bytes() } else { &entry.bytes };
        claude.feed(&[bytes, b"\n"].concat(), 0);
    }
    assert_ne!(play(&mut claude, 0).told, [], "{other}");
}

/// A line of JSON with a field that nobody knows; nothing for a line that is read by nobody.
fn says_more(line: &[u8]) -> Option<String> {
    let text = str::from_utf8(line).ok()?.trim_end();
    let json = Json::new(text).ok().filter(|json| json.kind() == JsonKind::Object)?;
    let comma = if json.fields().next().is_some() { "," } else { "" };
    let passed_over = [Kind::KeepAlive, Kind::ControlCancelRequest].contains(&Kind::last_of(json));
    let body = text.strip_suffix('}').filter(|_| !passed_over)?;
    Some(format!("{body}{comma}\"unheard_of\":1}}"))
}

fn journal_of(lines: &[u8], args: &[&str]) -> Vec<u8> {
    let (mut text, mut scribe) = (Vec::new(), Scribe::new());
    let mut keep = |entry: Entry<'_>| entry.write(&mut text);
    let argv = Owned::of([&["claude"], args].concat());
    scribe.note(&Begin::default().format(FORMAT).argv(&argv), 0, &mut keep);
    for line in lines.split(|byte| *byte == b'\n') {
        let Some((first, line)) = line.split_first() else { continue };
        let way = [Way::Out, Way::In, Way::Err][usize::from(*first) % 3];
        scribe.feed(way, line, 0, &mut keep);
        scribe.feed(way, b"\n", 0, &mut keep);
    }
    scribe.note(&Closed::default().way(Way::In.name()), 0, &mut keep);
    scribe.note(&Finish::default().code(7_u64), 0, &mut keep);
    text
}

fn lives_of(text: &[u8]) -> Vec<Lived> {
    let mut lives: Vec<Lived> = Vec::new();
    Reader::new().feed(text, |entry| {
        let entry = entry.expect("no fault");
        let begun = match entry.note() {
            Some(Note::Begin(begin)) => Some(begin.argv),
            Some(Note::Start(start)) => Some(start.argv),
            _ => None,
        };
        if let Some(argv) = begun {
            let args = argv.iter().flat_map(|argv| argv.iter()).skip(1).map(|arg| arg.to_string());
            lives.push(Lived { args: args.collect(), entries: Vec::new() });
        } else if let Some(life) = lives.last_mut() {
            life.entries.push(entry.into_owned());
        }
    });
    lives
}

/// How a life ended.
fn ended_of(entries: &[Entry<'_>]) -> Option<Ended> {
    let number = |number: Option<u64>| number.and_then(|number| i32::try_from(number).ok());
    let ended = entries.iter().find_map(|entry| match entry.note()? {
        Note::Finish(end) => Some((end.code, end.signal)),
        _ => None,
    });
    let ended = ended.filter(|ended| *ended != (None, None));
    ended.map(|(code, signal)| Ended { code: number(code), signal: number(signal) })
}

/// JSON that says what a line says, with its fields in another order and other white space.
fn otherwise(line: &[u8]) -> Vec<u8> {
    let json = str::from_utf8(line).ok().and_then(|text| Json::new(text).ok());
    let json = json.filter(|json| json.depth() < 20 && has_each_field_once(*json));
    let Some(json) = json else { return line.to_vec() };
    let mut text = String::from(" ");
    reorder(json, &mut text);
    text.into_bytes()
}

/// Of repeated fields the last counts, which another order would change.
fn has_each_field_once(json: Json<'_>) -> bool {
    let mut names: Vec<_> = json.fields().map(|(name, _)| name.decode().into_owned()).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    names.len() == count
        && json.fields().all(|(_, value)| has_each_field_once(value))
        && json.items().all(has_each_field_once)
}

fn reorder(json: Json<'_>, text: &mut String) {
    match json.kind() {
        JsonKind::Object => {
            let mut fields: Vec<_> = json.fields().collect();
            fields.reverse();
            text.push('{');
            for (place, (name, value)) in fields.into_iter().enumerate() {
                text.push_str(if place == 0 { "\t\"" } else { " ,\"" });
                text.push_str(name.raw().unwrap_or_default());
                text.push_str("\" :");
                reorder(value, text);
            }
            text.push('}');
        }
        JsonKind::Array => {
            text.push('[');
            for (place, value) in json.items().enumerate() {
                text.push_str(if place == 0 { "" } else { " , " });
                reorder(value, text);
            }
            text.push(']');
        }
        _ => text.push_str(json.text()),
    }
}
