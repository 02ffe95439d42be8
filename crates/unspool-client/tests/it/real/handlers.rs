//! Permissions, hooks, questions and plans, with the real program: what was allowed ran, what was not did not.

use super::stage::{Stage, on_all, on_some};
use serde_json::json;
use std::sync::{Arc, Mutex};
use unspool::wire::{Destination, PermissionMode};
use unspool_client::handlers::{Answers, PlanDecision, Update};
use unspool_client::hooks::{Hook, HookReply};
use unspool_client::rules::Rules;
use unspool_client::{Claude, Decision, Error, Handlers};

const TWO_FILES: &str = r#"
    [[turn]]
    call.Bash.command = "touch one.txt"
    [[turn]]
    call.Bash.command = "touch two.txt"
    [[turn]]
    say = "Done."
"#;

const PLANS: [&str; 2] = ["# Plan\n1. touch one.txt", "# Plan\n1. touch two.txt"];

/// What a handler has seen.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A client that asks about everything that Claude Code asks about.
fn asking(stage: &Stage, handlers: Handlers) -> Claude {
    Claude::new(stage.options()).handlers(handlers)
}

/// A client for which everything is allowed that no handler forbids.
fn free(stage: &Stage, handlers: Handlers) -> Claude {
    stage.claude().handlers(handlers)
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_is_allowed_runs_and_what_is_denied_does_not() {
    on_all(TWO_FILES, async |stage| {
        let notes = Notes::default();
        let seen = notes.clone();
        let handlers = Handlers::new().permission(move |asked| {
            seen.add(asked.input().get("command").unwrap().as_str().unwrap().decode());
            let allowed = asked.input().text().contains("one.txt");
            async move { if allowed { Decision::allow() } else { Decision::deny("Not two, please.") } }
        });
        let answer = asking(&stage, handlers).ask("go").await.expect(&stage.version);
        assert_eq!(answer.text, "Done.", "{}", stage.version);
        assert_eq!(notes.all(), ["touch one.txt", "touch two.txt"], "{}", stage.version);
        assert_eq!((stage.has("one.txt"), stage.has("two.txt")), (true, false), "{}", stage.version);
        assert!(stage.heard("Not two, please."), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn changed_input_runs_in_place_of_the_other() {
    on_all(TWO_FILES, async |stage| {
        let handlers = Handlers::new().permission(|asked| async move {
            let command = asked.input_as::<serde_json::Value>()?["command"].to_string();
            let other = command.trim_matches('"').replace(".txt", "-changed.txt");
            Ok::<_, serde_json::Error>(Decision::allow_with(json!({"command": other})))
        });
        asking(&stage, handlers).ask("go").await.expect(&stage.version);
        assert!(stage.has("one-changed.txt") && stage.has("two-changed.txt"), "{}", stage.version);
        assert!(!stage.has("one.txt") && !stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_denial_may_end_the_turn_and_a_failure_denies() {
    on_all(TWO_FILES, async |stage| {
        let stop = Handlers::new().permission(|_| async { Decision::deny_and_interrupt("Stop.") });
        let error = asking(&stage, stop).ask("go").await.expect_err(&stage.version);
        assert!(matches!(error, Error::Interrupted(_)), "{} {error:?}", stage.version);
        let fails = Handlers::new().permission(|_| async { Err::<Decision, _>("the screen is dark") });
        let answer = asking(&stage, fails).ask("go").await.expect(&stage.version);
        assert_eq!(answer.text, "Done.", "{}", stage.version);
        assert!(stage.heard("the screen is dark"), "{}", stage.version);
        let panics = Handlers::new().permission(|asked| async move {
            assert_eq!(asked.tool(), "nobody", "this is meant to panic");
            Decision::allow()
        });
        asking(&stage, panics).ask("go").await.expect(&stage.version);
        assert!(!stage.has("one.txt") && !stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_is_remembered_is_not_asked_again() {
    on_all(TWO_FILES, async |stage| {
        let notes = Notes::default();
        let seen = notes.clone();
        let handlers = Handlers::new().permission(move |asked| {
            seen.add(asked.tool());
            async {
                let rule = "Bash(touch:*)".parse().unwrap();
                Decision::allow()
                    .remember(Update::allow([rule], Destination::Session))
                    .remember(Update::mode(PermissionMode::AcceptEdits, Destination::Session))
            }
        });
        asking(&stage, handlers).ask("go").await.expect(&stage.version);
        assert!(stage.has("one.txt") && stage.has("two.txt"), "{}", stage.version);
        assert_eq!(notes.all(), ["Bash"], "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_reply_stands_in_the_place_of_the_tool() {
    on_all(TWO_FILES, async |stage| {
        let handlers =
            Handlers::new().permission(|_| async { Decision::reply("touched, as far as you know") });
        asking(&stage, handlers).ask("go").await.expect(&stage.version);
        assert!(stage.heard("touched, as far as you know"), "{}", stage.version);
        assert!(!stage.has("one.txt") && !stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn hooks_are_called_and_obeyed() {
    on_all(TWO_FILES, async |stage| {
        let notes = Notes::default();
        let [pre, post, prompt, stop] = [(); 4].map(|()| notes.clone());
        let handlers = Handlers::new()
            .hook(
                Hook::pre_tool_use(move |call| {
                    let told = call.read();
                    pre.add(format!("pre {}", told.tool_name.unwrap().decode()));
                    let denied = told.tool_input.unwrap().text().contains("two.txt");
                    let reply = if denied { HookReply::deny("no second file") } else { HookReply::nothing() };
                    std::future::ready(reply)
                })
                .matching("Bash"),
            )
            .hook(Hook::post_tool_use(move |call| {
                post.add(format!("post {}", call.read().tool_name.unwrap().decode()));
                async { HookReply::context("The hook has a word to say.") }
            }))
            .hook(Hook::user_prompt_submit(move |told| {
                prompt.add(format!("prompt {}", told.read().prompt.unwrap().decode()));
                async {}
            }))
            .hook(Hook::stop(move |_| {
                stop.add("stop");
                async {}
            }));
        free(&stage, handlers).ask("go").await.expect(&stage.version);
        assert_eq!(
            notes.all(),
            ["prompt go", "pre Bash", "post Bash", "pre Bash", "stop"],
            "{}",
            stage.version
        );
        assert_eq!((stage.has("one.txt"), stage.has("two.txt")), (true, false), "{}", stage.version);
        assert!(stage.heard("no second file"), "{}", stage.version);
        assert!(stage.heard("The hook has a word to say."), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn rules_hold_where_claude_code_does_not_ask() {
    on_all(TWO_FILES, async |stage| {
        let blocks = Rules::new().block(["Bash(touch two.txt)"]).unwrap();
        free(&stage, Handlers::new().rules(blocks)).ask("go").await.expect(&stage.version);
        assert_eq!((stage.has("one.txt"), stage.has("two.txt")), (true, false), "{}", stage.version);
    })
    .await;
    on_all(TWO_FILES, async |stage| {
        let allows = Rules::new().allow(["Bash(touch two.txt)"]).unwrap();
        asking(&stage, Handlers::new().rules(allows.clone())).ask("go").await.expect(&stage.version);
        assert_eq!((stage.has("one.txt"), stage.has("two.txt")), (false, true), "{}", stage.version);
        std::fs::remove_file(stage.folder.join("two.txt")).unwrap();
        free(&stage, Handlers::new().rules(allows.strict())).ask("go").await.expect(&stage.version);
        assert_eq!((stage.has("one.txt"), stage.has("two.txt")), (false, true), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn questions_are_answered() {
    let script = r#"
        [[turn]]
        [turn.call.AskUserQuestion]
        questions = [
            { question = "Which colour?", header = "Colour", multiSelect = false, options = [
                { label = "Red", description = "warm" }, { label = "Blue", description = "cold" } ] },
            { question = "Which sizes?", header = "Size", multiSelect = true, options = [
                { label = "Small", description = "s" }, { label = "Large", description = "l" } ] },
        ]
        [[turn]]
        say = "Thanks."
    "#;
    // 1.0.128 has no such tool.
    on_some(
        script,
        |version| version.starts_with("2."),
        async |stage| {
            let handlers = Handlers::new().questions(|asked| async move {
                asked.iter().fold(Answers::new(), |answers, question| {
                    let labels: Vec<_> =
                        question.choices().map(|choice| choice.label().into_owned()).collect();
                    match question.takes_several() {
                        true => answers.choose(question.text(), labels.iter().map(String::as_str)),
                        false => answers.answer(question.text(), "a dark Blue"),
                    }
                })
            });
            asking(&stage, handlers).ask("go").await.expect(&stage.version);
            assert!(stage.heard("a dark Blue"), "{}", stage.version);
            assert!(stage.heard("Small, Large"), "{}", stage.version);
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_plan_is_rejected_and_then_approved() {
    let script = r##"
        [[turn]]
        call.ExitPlanMode.plan = "# Plan\n1. touch one.txt"
        [[turn]]
        call.ExitPlanMode.plan = "# Plan\n1. touch two.txt"
        [[turn]]
        call.Bash.command = "touch two.txt"
        [[turn]]
        say = "Done."
    "##;
    on_all(script, async |stage| {
        let plans = Notes::default();
        let seen = plans.clone();
        let allowing = Handlers::new().permission(|_| async { Decision::allow() });
        let handlers = allowing.plan(move |plan| {
            seen.add(plan.text().unwrap_or_default());
            std::future::ready(match seen.all().len() {
                1 => PlanDecision::reject("Think again."),
                _ => PlanDecision::approve_in(PermissionMode::AcceptEdits),
            })
        });
        let options = stage.options().permission_mode(PermissionMode::Plan);
        let answer = Claude::new(options).handlers(handlers).ask("go").await.expect(&stage.version);
        assert_eq!(answer.text, "Done.", "{}", stage.version);
        // Newer versions take the plan from a file, which this model has not written.
        let told = if stage.version.starts_with("2.1") { ["", ""] } else { PLANS };
        assert_eq!(plans.all(), told, "{}", stage.version);
        assert!(stage.heard("Think again.") && stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

/// Claude Code tells what a tool was really given to the hooks behind it.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn half_a_character_in_what_is_allowed_stays_half() {
    let script = r#"
        turn = [{ do = [{ call.Bash = {}, input_json = '{"command": "touch one.txt # \ud83d"}' }] }, { say = "Done." }]
    "#;
    on_all(script, async |stage| {
        let given = Notes::default();
        let heard = given.clone();
        let hook = Hook::post_tool_use(move |ran| {
            heard.add(ran.json().text());
            std::future::ready(HookReply::nothing())
        });
        let handlers = Handlers::new().hook(hook).permission(|_| async { Decision::allow() });
        let answer = asking(&stage, handlers).ask("go").await.expect(&stage.version);
        assert_eq!(answer.text, "Done.", "{}", stage.version);
        let given = given.all().concat();
        assert!(given.contains(r"touch one.txt # \ud83d"), "{} {given}", stage.version);
    })
    .await;
}

/// The question that Claude Code waits for meanwhile is told again, and answered once.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_is_initialized_again_with_all_that_it_had() {
    let script = r#"turn = [{ call.Bash.command = "touch one.txt" }, { say = "Done." }]"#;
    on_some(
        script,
        |version| version == "2.1.325",
        async |stage| {
            let notes = Notes::default();
            let (asked, hooked) = (notes.clone(), notes.clone());
            let hook = Hook::pre_tool_use(move |_| {
                hooked.add("hook");
                std::future::ready(HookReply::nothing())
            });
            let handlers = Handlers::new().hook(hook).permission(move |call| {
                asked.add("asked");
                async move {
                    let again = call.controls().reinitialize().await.unwrap();
                    assert!(again.read().commands.is_some());
                    Decision::allow()
                }
            });
            let mut session = asking(&stage, handlers).session().await.unwrap();
            assert_eq!(session.ask("go").await.unwrap().text, "Done.");
            assert_eq!(notes.all(), ["hook", "asked"]);
            assert!(stage.has("one.txt"));
            session.close().await;
        },
    )
    .await;
}
