//! A program that is started before anybody knew what for.

use crate::error::Failed;
use crate::{Error, Session};
use std::path::Path;
use unspool::control::Refusal;

/// A program that has started, with its tools, plugins and servers, and waits to be told in which folder it is to work.
/// From [`Claude::prewarm`](crate::Claude::prewarm).
///
/// Dropping it ends it.
#[derive(Debug)]
pub struct Spare {
    session: Session,
}

impl Spare {
    pub(crate) fn new(session: Session) -> Self {
        Spare { session }
    }

    /// Whether the program still runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.session.is_running()
    }

    /// A session in this folder. Claude Code 2.1.325 refuses some, such as one that does not exist, or whose project settings have
    /// `env`, `agent` or `model`: [`Error::NotStarted`] says why, and [`Claude::session`](crate::Claude::session) with
    /// [`Options::cwd`](crate::Options::cwd) is the way for those.
    pub async fn claim(self, folder: impl AsRef<Path>) -> Result<Session, Error> {
        let folder = folder.as_ref();
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let Some(words) = folder.to_str() else {
            return Err(not_started("the name of the folder is not UTF-8".to_owned()));
        };
        match self.session.controls().claim_session(words).await {
            Ok(_) => Ok(self.session),
            Err(Refusal::Closed) => Err(self.session.unanswered()),
            Err(refusal) => Err(not_started(refusal.to_string())),
        }
    }
}

fn not_started(text: String) -> Error {
    Error::NotStarted(Box::new(Failed { text, ..Failed::default() }))
}
