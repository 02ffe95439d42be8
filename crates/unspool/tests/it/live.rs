//! Live, both directions are known: `<` Claude Code writes (`init` and `result` are short for such lines), `>`
//! we write, and the story of both is compared.

use unspool::event::What;
use unspool::verdict::{Beside, Cut, FailOn, for_people};
use unspool::{Event, Grain, Spool};

const INIT: &str = r#"{"type":"system","subtype":"init"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"duration_ms":1}"#;

fn check(script: &str, names: &[&str], story: &[&str]) {
    let mut spool = Spool::new(Grain::Blocks);
    let mut told = Vec::new();
    let mut note = |event: Event<'_>| {
        if names.contains(&event.what.name()) {
            told.push(event.to_string());
        }
    };
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.replace("init", INIT).replace("result", RESULT);
        match line.split_once(' ') {
            Some((">", line)) => spool.wrote(line, &mut note),
            Some(("<", line)) => spool.feed(format!("{line}\n").as_bytes(), &mut note),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(told, story);
}

#[test]
fn a_turn_bears_the_prompt_that_started_it() {
    check(
        r#"
        > {"type":"user","message":{"role":"user","content":"one"},"uuid":"1"}
        < init
        > {"type":"user","message":{"role":"user","content":[{"type":"text","text":"two"}]},"uuid":"2"}
        < result
        < init
        < result
        < init
        "#,
        &["turn_start"],
        &[
            r#"turn_start "cause":"user","prompt":"one""#,
            r#"turn_start "cause":"user","prompt":"two""#,
            r#"turn_start "cause":"unknown""#,
        ],
    );
}

#[test]
fn a_prompt_that_went_into_a_running_turn_starts_none() {
    check(
        r#"
        > {"type":"user","message":{"role":"user","content":"one"},"uuid":"1"}
        < init
        > {"type":"user","message":{"role":"user","content":"two"},"uuid":"2"}
        > {"type":"user","message":{"role":"user","content":"not asked"},"uuid":"3","shouldQuery":false}
        < {"type":"user","message":{"role":"user","content":"two"},"uuid":"2","isReplay":true}
        < result
        < init
        "#,
        &["turn_start"],
        &[r#"turn_start "cause":"user","prompt":"one""#, r#"turn_start "cause":"unknown""#],
    );
}

#[test]
fn claude_code_may_take_prompts_in_another_order() {
    check(
        r#"
        > {"type":"user","message":{"role":"user","content":"one"},"uuid":"1"}
        > {"type":"user","message":{"role":"user","content":"two"},"uuid":"2"}
        > {"type":"user","message":{"role":"user","content":"three"},"uuid":"3"}
        < {"type":"command_lifecycle","command_uuid":"1","state":"cancelled"}
        < {"type":"command_lifecycle","command_uuid":"3","state":"started"}
        < init
        < result
        < init
        "#,
        &["turn_start"],
        &[r#"turn_start "cause":"user","prompt":"three""#, r#"turn_start "cause":"user","prompt":"two""#],
    );
}

#[test]
fn an_answer_to_a_permission_request_is_told_once() {
    check(
        r#"
        < {"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"other","response":{"behavior":"allow"}}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"behavior":"deny","message":"no"}}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"behavior":"allow"}}}
        > not-JSON
        "#,
        &["permission_request", "permission_resolved"],
        &[
            r#"permission_request "request":"r","tool":"Bash","call":"t","input":{},"suggestions":null"#,
            r#"permission_resolved "request":"r","decision":"deny","by":"host""#,
        ],
    );
}

#[test]
fn a_hook_that_denies_a_call_is_told() {
    check(
        r#"
        < {"type":"control_request","request_id":"a","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"},"tool_use_id":"t"}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"a","response":{}}}
        < {"type":"control_request","request_id":"b","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"},"tool_use_id":"t"}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"b","response":{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}}}
        < {"type":"control_request","request_id":"c","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"PostToolUse","tool_name":"Bash"},"tool_use_id":"t"}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"c","response":{"hookSpecificOutput":{"permissionDecision":"deny"}}}}
        "#,
        &["permission_request", "permission_resolved"],
        &[r#"permission_resolved "request":"b","decision":"deny","by":"host","call":"t""#],
    );
}

