//! Tells a file of events again.

use super::open::{Opened, read_more};
use super::{Listener, Source, pause};
use unspool::line::{DEFAULT_LIMIT, Splitter};
use unspool::{Grain, Retelling};

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
        lines.feed(&piece, |line| retelling.step(line, |event| listener.event(&event)));
        if !pause(listener)? {
            return Ok(());
        }
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    lines.finish(|line| retelling.step(line, |event| listener.event(&event)));
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
