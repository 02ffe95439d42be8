//! `unspool run`, with a stand-in for Claude Code.

use crate::program::{SESSION, ended, types};
use crate::stand_in::StandIn;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"started","session_id":"s"}"#;

fn result(fields: &str) -> String {
    format!("{INIT}\n{{\"type\":\"result\",{fields}}}\n")
}

#[test]
fn words_go_to_standard_output_and_all_else_to_standard_error() {
    let call = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls -l\necho","timeout":1}}]}}"#;
    let agent = r#"{"type":"assistant","parent_tool_use_id":"t","message":{"id":"n","content":[{"type":"text","text":"not this"}]}}"#;
    let words =
        r#"{"type":"assistant","message":{"id":"o","content":[{"type":"text","text":"a\u001b[2J\tb\nc"}]}}"#;
    let stream = SESSION.replacen('\n', &format!("\n{call}\n{agent}\n{words}\n"), 1);
    let ran = StandIn::plays(&stream).run(&["run", "go"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), "a\u{fffd}[2J\tb\nc\nHello\n"));
    assert_eq!(ran.err, "> Bash ls -l ⏎ echo (at most 1 ms)\n");
}

#[test]
fn calls_that_fail_or_are_denied_are_told_as_such() {
    let call = |id: &str, command: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{id}","message":{{"id":"m","content":[{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":"{command}"}}}}]}}}}"#
        )
    };
    let answer = |id: &str, words: &str, is_error: bool| {
        format!(
            r#"{{"type":"user","uuid":"answer-{id}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{words}","is_error":{is_error}}}]}}}}"#
        )
    };
    let ask = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"a","input":{"command":"rm x"}}}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","permission_denials":[{"tool_name":"Bash","tool_use_id":"a","tool_input":{"command":"rm x"}}]}"#;
    let script = format!(
        "hear; echo '{INIT}'\necho '{}'\necho '{}'\necho '{}'\necho '{ask}'; hear\necho '{}'\necho '{}'\necho '{}'\necho '{result}'; cat > /dev/null",
        call("a", "rm x"),
        call("b", "false"),
        call("c", "true"),
        answer("c", "", false),
        answer("b", "exit code 1", true),
        answer("a", "not allowed", true),
    );
    let ran = StandIn::acts(&script).run(&["run", "go"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told: Vec<&str> = ran.err.lines().collect();
    assert_eq!(told[..3], ["> Bash rm x", "> Bash false", "> Bash true"], "{ran:?}");
    assert_eq!(
        told[3..5],
        ["! failed: Bash false: exit code 1", "! denied: Bash rm x: not allowed"],
        "{ran:?}"
    );
    assert!(told[5].starts_with("ok: the last turn completed (1 turn, 1 call denied, "), "{ran:?}");
}

#[test]
fn the_exit_code_is_the_verdicts_and_standard_error_says_why() {
    let quiet = result(r#""subtype":"success","is_error":false,"result":"""#);
    let denied = SESSION.replace(r#""result":"Hello""#, r#""permission_denials":[{"tool_name":"Bash"}]"#);
    let failed = result(r#""subtype":"error_max_turns","is_error":false"#);
    let api = result(r#""subtype":"success","is_error":true,"result":"API Error: 500""#);
    let budget = result(r#""subtype":"error_max_budget_usd","is_error":true"#);
    for (stream, fail_on, verdict, code) in [
        (SESSION, "denied,empty", "", 0),
        (&failed, "denied", "failed: max_turns", 10),
        (&api, "denied", "api_error: api: API Error: 500", 11),
        (&denied, "empty", "ok: the last turn completed (1 turn, 1 call denied, ", 0),
        (&denied, "denied", "denied: a tool was not allowed (1 turn, 1 call denied, ", 12),
        (&quiet, "denied,empty", "empty: ", 13),
        (&budget, "denied", "over_budget: ", 22),
    ] {
        let ran = StandIn::plays(stream).run(&["run", "go", "--fail-on", fail_on]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.err.starts_with(verdict) && ran.err.is_empty() == verdict.is_empty(), "{ran:?}");
    }
}

#[test]
fn a_program_that_ends_early_is_quoted() {
    for (script, words, code) in [
        (
            format!("hear; echo '{INIT}'; echo 'out of luck' >&2; exit 3"),
            "truncated: there is no result (exit code 3)",
            21,
        ),
        ("echo 'out of luck' >&2; exit 1".to_owned(), "not_started: no turn has begun (exit code 1)", 30),
        (
            "hear; echo 'out of luck' >&2; kill -9 $$".to_owned(),
            "not_started: no turn has begun (ended by signal 9)",
            30,
        ),
    ] {
        let ran = StandIn::acts(&script).run(&["run", "go"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.err.starts_with(words) && ran.err.ends_with("\n  out of luck\n"), "{ran:?}");
    }
}

#[test]
fn time_is_limited() {
    let stand_in = StandIn::acts(&format!("hear; echo '{INIT}'; cat > /dev/null"));
    let runs = |flag: &str, words: &str| {
        let ran = stand_in.run(&["run", "go", flag]);
        assert_eq!(ran.code, Some(20), "{ran:?}");
        assert!(ran.err.starts_with(words), "{ran:?}");
    };
    // Side by side: each waits for an answer to its interrupt, which never comes.
    thread::scope(|scope| {
        scope.spawn(|| runs("--timeout=1s", "hung: the time limit of 1 s was reached"));
        scope.spawn(|| runs("--idle-timeout=1s", "hung: no line for 1 s"));
    });
}

#[test]
fn a_program_that_dies_with_an_agent_at_work_is_cut_off() {
    let started = r#"{"type":"system","subtype":"task_started","task_id":"a","task_type":"local_agent","session_id":"s"}"#;
    let script = format!("hear; printf '%s\\n' '{INIT}' '{started}' '{RESULT}'; kill -9 $$");
    for format in ["text", "events", "json", "view"] {
        let ran = StandIn::acts(&script).run(&["run", "go", "--format", format]);
        assert_eq!(ran.code, Some(21), "{ran:?}");
        assert!(ran.err.contains("truncated: Claude Code ended with 1 task at work"), "{ran:?}");
    }
}

#[test]
fn a_last_line_without_a_newline_counts() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#;
    for (answer, code) in [(r#"{\"a\":1}"#, 0), ("no", 10)] {
        let done = format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"{answer}","session_id":"s"}}"#
        );
        let stand_in = StandIn::acts(&format!("hear; echo '{INIT}'; printf '%s' '{done}'"));
        let schema = stand_in.file("schema.json", schema);
        let ran = stand_in.run(&["run", "go", "--json-schema", &schema, "--record", "run.ndjson"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(stand_in.read("run.ndjson").contains("\"result\""), "{ran:?}");
    }
}

#[test]
fn rules_that_do_not_hold_are_warned_of() {
    let script = format!("hear; printf '%s\\n' '{INIT}' '{RESULT}'; cat > /dev/null");
    for flags in [&["--dangerously-skip-permissions"][..], &["--permission-mode", "bypassPermissions"]] {
        let args = [&["run", "go", "--allow", "Read", "--"], flags].concat();
        let ran = StandIn::acts(&script).run(&args);
        assert!(ran.err.starts_with("warning: the handler for permissions is not asked about"), "{ran:?}");
    }
}

/// `nohup` ignores SIGHUP for us, and so do we.
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let stand_in = StandIn::acts(&format!(
        "hear; echo '{INIT}'; while [ ! -e go ]; do sleep 0.02; done; echo '{RESULT}'"
    ));
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_unspool")).args(["run", "go", "--format", "events"]);
    let plain = stand_in.command(&[]);
    command.current_dir(plain.get_current_dir().unwrap());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let out = until_begun(&mut child);
    signal(&child, "-HUP");
    stand_in.file("go", "");
    assert!(out.lines().map(Result::unwrap).any(|line| types(&line) == ["turn_complete"]));
    assert_eq!(ended(child).code, Some(0));
}

#[test]
fn events_are_lines_of_json() {
    let ran = StandIn::plays(SESSION).run(&["run", "go", "--format", "events"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let blocks = ["session_meta", "turn_start", "text", "usage", "turn_complete", "finished"];
    assert_eq!(types(&ran.out), blocks);
    let ran = StandIn::plays(SESSION).run(&["run", "go", "--format", "events", "--grain", "deltas"]);
    assert!(types(&ran.out).contains(&"text_delta".to_owned()), "{ran:?}");
}

#[test]
fn json_is_one_object() {
    let turn = SESSION.replace(
        r#""result":"Hello""#,
        r#""result":"Hello","total_cost_usd":0.5,"usage":{"input_tokens":3,"output_tokens":4},"permission_denials":[{"tool_name":"Bash"}]"#,
    );
    let ran = StandIn::plays(&turn).run(&["run", "go", "--format", "json"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{ran:?}");
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    for (field, value) in [
        ("verdict", "\"ok\""),
        ("code", "0"),
        ("answer", "\"Hello\""),
        ("structured", "null"),
        ("session", "\"s\""),
        ("turns", "1"),
        ("cost_usd", "0.5"),
        ("denials", r#"[{"tool_name":"Bash"}]"#),
    ] {
        assert_eq!(told[field].to_string(), value, "{field}");
    }
    assert_eq!((told["usage"]["input"].as_u64(), told["usage"]["output"].as_u64()), (Some(3), Some(4)));
    assert!(told["duration_ms"].is_u64() && told["reason"].is_string() && told["models"].is_null(), "{told}");
}

#[test]
fn the_prompt_may_come_from_anywhere() {
    let stand_in = StandIn::plays(SESSION);
    let file = stand_in.file("prompt.md", "from a file\n");
    for (args, input, prompt) in [
        (&["run", "as words"][..], "ignored", "as words"),
        (&["run"], "piped in", "piped in"),
        (&["run", "-"], "by name\n", "by name\n"),
        (&["run", "--prompt-file", &file], "ignored", "from a file\n"),
        (&["run", "--", "--debug"], "before flags", "before flags"),
    ] {
        stand_in.file("heard.ndjson", "");
        let ran = stand_in.run_on(args, input);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let heard: Value = serde_json::from_str(&stand_in.read("heard.ndjson")).unwrap();
        assert_eq!(heard["message"]["content"], prompt, "{args:?}");
    }
}

#[test]
fn flags_reach_claude_code() {
    let stand_in = StandIn::plays(SESSION);
    let ran = stand_in.run(&[
        "run",
        "go",
        "--model",
        "opus",
        "--max-turns",
        "3",
        "--max-cost",
        "2.5",
        "--resume",
        "x-1",
        "--",
        "--effort",
        "low",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let args = stand_in.read("args.txt");
    for arg in ["--model=opus", "--max-turns=3", "--max-budget-usd=2.5", "--resume=x-1", "--effort\nlow"] {
        assert!(args.contains(&format!("{arg}\n")), "{args}");
    }
    assert!(args.ends_with("--effort\nlow\n"), "{args}");
    let ran = stand_in.run(&["run", "go", "--continue", "--cwd", "."]);
    assert!(ran.code == Some(0) && stand_in.read("args.txt").contains("--continue\n"), "{ran:?}");
}

#[test]
fn tokens_are_limited() {
    let spoken = SESSION.replace(r#""input_tokens":1"#, r#""input_tokens":100,"output_tokens":50"#);
    let ran = StandIn::plays(&spoken).run(&["run", "go", "--max-tokens", "149"]);
    assert_eq!(ran.code, Some(22), "{ran:?}");
    let ran = StandIn::plays(&spoken).run(&["run", "go", "--max-tokens", "150"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_program_that_is_not_there_is_not_started() {
    let stand_in = StandIn::plays(SESSION);
    let text = stand_in.file("no-program", "");
    for path in ["nowhere/claude", &text] {
        let ran = stand_in.run(&["run", "go", "--claude", path]);
        assert_eq!((ran.code, &*ran.out), (Some(30), ""), "{ran:?}");
        assert!(ran.err.starts_with("not_started: ") && ran.err.contains(path), "{ran:?}");
        let ran = stand_in.run(&["run", "go", "--claude", path, "--format", "events"]);
        assert_eq!((ran.code, types(&ran.out)), (Some(30), vec!["finished".to_owned()]));
        let ran = stand_in.run(&["run", "go", "--claude", path, "--format", "json"]);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&told["verdict"], &told["code"]), (&"not_started".into(), &30.into()));
    }
}

#[test]
fn wrong_calls_start_nothing() {
    let stand_in = StandIn::plays(SESSION);
    for args in [
        &["run", ""][..],
        &["run"],
        &["run", "go", "--prompt-file", "x"],
        &["run", "go", "--timeout", "soon"],
        &["run", "go", "--max-cost", "0"],
        &["run", "go", "--max-turns", "0"],
        &["run", "go", "--allow", "Bash("],
        &["run", "go", "--deny", "bash(rm *)"],
        &["run", "go", "--continue", "--resume", "x"],
        &["run", "go", "--cwd", "nowhere"],
        &["run", "go", "--", "--output-format=text"],
    ] {
        let ran = stand_in.run(args);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?} {ran:?}");
        assert!(ran.err.contains("--help"), "{args:?}: {}", ran.err);
    }
    assert_eq!(stand_in.read("args.txt"), "");
    let ran = stand_in.run(&["run", "--prompt-file", "nowhere.md"]);
    assert_eq!(
        (ran.code, &*ran.err),
        (Some(1), "unspool: cannot read nowhere.md: No such file or directory (os error 2)\n")
    );
}

#[test]
fn a_reader_that_goes_away_does_not_change_the_verdict() {
    let failed = result(r#""subtype":"error_max_turns","is_error":true"#);
    for format in ["text", "events", "json"] {
        for (stream, code) in [(SESSION, 0), (&failed, 10)] {
            let mut child = StandIn::plays(stream).start(&["run", "go", "--format", format]);
            drop(child.stdout.take());
            assert_eq!(ended(child).code, Some(code), "{format}");
        }
    }
}

/// Claude Code has no rule but that one more, nobody is asked about calls in its place, and to the hook it is nothing.
#[test]
fn deny_alone_says_nothing_of_other_calls() {
    let asks = |id: &str, command: &str| {
        format!(
            r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"hook_callback","callback_id":"hook-0","tool_use_id":"t","input":{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{{"command":"{command}"}}}}}}}}"#
        )
    };
    let answers = r#"{"type":"control_response","response":{"subtype":"success","request_id":"u-1","response":{"hook_on_failure_supported":true}}}"#;
    let script = format!(
        "hear; echo '{answers}'; hear; echo '{INIT}'; echo '{}'; hear; echo '{}'; hear; echo '{RESULT}'; cat > /dev/null",
        asks("other", "ls -l"),
        asks("denied", "rm x"),
    );
    let denying = StandIn::acts(&script);
    let ran = denying.run(&["run", "go", "--deny", "Bash(rm *)", "--model", "opus"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heard: Vec<Value> =
        denying.read("heard.ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = |id: &str| {
        let fits = |line: &&Value| line["response"]["request_id"] == id;
        heard.iter().find(fits).unwrap_or_else(|| panic!("{heard:?}"))["response"]["response"].clone()
    };
    assert_eq!(answered("other"), serde_json::json!({}));
    assert_eq!(answered("denied")["hookSpecificOutput"]["permissionDecision"], "deny");

    let plain = StandIn::plays(SESSION);
    assert_eq!(plain.run(&["run", "go", "--model", "opus"]).code, Some(0));
    let args = denying.read("args.txt");
    assert_eq!(args.replace("--disallowedTools=Bash(rm *)\n", ""), plain.read("args.txt"));
    assert_ne!(args, plain.read("args.txt"));
}

#[test]
fn an_answer_has_to_fit_its_schema() {
    let schema = r#"{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#;
    for (value, code) in [(r#"{"sum":4}"#, 0), (r#"{"sum":"four"}"#, 10), ("null", 10)] {
        let stream = SESSION
            .replace(r#""result":"Hello""#, &format!(r#""result":"Hello","structured_output":{value}"#));
        let stand_in = StandIn::plays(&stream);
        let schema = stand_in.file("schema.json", schema);
        let ran = stand_in.run(&["run", "go", "--json-schema", &schema, "--format", "json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((told["structured"].to_string(), &told["code"]), (value.to_owned(), &code.into()));
        assert!(stand_in.read("args.txt").contains("--json-schema={"), "it is told to Claude Code");
    }
}

/// Waits until the program has told its first event.
fn until_begun(child: &mut std::process::Child) -> BufReader<std::process::ChildStdout> {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    out
}

fn signal(child: &std::process::Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Whether a process is there and has not ended.
fn lives(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
fn a_signal_ends_everything() {
    // A program that does not listen, and has started another, in a session of its own.
    let script = format!(
        "trap '' TERM INT; setsid sleep 300 & echo $! > sleep.txt; echo $$ > self.txt; hear; echo '{INIT}'; while :; do wait; done"
    );
    for name in ["-TERM", "-HUP"] {
        if name == "-HUP" && hears_no_hangup() {
            eprintln!("nohup is in force, and a run that it holds for outlives its terminal");
            continue;
        }
        let stand_in = StandIn::acts(&script);
        let mut child = stand_in.start(&["run", "go", "--format", "events"]);
        let out = until_begun(&mut child);
        signal(&child, name);
        let told: Vec<String> = out.lines().map(Result::unwrap).collect();
        let ran = ended(child);
        assert_eq!(ran.code, Some(10), "{ran:?}");
        assert!(ran.err.starts_with(&format!("failed: interrupted: ended by SIG{}", &name[1..])), "{ran:?}");
        assert_eq!(types(told.last().unwrap()), ["finished"]);
        assert!(!lives(&stand_in.read("sleep.txt")) && !lives(&stand_in.read("self.txt")));
    }
}

/// Whether this process, and so what it starts, does not hear that its terminal is gone.
fn hears_no_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|ignored| u64::from_str_radix(ignored.trim(), 16).is_ok_and(|mask| mask & 1 != 0))
}

/// What cannot be handled ends us before we can end anything.
#[cfg(target_os = "linux")]
#[test]
fn whoever_kills_the_program_ends_all_that_it_runs() {
    let script = format!(
        "hear; setsid sleep 300 & echo $! > sleep.txt; echo $$ > self.txt
        (env -i setsid sh -c 'echo $$ > daemon.txt; exec sleep 300' > /dev/null 2>&1 &)
        while ! [ -s daemon.txt ]; do sleep 0.02; done; echo '{INIT}'; while :; do wait; done"
    );
    let stand_in = StandIn::acts(&script);
    let mut child = stand_in.start(&["run", "go", "--format", "events"]);
    let _out = until_begun(&mut child);
    let all = ["sleep.txt", "self.txt", "daemon.txt"];
    let living = || all.into_iter().filter(|name| lives(&stand_in.read(name))).collect::<Vec<_>>();
    assert_eq!(living(), all);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let since = std::time::Instant::now();
    while !living().is_empty() && since.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(living(), [""; 0]);
}

#[test]
fn an_interrupt_ends_the_turn_and_a_second_one_the_run() {
    let interrupted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}"#;
    let polite = format!("hear; echo '{INIT}'; hear; echo '{interrupted}'; cat > /dev/null");
    let stand_in = StandIn::acts(&polite);
    let mut child = stand_in.start(&["run", "go", "--format", "events"]);
    let out = until_begun(&mut child);
    signal(&child, "-INT");
    let told: String = out.lines().map(|line| line.unwrap() + "\n").collect();
    let ran = ended(child);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(types(&told).contains(&"turn_complete".to_owned()), "{told}");
    assert!(stand_in.read("heard.ndjson").contains(r#""subtype":"interrupt""#));
    assert!(ran.err.contains("Ctrl-C again") && ran.err.contains("failed: interrupted"), "{ran:?}");

    let deaf = StandIn::acts(&format!(
        "trap '' INT TERM; hear; echo '{INIT}'; hear; echo '{INIT}'; while :; do wait; read -r x; done"
    ));
    let mut child = deaf.start(&["run", "go", "--format", "events"]);
    let mut out = until_begun(&mut child);
    signal(&child, "-INT");
    // The second turn begins when the first signal has been heard.
    let mut line = String::new();
    while !line.contains(r#""turn":2"#) {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "there is no second turn");
    }
    signal(&child, "-INT");
    drop(out);
    let ran = ended(child);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.err.contains("failed: interrupted: ended by SIGINT"), "{ran:?}");
}
