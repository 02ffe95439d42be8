//! A message as server-sent events.

use crate::answer::{Message, Part};
use crate::script::{self, Act, Cut, Piece, Pieces};
use crate::text::{object, quoted, quoted_or_null};
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
        self.event("message_start", &[("message", &message.begun())]);
        self.event("ping", &[]);
        for part in &message.parts {
            self.part(part)?;
        }
        let delta = object(&[
            ("stop_reason", &quoted(&message.stop_reason)),
            ("stop_sequence", &quoted_or_null(message.stop_sequence.as_deref())),
        ]);
        self.event("message_delta", &[("delta", &delta), ("usage", &message.tokens.at_end())]);
        self.event("message_stop", &[]);
        Ok(())
    }

    fn part(&mut self, part: &Part) -> Result<(), Over> {
        match part {
            Part::Act(act) => return self.act(act),
            Part::Text { pieces, citations } => {
                let fields = [("type", "\"text\""), ("text", "\"\""), ("citations", "[]")];
                self.start(&object(if citations.is_empty() { &fields[..2] } else { &fields }));
                for citation in citations {
                    self.delta("citations_delta", "citation", &citation.to_string());
                }
                self.pieces("text_delta", "text", pieces)?;
            }
            Part::Thinking { pieces, signature } => {
                self.start(&object(&[("type", "\"thinking\""), ("thinking", "\"\""), ("signature", "\"\"")]));
                self.pieces("thinking_delta", "thinking", pieces)?;
                self.delta("signature_delta", "signature", &quoted(signature));
            }
            Part::Call { input, .. } => {
                self.start(&part.call("{}"));
                self.delta("input_json_delta", "partial_json", "\"\"");
                self.pieces("input_json_delta", "partial_json", input)?;
            }
            Part::Whole(block) => self.start(&block.to_string()),
        }
        self.event("content_block_stop", &[("index", &self.index.to_string())]);
        self.index += 1;
        Ok(())
    }

    fn start(&mut self, block: &str) {
        self.event("content_block_start", &[("index", &self.index.to_string()), ("content_block", block)]);
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
        let delta = object(&[("type", &quoted(kind)), (field, value)]);
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
                let error = object(&[("type", &quoted(&error.kind)), ("message", &quoted(&error.message))]);
                self.event("error", &[("error", &error)]);
                self.frames.push(Frame::Cut(Cut::Stream));
                return Err(Over);
            }
        }
        Ok(())
    }

    /// An event with fields that are JSON already.
    fn event(&mut self, name: &str, fields: &[(&str, &str)]) {
        let kind = quoted(name);
        let data = object(&[&[("type", &*kind)], fields].concat());
        self.push(name.to_owned(), data);
    }

    fn push(&mut self, name: String, data: String) {
        if !self.pace.is_zero() && !self.frames.is_empty() {
            self.frames.push(Frame::Pause(self.pace));
        }
        self.frames.push(Frame::Event { name, data });
    }
}

/// Cuts a text into pieces of so many characters; about four pieces if the script does not say.
fn cut(words: &str, chunk: Option<usize>) -> Vec<&str> {
    let chunk = chunk.unwrap_or_else(|| words.chars().count().div_ceil(4).max(16));
    let mut starts: Vec<usize> = words.char_indices().step_by(chunk).map(|(at, _)| at).collect();
    starts.push(words.len());
    starts.windows(2).map(|pair| &words[pair[0]..pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Source;
    use crate::request::Request;
    use crate::script::{Does, Script};

    /// The frames of the only turn, a line each; of events, the data.
    fn check(turn: &str, story: &[&str]) {
        let script: Script = format!("[[turn]]\n{turn}").parse().unwrap_or_else(|error| panic!("{error}"));
        let turn = &script.conversations[0].turns[0];
        let Does::Answer(answer) = &turn.does else { panic!("no answer") };
        let request = Request::read(r#"{"model":"m","messages":[]}"#).unwrap();
        let message =
            Message::of(turn, answer, &Source { name: "main_1".to_owned(), turn: 1, request: &request });
        let told: Vec<String> = frames(&message, answer).iter().map(tell).collect();
        assert_eq!(told, story);
    }

    /// Events without what is the same in all of them.
    fn tell(frame: &Frame) -> String {
        match frame {
            Frame::Event { name, data } => {
                let prefix = format!(r#"{{"type":"{name}""#);
                assert!(data.starts_with(&prefix), "{data}");
                let name = name.replace("content_block_", "");
                format!("{name} {}", data[prefix.len()..].trim_start_matches(',').strip_suffix('}').unwrap())
            }
            Frame::Pause(time) => format!("pause {}", time.as_millis()),
            Frame::Cut(cut) => format!("cut {cut:?}"),
        }
    }

    const START: &str = r#"message_start "message":{"id":"msg_fake_main_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":101,"cache_creation_input_tokens":1001,"cache_read_input_tokens":10001,"output_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":1001,"ephemeral_1h_input_tokens":0},"service_tier":"standard"}}"#;
    const END: &str = r#"message_delta "delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":101,"cache_creation_input_tokens":1001,"cache_read_input_tokens":10001,"output_tokens":21}"#;

    #[test]
    fn words_come_in_pieces() {
        check(
            "say = 'Hello, 世界!'\nchunk = 8",
            &[
                START,
                "ping ",
                r#"start "index":0,"content_block":{"type":"text","text":""}"#,
                r#"delta "index":0,"delta":{"type":"text_delta","text":"Hello, 世"}"#,
                r#"delta "index":0,"delta":{"type":"text_delta","text":"界!"}"#,
                r#"stop "index":0"#,
                END,
                "message_stop ",
            ],
        );
    }

    #[test]
    fn nothing_is_a_message_too() {
        check("do = []", &[START, "ping ", END, "message_stop "]);
    }

    #[test]
    fn a_stream_ends_where_it_is_cut() {
        check(
            r#"do = [{ think = ["Hm", { pause = 2 }, { json = '\ud83d' }, { cut = "connection" }, "never"] }]"#,
            &[
                START,
                "ping ",
                r#"start "index":0,"content_block":{"type":"thinking","thinking":"","signature":""}"#,
                r#"delta "index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}"#,
                "pause 2000",
                r#"delta "index":0,"delta":{"type":"thinking_delta","thinking":"\ud83d"}"#,
                "cut Connection",
            ],
        );
    }

    #[test]
    fn an_error_ends_a_stream() {
        check(
            "do = [{ error = 'overloaded_error' }]",
            &[
                START,
                "ping ",
                r#"error "error":{"type":"overloaded_error","message":"Overloaded"}"#,
                "cut Stream",
            ],
        );
    }

    #[test]
    fn pace_is_time_between_parts() {
        let pause = "pause 50";
        check(
            "do = [{ redacted = 'eA==' }]\npace = 0.05",
            &[
                START,
                pause,
                "ping ",
                pause,
                r#"start "index":0,"content_block":{"data":"eA==","type":"redacted_thinking"}"#,
                pause,
                r#"stop "index":0"#,
                pause,
                END,
                pause,
                "message_stop ",
            ],
        );
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("", None), [""; 0]);
        assert_eq!(cut("short", None), ["short"]);
        assert_eq!(cut(&"é".repeat(100), None), vec!["é".repeat(25); 4]);
        assert_eq!(cut("éa", Some(1)), ["é", "a"]);
    }
}
