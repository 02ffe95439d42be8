//! Turns that are dropped, taken back, asked about or left without an answer, with a program played by hand.

use crate::script::in_virtual_time;
use serde_json::Value;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use unspool_client::handlers::Permission;
use unspool_client::limits::SharedBudget;
use unspool_client::transport::{Peer, Signal, memory};
use unspool_client::{Claude, Decision, Error, Handlers, Limits, Options, Session};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const DONE: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#;
const FAILED: &str =
    r#"{"type":"result","subtype":"error_max_turns","is_error":true,"result":"","session_id":"s"}"#;
const INTERRUPTED: &str =
    r#"{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s"}"#;

/// The program's side.
struct Stage {
    peer: Peer,
    heard: String,
}

fn start(claude: &Claude) -> (Session, Stage) {
    let (transport, peer) = memory(1 << 16);
    (claude.connect(transport), Stage { peer, heard: String::new() })
}

fn claude() -> Claude {
    Claude::new(Options::new())
}

impl Stage {
    async fn says(&mut self, lines: &[&str]) {
        let says = self.peer.says.as_mut().expect("its output is open");
        says.write_all((lines.join("\n") + "\n").as_bytes()).await.unwrap();
    }

    /// The next line that was written to it.
    async fn hears(&mut self) -> Value {
        loop {
            if let Some((line, rest)) = self.heard.split_once('\n') {
                let line = serde_json::from_str(line).unwrap();
                self.heard = rest.to_owned();
                return line;
            }
            let mut piece = vec![0; 1 << 16];
            let length = self.peer.heard.read(&mut piece).await.unwrap();
            assert!(length > 0, "its input was closed");
            self.heard.push_str(std::str::from_utf8(&piece[..length]).unwrap());
        }
    }

    /// Whether nothing was written to it for so long.
    async fn hears_nothing(&mut self, seconds: u64) -> bool {
        tokio::time::timeout(Duration::from_secs(seconds), self.hears()).await.is_err()
    }

    async fn hears_prompt(&mut self) -> String {
        let line = self.hears().await;
        assert_eq!(line["type"], "user", "{line}");
        line["uuid"].as_str().unwrap().to_owned()
    }

    async fn hears_command(&mut self, subtype: &str) -> Value {
        let line = self.hears().await;
        assert_eq!(line["request"]["subtype"], subtype, "{line}");
        line
    }

    async fn answers(&mut self, command: &Value, reply: &str) {
        let id = &command["request_id"];
        let line = format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":{id},"response":{reply}}}}}"#
        );
        self.says(&[&line]).await;
    }

    fn ends(mut self, code: i32) {
        self.peer.says = None;
        self.peer.exit(code);
    }
}

