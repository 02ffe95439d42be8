//! Tells a recorded or running stream.

use super::open::{Opened, read_more};
use super::times::Times;
use super::{Listener, Source, pause};
use unspool::{Grain, Spool};

/// Tells it as it comes.
pub(super) fn tell(
    source: &Source,
    opened: Opened,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<()> {
    let mut spool = Spool::new(grain).fail_on(source.fail_on);
    let times = if opened.is_stdin() { None } else { Times::beside(&source.path) };
    let Opened { head: mut piece, mut rest, .. } = opened;
    let mut line = 1;
    while !piece.is_empty() {
        match &times {
            None => spool.feed(&piece, |event| listener.event(&event)),
            Some(times) => {
                for part in piece.split_inclusive(|&byte| byte == b'\n') {
                    times.of(line).into_iter().for_each(|time| spool.set_clock(time));
                    spool.feed(part, |event| listener.event(&event));
                    line += usize::from(part.ends_with(b"\n"));
                }
            }
        }
        if !pause(listener)? {
            return Ok(());
        }
        piece.clear();
        read_more(&mut *rest, &mut piece)?;
    }
    spool.finish(|event| listener.event(&event));
    pause(listener)?;
    Ok(())
}
