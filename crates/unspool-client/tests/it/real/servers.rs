//! MCP servers that run with us, with the real program.

use super::stage::{Stage, on_all, on_line, on_some};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as McpTool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServiceExt};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool::wire::command::McpSetServersReply;
use unspool_client::controls::Reply;
use unspool_client::options::{ToolPermission, ToolPolicy};
use unspool_client::server::{Piped, Server, ServerSettings, Tool, ToolReply};
use unspool_client::{Claude, Decision, Handlers};

const ADD: &str = r#"
    [[turn]]
    call.mcp__calc__add = { a = 2, b = 40 }
    [[turn]]
    say = "Done."
"#;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

fn calc() -> Server {
    Server::new("calc").tool(
        Tool::new("add", "Adds two numbers", |it: Add| async move { format!("the sum is {}", it.a + it.b) })
            .read_only(true)
            .always_load(),
    )
}

fn free(stage: &Stage, server: impl unspool_client::server::HostedServer) -> Claude {
    stage.claude().handlers(Handlers::new().server(server))
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn the_model_calls_a_tool_of_ours() {
    on_all(ADD, async |stage| {
        free(&stage, calc()).ask("go").await.expect(&stage.version);
        assert!(stage.heard("the sum is 42"), "{}", stage.version);
        assert!(stage.heard("Adds two numbers"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_tool_of_ours_has_to_be_allowed_too() {
    on_all(ADD, async |stage| {
        let handlers = Handlers::new().server(calc()).permission(|asked| async move {
            assert_eq!(asked.tool(), "mcp__calc__add");
            Decision::deny("no sums today")
        });
        Claude::new(stage.options()).handlers(handlers).ask("go").await.expect(&stage.version);
        assert!(stage.heard("no sums today") && !stage.heard("the sum is 42"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn errors_pictures_and_values_arrive() {
    let script = r#"
        [[turn]]
        call.mcp__mix__fail = {}
        [[turn]]
        call.mcp__mix__show = {}
        [[turn]]
        call.mcp__mix__value = {}
        [[turn]]
        say = "Done."
    "#;
    const PIXEL: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    on_all(script, async |stage| {
        let server = Server::new("mix")
            .tool(Tool::new("fail", "Fails", |(): ()| async { Err::<String, _>("it went wrong") }))
            .tool(Tool::new("show", "Shows", |(): ()| async {
                ToolReply::new().image_base64("image/png", PIXEL)
            }))
            .tool(Tool::new("value", "Counts", |(): ()| async { ToolReply::json(&json!({"sum": 42})) }));
        free(&stage, server).ask("go").await.expect(&stage.version);
        assert!(stage.heard("it went wrong") && stage.heard(r#""is_error":true"#), "{}", stage.version);
        assert!(stage.heard(r#""type":"image""#), "{}", stage.version);
        assert!(stage.heard(r#"{\"sum\":42}"#), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_tool_that_comes_later_can_be_called() {
    let script = r#"
        [[turn]]
        say = "Hello."
        [[turn]]
        call.mcp__calc__late = {}
        [[turn]]
        say = "Done."
    "#;
    on_some(
        script,
        |version| version.starts_with("2.1"),
        async |stage| {
            let server = calc();
            let mut session = free(&stage, server.clone()).session().await.expect(&stage.version);
            session.ask("hello").await.expect(&stage.version);
            server.add_tool(Tool::new("late", "Comes late", |(): ()| async { "better than never" }));
            // The list is fetched anew by the time that this is answered.
            let status = unspool::control::Payload::from(json!({"subtype": "mcp_status"}));
            session.controls().command(status).await.expect(&stage.version);
            session.ask("go").await.expect(&stage.version);
            assert!(stage.heard("better than never"), "{}", stage.version);
            session.close().await;
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_tool_is_used_as_its_policy_says() {
    let script = r#"turn = [
        { call.mcp__policed__allow = {} },
        { call.mcp__policed__ask = {} },
        { call.mcp__policed__deny = {} },
        { say = "Done." },
    ]"#;
    // In which mode, and who is then asked about. That a tool is always allowed is a word to whoever is asked, no more.
    for (skips, asked) in [(true, vec!["ask"]), (false, vec!["allow", "ask"])] {
        let stage = Stage::newest(script).await;
        let tool = |name: &'static str| {
            Tool::new(name, "Says its name", move |(): ()| async move { format!("{name} was called") })
                .always_load()
        };
        let settings = ServerSettings::new()
            .tool(ToolPolicy::of("allow").permission(ToolPermission::AlwaysAllow))
            .tool(ToolPolicy::of("ask").permission(ToolPermission::AlwaysAsk))
            .tool(ToolPolicy::of("deny").permission(ToolPermission::AlwaysDeny));
        let server = ["allow", "ask", "deny"]
            .into_iter()
            .fold(Server::new("policed").settings(settings), |server, name| server.tool(tool(name)));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&seen);
        let handlers = Handlers::new().server(server).permission(move |permission| {
            notes.lock().unwrap().push(permission.tool().replace("mcp__policed__", ""));
            async { Decision::allow() }
        });
        Claude::new(stage.options().skip_permissions(skips)).handlers(handlers).ask("go").await.unwrap();
        assert_eq!(*seen.lock().unwrap(), asked, "skips: {skips}");
        let called = ["allow", "ask", "deny"].map(|name| stage.heard(&format!("{name} was called")));
        assert_eq!(called, [true, true, false], "skips: {skips}");
        assert!(stage.heard("No such tool available: mcp__policed__deny"), "skips: {skips}");
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_call_that_takes_too_long_is_cancelled_however_it_comes_along() {
    let script = r#"turn = [{ call.mcp__slow__walk = {} }, { say = "Enough." }]"#;
    on_some(
        script,
        |version| version == "2.1.325",
        async |stage| {
            let (steps, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
            let (count, end) = (Arc::clone(&steps), Arc::clone(&ended));
            let walk = Tool::with_call("walk", "Walks for an hour", move |(): (), call| {
                let count = Arc::clone(&count);
                let end = AtEnd(Arc::clone(&end));
                async move {
                    for step in 1..18_000 {
                        call.progress(f64::from(step), Some(18_000.0), Some("walking"));
                        count.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                    drop(end);
                    "arrived"
                }
            });
            let settings = ServerSettings::new().timeout(Duration::from_secs(2));
            let server = Server::new("slow").settings(settings).tool(walk.always_load());
            // Progress is a command of ours; each has an answer, and none is refused.
            let (taken, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let [yes, no] = [&taken, &refused].map(Arc::clone);
            let claude = on_line(free(&stage, server), move |line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let response = &line["response"];
                if response["request_id"].as_str().is_some_and(|id| id.starts_with("u-")) {
                    let counter = if response["subtype"] == "success" { &yes } else { &no };
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            });
            let mut session = claude.session().await.unwrap();
            assert_eq!(session.ask("go").await.unwrap().text, "Enough.");
            assert!(stage.heard(r#"tool \"walk\" timed out"#));
            while !ended.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            session.close().await;
            let steps = steps.load(Ordering::Relaxed);
            let taken = taken.load(Ordering::Relaxed);
            assert!(steps > 1 && taken > 1, "{taken} of {steps}");
            assert_eq!(refused.load(Ordering::Relaxed), 0);
        },
    )
    .await;
}

/// Says that it was dropped.
struct AtEnd(Arc<AtomicBool>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_server_of_rmcp_runs_with_us() {
    on_all(ADD, async |stage| {
        let server = Piped::new("calc", |io| async move {
            if let Ok(running) = Calculator.serve(io).await {
                let _ = running.waiting().await;
            }
        });
        free(&stage, server).ask("go").await.expect(&stage.version);
        assert!(stage.heard("rmcp says 42"), "{}", stage.version);
    })
    .await;
}

struct Calculator;

impl ServerHandler for Calculator {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = Arc::new(json!({"type": "object"}).as_object().unwrap().clone());
        Ok(ListToolsResult::with_all_items(vec![McpTool::new("add", "Adds two numbers", schema)]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
        let words = format!("rmcp says {}", number("a") + number("b"));
        Ok(CallToolResult::success(vec![ContentBlock::text(words)]).into())
    }
}

/// A server is there from the next request on, with its own tools even in another's place, and those that were there stay.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn servers_come_and_go_while_a_session_runs() {
    let script = r#"
        turn = [
            { call.mcp__clock__now = {} }, { say = "one" },
            { call.mcp__clock__now = {} }, { say = "two" },
            { call.mcp__clock__later = {} }, { call.mcp__first__here = {} }, { say = "three" },
            { call.mcp__clock__later = {} }, { call.mcp__first__here = {} }, { say = "four" },
        ]
    "#;
    on_some(
        script,
        |version| version == "2.1.325",
        async |stage| {
            let tool = |name: &str, says: &'static str| {
                Tool::new(name, "Says something", move |(): ()| async move { says })
            };
            let first = Server::new("first").tool(tool("here", "still-here"));
            let claude = stage.claude().handlers(Handlers::new().server(first));
            let mut session = claude.session().await.unwrap();
            let controls = session.controls();

            assert_eq!(session.ask("go").await.unwrap().text, "one");
            assert!(!stage.heard("quarter-past"));
            let reply =
                controls.add_server(Server::new("clock").tool(tool("now", "quarter-past"))).await.unwrap();
            assert_eq!(names(&reply), json!([["clock"], []]));
            assert_eq!(session.ask("go").await.unwrap().text, "two");
            assert!(stage.heard("quarter-past"));

            controls.add_server(Server::new("clock").tool(tool("later", "half-past"))).await.unwrap();
            assert_eq!(session.ask("go").await.unwrap().text, "three");
            assert!(stage.heard("half-past") && stage.heard("still-here"));

            let asked = stage.model.requests().len();
            let reply = controls.remove_server("clock").await.unwrap();
            assert_eq!(names(&reply), json!([[], ["clock"]]));
            assert_eq!(session.ask("go").await.unwrap().text, "four");
            let later: String = stage.model.requests()[asked..].iter().map(|it| it.body.clone()).collect();
            assert!(later.contains("No such tool available: mcp__clock__later"), "{later}");
            session.close().await;
        },
    )
    .await;
}

/// Which servers came, and which went.
fn names(reply: &Reply<McpSetServersReply<'static>>) -> Value {
    let reply: Value = serde_json::from_str(reply.json().unwrap().text()).unwrap();
    json!([reply["added"], reply["removed"]])
}
