//! MCP servers: calls side by side, calls that are taken back, tools that change.

use super::{cast, session};
use crate::controls::Order;
use crate::handlers::Context;
use crate::server::{HostedServer, Piped, Server, Tool};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep, timeout};
use unspool::control::Payload;

async fn send(server: &impl HostedServer, context: &Context, message: Value) -> Result<Value, String> {
    let reply = server.handle(Payload::from(message), context.clone()).await?;
    Ok(reply.map_or(Value::Null, |reply| serde_json::from_str(reply.json().text()).unwrap()))
}

fn call(id: u64, tool: &str) -> Value {
    let meta = json!({"claudecode/toolUseId": "toolu_1", "progressToken": id});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "_meta": meta}})
}

/// What a server has sent to its session.
fn sent(ordered: &mut UnboundedReceiver<Order>) -> Option<Value> {
    let Ok(Order::Command { request, .. }) = ordered.try_recv() else { return None };
    Some(serde_json::from_str(request.json().text()).unwrap())
}

fn sleeper() -> Server {
    Server::new("bed").tool(Tool::new("sleep", "Sleeps", |(): ()| async {
        sleep(Duration::from_secs(3600)).await;
        "slept"
    }))
}

#[tokio::test(start_paused = true)]
async fn calls_run_side_by_side() {
    let (server, (context, _ordered)) = (sleeper(), session());
    let began = Instant::now();
    let calls = tokio::join!(
        send(&server, &context, call(0, "sleep")),
        send(&server, &context, call(1, "sleep")),
        send(&server, &context, json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})),
    );
    assert_eq!(began.elapsed(), Duration::from_secs(3600));
    assert_eq!(calls.0.unwrap()["result"]["content"][0]["text"], "slept");
    assert_eq!(calls.1.unwrap()["id"], 1);
    assert_eq!(calls.2.unwrap(), json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
}

#[tokio::test(start_paused = true)]
async fn a_call_is_taken_back_in_the_session_it_belongs_to() {
    let server = sleeper();
    let ((one, _one), (two, _two)) = (session(), session());
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0}});
    let began = Instant::now();
    let (first, second, reply) = tokio::join!(
        send(&server, &one, call(0, "sleep")),
        send(&server, &two, call(0, "sleep")),
        send(&server, &one, cancel),
    );
    assert_eq!(reply, Ok(Value::Null));
    assert_eq!(first.unwrap()["error"]["message"], "The call was cancelled");
    assert_eq!(second.unwrap()["result"]["content"][0]["text"], "slept");
    assert_eq!(began.elapsed(), Duration::from_secs(3600));
}

#[tokio::test]
async fn sessions_hear_of_new_tools() {
    let (server, (context, mut ordered)) = (cast::calc(), session());
    server.add_tool(Tool::new("early", "There is no session yet", |(): ()| async { "" }));
    assert_eq!(sent(&mut ordered), None);
    server.join(&context.controls);
    let changed = json!({"subtype": "mcp_message", "server_name": "calc",
        "message": {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}});
    server.add_tool(Tool::new("more", "More", |(): ()| async { "" }));
    assert_eq!(sent(&mut ordered), Some(changed.clone()));
    assert!(server.remove_tool("more"));
    assert_eq!(sent(&mut ordered), Some(changed));
    assert!(!server.remove_tool("more"), "it is gone");
    assert_eq!(sent(&mut ordered), None);
    drop(ordered);
    server.add_tool(Tool::new("more", "The session has ended", |(): ()| async { "" }));
}

#[tokio::test]
async fn a_tool_tells_how_far_it_has_come() {
    let server = Server::new("work").tool(Tool::with_call("dig", "Digs", |(): (), call| async move {
        call.progress(1.0, Some(2.0), Some("half"));
        call.id().ok_or("no id")
    }));
    let (context, mut ordered) = session();
    let reply = send(&server, &context, call(7, "dig")).await.unwrap();
    assert_eq!(reply["result"]["content"][0]["text"], "toolu_1");
    assert_eq!(
        sent(&mut ordered).unwrap()["message"],
        json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": 7, "progress": 1.0, "total": 2.0, "message": "half"}})
    );
}

