//! Sessions without a wire: what happened, before anybody writes it down.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Turns, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) turns: Vec<Turn>,
}

/// A prompt, phases, and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) prompt: String,
    pub(crate) phases: Vec<Phase>,
    pub(crate) failed: bool,
}

/// The main agent speaks; then its sub-agents work side by side; then all its calls are answered.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) message: Message,
    /// A strand per call of `Task`, and what the agent does.
    pub(crate) strands: Vec<(String, Vec<Step>)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Said(Message),
    Told(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Thinking(String),
    Call { id: String, name: &'static str, input: Value, answer: String, failed: bool },
    Other(Value),
}

impl Part {
    /// The block on the wire.
    pub(crate) fn block(&self) -> Value {
        match self {
            Part::Text(words) => json!({"type": "text", "text": words}),
            Part::Thinking(words) => json!({"type": "thinking", "thinking": words, "signature": "sig"}),
            Part::Call { id, name, input, .. } => {
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
            Part::Other(raw) => raw.clone(),
        }
    }

    /// The words that can be cut and can grow.
    pub(crate) fn words(&self) -> Option<&String> {
        match self {
            Part::Text(words) | Part::Thinking(words) => Some(words),
            Part::Call { .. } | Part::Other(_) => None,
        }
    }

    /// A part with nothing in it is not told.
    pub(crate) fn is_empty(&self) -> bool {
        self.words().is_some_and(String::is_empty)
    }
}

impl Turn {
    /// The last words of the main agent.
    pub(crate) fn result(&self) -> String {
        let parts = self.phases.iter().flat_map(|phase| &phase.message.parts);
        let text = parts.rev().find_map(|part| match part {
            Part::Text(words) if !words.is_empty() => Some(words),
            _ => None,
        });
        text.cloned().unwrap_or_default()
    }
}

impl Session {
    /// This session without sub-agents, for CLIs that do not show them.
    pub(crate) fn alone(mut self) -> Self {
        self.phases().for_each(|phase| phase.strands.clear());
        self
    }

    /// This session, with no words in it that are, or begin with, other words.
    pub(crate) fn distinct(mut self) -> Self {
        let mut count = 0;
        let mut mark = |part: &mut Part| {
            count += 1;
            match part {
                Part::Text(words) | Part::Thinking(words) if !words.is_empty() => {
                    words.insert_str(0, &format!("{count:04} "));
                }
                Part::Other(raw) => raw["count"] = json!(count),
                _ => {}
            }
        };
        for phase in self.phases() {
            phase.message.parts.iter_mut().for_each(&mut mark);
            let steps = phase.strands.iter_mut().flat_map(|(_, steps)| steps);
            for step in steps {
                if let Step::Said(message) = step {
                    message.parts.iter_mut().for_each(&mut mark);
                }
            }
        }
        self
    }

    fn phases(&mut self) -> impl Iterator<Item = &mut Phase> {
        self.turns.iter_mut().flat_map(|turn| &mut turn.phases)
    }
}

/// Any small session. Words repeat often, begin alike, and are not only ASCII.
pub(crate) fn session() -> impl Strategy<Value = Session> {
    vec(turn(), 1..4).prop_map(|mut turns| {
        name_all(&mut turns);
        Session { turns }
    })
}

fn turn() -> impl Strategy<Value = Turn> {
    (words(), vec(phase(), 0..4), any::<bool>()).prop_map(|(prompt, phases, failed)| Turn {
        prompt,
        phases,
        failed,
    })
}

fn phase() -> impl Strategy<Value = Phase> {
    let strand =
        vec(prop_oneof![3 => message().prop_map(Step::Said), 1 => words().prop_map(Step::Told)], 0..4);
    (message(), vec(strand.prop_map(|steps| (String::new(), steps)), 0..3))
        .prop_map(|(message, strands)| Phase { message, strands })
}

fn message() -> impl Strategy<Value = Message> {
    vec(part(), 1..5).prop_map(|parts| Message { id: String::new(), parts })
}

fn part() -> impl Strategy<Value = Part> {
    let call = (input(), words(), any::<bool>()).prop_map(|(input, answer, failed)| Part::Call {
        id: String::new(),
        name: "Bash",
        input,
        answer,
        failed,
    });
    let other = select(&["redacted_thinking", "server_tool_use", "future_block"][..])
        .prop_map(|kind| Part::Other(json!({"type": kind, "data": "x"})));
    prop_oneof![
        5 => words().prop_map(Part::Text),
        2 => words().prop_map(Part::Thinking),
        1 => Just(Part::Text(String::new())),
        3 => call,
        1 => other,
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(COMMON).prop_map(str::to_owned),
        1 => "\\PC{1,12}\n?[a-z\u{1F600}-\u{1F64F}\"\\\\]{1,6}",
    ]
}

const COMMON: &[&str] =
    &["Hel", "Hello", "Hello world", "\"quoted\"", "{\"a\":1}", "go 🚀 now", "null", "é\u{2028}\u{85}"];

fn input() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        words().prop_map(|words| json!({"command": words})),
        (any::<i32>(), words()).prop_map(|(n, words)| json!({"n": n, "list": [words, null, {"deep": true}]})),
    ]
}

/// Ids are unique on the wire. Each strand hangs on a call of its own.
fn name_all(turns: &mut [Turn]) {
    let mut count = 0;
    let mut next = |prefix: &str| {
        count += 1;
        format!("{prefix}_{count}")
    };
    for phase in turns.iter_mut().flat_map(|turn| &mut turn.phases) {
        for (call, steps) in &mut phase.strands {
            *call = next("toolu");
            phase.message.parts.push(Part::Call {
                id: call.clone(),
                name: "Task",
                input: json!({"description": "work", "prompt": "go"}),
                answer: "done".into(),
                failed: false,
            });
            for step in steps {
                if let Step::Said(message) = step {
                    name(message, &mut next);
                }
            }
        }
        name(&mut phase.message, &mut next);
    }
}

fn name(message: &mut Message, next: &mut impl FnMut(&str) -> String) {
    message.id = next("msg");
    for part in &mut message.parts {
        if let Part::Call { id, .. } = part
            && id.is_empty()
        {
            *id = next("toolu");
        }
    }
}
