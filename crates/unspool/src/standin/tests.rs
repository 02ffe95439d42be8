//! Dialogues of hosts with stand-ins.

use super::*;
use crate::journal::{Begin, Entry, FORMAT, Scribe, Way};
use crate::properties;
use crate::wire::input::Owned;
use proptest::prelude::*;
use std::fmt::Write as _;

const JSON: &[&str] = &["--input-format=stream-json"];

/// A journal of lines such as `< {…}` (Claude Code), `> {…}` (the host), `! …` (standard error), `* {…}` (a note), a millisecond each.
fn journal(args: &[&str], lines: &str) -> Vec<u8> {
    let (mut text, mut scribe) = (Vec::new(), Scribe::new());
    let mut keep = |entry: Entry<'_>| entry.write(&mut text);
    let argv = Owned::of([&["claude"], args].concat());
    scribe.note(&Begin::default().format(FORMAT).argv(&argv).version("2.1.325"), 0, &mut keep);
    for (at, line) in (1..).zip(lines.lines().map(str::trim_start).filter(|line| !line.is_empty())) {
        let way = match &line[..1] {
            "<" => Way::Out,
            ">" => Way::In,
            "!" => Way::Err,
            _ => Way::Note,
        };
        let bytes = [&line.as_bytes()[2..], b"\n"].concat();
        if way == Way::Note {
            keep(Entry::new(at + 1, at, way, &bytes[..bytes.len() - 1]));
            scribe = Scribe::after(at + 1, at);
        } else {
            scribe.feed(way, &bytes, at, &mut keep);
        }
    }
    text
}

/// A host that does one thing after the other; what is played to it, as the lines above, `=` for what is told, and how it exits.
struct Host {
    claude: StandIn,
    now: u64,
    story: String,
    has_ended: bool,
}

impl Host {
    fn of(args: &[&str], lines: &str) -> Self {
        Host::with(args, lines, |claude| claude)
    }

    fn with(args: &[&str], lines: &str, set: impl FnOnce(StandIn) -> StandIn) -> Self {
        let mut host = Host::to(set(Recorded::read(&journal(args, lines)).stand_in(0, args)));
        host.listen();
        host
    }

    fn to(claude: StandIn) -> Self {
        Host { claude, now: 0, story: String::new(), has_ended: false }
    }

    fn write(&mut self, line: &str) -> &mut Self {
        let _ = writeln!(self.story, "> {line}");
        self.claude.feed(format!("{line}\n").as_bytes(), self.now);
        self.listen();
        self
    }

    fn close(&mut self) -> &mut Self {
        self.story.push_str("> closed\n");
        self.claude.close(self.now);
        self.listen();
        self
    }

    /// Waits for so long.
    fn wait(&mut self, pause: u64) -> &mut Self {
        self.now += pause;
        self.listen();
        self
    }

    fn listen(&mut self) {
        loop {
            let now = self.now;
            let _ = match self.claude.poll(now) {
                Act::Write(Way::Err, bytes) => write!(self.story, "! {}", String::from_utf8_lossy(&bytes)),
                Act::Write(_, bytes) => write!(self.story, "< {}", String::from_utf8_lossy(&bytes)),
                Act::Tell(deviation) => writeln!(self.story, "= {deviation}"),
                Act::Wait(_) | Act::Listen => return,
                Act::Exit(_) if self.has_ended => return,
                Act::Exit(Ended { code: Some(code), .. }) => {
                    self.has_ended = true;
                    writeln!(self.story, "exit {code}")
                }
                Act::Exit(Ended { signal, .. }) => {
                    self.has_ended = true;
                    writeln!(self.story, "signal {signal:?}")
                }
            };
        }
    }

    #[track_caller]
    fn is(&self, story: &str) {
        let story: String = story.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        // What belongs to a deviation is indented.
        let told: String = self.story.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        assert_eq!(told.trim(), story.trim());
    }
}

