//! What is piped in, as it comes: its first line says whether it is a stream or a transcript.

use super::open::{What, judge};
use unspool::line::{DEFAULT_LIMIT, Splitter};
use unspool::transcript::{Cast, Transcript};
use unspool::verdict::FailOn;
use unspool::{Event, Grain, Spool};

/// Tells bytes that somebody else reads.
pub(crate) struct Incoming {
    grain: Grain,
    fail_on: FailOn,
    form: Form,
}

enum Form {
    /// The beginning of the first line.
    Unknown(Vec<u8>),
    Stream(Box<Spool>),
    Transcript(Splitter, Box<Transcript>),
}

impl Incoming {
    pub(crate) fn new(grain: Grain, fail_on: FailOn) -> Self {
        Incoming { grain, fail_on, form: Form::Unknown(Vec::new()) }
    }

    /// Takes what came `now`, by the clock of whoever reads; a transcript has its own times.
    pub(crate) fn feed(&mut self, bytes: &[u8], now: u64, mut sink: impl FnMut(Event<'_>)) {
        match &mut self.form {
            Form::Unknown(head) => {
                head.extend_from_slice(bytes);
                if let Some(what) = judge(head, false, true) {
                    let head = std::mem::take(head);
                    self.begin(what, &head);
                    self.feed(&head, now, sink);
                }
            }
            Form::Stream(spool) => {
                spool.set_clock(now);
                spool.feed(bytes, sink);
            }
            Form::Transcript(splitter, transcript) => {
                splitter.feed(bytes, |line| transcript.step(line, &mut sink));
            }
        }
    }

    /// There is no more.
    pub(crate) fn finish(&mut self, now: u64, mut sink: impl FnMut(Event<'_>)) {
        if let Form::Unknown(head) = &mut self.form {
            let head = std::mem::take(head);
            let what = judge(&head, true, true).unwrap_or(What::Neither);
            self.begin(what, &head);
            self.feed(&head, now, &mut sink);
        }
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Stream(spool) => {
                spool.set_clock(now);
                spool.finish(sink);
            }
            Form::Transcript(splitter, transcript) => {
                splitter.finish(|line| transcript.step(line, &mut sink));
                transcript.finish(sink);
            }
        }
    }

    fn begin(&mut self, what: What, head: &[u8]) {
        self.form = match what {
            What::Transcript => {
                let mut cast = Cast::default();
                // The model is named behind the first prompt; what has come already may tell it.
                head.split(|&byte| byte == b'\n').for_each(|line| cast.look(line));
                let transcript = Transcript::new(self.grain).fail_on(self.fail_on).cast(cast);
                Form::Transcript(Splitter::new(DEFAULT_LIMIT), Box::new(transcript))
            }
            What::Stream | What::Neither => {
                Form::Stream(Box::new(Spool::new(self.grain).fail_on(self.fail_on)))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"\",\"session_id\":\"s\"}";
    const ENTRIES: &str = "{\"type\":\"user\",\"uuid\":\"1\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"2+2?\"}}\n{\"type\":\"assistant\",\"uuid\":\"2\",\"sessionId\":\"s\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"4\"}],\"stop_reason\":\"end_turn\"}}";

    fn story(bytes: &[u8], piece: usize) -> Vec<&'static str> {
        let mut incoming = Incoming::new(Grain::Blocks, FailOn::default());
        let mut names = Vec::new();
        for piece in bytes.chunks(piece) {
            incoming.feed(piece, 0, |event| names.push(event.what.name()));
        }
        incoming.finish(0, |event| names.push(event.what.name()));
        names
    }

    #[test]
    fn the_first_line_says_what_it_is_however_it_is_cut() {
        for piece in [1, 7, 1000] {
            let stream = story(STREAM.as_bytes(), piece);
            assert_eq!(stream, ["session_meta", "turn_start", "turn_complete", "finished"]);
            let entries = story(ENTRIES.as_bytes(), piece);
            assert_eq!(entries[1..], ["turn_start", "user_text", "text", "turn_complete", "finished"]);
            assert_eq!(story(b"Warning: x", piece), ["malformed", "finished"]);
            assert_eq!(story(b"", piece), ["finished"]);
        }
    }
}
