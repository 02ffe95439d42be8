//! Makes a page of a stream: `cargo run -p unspool-report --example page < run.ndjson > run.html`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the library only computes; programs read and print"
)]

use std::io::{self, BufWriter, Read};
use unspool::{Event, Grain, Spool};
use unspool_report::page::Page;
use unspool_report::state::State;
use unspool_report::story::{Limit, Story};

fn main() -> io::Result<()> {
    let (mut spool, mut piece) = (Spool::new(Grain::Blocks), [0; 65536]);
    let (mut story, mut state) = (Story::new(Limit::Bytes(64 << 10)), State::new(0));
    let mut take = |event: Event<'_>| {
        story.step(&event);
        state.step(&event, 0);
    };
    loop {
        let length = io::stdin().read(&mut piece)?;
        if length == 0 {
            break;
        }
        spool.feed(&piece[..length], &mut take);
    }
    spool.finish(&mut take);
    eprintln!("{}", state.at(0));
    Page::of(&story).write_to(&mut BufWriter::new(io::stdout().lock()))
}
