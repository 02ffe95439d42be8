//! Who a program runs as.

use std::process::Command;
use std::{fs, io};

/// A user and a group, by their numbers; [`User::named`] knows those of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "there is no more to it")]
pub struct User {
    /// The user.
    pub uid: u32,
    /// The user's group. There are no others then.
    pub gid: u32,
}

impl User {
    /// The user of this name, as `/etc/passwd` has it, or of this number. Users that a directory service knows are not found; they
    /// have numbers, too (`id -u NAME`, `id -g NAME`).
    ///
    /// ```no_run
    /// # fn show() -> std::io::Result<()> {
    /// use unspool_client::Options;
    /// use unspool_client::options::User;
    ///
    /// let options = Options::new().user(User::named("nobody")?);
    /// # drop(options);
    /// # Ok(())
    /// # }
    /// ```
    pub fn named(name: &str) -> io::Result<Self> {
        let users = fs::read_to_string("/etc/passwd")?;
        User::among(&users, name)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("there is no user {name}")))
    }

    fn among(users: &str, name: &str) -> Option<Self> {
        let users = users.lines().filter_map(|line| {
            let mut fields = line.split(':');
            let known = fields.next()?;
            let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((known, User { uid, gid }))
        });
        let users: Vec<_> = users.collect();
        let by_name = users.iter().find(|(known, _)| *known == name);
        let number = || users.iter().find(|(_, user)| name.parse() == Ok(user.uid));
        by_name.or_else(number).map(|(_, user)| *user)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_found_by_name_and_by_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\n# no user\n\nbad:x:no:1::/:\n12:x:7:8::/:\nme:x:1000:100:Me:/home/me:/bin/sh";
        for (name, wanted) in [
            ("root", Some((0, 0))),
            ("me", Some((1000, 100))),
            ("1000", Some((1000, 100))),
            // A name comes before a number.
            ("12", Some((7, 8))),
            ("bad", None),
            ("nobody", None),
            ("", None),
            ("-1", None),
        ] {
            let found = User::among(users, name).map(|user| (user.uid, user.gid));
            assert_eq!(found, wanted, "{name}");
        }
    }
}
