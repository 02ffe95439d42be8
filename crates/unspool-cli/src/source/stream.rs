//! Tells a recorded or running stream.

use super::kind::What;
use super::open::{Opened, read_more};
use super::unpack::{Unpacked, plain_name};
use super::{Came, Incoming, Listener, Source, pause};
use crate::recording::Record;
use std::io::stdin;
use unspool::{Grain, Spool};

/// Tells a recording with all that is known beside it, as it was told live.
pub(super) fn tell(
    source: &Source,
    opened: Opened,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<()> {
    let mut spool = Spool::new(grain).fail_on(source.fail_on);
    let mut record = Record::of(&plain_name(&source.path));
    let Opened { head: mut piece, mut rest, .. } = opened;
    let mut line = 1;
    while !piece.is_empty() {
        if record.is_none() && !listener.is_by_line() {
            spool.feed(&piece, |event| listener.event(&event));
        } else {
            for part in piece.split_inclusive(|&byte| byte == b'\n') {
                let record = record.as_mut();
                let at = record
                    .and_then(|record| record.until(line, |at, text| wrote(&mut spool, at, text, listener)));
                at.into_iter().for_each(|at| spool.set_clock(at));
                if listener.is_by_line() {
                    listener.came(&Came { number: line, at, bytes: part });
                }
                spool.feed(part, |event| listener.event(&event));
                line += u64::from(part.ends_with(b"\n"));
            }
        }
        if !pause(listener)? {
            return Ok(());
        }
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    if rest.is_cut() {
        spool.cut_off();
    }
    let end = record.and_then(|record| record.rest(|at, text| wrote(&mut spool, at, text, listener)));
    if let Some((at, known)) = end {
        spool.set_clock(at);
        spool.beside(known);
    }
    spool.finish(|event| listener.event(&event));
    pause(listener)?;
    Ok(())
}

/// A line was written to Claude Code then.
fn wrote(spool: &mut Spool, at: u64, text: &str, listener: &mut dyn Listener) {
    spool.set_clock(at);
    spool.wrote(text, |event| listener.event(&event));
}

/// Tells what is piped in, as it comes. Returns what it was, and whether it was cut; nothing if nobody wanted to know all
/// of it.
pub(super) fn tell_stdin(
    source: &Source,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<Option<(What, bool)>> {
    let mut from = Unpacked::new(Box::new(stdin().lock()))?;
    let mut incoming = Incoming::new(grain, source.fail_on);
    let mut piece = Vec::new();
    while read_more(&mut from, &mut piece)? > 0 {
        incoming.feed(&piece, None, listener)?;
        if !pause(listener)? {
            return Ok(None);
        }
        piece.clear();
    }
    let what = incoming.end(None, from.is_cut(), listener)?;
    incoming.say_faults(&source.name());
    pause(listener)?;
    Ok(Some((what, from.is_cut())))
}
