//! What comes from the program: read at once, told now or later.

use super::backlog::Backlog;
use crate::transport::Output;
use std::io;
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

/// So much is read at once.
const PIECE: usize = 64 << 10;

pub(super) struct Intake {
    /// `None` once it is closed.
    output: Option<Output>,
    /// What was read and not told.
    pub(super) backlog: Backlog,
    /// The last byte that was told is not the end of a line.
    pub(super) mid_line: bool,
    /// When something was read last.
    pub(super) heard: Instant,
    /// Nothing is read, because the application takes nothing and the backlog is full.
    stalled: bool,
    pub(super) piece: Vec<u8>,
}

impl Intake {
    pub(super) fn new(output: Output, line_limit: usize, now: Instant) -> Self {
        Intake {
            output: Some(output),
            backlog: Backlog::new(line_limit),
            mid_line: false,
            heard: now,
            stalled: false,
            piece: vec![0; PIECE],
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.output.is_some()
    }

    /// Nothing more is read. Whether something might have been.
    pub(super) fn close(&mut self) -> bool {
        self.output.take().is_some()
    }

    /// Whether everything that came was told, and nothing more will come.
    pub(super) fn is_over(&self) -> bool {
        self.output.is_none() && self.backlog.is_empty()
    }

    /// Reads into `piece`. May be dropped and called again.
    pub(super) async fn read(&mut self) -> io::Result<usize> {
        match &mut self.output {
            Some(output) => output.read(&mut self.piece).await,
            None => Ok(0),
        }
    }

    /// Whether reading goes on just now, after it could not.
    pub(super) fn goes_on(&mut self, reads: bool, now: Instant) -> bool {
        let goes_on = std::mem::replace(&mut self.stalled, !reads) && reads;
        if goes_on {
            self.heard = now;
        }
        goes_on
    }
}
