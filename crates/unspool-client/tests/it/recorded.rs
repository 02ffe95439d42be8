//! The client on recordings of itself, without a program.

use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use unspool_client::hooks::{Hook, HookReply};
use unspool_client::limits::Patience;
use unspool_client::server::{Server, Tool};
use unspool_client::unspool::event::What;
use unspool_client::unspool::standin::{Before, DEVIATED, Recorded, StandIn, Variation};
use unspool_client::unspool::wire::PermissionMode;
use unspool_client::{Claude, Decision, Error, Handlers, Options, transport};

/// What the model answers the host that is recorded.
pub(crate) const SCRIPT: &str = r#"
    [[conversation]]
    when.prompt = "touch both"
    turn = [
        { call.Bash = { command = "touch one.txt", description = "Touch" } },
        { call.Bash = { command = "touch two.txt", description = "Touch" } },
        { say = "I have touched what I may." },
    ]
    [[conversation]]
    when.prompt = "add them"
    turn = [{ call.mcp__calc__add = { a = 2, b = 40 } }, { say = "It is 42." }]
    [[conversation]]
    when.prompt = "take your time"
    turn = [{ say = ["One. ", { pause = 60 }, "Two."] }]
    [[conversation]]
    when.prompt = "and now"
    turn = [{ say = "All is well." }]
"#;

#[derive(Deserialize, schemars::JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

/// What a host does: permissions, a hook, a tool of its own, commands, an interrupt. Returns what its application sees.
pub(crate) async fn host(claude: Claude) -> Result<Vec<String>, Error> {
    let asked = AtomicUsize::new(0);
    let handlers = Handlers::new()
        .permission(move |call| {
            let is_first = asked.fetch_add(1, Ordering::Relaxed) == 0;
            let decision = if is_first || call.tool() != "Bash" {
                Decision::allow()
            } else {
                Decision::deny("not that one")
            };
            std::future::ready(decision)
        })
        .hook(Hook::user_prompt_submit(|_| std::future::ready(HookReply::context("It rains."))))
        .server(
            Server::new("calc")
                .tool(Tool::new("add", "Adds", |it: Add| async move { format!("{}", it.a + it.b) })),
        );
    let mut session = claude.handlers(handlers).session().await?;
    let mut story = Vec::new();
    let mut saw = |what: &str, text: String| story.push(format!("{what}: {text}"));
    for prompt in ["touch both", "add them"] {
        let answer = session.ask(prompt).await?;
        saw("answer", answer.text);
    }
    let mode = session.controls().set_permission_mode(PermissionMode::AcceptEdits).await;
    saw("mode", format!("{:?}", mode.is_ok()));
    let controls = session.controls();
    let mut turn = session.turn("take your time").await?;
    while let Some(event) = turn.next().await {
        if matches!(event.what, What::TurnStart { .. }) {
            let _ = controls.interrupt().await;
        }
    }
    saw("interrupted", format!("{:?}", matches!(turn.answer().await, Err(Error::Interrupted(_)))));
    saw("answer", session.ask("and now").await?.text);
    let ending = session.finish().await;
    let spent = ending.spent;
    saw(
        "ended",
        format!("{} {:?} {} USD in {} turns", ending.verdict, ending.exit.code, spent.usd, spent.turns),
    );
    Ok(story)
}

/// Plays a recording to a client.
pub(crate) fn playing(
    recorded: Recorded,
    set: impl Fn(StandIn) -> StandIn + Send + Sync + 'static,
) -> Claude {
    Claude::new(Options::new()).start_with(move |launch| {
        let args: Vec<_> = launch.args.iter().map(|arg| arg.to_string_lossy()).collect();
        let life = recorded.best(&args, &Default::default(), |_| true).expect("a life for a session");
        let claude = set(recorded.stand_in(life, &args));
        async move { Ok(transport::recorded(claude)) }
    })
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings")
}

fn recorded() -> Recorded {
    Recorded::read(&fs::read(fixtures().join("client-2.1.325.rec")).unwrap())
}

fn on<T>(work: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let limited = async { tokio::time::timeout(Duration::from_secs(600), work).await.expect("it hangs") };
    runtime.enable_time().start_paused(true).build().unwrap().block_on(limited)
}

#[test]
fn a_session_is_played_without_a_program() {
    let story = on(host(playing(recorded(), |claude| claude.strict(true)))).unwrap();
    assert_eq!(
        story,
        [
            "answer: I have touched what I may.",
            "answer: It is 42.",
            "mode: true",
            "interrupted: true",
            "answer: All is well.",
            "ended: ok Some(0) 0.047092 USD in 4 turns",
        ]
    );
}

#[test]
fn a_client_that_does_otherwise_hears_what_and_where() {
    let claude = || playing(recorded(), |claude| claude);
    let failed = on(async { claude().ask("touch none").await.unwrap_err() });
    let Error::NotStarted(failed) = failed else { panic!("{failed:?}") };
    let ending = failed.ending.unwrap();
    assert_eq!(ending.exit.code, Some(DEVIATED));
    let told =
        "the host says something else than the recording does (entry 3)\n  where:    message.content\n";
    assert!(ending.stderr.contains(told), "{}", ending.stderr);
}

#[test]
fn a_client_is_tried_with_what_seldom_happens() {
    let varied = |set: fn(&mut Variation)| {
        let mut variation = Variation::default();
        set(&mut variation);
        let claude = playing(recorded(), move |claude| claude.vary(&variation));
        on(host(claude.patience(Patience::new().silence(Duration::from_secs(60)))))
    };
    let well = varied(|_| {}).unwrap();
    let same = varied(|it| {
        it.unknown_fields = true;
        it.unknown_lines = vec![2, 5];
        it.garbage = vec![Before::new(3, String::new())];
        it.floods = vec![Before::new(4, 1 << 20)];
        it.delay_each = 100;
    });
    assert_eq!(same.unwrap(), well, "what is odd changes nothing");
    let killed = varied(|it| it.crash = Some((9, "SIGKILL".parse().unwrap()))).unwrap_err();
    assert!(matches!(killed, Error::Truncated(_)), "{killed:?}");
    let cut = varied(|it| it.cut_bytes = Some(24_000)).unwrap_err();
    assert!(matches!(cut, Error::Truncated(_)), "{cut:?}");
    let silent = varied(|it| it.no_result = true).unwrap_err();
    assert!(matches!(silent, Error::Hung(_)), "{silent:?}");
}
