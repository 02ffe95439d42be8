//! Sessions on disk: listed, named, put away, forked, deleted, put into a store.

use crate::desk::{A1, A2, AGENT, Desk, U1, said};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use unspool::transcript::conversation;
use unspool_client::kept::{Fork, KeptSession, KeptSessions};
use unspool_client::store::{MemoryStore, SessionStore};
use uuid::Uuid;

fn words(session: &KeptSession) -> Vec<String> {
    let text = session.read().unwrap();
    conversation(text.lines()).iter().map(|it| it.content.as_str().unwrap().to_string()).collect()
}

#[test]
fn sessions_are_listed_and_known() {
    let desk = Desk::new();
    let all = KeptSessions::at(&desk.config).all().unwrap();
    assert_eq!(all.iter().map(KeptSession::id).collect::<Vec<_>>(), [&desk.id]);
    assert_eq!(KeptSessions::at(desk.config.join("nowhere")).all().unwrap(), []);
    assert_eq!(KeptSessions::at(&desk.config).find("another").unwrap(), None);

    let session = desk.session();
    assert_eq!(session.agents().unwrap().iter().map(|agent| &*agent.id).collect::<Vec<_>>(), ["a"]);
    let about = session.about().unwrap();
    assert_eq!(about.first_prompt.as_deref(), Some("first question"));
    assert_eq!(about.last_prompt.as_deref(), Some("second question"));
    assert_eq!(about.cwd.as_deref(), Some("/work"));
    assert_eq!(about.git_branch.as_deref(), Some("main"));
    assert_eq!(about.began.as_deref(), Some("2026-11-15T06:48:16.272Z"));
    assert_eq!(about.best(), Some("first question"));
}

#[test]
fn sessions_of_a_project_are_found_by_its_folder() {
    let desk = Desk::new();
    let folder = desk.config.join("my.project");
    fs::create_dir_all(&folder).unwrap();
    let real = fs::canonicalize(&folder).unwrap();
    let name = unspool::transcript::project_name(real.to_str().unwrap());
    fs::rename(desk.project(), desk.config.join("projects").join(name)).unwrap();
    let kept = KeptSessions::at(&desk.config);
    assert_eq!(kept.of(&folder).unwrap().len(), 1);
    assert_eq!(kept.of(&desk.config).unwrap(), []);
    // A project may be gone, or on another machine.
    fs::rename(kept.folders_of(&folder).unwrap().remove(0), kept.folders()[0].join("-nowhere-at-all"))
        .unwrap();
    assert_eq!(kept.of(Path::new("/nowhere/at/all")).unwrap().len(), 1);
}

/// Claude Code cuts long names, so two projects may have the same.
#[test]
fn projects_with_long_paths_are_told_apart() {
    let desk = Desk::new();
    let long = format!("/{}", "a".repeat(220));
    let (mine, other) = (format!("{long}/mine"), format!("{long}/other"));
    for (name, cwd) in [("x1", &mine), ("x2", &other)] {
        let folder = desk.config.join(format!("projects/-{}-{name}", "a".repeat(199)));
        fs::create_dir_all(&folder).unwrap();
        let entry = said(U1, None, "user", "hello").to_string().replace("/work", cwd);
        fs::write(folder.join(format!("{}.jsonl", Uuid::new_v4())), format!("{entry}\n")).unwrap();
    }
    let kept = KeptSessions::at(&desk.config);
    assert_eq!(kept.folders_of(&mine).unwrap().len(), 2);
    let [session] = &*kept.of(&mine).unwrap() else { panic!() };
    assert_eq!(session.about().unwrap().cwd, Some(mine));
}

#[test]
fn a_session_has_a_name_and_a_tag() {
    let desk = Desk::new();
    let session = desk.session();
    session.rename(" The \"answer\" ").unwrap();
    session.tag(Some("work")).unwrap();
    let about = session.about().unwrap();
    assert_eq!((about.best(), about.tag.as_deref()), (Some("The \"answer\""), Some("work")));
    // Claude Code and others look at how a line begins.
    let text = session.read().unwrap();
    assert!(text.contains("\n{\"type\":\"custom-title\",\"customTitle\":\"The "), "{text}");
    assert!(text.contains("\n{\"type\":\"tag\",\"tag\":\"work\","), "{text}");
    session.tag(None).unwrap();
    assert_eq!(session.about().unwrap().tag, None);
    assert!(session.rename(" ").is_err());
    assert!(session.tag(Some("")).is_err());
}

