//! `unspool doctor`, with a stand-in for Claude Code.

use crate::program::{SESSION, ended};
use crate::stand_in::StandIn;
use serde_json::Value;

/// What the doctor finds, in a home with nothing in it but a key in the environment.
fn examine(stand_in: &StandIn, args: &[&str]) -> (Option<i32>, Value) {
    let mut command = stand_in.command(&[&["doctor", "--json"][..], args].concat());
    let command = command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &stand_in.folder);
    let claude = stand_in.folder.join("claude");
    let ran = ended(command.env("ANTHROPIC_API_KEY", "x").env("UNSPOOL_CLAUDE", claude).spawn().unwrap());
    (ran.code, serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error} {ran:?}")))
}

#[test]
fn what_nobody_knows_is_named() {
    let stream = SESSION.replacen(
        '\n',
        "\n{\"type\":\"system\",\"subtype\":\"status\",\"mood\":{\"x\":1}}\n{\"type\":\"system\",\"subtype\":\"sing\"}\n{\"type\":\"new\"}\n{\"type\":\"new\"}\n",
        1,
    );
    let play = "case \"$1\" in --version) echo '9.9.9 (Claude Code)'; exit;; esac; read -r prompt; printf '%s' \"$STREAM\"; cat > /dev/null";
    let stand_in =
        StandIn::acts(&play.replace("printf '%s' \"$STREAM\"", "cat \"$(dirname \"$0\")/stream.ndjson\""));
    stand_in.file("stream.ndjson", &stream);
    let (code, told) = examine(&stand_in, &[]);
    assert_eq!((&told["version"], &told["standing"]), (&"9.9.9".into(), &"newer".into()));
    assert_eq!(told["turn"]["unknown"], serde_json::json!({"system/sing": 1, "new": 2}), "{told}");
    assert_eq!(told["turn"]["unknown_fields"], serde_json::json!(["system/status mood"]), "{told}");
    assert_eq!(told["turn"]["verdict"], "ok");
    // It did not do what it was asked to.
    assert!(told["turn"]["missing"].as_array().unwrap().contains(&"a sub-agent".into()), "{told}");
    assert_eq!((code, &told["ok"]), (Some(1), &false.into()));
}

#[test]
fn a_program_that_cannot_be_used_is_wrong() {
    let stand_in = StandIn::acts("echo 'no luck' >&2; exit 3");
    let (code, told) = examine(&stand_in, &[]);
    assert_eq!((code, &told["ok"], &told["version"]), (Some(1), &false.into(), &Value::Null));
    let wrong: Vec<&str> = (told["findings"].as_array().unwrap().iter())
        .filter(|finding| finding["level"] == "wrong")
        .map(|finding| finding["about"].as_str().unwrap())
        .collect();
    assert_eq!(wrong, ["version", "turn"], "{told}");
    assert!(told.to_string().contains("no luck"), "{told}");
    let (code, told) = examine(&stand_in, &["--claude", "nowhere/claude"]);
    assert_eq!((code, &told["program"]), (Some(1), &Value::Null));
    assert!(told["findings"].to_string().contains("nowhere/claude"), "{told}");
}
