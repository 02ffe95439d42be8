//! What somebody typed.

use crate::translate::{is_typed, tagged};
use std::borrow::Cow;

/// What the user typed, by the text of the message: a command is wrapped in marks, and what it printed was not typed.
#[must_use]
pub fn typed(words: &str) -> Option<Cow<'_, str>> {
    if !is_typed(words) {
        return None;
    }
    let part = |name| tagged(words, name).map(str::trim);
    let words = match part("command-name").filter(|_| words.starts_with("<command-")) {
        Some(command) => {
            let whole = format!("{command} {}", part("command-args").unwrap_or_default());
            Cow::Owned(whole.trim().to_owned())
        }
        None => Cow::Borrowed(words.trim()),
    };
    Some(words).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn a_prompt_is_what_was_typed() {
        let command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the parser</command-args>";
        assert_eq!(typed(command).as_deref(), Some("/review the parser"));
        assert_eq!(typed("<command-name>/init</command-name>").as_deref(), Some("/init"));
        assert_eq!(typed("<local-command-stdout>Compacted</local-command-stdout>"), None);
        assert_eq!(typed(" What is <command-name>?\n").as_deref(), Some("What is <command-name>?"));
        assert_eq!(typed(" \n"), None);
        assert_eq!(typed("[Request interrupted by user for tool use]"), None);
        assert_eq!(typed("<task-notification>done</task-notification>"), None);
    }
}
