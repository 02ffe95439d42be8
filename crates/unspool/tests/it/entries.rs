//! Entries that the recordings do not have, made by hand: what people do at the terminal, and what goes wrong.

use insta::glob;
use std::fs;
use unspool::Grain;
use unspool::event::{Event, What};
use unspool::line::{End, Line};
use unspool::transcript::{Cast, Transcript};

/// Entries from few words: `user`, `meta`, `said`, `call`, `answer`, or JSON. Each is a second later.
fn entries(short: &[&str]) -> String {
    let mut text = String::new();
    for (at, entry) in short.iter().enumerate() {
        let (kind, words) = entry.split_once(' ').unwrap_or((entry, ""));
        let words = serde_json::to_string(words).unwrap();
        let said = |block: &str, stop: &str| {
            format!(
                r#""type":"assistant","message":{{"id":"m{at}","model":"opus","stop_reason":{stop},"usage":{{"input_tokens":1,"output_tokens":{at}}},"content":[{block}]}}"#
            )
        };
        let heard = |content: &str| format!(r#""type":"user","message":{{"content":{content}}}"#);
        let fields = match kind {
            "user" => heard(&words),
            "meta" => format!(r#""isMeta":true,{}"#, heard(&words)),
            "said" => said(&format!(r#"{{"type":"text","text":{words}}}"#), r#""end_turn""#),
            "call" => said(
                &format!(r#"{{"type":"tool_use","id":{words},"name":"Task","input":{{}}}}"#),
                r#""tool_use""#,
            ),
            "answer" => heard(&format!(r#"[{{"type":"tool_result","tool_use_id":{words},"content":"x"}}]"#)),
            _ => entry[1..entry.len() - 1].to_owned(),
        };
        let (minute, second) = (at / 60, at % 60);
        text += &format!(
            r#"{{"uuid":"u{at}","sessionId":"s","timestamp":"2026-01-01T00:{minute:02}:{second:02}.000Z",{fields}}}"#
        );
        text.push('\n');
    }
    text
}

fn read(text: &str) -> Vec<Event<'static>> {
    Transcript::read(Grain::Blocks, text.as_bytes(), &[])
}

/// Turns, errors and the verdict, in a word each.
fn turns(short: &[&str]) -> String {
    let word = |event: &Event<'_>| match &event.what {
        What::TurnStart { cause, .. } => Some(format!("start:{cause}")),
        What::Error { kind, .. } => Some(format!("error:{kind}")),
        What::TurnComplete { ok, merged, result, duration_ms, .. } => {
            let result = result.as_deref().unwrap_or("-");
            let merged = merged.as_ref().map(|turns| format!(" merged {turns:?}")).unwrap_or_default();
            Some(format!("end:{ok} {result} {}ms{merged}", duration_ms.unwrap()))
        }
        What::Finished { verdict, .. } => Some(verdict.to_string()),
        _ => None,
    };
    read(&entries(short)).iter().filter_map(word).collect::<Vec<_>>().join(", ")
}

#[test]
fn turns_end_where_the_last_message_says_so() {
    for (short, story) in [
        (&["user hi", "said hello"][..], "start:user, end:true hello 1000ms, ok"),
        (&["user hi"], "start:user, truncated"),
        (&["user hi", "call t"], "start:user, truncated"),
        (&["user hi", "call t", "answer t"], "start:user, truncated"),
        (
            &["user hi", "call t", "answer t", "said done", "user more", "said yes"],
            "start:user, end:true done 3000ms, start:user, end:true yes 1000ms, ok",
        ),
        // The first was left in the middle.
        (
            &["user hi", "call t", "user more", "said yes"],
            "start:user, start:user, end:true yes 1000ms merged [1], ok",
        ),
        (&["meta reminder"], "not_started"),
        (&["user hi", "said hello", "meta reminder"], "start:user, end:true hello 1000ms, ok"),
    ] {
        assert_eq!(turns(short), story, "{short:?}");
    }
}

#[test]
fn commands_are_no_turns_unless_the_model_answers() {
    let exit = [
        "user hi",
        "said hello",
        "user <command-name>/exit</command-name>",
        "user <local-command-stdout>Bye",
    ];
    assert_eq!(turns(&exit), "start:user, end:true hello 1000ms, ok");
    let custom = ["user <command-message>review</command-message>", "meta Review it.", "said Fine."];
    assert_eq!(turns(&custom), "start:user, end:true Fine. 0ms, ok");
}

#[test]
fn interruptions_and_errors_are_failures() {
    let stopped =
        ["user hi", "call t", "user [Request interrupted by user for tool use]", "user again", "said yes"];
    let told = "start:user, error:interrupted, end:false [Request interrupted by user for tool use] 2000ms, \
                start:user, end:true yes 1000ms, ok";
    assert_eq!(turns(&stopped), told);
    let overloaded = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"x","model":"<synthetic>","stop_reason":"stop_sequence","content":[{"type":"text","text":"API Error: 529 overloaded"}]}}"#;
    let told = "start:user, error:overloaded, end:false API Error: 529 overloaded 1000ms, api_error";
    assert_eq!(turns(&["user hi", overloaded]), told);
    let cut = r#"{"type":"assistant","message":{"id":"x","stop_reason":"max_tokens","content":[{"type":"text","text":"Once"}]}}"#;
    assert_eq!(turns(&["user hi", cut]), "start:user, error:max_tokens, end:false Once 1000ms, failed");
    let limit = r#"{"type":"attachment","attachment":{"type":"max_turns_reached"}}"#;
    let told = "start:user, error:max_turns, end:false max_turns 1000ms, failed";
    assert_eq!(turns(&["user hi", "call t", limit]), told);
}

#[test]
fn what_is_not_known_is_kept() {
    let boundary = r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":5}}"#;
    let text = entries(&[
        "user hi",
        boundary,
        r#"{"type":"new-thing","x":1}"#,
        r#"{"type":"system","subtype":"new"}"#,
        r#"{"type":"ai-title","aiTitle":"T"}"#,
    ]) + "nonsense\n";
    let events = read(&text);
    let names: Vec<_> = events.iter().map(|event| event.what.name()).collect();
    let expected = [
        "session_meta",
        "turn_start",
        "user_text",
        "compaction",
        "unknown",
        "unknown",
        "notice",
        "malformed",
        "finished",
    ];
    assert_eq!(names, expected);
    let What::Compaction { data, .. } = &events[3].what else { panic!() };
    assert_eq!(data.text(), r#"{"compact_metadata":{"trigger":"auto","pre_tokens":5}}"#);
}

/// What 2.1.325 lists for itself as types of entries, beside those of the conversation.
const TYPES: &str = "agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-shape \
    artifact-autoreact-ledger artifact-comment-monitor atis-latch attachment attribution-snapshot bridge-session \
    content-replacement continued-in cost-state custom-title data-flow-incomplete data-flow-records derived-from dev-mods \
    ended-by-model file-history-delta file-history-snapshot fork-context-ref frame-link history-suppression \
    isolation-latch last-prompt memory-mode mode observer-ref permission-mode pr-link progress queue-operation relocated \
    repl-mode resume-head-vouch session-owner summary tag tools-used worktree-state";

/// What it writes down as `system` entries, and 1.0.128 did.
const SUBTYPES: &str = "agents_killed api_error away_summary bridge_status cloud_session_status compact_boundary \
    file_snapshot informational local_command memory_saved model_consent_fallback model_fallback \
    model_refusal_fallback model_refusal_no_fallback permission_retry post_tool_hook_feedback rewind_stand_in \
    scheduled_task_fire stop_hook_summary turn_duration";

#[test]
fn whatever_claude_code_writes_down_is_known() {
    let types = TYPES.split_whitespace().map(|kind| format!(r#"{{"type":"{kind}"}}"#));
    let subtypes =
        SUBTYPES.split_whitespace().map(|kind| format!(r#"{{"type":"system","subtype":"{kind}"}}"#));
    let all: Vec<String> = types.chain(subtypes).collect();
    let all: Vec<&str> = all.iter().map(|entry| &**entry).collect();
    let told = read(&entries(&all));
    let unknown: Vec<_> = told.iter().filter(|event| matches!(event.what, What::Unknown { .. })).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(told.len(), all.len() + 1, "one event for each, and the last");
}

/// An agent has a name, whatever its entries lack.
#[test]
fn an_agent_without_ids_has_a_name() {
    let entry = |ids: &str| {
        let said = r#""message":{"id":"m","content":[{"type":"text","text":"x"}]}"#;
        format!("{{\"type\":\"assistant\",\"isSidechain\":true,\"sessionId\":\"s\",{ids}{said}}}\n")
    };
    for (ids, name) in
        [("", "sidechain"), (r#""uuid":"","agentId":"","#, "sidechain"), (r#""uuid":"u","#, "u")]
    {
        let told = read(&entry(ids));
        let agents: Vec<_> =
            told.iter().map(|event| event.agent.as_str()).filter(|it| *it != "main").collect();
        assert!(!agents.is_empty() && agents.iter().all(|agent| *agent == name), "{ids}: {agents:?}");
    }
}

#[test]
fn an_entry_that_repeats_is_told_once() {
    let text = entries(&["user hi", "call t", "answer t", "said done"]);
    let twice = format!("{text}{text}");
    let names = |text: &str| read(text).iter().map(|event| event.what.name()).collect::<Vec<_>>();
    assert_eq!(names(&twice), names(&text));
}

#[test]
fn money_is_what_messages_say() {
    let said = |cost: &str| {
        let message = r#""message":{"id":"m","model":"o","stop_reason":"end_turn","usage":{"input_tokens":2},"content":[{"type":"text","text":"x"}]}"#;
        format!(r#"{{"type":"assistant",{cost}{message}}}"#)
    };
    let cost = |events: &[Event<'_>]| match &events.last().unwrap().what {
        What::Finished { cost_usd, .. } => *cost_usd,
        _ => panic!(),
    };
    assert_eq!(cost(&read(&entries(&["user hi", &said(r#""costUSD":0.5,"#)]))), Some(0.5));
    assert_eq!(cost(&read(&entries(&["user hi", &said("")]))), None);
}

#[test]
fn an_agent_is_named_by_its_call() {
    let main = entries(&["user hi", "call toolu_1", "call toolu_2"]);
    let agent = entries(&["user look", "said seen"])
        .replace("\"sessionId\"", "\"isSidechain\":true,\"agentId\":\"a1\",\"sessionId\"")
        .replace("\"uuid\":\"u", "\"uuid\":\"a")
        .replace("2026-01-01T00:00", "2026-01-01T00:01");
    let mut cast = Cast::default();
    cast.meta("a1", r#"{"toolUseId":"toolu_2","agentType":"Explore","description":"Looks"}"#);
    assert!(cast.has_call("a1") && !cast.has_call("a2"));
    let mut transcript = Transcript::new(Grain::Blocks).cast(cast).session("other");
    let mut agents = Vec::new();
    for (at, line) in main.lines().chain(agent.lines()).enumerate() {
        transcript.step(Line::whole(at as u64 + 1, line.as_bytes(), End::Newline), |event| {
            assert_eq!(event.session.as_deref(), Some("other"));
            if let What::AgentStart { kind, description, .. } = &event.what {
                agents.push(format!("{} {kind:?} {description:?}", event.agent.as_str()));
            }
        });
    }
    assert_eq!(agents, [r#"toolu_2 Some("Explore") Some("Looks")"#]);
}

#[test]
fn any_stream_may_be_read_as_a_transcript_and_ends() {
    glob!("../../../../fixtures", "**/*.{ndjson,jsonl}", |path| {
        let text = fs::read(path).unwrap();
        let tell = |mut transcript: Transcript| {
            let mut events = Vec::new();
            for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
                let line = Line::whole(at as u64 + 1, line, End::Newline);
                transcript.step(line, |event| events.push(event.to_json()));
            }
            transcript.finish(|event| events.push(event.to_json()));
            events
        };
        let events = tell(Transcript::new(Grain::Blocks));
        assert_eq!(events, tell(Transcript::new(Grain::Blocks).careful()));
        for (at, event) in events.iter().enumerate() {
            let event: serde_json::Value = serde_json::from_str(event).unwrap_or_default();
            assert!(event.is_null() || event["seq"] == at as u64 + 1);
            assert_eq!(event["type"] == "finished", at + 1 == events.len());
        }
    });
}
