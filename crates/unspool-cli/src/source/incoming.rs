//! What is piped in, as it comes: the first line that is known says whether it is a stream, a transcript, or events.

use super::kind::{HEAD, SAMPLE, What, is_clean, is_spread, is_text, known};
use super::{Listener, NoText, recording};
use unspool::journal::{Playback, is_begun, is_journal};
use unspool::line::{DEFAULT_LIMIT, Line, Splitter};
use unspool::transcript::{Cast, Transcript};
use unspool::verdict::FailOn;
use unspool::{Event, Grain, Retelling, Spool};

/// Tells bytes that somebody else reads.
pub(crate) struct Incoming {
    grain: Grain,
    fail_on: FailOn,
    form: Form,
}

enum Form {
    Unknown(Unknown),
    Stream(Box<Spool>),
    Transcript(Splitter, Box<Transcript>),
    Recording(Box<Playback>),
    Events(Splitter, Box<Retelling>),
}

/// Nothing is known yet. Whole lines of text are told all the same: they mean nothing in either.
struct Unknown {
    spool: Box<Spool>,
    /// What is not told yet.
    held: Vec<u8>,
    /// How much is, and as how many events.
    told: usize,
    events: u64,
    /// Something of it is text, and not only white space.
    has_words: bool,
}

impl Incoming {
    pub(crate) fn new(grain: Grain, fail_on: FailOn) -> Self {
        let spool = Box::new(Spool::new(grain).fail_on(fail_on));
        let unknown = Unknown { spool, held: Vec::new(), told: 0, events: 0, has_words: false };
        Incoming { grain, fail_on, form: Form::Unknown(unknown) }
    }

    /// Takes what came `now`, by the clock of whoever reads, if there is one; a transcript has its own times.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        now: Option<u64>,
        listener: &mut dyn Listener,
    ) -> Result<(), NoText> {
        match &mut self.form {
            Form::Unknown(unknown) => {
                unknown.held.extend_from_slice(bytes);
                unknown.set_clock(now);
                let what = unknown.look(|event| listener.event(&event))?;
                self.become_known(what, listener);
            }
            Form::Stream(spool) => {
                now.into_iter().for_each(|now| spool.set_clock(now));
                spool.feed(bytes, |event| listener.event(&event));
            }
            Form::Transcript(splitter, transcript) => {
                splitter.feed(bytes, |line| tell(transcript, line, listener));
            }
            Form::Recording(playback) => playback.feed(bytes, |event| listener.event(&event)),
            Form::Events(splitter, retelling) => {
                splitter.feed(bytes, |line| retelling.step(line, |event| listener.event(&event)));
            }
        }
        Ok(())
    }

    /// There is no more; `cut` if there should be. Returns what it was.
    pub(super) fn end(
        &mut self,
        now: Option<u64>,
        cut: bool,
        listener: &mut dyn Listener,
    ) -> Result<What, NoText> {
        let mut what = None;
        if let Form::Unknown(unknown) = &mut self.form {
            unknown.set_clock(now);
            let found = unknown.end()?;
            what = Some(found);
            self.become_known(Some(found), listener);
        }
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Stream(spool) => {
                what = what.or(Some(What::Stream));
                now.into_iter().for_each(|now| spool.set_clock(now));
                if cut {
                    spool.cut_off();
                }
                spool.finish(|event| listener.event(&event));
            }
            Form::Transcript(splitter, transcript) => {
                what = what.or(Some(What::Transcript));
                splitter.finish(|line| tell(transcript, line, listener));
                if cut {
                    transcript.cut_off();
                }
                transcript.finish(|event| listener.event(&event));
            }
            Form::Recording(playback) => {
                what = what.or(Some(What::Recording));
                if cut {
                    playback.cut_off();
                }
                playback.finish(|event| listener.event(&event));
            }
            Form::Events(splitter, retelling) => {
                what = what.or(Some(What::Events));
                splitter.finish(|line| retelling.step(line, |event| listener.event(&event)));
                if cut {
                    retelling.cut_off();
                }
                retelling.finish(|event| listener.event(&event));
                if retelling.has_split() {
                    listener.had_whole_parts();
                }
            }
        }
        Ok(what.unwrap_or(What::Empty))
    }

    /// Says on standard error what is wrong with a recording; of anything else nothing.
    pub(crate) fn say_faults(&self, name: &str) {
        if let Form::Recording(playback) = &self.form {
            recording::say(name, playback.faults(), playback.entries());
        }
    }

    /// There is no more; `cut` if there should be. What it was is not said.
    pub(crate) fn finish(
        &mut self,
        now: Option<u64>,
        cut: bool,
        listener: &mut dyn Listener,
    ) -> Result<(), NoText> {
        self.end(now, cut, listener).map(drop)
    }

    fn become_known(&mut self, what: Option<What>, listener: &mut dyn Listener) {
        let (Form::Unknown(unknown), Some(what)) = (&mut self.form, what) else { return };
        let held = std::mem::take(&mut unknown.held);
        let mut spool = std::mem::replace(&mut unknown.spool, Box::new(Spool::new(Grain::Blocks)));
        self.form = if what == What::Events {
            let retelling = Retelling::new(self.grain).fail_on(self.fail_on).after(unknown.events);
            let (mut splitter, mut retelling) = (Splitter::new(DEFAULT_LIMIT), Box::new(retelling));
            splitter.feed(&held, |line| retelling.step(line, |event| listener.event(&event)));
            Form::Events(splitter, retelling)
        } else if what == What::Recording {
            let mut playback = Box::new(Playback::new(*spool));
            playback.feed(&held, |event| listener.event(&event));
            Form::Recording(playback)
        } else if what == What::Transcript {
            let mut cast = Cast::default();
            // The model is named behind the first prompt; what has come already may tell it.
            held.split(|&byte| byte == b'\n').for_each(|line| cast.look(line));
            let (mut splitter, transcript) = spool.into_transcript(|event| listener.event(&event));
            let mut transcript = transcript.cast(cast);
            splitter.feed(&held, |line| tell(&mut transcript, line, listener));
            Form::Transcript(splitter, Box::new(transcript))
        } else {
            spool.feed(&held, |event| listener.event(&event));
            Form::Stream(spool)
        };
    }
}

