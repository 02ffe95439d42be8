//! Each method against what a real Claude Code 2.1.325 was asked and what it answered.

use super::{Controls, Order, Outcome, Reply};
use serde_json::{Value, json};
use std::pin::Pin;
use tokio::sync::mpsc;
use unspool::control::{Payload, Refusal};
use unspool::wire::command::{self, McpServerConfig, ReadFile};
use unspool::wire::input::Owned;
use unspool::wire::{CommandKind, PermissionMode, Type};

/// What a module declares of a request.
pub(super) struct Row {
    pub(super) subtype: &'static str,
    pub(super) reply: Option<&'static Type>,
    pub(super) methods: &'static [&'static str],
}

/// Methods that are written by hand.
const BY_HAND: &[&str] = &[
    "interrupt_all",
    "set_max_thinking_tokens",
    "mcp_set_servers",
    "mcp_call",
    "mcp_message",
    "set_mcp_permission_mode_override",
    "apply_flag_settings",
    "update_settings",
];

/// A line each: `request`, and the `answer` without its id, long lists and texts cut; null where none could be
/// had without a login.
const RECORDED: &str = include_str!("../../tests/data/commands.ndjson");

fn table() -> impl Iterator<Item = &'static Row> {
    [
        super::account::TABLE,
        super::context::TABLE,
        super::conversation::TABLE,
        super::file::TABLE,
        super::mcp::TABLE,
        super::session::TABLE,
        super::setting::TABLE,
        super::view::TABLE,
    ]
    .into_iter()
    .flatten()
}

#[test]
fn every_request_of_the_wire_can_be_sent() {
    let mut ours: Vec<_> = table().map(|row| row.subtype).collect();
    let mut known: Vec<_> = CommandKind::ALL.iter().map(|kind| kind.name()).collect();
    ours.sort_unstable();
    known.sort_unstable();
    assert_eq!(ours, known);
}

#[test]
fn every_reply_is_read_as_what_the_wire_says() {
    for row in table() {
        let known = command::REPLIES.iter().find(|(subtype, _)| *subtype == row.subtype);
        assert_eq!(row.reply.map(|it| it.name), known.map(|(_, it)| it.name), "{}", row.subtype);
    }
}

