//! Lists of sessions on disk and of what was said in them, page by page.

use crate::desk::{A1, A2, Desk, U1, U2, said};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};
use unspool::transcript::project_name;
use unspool_client::kept::{Excerpt, KeptMessage, KeptSessions, Listing, Speaker};
use uuid::Uuid;

fn names(messages: &[KeptMessage]) -> Vec<&str> {
    messages.iter().map(|message| &*message.uuid).collect()
}

#[test]
fn messages_come_in_pages() {
    let session = Desk::new();
    let session = (session.session(), session);
    let read = |excerpt: Excerpt| session.0.messages(&excerpt).unwrap();
    let all = read(Excerpt::new());
    assert_eq!(names(&all), [U1, A1, U2, A2]);
    let by: Vec<Speaker> = all.iter().map(|message| message.by).collect();
    assert_eq!(by, [Speaker::User, Speaker::Model, Speaker::User, Speaker::Model]);
    assert_eq!((&*all[1].text(), all[1].at.as_deref()), ("first answer", Some("2026-11-15T06:48:16.272Z")));
    assert_eq!(all[1].message().unwrap().role.unwrap(), "assistant");
    assert_eq!((&all[1].call, &all[1].parent_agent), (&None, &None));

    for (excerpt, meant) in [
        (Excerpt::new().limit(1), &[U1][..]),
        (Excerpt::new().offset(1).limit(2), &[A1, U2]),
        (Excerpt::new().offset(3).limit(9), &[A2]),
        (Excerpt::new().offset(3), &[A2]),
        (Excerpt::new().offset(4), &[]),
        (Excerpt::new().limit(0), &[]),
    ] {
        assert_eq!(names(&read(excerpt)), meant, "{excerpt:?}");
    }
}

#[test]
fn what_claude_code_says_itself_is_told_on_request() {
    let desk = Desk::new();
    let boundary = json!({ "type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": null, "content": "Compacted" });
    let bare = json!({ "type": "system", "subtype": "turn_duration", "uuid": "d", "parentUuid": U1, "durationMs": 3 });
    let entries =
        [boundary, said(U1, Some("b"), "user", "hello"), bare, said(A1, Some("d"), "assistant", "well")];
    desk.write(&format!("{}.jsonl", desk.id), &entries);
    let session = desk.session();
    assert_eq!(names(&session.messages(&Excerpt::new()).unwrap()), [U1, A1]);
    let all = session.messages(&Excerpt::new().system(true)).unwrap();
    assert_eq!(names(&all), ["b", U1, "d", A1]);
    assert_eq!((all[0].by, &*all[0].text()), (Speaker::System, "Compacted"));
    assert_eq!((all[2].content().get("durationMs").is_some(), &*all[2].text()), (true, ""));
    // A page is one of all that is told.
    assert_eq!(names(&session.messages(&Excerpt::new().system(true).offset(2).limit(1)).unwrap()), ["d"]);
}

#[test]
fn what_agents_say_is_told_with_who_started_them() {
    let desk = Desk::new();
    let [agent] = &*desk.session().agents().unwrap() else { panic!() };
    let about = agent.about();
    assert_eq!((about.kind.as_deref(), about.call.as_deref()), (Some("Explore"), Some("toolu_1")));
    let [message] = &*agent.messages(&Excerpt::new()).unwrap() else { panic!() };
    assert_eq!((&*message.text(), message.by), ("look", Speaker::User));
    assert_eq!((message.call.as_deref(), message.parent_agent.as_deref()), (Some("toolu_1"), Some("b")));
    assert_eq!(agent.messages(&Excerpt::new().offset(1)).unwrap(), []);
}