/// A program that was killed may have left half of a line.
#[test]
fn a_line_that_was_cut_stays_alone() {
    let desk = Desk::new();
    let session = desk.session();
    let text = session.read().unwrap();
    fs::write(session.path(), format!("{text}{{\"type\":\"us")).unwrap();
    session.rename("mine").unwrap();
    assert_eq!(session.about().unwrap().best(), Some("mine"));
    assert!(session.read().unwrap().contains("\n{\"type\":\"us\n"));
}

#[test]
fn a_session_that_goes_on_is_no_longer_put_away() {
    let desk = Desk::new();
    let session = desk.session();
    assert!(!session.about().unwrap().archived);
    session.archive(true).unwrap();
    assert!(session.about().unwrap().archived);
    session.archive(false).unwrap();
    assert!(!session.about().unwrap().archived);
    session.archive(true).unwrap();
    let later = said(&Uuid::new_v4().to_string(), Some(A2), "user", "third question");
    let later = later.to_string().replace("2026-11-15", "2999-11-15");
    fs::write(session.path(), format!("{}{later}\n", session.read().unwrap())).unwrap();
    assert!(!session.about().unwrap().archived);
}

#[test]
fn a_fork_says_the_same_under_other_names() {
    let desk = Desk::new();
    let session = desk.session();
    let before = session.read().unwrap();
    let fork = session.fork(&Fork::new()).unwrap();
    assert_eq!(session.read().unwrap(), before);
    assert_ne!(fork.id(), session.id());
    assert_eq!(words(&fork), words(&session));
    assert_eq!(fork.about().unwrap().best(), Some("first question (fork)"));
    let text = fork.read().unwrap();
    for entry in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        assert_eq!(entry["sessionId"], fork.id(), "{entry}");
        assert_ne!(entry["type"], "cost-state");
        assert_ne!(entry["type"], "progress");
        if let Some(from) = entry.get("forkedFrom") {
            assert_eq!(from["sessionId"], session.id());
            assert_ne!(from["messageUuid"], entry["uuid"]);
        }
    }
    assert!(text.contains("tools-used"));
    assert!(text.contains("\n{\"type\":\"custom-title\","), "{text}");
    let order = |text: &str| -> Vec<String> {
        let first = text.lines().find(|line| line.contains("first question")).unwrap();
        unspool::json::Json::new(first).unwrap().fields().map(|(name, _)| name.to_string()).collect()
    };
    let expected: Vec<String> =
        order(&before).into_iter().chain(["sessionId".into(), "forkedFrom".into()]).collect();
    assert_eq!(order(&text), expected);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(fork.path()).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(text.contains(&format!("second answer, {U1}")), "what only speaks of a name stays");

    let named = session.fork(&Fork::new().title(" The other way ")).unwrap();
    assert_eq!(named.about().unwrap().best(), Some("The other way"));
    named.delete().unwrap();
    assert!(session.fork(&Fork::new().title(" ")).is_err());

    let short = session.fork(&Fork::new().up_to(A1)).unwrap();
    assert_eq!(words(&short), ["first question", "first answer"]);
    assert!(session.fork(&Fork::new().up_to("gone")).is_err());
    let twice = fork.fork(&Fork::new()).unwrap();
    assert_eq!(words(&twice), words(&session));
    assert_eq!(KeptSessions::at(&desk.config).all().unwrap().len(), 4);
}

#[test]
fn nothing_is_left_of_a_session_that_is_deleted() {
    let desk = Desk::new();
    let beside = json!({ "type": "user", "uuid": "1", "sessionId": desk.id });
    desk.write("agent-old.jsonl", &[beside]);
    let another =
        desk.write("agent-other.jsonl", &[json!({ "type": "user", "uuid": "1", "sessionId": "x" })]);
    assert_eq!(desk.session().agents().unwrap().len(), 2);
    let session = desk.session();
    let gone = session.clone();
    session.delete().unwrap();
    assert!(gone.archive(true).is_err() && gone.rename("x").is_err() && gone.delete().is_err());
    let left: Vec<_> = fs::read_dir(desk.project()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.contains(&another) && left.contains(&desk.project().join("notes.jsonl")), "{left:?}");
}

#[tokio::test]
async fn a_session_is_put_into_a_store() {
    let desk = Desk::new();
    let store = MemoryStore::new();
    desk.session().keep_in(&store).await.unwrap();
    desk.session().keep_in(&store).await.unwrap();
    let loaded = store.load(&desk.id).await.unwrap();
    let parts: Vec<_> = loaded.iter().map(|it| (it.file.part.as_deref(), it.entries.len())).collect();
    // Entries without a name are given twice, as is what stands beside an agent's.
    assert_eq!(parts, [(None, 11), (Some("subagents/agent-a.jsonl"), 3)]);
    let about = loaded[1].entries[1].to_string();
    assert_eq!(about, AGENT.replacen('{', r#"{"type":"agent_metadata","#, 1));
}
