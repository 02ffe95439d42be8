//! What a session is doing, for five who watch it: `cargo run -p unspool-examples --example states -- "Fix the tests."`.

use unspool_client::feed::{Fed, Subscriber};
use unspool_client::{Claude, Error, Options};
use unspool_report::state::State;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let prompt = std::env::args().nth(1).unwrap_or_else(|| "What does this project do?".to_owned());
    let run = Claude::new(Options::new().model("haiku")).run(prompt).await?;
    let watching: Vec<_> = (1..=5).map(|name| tokio::spawn(watch(name, run.feed().subscribe(1)))).collect();
    let answer = run.answer().await;
    for watcher in watching {
        watcher.await.expect("nobody panics");
    }
    println!("{}", answer?.text);
    Ok(())
}

/// Says so whenever the state has changed.
async fn watch(name: u32, mut events: Subscriber) {
    let (mut state, mut last) = (State::new(0), "");
    while let Some(fed) = events.next().await {
        // Who is too slow is told what was missed.
        let Fed::Event { event, .. } = &fed else {
            println!("{name}: {fed:?}");
            continue;
        };
        let now = event.at.unwrap_or_default();
        state.step(event, now);
        let standing = state.at(now).name();
        if standing != std::mem::replace(&mut last, standing) {
            println!("{name}: {standing}");
        }
    }
}
