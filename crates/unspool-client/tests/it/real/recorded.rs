//! A session with the real program, recorded, and played again to a host that makes ids of its own.

use super::stage::{Stage, on_all};
use crate::recorded::{SCRIPT, fixtures, host, playing};
use std::fs;
use std::sync::{Arc, Mutex};
use unspool::transcript::project_name;
use unspool_client::Claude;
use unspool_client::tap::TrafficJournal;
use unspool_client::unspool::standin::Recorded;

/// The client, and the text of the journal of its next session.
fn recording(stage: &Stage) -> (Claude, Arc<Mutex<Vec<u8>>>) {
    let text = Arc::<Mutex<Vec<u8>>>::default();
    let (kept, journal) = (Arc::clone(&text), Mutex::new(TrafficJournal::new()));
    let claude = Claude::new(stage.options()).tap(move |traffic, at| {
        let mut text = kept.lock().unwrap();
        journal.lock().unwrap().hear(traffic, at, |entry| entry.write(&mut text));
    });
    (claude, text)
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_was_recorded_is_what_is_played() {
    on_all(SCRIPT, async |stage| {
        let (claude, kept) = recording(&stage);
        let live = host(claude).await.expect(&stage.version);
        let text = std::mem::take(&mut *kept.lock().unwrap());
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
