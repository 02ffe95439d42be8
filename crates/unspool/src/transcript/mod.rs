//! Sessions as Claude Code keeps them on disk: entries in, events out, the same as a stream's.
//!
//! A session is a main file, `<session>.jsonl`, and a file for each of its sub-agents: `agent-<id>.jsonl` in
//! `<session>/subagents/`, or beside the main file (CLI 2.0), or in it (CLI 1.0). [`Merge`] says which line of which
//! file is next, [`Transcript`] tells it. [`conversation()`] is what a session that goes on goes on from.
//!
//! ```
//! use unspool::{Grain, transcript::Transcript};
//!
//! let main = br#"{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"2+2?"}}
//! {"type":"assistant","uuid":"2","sessionId":"s","message":{"id":"m","content":[{"type":"text","text":"4"}],"stop_reason":"end_turn"}}
//! "#;
//! let events = Transcript::read(Grain::Blocks, main, &[]);
//! let story: Vec<_> = events.iter().map(|event| event.what.name()).collect();
//! assert_eq!(story, ["session_meta", "turn_start", "user_text", "text", "turn_complete", "finished"]);
//! ```
//!
//! What differs from the stream of the same session:
//!
//! * `line` is the line of the entry in its own file.
//! * Prompts are told, as `user_text`. Tasks, hooks and states that were not written down are not told.
//! * A turn begins with a prompt. It is complete when its last message asks for no tool, and told so when the next
//!   prompt or the end of the file shows that it was the last. A turn that was left in the middle has no
//!   `turn_complete`, and is `merged` into the next; if it is the last one, the verdict is `truncated`.
//! * `usage` is told when its message is over, with the highest figures of its lines. A turn's `usage` and `models`
//!   are the sums of its messages (note `summed_from_messages`), its `duration_ms` is that of its entries
//!   (`from_timestamps`).
//! * Money is told where the CLI wrote it down: by message (`costUSD`), or when the CLI ended (`cost-state`), then
//!   with the last turn before it, for all turns since the last such record (`includes_earlier_turns`).
//! * `at` is taken from the entries' times.
//! * Branches that were left, by a rewind for example, are told like everything else, in the order of the file:
//!   they happened, and they were paid for.
//! * A file may have copies of another session's entries, after a fork. They are told, under the id of the session
//!   whose file it is. Whoever adds up several files counts each `message_id` of `usage` once.

mod conversation;
mod ends;
mod form;
mod merge;
mod project;
mod typed;

pub use crate::translate::{Advice, Cast, Expense, Figure, Figures, Totals, milliseconds};
pub use conversation::{Spoken, conversation, conversation_with_system};
pub(crate) use ends::INTERRUPTED;
pub use ends::ends_turn;
pub use form::Form;
pub use merge::Merge;
pub use project::{LONGEST_PROJECT, project_name};
pub use typed::typed;

use crate::event::Event;
use crate::line::{DEFAULT_LIMIT, Line, Splitter};
use crate::translate::{Book, Grain, Translator};
use crate::verdict::FailOn;

/// Tells the entries of one session.
#[derive(Debug)]
pub struct Transcript {
    translator: Translator,
    book: Book,
}

impl Transcript {
    /// Tells parts in this grain.
    #[must_use]
    pub fn new(grain: Grain) -> Self {
        Transcript::of(Translator::new(grain))
    }

    pub(crate) fn of(translator: Translator) -> Self {
        Transcript { translator, book: Book::default() }
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

    /// The session whose file it is, which all events then bear.
    #[must_use]
    pub fn session(mut self, id: impl Into<String>) -> Self {
        self.book.of_session(id.into());
        self
    }

    /// Says what is known of the agents beforehand.
    #[must_use]
    pub fn cast(mut self, cast: Cast) -> Self {
        self.book.with_cast(cast);
        self
    }

    /// Takes the next line, of whichever file; hands on what it adds, in order.
    pub fn step(&mut self, line: Line<'_>, mut sink: impl FnMut(Event<'_>)) {
        self.translator.step_entry(line, &mut self.book, &mut sink);
    }

    /// The file of an agent has ended. An agent that no call has started ends with it.
    pub fn end_agent(&mut self, agent: &str, mut sink: impl FnMut(Event<'_>)) {
        self.translator.end_entries(agent, &mut self.book, &mut sink);
    }

    /// What was read is not all that was there; see [`Translator::cut_off`].
    pub fn cut_off(&mut self) {
        self.translator.cut_off();
    }

    /// All files have ended: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, mut sink: impl FnMut(Event<'_>)) {
        self.translator.finish_entries(&mut self.book, &mut sink);
    }

    /// All events of a session that is at hand whole: its main file, and those of its agents with their ids.
    pub fn read(grain: Grain, main: &[u8], agents: &[(&str, &[u8])]) -> Vec<Event<'static>> {
        let mut cast = Cast::default();
        main.split(|&byte| byte == b'\n').for_each(|line| cast.look(line));
        let mut transcript = Transcript::new(grain).cast(cast);
        let mut events = Vec::new();
        let mut sink = |event: Event<'_>| events.push(event.into_owned());
        let files = [main].into_iter().chain(agents.iter().map(|(_, file)| *file)).map(lines);
        let mut files: Vec<_> = files.map(|lines| lines.into_iter().peekable()).collect();
        let mut merge = Merge::new();
        for (at, file) in files.iter_mut().enumerate() {
            file.peek().into_iter().for_each(|line| merge.push(at, &line.2));
        }
        while let Some(at) = merge.pop() {
            if let Some((number, end, bytes)) = files[at].next() {
                transcript.step(Line::whole(number, &bytes, end), &mut sink);
            }
            match files[at].peek() {
                Some(line) => merge.push(at, &line.2),
                None if at > 0 => transcript.end_agent(agents[at - 1].0, &mut sink),
                None => {}
            }
        }
        transcript.finish(sink);
        events
    }
}

/// The lines of a file, with their numbers and ends.
fn lines(file: &[u8]) -> Vec<(u64, crate::line::End, Vec<u8>)> {
    let mut lines = Vec::new();
    let mut splitter = Splitter::new(DEFAULT_LIMIT);
    let mut take = |line: Line<'_>| lines.push((line.number, line.end, line.bytes.to_vec()));
    splitter.feed(file, &mut take);
    splitter.finish(take);
    lines
}
