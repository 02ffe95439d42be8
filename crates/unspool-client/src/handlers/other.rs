//! The other questions: from MCP servers to the user, dialogs, tokens.

use super::ask::Ask;
use std::fmt;
use unspool::control::{Answer, Payload};
use unspool::json::{Json, Str};
use unspool::wire::ask;
use unspool::wire::ask::{ElicitationAction, ElicitationAnswer, UserDialogAnswer};
use unspool::wire::input::Draft;

/// An MCP server wants to know something from the user.
pub type Elicitation = Ask<ask::Elicitation<'static>>;

/// Claude Code wants to show the user a dialog.
pub type Dialog = Ask<ask::RequestUserDialog<'static>>;

/// Claude Code's token has run out.
pub type OauthToken = Ask<ask::OauthTokenRefresh<'static>>;

/// The host's own token has run out.
pub type HostToken = Ask<ask::HostAuthTokenRefresh<'static>>;

/// What is answered: something to send, or nothing because another host does, or why there is no answer.
#[derive(Clone, Debug, PartialEq)]
enum Answered {
    Answer(Payload),
    Elsewhere,
    Failed(String),
}

impl Answered {
    fn answer(self) -> Option<Answer> {
        match self {
            Answered::Answer(payload) => Some(payload.into()),
            Answered::Elsewhere => None,
            Answered::Failed(why) => Some(Answer::error(why)),
        }
    }
}

/// What the user says to an MCP server.
#[derive(Clone, Debug, PartialEq)]
pub struct ElicitationReply(Answered);

impl ElicitationReply {
    /// The answer, an object of the shape that was asked for.
    pub fn accept(content: impl Into<Payload>) -> Self {
        let content = content.into();
        let answer = ElicitationAnswer::default().action(ElicitationAction::Accept).content(content.json());
        ElicitationReply(Answered::Answer(Payload::of(&answer)))
    }

    /// The user was on the page, or agrees without saying anything.
    #[must_use]
    pub fn done() -> Self {
        ElicitationReply::without_content(ElicitationAction::Accept)
    }

    /// The user does not want to answer.
    #[must_use]
    pub fn decline() -> Self {
        ElicitationReply::without_content(ElicitationAction::Decline)
    }

    /// The user neither answered nor refused to.
    #[must_use]
    pub fn cancel() -> Self {
        ElicitationReply::without_content(ElicitationAction::Cancel)
    }

    /// Another host of the session answers, and nothing is sent from here.
    #[must_use]
    pub fn elsewhere() -> Self {
        ElicitationReply(Answered::Elsewhere)
    }

    pub(super) fn answer(self) -> Option<Answer> {
        self.0.answer()
    }

    fn without_content(action: ElicitationAction<'_>) -> Self {
        ElicitationReply(Answered::Answer(Payload::of(&ElicitationAnswer::default().action(action))))
    }
}

/// What became of a dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct DialogReply(Answered);

impl DialogReply {
    /// What the user chose.
    pub fn completed(result: impl Into<Payload>) -> Self {
        let result = result.into();
        let answer = UserDialogAnswer::default().behavior("completed").result(result.json());
        DialogReply(Answered::Answer(Payload::of(&answer)))
    }

    /// The user chose nothing.
    #[must_use]
    pub fn cancelled() -> Self {
        DialogReply(Answered::Answer(Payload::of(&UserDialogAnswer::default().behavior("cancelled"))))
    }

    /// Another host of the session answers, and nothing is sent from here.
    #[must_use]
    pub fn elsewhere() -> Self {
        DialogReply(Answered::Elsewhere)
    }

    pub(super) fn answer(self) -> Option<Answer> {
        self.0.answer()
    }
}

/// A new token, or why there is none.
#[derive(Clone, PartialEq)]
pub struct Token(Result<String, Option<String>>);

impl Token {
    /// This one.
    pub fn new(token: impl Into<String>) -> Self {
        Token(Ok(token.into()))
    }

    /// There is none.
    #[must_use]
    pub fn none() -> Self {
        Token(Err(None))
    }

    /// There is none, and why.
    pub fn none_because(why: impl Into<String>) -> Self {
        Token(Err(Some(why.into())))
    }

    /// The token under a name; no token is `null`, which is not the same as absent.
    pub(super) fn answer(self, name: &str) -> Option<Answer> {
        let answer = match &self.0 {
            Ok(token) => Draft::new().with(name, token.as_str()),
            Err(None) => Draft::new().with(name, Json::NULL),
            Err(Some(why)) => Draft::new().with(name, Json::NULL).with("reason", Str::from(why.as_str())),
        };
        Some(Payload::from(answer.json()).into())
    }
}

/// A secret is not for logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(_) => f.write_str("Token(..)"),
            Err(why) => write!(f, "Token(none: {why:?})"),
        }
    }
}

macro_rules! may_fail {
    ($($reply:ident),*) => { $(
        /// An error is told to Claude Code.
        impl<E: fmt::Display> From<Result<$reply, E>> for $reply {
            fn from(result: Result<$reply, E>) -> Self {
                result.unwrap_or_else(|error| $reply(Answered::Failed(error.to_string())))
            }
        }
    )* };
}

may_fail!(ElicitationReply, DialogReply);

/// An error means that there is no token.
impl<E: fmt::Display> From<Result<Token, E>> for Token {
    fn from(result: Result<Token, E>) -> Self {
        result.unwrap_or_else(|error| Token::none_because(error.to_string()))
    }
}
