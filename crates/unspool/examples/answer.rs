//! Prints what each agent says as it says it, and how it ended: `claude -p "…" --output-format stream-json --verbose |
//! cargo run -p unspool --example answer`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the library only computes; programs read and print"
)]

use std::io::{self, Read};
use unspool::event::{Event, What};
use unspool::{Grain, Spool};

fn main() -> io::Result<()> {
    let mut spool = Spool::new(Grain::Blocks);
    let mut piece = [0; 65536];
    loop {
        let length = io::stdin().read(&mut piece)?;
        if length == 0 {
            break;
        }
        spool.feed(&piece[..length], |event| tell(&event));
    }
    spool.finish(|event| tell(&event));
    Ok(())
}

fn tell(event: &Event<'_>) {
    match &event.what {
        What::Text { content, .. } => println!("{}: {content}", event.agent.as_str()),
        What::ToolUse { name: Some(name), .. } => println!("{}> {name}", event.agent.as_str()),
        What::Finished { verdict, .. } => println!("{verdict}"),
        _ => {}
    }
}