/// Puts a session of a folder there, written to so many seconds after the first.
fn keep(desk: &Desk, folder: &Path, id: &str, seconds: u64) {
    let project = desk.config.join("projects").join(project_name(folder.to_str().unwrap()));
    fs::create_dir_all(&project).unwrap();
    let path = project.join(format!("{id}.jsonl"));
    fs::write(&path, format!("{}\n", said(U1, None, "user", "hello"))).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn sessions_come_in_pages_and_each_once() {
    let desk = Desk::new();
    fs::remove_dir_all(desk.project()).unwrap();
    let ids: Vec<String> = (0..4).map(|_| Uuid::new_v4().to_string()).collect();
    let folder = Path::new("/nowhere/at/all");
    for (id, seconds) in ids.iter().zip([3, 2, 1, 0]) {
        keep(&desk, folder, id, seconds);
    }
    // One that went on elsewhere is kept twice.
    keep(&desk, Path::new("/nowhere/else"), &ids[2], 9);
    let list = |listing: Listing| -> Vec<usize> {
        let sessions = KeptSessions::at(&desk.config).list(&listing).unwrap();
        sessions.iter().map(|session| ids.iter().position(|id| id == session.id()).unwrap()).collect()
    };
    assert_eq!(list(Listing::new()), [2, 0, 1, 3]);
    assert_eq!(list(Listing::new().limit(2)), [2, 0]);
    assert_eq!(list(Listing::new().offset(1).limit(2)), [0, 1]);
    assert_eq!(list(Listing::new().offset(9)), [0; 0]);
    assert_eq!(list(Listing::new().project(folder)), [0, 1, 2, 3]);
    assert_eq!(list(Listing::new().project(folder).offset(3)), [3]);
    assert_eq!(list(Listing::new().project("/nowhere")), [0; 0]);
}

/// A repository as git lays it out: the main worktree, and two linked ones, of which one knows its place from its own.
#[test]
fn a_project_has_the_sessions_of_all_its_worktrees() {
    let desk = Desk::new();
    let root = fs::canonicalize(&desk.config).unwrap();
    let at = |name: &str| root.join(name);
    let write = |name: &str, text: &str| {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), text).unwrap();
    };
    write("repo/.git/HEAD", "ref: refs/heads/main\n");
    write("repo/.git/worktrees/one/gitdir", &format!("{}\n", at("one/.git").display()));
    write("repo/.git/worktrees/one/commondir", "../..\n");
    write("one/.git", &format!("gitdir: {}\n", at("repo/.git/worktrees/one").display()));
    write("repo/.git/worktrees/two/gitdir", "../../../../two/.git\n");
    write("repo/.git/worktrees/two/commondir", "../..\n");
    write("two/.git", "gitdir: ../repo/.git/worktrees/two\n");
    write("alone/.git/HEAD", "ref: refs/heads/main\n");
    let folders = ["repo", "one", "two", "one/inside", "alone", "alone/inside"];
    let ids: Vec<String> = folders.iter().map(|_| Uuid::new_v4().to_string()).collect();
    for (seconds, (folder, id)) in (0..).zip(folders.iter().zip(&ids)) {
        fs::create_dir_all(at(folder)).unwrap();
        keep(&desk, &at(folder), id, seconds);
    }
    let list = |listing: Listing| -> Vec<&str> {
        let sessions = KeptSessions::at(&desk.config).list(&listing).unwrap();
        let place = |id: &str| ids.iter().position(|own| own == id).unwrap();
        sessions.iter().map(|session| folders[place(session.id())]).collect()
    };
    for folder in ["repo", "one", "two"] {
        assert_eq!(list(Listing::new().project(at(folder))), ["two", "one", "repo"], "{folder}");
        assert_eq!(list(Listing::new().project(at(folder)).worktrees(false)), [folder]);
    }
    assert_eq!(list(Listing::new().project(at("one/inside"))), ["one/inside", "two", "one", "repo"]);
    assert_eq!(list(Listing::new().project(at("one")).offset(1).limit(1)), ["one"]);
    // Without others the folder itself is meant, not its repository.
    assert_eq!(list(Listing::new().project(at("alone/inside"))), ["alone/inside"]);
    assert_eq!(list(Listing::new().project(at("alone"))), ["alone"]);
}