type Call = (&'static str, Pin<Box<dyn Future<Output = Outcome>>>);

/// A method and its arguments, as the recording has them.
macro_rules! calls {
    ($controls:ident: $($method:ident($($argument:expr),*);)*) => {
        vec![$({
            let controls = $controls.clone();
            let call = async move { controls.$method($($argument),*).await.map(Taken::payload) };
            (stringify!($method), Box::pin(call) as _)
        }),*]
    };
}

fn calls(controls: &Controls) -> Vec<Call> {
    calls! { controls:
        interrupt();
        interrupt_all();
        set_permission_mode(PermissionMode::AcceptEdits);
        set_model("claude-haiku-4-5");
        set_max_thinking_tokens(Some(2048));
        set_max_thinking_tokens(None);
        rename_session("New title");
        set_color("blue");
        cancel_async_message("aaaaaaaa-0000-4000-8000-000000000003");
        set_has_subscribers(true);
        set_cwd("sub");
        claim_session("/home/user");
        end_session();
        stop_task("none");
        background_tasks();
        background_task("toolu_1");
        get_task_output("none");
        rewind_files("aaaaaaaa-0000-4000-8000-000000000001", true);
        read_file("seed.txt");
        seed_read_state("/home/user/project/seed.txt", 0.0);
        register_repo_root("sub");
        file_suggestions("seed");
        get_workspace_diff();
        mcp_status();
        mcp_set_servers([]);
        mcp_set_servers([(
            "calc",
            McpServerConfig::default().kind("stdio").command("no-such-program").args(&Owned::of([""; 0]))
        )]);
        mcp_reconnect("none");
        mcp_toggle("none", false);
        mcp_call("mcp__none__x", json!({}));
        mcp_message("none", json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
        mcp_read_resource("none", "ui://x");
        set_mcp_permission_mode_override("none", Some("auto"));
        set_mcp_permission_mode_override("none", None);
        channel_enable("none");
        mcp_authenticate("none");
        mcp_clear_auth("none");
        mcp_oauth_callback_url("none", "http://localhost/callback?code=1");
        apply_flag_settings(json!({"model": "claude-haiku-4-5"}));
        get_settings();
        update_settings("localSettings", json!({"outputStyle": "Concise"}));
        get_hooks_listing();
        list_permission_rules();
        reload_plugins();
        reload_skills();
        reload_output_styles();
        get_context_usage();
        get_session_cost();
        get_usage();
        list_models();
        get_binary_version();
        generate_session_title("x");
        side_question("why?");
        export_conversation();
        fork_conversation();
        rewind_conversation("aaaaaaaa-0000-4000-8000-000000000001");
        set_prompt_suggestions_paused(true);
        message_rated("aaaaaaaa-0000-4000-8000-000000000002", "positive");
        submit_feedback("fine");
        get_status();
        get_plan();
        get_memory_dialog();
        get_skills_dialog();
        get_sandbox_dialog();
        get_chrome_dialog();
        claude_authenticate(false);
        claude_oauth_callback("c", "s");
        claude_oauth_wait_for_completion();
        remote_control(false);
    }
}

#[tokio::test]
async fn every_method_writes_what_the_recording_shows() {
    let (controls, mut driver) = Recorded::start();
    let mut called = Vec::new();
    for (method, call) in calls(&controls) {
        let (outcome, answer) = tokio::join!(call, driver.serve());
        match answer["subtype"].as_str() {
            Some("success") => {
                let payload = outcome.unwrap_or_else(|refusal| panic!("{method}: {refusal}"));
                // Methods that have nothing to say leave out what is of no use.
                if let Some(payload) = payload {
                    assert_eq!(payload, Payload::from(answer["response"].clone()), "{method}");
                }
            }
            Some(_) => {
                let Err(Refusal::Refused { message, .. }) = outcome else { panic!("{method}: {outcome:?}") };
                assert_eq!(answer["error"], message, "{method}");
            }
            None => assert!(matches!(outcome, Err(Refusal::TimedOut { .. })), "{method}: {outcome:?}"),
        }
        called.push(method);
    }
    assert_eq!(driver.unasked(), Vec::<Value>::new());
    let methods = table().flat_map(|row| row.methods).chain(BY_HAND);
    let missing: Vec<_> = methods.filter(|method| !called.contains(method)).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}

#[tokio::test]
async fn replies_are_read_by_their_types() {
    let (controls, mut driver) = Recorded::start();
    let (reply, _) = tokio::join!(controls.set_model("claude-haiku-4-5"), driver.serve());
    assert_eq!(reply.unwrap().read().model.unwrap(), "claude-haiku-4-5");
    let (reply, _) = tokio::join!(controls.interrupt_all(), driver.serve());
    let reply = reply.unwrap();
    assert!(reply.read().still_queued.unwrap().is_empty() && reply.read().cancelled.unwrap().is_empty());
    let (reply, _) = tokio::join!(controls.get_context_usage(), driver.serve());
    let reply = reply.unwrap();
    let first = reply.read().categories.unwrap().iter().next().unwrap();
    assert_eq!(first.id.unwrap(), "system_prompt");
    let (reply, _) =
        tokio::join!(controls.rewind_conversation("aaaaaaaa-0000-4000-8000-000000000001"), driver.serve());
    assert_eq!(reply.unwrap().read().get("rewound").unwrap().as_bool(), Some(true));
}

#[test]
fn a_reply_of_another_shape_is_kept_and_read_as_nothing() {
    for (payload, text) in [(None, None), (Some(json!([1])), Some("[1]")), (Some(json!(null)), Some("null"))]
    {
        let reply: Reply<command::SetModelReply<'static>> =
            super::Replied::replied(payload.map(Payload::from));
        assert_eq!(reply.read(), command::SetModelReply::default());
        assert_eq!(reply.json().map(|json| json.text()), text);
    }
}

#[tokio::test]
async fn a_command_knows_how_long_it_may_take() {
    let (orders, mut driver) = mpsc::unbounded_channel();
    let controls = Controls::new(orders);
    let ask = async {
        // None is answered: the orders are dropped.
        let _ = tokio::join!(
            controls.get_plan(),
            controls.side_question("why?"),
            controls.claude_oauth_wait_for_completion(),
            controls.request_within(None, ReadFile::default().path("a")),
        );
    };
    let serve = async {
        for seconds in [Some(60), Some(600), None, None] {
            let Some(Order::Command { limit, .. }) = driver.recv().await else { panic!() };
            assert_eq!(limit.map(|limit| limit.as_secs()), seconds);
        }
    };
    tokio::join!(ask, serve);
}

#[tokio::test]
async fn a_session_that_is_gone_answers_nothing() {
    let (orders, driver) = mpsc::unbounded_channel();
    let controls = Controls::new(orders);
    drop(driver);
    assert_eq!(controls.get_plan().await.map(Reply::into_payload), Err(Refusal::Closed));
}

/// What the outcome of any method has in common.
trait Taken {
    fn payload(self) -> Option<Payload>;
}

impl Taken for () {
    fn payload(self) -> Option<Payload> {
        None
    }
}

impl<T> Taken for Reply<T> {
    fn payload(self) -> Option<Payload> {
        self.into_payload()
    }
}

/// The other end of the orders: answers as the recording does, and takes no other request.
struct Recorded {
    orders: mpsc::UnboundedReceiver<Order>,
    unasked: Vec<Value>,
}

impl Recorded {
    fn start() -> (Controls, Self) {
        let (sender, orders) = mpsc::unbounded_channel();
        let unasked = RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (Controls::new(sender), Recorded { orders, unasked })
    }

    /// Serves one order; returns the recorded answer.
    async fn serve(&mut self) -> Value {
        let Some(Order::Command { request, reply, .. }) = self.orders.recv().await else { panic!() };
        let request: Value = serde_json::from_str(request.json().text()).unwrap();
        let at = self.unasked.iter().position(|row| row["request"] == request);
        let row = self.unasked.remove(at.unwrap_or_else(|| panic!("not recorded: {request}")));
        let answer = row["answer"].clone();

        reply.send(outcome(&answer)).unwrap();
        answer
    }

    fn unasked(&self) -> Vec<Value> {
        self.unasked.iter().map(|row| row["request"].clone()).collect()
    }
}

fn outcome(answer: &Value) -> Outcome {
    match answer["subtype"].as_str() {
        Some("success") => Ok(answer.get("response").cloned().map(Payload::from)),
        Some(_) => Err(Refusal::Refused {
            message: answer["error"].as_str().unwrap().to_owned(),
            code: answer["error_code"].as_str().map(str::to_owned),
        }),
        None => Err(Refusal::TimedOut { subtype: String::new() }),
    }
}
