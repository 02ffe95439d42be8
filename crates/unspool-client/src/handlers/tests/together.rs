//! Several questions at once, questions that are taken back, and answers to the letter.

use super::session;
use crate::handlers::Context;
use crate::rules::Rules;
use crate::{Decision, Handlers};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};
use unspool::control::{Answer, AskId, Asked, Payload};

fn asked(tool: &str) -> Asked {
    let request = json!({"subtype": "can_use_tool", "tool_name": tool, "input": {}});
    Asked::new(AskId::from(tool), Payload::from(request)).unwrap()
}

fn says(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Success(payload)) => payload.to_string(),
        other => format!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_question_does_not_hold_up_a_quick_one() {
    let handlers = Handlers::new().permission(|asked| async move {
        if asked.tool() == "slow" {
            sleep(Duration::from_secs(7200)).await;
        }
        Decision::allow()
    });
    let began = Instant::now();
    let slow = tokio::spawn({
        let handlers = handlers.clone();
        async move { handlers.handle(asked("slow"), session().0).await }
    });
    assert!(says(handlers.handle(asked("quick"), session().0).await).contains("allow"));
    assert_eq!(began.elapsed(), Duration::ZERO);
    assert!(says(slow.await.unwrap()).contains("allow"));
    assert_eq!(began.elapsed(), Duration::from_secs(7200));
}

#[tokio::test(start_paused = true)]
async fn a_handler_notices_that_its_question_is_taken_back() {
    let noticed = Arc::new(Mutex::new(Vec::new()));
    let handlers = Handlers::new().permission({
        let noticed = Arc::clone(&noticed);
        move |asked| {
            let noticed = Arc::clone(&noticed);
            async move {
                asked.cancelled().await;
                noticed.lock().unwrap().push(asked.id().to_string());
                Decision::deny("too late")
            }
        }
    });
    let [first, second] = [session().0, session().0];
    let answer = |name: &'static str, context: &Context| {
        let (handlers, context) = (handlers.clone(), context.clone());
        async move { handlers.handle(asked(name), context).await }
    };
    let (one, two) = (tokio::spawn(answer("one", &first)), tokio::spawn(answer("two", &second)));
    tokio::task::yield_now().await;
    first.cancelled.cancel();
    assert!(says(one.await.unwrap()).contains("too late"));
    assert_eq!(*noticed.lock().unwrap(), ["one"]);
    assert!(timeout(Duration::from_secs(60), two).await.is_err(), "the other one still waits");
}

/// What is merely allowed is not changed: not half a character, and not how a number is written.
#[tokio::test]
async fn an_allowed_call_keeps_its_input_as_it_was_written() {
    let input = r#"{"command":"echo \ud83d \u00e9 \"x\"","timeout":1e3,"more":[ "\uDE00" ]}"#;
    let question = format!(
        r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{input},"tool_use_id":"t"}}}}"#
    );
    for handlers in [
        Handlers::new().permission(|_| async { Decision::allow() }),
        Handlers::new().permission(|asked| async move { asked.always() }),
        Handlers::new().rules(Rules::new().allow(["Bash"]).unwrap()),
    ] {
        let line = super::answer(&handlers, "old", &question).await.unwrap();
        assert!(line.contains(&format!(r#""updatedInput":{input}"#)), "{line}");
    }
}
