//! The script on stage: a request in, an answer out, notes taken.

use crate::answer::{Message, Source};
use crate::background::Kind;
use crate::log::{Log, Received};
use crate::place::{Due, Places};
use crate::play::Play;
use crate::request::Request;
use crate::script::{Act, Does, Fail, Script, Then, Turn, status_of};
use crate::stream::{Frame, frames};
use serde_json::json;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A script that is being played.
#[derive(Debug)]
pub(crate) struct Stage {
    script: Script,
    memory: Mutex<Memory>,
    pub(crate) log: Arc<Log>,
}

#[derive(Debug, Default)]
struct Memory {
    places: Places,
    /// How often a name was given in a session.
    names: HashMap<(String, String), u32>,
    /// The turns that were played.
    played: BTreeSet<(usize, usize)>,
}

/// A response to be sent.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) stream: bool,
    pub(crate) headers: BTreeMap<String, String>,
    /// Time before it is sent.
    pub(crate) wait: Duration,
    /// The number of the request.
    pub(crate) number: u64,
    pub(crate) body: Play,
}

impl Reply {
    fn new(status: u16, number: u64, stream: bool, body: Play) -> Self {
        Reply { status, stream, headers: BTreeMap::new(), wait: Duration::ZERO, number, body }
    }
}

/// What is played: by whom, as which turn.
struct Cue<'s> {
    conversation: String,
    /// The number of the turn, if it is one of the script's, from 1.
    number: Option<usize>,
    turn: Cow<'s, Turn>,
}

impl Stage {
    pub(crate) fn new(script: Script) -> Self {
        Stage { script, memory: Mutex::default(), log: Arc::new(Log::new()) }
    }

    /// Answers a request for a message.
    pub(crate) fn message(&self, mut received: Received, cli: bool) -> Reply {
        let request = match Request::read(&received.body) {
            Ok(request) => request,
            Err(why) => return self.fail(received, &Fail::new(400, "invalid_request_error", why)),
        };
        let Some(cue) = self.cue(&request, cli, &mut received) else {
            let why = format!("unspool: no conversation of the script takes \"{}\"", short(&request));
            self.log.failed(why.clone());
            return self.fail(received, &Fail::of_script(&why));
        };
        received.does = cue.turn.to_string();
        let mut reply = match &cue.turn.does {
            Does::Fail(fail) => self.fail(received, fail),
            Does::Answer(answer) => {
                let name = self.name(&cue, &request);
                let source = Source { name, turn: cue.number.unwrap_or_default() as u64, request: &request };
                let message = Message::of(&cue.turn, answer, &source);
                let frames = frames(&message, answer);
                if request.stream {
                    self.stream(received, &message, frames)
                } else {
                    self.plain(received, &message, &frames)
                }
            }
        };
        reply.headers.extend(cue.turn.headers.clone());
        reply.wait += cue.turn.wait;
        reply
    }

    fn stream(&self, mut received: Received, message: &Message, frames: Vec<Frame>) -> Reply {
        received.status = 200;
        received.answer = message.plain();
        let number = self.log.received(received);
        Reply::new(200, number, true, Play::stream(frames, Arc::clone(&self.log), number))
    }

    /// Who asks for the whole waits for all of it.
    fn plain(&self, mut received: Received, message: &Message, frames: &[Frame]) -> Reply {
        let body = message.plain();
        let mut reply = match message.parts.iter().find_map(|part| part.breaks()) {
            Some(Act::Error(error)) => {
                let status = status_of(&error.kind);
                self.fail(received, &Fail::new(status, &error.kind, &error.message))
            }
            Some(Act::Cut(cut)) => {
                received.status = 200;
                received.answer = body.clone();
                let number = self.log.received(received);
                Reply::new(200, number, false, Play::half(&body, *cut, Arc::clone(&self.log), number))
            }
            _ => self.body(received, 200, body),
        };
        reply.wait = frames.iter().map(Frame::time).sum();
        reply
    }

    /// Answers a request for the number of tokens.
    pub(crate) fn count(&self, mut received: Received) -> Reply {
        // A token has about four letters.
        let count = self.script.count_tokens.unwrap_or(received.body.len() as u64 / 4 + 1);
        received.conversation = Some("background:count_tokens".to_owned());
        received.does = format!("count {count}");
        self.body(received, 200, json!({"input_tokens": count}).to_string())
    }

    /// Answers with an error.
    pub(crate) fn fail(&self, mut received: Received, fail: &Fail) -> Reply {
        if received.does.is_empty() {
            received.does = format!("fail {}", fail.status);
        }
        received.status = fail.status;
        let mut body = fail.body.clone();
        let number = self.log.numbered(received, |received| {
            body["request_id"] = json!(request_id(received.number));
            received.answer = body.to_string();
        });
        let body = Play::whole(body.to_string(), Arc::clone(&self.log), number);
        Reply { headers: fail.headers.clone(), ..Reply::new(fail.status, number, false, body) }
    }

