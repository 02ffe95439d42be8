//! A question in, its answer out: `dialogues/*.dialogue`, most of them recorded.
//!
//! ```text
//! # a remark
//! ! HANDLERS      who answers, see `cast`
//! @ old           what asks from now on is a version that is no second judge
//! < LINE          a question of Claude Code
//! > LINE          the answer
//! = nothing       there is none
//! ```

mod announce;
mod cast;
mod servers;
mod together;

use super::{Context, Handlers};
use crate::controls::{Controls, Order};
use serde_json::{Value, json};
use std::path::Path;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use unspool::control::{Action, Payload};
use unspool::json::Json;

#[tokio::test]
async fn dialogues() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/handlers/tests/dialogues");
    let mut played = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        play(&std::fs::read_to_string(&path).unwrap(), &path.display().to_string()).await;
        played += 1;
    }
    assert!(played > 30, "only {played}");
}

async fn play(dialogue: &str, name: &str) {
    let mut handlers = Handlers::new();
    let mut version = "new";
    let mut answered = None;
    let mut compared = 0;
    for (number, line) in dialogue.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        match line.split_once(' ').unwrap_or((line, "")) {
            ("#", _) => {}
            ("!", cast) => handlers = cast::handlers(cast),
            ("@", which) => version = which,
            ("<", question) => {
                assert_eq!(answered, None, "{place}: what was answered before was not looked at");
                answered = Some(answer(&handlers, version, question).await);
            }
            (">", line) => {
                let answer = answered.take().expect(&place).expect(&place);
                let [answer, line] = [&*answer, line].map(|it| serde_json::from_str::<Value>(it).unwrap());
                assert_eq!(answer, line, "{place}");
                compared += 1;
            }
            ("=", "nothing") => {
                assert_eq!(answered.take().expect(&place), None, "{place}");
                compared += 1;
            }
            _ => panic!("{place}: {line}"),
        }
    }
    assert!(compared > 0 && answered.is_none(), "{name}");
}

/// The line that answers a question, if there is one.
async fn answer(handlers: &Handlers, version: &str, question: &str) -> Option<String> {
    let mut dialogue = handlers.dialogue();
    assert!(dialogue.handle(Json::new(question).unwrap()), "{question}");
    let mut written = None;
    while let Some(action) = dialogue.poll() {
        match action {
            Action::Write(line) => assert_eq!(written.replace(line), None, "{question}"),
            Action::Ask(asked) => {
                let id = asked.id.clone();
                let context = session_of(version);
                context.controls.hosted.begin_with(handlers);
                if let Some(answer) = handlers.handle(asked, context).await {
                    dialogue.answer(&id, answer);
                }
            }
            Action::Unserved(_) => {}
            other => panic!("{other}"),
        }
    }
    written
}

/// What a handler is given, and what it sends to the session.
fn session() -> (Context, mpsc::UnboundedReceiver<Order>) {
    let (orders, ordered) = mpsc::unbounded_channel();
    (Context::new(CancellationToken::new(), Controls::new(orders)), ordered)
}

/// What a handler is given in a session that says of itself which version it is.
fn session_of(version: &str) -> Context {
    let (context, mut ordered) = session();
    let reply = json!({"hook_on_failure_supported": version == "new"});
    tokio::spawn(async move {
        while let Some(order) = ordered.recv().await {
            if let Order::Introduce(asked) = order {
                asked.send(Ok(Some(Payload::from(reply.clone())))).unwrap();
            }
        }
    });
    context
}
