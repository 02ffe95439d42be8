//! Tells a recording: a journal in a file.

use super::open::{Opened, read_more};
use super::{Listener, Source, pause};
use unspool::journal::{Fault, Playback};
use unspool::{Grain, Spool};

/// So many faults of one recording are named; who needs more looks into the file.
const NAMED: usize = 3;

/// Tells a recording as it was told live, and says what is wrong with it.
pub(super) fn tell(
    source: &Source,
    opened: Opened,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<()> {
    let mut playback = Playback::new(Spool::new(grain).fail_on(source.fail_on));
    let Opened { head: mut piece, mut rest, .. } = opened;
    while !piece.is_empty() {
        playback.feed(&piece, |event| listener.event(&event));
        if !pause(listener)? {
            return Ok(());
        }
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    if rest.is_cut() {
        playback.cut_off();
    }
    playback.finish(|event| listener.event(&event));
    say(&source.name(), playback.faults());
    pause(listener)?;
    Ok(())
}

/// Names what is wrong with it on standard error. That it has no end is the verdict's to say.
pub(super) fn say(name: &str, faults: &[Fault]) {
    let mut faults = faults.iter().filter(|fault| !matches!(fault, Fault::NoEnd));
    for fault in faults.by_ref().take(NAMED) {
        eprintln!("unspool: {name}: {fault}");
    }
    match faults.count() {
        0 => {}
        more => eprintln!("unspool: {name}: and {more} more of its entries are damaged"),
    }
}
