//! Dialogues are scripts, played and compared, one input after the other:
//!
//! ```text
//! # a remark
//! < LINE                        Claude Code writes
//! @ 1500                        it is so many milliseconds after the start
//! ! serve SUBTYPE               the application begins
//! ! serve_dialog KIND
//! ! command JSON                the application wants; its command ends at a time, or never
//! ! command_by 1500 JSON
//! ! cancel COMMAND
//! ! answer ASK JSON             the application replies
//! ! refuse ASK MESSAGE
//! ! answer_by 1500 ASK JSON
//! ! deadline                    asks when time would matter next
//! ! close                       the stream ends
//! > LINE                        what was written
//! = WORDS                       what else came of it
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use std::{fs, mem};
use unspool::control::{Action, Answer, AskId, CommandId, Delivery, Dialogue, Payload};
use unspool::json::Json;

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/control");
    let mut played = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "dialogue") {
            let script = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy();
            assert_eq!(format!("# {name}\n{}", play(&script)), format!("# {name}\n{script}"));
            played += 1;
        }
    }
    assert!(played > 0);
}

/// Plays the inputs of a script; returns the script with what really came of them.
fn play(script: &str) -> String {
    let mut dialogue = Dialogue::new();
    let mut played = String::new();
    for line in script.lines().filter(|line| !line.starts_with(['>', '='])) {
        played += &format!("{line}\n");
        match line.split_once(' ') {
            Some(("<", line)) => {
                if !dialogue.handle(Json::new(line).unwrap()) {
                    played += "= not ours\n";
                }
            }
            Some(("@", time)) => dialogue.handle_timeout(millis(time)),
            Some(("!", wish)) => {
                if let Some(outcome) = wished(&mut dialogue, wish) {
                    played += &format!("= {outcome}\n");
                }
            }
            Some(("#", _)) | None => {}
            Some((other, _)) => panic!("no such input: {other}"),
        }
        while let Some(action) = dialogue.poll() {
            match action {
                Action::Write(line) => played += &format!("> {line}"),
                other => played += &format!("= {other}\n"),
            }
        }
    }
    played
}

/// Does what the application wants; returns what is odd about it.
fn wished(dialogue: &mut Dialogue, wish: &str) -> Option<String> {
    let (verb, rest) = wish.split_once(' ').unwrap_or((wish, ""));
    let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
    match verb {
        "serve" => *dialogue = mem::take(dialogue).serving(rest),
        "serve_dialog" => *dialogue = mem::take(dialogue).serving_dialog(rest),
        "command" => {
            dialogue.command(&payload(rest), None);
        }
        "command_by" => {
            dialogue.command(&payload(second), Some(millis(first)));
        }
        "cancel" => {
            return (!dialogue.cancel(CommandId::of(rest).unwrap())).then(|| "had ended".to_owned());
        }
        "answer" => return undelivered(dialogue.answer(&first.into(), payload(second))),
        "refuse" => return undelivered(dialogue.answer(&first.into(), Answer::error(second))),
        "answer_by" => {
            let (ask, fallback) = second.split_once(' ').unwrap();
            let open = dialogue.answer_by(&ask.into(), millis(first), payload(fallback));
            return (!open).then(|| "not open".to_owned());
        }
        "deadline" => return Some(format!("{:?}", dialogue.poll_timeout())),
        "close" => dialogue.close(),
        other => panic!("no such wish: {other}"),
    }
    None
}

fn undelivered(delivery: Delivery) -> Option<String> {
    (delivery != Delivery::Sent).then(|| format!("dropped: {delivery:?}").to_lowercase())
}

fn payload(text: &str) -> Payload {
    Json::new(text).unwrap().into()
}

fn millis(text: &str) -> Duration {
    Duration::from_millis(text.parse().unwrap())
}

#[test]
fn what_is_written_is_one_line() {
    let mut dialogue = Dialogue::new();
    dialogue.command(&payload("{\r\n\"subtype\": \"rename_session\",\n\"title\":\"a\\nb\"}"), None);
    let line = r#"{"type":"control_request","request_id":"u-1","request":{"subtype":"rename_session","title":"a\nb"}}"#;
    assert_eq!(dialogue.poll(), Some(Action::Write(format!("{line}\n"))));
}

