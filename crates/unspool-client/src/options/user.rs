//! Who a program runs as.

use std::process::Command;

/// A user and a group, by their numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "there is no more to it")]
pub struct User {
    /// The user.
    pub uid: u32,
    /// The user's group. There are no others then.
    pub gid: u32,
}

impl User {
    /// Starts the command as this user; elsewhere than on Unix there are none.
    pub(super) fn run(self, command: &mut Command) {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.uid(self.uid).gid(self.gid);
        }
        #[cfg(not(unix))]
        let _ = command;
    }
}
