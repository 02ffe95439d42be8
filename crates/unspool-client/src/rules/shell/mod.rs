//! Which commands a line runs, known for certain or not at all.
//!
//! A grammar takes the line apart, and every letter of an accepted line was taken by a production of it: what no
//! production knows makes the whole line one that is not understood. There is no list of tricks to keep up to date. The
//! grammar has only what bash, dash and zsh read in the same way; the tests run what is accepted in all of them. Which of the
//! commands leave the shell as it was is said in [`own`].

mod command;
#[cfg(all(test, unix))]
mod fuzz;
mod own;
mod posix;
mod power;
mod word;

pub(super) use command::{Command, line};
pub(super) use word::{stand_in, words, written};

/// Longer lines are not looked at: nobody types them, and how long it takes to judge a line stays bounded.
pub(super) const LONGEST: usize = 64 * 1024;

/// Whose grammar a line is in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shell {
    Posix,
    Power,
}

impl Shell {
    /// The one that a tool gives its lines to.
    pub(super) fn of(tool: &str) -> Self {
        if tool == "PowerShell" { Shell::Power } else { Shell::Posix }
    }

    /// The commands of a line, at least one, if it is certain that it runs no others.
    pub(super) fn commands(self, line: &str) -> Option<Vec<Command>> {
        if line.len() > LONGEST {
            return None;
        }
        match self {
            Shell::Posix => posix::commands(line),
            Shell::Power => power::commands(line),
        }
    }
}
