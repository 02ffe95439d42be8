//! What the user says.

use unspool::wire::input::UserInput;

/// What to say to Claude Code: words, or a message made with [`input`](unspool::wire::input).
#[derive(Clone, Debug)]
pub struct Prompt(pub(crate) UserInput);

impl From<&str> for Prompt {
    fn from(words: &str) -> Self {
        Prompt(unspool::wire::input::user(words))
    }
}

impl From<String> for Prompt {
    fn from(words: String) -> Self {
        words.as_str().into()
    }
}

impl From<&String> for Prompt {
    fn from(words: &String) -> Self {
        words.as_str().into()
    }
}

impl From<UserInput> for Prompt {
    fn from(message: UserInput) -> Self {
        Prompt(message)
    }
}