fn lifecycle(uuid: &str, state: &str) -> String {
    format!(r#"{{"type":"command_lifecycle","command_uuid":"{uuid}","state":"{state}","session_id":"s"}}"#)
}

#[test]
fn a_prompt_that_is_taken_back_has_no_answer() {
    for state in ["cancelled", "discarded", "refused"] {
        in_virtual_time(async {
            let (mut session, mut stage) = start(&claude());
            let program = async {
                let uuid = stage.hears_prompt().await;
                stage.says(&[&lifecycle(&uuid, "queued"), &lifecycle(&uuid, state)]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("hello"), program);
            let error = answer.unwrap_err();
            assert!(matches!(error, Error::Interrupted(_)), "{error:?}");
            // The session lives on.
            let program = async {
                let uuid = stage.hears_prompt().await;
                stage.says(&[&lifecycle(&uuid, "started"), INIT, DONE]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("again"), program);
            assert_eq!(answer.unwrap().text, "done");
        });
    }
}

/// Another turn is running, and the prompt waits: it is taken back, and the other is left alone.
#[test]
fn a_dropped_prompt_that_waits_is_taken_back() {
    for says_so in [true, false] {
        in_virtual_time(async {
            let (mut session, mut stage) = start(&claude());
            let other = session.controls().send("other").unwrap();
            assert_eq!(stage.hears_prompt().await, other);
            stage.says(&[INIT]).await;
            while !session.next().await.unwrap().to_string().starts_with("turn_start") {}
            drop(session.turn("hello").await.unwrap());
            let uuid = stage.hears_prompt().await;
            let command = stage.hears_command("cancel_async_message").await;
            assert_eq!(command["request"]["message_uuid"], *uuid);
            if says_so {
                stage.says(&[&lifecycle(&uuid, "queued"), &lifecycle(&uuid, "cancelled")]).await;
            }
            stage.answers(&command, r#"{"cancelled":true}"#).await;
            assert!(stage.hears_nothing(10).await);
            let program = async {
                let uuid = stage.hears_prompt().await;
                let done = |uuid: &str| DONE.replace('}', &format!(r#","user_message_uuid":"{uuid}"}}"#));
                stage.says(&[&done(&other), INIT, &done(&uuid)]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("again"), program);
            assert_eq!(answer.unwrap().turn, Some(2));
        });
    }
}

/// Versions that cannot take a prompt back do not even answer: it is interrupted when its turn begins.
#[test]
fn a_dropped_prompt_that_cannot_be_taken_back_is_interrupted_when_it_begins() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        drop(session.turn("hello").await.unwrap());
        stage.hears_prompt().await;
        stage.hears_command("cancel_async_message").await;
        stage.says(&[INIT]).await;
        stage.hears_command("interrupt").await;
        let program = async {
            stage.says(&[INTERRUPTED]).await;
            stage.hears_prompt().await;
            stage.says(&[INIT, DONE]).await;
        };
        let (answer, ()) = tokio::join!(session.ask("again"), program);
        assert_eq!(answer.unwrap().text, "done");
    });
}

#[test]
fn a_dropped_turn_that_has_begun_is_interrupted() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        let mut turn = session.turn("hello").await.unwrap();
        stage.hears_prompt().await;
        stage.says(&[INIT]).await;
        while !turn.next().await.unwrap().to_string().starts_with("turn_start") {}
        drop(turn);
        stage.hears_command("interrupt").await;
    });
}

/// A turn that is still in scope does not keep its session from anything.
#[test]
fn a_turn_that_was_read_need_not_be_dropped() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        let mut turn = session.turn("hello").await.unwrap();
        stage.hears_prompt().await;
        stage.says(&[INIT, DONE]).await;
        while turn.next().await.is_some() {}
        let program = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stage.ends(0);
        };
        let (ending, ()) = tokio::join!(session.finish(), program);
        assert_eq!(ending.verdict.to_string(), "ok");
    });
}

/// Whoever asks the next thing has no more use for the turn before, in scope or not; and what is dropped later is over.
#[test]
fn a_turn_that_was_left_is_interrupted_by_the_next() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        {
            let mut left = session.turn("hello").await.unwrap();
            stage.hears_prompt().await;
            stage.says(&[INIT]).await;
            while !left.next().await.unwrap().to_string().starts_with("turn_start") {}
            let program = async {
                stage.hears_command("interrupt").await;
                stage.says(&[INTERRUPTED]).await;
                stage.hears_prompt().await;
                stage.says(&[INIT, DONE]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("again"), program);
            assert_eq!(answer.unwrap().text, "done");
        }
        let program = async {
            stage.hears_prompt().await;
            stage.says(&[INIT, &DONE.replace("done", "said")]).await;
        };
        let (answer, ()) = tokio::join!(session.ask("once more"), program);
        assert_eq!(answer.unwrap().text, "said");
    });
}

