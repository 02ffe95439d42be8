//! Calls that are wrong in a way that only the command itself can tell.

use std::fmt;

/// The program was called wrongly: exit code 2.
#[derive(Debug)]
pub(crate) struct WrongCall(String);

impl WrongCall {
    pub(crate) fn new(why: impl fmt::Display) -> Self {
        WrongCall(why.to_string())
    }
}

impl fmt::Display for WrongCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\nFor more information, try '--help'.", self.0)
    }
}

impl std::error::Error for WrongCall {}
