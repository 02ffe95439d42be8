//! Tells a recording: a journal in a file.

use super::open::{Opened, read_more};
use super::{Came, Listener, Source, pause};
use unspool::journal::{Entry, Fault, Playback, Told, Way};
use unspool::{Grain, Spool};
use unspool_report::words::count;

/// So many faults of one recording are named; whoever needs more looks into the file.
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
        playback.play(&piece, |told| match told {
            Told::Entry(entry) if listener.is_by_line() => came(entry, listener),
            Told::Event(event) => listener.event(&event),
            _ => {}
        });
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
    if !source.silent {
        say(&source.name(), playback.faults(), playback.entries());
    }
    pause(listener)?;
    Ok(())
}

/// An entry was read.
pub(super) fn came(entry: &Entry<'_>, listener: &mut dyn Listener) {
    let mut bytes = Vec::new();
    if entry.way == Way::Out {
        entry.write_bytes(&mut bytes);
    }
    listener.came(&Came { number: entry.number, at: Some(entry.at), bytes: &bytes });
}

/// Says in one sentence on standard error what is wrong with it, and how much of it could be read. That it has no end is the
/// verdict's to say.
pub(super) fn say(name: &str, faults: &[Fault], entries: u64) {
    let faults: Vec<&Fault> = faults.iter().filter(|fault| **fault != Fault::NoEnd).collect();
    if faults.is_empty() {
        return;
    }
    let mut said: Vec<String> = faults.iter().take(NAMED).map(ToString::to_string).collect();
    let more = faults.len().saturating_sub(NAMED) as u64;
    said.extend((more > 0).then(|| format!("and {}", count(more, "more fault"))));
    let read = match entries {
        1 => "1 entry".to_owned(),
        entries => format!("{entries} entries"),
    };
    eprintln!("unspool: {name}: {}; {read} of it can be read", said.join("; "));
}
