//! Hosts that are not ours, unchanged: what they saw of Claude Code, they see of its recordings.
//!
//! `cargo xtask test real-cli` names what it could install of them: the official SDKs and the adapter for ACP.

use super::stage::{Stage, on};
use crate::program::{Ran, ended, run};
use serde_json::Value;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

const SCRIPT: &str = include_str!("../hosts/script.toml");

/// What the SDKs do, each on a program `claude` of its own.
const SCENARIOS: [&str; 8] = ["query", "turns", "permission", "hook", "mcp", "interrupt", "resume", "all"];

/// Scenarios in which a host can do otherwise than it did, and what it is then told.
const OTHERWISE: [(&str, &str); 4] = [
    ("query", "expected: \"look around\"\n  came:     \"look somewhere else\"\n"),
    ("permission", "where:    response.response.behavior\n  expected: \"allow\"\n  came:     \"deny\"\n"),
    ("turns", "where:    request.mode\n  expected: \"acceptEdits\"\n  came:     \"plan\"\n"),
    ("hook", "where:    response.response.hookSpecificOutput\n  expected: {\"hookEventName\":"),
];

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_official_sdk_for_node_sees_again_what_it_saw() {
    if let Some(module) = installed("UNSPOOL_SDK") {
        sees_again("node", &["host.mjs".into(), module.into()]);
    }
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_official_sdk_for_python_sees_again_what_it_saw() {
    if let Some(python) = installed("UNSPOOL_SDK_PYTHON") {
        sees_again(python.to_str().unwrap(), &["host.py".into()]);
    }
}

/// The adapter tells at once what comes at once, so only what it has to tell in any case is compared.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_adapter_for_acp_does_the_turn_again() {
    let Some(adapter) = installed("UNSPOOL_ACP") else { return };
    on(newest, SCRIPT, |stage| {
        let work = work(stage, "live");
        let plays = |claude: &Path| {
            let mut command = host(stage, "node", &["acp.mjs".into(), adapter.clone().into()]);
            command.arg(&work).env("CLAUDE_CODE_EXECUTABLE", claude);
            let ran = ended(command.spawn().unwrap());
            assert!(!ran.err.contains("fake-claude"), "{}", ran.err);
            let seen = seen(&ran);
            let kinds = ["asked", "ended", "error"];
            let told = |it: &Value| {
                let update = &it[1]["sessionUpdate"];
                update == "agent_message_chunk" || it[1]["status"] == "completed"
            };
            let is_wanted = |it: &Value| kinds.contains(&it[0].as_str().unwrap()) || told(it);
            seen.into_iter().filter(is_wanted).collect::<Vec<_>>()
        };
        let live = plays(&recorder(stage, "acp"));
        assert!(live.len() == 6 && live[0][0] == "asked", "{live:#?}");
        assert_eq!(live[5][1]["stopReason"], "end_turn", "{live:#?}");
        assert_eq!(plays(&player(stage, "acp", &[])), live);
    });
}

/// Nobody has to have Claude Code for it.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_recording_from_elsewhere_is_played_to_the_official_sdks() {
    let python = installed("UNSPOOL_SDK_PYTHON").map(|python| ("python", python, vec!["host.py".into()]));
    let node = installed("UNSPOOL_SDK")
        .map(|module| ("node", PathBuf::from("node"), vec!["host.mjs".into(), module.into()]));
    on(newest, SCRIPT, |stage| {
        for (name, program, args) in python.iter().chain(&node) {
            let recording = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("../../fixtures/recordings/{name}-2.1.325.rec"));
            install(&recording, &stage.folder.join(format!("{name}/all")), &["--strict"]);
            let ran = play(stage, program.to_str().unwrap(), args, name, &["all"], &[]);
            let seen = seen(&ran);
            let of = |kind: &str| seen.iter().filter(|it| it[1] == kind).count();
            assert_eq!(
                (of("asked"), of("hook"), of("called"), of("interrupted"), of("error")),
                (2, 6, 1, 1, 0),
                "{name} {ran:?}"
            );
            assert_eq!(ran.err, "", "{name}");
        }
    });
}

fn sees_again(program: &str, args: &[OsString]) {
    on(newest, SCRIPT, |stage| {
        SCENARIOS.iter().for_each(|scenario| drop(recorder(stage, scenario)));
        let live = play(stage, program, args, "live", &SCENARIOS, &[]);
        for scenario in SCENARIOS {
            let of = seen(&live).into_iter().filter(|it| it[0] == scenario);
            let kinds: Vec<String> = of.map(|it| it[1].as_str().unwrap().to_owned()).collect();
            assert!(kinds.len() > 4 && !kinds.contains(&"error".to_owned()), "{scenario} {live:?}");
        }
        for speed in ["max", "1x"] {
            SCENARIOS
                .iter()
                .for_each(|scenario| drop(player(stage, scenario, &["--strict", "--speed", speed])));
            let again = play(stage, program, args, "again", &SCENARIOS, &[]);
            assert_eq!(again.err, live.err, "{speed}");
            assert_eq!(in_turn(&again), in_turn(&live), "{speed}");
        }
        does_otherwise(stage, program, args);
        survives_variations(stage, program, args, &live);
    });
}

