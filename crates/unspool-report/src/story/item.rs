//! What stands in the story of an agent.

use super::{Excerpt, Image};
use crate::words::{CallWords, Checklist, Diff, Notice, Weight};
use unspool::event::{Decision, ErrorKind, Raw, Role};

/// Something that was said, done or noticed.
#[non_exhaustive]
pub enum Item {
    /// Words of the user, or that the CLI put into the user's mouth.
    Prompt(Utterance),
    /// Words of the model, as Markdown.
    Text(Utterance),
    /// A thought of the model.
    Thinking(Utterance),
    /// A call of a tool.
    Call(Box<Called>),
    /// An answer to no call that is known.
    Stray {
        /// The tool, if it was named.
        tool: Option<String>,
        /// The answer.
        answer: Box<Answer>,
    },
    /// Any other part of a message.
    Block {
        /// Its type.
        kind: String,
        /// Who said it.
        role: Role,
        /// Its JSON.
        text: Excerpt,
        /// The picture, if it is one.
        image: Option<Image>,
        /// It was never confirmed.
        abandoned: bool,
    },
    /// A line about something else, and all that it said.
    Notice {
        /// In words.
        notice: Notice,
        /// As it came.
        data: Excerpt,
    },
    /// A turn failed. Its text is empty where the model has said it.
    Error {
        /// Why, in one word.
        kind: ErrorKind,
        /// The HTTP status.
        status: Option<u64>,
        /// Why, in words.
        text: String,
    },
    /// The structured answer of a turn.
    Structured(Excerpt),
    /// A turn is complete.
    TurnEnd(Box<TurnEnd>),
    /// A sub-agent whose call is not known.
    Agent(usize),
    /// A line that nobody has described.
    Unknown(Excerpt),
    /// A line that is not JSON.
    Malformed {
        /// Why not.
        reason: String,
        /// Its beginning.
        text: Excerpt,
        /// Its length.
        bytes: u64,
    },
}

/// Words.
#[derive(Default)]
#[non_exhaustive]
pub struct Utterance {
    /// The words.
    pub text: String,
    /// They were never confirmed.
    pub abandoned: bool,
    /// They are not from whom they seem to be: the CLI put them in.
    pub synthetic: bool,
}

/// A call of a tool.
pub struct Called {
    /// Its id.
    pub id: Option<String>,
    /// The tool's name on the wire.
    pub name: String,
    /// What it does, in words.
    pub words: CallWords,
    /// What the tool was given, by field; without what `diff` and `checklist` show.
    pub input: Vec<(String, Excerpt)>,
    /// What it changes: as it was done, else as it was asked for.
    pub diff: Option<Diff>,
    /// What it was given, of a tool that changes files, until it is known what it changed.
    pub(super) pending: Option<Raw<'static>>,
    /// What is to be done.
    pub checklist: Option<Checklist>,
    /// It was never confirmed.
    pub abandoned: bool,
    /// It was not allowed.
    pub denied: bool,
    /// Somebody was asked about it.
    pub permission: Option<Permission>,
    /// What came of it; none while it is open.
    pub answer: Option<Answer>,
    /// The agent that it started.
    pub agent: Option<usize>,
    /// When somebody was asked about it, when that was decided, and when it was answered: by the moments with which it was seen.
    pub(crate) seen: CallSeen,
}

/// With which moments it was seen what came of a call.
#[derive(Clone, Copy, Default)]
pub(crate) struct CallSeen {
    pub(crate) asked: Option<usize>,
    pub(crate) decided: Option<usize>,
    pub(crate) answered: Option<usize>,
}

/// What is known of the question whether a call may be.
#[non_exhaustive]
pub enum Permission {
    /// It was asked.
    Asked,
    /// It was answered. Where the answer has changed the call, `asked` is what it was before.
    Decided {
        /// What was decided.
        decision: Decision,
        /// Who decided it.
        by: String,
        /// The call as it was asked about, if the answer has changed it.
        asked: Option<String>,
    },
}

/// What a tool answered.
#[derive(Default)]
#[non_exhaustive]
pub struct Answer {
    /// Its text.
    pub text: Excerpt,
    /// It failed.
    pub is_error: bool,
    /// Pictures.
    pub images: Vec<Image>,
    /// Parts that are neither text nor picture, as JSON.
    pub others: Excerpt,
    /// How long it took.
    pub ms: Option<u64>,
}

/// How a call stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
    /// It was not allowed.
    Denied,
    /// It has no answer.
    Open,
    /// It was never confirmed.
    Abandoned,
}

/// A turn is complete.
#[non_exhaustive]
pub struct TurnEnd {
    /// Which.
    pub number: Option<u64>,
    /// Whether it succeeded.
    pub ok: bool,
    /// The answer, where it was not said before.
    pub answer: Option<String>,
    /// Where it was said, by rank.
    pub said: Option<usize>,
    /// Money.
    pub cost_usd: Option<f64>,
    /// How long it took.
    pub ms: Option<u64>,
    /// Input and output of all models.
    pub tokens: Option<(u64, u64)>,
    /// Why the model stopped.
    pub stop: Option<String>,
    /// How many calls it lists as not allowed that no turn has listed before.
    pub denials: usize,
}

impl Called {
    pub(crate) fn outcome(&self) -> Outcome {
        match &self.answer {
            _ if self.denied => Outcome::Denied,
            Some(answer) if answer.is_error => Outcome::Failed,
            Some(_) => Outcome::Done,
            None if self.abandoned => Outcome::Abandoned,
            None => Outcome::Open,
        }
    }
}

impl Item {
    /// Something failed, or was not allowed.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        match self {
            Item::Call(call) => matches!(call.outcome(), Outcome::Failed | Outcome::Denied),
            Item::Stray { answer, .. } => answer.is_error,
            Item::Notice { notice, .. } => notice.weight == Weight::Bad,
            Item::Error { .. } | Item::Malformed { .. } => true,
            _ => false,
        }
    }
}
