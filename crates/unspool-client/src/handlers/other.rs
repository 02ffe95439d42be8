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
enum Said {
    Answer(Payload),
    Elsewhere,
    Failed(String),
}

impl Said {
    fn answer(self) -> Option<Answer> {
        match self {
            Said::Answer(payload) => Some(payload.into()),
            Said::Elsewhere => None,
            Said::Failed(why) => Some(Answer::error(why)),
        }
    }
}

/// What the user says to an MCP server.
#[derive(Clone, Debug, PartialEq)]
pub struct ElicitationReply(Said);

impl ElicitationReply {
    /// The answer, an object of the shape that was asked for.
    pub fn accept(content: impl Into<Payload>) -> Self {
        let content = content.into();
        let answer = ElicitationAnswer::default().action(ElicitationAction::Accept).content(content.json());
        ElicitationReply(Said::Answer(Payload::of(&answer)))
    }

    /// The user was on the page, or agrees without saying anything.
    pub fn done() -> Self {
        ElicitationReply::without_content(ElicitationAction::Accept)
    }

    /// The user does not want to answer.
    pub fn decline() -> Self {
        ElicitationReply::without_content(ElicitationAction::Decline)
    }

    /// The user neither answered nor refused to.
    pub fn cancel() -> Self {
        ElicitationReply::without_content(ElicitationAction::Cancel)
    }

    /// Another host of the session answers, and nothing is sent from here.
    pub fn elsewhere() -> Self {
        ElicitationReply(Said::Elsewhere)
    }

    pub(super) fn answer(self) -> Option<Answer> {
        self.0.answer()
    }

    fn without_content(action: ElicitationAction<'_>) -> Self {
        ElicitationReply(Said::Answer(Payload::of(&ElicitationAnswer::default().action(action))))
    }
}

/// What became of a dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct DialogReply(Said);

impl DialogReply {
    /// What the user chose.
    pub fn completed(result: impl Into<Payload>) -> Self {
        let result = result.into();
        let answer = UserDialogAnswer::default().behavior("completed").result(result.json());
        DialogReply(Said::Answer(Payload::of(&answer)))
    }

    /// The user chose nothing.
    pub fn cancelled() -> Self {
        DialogReply(Said::Answer(Payload::of(&UserDialogAnswer::default().behavior("cancelled"))))
    }

    /// Another host of the session answers, and nothing is sent from here.
    pub fn elsewhere() -> Self {
        DialogReply(Said::Elsewhere)
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
                result.unwrap_or_else(|error| $reply(Said::Failed(error.to_string())))
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
