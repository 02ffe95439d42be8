//! Sessions that go on where nothing is left of them but what a store has.

use super::stage::{Stage, on_some};
use unspool_client::Claude;
use unspool_client::kept::{Excerpt, Fork, KeptMessage, Speaker};
use unspool_client::store::{MemoryStore, StoredSessions};

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

const WORDS: &str = r#"
    [[conversation]]
    when.prompt = "tell me"
    turn = [{ say = "Mellon." }]
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_forked_in_a_store_goes_on_from_there() {
    on_some(
        WORDS,
        |version| version == "2.1.325",
        async |stage| {
            let store = MemoryStore::new();
            let first = stage.claude().store(store.clone()).ask("tell me the first word").await.unwrap();
            let id = first.session.unwrap();
            let resume = |id: &str| {
                Claude::new(stage.options().skip_permissions(true).resume(id)).store(store.clone())
            };
            resume(&id).ask("tell me the second word").await.unwrap();
            stage.forget_sessions();

            let sessions = StoredSessions::new(store.clone());
            let [mut session] = <[_; 1]>::try_from(sessions.of(&stage.folder).await.unwrap()).unwrap();
            assert_eq!(session.id(), id);
            let about = session.about().await.unwrap();
            assert_eq!(about.first_prompt.as_deref(), Some("tell me the first word"));
            assert_eq!(about.last_prompt.as_deref(), Some("tell me the second word"));
            let said = session.messages(&Excerpt::new()).await.unwrap();
            let answers: Vec<&KeptMessage> = said.iter().filter(|it| it.by == Speaker::Model).collect();
            assert_eq!((answers.len(), &*answers[0].text()), (2, "Mellon."), "{said:?}");

            // As far as the first answer: the second question was never asked.
            let fork = Fork::new().up_to(&answers[0].uuid).title("Other words");
            let fork = session.fork(&fork).await.unwrap();
            session.rename("Words").await.unwrap();
            let sent = stage.model.requests().len();
            let answer = resume(fork.id()).ask("tell me once more").await.unwrap();
            assert_eq!(answer.session.as_deref(), Some(fork.id()));
            let sent = stage.model.requests().split_off(sent);
            let asked = &sent.iter().find(|it| it.body.contains("tell me once more")).unwrap().body;
            assert!(asked.contains("the first word") && asked.contains("Mellon."), "{asked}");
            assert!(!asked.contains("the second word"), "{asked}");

            // What was added to the copy is in the store, and the session is as it was.
            let about = fork.about().await.unwrap();
            assert_eq!(about.best(), Some("Other words"));
            assert_eq!(about.last_prompt.as_deref(), Some("tell me once more"));
            assert_eq!(session.messages(&Excerpt::new()).await.unwrap(), said);
            session.delete().await.unwrap();
            let left = sessions.all().await.unwrap();
            assert_eq!(left.iter().map(|it| it.id()).collect::<Vec<_>>(), [fork.id()]);
        },
    )
    .await;
}
