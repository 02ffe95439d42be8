//! A message as server-sent events.
//!
//! Events are written as text, not as values: a piece may hold half a character, which no value can.

use crate::answer::{Message, Part};
use crate::script::{self, Act, Cut, Piece, Pieces};
use serde_json::{Value, json};
use std::time::Duration;

/// What a stream is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    /// An event: its name, and its data as JSON.
    Event { name: String, data: String },
    /// Nothing, for a while.
    Pause(Duration),
    /// Nothing any more.
    Cut(Cut),
}

impl Frame {
    /// The time it takes.
    pub(crate) fn time(&self) -> Duration {
        match self {
            Frame::Pause(time) => *time,
            Frame::Event { .. } | Frame::Cut(_) => Duration::ZERO,
        }
    }
}

/// All frames of a message, in order.
pub(crate) fn frames(message: &Message, answer: &script::Answer) -> Vec<Frame> {
    let mut writer = Writer { frames: Vec::new(), pace: answer.pace, chunk: answer.chunk, index: 0 };
    // The stream ends where it is cut, and there only.
    let _ = writer.message(message);
    writer.frames
}

struct Writer {
    frames: Vec<Frame>,
    pace: Duration,
    chunk: Option<usize>,
    /// The block that is written.
    index: usize,
}

/// The stream was cut.
struct Over;

impl Writer {
    fn message(&mut self, message: &Message) -> Result<(), Over> {
        let Message { id, model, tokens, .. } = message;
        let begun = json!({
            "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": tokens.at_start(),
        });
        self.event("message_start", &[("message", &begun.to_string())]);
        self.event("ping", &[]);
        for part in &message.parts {
            self.part(part)?;
        }
        let delta = json!({"stop_reason": message.stop_reason, "stop_sequence": message.stop_sequence});
        let usage = Value::Object(tokens.at_end());
        self.event("message_delta", &[("delta", &delta.to_string()), ("usage", &usage.to_string())]);
        self.event("message_stop", &[]);
        Ok(())
    }

    fn part(&mut self, part: &Part) -> Result<(), Over> {
        match part {
            Part::Act(act) => return self.act(act),
            Part::Text { pieces, citations } => {
                self.start(&if citations.is_empty() {
                    json!({"type": "text", "text": ""})
                } else {
                    json!({"type": "text", "text": "", "citations": []})
                });
                for citation in citations {
                    self.delta("citations_delta", "citation", &citation.to_string());
                }
                self.pieces("text_delta", "text", pieces)?;
            }
            Part::Thinking { pieces, signature } => {
                self.start(&json!({"type": "thinking", "thinking": "", "signature": ""}));
                self.pieces("thinking_delta", "thinking", pieces)?;
                self.delta("signature_delta", "signature", &quoted(signature));
            }
            Part::Call { kind, id, name, input } => {
                self.start(&json!({"type": kind, "id": id, "name": name, "input": {}}));
                self.delta("input_json_delta", "partial_json", "\"\"");
                self.pieces("input_json_delta", "partial_json", input)?;
            }
            Part::Whole(block) => self.start(block),
        }
        self.event("content_block_stop", &[("index", &self.index.to_string())]);
        self.index += 1;
        Ok(())
    }

    fn start(&mut self, block: &Value) {
        let index = self.index.to_string();
        self.event("content_block_start", &[("index", &index), ("content_block", &block.to_string())]);
    }

    fn pieces(&mut self, kind: &str, field: &str, pieces: &Pieces) -> Result<(), Over> {
        match pieces {
            Pieces::Whole(words) => {
                for piece in cut(words, self.chunk) {
                    self.delta(kind, field, &quoted(piece));
                }
            }
            Pieces::Cut(pieces) => {
                for piece in pieces {
                    match piece {
                        Piece::Words(words) => self.delta(kind, field, &quoted(words)),
                        Piece::Json(json) => self.delta(kind, field, json.get()),
                        Piece::Act(act) => self.act(act)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn delta(&mut self, kind: &str, field: &str, value: &str) {
        let index = self.index.to_string();
        let delta = format!(r#"{{"type":"{kind}","{field}":{value}}}"#);
        self.event("content_block_delta", &[("index", &index), ("delta", &delta)]);
    }

    fn act(&mut self, act: &Act) -> Result<(), Over> {
        match act {
            Act::Pause(time) => self.frames.push(Frame::Pause(*time)),
            Act::Ping => self.event("ping", &[]),
            Act::Event(event) => {
                let name = event["type"].as_str().unwrap_or_default().to_owned();
                self.push(name, event.to_string());
            }
            Act::Cut(cut) => {
                self.frames.push(Frame::Cut(*cut));
                return Err(Over);
            }
            Act::Error(error) => {
                let error = json!({"type": error.kind, "message": error.message});
                self.event("error", &[("error", &error.to_string())]);
                self.frames.push(Frame::Cut(Cut::Stream));
                return Err(Over);
            }
        }
        Ok(())
    }

    /// An event with fields that are JSON already.
    fn event(&mut self, name: &str, fields: &[(&str, &str)]) {
        let mut data = format!(r#"{{"type":"{name}""#);
        for (key, value) in fields {
            data.push_str(&format!(r#","{key}":{value}"#));
        }
        data.push('}');
        self.push(name.to_owned(), data);
    }

    fn push(&mut self, name: String, data: String) {
        self.frames.push(Frame::Event { name, data });
        if !self.pace.is_zero() {
            self.frames.push(Frame::Pause(self.pace));
        }
    }
}

/// A string as JSON.
fn quoted(words: &str) -> String {
    Value::from(words).to_string()
}

/// Cuts a text into pieces of so many characters; about four pieces if nobody says.
fn cut(words: &str, chunk: Option<usize>) -> Vec<&str> {
    let chunk = chunk.unwrap_or_else(|| words.chars().count().div_ceil(4).max(16));
    let mut starts: Vec<usize> = words.char_indices().step_by(chunk).map(|(at, _)| at).collect();
    starts.push(words.len());
    starts.windows(2).map(|pair| &words[pair[0]..pair[1]]).collect()
}
