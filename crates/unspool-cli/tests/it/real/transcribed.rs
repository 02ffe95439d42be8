//! Claude Code goes on from a transcript that was made of a recording as it does from its own.

use super::stage::{Stage, all, on};
use crate::program::{Ran, ended};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = r#"
    [[turn]]
    think = "I should look."
    say = "Let me look."
    call.Bash.command = "echo 'hello one'"
    [[turn]]
    say = "It says hello."
    [[turn]]
    call.Read.file_path = "/no/such/file"
    [[turn]]
    say = "It is not there."
    [[turn]]
    say = "Gladly."
"#;

/// How Claude Code tells the model of a prompt in the middle of a turn.
const IN_BETWEEN: &str = "while you were working";

/// Records two prompts of a host: the second is written when the first turn is over, or at once.
fn record(stage: &Stage, at_once: bool) {
    let mut record = Command::new(env!("CARGO_BIN_EXE_unspool"));
    record.args(["record", "run.rec", "--"]).arg(&stage.program).current_dir(&stage.folder);
    record.args(["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]);
    record.arg("--dangerously-skip-permissions").args(["--replay-user-messages"]);
    stage.clean(&mut record);
    let mut child =
        record.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |words: &str, number: u8| {
        let uuid = format!("{number}1111111-1111-4111-8111-111111111111");
        let line =
            format!(r#"{{"type":"user","message":{{"role":"user","content":"{words}"}},"uuid":"{uuid}"}}"#);
        writeln!(input, "{line}").unwrap();
    };
    ask("please go on", 1);
    if at_once {
        ask("and now?", 2);
        drop(input);
        assert!(output.lines().all(|line| line.is_ok()));
    } else {
        let mut lines = output.lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains(r#""type":"result""#)));
        ask("and now?", 2);
        drop(input);
        assert!(lines.any(|line| line.contains(r#""type":"result""#)));
    }
    assert!(child.wait().unwrap().success(), "{}", stage.version);
}

fn unspool(stage: &Stage, args: &[&str]) -> Ran {
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
    program.args(args).current_dir(&stage.folder).stdin(Stdio::null());
    ended(program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Goes on with the session of this home, and returns what the model was told.
fn resumed(stage: &Stage, home: &Path, session: &str) -> Vec<(String, String)> {
    let before = stage.requests().as_array().unwrap().len();
    let mut claude = Command::new(&stage.program);
    claude
        .args(["-p", "thank you", "--resume", session, "--output-format", "json"])
        .current_dir(&stage.folder);
    stage.clean(&mut claude);
    claude.env("HOME", home).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = ended(claude.spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{} {ran:?}", stage.version);
    let requests = stage.requests();
    let mut asked = requests.as_array().unwrap()[before..].iter().filter(|request| {
        let messages = request["body"]["messages"].as_array();
        messages.is_some_and(|messages| {
            said(messages).last().is_some_and(|(_, words)| words.contains("thank you"))
        })
    });
    said(asked.next_back().unwrap_or_else(|| panic!("{requests:#}"))["body"]["messages"].as_array().unwrap())
}

/// Who said what, without what Claude Code adds anew to each conversation.
fn said(messages: &[Value]) -> Vec<(String, String)> {
    let is_added = |text: &str| text.starts_with("<system-reminder>") && !text.contains(IN_BETWEEN);
    let block = |block: &Value| match block["text"].as_str() {
        Some(text) if is_added(text) => None,
        Some(text) => Some(text.to_owned()),
        None => {
            let mut block = block.clone();
            block.as_object_mut().unwrap().remove("cache_control");
            Some(block.to_string())
        }
    };
    let mut all = Vec::new();
    for message in messages {
        let role = message["role"].as_str().unwrap().to_owned();
        if role == "system" && !message["content"].to_string().contains(IN_BETWEEN) {
            continue;
        }
        match &message["content"] {
            Value::String(text) => all.push((role, text.clone())),
            content => all.extend(
                content.as_array().into_iter().flatten().filter_map(block).map(|it| (role.clone(), it)),
            ),
        }
    }
    all
}

/// The only transcript below a home.
fn transcript(home: &Path) -> PathBuf {
    let projects = fs::read_dir(home.join(".claude/projects")).unwrap().map(|it| it.unwrap().path());
    let files = projects.flat_map(|project| fs::read_dir(project).unwrap().map(|it| it.unwrap().path()));
    // 2.0.77 warms itself up by agents, which have files of their own.
    let is_session = |file: &PathBuf| file.file_stem().is_some_and(|name| name.len() == 36);
    let mut files: Vec<_> = files.filter(is_session).filter(|file| file.is_file()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// Both go on from the same conversation. Returns what was said in it.
fn agree(stage: &Stage) -> Vec<(String, String)> {
    let own = transcript(&stage.home);
    let session = own.file_stem().unwrap().to_str().unwrap();
    let other = stage.home.with_file_name("other");
    let made = other.join(own.strip_prefix(&stage.home).unwrap());
    fs::create_dir_all(made.parent().unwrap()).unwrap();
    let ran = unspool(stage, &["convert", "run.rec", made.to_str().unwrap()]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{} {ran:?}", stage.version);
    let by_made = resumed(stage, &other, session);
    let by_own = resumed(stage, &stage.home, session);
    assert_eq!(by_made, by_own, "{}", stage.version);
    by_own
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_session_goes_on_from_the_transcript_of_its_recording() {
    on(all, SCRIPT, |stage| {
        record(stage, false);
        let told = agree(stage);
        for words in
            ["please go on", "Let me look.", "It says hello.", "and now?", "It is not there.", "thank you"]
        {
            assert!(told.iter().any(|(_, told)| told == words), "{}: {words} in {told:?}", stage.version);
        }
        assert!(told.iter().any(|(_, told)| told.contains("echo 'hello one'")), "{} {told:?}", stage.version);
    });
}

/// Older versions forget such a prompt when the session goes on.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_prompt_in_the_middle_of_a_turn_is_remembered() {
    on(
        |version| version.starts_with("2.1.325"),
        SCRIPT,
        |stage| {
            record(stage, true);
            let told = agree(stage);
            let is_it = |told: &str| told.contains(IN_BETWEEN) && told.contains("and now?");
            assert!(told.iter().any(|(_, told)| is_it(told)), "{told:?}");
        },
    );
}