    /// Answers with a body.
    pub(crate) fn body(&self, mut received: Received, status: u16, body: String) -> Reply {
        received.status = status;
        received.answer = body.clone();
        let number = self.log.received(received);
        Reply::new(status, number, false, Play::whole(body, Arc::clone(&self.log), number))
    }

    /// Forgets all that was played.
    pub(crate) fn reset(&self) {
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = Memory::default();
        self.log.clear();
    }

    /// What no client has asked for: turns by conversation and number, or whole conversations.
    pub(crate) fn unplayed(&self) -> Vec<String> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = Vec::new();
        for (number, conversation) in self.script.conversations.iter().enumerate() {
            let begin = left.len();
            for (at, turn) in conversation.turns.iter().enumerate() {
                if !memory.played.contains(&(number, at)) {
                    left.push(format!("{} {}: {turn}", conversation.name, at + 1));
                }
            }
            if left.len() - begin == conversation.turns.len() {
                left.truncate(begin);
                left.push(conversation.name.clone());
            }
        }
        left
    }

    /// Finds who answers.
    fn cue(&self, request: &Request, cli: bool, received: &mut Received) -> Option<Cue<'_>> {
        let background = Kind::of(request, cli);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let due = memory.places.step(&self.script, request, background);
        if let Due::Turn(conversation, turn) = due {
            memory.played.insert((conversation, turn));
        }
        drop(memory);
        let cue = match due {
            Due::Nobody => return None,
            Due::Background(kind) => Cue {
                conversation: format!("background:{}", kind.as_str()),
                number: None,
                turn: Cow::Owned(kind.answer(request)),
            },
            Due::Turn(conversation, turn) => {
                let conversation = &self.script.conversations[conversation];
                Cue {
                    conversation: conversation.name.clone(),
                    number: Some(turn + 1),
                    turn: Cow::Borrowed(&conversation.turns[turn]),
                }
            }
            Due::Over(conversation) => self.over(conversation),
        };
        received.conversation = Some(cue.conversation.clone());
        received.turn = cue.number;
        Some(cue)
    }

    /// What is played when a conversation has no turns left.
    fn over(&self, conversation: usize) -> Cue<'_> {
        let conversation = &self.script.conversations[conversation];
        let count = conversation.turns.len();
        let turn = match &conversation.then {
            Then::Say => Cow::Owned(Turn::say("(the script is over)")),
            Then::Repeat => Cow::Borrowed(&conversation.turns[count - 1]),
            Then::Turn(turn) => Cow::Borrowed(&**turn),
            Then::Fail => {
                let why = format!(
                    "unspool: the script is over: conversation `{}` has {count} turns, and one more was asked for",
                    conversation.name
                );
                self.log.failed(why.clone());
                Cow::Owned(Turn::fail(Fail::of_script(&why)))
            }
        };
        Cue { conversation: conversation.name.clone(), number: Some(count + 1), turn }
    }

    /// A name for a message: the same in every run, and no other in its session has it.
    fn name(&self, cue: &Cue<'_>, request: &Request) -> String {
        let name = cue.conversation.replace(':', "_");
        let name = cue.number.map_or(name.clone(), |number| format!("{name}_{number}"));
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let given = memory.names.entry((request.session.clone(), name.clone())).or_default();
        *given += 1;
        if *given == 1 { name } else { format!("{name}_again{given}") }
    }
}

/// What a request is called in headers and errors.
pub(crate) fn request_id(number: u64) -> String {
    format!("req_fake_{number}")
}

/// The beginning of the newest prompt.
fn short(request: &Request) -> String {
    request.last_prompt().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    const THREADS: usize = 8;
    const EACH: usize = 50;

    /// One that is no request for a message.
    fn received() -> Received {
        Received {
            number: 0,
            at_ms: 0,
            method: "POST".to_owned(),
            path: "/v1/messages".to_owned(),
            headers: BTreeMap::new(),
            body: String::new(),
            conversation: None,
            turn: None,
            does: String::new(),
            status: 0,
            answer: String::new(),
        }
    }

    #[test]
    fn failures_at_once_have_a_number_each_and_the_same_everywhere() {
        let stage = Stage::new("[[turn]]\nsay = \"hi\"".parse().unwrap());
        let ready = Barrier::new(THREADS);
        let fail = || {
            ready.wait();
            let one = |_| stage.message(received(), false).number;
            (0..EACH).map(one).collect::<Vec<u64>>()
        };
        let mut numbers: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(fail)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=(THREADS * EACH) as u64).collect::<Vec<_>>());
        for received in &stage.log.notes().received {
            let answer: serde_json::Value = serde_json::from_str(&received.answer).unwrap();
            assert_eq!(answer["request_id"], request_id(received.number));
        }
    }
}