fn prompt(words: &str) -> String {
    format!(r#"{{"type":"user","message":{{"role":"user","content":"{words}"}}}}"#)
}

fn request(id: &str, subtype: &str) -> String {
    format!(r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"{subtype}"}}}}"#)
}

fn answer(id: &str, response: &str) -> String {
    format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{response}}}}}"#
    )
}

fn ask(id: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{{}}}}}}"#
    )
}

const ALLOW: &str = r#"{"behavior":"allow"}"#;
const DENY: &str = r#"{"behavior":"deny","message":"no"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false}"#;

/// Two turns, each with what it waits for; then the input is closed.
fn two_turns() -> String {
    format!(
        "> {}\n< {{\"type\":\"system\"}}\n< {RESULT}\n> {}\n! warning\n< {RESULT}\n{END}",
        prompt("one"),
        prompt("two")
    )
}

const END: &str = "* {\"note\":\"closed\",\"way\":\"in\"}\n* {\"note\":\"end\",\"code\":3}";

#[test]
fn each_turn_waits_for_its_prompt_and_the_exit_for_the_end_of_input() {
    let mut host = Host::of(JSON, &two_turns());
    host.write(&prompt("one")).write(&prompt("two")).close().is(&format!(
        "> {}
         < {{\"type\":\"system\"}}
         < {RESULT}
         > {}
         ! warning
         < {RESULT}
         > closed
         exit 3",
        prompt("one"),
        prompt("two"),
    ));
}

#[test]
fn prompts_may_come_sooner() {
    let mut host = Host::of(JSON, &two_turns());
    host.claude.feed(format!("{}\n{}", prompt("one"), prompt("two")).as_bytes(), 0);
    host.close()
        .is(&format!("> closed\n< {{\"type\":\"system\"}}\n< {RESULT}\n! warning\n< {RESULT}\nexit 3"));
}

#[test]
fn another_prompt_is_told_with_its_place() {
    let mut host = Host::of(JSON, &two_turns());
    host.write(&prompt("one")).write(&prompt("other")).is(&format!(
        "> {one}
         < {{\"type\":\"system\"}}
         < {RESULT}
         > {other}
         = the host says something else than the recording does (entry 5)
         where:    message.content
         expected: \"two\"
         came:     \"other\"
         recorded: {two}
         line:     {other}
         exit 76",
        one = prompt("one"),
        two = prompt("two"),
        other = prompt("other"),
    ));
}

#[test]
fn a_lenient_stand_in_tells_and_goes_on() {
    let mut host = Host::with(JSON, &two_turns(), |claude| claude.lenient(true));
    host.write(&prompt("one")).write(&prompt("other")).close();
    assert!(host.story.contains("= the host says something else"), "{}", host.story);
    assert!(host.story.ends_with(&format!("! warning\n< {RESULT}\n> closed\nexit 3\n")), "{}", host.story);
    let mut host = Host::with(JSON, &two_turns(), |claude| claude.lenient(true));
    host.close();
    assert!(host.story.contains("has closed the input"), "{}", host.story);
    assert!(host.story.ends_with(&format!("! warning\n< {RESULT}\nexit 3\n")), "{}", host.story);
}

#[test]
fn an_input_that_is_closed_too_soon_is_told() {
    let mut host = Host::of(JSON, &two_turns());
    host.write(&prompt("one")).close();
    let expected = format!(
        "= the host has closed the input, and the recording goes on\n  expected: entry 5: {}\nexit 76\n",
        prompt("two")
    );
    assert!(host.story.ends_with(&expected), "{}", host.story);
}

#[test]
fn answers_bear_the_ids_of_the_hosts_requests() {
    let lines = format!(
        "> {}\n> {}\n< {}\n< {{\"type\":\"system\",\"subtype\":\"control_request_progress\",\"request_id\":\"old1\"}}\n< {}\n< {}",
        request("old1", "mcp_status"),
        request("old2", "get_usage"),
        answer("old2", "{}"),
        ask("old1"),
        answer("old1", "{\"request_id\":\"old1\"}"),
    );
    let mut host = Host::of(JSON, &lines);
    // In another order, too.
    host.write(&request("new2", "get_usage")).write(&request("new1", "mcp_status"));
    host.is(&format!(
        "> {}
         > {}
         < {}
         < {{\"type\":\"system\",\"subtype\":\"control_request_progress\",\"request_id\":\"new1\"}}
         < {}
         < {}",
        request("new2", "get_usage"),
        request("new1", "mcp_status"),
        answer("new2", "{}"),
        ask("old1"),
        answer("new1", "{\"request_id\":\"new1\"}"),
    ));
}

/// Hosts that wait for the answer to `initialize` are played what one that did not wait has recorded.
#[test]
fn an_answer_waits_for_nothing_but_its_request() {
    let lines =
        format!("> {}\n> {}\n< {}\n< {RESULT}", request("a", "initialize"), prompt("one"), answer("a", "{}"));
    let mut host = Host::of(JSON, &lines);
    host.write(&request("b", "initialize")).wait(99).wait(1).write(&prompt("one"));
    host.is(&format!(
        "> {}\n< {}\n> {}\n< {RESULT}",
        request("b", "initialize"),
        answer("b", "{}"),
        prompt("one")
    ));
}

#[test]
fn messages_and_sessions_are_called_as_the_host_calls_them_now() {
    let (old, new) = ("11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-aaaaaaaaaaaa");
    let (session, mine) = ("01111111-2222-3333-4444-555555555555", "06666666-7777-8888-9999-aaaaaaaaaaaa");
    let named =
        |id: &str| format!(r#"{{"type":"user","message":{{"role":"user","content":"one"}},"uuid":"{id}"}}"#);
    let line = |uuid: &str, session: &str| {
        format!(
            r#"{{"type":"command_lifecycle","command_uuid":"{uuid}","all":["{uuid}"],"{uuid}":1,"session_id":"{session}","path":"\"/x/{session}.jsonl"}}"#
        )
    };
    let args = ["--input-format=stream-json", "--session-id", session];
    let recorded = Recorded::read(&journal(&args, &format!("> {}\n< {}", named(old), line(old, session))));
    let claude = recorded.stand_in(0, &["--input-format=stream-json", "--session-id", mine]);
    let mut host = Host::to(claude);
    let expected = line(new, mine).replace(&format!("\"{new}\":1"), &format!("\"{old}\":1"));
    host.write(&named(new)).is(&format!("> {}\n< {expected}", named(new)));
    let noted: Vec<_> = host.claude.names().noted().collect();
    assert_eq!(noted, [(session, mine), (old, new)]);
}

#[test]
fn hooks_are_called_by_the_names_that_the_host_gives_them() {
    let initialize = |first: &str, second: &str| {
        format!(
            r#"{{"type":"control_request","request_id":"i","request":{{"subtype":"initialize","hooks":{{"Stop":[{{"hookCallbackIds":["{first}","{second}"]}}]}}}}}}"#
        )
    };
    let call = |id: &str| {
        format!(
            r#"{{"type":"control_request","request_id":"c","request":{{"subtype":"hook_callback","callback_id":"{id}"}}}}"#
        )
    };
    let mut host = Host::of(JSON, &format!("> {}\n< {}", initialize("h0", "h1"), call("h1")));
    host.write(&initialize("x", "y")).is(&format!("> {}\n< {}", initialize("x", "y"), call("y")));
}

/// A question, its answer, and what comes of it.
fn question() -> String {
    format!("> {}\n< {}\n> {}\n< {RESULT}\n{END}", prompt("one"), ask("q"), answer("q", ALLOW))
}

#[test]
fn another_answer_is_told() {
    let mut host = Host::of(JSON, &question());
    host.write(&prompt("one")).write(&answer("q", DENY));
    let expected = "where:    response.response.behavior\n  expected: \"allow\"\n  came:     \"deny\"\n";
    assert!(host.story.contains(expected), "{}", host.story);
    assert!(host.story.ends_with("exit 76\n"), "{}", host.story);
}

#[test]
fn an_answer_to_nothing_and_a_second_one_are_told() {
    let mut host = Host::of(JSON, &question());
    host.write(&prompt("one")).write(&answer("other", ALLOW));
    assert!(host.story.contains("= the host answers `other`, which nobody has asked"), "{}", host.story);
    assert!(host.story.contains(&format!("expected: entry 4: {}", answer("q", ALLOW))), "{}", host.story);
    let mut host = Host::of(JSON, &question());
    host.write(&prompt("one")).write(&answer("q", ALLOW)).write(&answer("q", ALLOW));
    assert!(host.story.contains("= the host answers `q` a second time"), "{}", host.story);
}

#[test]
fn answers_come_in_any_order() {
    let lines = format!(
        "< {}\n< {}\n> {}\n> {}\n< {RESULT}",
        ask("a"),
        ask("b"),
        answer("b", ALLOW),
        answer("a", DENY)
    );
    let mut host = Host::of(JSON, &lines);
    host.write(&answer("a", DENY)).write(&answer("b", ALLOW));
    assert!(host.story.ends_with(&format!("< {RESULT}\n")), "{}", host.story);
}

#[test]
fn nobody_waits_for_an_answer_to_what_was_withdrawn() {
    let cancel = r#"{"type":"control_cancel_request","request_id":"q"}"#;
    let lines = format!("< {}\n< {cancel}\n> {}\n< {RESULT}", ask("q"), answer("q", ALLOW));
    let mut host = Host::of(JSON, &lines);
    host.is(&format!("< {}\n< {cancel}\n< {RESULT}", ask("q")));
    // Whoever gives it all the same may say what he likes.
    host.write(&answer("q", ALLOW));
    assert!(!host.story.contains('='), "{}", host.story);
    let unanswered = format!("< {}\n< {RESULT}", ask("q"));
    let mut host = Host::of(JSON, &unanswered);
    host.write(&answer("q", DENY));
    assert!(!host.story.contains('='), "{}", host.story);
}

#[test]
fn a_request_may_not_come_before_what_it_followed_from() {
    let lines =
        format!("> {}\n< {RESULT}\n> {}\n< {}", prompt("one"), request("i", "interrupt"), answer("i", "{}"));
    let mut host = Host::of(JSON, &lines);
    host.write(&request("j", "interrupt"));
    assert!(
        host.story.contains("= the host says too soon what the recording has in entry 4"),
        "{}",
        host.story
    );
    assert!(host.story.contains(&format!("expected: entry 2: {}", prompt("one"))), "{}", host.story);
}

#[test]
fn what_claude_code_does_not_know_it_refuses() {
    let mut host = Host::of(JSON, &two_turns());
    host.write(&request("r", "sing")).write(&prompt("one"));
    assert!(
        host.story.contains("= the host asks for `sing`, which Claude Code does not know"),
        "{}",
        host.story
    );
    assert!(
        host.story.contains(r#"< {"type":"control_response","response":{"subtype":"error","request_id":"r""#)
    );
    assert!(host.story.ends_with(&format!("< {RESULT}\n")), "{}", host.story);
    let mut host = Host::with(JSON, &two_turns(), |claude| claude.strict(true));
    host.write(&request("r", "sing"));
    assert!(host.story.ends_with("exit 76\n"), "{}", host.story);
    let older = journal(JSON, &two_turns());
    let older = String::from_utf8(older).unwrap().replace("2.1.325", "2.0.77");
    let claude = Recorded::read(older.as_bytes()).stand_in(0, JSON);
    let mut host = Host::to(claude);
    host.write(&request("r", "sing"));
    assert!(!host.story.contains('<'), "2.0.77 never answers: {}", host.story);
}

#[test]
fn what_was_not_recorded_is_told() {
    let mut host = Host::of(JSON, &two_turns());
    host.write(&request("r", "set_model"));
    assert!(
        host.story.contains("= the host says something that the recording does not have"),
        "{}",
        host.story
    );
    assert!(host.story.ends_with("exit 76\n"), "{}", host.story);
    let mut host = Host::with(JSON, &two_turns(), |claude| claude.lenient(true));
    host.write(&request("r", "set_model"));
    assert!(host.story.contains("this request is not in the recording"), "{}", host.story);
    let mut host = Host::of(JSON, &two_turns());
    host.write("{\"type\":");
    assert!(host.story.contains("= the host writes a line that is not JSON: "), "{}", host.story);
}

#[test]
fn signs_of_life_are_passed_over() {
    let lines = format!("> {{\"type\":\"keep_alive\"}}\n{}", two_turns());
    let mut host = Host::of(JSON, &lines);
    host.write("").write("{\"type\":\"keep_alive\"}").write(&prompt("one")).write(" \r");
    host.write(r#"{"type":"control_cancel_request","request_id":"gone"}"#).write(&prompt("two")).close();
    assert!(!host.story.contains('=') && host.story.ends_with("exit 3\n"), "{}", host.story);
}

#[test]
fn pauses_are_as_long_as_they_were() {
    let mut host = Host::with(JSON, &two_turns(), |claude| claude.speed(Speed::Times(0.1)));
    host.wait(500).write(&prompt("one"));
    assert!(!host.story.contains('<'), "each line took a millisecond, and takes ten now: {}", host.story);
    host.wait(9);
    assert!(!host.story.contains('<'), "{}", host.story);
    host.wait(1);
    assert!(
        host.story.contains("< {\"type\":\"system\"}\n") && !host.story.contains(RESULT),
        "{}",
        host.story
    );
    host.wait(10);
    assert!(host.story.contains(RESULT), "{}", host.story);
}

#[test]
fn arguments_are_compared() {
    let recorded = Recorded::read(&journal(JSON, &two_turns()));
    let args = ["--input-format=stream-json", "--include-partial-messages"];
    let told = |claude: StandIn| {
        let mut host = Host::to(claude);
        host.write(&prompt("one"));
        host.story
    };
    let story = told(recorded.stand_in(0, &args));
    assert!(
        story.contains("= --include-partial-messages: not given in the recording, given here\n"),
        "{story}"
    );
    assert!(story.ends_with(&format!("< {RESULT}\n")), "{story}");
    assert!(told(recorded.stand_in(0, &args).strict(true)).ends_with("exit 76\n"));
}

#[test]
fn a_text_is_read_to_its_end() {
    let lines = format!(
        "> fix the\n> tests\n* {{\"note\":\"closed\",\"way\":\"in\"}}\n< {RESULT}\n* {{\"note\":\"end\",\"code\":0}}"
    );
    let mut host = Host::of(&["-p"], &lines);
    host.write("fix the")
        .write("tests")
        .close()
        .is(&format!("> fix the\n> tests\n> closed\n< {RESULT}\nexit 0"));
    let mut host = Host::of(&["-p"], &lines);
    host.write("tests");
    assert!(host.story.contains("expected: fix the\n  came:     tests\nexit 76"), "{}", host.story);
    // The prompt is an argument, and nobody waits for anything.
    Host::of(&["-p", "hi"], &format!("< {RESULT}\n* {{\"note\":\"end\",\"code\":4}}"))
        .is(&format!("< {RESULT}\nexit 4"));
}

#[test]
fn a_bare_stream_is_played_whole_behind_the_first_prompt() {
    let stream = format!(
        "{}\n{}\n{}\n",
        r#"{"type":"system","subtype":"init","claude_code_version":"2.1.9"}"#,
        answer("old", r#"{"commands":[{"name":"x"}]}"#),
        r#"{"type":"result","subtype":"success","is_error":true}"#
    );
    let recorded = Recorded::read(stream.as_bytes());
    assert_eq!(recorded.version(), Some("2.1.9"));
    let mut host = Host::to(recorded.stand_in(0, JSON));
    host.write(&request("i", "initialize")).write(&request("m", "set_model")).write(&prompt("x")).close().is(
        &format!(
            "> {}\n< {}\n> {}\n< {}\n> {}\n< {}\n< {}\n> closed\nexit 1",
            request("i", "initialize"),
            answer("i", r#"{"commands":[{"name":"x"}]}"#),
            request("m", "set_model"),
            answer("m", "{}"),
            prompt("x"),
            r#"{"type":"system","subtype":"init","claude_code_version":"2.1.9"}"#,
            r#"{"type":"result","subtype":"success","is_error":true}"#,
        ),
    );
    let mut host = Host::to(recorded.stand_in(0, &["-p", "x"]));
    host.listen();
    assert!(host.story.ends_with("exit 1\n") && host.story.lines().count() == 3, "{}", host.story);
}

/// Two lives: the second goes on with the session of the first.
fn two_lives() -> Recorded {
    let second = r#"{"note":"start","argv":["claude","--input-format=stream-json","--resume=s"]}"#;
    Recorded::read(&journal(
        JSON,
        &format!(
            "> {}\n< {RESULT}\n* {{\"note\":\"end\",\"code\":0}}\n* {second}\n> {}\n< {RESULT}\n* {{\"note\":\"end\",\"code\":5}}",
            prompt("one"),
            prompt("two"),
        ),
    ))
}

#[test]
fn each_life_is_for_whoever_gives_its_arguments() {
    let recorded = two_lives();
    let none = Names::default();
    assert_eq!(recorded.lives().len(), 2);
    assert_eq!(recorded.best(JSON, &none, |_| true), Some(0));
    let resume = ["--input-format=stream-json", "--resume", "s"];
    assert_eq!(recorded.best(&resume, &none, |_| true), Some(1));
    assert_eq!(recorded.best(&resume, &none, |life| life == 0), Some(0));
    assert_eq!(recorded.best(&resume, &none, |_| false), None);
    assert_eq!(recorded.best(&["mcp", "list"], &none, |_| true), None);
    let listed = Recorded::read(&journal(&["mcp", "list"], "< No servers"));
    assert_eq!(listed.best(&["mcp", "list"], &none, |_| true), Some(0));
    assert_eq!(listed.best(&["mcp", "get"], &none, |_| true), None);
    assert_eq!(listed.best(JSON, &none, |_| true), None);
    let mut host = Host::to(recorded.stand_in(1, &resume));
    host.write(&prompt("two"));
    assert!(host.story.ends_with("exit 5\n"), "{}", host.story);
}

#[test]
fn several_recordings_are_one_in_the_order_in_which_they_began() {
    let recording = |time: &str, words: &str| {
        let begin = format!(
            "1\t0\tnote\t{{\"note\":\"begin\",\"format\":1,\"argv\":[\"claude\",\"-p\",\"{words}\"],\"time\":\"{time}\"}}"
        );
        Recorded::read(format!("{begin}\n2\t0\tout\t{words}\n").as_bytes())
    };
    let second = recording("2026-11-19T12:00:01.000Z", "two");
    let first = recording("2026-11-19T11:59:59.000Z", "one");
    let together = Recorded::together([("b".into(), second), ("a".into(), first)]);
    let names: Vec<_> = together.lives().iter().map(|life| life.recording().unwrap()).collect();
    assert_eq!(names, ["a", "b"]);
    let best = together.best(&["-p", "two"], &Names::default(), |_| true);
    assert_eq!(best, Some(1));
    assert_eq!(together.best(&["-p"], &Names::default(), |_| true), Some(0), "of equals the first");
}

#[test]
fn what_is_no_session_is_never_taken_for_one() {
    let recorded = Recorded::read(&journal(&["-v"], "< 2.1.325 (Claude Code)"));
    assert_eq!(recorded.best(JSON, &Names::default(), |_| true), None);
    assert_eq!(recorded.best(&["--version"], &Names::default(), |_| true), Some(0));
    assert!(is_session(JSON) && is_session(&["-p", "hello"]) && !is_session(&["auth", "status", "--json"]));
}

/// It is waited for so long as it may only be late.
#[test]
fn a_request_that_the_host_never_makes_is_told() {
    let lines = format!(
        "> {}\n< {}\n> {}\n< {RESULT}\n{END}",
        request("i", "initialize"),
        answer("i", "{}"),
        prompt("one")
    );
    let story = |story: &str| {
        format!(
            "> {}\n= the host has said entry 4, and never what the recording has before it\n  expected: entry 2: {}\n{story}",
            prompt("one"),
            request("i", "initialize"),
        )
    };
    let mut host = Host::of(JSON, &lines);
    host.write(&prompt("one")).wait(9000);
    assert_eq!(host.story, format!("> {}\n", prompt("one")));
    host.wait(1000).is(&story("exit 76"));
    let mut lenient = Host::with(JSON, &lines, |claude| claude.lenient(true));
    lenient.write(&prompt("one")).wait(10_000).close();
    lenient.is(&story(&format!("< {RESULT}\n> closed\nexit 3")));
    let mut late = Host::of(JSON, &lines);
    late.write(&prompt("one")).wait(9000).write(&request("j", "initialize")).close();
    assert!(!late.story.contains("= ") && late.story.ends_with("exit 3\n"), "{}", late.story);
}

/// Of what a host begins with only that matters by which it is asked something.
#[test]
fn how_claude_code_is_to_be_is_told_and_what_it_asks_is_compared() {
    let begin = |more: &str| {
        format!(
            "{{\"type\":\"control_request\",\"request_id\":\"i\",\"request\":{{\"subtype\":\"initialize\"{more}}}}}"
        )
    };
    let hooks = r#","hooks":{"Stop":[{"hookCallbackIds":["h"]}]}"#;
    let recorded = begin(&format!("{hooks},\"systemPrompt\":[\"\"]"));
    let lines = format!("> {recorded}\n< {}\n{END}", answer("i", "{}"));
    let came = begin(&format!(",\"systemPrompt\":\"\",\"agents\":{{}},\"title\":null{hooks}"));
    let told = "= initialize: request.systemPrompt: `[\"\"]` in the recording, `\"\"` here\n\
                = initialize: request.agents: not given in the recording, `{}` here";
    Host::of(JSON, &lines)
        .write(&came)
        .close()
        .is(&format!("> {came}\n{told}\n< {}\n> closed\nexit 3", answer("i", "{}"),));
    let ignored =
        |claude: StandIn| claude.ignore("request.systemPrompt").ignore("request.agents").strict(true);
    let mut host = Host::with(JSON, &lines, ignored);
    host.write(&came).close();
    assert!(!host.story.contains("= ") && host.story.ends_with("exit 3\n"), "{}", host.story);
    let mut strict = Host::with(JSON, &lines, |claude| claude.strict(true));
    strict.write(&came);
    assert!(strict.story.ends_with("exit 76\n"), "{}", strict.story);
    for other in ["", r#","hooks":{"Stop":[{"matcher":"x","hookCallbackIds":["h"]}]}"#] {
        let mut host = Host::of(JSON, &lines);
        host.write(&begin(other));
        assert!(
            host.story.contains("where:    request.hooks") && host.story.ends_with("exit 76\n"),
            "{}",
            host.story
        );
    }
}

#[test]
fn the_recording_is_varied() {
    let varied = |set: fn(&mut Variation)| {
        let mut variation = Variation::default();
        set(&mut variation);
        let lines = format!("> {}\n< {{\"type\":\"system\"}}\n< {{}}\n< {RESULT}\n{END}", prompt("one"));
        let mut host = Host::with(JSON, &lines, |claude| claude.vary(&variation));
        host.write(&prompt("one")).wait(1000).close();
        host.story.replace(&format!("> {}\n", prompt("one")), "").replace(RESULT, "result")
    };
    let system = r#"{"type":"system"}"#;
    assert_eq!(varied(|_| {}), format!("< {system}\n< {{}}\n< result\n> closed\nexit 3\n"));
    assert_eq!(varied(|it| it.no_result = true), format!("< {system}\n< {{}}\n> closed\nexit 3\n"));
    assert_eq!(varied(|it| it.cut_lines = Some(2)), format!("< {system}\n< {{}}\nexit 3\n> closed\n"));
    assert_eq!(varied(|it| it.cut_bytes = Some(8)), "< {\"type\":exit 3\n> closed\n");
    assert_eq!(
        varied(|it| it.crash = Some((1, "1".parse().unwrap()))),
        format!("< {system}\nexit 1\n> closed\n")
    );
    let killed = varied(|it| it.crash = Some((0, "SIGKILL".parse().unwrap())));
    assert_eq!(killed, "signal Some(9)\n> closed\n");
    assert_eq!(
        varied(|it| it.garbage = vec![Before { line: 2, what: "[oh]".into() }]),
        format!("< {system}\n< [oh]\n< {{}}\n< result\n> closed\nexit 3\n")
    );
    let unknown = varied(|it| it.unknown_lines = vec![1]);
    assert!(unknown.starts_with("< {\"type\":\"unheard_of\""), "{unknown}");
    let fields = varied(|it| it.unknown_fields = true);
    let field = r#""unheard_of":{"unheard_of":[1,"",null]}"#;
    assert!(fields.starts_with(&format!("< {{\"type\":\"system\",{field}}}\n< {{{field}}}\n")), "{fields}");
    let flood = varied(|it| it.floods = vec![Before { line: 3, what: 1000 }]);
    assert!(flood.contains("{}\n! unspool: a line of a flood"), "{flood}");
    let late = varied(|it| it.delays = vec![Before { line: 2, what: 1001 }]);
    assert_eq!(late, format!("< {system}\n> closed\n"), "the second line comes later");
}

#[test]
fn a_question_may_be_withdrawn() {
    let variation = Variation { cancelled: vec![1], ..Variation::default() };
    let mut host = Host::with(JSON, &question(), |claude| claude.vary(&variation));
    host.write(&prompt("one")).close().is(&format!(
        "> {}\n< {}\n< {{\"type\":\"control_cancel_request\",\"request_id\":\"q\"}}\n< {RESULT}\n> closed\nexit 3",
        prompt("one"),
        ask("q"),
    ));
}

/// Lines of either side, as the wire has them or nearly so, with the byte in front that says which way they went.
fn lines() -> impl Strategy<Value = String> {
    let id = || prop::sample::select(vec!["a", "b", "\\u0061", ""]);
    let subtype = prop::sample::select(vec!["initialize", "interrupt", "can_use_tool", "sing"]);
    let line = prop_oneof![
        id().prop_map(prompt),
        (id(), subtype).prop_map(|(id, subtype)| request(id, subtype)),
        (id(), prop::sample::select(vec![ALLOW, DENY, "null"]))
            .prop_map(|(id, response)| answer(id, response)),
        id().prop_map(|id| format!("{{\"type\":\"control_cancel_request\",\"request_id\":\"{id}\"}}")),
        Just(RESULT.to_owned()),
        Just("{\"type\":\"keep_alive\"}".to_owned()),
        "[{}\\[\\]\":,a1 ]{0,12}",
    ];
    let lines = prop::collection::vec((prop::sample::select(vec!["<", "=", ">"]), line), 0..12);
    lines.prop_map(|lines| lines.into_iter().map(|(way, line)| format!("{way}{line}\n")).collect())
}

proptest! {
    #[test]
    fn a_host_that_does_what_was_recorded_sees_what_was_recorded(lines in lines()) {
        properties::recorded_hosts_see_what_was_recorded(lines.as_bytes());
    }

    #[test]
    fn any_host_is_played_to(lines in lines(), host in lines(), piece in 1_usize..30) {
        let host: String = host.lines().map(|line| format!("{}\n", &line[1..])).collect();
        properties::any_host_is_survived(lines.as_bytes(), host.as_bytes(), piece);
    }
}
