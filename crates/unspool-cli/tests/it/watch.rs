//! What sessions are doing, while their files grow.

use crate::program::{run, start_with};
use crate::sources::kept;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const ID: &str = "a8f817fe-384d-4164-b1b7-74501f61687b";

/// An empty project, and the file of a session in it.
fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{ID}.jsonl"))
}

fn entries() -> Vec<String> {
    let main = kept("2.1.112-subnest").join(format!("projects/-home-user-project/{ID}.jsonl"));
    fs::read_to_string(main).unwrap().lines().map(|line| format!("{line}\n")).collect()
}

fn append(file: &Path, text: &str) {
    OpenOptions::new().create(true).append(true).open(file).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Ends with its value, whatever the test finds.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn states_are_told_as_a_transcript_grows() {
    let file = project("grows");
    let entries = entries();
    let call = entries.iter().position(|entry| entry.contains("\"type\":\"tool_use\"")).unwrap();
    append(&file, &entries[..=call].concat());
    let mut child = Ended(start_with(&["watch", "--json", file.to_str().unwrap()], &[]));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    // The call was made long ago, and nobody answers it.
    let first = next();
    assert_eq!((&first["state"]["state"], &first["session"]), (&"stuck".into(), &ID.into()), "{first}");
    assert_eq!(first["state"]["agents"][0]["calls"][0]["tool"], "Agent", "{first}");
    append(&file, &entries[call + 1..].concat());
    let last = next();
    assert_eq!(last["state"]["state"], "idle", "{last}");
}

#[test]
fn what_is_added_to_a_stream_without_times_has_come_since_the_last_look() {
    let file = project("stream").with_file_name("run.ndjson");
    let said = |id: &str, block: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"{id}","content":[{block}]}},"session_id":"{ID}"}}{}"#,
            '\n'
        )
    };
    append(&file, &format!("{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"{ID}\"}}\n"));
    append(&file, &said("m1", r#"{"type":"text","text":"Hm."}"#));
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    OpenOptions::new().append(true).open(&file).unwrap().set_modified(an_hour_ago).unwrap();
    let mut child = Ended(start_with(&["watch", "--json", file.to_str().unwrap()], &[]));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let since = |told: &Value| UNIX_EPOCH + Duration::from_millis(told["state"]["since"].as_u64().unwrap());
    let first = next();
    assert_eq!(first["state"]["state"], "stuck", "what was there is as old as its file: {first}");
    assert!(since(&first) < an_hour_ago + Duration::from_secs(1), "{first}");
    append(&file, &said("m2", r#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}"#));
    let then = next();
    assert_eq!(then["state"]["state"], "working", "what is added is new: {then}");
    let call = Duration::from_millis(then["state"]["agents"][0]["calls"][0]["since"].as_u64().unwrap());
    assert!(UNIX_EPOCH + call > an_hour_ago + Duration::from_secs(3000), "{then}");
}

#[test]
fn who_wants_to_know_once_is_told_once() {
    let file = project("once");
    append(&file, &entries().concat());
    let told = run(&["watch", "--once", file.to_str().unwrap()], "");
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert!(told.out.starts_with("idle ") && told.out.lines().count() == 1, "{}", told.out);
    let old = run(&["watch", "--once", "--since", "1s", kept("2.1.112-subnest").to_str().unwrap()], "");
    assert_eq!((old.code, &*old.out), (Some(0), ""), "what is old is left out: {}", old.err);
    assert_eq!(run(&["watch", "--once", "no/such/file"], "").code, Some(1));
}

#[test]
fn in_a_folder_without_a_session_the_first_one_is_waited_for() {
    let file = project("first");
    let folder = file.parent().unwrap().to_str().unwrap();
    let once = run(&["watch", "--once", folder], "");
    assert_eq!((once.code, &*once.out, &*once.err), (Some(0), "", ""));
    let mut child = Ended(start_with(&["watch", folder], &[]));
    let said = BufReader::new(child.0.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(said.contains("no session"), "{said}");
    append(&file, &entries().concat());
    let first = BufReader::new(child.0.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(first.starts_with("idle "), "{first}");
}

#[test]
fn a_view_follows_what_is_added() {
    let file = project("view");
    let entries = entries();
    append(&file, &entries[..3].concat());
    let mut child = Ended(start_with(&["view", "--follow", file.to_str().unwrap()], &[]));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("❯ ")), "the prompt is there already");
    append(&file, &entries[3..].concat());
    assert!(lines.any(|line| line.contains("Agent")), "and what was added comes");
    assert_eq!(run(&["view", "--follow"], "x").code, Some(2), "a pipe grows by itself");
}