/// What the verdict says of the turn before is not why this one has no answer.
#[test]
fn a_program_that_dies_before_it_answers_is_the_reason() {
    for before in [DONE, FAILED, INTERRUPTED] {
        in_virtual_time(async {
            let (mut session, mut stage) = start(&claude());
            let program = async {
                stage.hears_prompt().await;
                stage.says(&[INIT, before]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("hello"), program);
            assert_eq!(answer.is_ok(), before == DONE, "{answer:?}");
            let program = async {
                stage.hears_prompt().await;
                stage.ends(137);
            };
            let (answer, ()) = tokio::join!(session.ask("again"), program);
            let error = answer.unwrap_err();
            assert_eq!(error.to_string(), "cut off: Claude Code ended before it answered (exit code 137)");
            assert!(matches!(error, Error::Truncated(_)) && error.is_transient(), "{error:?}");
        });
    }
}

/// An answer was read, but an agent was at work when the program died.
#[test]
fn an_answer_is_none_as_long_as_work_is_owed() {
    let started = r#"{"type":"system","subtype":"task_started","task_id":"a","tool_use_id":"t","task_type":"local_agent","session_id":"s"}"#;
    in_virtual_time(async {
        let (session, mut stage) = start(&claude());
        let controls = session.controls();
        controls.send("hello").unwrap();
        stage.hears_prompt().await;
        stage.says(&[INIT, started, DONE]).await;
        stage.ends(137);
        let ending = session.finish().await;
        assert_eq!(ending.owed.as_deref(), Some("1 task at work"));
    });
}

/// A day passes before somebody answers, here or elsewhere; then the turn has all its time again.
#[test]
fn whoever_is_asked_may_take_as_long_as_it_takes() {
    for elsewhere in [false, true] {
        let handlers = Handlers::new().permission(move |_: Permission| async move {
            if elsewhere {
                return Decision::elsewhere();
            }
            tokio::time::sleep(Duration::from_secs(24 * 3600)).await;
            Decision::allow()
        });
        in_virtual_time(async {
            let (mut session, mut stage) = start(&claude().handlers(handlers));
            let program = async {
                stage.hears_prompt().await;
                stage.says(&[
                    INIT,
                    r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}"#,
                ]).await;
                if elsewhere {
                    assert!(stage.hears_nothing(24 * 3600).await);
                } else {
                    assert_eq!(stage.hears().await["type"], "control_response");
                }
                assert!(stage.hears_nothing(14 * 60).await);
                stage.says(&[DONE]).await;
            };
            let (answer, ()) = tokio::join!(session.ask("hello"), program);
            assert_eq!(answer.unwrap().text, "done");
        });
    }
}

/// The one that says nothing is interrupted, too, and nothing more is started.
#[test]
fn a_budget_that_is_used_up_ends_all_that_share_it() {
    in_virtual_time(async {
        let budget = SharedBudget::new(Limits::new().usd(0.6));
        let claude = Claude::new(Options::new().program("/nowhere/claude")).budget(budget.clone());
        let (mut one, mut first) = start(&claude);
        let (mut other, mut second) = start(&claude);
        let spends = DONE.replace('}', r#","total_cost_usd":0.5}"#);
        let program = async {
            second.hears_prompt().await;
            second.says(&[INIT]).await;
            for _ in 0..2 {
                first.hears_prompt().await;
                first
                    .says(&[
                        INIT,
                        &spends.replace("0.5", if budget.now().turns == 0 { "0.5" } else { "1.0" }),
                    ])
                    .await;
            }
            second.hears_command("interrupt").await;
            second.says(&[INTERRUPTED]).await;
        };
        let asks = async {
            assert!(one.ask("hello").await.is_ok());
            one.ask("again").await
        };
        let (_, running, ()) = tokio::join!(asks, other.ask("slowly"), program);
        let error = running.unwrap_err();
        assert!(matches!(error, Error::OverBudget(_)), "{error:?}");
        assert_eq!(budget.now().usd, 1.0);
        // Else there would be no such program.
        let error = claude.ask("one more").await.unwrap_err();
        assert!(matches!(error, Error::OverBudget(_)), "{error:?}");
    });
}

#[test]
fn a_program_that_awaits_initialize_gets_it_first() {
    in_virtual_time(async {
        let (session, mut stage) = start(&Claude::new(Options::new().await_initialize(true)));
        session.controls().send("hello").unwrap();
        stage.hears_command("initialize").await;
        stage.hears_prompt().await;
    });
}

/// Versions that do not say what becomes of prompts would end.
#[test]
fn a_command_that_nobody_waits_for_is_taken_back() {
    for says in [true, false] {
        in_virtual_time(async {
            let (mut session, mut stage) = start(&claude());
            let controls = session.controls();
            let uuid = controls.send("hello").unwrap();
            stage.hears_prompt().await;
            let lines = [&*lifecycle(&uuid, "started"), INIT];
            stage.says(if says { &lines } else { &lines[1..] }).await;
            while !session.next().await.unwrap().to_string().starts_with("turn_start") {}
            let asking = tokio::spawn(async move { controls.side_question("why?").await });
            let command = stage.hears_command("side_question").await;
            asking.abort();
            if says {
                let line = stage.hears().await;
                assert_eq!(line["type"], "control_cancel_request");
                assert_eq!(line["request_id"], command["request_id"]);
            } else {
                assert!(stage.hears_nothing(100).await);
            }
        });
    }
}

/// After `set_cwd` Claude Code has a turn of its own, whose result names no prompt.
#[test]
fn a_result_does_not_answer_a_prompt_that_has_not_begun() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        let program = async {
            let uuid = stage.hears_prompt().await;
            stage.says(&[&lifecycle("another", "started"), INIT, DONE, &lifecycle(&uuid, "started")]).await;
            stage.says(&[INIT, &DONE.replace("done", "said")]).await;
        };
        let (answer, ()) = tokio::join!(session.ask("hello"), program);
        assert_eq!(answer.unwrap().text, "said");
    });
}

