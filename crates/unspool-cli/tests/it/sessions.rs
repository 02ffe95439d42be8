//! `unspool sessions`.

use crate::program::{Ran, ended, run, start_with};
use crate::sources::kept;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn list(config: &Path, args: &[&str]) -> Ran {
    let variables = [("CLAUDE_CONFIG_DIR", config.to_str().unwrap()), ("COLUMNS", "100"), ("TZ", "UTC")];
    ended(start_with(&[&["sessions"], args].concat(), &variables))
}

#[test]
fn sessions_are_listed_newest_first() {
    let ran = list(&kept("2.1.325-fork"), &[]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let expected = "\
WHEN              ID        STATE  TURNS     COST  TOKENS  PROJECT  TITLE
2026-11-15 06:52  5eab33a4  idle       4  $0.0392     56k  project  SCN:bash first
2026-11-15 06:52  5a4dcad5  idle       3  $0.0313     44k  project  SCN:bash first
";
    assert_eq!(ran.out, expected);
}

#[test]
fn the_same_as_objects() {
    let ran = list(&kept("2.0.77-sub2same"), &["--json"]);
    let rows: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [row] = &*rows else { panic!("{}", ran.out) };
    assert_eq!(row["session"], "d4bd98f8-8b5a-4c67-b051-20c23c1c38c9");
    assert_eq!(row["first_prompt"], "SCN:sub2same please go on");
    assert_eq!((&row["project"], &row["version"]), (&"/home/user/project".into(), &"2.0.77".into()));
    // Two that were called, and three by which the CLI warms itself up; nothing says what they cost.
    assert_eq!((&row["turns"], &row["agents"], &row["cost_usd"]), (&1.into(), &5.into(), &Value::Null));
    assert_eq!(row["tokens"]["output"], 21 + 25 + 30 + 26 + 29 + 31 + 22 + 23 + 24);
    assert_eq!(row["models"].as_array().unwrap().len(), 2);
    assert_eq!(row["verdict"], "ok");
}

#[test]
fn a_project_has_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a project.é");
    fs::create_dir_all(&folder).unwrap();
    let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join("config");
    let real = fs::canonicalize(&folder).unwrap();
    let name: String =
        real.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let project = config.join("projects").join(name);
    fs::create_dir_all(&project).unwrap();
    let session = "00c70da6-c9cf-49e9-973f-5065aff79671";
    let entry = format!(
        r#"{{"type":"user","uuid":"u","sessionId":"{session}","timestamp":"2026-01-01T00:00:00Z","message":{{"content":"Hello"}}}}"#
    );
    fs::write(project.join(format!("{session}.jsonl")), entry + "\n").unwrap();
    let ran = list(&config, &["--project", folder.to_str().unwrap()]);
    assert_eq!(ran.out.lines().count(), 2, "{}{}", ran.out, ran.err);
    let ran = list(&config, &["--project", env!("CARGO_MANIFEST_DIR")]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.starts_with("unspool: no sessions of "), "{}", ran.err);
}

#[test]
fn a_limit_leaves_out_the_oldest_and_counts_them() {
    let folder = kept("");
    let folder = folder.to_str().unwrap();
    let all = list(&kept(""), &["--limit", "0", folder]).out;
    let all: Vec<_> = all.lines().collect();
    for limit in 1..all.len() {
        let ran = list(&kept(""), &["--limit", &limit.to_string(), folder]).out;
        let ids = |lines: &[&str]| lines.iter().map(|line| line[18..26].to_owned()).collect::<Vec<_>>();
        let lines: Vec<_> = ran.lines().collect();
        assert_eq!(ids(&lines[1..=limit]), ids(&all[1..=limit]), "{limit}");
        let rest = match all.len() - 1 - limit {
            0 => None,
            1 => Some("and 1 older one: --limit 0 lists all".to_owned()),
            more => Some(format!("and {more} older ones: --limit 0 lists all")),
        };
        assert_eq!(lines.get(limit + 1).map(|line| (*line).to_owned()), rest, "{limit}");
    }
}

/// A copy or a backup writes files anew, in any order; among them are some that are no sessions.
#[test]
fn the_newest_are_those_by_their_own_times() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newest");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let id = |number: u32| format!("{number:08}-0000-4000-8000-000000000000");
    let write = |name: &str, text: String, written: u64| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + written);
        fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    };
    for number in 1..=6 {
        let id = id(number);
        let prompt = format!(
            r#"{{"type":"user","uuid":"u","sessionId":"{id}","timestamp":"2026-01-0{number}T00:00:00Z","message":{{"content":"Hello"}}}}"#
        );
        let titled = format!(r#"{{"type":"last-prompt","lastPrompt":"Bye","sessionId":"{id}"}}"#);
        write(&format!("{id}.jsonl"), format!("{prompt}\n{titled}\n"), 100 - u64::from(number));
        let title = r#"{"type":"summary","summary":"of another","leafUuid":"u"}"#;
        write(&format!("{number}-empty.jsonl"), format!("{title}\n"), 200);
        write(&format!("{number}-other.jsonl"), "{\"a\":1}\n".to_owned(), 200);
    }
    let ran = list(&folder, &["--limit", "4", folder.to_str().unwrap()]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let lines: Vec<_> = ran.out.lines().collect();
    let (rows, rest) = lines[1..].split_at(4);
    for (row, number) in rows.iter().zip([6, 5, 4, 3]) {
        assert!(row.contains(&format!("2026-01-0{number} 00:00  {}", &id(number)[..8])), "{}", ran.out);
        assert!(row.ends_with("Hello"), "the first prompt is the title: {row}");
    }
    assert_eq!(rest, ["and 2 older ones: --limit 0 lists all"]);
    let ran = list(&folder, &["--limit", "1", "--json", folder.to_str().unwrap()]);
    let row: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&row["session"], &row["title"]), (&id(6).into(), &"Hello".into()));
}

#[test]
fn what_is_no_session_is_named() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let ran = run(&["sessions", manifest], "");
    let expected = "no line in it is one of Claude Code's\n";
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1));
    assert!(ran.err.ends_with(expected) && ran.err.lines().count() == 1, "{}", ran.err);
}

/// What the agents of a resumed session were asked bears an id that was thrown away (2.0.77).
#[test]
fn a_resumed_session_is_listed_once() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/sessions/2.0.77-resumed/projects");
    let ran = run(&["sessions", "--json", folder], "");
    let ids: Vec<&str> = ran.out.lines().collect();
    assert_eq!(ids.len(), 1, "{}", ran.out);
    assert!(
        ids[0].contains("\"session\":\"22bf2eee-d661-43c5-b1b3-39ef1ae33f40\"")
            && ids[0].contains("\"agents\":6"),
        "{}",
        ran.out
    );
}
