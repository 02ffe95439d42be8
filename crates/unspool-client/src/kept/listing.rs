//! Which sessions are wanted.

use super::page::Page;
use std::path::PathBuf;

/// Which sessions are wanted, on disk or of a store: all of them, unless it says otherwise. The one that was written to last comes first,
/// and each comes once, though it be kept in two projects.
///
/// ```no_run
/// use unspool_client::kept::{KeptSessions, Listing};
///
/// let second_page = Listing::new().project(".").offset(20).limit(20);
/// for session in KeptSessions::new()?.list(&second_page)? {
///     println!("{} {:?}", session.id(), session.about()?.best());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Listing {
    pub(crate) project: Option<PathBuf>,
    pub(crate) worktrees: bool,
    page: Page,
}

impl Default for Listing {
    fn default() -> Self {
        Listing { project: None, worktrees: true, page: Page::default() }
    }
}

impl Listing {
    /// All sessions.
    #[must_use]
    pub fn new() -> Self {
        Listing::default()
    }

    /// Only those of a project, which is the folder that Claude Code worked in, here or on another machine.
    #[must_use]
    pub fn project(mut self, folder: impl Into<PathBuf>) -> Self {
        self.project = Some(folder.into());
        self
    }

    /// Whether those of a project are also those of the other worktrees of its git repository, which they are unless this says
    /// otherwise. Of a store they never are: what it has may come from another machine.
    #[must_use]
    pub fn worktrees(mut self, worktrees: bool) -> Self {
        self.worktrees = worktrees;
        self
    }

    /// Leaves out so many of the first.
    #[must_use]
    pub fn offset(mut self, sessions: usize) -> Self {
        self.page.offset = sessions;
        self
    }

    /// Takes at most so many.
    #[must_use]
    pub fn limit(mut self, sessions: usize) -> Self {
        self.page.limit = Some(sessions);
        self
    }

    /// The part of a list that is wanted.
    pub(crate) fn page<T>(&self, list: Vec<T>) -> Vec<T> {
        self.page.of(list).collect()
    }
}
