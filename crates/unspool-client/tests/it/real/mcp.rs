//! Commands about MCP servers that Claude Code runs itself.

use super::stage::{Stage, on_some};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use unspool::control::Refusal;
use unspool::wire::command::McpServerConfig;
use unspool::wire::input::Owned;
use unspool_client::controls::Controls;
use unspool_client::options::McpServer;
use unspool_client::{Claude, Session};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/parrot.py");
const TOOL: &str = "mcp__parrot__repeat";

const SCRIPT: &str = r#"
    [[conversation]]
    when.prompt = "look"
    then = "repeat"
    turn = [{ say = "I see." }]

    [[conversation]]
    when.prompt = "call"
    turn = [{ call.mcp__parrot__repeat.words = "from the model" }, { say = "Called." }]
"#;

/// What older versions do, nobody promises.
fn is_new(version: &str) -> bool {
    version == "2.1.325"
}

/// A session that has the server.
async fn session(stage: &Stage) -> Session {
    let options = stage.options().skip_permissions(true);
    let options = options.mcp_server("parrot", McpServer::stdio("python3").args([SERVER]));
    let session = Claude::new(options).session().await.unwrap();
    until(&session.controls(), Some("connected")).await;
    session
}

async fn until(controls: &Controls, wanted: Option<&str>) {
    while status(controls).await.as_deref() != wanted {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// How the server is, if there is one.
async fn status(controls: &Controls) -> Option<String> {
    let reply = controls.mcp_status().await.unwrap();
    let reply: Value = serde_json::from_str(reply.json().unwrap().text()).unwrap();
    let server = reply["mcpServers"].as_array().unwrap().iter().find(|server| server["name"] == "parrot")?;
    Some(server["status"].as_str().unwrap().to_owned())
}

/// Whether the next prompt comes with the tool.
async fn is_offered(stage: &Stage, session: &mut Session) -> bool {
    session.ask("look").await.unwrap();
    let requests = stage.model.requests();
    let body = &requests.iter().rfind(|request| request.turn.is_some()).unwrap().body;
    let body: Value = serde_json::from_str(body).unwrap();
    body["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == TOOL)
}

/// What the tool says to us.
async fn repeat(controls: &Controls, words: &str) -> Result<String, Refusal> {
    let reply = controls.mcp_call(TOOL, json!({"words": words})).await?;
    Ok(reply.read().content.unwrap().text().to_owned())
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_server_is_switched_off_and_on() {
    on_some(SCRIPT, is_new, async |stage| {
        let mut session = session(&stage).await;
        let controls = session.controls();
        controls.mcp_toggle("parrot", false).await.unwrap();
        until(&controls, Some("disabled")).await;
        assert!(!is_offered(&stage, &mut session).await);
        let refusal = repeat(&controls, "one").await.unwrap_err();
        assert!(matches!(refusal, Refusal::Refused { .. }), "{refusal:?}");
        controls.mcp_toggle("parrot", true).await.unwrap();
        until(&controls, Some("connected")).await;
        assert!(is_offered(&stage, &mut session).await);
        assert_eq!(repeat(&controls, "two").await.unwrap(), r#"[{"type":"text","text":"again: two"}]"#);
        let page = controls.mcp_read_resource("parrot", "ui://parrot/page").await.unwrap();
        let texts: Vec<_> =
            page.read().contents.unwrap().iter().map(|part| part.text.unwrap().to_string()).collect();
        assert_eq!(texts, ["<p>squawk</p>"]);

        // What the model was told once is not untold; it is told that it is over, and cannot call it.
        controls.mcp_toggle("parrot", false).await.unwrap();
        until(&controls, Some("disabled")).await;
        session.ask("call").await.unwrap();
        assert!(stage.heard("MCP server disabled by the user: mcp__parrot__repeat"));
        assert!(!stage.heard("again: from the model"));
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_server_that_was_killed_is_connected_to_again() {
    on_some(SCRIPT, is_new, async |stage| {
        let mut session = session(&stage).await;
        let controls = session.controls();
        let id = || fs::read_to_string(stage.folder.join("parrot.txt")).unwrap().trim().to_owned();
        let first = id();
        assert!(std::process::Command::new("kill").args(["-9", &first]).status().unwrap().success());
        // It still counts as connected; only calls say otherwise.
        while repeat(&controls, "one").await.is_ok() {}
        assert_eq!(status(&controls).await.as_deref(), Some("connected"));
        controls.mcp_reconnect("parrot").await.unwrap();
        assert!(repeat(&controls, "two").await.unwrap().contains("again: two"));
        assert_ne!(id(), first);
        session.ask("call").await.unwrap();
        assert!(stage.heard("again: from the model"));
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn servers_come_and_go() {
    on_some(SCRIPT, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let controls = session.controls();
        assert!(!is_offered(&stage, &mut session).await);
        let args = Owned::of([SERVER]);
        let parrot = McpServerConfig::default().kind("stdio").command("python3").args(&args);
        let reply = controls.mcp_set_servers([("parrot", parrot)]).await.unwrap();
        assert_eq!(reply.json().unwrap().text(), r#"{"added":["parrot"],"removed":[],"errors":{}}"#);
        until(&controls, Some("connected")).await;
        assert!(is_offered(&stage, &mut session).await);
        let reply = controls.mcp_set_servers([]).await.unwrap();
        assert_eq!(reply.json().unwrap().text(), r#"{"added":[],"removed":["parrot"],"errors":{}}"#);
        assert_eq!(status(&controls).await, None);
        session.ask("call").await.unwrap();
        assert!(stage.heard("MCP server removed from the configuration: mcp__parrot__repeat"));
        assert!(!stage.heard("again: from the model"));
        session.close().await;
    })
    .await;
}
