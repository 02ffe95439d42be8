//! Who answers in the dialogues.

use crate::handlers::{
    Answers, Classification, DialogReply, ElicitationReply, Permission, PlanDecision, Token, Unanswered,
};
use crate::hooks::{Hook, HookReply};
use crate::rules::Rules;
use crate::server::{Server, Tool, ToolReply};
use crate::{Decision, Handlers};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use unspool::control::{Answer, Payload};
use unspool::json::{Json, Str};
use unspool::wire::PermissionMode;

pub(super) fn handlers(cast: &str) -> Handlers {
    let (who, words) = cast.split_once(' ').unwrap_or((cast, ""));
    let words = words.to_owned();
    let handlers = Handlers::new();
    match who {
        "classified" => handlers.permission(|asked| async move {
            match &*asked.tool() {
                "Read" => Decision::allow().classified(Classification::UserTemporary),
                "Bash" => asked.always().classified(Classification::UserPermanent),
                _ => Decision::deny("no").classified(Classification::UserReject),
            }
        }),
        "notes" => only_questions().questions(|_| async {
            Answers::new()
                .answer("Which?", "Red")
                .notes("Which?", "a dark one")
                .preview("Which?", "#700")
                .answer("When?", "The user skipped this.")
                .unanswered("When?", Unanswered::Skipped)
        }),
        "allow" => handlers.permission(|_| async { Decision::allow() }),
        "always" => handlers.permission(|asked| async move { asked.always() }),
        "deny" => decide(Decision::deny(words)),
        "deny_and_interrupt" => decide(Decision::deny_and_interrupt(words)),
        "allow_with" => decide(Decision::allow_with(value(&words))),
        "elsewhere" => decide(Decision::elsewhere()),
        "fail" => decide(Decision::from(Err(words))),
        "choose" => {
            let (question, labels) = words.split_once(" = ").unwrap();
            let answers = Answers::new().choose(question, labels.split(" + "));
            only_questions().questions(move |asked| {
                assert!(asked.iter().all(|question| question.choices().count() == 2), "{asked:?}");
                std::future::ready(answers.clone())
            })
        }
        "decline" => only_questions().questions(move |_| std::future::ready(Answers::decline(words.clone()))),
        "approve" => handlers.plan(|_| async { PlanDecision::approve() }),
        "approve_in" => handlers.plan(move |_| {
            let mode = PermissionMode::from(Str::from(&*words));
            std::future::ready(PlanDecision::approve_in(mode))
        }),
        "reject" => handlers.plan(move |_| std::future::ready(PlanDecision::reject(words.clone()))),
        "hooks" => hooks(&words),
        "hook_decides" => hook_decides(),
        "calc" => handlers.server(calc()),
        "elicitation" => elicitation(),
        "dialog" => handlers
            .dialog("trust", |asked| async move {
                DialogReply::completed(Payload::from(asked.read().payload.unwrap()))
            })
            .dialog("cancel", |_| async { DialogReply::cancelled() }),
        "tokens" => handlers
            .oauth_token(|asked| async move {
                if asked.read().kind.unwrap() == "claude_ai" {
                    Ok(Token::new("new-token"))
                } else {
                    Err("signed out")
                }
            })
            .host_token(|_| async { Token::none() }),
        "raw" => handlers
            .raw("ui_copy", |asked, _| async move {
                let text = asked.request.json().get("text").map(|text| text.compact()).unwrap();
                Some(Answer::from(Payload::from(json!({"copied": value(&text)}))))
            })
            .raw("remote_tool_call", |_, _| async { None }),
        "raw_beside" => raw_beside(),
        "rules_files" => {
            let rules = Rules::new().block(["Read(.env)", "Read(secret/**)", "Write"]).unwrap();
            handlers.rules(rules).in_session(Some(Path::new("/project")), None)
        }
        "rules" => handlers.rules(rules()),
        "rules_handed" => {
            let rules = Rules::new().allow(["Bash(cargo *)", "Write(src/**)", "ExitPlanMode"]).unwrap();
            let handlers = handlers.rules(rules).in_session(Some(Path::new("/project")), None);
            handlers.permission(asked_about).hand_over().0
        }
        "rules_handed_alone" => {
            let rules = Rules::new().allow(["Bash(cargo *)"]).unwrap();
            handlers.rules(rules).in_session(Some(Path::new("/project")), None).hand_over().0
        }
        "rules_strict" => handlers.rules(Rules::new().allow(["Bash"]).unwrap().strict()),
        "rules_ask" => handlers.rules(Rules::new().allow(["Bash"]).unwrap().strict()).permission(asked_about),
        _ => panic!("{cast}"),
    }
}

async fn asked_about(asked: Permission) -> Decision {
    Decision::deny(format!("asked about {}", asked.tool()))
}