/// A server of the old school: a line in, a line out, the second request first; ends when told to.
fn lines() -> Piped {
    Piped::new("lines", |io| async move {
        let (from, mut to) = tokio::io::split(io);
        let mut from = BufReader::new(from).lines();
        let mut held: Option<String> = None;
        while let Ok(Some(line)) = from.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            let reply =
                format!("{}\n", json!({"jsonrpc": "2.0", "id": message["id"], "result": message["method"]}));
            match message["method"].as_str() {
                Some("end") => return,
                Some("tell") => {
                    to.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"told\"}\nnoise\n").await.unwrap()
                }
                Some("hold") => held = Some(reply),
                Some("initialize") => to.write_all(reply.as_bytes()).await.unwrap(),
                _ => {
                    to.write_all(reply.as_bytes()).await.unwrap();
                    if let Some(held) = held.take() {
                        to.write_all(held.as_bytes()).await.unwrap();
                    }
                }
            }
        }
    })
}

fn request(id: u64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

#[tokio::test(start_paused = true)]
async fn replies_of_a_piped_server_find_who_waits_for_them() {
    let (server, (context, mut ordered)) = (lines(), session());
    let nobody = send(&server, &context, request(1, "early")).await;
    assert_eq!(nobody, Err("the MCP server lines has ended".to_owned()));
    assert_eq!(send(&server, &context, request(0, "initialize")).await.unwrap()["result"], "initialize");
    let (held, next) = tokio::join!(
        send(&server, &context, request(1, "hold")),
        send(&server, &context, request(2, "next"))
    );
    assert_eq!((&held.unwrap()["result"], &next.unwrap()["id"]), (&json!("hold"), &json!(2)));
    let told = json!({"jsonrpc": "2.0", "method": "tell"});
    assert_eq!(send(&server, &context, told).await, Ok(Value::Null));
    assert_eq!(send(&server, &context, request(3, "after")).await.unwrap()["id"], 3);
    assert_eq!(sent(&mut ordered).unwrap()["message"], json!({"jsonrpc": "2.0", "method": "told"}));
}

#[tokio::test(start_paused = true)]
async fn sessions_have_a_piped_server_each_and_it_may_end() {
    let (server, (one, _one), (two, _two)) = (lines(), session(), session());
    send(&server, &one, request(0, "initialize")).await.unwrap();
    send(&server, &two, request(0, "initialize")).await.unwrap();
    let (ended, waits) =
        tokio::join!(send(&server, &one, request(1, "end")), send(&server, &two, request(1, "x")));
    assert_eq!(ended, Err("the MCP server lines has ended".to_owned()));
    assert_eq!(waits.unwrap()["result"], "x");
    assert!(send(&server, &one, request(2, "x")).await.is_err());
    send(&server, &one, request(0, "initialize")).await.unwrap();
    assert_eq!(send(&server, &one, request(2, "x")).await.unwrap()["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_piped_server_ends_with_its_session() {
    let (ended, has_ended) = tokio::sync::oneshot::channel::<()>();
    let ended = std::sync::Mutex::new(Some(ended));
    let server = Piped::new("held", move |io| {
        let held = (io, ended.lock().unwrap().take());
        async move {
            std::future::pending::<()>().await;
            drop(held);
        }
    });
    let (context, ordered) = session();
    let waits = tokio::spawn(server.handle(Payload::from(request(0, "initialize")), context));
    tokio::task::yield_now().await;
    drop(ordered);
    assert!(timeout(Duration::from_secs(1), has_ended).await.unwrap().is_err(), "it is dropped, not told");
    assert_eq!(waits.await.unwrap(), Err("the MCP server held has ended".to_owned()));
}