/// 2.1.112 takes prompts back, and does not say what becomes of them: the other one is left alone, though its turn begins
/// after both were sent.
#[test]
fn a_dropped_prompt_does_not_harm_the_one_before_it() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        let other = session.controls().send("other").unwrap();
        drop(session.turn("hello").await.unwrap());
        assert_eq!(stage.hears_prompt().await, other);
        stage.hears_prompt().await;
        let command = stage.hears_command("cancel_async_message").await;
        stage.says(&[INIT]).await;
        stage.answers(&command, r#"{"cancelled":true}"#).await;
        assert!(stage.hears_nothing(10).await);
        stage.says(&[DONE]).await;
        let program = async {
            stage.hears_prompt().await;
            stage.says(&[INIT, &DONE.replace("done", "said")]).await;
        };
        let (answer, ()) = tokio::join!(session.ask("again"), program);
        assert_eq!(answer.unwrap().text, "said");
    });
}

/// The program is ending when the next thing is asked: that is refused, and everything that is left is told.
#[test]
fn whoever_asks_while_the_program_ends_still_reads_how_it_ended() {
    in_virtual_time(async {
        let (mut session, mut stage) = start(&claude());
        let program = async {
            stage.hears_prompt().await;
            stage.says(&[INIT, DONE]).await;
        };
        let (answer, ()) = tokio::join!(session.ask("hello"), program);
        answer.unwrap();
        stage.peer.says = None;
        tokio::time::sleep(Duration::from_millis(1)).await;
        let error = session.ask("again").await.unwrap_err();
        assert!(
            matches!(error, Error::Truncated(_)) && error.to_string().contains("takes no more"),
            "{error:?}"
        );
        stage.ends(137);
        assert!(session.next().await.unwrap().to_string().starts_with("finished"));
    });
}

/// Its input is full and stays so: nothing can be said to it, and it is ended all the same.
#[test]
fn a_program_that_never_reads_is_ended() {
    in_virtual_time(async {
        let (transport, mut peer) = memory(16);
        let mut session = claude().connect(transport);
        let program = async {
            let told = peer.signals.recv().await;
            peer.says = None;
            peer.exit(143);
            told
        };
        let (answer, told) =
            tokio::join!(session.ask("a prompt that does not fit into sixteen bytes"), program);
        assert_eq!(told, Some(Signal::Terminate));
        let error = answer.unwrap_err();
        assert_eq!(error.to_string(), "hung: nothing came for 60 s after the start");
    });
}
