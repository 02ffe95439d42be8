//! What a host did otherwise than when it was recorded, in words.

use super::same::Difference;
use std::fmt;

/// What a host did otherwise. Printed, it has several lines, and ends without a line feed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Deviation {
    /// A line says something else.
    Differs {
        /// The entry of the recording.
        entry: u64,
        /// Where they first differ.
        at: Difference,
        /// The recorded line.
        expected: String,
        /// The line that came.
        came: String,
    },
    /// The recording has no such line, or none is left.
    Unexpected {
        /// The line that came.
        came: String,
        /// What the recording waits for, if it waits.
        waits: Option<Waits>,
    },
    /// The recording has this line, but only behind another that has not come.
    TooSoon {
        /// Its entry of the recording.
        entry: u64,
        /// The line that came.
        came: String,
        /// What the recording waits for before.
        waits: Waits,
    },
    /// A request of a kind that no version of Claude Code knows. It is refused as Claude Code does it.
    Unknown {
        /// What it asks for.
        subtype: String,
        /// The line that came.
        came: String,
    },
    /// An answer to a question that nobody has asked.
    Unasked {
        /// The id that it names.
        id: String,
        /// The line that came.
        came: String,
        /// What the recording waits for, if it waits.
        waits: Option<Waits>,
    },
    /// A second answer to one question.
    Answered {
        /// The id that it names.
        id: String,
        /// The line that came.
        came: String,
    },
    /// A line that is not JSON.
    Unreadable {
        /// Why not.
        why: String,
        /// The line that came.
        came: String,
        /// What the recording waits for, if it waits.
        waits: Option<Waits>,
    },
    /// The input was closed, though more was to come.
    Closed {
        /// What the recording waits for.
        waits: Waits,
    },
    /// A request has not come, though the host has gone on long ago.
    Skipped {
        /// What the recording waits for.
        waits: Waits,
        /// An entry behind it, which the host has said.
        heard: u64,
    },
    /// An argument of the program is another, or what the host asks for when it begins.
    Argument {
        /// The flag, or `prompt`, or a field of `initialize`.
        name: String,
        /// What the recording has; nothing if it has no such flag. A flag without a value is empty.
        expected: Option<String>,
        /// What came.
        came: Option<String>,
    },
}

/// What a recording waits for.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Waits {
    /// The entry.
    pub entry: u64,
    /// The recorded line.
    pub line: String,
}

/// Longer lines are shown by their beginning.
const SHOWN: usize = 400;

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deviation::Differs { entry, at, expected, came } => {
                writeln!(f, "the host says something else than the recording does (entry {entry})")?;
                if !at.path.is_empty() {
                    writeln!(f, "  where:    {}", at.path)?;
                }
                writeln!(f, "  expected: {}", value(at.expected.as_deref()))?;
                write!(f, "  came:     {}", value(at.came.as_deref()))?;
                // The whole is there already.
                if at.path.is_empty() {
                    Ok(())
                } else {
                    write!(f, "\n  recorded: {}\n  line:     {}", clip(expected), clip(came))
                }
            }
            Deviation::Unexpected { came, waits } => {
                write!(
                    f,
                    "the host says something that the recording does not have\n  line:     {}",
                    clip(came)
                )?;
                tell(f, waits.as_ref())
            }
            Deviation::TooSoon { entry, came, waits } => {
                write!(
                    f,
                    "the host says too soon what the recording has in entry {entry}\n  line:     {}",
                    clip(came)
                )?;
                tell(f, Some(waits))
            }
            Deviation::Unknown { subtype, came } => {
                write!(
                    f,
                    "the host asks for `{subtype}`, which Claude Code does not know\n  line:     {}",
                    clip(came)
                )
            }
            Deviation::Unasked { id, came, waits } => {
                write!(f, "the host answers `{id}`, which nobody has asked\n  line:     {}", clip(came))?;
                tell(f, waits.as_ref())
            }
            Deviation::Answered { id, came } => {
                write!(f, "the host answers `{id}` a second time\n  line:     {}", clip(came))
            }
            Deviation::Unreadable { why, came, waits } => {
                write!(f, "the host writes a line that is not JSON: {why}\n  line:     {}", clip(came))?;
                tell(f, waits.as_ref())
            }
            Deviation::Closed { waits } => {
                f.write_str("the host has closed the input, and the recording goes on")?;
                tell(f, Some(waits))
            }
            Deviation::Skipped { waits, heard } => {
                write!(f, "the host has said entry {heard}, and never what the recording has before it")?;
                tell(f, Some(waits))
            }
            Deviation::Argument { name, expected, came } => {
                let shown = |value: &Option<String>| match value.as_deref() {
                    None => "not given".to_owned(),
                    Some("") => "given".to_owned(),
                    Some(value) => format!("`{}`", clip(value)),
                };
                write!(f, "{name}: {} in the recording, {} here", shown(expected), shown(came))
            }
        }
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.entry, clip(&self.line))
    }
}

fn tell(f: &mut fmt::Formatter<'_>, waits: Option<&Waits>) -> fmt::Result {
    match waits {
        Some(waits) => write!(f, "\n  expected: {waits}"),
        None => write!(f, "\n  expected: nothing more"),
    }
}

fn value(value: Option<&str>) -> String {
    value.map_or("nothing".into(), clip)
}

/// The beginning of a text, in one line that steers no terminal.
fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(SHOWN).map(tame).collect();
    if clipped.len() < text.len() && text.chars().nth(SHOWN).is_some() {
        clipped.push_str(" …");
    }
    clipped
}

fn tame(letter: char) -> char {
    if letter.is_control() { '\u{fffd}' } else { letter }
}
