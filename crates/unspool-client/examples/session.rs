//! A session of two turns, with a tool of one's own: `cargo run -p unspool-client --example session`.

use serde::Deserialize;
use unspool_client::json::schemars::{self, JsonSchema};
use unspool_client::server::{Server, Tool};
use unspool_client::unspool::event::What;
use unspool_client::{Claude, Decision, Error, Handlers, Options};

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let add = Tool::new("add", "Adds two numbers", |it: Add| async move { (it.a + it.b).to_string() });
    let handlers = Handlers::new().server(Server::new("calc").tool(add)).permission(|call| async move {
        println!("? {} {}", call.tool(), call.input());
        if call.tool().starts_with("mcp__calc__") { Decision::allow() } else { Decision::deny("only sums") }
    });
    let mut session = Claude::new(Options::new().model("haiku")).handlers(handlers).session().await?;
    let mut turn = session.turn("Add 2 and 3 with your tool.").await?;
    while let Some(event) = turn.next().await {
        match event.what {
            What::ToolUse { name: Some(name), input: Some(input), .. } => println!("> {name} {input}"),
            What::Text { content, .. } => println!("{content}"),
            _ => {}
        }
    }
    println!("{}", session.ask("And 4 to that.").await?.text);
    println!("{}", session.finish().await.verdict);
    Ok(())
}
