//! What holds for the files of a session, whatever is in them.

use super::{GRAINS, agree, are_in_order, are_json, come_back};
use crate::retell::is_of_deltas;
use crate::transcript::{Cast, Figures, Transcript};

/// The main file alone, and with that of an agent: events are in order, each is JSON and comes back from it, both grains tell the same, and
/// whoever reads nothing but figures gets through.
pub fn holds_for_transcripts(main: &[u8], agent: &[u8]) {
    let agents = [("a", agent)];
    for agents in [&[][..], &agents] {
        let [mut blocks, deltas] = GRAINS.map(|grain| Transcript::read(grain, main, agents));
        for events in [&blocks, &deltas] {
            are_in_order(events);
            are_json(events);
            come_back(events);
        }
        blocks.retain(|event| !is_of_deltas(event));
        agree(blocks, deltas);
    }
    Figures::default().read(main, |_| {});
    Cast::default().meta("a", &String::from_utf8_lossy(agent));
}
