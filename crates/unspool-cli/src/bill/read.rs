//! The statement of a session, wherever it is.

use crate::source::{Listener, OnDisk, Source};
use anyhow::Context;
use memchr::memrchr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use unspool::Grain;
use unspool::event::{Event, What};
use unspool_client::kept::KeptSession;
use unspool_report::bill::{Account, By, Ledger, Statement};

/// Bytes that are read at once; small enough to stay in the cache until they are looked at.
const PIECE: usize = 256 << 10;

/// Reads a session. Turns, agents and tools are known only by its events: without them there is far less to read.
pub(crate) fn statement(source: &Source, by: &[By]) -> anyhow::Result<Statement> {
    if !by.iter().any(|by| by.needs_events())
        && let Some(session) = source.on_disk()?
    {
        let mut statement = figures(session)?;
        if by.contains(&By::Session)
            && let Some(about) = KeptSession::of(source.path().to_owned()).and_then(|kept| kept.about().ok())
        {
            statement.entitle(about.best());
        }
        return Ok(statement);
    }
    let mut reader = Reader { account: Account::new(source.session()), has_entries: false, unpriced: false };
    source.tell_to(Grain::Blocks, &mut reader)?;
    if reader.unpriced && !reader.has_entries {
        eprintln!(
            "unspool: {}: these are events of a transcript, which do not say where its totals stood: a turn whose cost came with a \
             later one counts as not reported",
            source.name()
        );
    }
    Ok(reader.account.finish())
}

struct Reader {
    account: Account,
    /// It is a transcript.
    has_entries: bool,
    /// A turn of a transcript has no cost of its own.
    unpriced: bool,
}

impl Listener for Reader {
    fn event(&mut self, event: &Event<'_>) {
        if let What::TurnComplete { cost_usd: None, notes: Some(notes), .. } = &event.what {
            self.unpriced |= notes.iter().any(|note| note.reason == "summed_from_messages");
        }
        self.account.step(event);
    }

    fn entry(&mut self, agent: Option<&Path>, line: &[u8]) {
        self.has_entries = true;
        self.account.entry(agent, line);
    }
}

fn figures(session: OnDisk) -> anyhow::Result<Statement> {
    let mut ledger = Ledger::new(session.session.as_deref());
    let mut buffer = session.head;
    let filled = buffer.len();
    read(session.rest, &mut buffer, filled, |lines| ledger.take(None, lines))?;
    for file in &session.agents {
        let open = || File::open(file).map(|file| Box::new(file) as Box<dyn Read>);
        open()
            .and_then(|source| read(source, &mut buffer, 0, |lines| ledger.take(Some(file), lines)))
            .with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(ledger.finish())
}

/// Hands on the lines of a file, many at a time. So many bytes of it are in the buffer already.
fn read(
    mut source: Box<dyn Read>,
    buffer: &mut Vec<u8>,
    mut filled: usize,
    mut take: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    let mut kept = 0;
    loop {
        if let Some(end) = memrchr(b'\n', &buffer[kept..filled]).map(|end| kept + end + 1) {
            take(&buffer[..end]);
            buffer.copy_within(end..filled, 0);
            filled -= end;
        }
        kept = filled;
        if buffer.len() < kept + PIECE {
            buffer.resize(kept + PIECE, 0);
        }
        let read = loop {
            match source.read(&mut buffer[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if read == 0 {
            take(&buffer[..kept]);
            return Ok(());
        }
        filled = kept + read;
    }
}
