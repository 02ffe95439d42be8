//! Many readers of one session.

use crate::script::{claude, in_virtual_time};
use crate::soon::soon;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use unspool::Event;
use unspool::event::What;
use unspool_client::feed::{Fed, Subscriber};
use unspool_client::transport::{Peer, memory};
use unspool_client::{Claude, Session};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#;

/// All that a subscriber was told.
#[derive(Default)]
struct Heard {
    events: Vec<(u64, Arc<Event<'static>>)>,
    programs: Vec<u64>,
    gaps: Vec<Range<u64>>,
}

impl Heard {
    fn hear(&mut self, fed: Fed) {
        match fed {
            Fed::Event { seq, program, event } => {
                self.events.push((seq, event));
                self.programs.push(program);
            }
            Fed::Gap(missed) => self.gaps.push(missed),
            other => panic!("{other:?}"),
        }
    }

    fn numbers(&self) -> Vec<u64> {
        self.events.iter().map(|(seq, _)| *seq).collect()
    }

    fn json(&self) -> Vec<String> {
        self.events.iter().map(|(_, event)| event.to_json()).collect()
    }
}

/// Reads to the end.
async fn all(mut subscriber: Subscriber) -> Heard {
    let mut heard = Heard::default();
    while let Some(fed) = subscriber.next().await {
        heard.hear(fed);
    }
    heard
}

/// A session whose program has said hello, and its other end.
async fn begun(claude: &Claude) -> (Session, Peer) {
    let (transport, mut peer) = memory(1 << 24);
    let session = claude.connect(transport);
    say(&mut peer, INIT).await;
    (session, peer)
}

async fn say(peer: &mut Peer, line: &str) {
    let says = peer.says.as_mut().expect("output is open");
    says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
}

fn end(peer: &mut Peer) {
    peer.says = None;
    peer.exit(0);
}

fn text(words: &str) -> String {
    let message = format!(r#"{{"id":"{words:.8}","content":[{{"type":"text","text":"{words}"}}]}}"#);
    format!(r#"{{"type":"assistant","message":{message},"session_id":"s"}}"#)
}

/// Whatever the session's own reader does.
async fn read(session: &mut Session) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(event) = session.next().await {
        told.push(event.to_json());
    }
    told
}

#[test]
fn all_are_told_what_the_session_tells_from_the_number_that_they_name() {
    in_virtual_time(async {
        let (mut session, mut peer) = begun(&claude()).await;
        let feed = session.feed();
        let early = tokio::spawn(all(feed.subscribe(1)));
        let later = tokio::spawn(all(feed.subscribe(4)));
        for number in 0..5 {
            say(&mut peer, &text(&number.to_string())).await;
        }
        say(&mut peer, RESULT).await;
        // Time passes when nothing else can happen: everything was told.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let next = feed.next_seq();
        let (middle, now) = (tokio::spawn(all(feed.subscribe(1))), tokio::spawn(all(feed.subscribe(next))));
        end(&mut peer);
        let told = read(&mut session).await;
        let (early, later) = (early.await.unwrap(), later.await.unwrap());
        let (middle, now) = (middle.await.unwrap(), now.await.unwrap());
        // Who comes after the end is told all the same, and then the end.
        let last = all(session.feed().subscribe(1)).await;
        for heard in [&early, &middle, &last] {
            assert_eq!(heard.json(), told);
            assert!(heard.gaps.is_empty() && heard.programs.iter().all(|program| *program == 1));
            let shared = early.events.iter().zip(&heard.events);
            assert!(
                shared.into_iter().all(|((_, one), (_, other))| Arc::ptr_eq(one, other)),
                "not a copy each"
            );
        }
        assert_eq!(early.numbers(), (1..=told.len() as u64).collect::<Vec<_>>());
        assert!(early.events.iter().all(|(seq, event)| *seq == event.seq));
        assert_eq!(later.json(), told[3..]);
        assert_eq!(now.json(), told[usize::try_from(next).unwrap() - 1..]);
        assert!(matches!(now.events.last().unwrap().1.what, What::Finished { .. }));
    });
}

/// Nothing is missing that is not named, and nobody else notices.
#[test]
fn who_is_too_slow_is_told_what_it_has_missed() {
    in_virtual_time(async {
        let (mut session, mut peer) = begun(&claude().history(64 << 10)).await;
        let never = session.feed().subscribe(1);
        let prompt = tokio::spawn(all(session.feed().subscribe(1)));
        let own = tokio::spawn(async move { read(&mut session).await });
        for number in 0..100 {
            say(&mut peer, &text(&format!("{number:08}{}", "x".repeat(4 << 10)))).await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        end(&mut peer);
        let (told, prompt) = (own.await.unwrap(), prompt.await.unwrap());
        assert_eq!((prompt.json(), prompt.gaps.len()), (told.clone(), 0));
        let slow = all(never).await;
        let [gap] = &slow.gaps[..] else { panic!("{:?}", slow.gaps) };
        assert_eq!(gap.start, 1);
        assert!(gap.end > 80, "so much is not kept: {gap:?}");
        assert_eq!(slow.numbers(), (gap.end..=told.len() as u64).collect::<Vec<_>>());
        assert_eq!(slow.json(), told[usize::try_from(gap.end).unwrap() - 1..]);
    });
}

#[test]
fn a_thousand_subscribers_are_told_the_same_and_one_that_never_reads_harms_nobody() {
    in_virtual_time(async {
        let (mut session, mut peer) = begun(&claude()).await;
        let never: Vec<Subscriber> = (0..10).map(|_| session.feed().subscribe(1)).collect();
        let readers: Vec<_> = (0..1000).map(|_| tokio::spawn(all(session.feed().subscribe(1)))).collect();
        // One that leaves in the middle.
        let mut leaver = session.feed().subscribe(1);
        for number in 0..50 {
            say(&mut peer, &text(&number.to_string())).await;
            tokio::task::yield_now().await;
        }
        assert!(matches!(leaver.next().await, Some(Fed::Event { seq: 1, .. })));
        drop(leaver);
        end(&mut peer);
        let told = read(&mut session).await;
        for reader in readers {
            let heard = reader.await.unwrap();
            assert_eq!((heard.events.len(), heard.gaps.len()), (told.len(), 0));
            assert_eq!(heard.events.last().unwrap().1.to_json(), *told.last().unwrap());
        }
        drop(never);
    });
}

/// Subscribers keep nothing alive.
#[test]
fn a_session_that_is_dropped_is_told_of_to_its_end() {
    in_virtual_time(async {
        let (session, mut peer) = begun(&claude()).await;
        let subscriber = session.feed().subscribe(1);
        drop(session);
        let ends = tokio::spawn(all(subscriber));
        // Its input is closed, perhaps after a first request.
        tokio::io::copy(&mut peer.heard, &mut tokio::io::sink()).await.unwrap();
        end(&mut peer);
        assert!(matches!(ends.await.unwrap().events.last().unwrap().1.what, What::Finished { .. }));
    });
}

#[cfg(unix)]
mod programs {
    use super::*;
    use crate::lasting::{claude, folder};
    use unspool_client::lasting::Retry;
    use unspool_client::{Lasting, Pool};

    /// One program dies, the next goes on: numbers go on too, and each program is told of to its end.
    #[tokio::test]
    async fn a_lasting_session_is_told_of_through_all_its_programs() {
        let script = r#"echo x >> programs; read -r line; begin "$line"
            [ "$(wc -l < programs)" = 1 ] && kill -9 $$
            done_for done 0; cat > /dev/null"#;
        let retry = Retry::new().first(Duration::from_millis(1));
        let lasting = Lasting::new(claude(script, "2.1.325", &folder("feed-lasting"))).retry(retry);
        // Before there is any program.
        let early = tokio::spawn(all(lasting.feed().subscribe(1)));
        assert_eq!(lasting.feed().next_seq(), 1);
        assert_eq!(soon(lasting.ask("go")).await.unwrap().text, "done");
        let feed = lasting.feed();
        let late = tokio::spawn(all(feed.subscribe(1)));
        soon(lasting.close()).await.expect("a program runs");
        assert!(!early.is_finished(), "it may be asked again");
        drop(lasting);
        let (early, late) = (soon(early).await.unwrap(), soon(late).await.unwrap());
        assert_eq!(early.json(), late.json());
        assert_eq!(early.numbers(), (1..feed.next_seq()).collect::<Vec<_>>());
        assert!(early.gaps.is_empty() && early.programs.is_sorted());
        for program in [1, 2] {
            let told = early.programs.iter().zip(&early.events).filter(|(of, _)| **of == program);
            let told: Vec<&Event<'_>> = told.map(|(_, (_, event))| &**event).collect();
            let numbers: Vec<u64> = told.iter().map(|event| event.seq).collect();
            assert_eq!(numbers, (1..=told.len() as u64).collect::<Vec<_>>(), "{program}");
            let names: Vec<&str> = told.iter().map(|event| event.what.name()).collect();
            assert!(
                names.contains(&"session_meta") && names.last() == Some(&"finished"),
                "{program}: {names:?}"
            );
        }
        assert_eq!(early.programs.last(), Some(&2));
    }

    /// More than may wait for a reader comes while nobody asks.
    #[tokio::test]
    async fn a_lasting_session_is_told_of_while_nobody_asks() {
        let script = r#"read -r line; begin "$line"; done_for one 0
            pad=$(head -c 1048576 /dev/zero | tr '\0' x)
            for number in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '{"type":"system","subtype":"status","pad":"%s"}\n' "$pad"; done
            printf '{"type":"system","subtype":"status","last":true}\n'
            read -r line; begin "$line"; done_for two 0; cat > /dev/null"#;
        let lasting = Lasting::new(claude(script, "2.1.325", &folder("feed-idle")));
        let mut subscriber = lasting.feed().subscribe(1);
        assert_eq!(soon(lasting.ask("go")).await.unwrap().text, "one");
        let last = async {
            while let Some(fed) = subscriber.next().await {
                if matches!(&fed, Fed::Event { event, .. } if event.to_json().contains(r#""last":true"#)) {
                    break;
                }
            }
        };
        soon(last).await;
        assert_eq!(soon(lasting.ask("more")).await.unwrap().text, "two");
    }

    #[tokio::test]
    async fn a_pool_says_which_session_it_tells_of() {
        let script = r#"while read -r line; do begin "$line"; done_for $$ 0; done"#;
        let pool = Pool::new(claude(script, "2.1.325", &folder("feed-pool")), 2);
        let subscriber = tokio::spawn(all(pool.feed().subscribe(1)));
        let (mut one, mut two) = (pool.session().await.unwrap(), pool.session().await.unwrap());
        assert_ne!(one.program(), two.program());
        let answers =
            [soon(one.ask("hello")).await.unwrap().text, soon(two.ask("hello")).await.unwrap().text];
        let (programs, own) = ([one.program(), two.program()], one.feed());
        drop((one, two));
        soon(pool.close()).await;
        drop(pool);
        let (heard, own) = (soon(subscriber).await.unwrap(), soon(all(own.subscribe(1))).await);
        for (program, answer) in programs.into_iter().zip(answers) {
            let told = heard.programs.iter().zip(&heard.events).filter(|(of, _)| **of == program);
            let told: Vec<String> = told.map(|(_, (_, event))| event.to_json()).collect();
            assert!(told.iter().any(|event| event.contains(&answer)), "{told:?}");
            assert!(told.last().unwrap().starts_with(r#"{"type":"finished""#), "{told:?}");
            if program == programs[0] {
                assert_eq!(own.json(), told, "its own feed tells of it alone");
            }
        }
    }
}
