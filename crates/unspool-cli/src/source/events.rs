//! Tells a file of events again.

use super::open::{Opened, read_more};
use super::{Came, Listener, Source, pause};
use unspool::line::{DEFAULT_LIMIT, End, Line, Splitter};
use unspool::{Event, Grain, Retelling};

/// Tells what `unspool events` printed.
pub(super) fn tell(
    source: &Source,
    opened: Opened,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<()> {
    let mut retelling = Retelling::new(grain).fail_on(source.fail_on);
    let mut lines = Splitter::new(DEFAULT_LIMIT);
    let Opened { head: mut piece, mut rest, .. } = opened;
    while !piece.is_empty() {
        lines.feed(&piece, |line| step(&mut retelling, line, listener));
        if !pause(listener)? {
            return Ok(());
        }
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    lines.finish(|line| step(&mut retelling, line, listener));
    if rest.is_cut() {
        retelling.cut_off();
    }
    retelling.finish(|event| listener.event(&event));
    if retelling.has_split() {
        listener.had_whole_parts();
    }
    pause(listener)?;
    Ok(())
}

/// Whether events that begin so say when they were told.
pub(super) fn have_times(head: &[u8]) -> bool {
    let mut lines =
        head.split(|&byte| byte == b'\n').filter_map(|line| Event::read(str::from_utf8(line).ok()?).ok());
    lines.next().is_some_and(|event| event.at.is_some())
}

fn step(retelling: &mut Retelling, line: Line<'_>, listener: &mut dyn Listener) {
    if listener.is_by_line() {
        let mut bytes = line.bytes.to_vec();
        bytes.extend((line.end == End::Newline).then_some(b'\n'));
        listener.came(&Came { number: line.number, at: None, bytes: &bytes });
    }
    retelling.step(line, |event| listener.event(&event));
}