/// However the steps fall, a question is answered at most once and never after it was withdrawn, a
/// command ends exactly once, and every line can be read.
#[test]
fn any_order_ends_each_thing_once() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut dialogue = Dialogue::new().serving("can_use_tool");
        let mut ledger = Ledger::default();
        for now in 0..random.below(200) {
            step(&mut dialogue, &mut ledger, &mut random, Duration::from_millis(now));
            ledger.take(&mut dialogue);
        }
        dialogue.close();
        ledger.take(&mut dialogue);
        assert_eq!(ledger.open, BTreeSet::new(), "seed {seed}");
        assert!(ledger.commands.values().all(|ends| *ends == 1), "seed {seed}: {:?}", ledger.commands);
        assert_eq!(dialogue.poll_timeout(), None);
    }
}

fn step(dialogue: &mut Dialogue, ledger: &mut Ledger, random: &mut Random, now: Duration) {
    let soon = now + Duration::from_millis(random.below(20));
    // Both sides use the same few ids, so that they meet.
    let id = format!("u-{}", 1 + random.below(8));
    let success = Payload::from(serde_json::json!({"n": random.below(9)}));
    match random.below(9) {
        0 | 1 => {
            let subtype = ["can_use_tool", "novelty", "remote_tool_call"][random.below(3) as usize];
            let asks = format!(
                r#"{{"request":{{"subtype":"{subtype}"}},"type":"control_request","request_id":"{id}"}}"#
            );
            assert!(dialogue.handle(Json::new(&asks).unwrap()));
        }
        2 => {
            let cancels = format!(r#"{{"type":"control_cancel_request","request_id":"{id}"}}"#);
            assert!(dialogue.handle(Json::new(&cancels).unwrap()));
        }
        3 => {
            let answers = format!(
                r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}"}}}}"#
            );
            assert!(dialogue.handle(Json::new(&answers).unwrap()));
        }
        4 => {
            let until = (random.below(2) == 0).then_some(soon);
            let command = dialogue.command(&success, until);
            assert_eq!(ledger.commands.insert(command, 0), None, "command ids are unique");
        }
        5 => {
            dialogue.cancel(CommandId::of(&id).unwrap());
        }
        6 => {
            let ask = AskId::from(&*id);
            let was_open = ledger.open.contains(&ask);
            assert_eq!(dialogue.answer(&ask, success) == Delivery::Sent, was_open);
        }
        7 => {
            dialogue.answer_by(&AskId::from(&*id), soon, Answer::error("too late"));
        }
        _ => dialogue.handle_timeout(now),
    }
}

/// What was told, counted.
#[derive(Default)]
struct Ledger {
    open: BTreeSet<AskId>,
    refused: BTreeSet<AskId>,
    commands: BTreeMap<CommandId, u32>,
}

impl Ledger {
    fn take(&mut self, dialogue: &mut Dialogue) {
        while let Some(action) = dialogue.poll() {
            match action {
                Action::Write(line) => self.written(&line),
                Action::Ask(asked) => assert!(self.open.insert(asked.id), "told once while it waits"),
                Action::Withdraw { ask, .. } => {
                    self.open.remove(&ask);
                }
                Action::Done { command, .. } => *self.commands.entry(command).or_default() += 1,
                Action::Late(command) => assert_eq!(self.commands[&command], 1),
                _ => {}
            }
        }
    }

    fn written(&mut self, line: &str) {
        assert_eq!(line.find('\n'), Some(line.len() - 1), "one line: {line:?}");
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["type"] == "control_response" {
            let ask = AskId::from(line["response"]["request_id"].as_str().unwrap());
            let refused = line["response"]["error_code"] == "unsupported_request";
            let owed = if refused { self.refused.insert(ask) } else { self.open.remove(&ask) };
            assert!(owed, "an answer nobody waits for: {line}");
        }
    }
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}
