//! What is looked for in a line before it is read.

use memchr::memmem;

/// A name of the wire, to be looked for in lines that need not be read if they do not mention it.
///
/// What mentions a name may do so in any place, or in words that somebody quotes. What does not has no field of this name, and no field
/// that holds it: no version of Claude Code escapes letters of names.
///
/// ```
/// use unspool::wire::{EntryHead, Mention};
///
/// static FOLDER: Mention = Mention::of(EntryHead::NAMES.cwd);
/// assert!(FOLDER.is_in(br#"{"type":"user","cwd":"/work"}"#));
/// assert!(!FOLDER.is_in(br#"{"type":"user","message":{"content":"my cwd"}}"#));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mention {
    text: [u8; LONGEST],
    length: usize,
}

/// Names have at most so many bytes, with their quotes.
const LONGEST: usize = 64;

impl Mention {
    /// Mentions of this name; one that is too long does not compile in a `const`, and panics elsewhere.
    #[must_use]
    pub const fn of(name: &str) -> Self {
        let name = name.as_bytes();
        let mut text = [b'"'; LONGEST];
        let mut at = 0;
        while at < name.len() {
            text[at + 1] = name[at];
            at += 1;
        }
        assert!(name.len() + 2 <= LONGEST, "the name is too long");
        Mention { text, length: name.len() + 2 }
    }

    /// The name between its quotes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..self.length]
    }

    /// Whether the line mentions it.
    #[must_use]
    pub fn is_in(&self, line: &[u8]) -> bool {
        memmem::find(line, self.as_bytes()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_mentioned_between_its_quotes() {
        for (line, is_in) in
            [(r#"{"a_b":1}"#, true), (r#"["a_b"]"#, true), (r#"{"a_bc":"a_b "}"#, false), ("", false)]
        {
            assert_eq!(Mention::of("a_b").is_in(line.as_bytes()), is_in, "{line}");
        }
    }

    #[test]
    fn the_longest_name_has_room() {
        let name = "x".repeat(LONGEST - 2);
        assert_eq!(Mention::of(&name).as_bytes(), format!("\"{name}\"").as_bytes());
    }
}