impl Unknown {
    /// Looks at what has come. Tells what is text and says nothing of what it is.
    fn look(&mut self, mut sink: impl FnMut(Event<'_>)) -> Result<Option<What>, NoText> {
        let whole = memchr::memrchr(b'\n', &self.held).map_or(0, |end| end + 1);
        if self.told == 0 && is_journal(&self.held) {
            return Ok(Some(What::Recording));
        }
        if is_spread(&self.held) {
            return Ok(Some(What::Stream));
        }
        if let Some(what) = known(&self.held[..whole], false) {
            return Ok(Some(what));
        }
        if self.told + self.held.len() >= HEAD {
            return if self.has_words || is_text(&self.held) { Ok(Some(What::Stream)) } else { Err(NoText) };
        }
        if is_clean(&self.held[..whole]) || self.has_words {
            self.has_words |= !self.held[..whole].trim_ascii().is_empty();
            self.spool.feed(&self.held[..whole], |event| {
                self.events = event.seq;
                sink(event);
            });
            self.told += whole;
            self.held.drain(..whole);
        } else if self.held.len() >= SAMPLE && !is_text(&self.held) {
            return Err(NoText);
        }
        Ok(None)
    }

    fn end(&self) -> Result<What, NoText> {
        match known(&self.held, true) {
            None if self.told == 0 && is_begun(&self.held) => Ok(What::Recording),
            Some(what) => Ok(what),
            None if !self.has_words && !is_text(&self.held) => Err(NoText),
            None if !self.has_words && self.held.trim_ascii().is_empty() => Ok(What::Empty),
            None => Ok(What::Other),
        }
    }

    fn set_clock(&mut self, now: Option<u64>) {
        now.into_iter().for_each(|now| self.spool.set_clock(now));
    }
}

fn tell(transcript: &mut Transcript, entry: Line<'_>, listener: &mut dyn Listener) {
    listener.entry(None, entry.bytes);
    transcript.step(entry, |event| listener.event(&event));
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"\",\"session_id\":\"s\"}";
    const ENTRIES: &str = "{\"type\":\"user\",\"uuid\":\"1\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"2+2?\"}}\n{\"type\":\"assistant\",\"uuid\":\"2\",\"sessionId\":\"s\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"4\"}],\"stop_reason\":\"end_turn\"}}";

    fn told(bytes: &[u8], piece: usize) -> Result<Vec<(u64, &'static str)>, NoText> {
        let mut incoming = Incoming::new(Grain::Blocks, FailOn::default());
        let mut names = Vec::new();
        let mut see = |event: &Event<'_>| names.push((event.line.unwrap_or(0), event.what.name()));
        for piece in bytes.chunks(piece) {
            incoming.feed(piece, None, &mut see)?;
        }
        incoming.finish(None, false, &mut see)?;
        Ok(names)
    }

    fn story(bytes: &[u8], piece: usize) -> Vec<&'static str> {
        told(bytes, piece).unwrap().into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn the_first_known_line_says_what_it_is_however_it_is_cut() {
        for piece in [1, 7, 1000] {
            let stream = story(STREAM.as_bytes(), piece);
            assert_eq!(stream, ["session_meta", "turn_start", "turn_complete", "finished"]);
            let entries = story(ENTRIES.as_bytes(), piece);
            assert_eq!(entries[1..], ["turn_start", "user_text", "text", "turn_complete", "finished"]);
            let list = format!("[\n{}\n]", STREAM.replace('\n', ",\n"));
            assert_eq!(story(list.as_bytes(), piece), stream);
            let events: Vec<_> =
                Spool::read(Grain::Deltas, STREAM.as_bytes()).iter().map(Event::to_json).collect();
            assert_eq!(story(events.join("\n").as_bytes(), piece), stream);
            let late = format!("Warning: x\n{}", events.join("\n"));
            assert_eq!(story(late.as_bytes(), piece)[1..], stream);
            assert_eq!(story(b"Warning: x", piece), ["malformed", "finished"]);
            assert_eq!(story(b"", piece), ["finished"]);
        }
    }

    #[test]
    fn words_before_it_are_told_and_decide_nothing() {
        for piece in [1, 7, 1000] {
            let late = told(format!("Warning: x\n{{\"a\":1}}\n{ENTRIES}").as_bytes(), piece).unwrap();
            let expected =
                [(1, "malformed"), (2, "unknown"), (3, "session_meta"), (3, "turn_start"), (3, "user_text")];
            assert_eq!(late[..5], expected, "in pieces of {piece}");
        }
        let mut incoming = Incoming::new(Grain::Blocks, FailOn::default());
        let mut names = Vec::new();
        let mut see = |event: &Event<'_>| names.push(event.what.name());
        incoming.feed(b"Warning: x\nand", None, &mut see).unwrap();
        assert_eq!(names, ["malformed"], "nobody waits for what may never come");
    }

    #[test]
    fn what_is_no_text_is_not_told() {
        let noise: Vec<u8> = (0..9000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
        for piece in [100, 9000] {
            assert!(told(&noise, piece).is_err() && told(b"\x89PNG\r\n\x1a\n\0\0\0\r", piece).is_err());
        }
        assert_eq!(story(b"words \xff and\n", 3), ["malformed", "finished"]);
    }
}
