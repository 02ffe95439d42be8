//! The script on stage: a request in, an answer out, notes taken.

use crate::answer::{Message, Source};
use crate::background::Kind;
use crate::log::{Log, Received};
use crate::place::{Due, Places};
use crate::play::Play;
use crate::request::Request;
use crate::script::{Act, Does, Fail, Script, Then, Turn};
use crate::stream::frames;
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
            return self.fail(received, &Fail::new(400, "invalid_request_error", &why));
        };
        received.does = cue.turn.to_string();
        let answer = match &cue.turn.does {
            Does::Fail(fail) => {
                let headers = cue.turn.headers.clone();
                let mut reply = self.fail(received, fail);
                reply.headers.extend(headers);
                reply.wait = cue.turn.wait;
                return reply;
            }
            Does::Answer(answer) => answer,
        };
        let turn = cue.number.unwrap_or_default() as u64;
        let source = Source { name: self.name(&cue, &request), turn, request: &request };
        let message = Message::of(&cue.turn, answer, &source);
        let plain = message.plain().to_string();
        received.status = 200;
        received.answer = plain.clone();
        let number = self.log.received(received);
        let log = Arc::clone(&self.log);
        let broken = message.parts.iter().find_map(|part| part.breaks());
        let (wait, body) = if request.stream {
            (cue.turn.wait, Play::stream(frames(&message, answer), log, number))
        } else {
            // Who waits for the whole waits for all of it.
            let frames = frames(&message, answer);
            let pauses: Duration = frames.iter().map(|frame| frame.time()).sum();
            let body = match broken {
                Some(Act::Cut(cut)) => Play::half(&plain, *cut, log, number),
                Some(Act::Error(error)) => {
                    let error = json!({"type": error.kind, "message": error.message});
                    Play::whole(json!({"type": "error", "error": error}).to_string(), log, number)
                }
                _ => Play::whole(plain, log, number),
            };
            (cue.turn.wait + pauses, body)
        };
        Reply { status: 200, stream: request.stream, headers: cue.turn.headers.clone(), wait, number, body }
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
        let mut body = fail.body.clone();
        body["request_id"] = json!(request_id(self.log.notes().received.len() as u64 + 1));
        let mut reply = self.body(received, fail.status, body.to_string());
        reply.headers = fail.headers.clone();
        reply
    }

    /// Answers with a body.
    pub(crate) fn body(&self, mut received: Received, status: u16, body: String) -> Reply {
        received.status = status;
        received.answer = body.clone();
        let number = self.log.received(received);
        let body = Play::whole(body, Arc::clone(&self.log), number);
        Reply { status, stream: false, headers: BTreeMap::new(), wait: Duration::ZERO, number, body }
    }

    /// Forgets all that was played.
    pub(crate) fn reset(&self) {
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = Memory::default();
        self.log.clear();
    }

    /// The turns that nobody has asked for, by conversation and number, and what they would have done.
    pub(crate) fn unplayed(&self) -> Vec<String> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = Vec::new();
        for (number, conversation) in self.script.conversations.iter().enumerate() {
            for (at, turn) in conversation.turns.iter().enumerate() {
                if !memory.played.contains(&(number, at)) {
                    left.push(format!("{} {}: {turn}", conversation.name, at + 1));
                }
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
                Cow::Owned(Turn::fail(Fail::new(400, "invalid_request_error", &why)))
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