#[test]
fn an_answer_that_changes_the_input_says_so() {
    let asks = |id: &str| {
        format!(
            r#"< {{"type":"control_request","request_id":"{id}","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{{"command":"ls","n":1}}}}}}"#
        )
    };
    let allows = |id: &str, input: &str| {
        format!(
            r#"> {{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{{"behavior":"allow"{input}}}}}}}"#
        )
    };
    let script = [
        asks("a"),
        allows("a", r#","updatedInput":{"command": "pwd"}"#),
        asks("b"),
        allows("b", r#","updatedInput":{"command": "ls", "n": 1}"#),
        asks("c"),
        allows("c", ""),
        asks("d"),
        allows("d", r#","updatedInput":{}"#),
    ];
    check(
        &script.join("\n"),
        &["permission_resolved"],
        &[
            r#"permission_resolved "request":"a","decision":"allow","by":"host","input":{"command": "pwd"}"#,
            r#"permission_resolved "request":"b","decision":"allow","by":"host""#,
            r#"permission_resolved "request":"c","decision":"allow","by":"host""#,
            r#"permission_resolved "request":"d","decision":"allow","by":"host""#,
        ],
    );
}

/// How it ends if the host says this while a turn runs.
fn verdict(fail_on: FailOn, live: impl FnOnce(&mut Spool)) -> String {
    let mut spool = Spool::new(Grain::Blocks).fail_on(fail_on);
    let ask = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash"}}"#;
    spool.feed(format!("{INIT}\n{ask}\n").as_bytes(), |_| {});
    live(&mut spool);
    spool.feed(format!("{RESULT}\n").as_bytes(), |_| {});
    let mut last = None;
    spool.finish(|event| last = Some(event.into_owned()));
    match last.map(|event| event.what) {
        Some(What::Finished { verdict, reason, .. }) => format!("{verdict}: {reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_denial_of_the_hosts_own_is_a_denial() {
    let denied = FailOn::new().denied(true);
    let answer = |answer: &str| {
        let answer = format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"r","response":{answer}}}}}"#
        );
        verdict(denied, |spool| spool.wrote(&answer, |_| {}))
    };
    let hook = |decision: &str| {
        answer(&format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{decision}"}}}}"#
        ))
    };
    assert_eq!(answer(r#"{"behavior":"deny","message":"no"}"#), "denied: a tool was not allowed");
    assert_eq!(answer(r#"{"behavior":"allow"}"#), "ok: the last turn completed");
    assert_eq!(hook("deny"), "denied: a tool was not allowed");
    // Somebody else decides.
    assert_eq!(answer(r#"{"behavior":"delegate"}"#), "ok: the last turn completed");
    // What it asks next has an answer of its own; here it has none.
    assert_eq!(verdict(denied, |spool| spool.wrote("{}", |_| {})), "ok: the last turn completed");
}

/// 2.0.77 says of some calls nowhere else that they were not allowed.
#[test]
fn claude_code_says_in_the_tools_place_that_it_was_denied() {
    for (words, verdict) in [
        (
            "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
            "denied",
        ),
        (
            "<tool_use_error>Error: No such tool available: Bash. Bash is disabled for this session, in subagents as well as here.</tool_use_error>",
            "denied",
        ),
        (
            "<tool_use_error>Error: No such tool available: Grep. Grep is not available in this session</tool_use_error>",
            "ok",
        ),
        ("it is disabled for this session", "ok"),
    ] {
        let fail_on = FailOn::new().denied(true);
        let answer = serde_json::json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": words, "is_error": true},
        ]}});
        let told = self::verdict(fail_on, |spool| spool.feed(format!("{answer}\n").as_bytes(), |_| {}));
        assert!(told.starts_with(verdict), "{words}: {told}");
    }
}

/// Each counts only where nothing that stands before it does.
#[test]
fn what_is_known_beside_the_stream_decides_how_it_ended() {
    let ends = |beside: Beside| verdict(FailOn::default(), |spool| spool.beside(beside));
    let (unfit, left) = (Some("/a: is missing".to_owned()), Some("1 task at work".to_owned()));
    assert_eq!(ends(Beside::new()), "ok: the last turn completed");
    let beside = Beside::new().unfit(unfit);
    assert_eq!(ends(beside.clone()), "failed: structured_output: /a: is missing");
    let beside = beside.left(left);
    assert_eq!(ends(beside.clone()), "truncated: Claude Code ended with 1 task at work");
    let why = || "why".to_owned();
    for (cut, ending) in [
        (Cut::Interrupted(why()), "failed: interrupted: why"),
        (Cut::MaxTurns(why()), "failed: why"),
        (Cut::NotLoggedIn(why()), "api_error: auth: why"),
        (Cut::Hung(why()), "hung: why"),
        (Cut::OverBudget(why()), "over_budget: why"),
        (Cut::NotStarted(why()), "not_started: why"),
    ] {
        assert_eq!(Cut::of(cut.name(), cut.why().to_owned()), Some(cut.clone()));
        assert_eq!(ends(beside.clone().cut(cut)), ending);
    }
    assert_eq!(Cut::of("bored", why()), None);
}

/// Versions up to 2.0.0 count no turns of one that was interrupted, so that alone does not mean that it never began.
#[test]
fn what_fails_before_it_begins_is_no_interruption() {
    let failed = |turns: u8| {
        format!(
            r#"{{"type":"result","subtype":"error_during_execution","num_turns":{turns},"errors":["gone"]}}"#
        )
    };
    let kind = |stream: &str| {
        let events = Spool::read(Grain::Blocks, stream.as_bytes());
        let kinds = events.iter().filter_map(|event| match &event.what {
            What::Error { kind, .. } => Some(kind.to_string()),
            _ => None,
        });
        kinds.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kind(&failed(0)), "startup");
    assert_eq!(kind(&failed(1)), "interrupted");
    assert_eq!(kind(&format!("{INIT}\n{}", failed(0))), "interrupted");
    assert_eq!(kind(&format!("{INIT}\n{}\n{}", failed(0), failed(0))), "interrupted startup");
    let aborted = failed(0).replace("\"errors\"", "\"terminal_reason\":\"aborted_streaming\",\"errors\"");
    assert_eq!(kind(&aborted), "interrupted");
}

#[test]
fn notes_for_developers_are_not_for_people() {
    assert_eq!(for_people("a\nb"), "a\nb");
    assert_eq!(for_people("[ede_diagnostic] result_type=user"), "");
    assert_eq!(for_people("a\n[ede_diagnostic] x\nb"), "a\nb");
}
