//! A Rust value from Claude Code: `cargo run -p unspool-examples --example ask_json`.

use serde::Deserialize;
use unspool_client::json::schemars::{self, JsonSchema};
use unspool_client::{Claude, Error, Limits, Options};

#[derive(Debug, Deserialize, JsonSchema)]
struct Review {
    /// From 1 to 10.
    grade: u8,
    faults: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let claude = Claude::new(Options::new().model("haiku")).limits(Limits::new().usd(0.50));
    let review = claude.ask_json::<Review>("Review the last commit.").await?;
    println!("{} of 10", review.value.grade);
    for fault in review.value.faults {
        println!("- {fault}");
    }
    Ok(())
}