fn decide(decision: Decision) -> Handlers {
    Handlers::new().permission(move |_| std::future::ready(decision.clone()))
}

/// Fails if a question comes as a call like any other.
fn only_questions() -> Handlers {
    Handlers::new().permission(|asked| async move { Decision::from(Err(format!("{asked:?} came here"))) })
}

fn rules() -> Rules {
    Rules::new().allow(["Bash(cargo *)"]).unwrap().block(["Write"]).unwrap()
}

/// Whoever else decides, the rest is asked about in words of the wire.
fn raw_beside() -> Handlers {
    Handlers::new()
        .rules(rules().strict())
        .questions(|_| async { Answers::decline("not now") })
        .plan(|_| async { PlanDecision::approve() })
        .raw("can_use_tool", |_, _| async {
            Some(Answer::from(Payload::from(json!({"behavior": "deny", "message": "raw"}))))
        })
}

/// Four hooks, one of which does something.
fn hooks(what: &str) -> Handlers {
    let (what, words) = what.split_once(' ').unwrap();
    let both = (what.to_owned(), words.to_owned());
    let [pre, post, prompt, stop] = [both.clone(), both.clone(), both.clone(), both];
    Handlers::new()
        .hook(Hook::pre_tool_use(move |_| {
            std::future::ready(match (&*pre.0, &pre.1) {
                ("pre_deny", words) => Ok(HookReply::deny(words)),
                ("pre_block", words) => Ok(HookReply::block(words)),
                ("pre_update", words) => Ok(HookReply::allow_with(value(words))),
                ("fail", words) => Err(words.clone()),
                _ => Ok(HookReply::nothing()),
            })
        }))
        .hook(Hook::post_tool_use(move |_| {
            std::future::ready(match (&*post.0, &post.1) {
                ("post_context", words) => Ok(HookReply::context(words).tell_user("sys msg from hook")),
                ("post_stop", words) => Ok(HookReply::nothing().stop(words)),
                ("fail", words) => Err(words.clone()),
                _ => Ok(HookReply::nothing()),
            })
        }))
        .hook(Hook::user_prompt_submit(move |_| {
            std::future::ready(match (&*prompt.0, &prompt.1) {
                ("prompt_block", words) => Ok(HookReply::block(words)),
                ("fail", words) => Err(words.clone()),
                _ => Ok(HookReply::nothing()),
            })
        }))
        .hook(Hook::stop(move |told| {
            let again = told.read().stop_hook_active == Some(true);
            std::future::ready(match (&*stop.0, &stop.1) {
                ("stop_block", words) if !again => Ok(HookReply::block(words)),
                ("fail", words) => Err(words.clone()),
                _ => Ok(HookReply::nothing()),
            })
        }))
}

fn hook_decides() -> Handlers {
    Handlers::new()
        .hook(Hook::permission_request(|told| async move {
            match told.read().tool_name.unwrap().decode().as_ref() {
                "Bash" => Decision::allow_with(json!({"command": "ls -a"})),
                _ => Decision::deny_and_interrupt("no"),
            }
        }))
        .hook(Hook::notification(|_| async { HookReply::later(Duration::from_secs(5)) }))
        .hook(Hook::other("NewEvent", |input, _| async move {
            Payload::from(json!({"seen": value(&input.to_string())}))
        }))
}

fn elicitation() -> Handlers {
    Handlers::new().elicitation(|asked| async move {
        let told = asked.read();
        let server = told.mcp_server_name.unwrap().decode().into_owned();
        Ok(match &*server {
            "github" if told.mode.unwrap() == "url" => ElicitationReply::done(),
            "github" => {
                let name = format!("{server}: {}", told.message.unwrap().decode());
                ElicitationReply::accept(json!({"name": name}))
            }
            "evil" => ElicitationReply::decline(),
            "slow" => ElicitationReply::cancel(),
            "elsewhere" => ElicitationReply::elsewhere(),
            _ => return Err("no screen"),
        })
    })
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

pub(super) fn calc() -> Server {
    Server::new("calc")
        .version("1.0.0")
        .instructions("Count with me.")
        .tool(
            Tool::new("add", "Adds two numbers", |it: Add| async move {
                let sum = it.a + it.b;
                ToolReply::new().text(sum.to_string()).structured(json!({"sum": sum}))
            })
            .read_only(true),
        )
        .tool(Tool::new("boom", "Fails", |(): ()| async { Err::<String, _>("it went wrong") }))
        .tool(Tool::with_schema(
            "picture",
            "Shows a pixel",
            json!({"type": "object", "properties": {}}),
            |_| async { ToolReply::new().image_base64("image/png", "iVBORw0KGgo=").text("a pixel") },
        ))
}

fn value(text: &str) -> Value {
    Json::new(text).unwrap();
    serde_json::from_str(text).unwrap()
}
