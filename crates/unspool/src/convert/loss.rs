//! What is lost, in words.

use std::fmt;

/// Something that stands in one form of a session, and not in the form that is made of it.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Loss {
    /// When everything was.
    Times,
    /// So many lines that were written to Claude Code.
    Written(u64),
    /// So many lines that were written to Claude Code, of which what events tell is kept.
    WrittenInPart(u64),
    /// So many lines of standard error.
    Errors(u64),
    /// What was started, and where.
    Start,
    /// The program was started again so many times.
    Restarts(u64),
    /// How the program ended, in words.
    Exit(String),
    /// Why it was ended, in words: the verdict may be another without it.
    Ended(String),
    /// Some of it is missing, and the new form cannot say so. The first thing that is wrong.
    Damage(String),
    /// So many lines or entries, of which what events tell is kept.
    Lines(u64),
    /// So many lines by which parts grew.
    Pieces(u64),
    /// So many lines of sub-agents.
    Agents(u64),
    /// So many results of turns, with their figures.
    Results(u64),
    /// So many lines that are about other things than what was said.
    Others(u64),
    /// The session was resumed: what was said before is not there.
    Before,
    /// So many prompts that no turn has taken up.
    Prompts(u64),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |number: u64| count(number, "line");
        match self {
            Loss::Times => f.write_str("times"),
            Loss::Written(number) => write!(f, "what was written to Claude Code: {}", lines(*number)),
            Loss::WrittenInPart(number) => {
                let number = lines(*number);
                write!(f, "what was written to Claude Code, but for prompts and decisions: {number}")
            }
            Loss::Errors(number) => write!(f, "standard error: {}", lines(*number)),
            Loss::Start => f.write_str("what was started, and where"),
            Loss::Restarts(number) => {
                write!(f, "that the program was started again: {}", count(*number, "time"))
            }
            Loss::Exit(how) => write!(f, "how the program ended: {how}"),
            Loss::Ended(why) => write!(f, "why it was ended: {why}"),
            Loss::Damage(fault) => write!(f, "that some of it is missing: {fault}"),
            Loss::Lines(number) => write!(f, "the lines as they came: {}", lines(*number)),
            Loss::Pieces(number) => write!(f, "the grain of deltas: {}", lines(*number)),
            Loss::Agents(number) => write!(f, "what sub-agents said and did: {}", lines(*number)),
            Loss::Results(number) => write!(f, "how turns ended, and what they cost: {}", lines(*number)),
            Loss::Others(number) => write!(f, "what else was told: {}", lines(*number)),
            Loss::Before => f.write_str("what was said before: the session was resumed"),
            Loss::Prompts(number) => write!(f, "what no turn has taken up: {}", count(*number, "prompt")),
        }
    }
}

fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
