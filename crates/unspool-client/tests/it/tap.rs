//! What crosses the pipes, as whoever taps them hears it.

use crate::peer::play_whole;
use crate::script::{claude, in_virtual_time};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use unspool_client::Claude;
use unspool_client::tap::{Traffic, TrafficJournal};
use unspool_client::transport::memory;
use unspool_client::unspool::journal::Playback;
use unspool_client::unspool::line::{DEFAULT_LIMIT, Splitter};
use unspool_client::unspool::{Grain, Spool};

/// What is told of what went in and out.
struct Retold {
    spool: Spool,
    written: Splitter,
    events: Vec<String>,
}

impl Retold {
    fn hear(&mut self, traffic: Traffic<'_>, at: u64) {
        let Retold { spool, written, events } = self;
        spool.set_clock(at);
        match traffic {
            Traffic::Read(bytes) => spool.feed(bytes, |event| events.push(event.to_json())),
            Traffic::Wrote(bytes) => written.feed(bytes, |line| {
                spool.wrote(&line.text(), |event| events.push(event.to_json()));
            }),
            Traffic::Ended(beside) => {
                spool.beside(beside.clone());
                spool.finish(|event| events.push(event.to_json()));
            }
            Traffic::Errors(_) | Traffic::Started(_) | Traffic::InputClosed | Traffic::Exited(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Everything that was heard, in order; neighbours of one kind together.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Passed>>>);

/// Which way, what, and when.
type Passed = (&'static str, Vec<u8>, u64);

impl Heard {
    fn of(&self, claude: Claude) -> Claude {
        let heard = Arc::clone(&self.0);
        claude.tap(move |traffic, at| {
            let (way, bytes) = match traffic {
                Traffic::Read(bytes) => ("out", bytes),
                Traffic::Wrote(bytes) => ("in", bytes),
                Traffic::Errors(bytes) => ("err", bytes),
                Traffic::Ended(_) => ("end", &b""[..]),
                Traffic::Started(_) | Traffic::InputClosed | Traffic::Exited(_) => return,
                other => panic!("{other:?}"),
            };
            let mut heard = heard.lock().unwrap();
            match heard.last_mut() {
                Some((last, all, _)) if *last == way => all.extend_from_slice(bytes),
                _ => heard.push((way, bytes.to_vec(), at)),
            }
        })
    }

    fn ways(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().iter().map(|(way, _, _)| *way).collect()
    }

    fn all(&self, way: &str) -> Vec<u8> {
        let heard = self.0.lock().unwrap();
        heard.iter().filter(|(other, _, _)| *other == way).flat_map(|(_, bytes, _)| bytes.clone()).collect()
    }
}

#[test]
fn all_that_crossed_tells_the_same_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut ended = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (spool, written) = (Spool::new(Grain::Blocks), Splitter::new(DEFAULT_LIMIT));
        let heard = Arc::new(Mutex::new(Retold { spool, written, events: Vec::new() }));
        let listener = Arc::clone(&heard);
        let claude = claude().tap(move |traffic, at| listener.lock().unwrap().hear(traffic, at));
        let script = fs::read_to_string(&path).unwrap();
        let (_, told) = in_virtual_time(play_whole(&claude, &script));
        let heard = &heard.lock().unwrap().events;
        // Whoever drops a session has not read its end.
        assert_eq!(told, heard[..told.len()], "{}", path.display());
        if told.last().is_some_and(|last| last.starts_with(r#"{"type":"finished""#)) {
            assert_eq!(told.len(), heard.len(), "{}", path.display());
            ended += 1;
        }
    }
    assert!(ended > 20, "{ended}");
}

/// A journal of all that crossed, played back, tells what was told.
#[test]
fn a_journal_of_it_tells_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut ended = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kept = Arc::new(Mutex::new((TrafficJournal::new(), Vec::new())));
        let listener = Arc::clone(&kept);
        let claude = claude().tap(move |traffic, at| {
            let (journal, text) = &mut *listener.lock().unwrap();
            journal.hear(traffic, at, |entry| entry.write(text));
        });
        let script = fs::read_to_string(&path).unwrap();
        let (_, told) = in_virtual_time(play_whole(&claude, &script));
        let mut played = Vec::new();
        let mut playback = Playback::new(Spool::new(Grain::Blocks));
        playback.feed(&kept.lock().unwrap().1, |event| played.push(event.to_json()));
        playback.finish(|event| played.push(event.to_json()));
        if told.last().is_some_and(|last| last.starts_with(r#"{"type":"finished""#)) {
            assert_eq!(playback.faults(), [], "{}", path.display());
            assert_eq!(told, played, "{}", path.display());
            ended += 1;
        }
    }
    assert!(ended > 20, "{ended}");
}

/// The pipe takes a part of a line, and the program never reads on: only that part has crossed.
#[test]
fn what_the_program_does_not_take_has_not_crossed() {
    in_virtual_time(async {
        let (transport, mut peer) = memory(64);
        let heard = Heard::default();
        let mut session = heard.of(claude()).connect(transport);
        session.controls().send("x".repeat(1000)).unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(heard.all("in").len(), 64);
        let mut taken = vec![0; 100];
        peer.heard.read_exact(&mut taken).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(heard.all("in").len(), 164);
        assert!(heard.all("in").starts_with(&taken));
        peer.says = None;
        peer.exit(1);
        while session.next().await.is_some() {}
        assert_eq!((heard.all("in").len(), heard.ways()), (164, vec!["in", "end"]));
    });
}

/// It is heard when it comes, not when it is told.
#[test]
fn bytes_have_the_moment_at_which_they_came() {
    in_virtual_time(async {
        let (transport, mut peer) = memory(1 << 24);
        let heard = Heard::default();
        let mut session = heard.of(claude()).connect(transport);
        let mut says = peer.says.take().unwrap();
        // So much that the next line is not told before the application has read.
        let pad = "x".repeat(9 << 20);
        let flood = format!("{{\"type\":\"system\",\"subtype\":\"status\",\"pad\":\"{pad}\"}}\n");
        says.write_all(flood.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
        session.controls().send("hello").unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
        says.write_all(b"{\"type\":\"late\"}\n").await.unwrap();
        tokio::time::sleep(Duration::from_secs(50)).await;
        let times = |heard: &Heard| -> Vec<u64> {
            let heard = heard.0.lock().unwrap();
            heard.iter().map(|(_, _, at)| *at / 1000).collect()
        };
        assert_eq!((heard.ways(), times(&heard)), (vec!["out", "in", "out"], vec![0, 5, 10]));
        drop(says);
        peer.exit(0);
        let mut at = Vec::new();
        while let Some(event) = session.next().await {
            at.extend(event.at.map(|at| (event.what.name(), at / 1000)));
        }
        assert!(at.contains(&("unknown", 10)), "events say the same: {at:?}");
    });
}

#[cfg(unix)]
mod programs {
    use super::*;
    use crate::soon::soon;
    use unspool_client::Options;
    use unspool_client::program::Program;

    /// Odd bytes, no line feed at the end, and words beside.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn every_byte_is_heard_as_it_was_and_no_answer_before_its_question() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tap-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let script = format!(
            r#"cd {}; exec 3> out; say() {{ printf "$1"; printf "$1" >&3; }}
            say '{{"type":"system","subtype":"init","session_id":"s"}} \t\r\n\377\n'
            while read -r line; do printf '%s\n' "$line" >> in; say '{{"type":"result","subtype":"success","session_id":"s"}}\r\n'; done
            printf 'b\377d' >&2; say '{{"half'"#,
            folder.display()
        );
        let heard = Heard::default();
        let program = Program::run_by("/bin/sh", ["-c", &script], "/not/there");
        let mut session = heard.of(Claude::new(Options::new()).program(program)).session().await.unwrap();
        let controls = session.controls();
        for number in 1..=20 {
            controls.send(format!("prompt {number}")).unwrap();
            // Each is answered before the next is sent.
            soon(async {
                while session.next().await.is_some_and(|event| event.what.name() != "turn_complete") {}
            })
            .await;
        }
        soon(session.close()).await;
        assert_eq!(heard.all("out"), fs::read(folder.join("out")).unwrap());
        assert_eq!(heard.all("in"), fs::read(folder.join("in")).unwrap());
        assert_eq!(heard.all("err"), b"b\xffd");
        let (mut asked, mut answered) = (0, 0);
        for (way, bytes, _) in heard.0.lock().unwrap().iter() {
            let lines = String::from_utf8_lossy(bytes);
            match *way {
                "in" => asked += lines.matches('\n').count(),
                "out" => answered += lines.matches(r#""result""#).count(),
                _ => {}
            }
            assert!(answered <= asked, "{answered} answers to {asked} prompts");
        }
        assert_eq!((asked, answered), (20, 20));
        assert_eq!(heard.ways().last(), Some(&"end"));
        fs::remove_dir_all(folder).unwrap();
    }
}
