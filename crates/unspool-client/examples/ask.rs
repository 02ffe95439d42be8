//! Asks one thing, for a dime at most: `cargo run -p unspool-client --example ask -- "What is 6 times 7?"`.

use unspool_client::{Claude, Error, Limits, Options};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let prompt = std::env::args().nth(1).unwrap_or_else(|| "What is 6 times 7?".to_owned());
    let claude = Claude::new(Options::new().model("haiku")).limits(Limits::new().usd(0.10));
    let answer = claude.ask(prompt).await?;
    println!("{}", answer.text);
    Ok(())
}
