//! Sessions on disk, as Claude Code itself wrote them and reads them again.

use super::stage::on_all;
use unspool::transcript::conversation;
use unspool_client::Claude;
use unspool_client::kept::Fork;

const SCRIPT: &str = r#"
    [[conversation]]
    when.prompt = "tell me"
    turn = [{ say = "Mellon." }, { say = "Moria." }, { say = "Again." }]
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_is_named_forked_and_deleted() {
    on_all(SCRIPT, async |stage| {
        let first = stage.claude().ask("tell me the first word").await.unwrap();
        let id = first.session.unwrap();
        let resume = |id: &str| Claude::new(stage.options().skip_permissions(true).resume(id));
        resume(&id).ask("tell me the second word").await.unwrap();

        let session = stage.kept().find(&id).unwrap().unwrap();
        let text = session.read().unwrap();
        let said = conversation(text.lines());
        let by_model: Vec<_> = said.iter().filter(|it| it.by_model).collect();
        assert_eq!(by_model.len(), 2, "{said:?}");
        let about = session.about().unwrap();
        assert_eq!(about.first_prompt.as_deref(), Some("tell me the first word"));
        assert_eq!(about.last_prompt.as_deref(), Some("tell me the second word"));
        assert_eq!(about.version.as_deref(), Some(&*stage.version));

        // As far as the first answer: the second question was never asked.
        let fork = session.fork(&Fork::new().up_to(by_model[0].uuid().unwrap())).unwrap();
        session.rename("Words").unwrap();
        session.tag(Some("dwarves")).unwrap();
        let sent = stage.model.requests().len();
        let answer = resume(fork.id()).ask("tell me once more").await.unwrap();
        assert_eq!(answer.session.as_deref(), Some(fork.id()));
        let sent = stage.model.requests().split_off(sent);
        let asked = &sent.iter().find(|it| it.body.contains("tell me once more")).unwrap().body;
        assert!(asked.contains("the first word") && asked.contains("Mellon."), "{asked}");
        assert!(!asked.contains("the second word"), "{asked}");

        // The session goes on as if nothing had happened, and keeps its name.
        resume(&id).ask("tell me the last word").await.unwrap();
        let about = session.about().unwrap();
        assert_eq!((about.best(), about.tag.as_deref()), (Some("Words"), Some("dwarves")));

        session.delete().unwrap();
        assert!(resume(&id).ask("tell me nothing").await.is_err());
    })
    .await;
}

const CALLS: &str = r#"
    [[conversation]]
    when.prompt = "look"
    turn = [{ call.Bash = { command = "echo seen", description = "look" } }, { say = "Done." }]
    [[conversation]]
    when.prompt = "go on"
    turn = [{ say = "On." }]
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_fork_that_ends_with_a_call_goes_on() {
    on_all(CALLS, async |stage| {
        let id = stage.claude().ask("look around").await.unwrap().session.unwrap();
        let session = stage.kept().find(&id).unwrap().unwrap();
        let text = session.read().unwrap();
        let said = conversation(text.lines());
        let call = said.iter().find(|it| it.content.text().contains("tool_use")).unwrap();
        let fork = session.fork(&Fork::new().up_to(call.uuid().unwrap())).unwrap();
        let resumed = Claude::new(stage.options().skip_permissions(true).resume(fork.id()));
        assert_eq!(resumed.ask("go on").await.unwrap().text, "On.", "{}", stage.version);
    })
    .await;
}
