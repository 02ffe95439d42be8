//! Plays the program's part of a script. Time stands still unless the script, or the driver alone, waits.
//!
//! ```text
//! # a remark
//! < LINE          the program writes; `init`, `text WORDS`, `result` are short for such lines
//! <| LINE         the same, without a newline
//! < flood         the program writes 8 lines of a megabyte
//! <<              the program closes its output
//! |               the program closes its input
//! ! ask WORDS     the application sends a prompt
//! ! command NAME  the application asks a command, and does not wait for the answer
//! ! finish        the session is to end when all is done
//! ! close         the session is to end
//! ! halt WHY      the turn is to end that runs or is about to
//! ! end WHY       the session is to end before its time
//! ! drop          the application drops the session
//! ! away          the application reads nothing
//! ! back          it reads again
//! @ SECONDS       time goes by
//! x CODE          the program exits
//! x! CODE         the program exits, but somebody holds its output open
//! > LINE          what was written to the program; `prompt WORDS` is short for a user line
//! >>              its input was closed
//! ^ SIGNAL        what it was told
//! = EVENT         what was told to the application
//! ? WORDS         what it was warned of
//! . WORDS         how it ended
//! ```

use serde_json::json;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use unspool_client::transport::{Peer, memory};
use unspool_client::{Claude, Session};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;

pub(crate) struct Player {
    peer: Peer,
    session: Option<Session>,
    input_open: bool,
    /// The application reads.
    reads: bool,
    /// The names of the prompts; `$1` in a line is the first.
    prompts: Vec<String>,
    warnings: Arc<Mutex<Vec<String>>>,
    story: String,
    /// All that was told, whole.
    events: Vec<String>,
}

/// Plays the inputs of a script; returns the script with what really came of them.
pub(crate) async fn play(claude: &Claude, script: &str) -> String {
    play_whole(claude, script).await.0
}

/// Plays the inputs of a script; returns the script with what really came of them, and every event that the application
/// has read.
pub(crate) async fn play_whole(claude: &Claude, script: &str) -> (String, Vec<String>) {
    let (transport, peer) = memory(1 << 20);
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let warned = Arc::clone(&warnings);
    let claude = claude.clone().on_warning(move |warning| warned.lock().unwrap().push(warning.to_string()));
    let session = Some(claude.connect(transport));
    let (prompts, story) = (Vec::new(), String::new());
    let (input_open, reads, events) = (true, true, Vec::new());
    let mut player = Player { peer, session, input_open, reads, prompts, warnings, story, events };
    for line in script.lines().filter(|line| !line.starts_with(['>', '=', '?', '^', '.'])) {
        writeln!(player.story, "{line}").unwrap();
        player.step(line).await;
        player.listen().await;
    }
    (player.story, player.events)
}

