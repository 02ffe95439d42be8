//! A session with the real program, recorded, and played again to a host that makes ids of its own.

use super::stage::{Stage, on_all};
use crate::recorded::{SCRIPT, fixtures, host, playing};
use std::fs;
use std::sync::{Arc, Mutex};
use unspool::transcript::project_name;
use unspool_client::tap::Traffic;
use unspool_client::unspool::journal::{Begin, Closed, Entry, FORMAT, Finish, Scribe, Way};
use unspool_client::unspool::standin::Recorded;
use unspool_client::unspool::wire::input::Owned;
use unspool_client::{Claude, transport};

/// Writes a journal of all that a client hears.
#[derive(Default)]
struct Journal {
    text: Vec<u8>,
    scribe: Scribe,
}

impl Journal {
    fn begin(&mut self, args: &[String], version: &str) {
        let argv = Owned::of([&["claude".to_owned()], args].concat());
        let begin = Begin::default().format(FORMAT).source("driver").argv(&argv).version(version);
        self.scribe.note(&begin, 0, |entry: Entry<'_>| entry.write(&mut self.text));
    }

    fn hear(&mut self, traffic: Traffic<'_>, at: u64) {
        let mut keep = |entry: Entry<'_>| entry.write(&mut self.text);
        match traffic {
            Traffic::Read(bytes) => self.scribe.feed(Way::Out, bytes, at, keep),
            Traffic::Wrote(bytes) => self.scribe.feed(Way::In, bytes, at, keep),
            Traffic::Errors(bytes) => self.scribe.feed(Way::Err, bytes, at, keep),
            Traffic::Ended(_) => {
                self.scribe.note(&Closed::default().way(Way::In.name()), at, &mut keep);
                self.scribe.note(&Finish::default().code(0_u64), at, &mut keep);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The client, and the journal of its next session.
fn recording(stage: &Stage) -> (Claude, Arc<Mutex<Journal>>) {
    let journal = Arc::<Mutex<Journal>>::default();
    let (beginning, hearing) = (Arc::clone(&journal), Arc::clone(&journal));
    let version = stage.version.clone();
    let claude = Claude::new(stage.options()).start_with(move |launch| {
        let args: Vec<_> = launch.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        beginning.lock().unwrap().begin(&args, &version);
        async move { transport::process(&launch) }
    });
    (claude.tap(move |traffic, at| hearing.lock().unwrap().hear(traffic, at)), journal)
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_was_recorded_is_what_is_played() {
    on_all(SCRIPT, async |stage| {
        let (claude, journal) = recording(&stage);
        let live = host(claude).await.expect(&stage.version);
        let text = std::mem::take(&mut journal.lock().unwrap().text);
        keep(&stage, &text);
        let played = host(playing(Recorded::read(&text), |claude| claude.strict(true))).await;
        assert_eq!(played.expect(&stage.version), live, "{}", stage.version);
    })
    .await;
}

/// With `UNSPOOL_BLESS=1` the recording is the fixture from now on, without the names of folders that were here.
fn keep(stage: &Stage, text: &[u8]) {
    if std::env::var_os("UNSPOOL_BLESS").is_some() {
        let work = stage.folder.to_str().unwrap();
        let root = work.strip_suffix("/work").unwrap();
        let text = String::from_utf8_lossy(text).replace(root, "/home/user");
        let text = text.replace(&project_name(root), "-home-user");
        fs::write(fixtures().join(format!("client-{}.rec", stage.version)), text).unwrap();
    }
}
