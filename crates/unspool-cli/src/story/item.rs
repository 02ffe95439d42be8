//! What stands in the story of an agent.

use super::{Excerpt, Image};
use crate::words::{Call, Checklist, Diff, Notice, Weight};
use unspool::event::{Decision, ErrorKind, Raw, Role};

/// Something that was said, done or noticed.
pub(crate) enum Item {
    /// Words of the user, or that the CLI put into the user's mouth.
    Prompt(Said),
    /// Words of the model, as Markdown.
    Text(Said),
    /// A thought of the model.
    Thinking(Said),
    /// A call of a tool.
    Call(Box<Called>),
    /// An answer to no call that is known.
    Stray { tool: Option<String>, answer: Box<Answer> },
    /// Any other part of a message.
    Block { kind: String, role: Role, text: Excerpt, image: Option<Image>, abandoned: bool },
    /// A line about something else, and all that it said.
    Notice { notice: Notice, data: Excerpt },
    /// A turn failed. Its text is empty where the model has said it.
    Error { kind: ErrorKind, status: Option<u64>, text: String },
    /// The structured answer of a turn.
    Structured(Excerpt),
    /// A turn is complete.
    TurnEnd(Box<TurnEnd>),
    /// A sub-agent whose call is not known.
    Agent(usize),
    /// A line that nobody has described.
    Unknown(Excerpt),
    /// A line that is not JSON.
    Malformed { reason: String, text: Excerpt, bytes: u64 },
}

/// Words.
#[derive(Default)]
pub(crate) struct Said {
    /// The words.
    pub(crate) text: String,
    /// They were never confirmed.
    pub(crate) abandoned: bool,
    /// They are not from whom they seem to be: the CLI put them in.
    pub(crate) synthetic: bool,
}

/// A call of a tool.
pub(crate) struct Called {
    /// Its id.
    pub(crate) id: Option<String>,
    /// The tool's name on the wire.
    pub(crate) name: String,
    /// What it does, in words.
    pub(crate) words: Call,
    /// What the tool was given, by field; without what `diff` and `checklist` show.
    pub(crate) input: Vec<(String, Excerpt)>,
    /// What it changes: as it was done, else as it was asked for.
    pub(crate) diff: Option<Diff>,
    /// What it was given, of a tool that changes files, until it is known what it changed.
    pub(super) pending: Option<Raw<'static>>,
    /// What is to be done.
    pub(crate) checklist: Option<Checklist>,
    /// It was never confirmed.
    pub(crate) abandoned: bool,
    /// It was not allowed.
    pub(crate) denied: bool,
    /// Somebody was asked about it.
    pub(crate) permission: Option<Permission>,
    /// What came of it; none while it is open.
    pub(crate) answer: Option<Answer>,
    /// The agent that it started.
    pub(crate) agent: Option<usize>,
}

/// What is known of the question whether a call may be.
pub(crate) enum Permission {
    /// It was asked.
    Asked,
    /// It was answered. Where the answer has changed the call, `asked` is what it was before.
    Decided { decision: Decision, by: String, asked: Option<String> },
}

/// What a tool answered.
#[derive(Default)]
pub(crate) struct Answer {
    /// Its text.
    pub(crate) text: Excerpt,
    /// It failed.
    pub(crate) is_error: bool,
    /// Pictures.
    pub(crate) images: Vec<Image>,
    /// Parts that are neither text nor picture, as JSON.
    pub(crate) others: Excerpt,
    /// How long it took.
    pub(crate) ms: Option<u64>,
}

/// How a call stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
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
pub(crate) struct TurnEnd {
    /// Which.
    pub(crate) number: Option<u64>,
    /// Whether it succeeded.
    pub(crate) ok: bool,
    /// The answer, where it was not said before.
    pub(crate) answer: Option<String>,
    /// Where it was said, by rank.
    pub(crate) said: Option<usize>,
    /// Money.
    pub(crate) cost_usd: Option<f64>,
    /// How long it took.
    pub(crate) ms: Option<u64>,
    /// Input and output of all models.
    pub(crate) tokens: Option<(u64, u64)>,
    /// Why the model stopped.
    pub(crate) stop: Option<String>,
    /// How many calls were not allowed.
    pub(crate) denials: usize,
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
    pub(crate) fn is_bad(&self) -> bool {
        match self {
            Item::Call(call) => matches!(call.outcome(), Outcome::Failed | Outcome::Denied),
            Item::Stray { answer, .. } => answer.is_error,
            Item::Notice { notice, .. } => notice.weight == Weight::Bad,
            Item::Error { .. } | Item::Malformed { .. } => true,
            _ => false,
        }
    }
}
