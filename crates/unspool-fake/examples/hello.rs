//! Plays a script and asks it something, as Claude Code would: `cargo run -p unspool-fake --example hello`.

use std::error::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use unspool_fake::{FakeModel, Script};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let script: Script = "turn = [{ say = 'Hello!' }]".parse()?;
    let model = FakeModel::start(script).await?;
    let host = model.url().trim_start_matches("http://").to_owned();
    let body = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi."}]}"#;
    let request = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: {host}\r\nx-api-key: sk-ant-fake\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(&host).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    println!("{}", response.lines().last().unwrap_or_default());
    println!("{} request", model.requests().len());
    Ok(())
}