/// Each time it is told what it does otherwise, and the SDK knows with which code Claude Code has ended.
fn does_otherwise(stage: &Stage, program: &str, args: &[OsString]) {
    let scenarios = OTHERWISE.map(|(scenario, _)| scenario);
    scenarios.iter().for_each(|scenario| drop(player(stage, scenario, &[])));
    let ran = play(stage, program, args, "again", &scenarios, &[("HOST_DOES_OTHERWISE", "1")]);
    let told: Vec<&str> = ran.err.split("fake-claude: the host says something else").skip(1).collect();
    assert_eq!(told.len(), OTHERWISE.len(), "{ran:?}");
    for ((scenario, expected), told) in OTHERWISE.into_iter().zip(told) {
        assert!(told.contains(expected), "{told}");
        let last = seen(&ran).into_iter().rfind(|it| it[0] == scenario).unwrap();
        assert!(
            last[1] == "error" && last[2].to_string().contains("exit") && last[2].to_string().contains("76"),
            "{last}"
        );
    }
}

/// Variations, and whether the host sees all messages all the same; a crash is an error, and nothing hangs.
const VARIED: [(&str, &[&str], bool); 7] = [
    ("query", &["--crash", "10=SIGKILL"], false),
    ("turns", &["--cut-lines", "5"], false),
    ("permission", &["--cancel-permission", "1"], true),
    ("hook", &["--flood", "4=1000000"], true),
    ("mcp", &["--garbage", "3", "--garbage", "5=[debug] hello"], true),
    ("interrupt", &["--unknown-line", "3", "--unknown-fields"], true),
    ("resume", &["--delay", "5"], true),
];

fn survives_variations(stage: &Stage, program: &str, args: &[OsString], live: &Ran) {
    VARIED.iter().for_each(|(scenario, flags, _)| drop(player(stage, scenario, flags)));
    let ran = play(stage, program, args, "again", &VARIED.map(|(scenario, ..)| scenario), &[]);
    for (scenario, flags, is_whole) in VARIED {
        let messages = |ran: &Ran| {
            let of = seen(ran).into_iter().filter(|it| it[0] == scenario && it[1] == "message");
            // Some SDKs hand on what they do not know.
            of.filter(|it| it[2]["type"] != "unheard_of").count()
        };
        let (again, live) = (messages(&ran), messages(live));
        assert!(again > 0 && again <= live && (again == live) == is_whole, "{flags:?} {again} of {live}");
    }
    let of_crash = seen(&ran).into_iter().rfind(|it| it[0] == "query").unwrap();
    let told = of_crash.to_string();
    assert!(of_crash[1] == "error" && (told.contains("SIGKILL") || told.contains("-9")), "{told}");
    assert!(ran.err.len() >= 1_000_000, "all of the flood was read: {}", ran.err.len());
}

/// What was seen by scenario: messages in their order, and calls in theirs. How the two lie to each other is up to the SDK, which calls
/// at once, while messages wait until they are read.
fn in_turn(ran: &Ran) -> Vec<Value> {
    let mut seen = seen(ran);
    let place = |it: &Value| SCENARIOS.iter().position(|scenario| it[0] == *scenario);
    seen.sort_by_key(|it| (place(it), it[1] != "message"));
    seen
}

fn seen(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{ran:?}"))).collect()
}

fn newest(version: &str) -> bool {
    version == "2.1.325"
}

fn installed(variable: &str) -> Option<PathBuf> {
    let path = env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        eprintln!("not tried: {variable} is not set");
    }
    path
}

/// Where hosts work in this folder of the stage.
fn work(stage: &Stage, name: &str) -> PathBuf {
    let work = stage.folder.join(name).join("work");
    fs::create_dir_all(&work).unwrap();
    work
}

/// A `claude` for a scenario that is Claude Code, and records.
fn recorder(stage: &Stage, scenario: &str) -> PathBuf {
    let folder = stage.folder.join("live").join(scenario);
    fs::create_dir_all(folder.join("recordings")).unwrap();
    let [unspool, folder_name] =
        [Path::new(env!("CARGO_BIN_EXE_unspool")), &folder].map(|it| it.to_str().unwrap());
    let claude = stage.program.to_str().unwrap();
    let script = format!(
        "#!/bin/sh\nexec '{unspool}' record '{folder_name}/recordings/'$$.rec -- '{claude}' \"$@\"\n"
    );
    let program = folder.join("claude");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// A `claude` for a scenario that plays what was recorded of it.
fn player(stage: &Stage, scenario: &str, flags: &[&str]) -> PathBuf {
    let recordings = stage.folder.join("live").join(scenario).join("recordings");
    let folder = stage.folder.join("again").join(scenario);
    let state = folder.join("state");
    let _ = fs::remove_dir_all(&state);
    install(&recordings, &folder, &[&["--state", state.to_str().unwrap()], flags].concat())
}

fn install(recording: &Path, folder: &Path, flags: &[&str]) -> PathBuf {
    let [recording, folder_name] = [recording, folder].map(|it| it.to_str().unwrap());
    let ran = run(&[&["fake-claude", recording, "--install", folder_name], flags].concat(), "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    folder.join("claude")
}

/// Plays these scenarios with the programs `claude` of this folder of the stage.
fn play(
    stage: &Stage,
    program: &str,
    args: &[OsString],
    name: &str,
    scenarios: &[&str],
    variables: &[(&str, &str)],
) -> Ran {
    work(stage, name);
    let mut command = host(stage, program, args);
    command.arg(stage.folder.join(name)).args(scenarios);
    command.envs(variables.iter().copied());
    let ran = ended(command.spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// A host of the folder beside this one.
fn host(stage: &Stage, program: &str, args: &[OsString]) -> Command {
    let (script, args) = args.split_first().unwrap();
    let mut command = Command::new(program);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/hosts").join(script)).args(args);
    stage.clean(&mut command);
    // What Python has compiled would stay in the tree.
    command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&stage.folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
