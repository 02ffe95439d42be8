//! Sessions that go on where nothing is left of them but what a store has.

use super::stage::{Stage, on_some};
use unspool_client::{Claude, MemoryStore};

const SCRIPT: &str = r#"
    [[conversation]]
    when.prompt = "remember"
    turn = [{ call.Task = { description = "look", prompt = "look-around", subagent_type = "general-purpose" } }, { say = "Noted." }]
    [[conversation]]
    when.prompt = "look-around"
    turn = [{ say = "Nothing there." }]
    [[conversation]]
    when.prompt = "what-was-it"
    turn = [{ say = "Mellon." }]
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_goes_on_from_a_store() {
    on_some(
        SCRIPT,
        |version| version == "2.1.325",
        async |stage| {
            let store = MemoryStore::new();
            let claude = stage.claude().store(store.clone());
            let first = claude.ask("remember: the word is mellon").await.unwrap();
            let session = first.session.unwrap();
            let files = store.files();
            assert!(files.iter().all(|file| file.session == session), "{files:?}");
            assert!(files.iter().any(|file| file.part.is_none()), "{files:?}");
            assert!(files.iter().any(|file| file.part.is_some()), "{files:?}");

            // Another machine: another home, another folder.
            let elsewhere = Stage::newest(SCRIPT).await;
            let options = elsewhere.options().skip_permissions(true).resume(&session);
            let claude = Claude::new(options).store(store.clone());
            let second = claude.ask("what-was-it").await.unwrap();
            assert_eq!((second.text.as_str(), second.session.as_deref()), ("Mellon.", Some(&*session)));
            assert!(elsewhere.heard("the word is mellon"));

            // The store has what was added there, too.
            let third = Claude::new(stage.options().skip_permissions(true).resume(&session)).store(store);
            let sent = stage.model.requests().len();
            third.ask("what-was-it, once more").await.unwrap();
            let sent = stage.model.requests().split_off(sent);
            let asked = &sent.iter().find(|it| it.body.contains("once more")).unwrap().body;
            assert!(asked.contains("the word is mellon") && asked.contains("Mellon."), "{asked}");
        },
    )
    .await;
}
