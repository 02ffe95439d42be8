//! A plain HTTP client: bytes out, bytes in, so that nothing is mended on the way.

use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use unspool_fake::{FakeModel, Script};

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
    /// Whether it came to its end, by its own account.
    pub(crate) whole: bool,
    pub(crate) took: Duration,
}

/// A model that plays this script.
pub(crate) async fn model(script: &str) -> FakeModel {
    let script: Script = script.parse().unwrap_or_else(|error| panic!("{error}"));
    FakeModel::start(script).await.unwrap()
}

/// Asks for a stream, with these messages.
pub(crate) async fn ask(model: &FakeModel, messages: &str) -> Response {
    let body = format!(r#"{{"model":"m","max_tokens":1000,"stream":true,"messages":[{messages}]}}"#);
    send(model, "POST", "/v1/messages?beta=true", &body).await
}

/// Asks for a whole message.
pub(crate) async fn ask_plain(model: &FakeModel, messages: &str) -> Response {
    let body = format!(r#"{{"model":"m","max_tokens":1000,"messages":[{messages}]}}"#);
    send(model, "POST", "/v1/messages", &body).await
}

pub(crate) async fn get(model: &FakeModel, path: &str) -> Response {
    send(model, "GET", path, "").await
}

pub(crate) async fn send(model: &FakeModel, method: &str, path: &str, body: &str) -> Response {
    let mut stream = begin(model, method, path, body).await;
    let begun = Instant::now();
    let mut bytes = Vec::new();
    // A connection that breaks may be an error here or not; what counts is what came before.
    let _ =
        timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.expect("an answer in time");
    Response::read(&bytes, begun.elapsed())
}

/// Sends a request, and waits for nothing.
pub(crate) async fn begin(model: &FakeModel, method: &str, path: &str, body: &str) -> TcpStream {
    let address = model.url().strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nx-api-key: sk-secret\r\nx-other: seen\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

impl Response {
    fn read(bytes: &[u8], took: Duration) -> Self {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let head = head.to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let (body, whole) = if head.contains("transfer-encoding: chunked") {
            chunks(body)
        } else {
            let length = head.split("content-length: ").nth(1).and_then(|it| it.lines().next());
            (body.to_owned(), length == Some(&body.len().to_string()))
        };
        Response { status, head, body, whole, took }
    }

    /// The data of the events, by the last word of each name.
    pub(crate) fn events(&self) -> Vec<(String, &str)> {
        self.body
            .split_terminator("\n\n")
            .map(|event| {
                let (name, data) = event.split_once('\n').expect("a name and data");
                let name = name.strip_prefix("event: ").expect("a name");
                (name.to_owned(), data.strip_prefix("data: ").expect("data"))
            })
            .collect()
    }

    /// The names of the events.
    pub(crate) fn names(&self) -> Vec<String> {
        self.events().into_iter().map(|(name, _)| name).collect()
    }

    /// All that was said, thought or put into calls, piece by piece.
    pub(crate) fn pieces(&self) -> Vec<String> {
        let deltas = self.events().into_iter().filter(|(name, _)| name == "content_block_delta");
        deltas
            .map(|(_, data)| {
                let data: serde_json::Value = serde_json::from_str(data).unwrap();
                let delta = &data["delta"];
                let piece = ["text", "thinking", "partial_json", "signature"].map(|it| delta[it].as_str());
                piece.into_iter().flatten().next().unwrap_or("?").to_owned()
            })
            .collect()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Joins chunks; whether the last one was there.
fn chunks(mut text: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((length, rest)) = text.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("the length of a chunk");
        if length == 0 {
            return (body, true);
        }
        body.push_str(&rest[..length]);
        text = &rest[length + 2..];
    }
    (body, false)
}
