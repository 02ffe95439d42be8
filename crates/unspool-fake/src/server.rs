//! The model as a server on loopback.

use crate::log::Received;
use crate::play::Play;
use crate::script::{Fail, kind_of, words_of};
use crate::stage::{Reply, Stage, request_id};
use hyper::body::{Body, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Answers until it is dropped, and every connection with it.
pub(crate) async fn serve(listener: TcpListener, stage: Arc<Stage>) {
    let mut connections = JoinSet::new();
    loop {
        // Too many open files, or a client that is gone already: the next one may do better.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        // Parts are to arrive when they are sent.
        let _ = stream.set_nodelay(true);
        let stage = Arc::clone(&stage);
        let service = service_fn(move |request| answer(Arc::clone(&stage), request));
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        connections.spawn(async {
            // A client that goes away, or a cut of ours, is no error.
            let _ = connection.await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(stage: Arc<Stage>, request: Request<Incoming>) -> Result<Response<Play>, Infallible> {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    if let Some(question) = path.strip_prefix("/__unspool/") {
        return Ok(aside(&stage, &head.method, question));
    }
    let cli = header(&head.headers, USER_AGENT).contains("claude-cli/");
    let received = Received {
        number: 0,
        at_ms: 0,
        method: head.method.to_string(),
        path: head.uri.path_and_query().map_or(path.clone(), ToString::to_string),
        headers: noted(&head.headers),
        body: read(body).await,
        conversation: None,
        turn: None,
        does: String::new(),
        status: 0,
        answer: String::new(),
    };
    let reply = match (&head.method, &*path) {
        (&Method::POST, "/v1/messages") => stage.message(received, cli),
        (&Method::POST, "/v1/messages/count_tokens") => stage.count(received),
        // The CLI asks whether anybody is there.
        (&Method::HEAD | &Method::GET, "/") => stage.body(received, 200, String::new()),
        _ => stage.fail(received, &Fail::new(404, kind_of(404), words_of(404))),
    };
    sleep(reply.wait).await;
    Ok(response(reply))
}

fn response(reply: Reply) -> Response<Play> {
    let mut response = Response::new(reply.body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = if reply.stream { "text/event-stream; charset=utf-8" } else { "application/json" };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let named = reply.headers.into_iter().chain([("request-id".to_owned(), request_id(reply.number))]);
    for (name, value) in named {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
    response
}

/// Questions about the play itself, for tests in other languages.
fn aside(stage: &Stage, method: &Method, question: &str) -> Response<Play> {
    let notes = stage.log.notes();
    let body = match (method, question) {
        (&Method::GET, "requests") => lines(&notes.received),
        (&Method::GET, "sent") => lines(&notes.sent),
        (&Method::GET, "failures") => lines(&notes.failures),
        (&Method::GET, "unplayed") => lines(&stage.unplayed()),
        (&Method::POST, "reset") => {
            drop(notes);
            stage.reset();
            "{}".to_owned()
        }
        _ => {
            let mut response = Response::new(Play::aside(QUESTIONS.to_owned()));
            *response.status_mut() = StatusCode::NOT_FOUND;
            return response;
        }
    };
    let mut response = Response::new(Play::aside(body));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

const QUESTIONS: &str = "GET /__unspool/requests, sent, failures or unplayed; POST /__unspool/reset\n";

/// An array, an item to a line.
fn lines(items: &[impl Serialize]) -> String {
    let items: Vec<String> = items.iter().filter_map(|item| serde_json::to_string(item).ok()).collect();
    format!("[{}]\n", items.join(",\n"))
}

/// The headers, without what should be in no log.
fn noted(headers: &HeaderMap) -> BTreeMap<String, String> {
    let secret =
        |name: &str| matches!(name, "authorization" | "x-api-key" | "cookie" | "proxy-authorization");
    let names = headers.keys().filter(|name| !secret(name.as_str()));
    names.map(|name| (name.to_string(), header(headers, name))).collect()
}

fn header(headers: &HeaderMap, name: impl hyper::header::AsHeaderName) -> String {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
}

/// All of a body; as much as came, if the client goes away.
async fn read(mut body: Incoming) -> String {
    let mut bytes = Vec::new();
    while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if let Some(data) = frame.data_ref() {
            bytes.extend_from_slice(data);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
