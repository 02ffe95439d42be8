//! What hooks can do besides deny: change, replace, keep going, stop, fail.

use super::stage::Stage;
use serde_json::json;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use unspool_client::hooks::{Hook, HookReply, OnFailure};
use unspool_client::{Claude, Handlers};

const ONE_FILE: &str = r#"
    [[turn]]
    call.Bash.command = "touch one.txt; echo plain-words"
    [[turn]]
    say = "Done."
    [[turn]]
    say = "Really done."
"#;

async fn ask(stage: &Stage, hook: Hook) -> String {
    let claude: Claude = stage.claude().handlers(Handlers::new().hook(hook));
    claude.ask("go").await.unwrap().text
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_hook_that_fails_blocks_the_call_if_it_is_to() {
    for (what, ran) in [(OnFailure::Continue, true), (OnFailure::Block, false)] {
        for panics in [true, false] {
            let stage = Stage::newest(ONE_FILE).await;
            let hook = Hook::pre_tool_use(move |_| async move {
                assert!(!panics, "on purpose");
                Err::<(), _>("out of order")
            });
            ask(&stage, hook.on_failure(what)).await;
            assert_eq!(stage.has("one.txt"), ran, "{what:?}, panics: {panics}");
        }
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn hooks_change_what_goes_in_and_what_comes_out() {
    let stage = Stage::newest(ONE_FILE).await;
    let other = json!({"command": "touch other.txt"});
    ask(&stage, Hook::pre_tool_use(move |_| std::future::ready(HookReply::allow_with(other.clone())))).await;
    assert_eq!((stage.has("one.txt"), stage.has("other.txt")), (false, true));

    let stage = Stage::newest(ONE_FILE).await;
    let output = json!({"stdout": "other-words", "stderr": "", "interrupted": false, "isImage": false});
    ask(&stage, Hook::post_tool_use(move |_| std::future::ready(HookReply::replace(output.clone())))).await;
    assert!(stage.heard("other-words"));
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn hooks_keep_it_going_end_it_or_do_not_keep_it_waiting() {
    let stage = Stage::newest(ONE_FILE).await;
    let stops = AtomicU32::new(0);
    let again = Hook::stop(move |_| {
        let first = stops.fetch_add(1, Ordering::Relaxed) == 0;
        std::future::ready(if first { HookReply::block("Look again.") } else { HookReply::nothing() })
    });
    assert_eq!(ask(&stage, again).await, "Really done.");
    assert!(stage.heard("Look again."));

    let stage = Stage::newest(ONE_FILE).await;
    let ends = Hook::post_tool_use(|_| async { HookReply::nothing().stop("Enough.") });
    let claude = stage.claude().handlers(Handlers::new().hook(ends));
    // How a turn is told that a hook has ended is for Claude Code to say; the model is not asked again.
    let _ = claude.ask("go").await;
    assert!(stage.has("one.txt") && !stage.heard("plain-words"));

    let stage = Stage::newest(ONE_FILE).await;
    let later = Hook::pre_tool_use(|_| async { HookReply::later(Duration::from_secs(60)) });
    assert_eq!(ask(&stage, later).await, "Done.");
    assert!(stage.has("one.txt"));
}
