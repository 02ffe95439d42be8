//! Bytes in, events out: lines, wire and translator in one value.

use crate::event::Event;
use crate::line::{Line, Lines, Splitter};
use crate::transcript::Transcript;
use crate::translate::{Grain, Translator};
use crate::verdict::{Beside, FailOn};

/// Reads one stream.
///
/// ```
/// use unspool::{Grain, Spool};
///
/// let mut spool = Spool::new(Grain::Blocks);
/// let mut story = Vec::new();
/// let line = br#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Hello"}]}}"#;
/// spool.feed(line, |event| story.push(event.to_string()));
/// spool.feed(b"\n", |event| story.push(event.to_string()));
/// assert_eq!(story[1], r#"text "content":"Hello""#);
/// ```
#[derive(Debug)]
pub struct Spool {
    lines: Lines,
    translator: Translator,
}

impl Spool {
    /// Tells parts in this grain.
    #[must_use]
    pub fn new(grain: Grain) -> Self {
        Spool { lines: Lines::default(), translator: Translator::new(grain) }
    }

    /// Lines may be so many bytes long; a longer one is told as malformed.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.lines = Lines::new(bytes);
        self
    }

    /// Says what else counts as a failure.
    #[must_use]
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.translator = self.translator.fail_on(fail_on);
        self
    }

    /// Takes no short cuts; see [`Translator::careful`].
    #[must_use]
    pub fn careful(mut self) -> Self {
        self.translator = self.translator.careful();
        self
    }

    /// It is now so many milliseconds since the stream began. Events bear it, and durations are taken
    /// from it.
    pub fn set_clock(&mut self, milliseconds: u64) {
        self.translator.set_clock(milliseconds);
    }

    /// Takes the next bytes, cut anywhere; hands on what they add, in order.
    pub fn feed(&mut self, bytes: &[u8], sink: impl FnMut(Event<'_>)) {
        self.feed_and_show(bytes, |_| {}, sink);
    }

    /// Takes the next bytes as [`feed`](Self::feed) does, and shows each line before it is told: for a host that answers
    /// Claude Code's control requests.
    pub fn feed_and_show(
        &mut self,
        bytes: &[u8],
        show: impl FnMut(Line<'_>),
        mut sink: impl FnMut(Event<'_>),
    ) {
        let Spool { lines, translator } = self;
        lines.feed(bytes, show, |line| translator.step(line, &mut sink));
    }

    /// A line was written to Claude Code; see [`Translator::wrote`].
    pub fn wrote(&mut self, line: &str, mut sink: impl FnMut(Event<'_>)) {
        self.translator.wrote(line, &mut sink);
    }

    /// The stream has ended: shows the line behind the last newline, if there is one, and hands on what it adds.
    /// [`finish`](Self::finish) does so too; this is for a driver that has something to tell in between.
    pub fn end_line(&mut self, show: impl FnMut(Line<'_>), mut sink: impl FnMut(Event<'_>)) {
        let Spool { lines, translator } = self;
        lines.end_line(show, |line| translator.step(line, &mut sink));
    }

    /// The stream has ended: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, mut sink: impl FnMut(Event<'_>)) {
        let Spool { lines, translator } = self;
        lines.finish(|line| translator.step(line, &mut sink));
        translator.finish(&mut sink);
    }

    /// What is known of the end beside the stream, to be said before [`finish`](Self::finish).
    pub fn beside(&mut self, beside: Beside) {
        self.translator.beside(beside);
    }

    /// What was read is not all that was there, as of a compressed file that was cut; see [`Translator::cut_off`].
    pub fn cut_off(&mut self) {
        self.translator.cut_off();
    }

    /// Some of the stream is not there; see [`Translator::incomplete`].
    pub fn incomplete(&mut self, why: String) {
        self.translator.incomplete(why);
    }

    /// It turned out to be a transcript: what comes next are its entries. Returns what cuts them into lines, and what
    /// tells them.
    pub fn into_transcript(mut self, mut sink: impl FnMut(Event<'_>)) -> (Splitter, Transcript) {
        let splitter = self.lines.into_splitter(|line| self.translator.step(line, &mut sink));
        (splitter, Transcript::of(self.translator))
    }

    /// All events of a stream that is at hand whole.
    #[must_use]
    pub fn read(grain: Grain, bytes: &[u8]) -> Vec<Event<'static>> {
        let mut events = Vec::new();
        let mut spool = Spool::new(grain);
        spool.feed(bytes, |event| events.push(event.into_owned()));
        spool.finish(|event| events.push(event.into_owned()));
        events
    }
}
