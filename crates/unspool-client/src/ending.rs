//! How a run ended, beyond what its events say.

use crate::cost::Spending;
use crate::transport::Exit;
use unspool::Verdict;
use unspool::event::ErrorKind;

/// How a run ended: the verdict of its `finished` event, and what is known of the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ending {
    /// How it ended.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
    /// How the program ended.
    pub exit: Exit,
    /// The end of what it wrote to its standard error.
    pub stderr: String,
    /// What was still to come when the program ended by itself, in words: prompts without an answer, agents at work. The
    /// verdict speaks of the last turn only.
    pub owed: Option<String>,
    /// What it cost, all turns and agents together; of a [`Lasting`](crate::Lasting) session, what its last program did. A turn that never
    /// had its result counts as [unpriced](Spending::unpriced), with the tokens that its messages told;
    /// [`Spending::all_usd`] is the money if all of it is known.
    pub spent: Spending,
    /// Of a verdict that says no more than that it failed: why, if that is not what the last turn says.
    pub(crate) kind: Option<ErrorKind>,
}

impl Ending {
    /// The driver is gone without a word, which happens only when the runtime was shut down.
    pub(crate) fn lost() -> Self {
        Ending {
            verdict: Verdict::Truncated,
            reason: "the session was torn down".to_owned(),
            exit: Exit::default(),
            stderr: String::new(),
            owed: None,
            spent: Spending::unknown(),
            kind: None,
        }
    }

    /// It takes nothing more, and how it ends is not known yet.
    pub(crate) fn to_come() -> Self {
        Ending { reason: "Claude Code is ending, and takes no more prompts".to_owned(), ..Ending::lost() }
    }

    /// How the program ended, to be put behind why.
    pub(crate) fn words(&self) -> String {
        let last = self.stderr.lines().next_back().map(|line| format!(": {line}"));
        format!(" ({}){}", self.exit, last.unwrap_or_default())
    }

    /// It ended without the result of its last turn.
    pub(crate) fn is_ours(&self) -> bool {
        matches!(self.verdict, Verdict::Hung | Verdict::OverBudget | Verdict::Truncated | Verdict::NotStarted)
    }
}
