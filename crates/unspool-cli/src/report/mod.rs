//! What people and programs read of a run: words, events, or one object at its end.

#[cfg(test)]
mod linear;
mod outcome;

pub(crate) use outcome::Outcome;

use crate::output::Lines;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Instant;
use unspool::Event;
use unspool::event::{Agent, What};
use unspool_client::Ending;
use unspool_report::denials::reason;
use unspool_report::words::{CallWords, clean, one_line, tool_failure};

/// Of what a failed call says, so many letters are told.
const SAID: usize = 200;

/// In which form a run is told.
#[derive(Clone, Copy, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum Format {
    /// As `unspool view` shows it, live on a terminal.
    View,
    /// The words of the main agent as they come; calls on standard error.
    Text,
    /// Every event as a line of JSON.
    Events,
    /// One JSON object at the end.
    Json,
}

/// Tells a run while it goes on.
pub(crate) struct Report<'o, O: Write, E: Write> {
    format: Format,
    out: Lines<'o, O>,
    err: E,
    /// People read standard error.
    watched: bool,
    outcome: Outcome,
    /// Calls without an answer, in words.
    calls: HashMap<String, String>,
    /// Calls that are asked about, and their tools, by question.
    asked: HashMap<String, (String, String)>,
    began: Instant,
    /// A text that has not come to its end of line.
    in_line: bool,
    /// Why nothing more is written, if nobody has closed it.
    broken: Option<io::Error>,
}

impl<'o, O: Write, E: Write> Report<'o, O, E> {
    pub(crate) fn new(format: Format, out: &'o mut O, err: E, watched: bool) -> Self {
        Report {
            format,
            out: Lines::new(out),
            err,
            watched,
            outcome: Outcome::default(),
            calls: HashMap::new(),
            asked: HashMap::new(),
            began: Instant::now(),
            in_line: false,
            broken: None,
        }
    }

    /// Tells an event.
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        self.outcome.step(event);
        match self.format {
            Format::Events => self.write(|line| {
                event.write(line);
                line.push('\n');
            }),
            Format::Text => self.text(event),
            Format::Json | Format::View => {}
        }
    }

    /// Tells the end, and returns what it all came to. An error means that it could not be told.
    pub(crate) fn end(mut self, ending: Option<&Ending>) -> io::Result<Outcome> {
        self.outcome.end(ending, self.began.elapsed());
        if self.format == Format::Json {
            let object = self.outcome.json();
            self.write(|out| {
                out.push_str(&object);
                out.push('\n');
            });
        }
        self.close_line();
        let matters = !self.outcome.is_ok() || self.outcome.has_denials() || self.outcome.has_last_words();
        if self.watched || matters {
            let words = self.outcome.sentence();
            self.say(&words);
        }
        match self.broken {
            Some(error) => Err(error),
            None => Ok(self.outcome),
        }
    }

    fn text(&mut self, event: &Event<'_>) {
        let is_main = event.agent == Agent::Main;
        let indent = if is_main { "" } else { "  " };
        match &event.what {
            What::Text { content, .. } if is_main => {
                self.words(content);
                self.close_line();
            }
            What::TextDelta { content, .. } if is_main => self.words(content),
            What::BlockEnd { .. } if is_main => self.close_line(),
            What::ToolUse { id, name, input, abandoned: None | Some(false), .. } => {
                let call = CallWords::of(name.as_deref(), input.as_ref()).line();
                self.say(&format!("{indent}> {call}"));
                self.calls.extend(id.as_deref().map(|id| (id.to_owned(), call)));
            }
            What::PermissionRequest {
                request: Some(request), call: Some(call), tool: Some(tool), ..
            } => {
                self.asked.insert(request.to_string(), (call.to_string(), tool.to_string()));
            }
            What::PermissionResolved { request: Some(request), input, .. } => {
                let asked = self.asked.remove(&**request);
                if let Some((input, (call, tool))) = input.as_ref().zip(asked) {
                    let words = CallWords::of(Some(&tool), Some(input)).line();
                    self.say(&format!("{indent}> changed to: {words}"));
                    self.calls.insert(call, words);
                }
            }
            What::ToolResult { id: Some(id), output, is_error, .. } => {
                let call = self.calls.remove(&**id);
                if let Some(call) = call.filter(|_| *is_error) {
                    let (word, why) = match self.outcome.is_denied(id) {
                        true => ("denied", reason(output)),
                        false => ("failed", tool_failure(output)),
                    };
                    let why: String = one_line(why).chars().take(SAID).collect();
                    self.say(&format!("{indent}! {word}: {call}: {why}"));
                }
            }
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        let words = clean(words);
        if !words.is_empty() {
            self.in_line = !words.ends_with('\n');
            self.write(|out| out.push_str(&words));
        }
    }

    fn close_line(&mut self) {
        if std::mem::take(&mut self.in_line) {
            self.write(|out| out.push('\n'));
        }
    }

    /// A reader that has gone away does not end the run, and neither does a disk that is full: what is done is done.
    fn write(&mut self, write: impl FnOnce(&mut String)) {
        if self.broken.is_none() && !self.out.is_closed() {
            self.broken = self.out.piece(write).and_then(|()| self.out.flush()).err();
        }
    }

    fn say(&mut self, line: &str) {
        // Where nobody listens nothing is lost: the exit code says it too.
        let _ = writeln!(self.err, "{}", clean(line));
    }
}