impl Player {
    async fn step(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("#" | "", _) => {}
            (sign @ ("<" | "<|"), line) => {
                let text = match line.split_once(' ').unwrap_or((line, "")) {
                    ("init", _) => INIT.to_owned(),
                    ("text", words) => message(&format!(r#"{{"type":"text","text":"{words}"}}"#)),
                    ("bash", command) => message(&format!(
                        r#"{{"type":"tool_use","id":"t","name":"Bash","input":{{"command":"{command}"}}}}"#
                    )),
                    ("result", words) => format!(
                        r#"{{"type":"result","subtype":"success","is_error":false,"result":"{words}","session_id":"s"}}"#
                    ),
                    ("flood", _) => {
                        let pad = "x".repeat(1 << 20);
                        vec![format!(r#"{{"type":"system","subtype":"status","pad":"{pad}"}}"#); 8].join("\n")
                    }
                    _ => line.to_owned(),
                };
                let named = (1..).zip(&self.prompts);
                let text = named.fold(text, |text, (number, uuid)| text.replace(&format!("${number}"), uuid));
                let says = self.peer.says.as_mut().expect("output is open");
                let end = if sign == "<" { "\n" } else { "" };
                if says.write_all(format!("{text}{end}").as_bytes()).await.is_err() {
                    self.story.push_str("? nobody reads it\n");
                }
            }
            ("<<", _) => self.peer.says = None,
            ("|", _) => {
                self.input_open = false;
                self.peer.heard = tokio::io::duplex(1).0;
            }
            ("!", wish) => self.wish(wish).await,
            ("@", seconds) => tokio::time::sleep(Duration::from_secs(seconds.parse().unwrap())).await,
            ("x", code) => {
                self.peer.says = None;
                self.peer.exit(code.parse().unwrap());
            }
            ("x!", code) => self.peer.exit(code.parse().unwrap()),
            _ => panic!("{line}"),
        }
    }

    async fn wish(&mut self, wish: &str) {
        let session = self.session.as_ref().expect("the session is there");
        match wish.split_once(' ').unwrap_or((wish, "")) {
            ("ask", words) => match session.controls().send(words) {
                Ok(uuid) => self.prompts.push(uuid),
                Err(refusal) => writeln!(self.story, "? {refusal}").unwrap(),
            },
            ("command", name) => {
                let (controls, request) = (session.controls(), json!({"subtype": name}));
                tokio::spawn(async move { controls.command(request.into()).await });
            }
            ("finish", _) => session.controls().finish(),
            ("close", _) => session.controls().close(),
            ("end", why) => session.controls().end(why),
            ("halt", why) => session.controls().halt(why),
            ("drop", _) => self.session = None,
            ("away", _) => self.reads = false,
            ("back", _) => self.reads = true,
            _ => panic!("{wish}"),
        }
    }

    /// Writes down everything that has happened until nothing more does without time going by.
    async fn listen(&mut self) {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        let moment = Duration::from_nanos(1);
        let mut heard = vec![0; 1 << 16];
        while self.input_open
            && let Ok(length) = tokio::time::timeout(moment, self.peer.heard.read(&mut heard)).await
        {
            let length = length.unwrap();
            self.input_open = length > 0;
            let text = String::from_utf8_lossy(&heard[..length]);
            text.lines().for_each(|line| writeln!(self.story, "> {}", short_line(line)).unwrap());
            if length == 0 {
                self.story.push_str(">>\n");
            }
        }
        while let Ok(signal) = self.peer.signals.try_recv() {
            writeln!(self.story, "^ {signal:?}").unwrap();
        }
        for warning in self.warnings.lock().unwrap().drain(..) {
            writeln!(self.story, "? {warning}").unwrap();
        }
        let Some(session) = self.session.as_mut().filter(|_| self.reads) else { return };
        let mut told: Vec<(String, usize)> = Vec::new();
        while let Ok(Some(event)) = tokio::time::timeout(moment, session.next()).await {
            self.events.push(event.to_json());
            let event = short(&event);
            match told.last_mut() {
                Some((last, times)) if *last == event => *times += 1,
                _ => told.push((event, 1)),
            }
        }
        for (event, times) in told {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            writeln!(self.story, "= {event}{times}").unwrap();
        }
        if let Some(ending) = session.ending() {
            let ending = format!("{}: {} ({})", ending.verdict, ending.reason, ending.exit);
            if !self.story.contains(&ending) {
                writeln!(self.story, ". {ending}").unwrap();
            }
        }
    }
}

fn message(block: &str) -> String {
    format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{block}]}},"session_id":"s"}}"#)
}

/// Events that differ from run to run, or say much, are told by their name alone.
fn short(event: &unspool::Event<'_>) -> String {
    match event.what.name() {
        "text" | "tool_use" | "turn_start" | "malformed" => event.to_string(),
        name => name.to_owned(),
    }
}

/// Prompts have names that nobody can foretell.
fn short_line(line: &str) -> String {
    match line.strip_prefix(r#"{"type":"user","message":{"role":"user","content":"#) {
        Some(rest) => format!("prompt {}", rest.split_once('}').map_or(rest, |(words, _)| words)),
        None => line.to_owned(),
    }
}
