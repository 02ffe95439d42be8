//! What happens around a session, as a journal notes it.

use crate::json::Str;
use crate::verdict::{Beside, Cut};
use crate::wire::declare::{choice, writable};

choice! {
    /// What happened around a session.
    pub enum Note as NoteKind by "note" {
        "begin" => Begin,
        "start" => Start,
        "closed" => Closed,
        "end" => Finish,
    }
}

writable! {
    /// The first entry of each journal: what was started, where and when.
    pub struct Begin: note "begin" {
        /// The [version of the format](super::FORMAT).
        format: u64,
        /// Who wrote it, and which version: `unspool 0.1.0`.
        writer: Str,
        /// The session, where it is known beforehand.
        session: Str,
        /// The machine's name.
        machine: Str,
        /// What stands next to the session: `driver`, `tee`, `pipe`, `hooks`, `transcript`, `converted`.
        source: Str,
        /// What was started: the program and its arguments.
        argv: [Str],
        /// In which folder.
        cwd: Str,
        /// The version of the program, where somebody asked it.
        version: Str,
        /// When, by the clock on the wall: `2026-11-18T21:14:16.123Z`. Times of entries are milliseconds since then.
        time: Str,
        /// Nobody knows when anything was: the times of the entries say nothing.
        untimed: bool,
    }

    /// A program was started again, and goes on with the session.
    pub struct Start: note "start" {
        /// The program and its arguments.
        argv: [Str],
        /// In which folder.
        cwd: Str,
        /// The version of the program, where somebody asked it.
        version: Str,
    }

    /// Nothing more goes this way until a program is started again.
    pub struct Closed: note "closed" {
        /// `in`, `out` or `err`.
        way: Str,
    }

    /// How a program ended: the last entry of each journal, unless a program is started again.
    pub struct Finish: note "end" {
        /// The code that the program exited with.
        code: u64,
        /// The signal that ended it.
        signal: u64,
        /// Why it was ended: `hung`, `over_budget`, … ([`Cut`](crate::verdict::Cut)).
        cut: Str,
        /// Why it was ended, in words.
        why: Str,
        /// Why the last structured answer does not fit its schema.
        unfit: Str,
        /// What was at work when the program ended by itself.
        left: Str,
    }
}

impl<'a> Finish<'a> {
    /// A program ended with this code or by this signal, and this is known beside it.
    #[must_use]
    pub fn of(code: Option<i32>, signal: Option<i32>, beside: &'a Beside) -> Self {
        let number = |number: Option<i32>| number.and_then(|number| u64::try_from(number).ok());
        let mut end = Finish::default();
        (end.code, end.signal) = (number(code), number(signal));
        end.cut = beside.cut.as_ref().map(|cut| cut.name().into());
        end.why = beside.cut.as_ref().map(|cut| cut.why().into());
        end.unfit = beside.unfit.as_deref().map(Into::into);
        end.left = beside.left.as_deref().map(Into::into);
        end
    }

    /// What it says that the verdict needs to know.
    #[must_use]
    pub fn beside(&self) -> Beside {
        let words = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        let known = Beside::new().unfit(words(self.unfit)).left(words(self.left));
        let cut = self.cut.and_then(|name| Cut::of(&name.decode(), words(self.why).unwrap_or_default()));
        cut.into_iter().fold(known, Beside::cut)
    }
}
