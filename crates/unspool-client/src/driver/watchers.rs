//! All who hear of each event before the application does.

use super::Limiter;
use super::outbox::Outbox;
use super::spans::Spans;
use crate::cost::Cost;
use crate::fit::Fit;
use crate::ledger::{Ledger, Noted};
use crate::store::Mirror;
use crate::warning::Warnings;
use crate::watch::Watch;
use tokio::time::Instant;
use unspool::Event;
use unspool::verdict::Cut;

pub(super) struct Watchers {
    pub(super) ledger: Ledger,
    pub(super) watch: Watch,
    pub(super) spans: Spans,
    pub(super) cost: Cost,
    pub(super) limiter: Limiter,
    pub(super) fit: Option<Fit>,
    pub(super) warnings: Warnings,
    /// Keeps what is written to transcripts; `None` once everything is there.
    pub(super) mirror: Option<Mirror>,
}

impl Watchers {
    /// Tells all of them. Returns what it means for prompts, and whether it is too much.
    pub(super) fn step(&mut self, event: &Event<'_>, now: Instant, outbox: &Outbox) -> (Noted, Option<Cut>) {
        let noted = self.ledger.step(event);
        self.watch.step(event, now);
        self.spans.step(event);
        self.warnings.step(event);
        self.cost.step(event);
        let too_much = (self.limiter)(event);
        if let Some(fit) = &mut self.fit {
            fit.step(event);
        }
        if let Some(mirror) = &mut self.mirror {
            mirror.step(event, |bytes| outbox.load(bytes));
        }
        (noted, too_much)
    }
}
