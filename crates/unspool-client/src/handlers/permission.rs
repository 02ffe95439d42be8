//! May this call be made? The question and what can be said to it.

use super::ask::{Ask, read_as};
use super::update::{Update, list};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt;
use unspool::control::{Answer, Payload};
use unspool::json::{Json, Kind, Str};
use unspool::wire::ask::CanUseTool;
use unspool::wire::hook::HookDecision;
use unspool::wire::input::Owned;
use unspool::wire::{Behavior, PermissionAnswer, ToolInput};

/// Claude Code asks whether a call may be made. [`Ask::read`] has everything that it says.
///
/// It asks about those calls only that its own rules and mode do not decide.
pub type Permission = Ask<CanUseTool<'static>>;

impl Permission {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> Cow<'_, str> {
        words(self.read().tool_name).unwrap_or_default()
    }

    /// What the tool is to be given.
    #[must_use]
    pub fn input(&self) -> Json<'_> {
        self.read().input.unwrap_or(Json::NULL)
    }

    /// What the tool is to be given, as the type that it takes, if it is one of Claude Code's own. It can be changed and
    /// sent back:
    ///
    /// ```
    /// use unspool_client::unspool::control::Payload;
    /// use unspool_client::unspool::wire::ToolInput;
    /// use unspool_client::{Decision, Handlers};
    ///
    /// let handlers = Handlers::new().permission(|asked| async move {
    ///     match asked.typed() {
    ///         ToolInput::Bash(bash) => Decision::allow_with(Payload::of(&bash.timeout(10_000_u64))),
    ///         _ => Decision::deny("only commands"),
    ///     }
    /// });
    /// # drop(handlers);
    /// ```
    #[must_use]
    pub fn typed(&self) -> ToolInput<'_> {
        ToolInput::of(&self.tool(), self.input())
    }

    /// What the tool is to be given, as a type of the application's own.
    pub fn input_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        read_as(self.input())
    }

    /// The call; 1.0.128 and older do not say.
    #[must_use]
    pub fn call(&self) -> Option<Cow<'_, str>> {
        words(self.read().tool_use_id)
    }

    /// The sub-agent that calls; none for the main agent.
    #[must_use]
    pub fn agent(&self) -> Option<Cow<'_, str>> {
        words(self.read().agent_id)
    }

    /// What Claude Code suggests to change, so that it need not ask again.
    pub fn suggestions(&self) -> Vec<Update> {
        let list = self.read().permission_suggestions;
        list.iter().flat_map(|list| list.iter()).map(Update::from).collect()
    }

    /// Yes, and all that Claude Code suggests, so that it need not ask again.
    pub fn always(&self) -> Decision {
        self.suggestions().into_iter().fold(Decision::allow(), Decision::remember)
    }
}

/// What is said to a call.
///
/// A handler may also return a `Result`; its error is told to Claude Code, and the call is not made.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    verdict: Verdict,
    classification: Option<Classification>,
}

/// How a user came to a decision; Claude Code counts it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Classification {
    /// Allowed for this call.
    UserTemporary,
    /// Allowed from now on.
    UserPermanent,
    /// Rejected.
    UserReject,
}

impl Classification {
    fn name(self) -> &'static str {
        match self {
            Classification::UserTemporary => "user_temporary",
            Classification::UserPermanent => "user_permanent",
            Classification::UserReject => "user_reject",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    Allow { input: Option<Payload>, updates: Vec<Update> },
    Deny { message: String, interrupt: bool },
    Elsewhere,
    Failed(String),
}

impl Decision {
    /// The call may be made.
    #[must_use]
    pub fn allow() -> Self {
        Decision::of(Verdict::Allow { input: None, updates: Vec::new() })
    }

    /// It may be made, but with this input, an object.
    pub fn allow_with(input: impl Into<Payload>) -> Self {
        Decision::of(Verdict::Allow { input: Some(input.into()), updates: Vec::new() })
    }

    /// It may not be made. The model is told why and goes on.
    pub fn deny(why: impl Into<String>) -> Self {
        Decision::of(Verdict::Deny { message: why.into(), interrupt: false })
    }

    /// It may not be made, and the turn ends.
    pub fn deny_and_interrupt(why: impl Into<String>) -> Self {
        Decision::of(Verdict::Deny { message: why.into(), interrupt: true })
    }

    /// Answers in the tool's place: the tool does not run, and the model reads these words as what it said.
    ///
    /// Claude Code has no way to answer a call of a built-in tool from outside. This is a denial whose reason
    /// is the answer, which every version takes, so the model sees it marked as an error and it counts among
    /// the denials. Where that matters give the model a tool of your own, by a [`Server`](crate::server::Server).
    pub fn reply(words: impl Into<String>) -> Self {
        Decision::deny(words)
    }

    /// Another host of the session answers, and nothing is sent from here. If none does, the tool waits for ever.
    #[must_use]
    pub fn elsewhere() -> Self {
        Decision::of(Verdict::Elsewhere)
    }

    /// Changes what may be done from now on. Only a permission can; on a denial it has no effect.
    #[must_use]
    pub fn remember(mut self, update: Update) -> Self {
        if let Verdict::Allow { updates, .. } = &mut self.verdict {
            updates.push(update);
        }
        self
    }

    /// Says how a user came to it.
    #[must_use]
    pub fn classified(mut self, classification: Classification) -> Self {
        self.classification = Some(classification);
        self
    }

    /// Whether the call may be made.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        matches!(self.verdict, Verdict::Allow { .. })
    }

    /// The answer. The input is sent back even where it is the same, and then as it was written: 2.0.77 and older take no
    /// `allow` without it.
    pub(super) fn answer(self, asked: Json<'_>) -> Option<Answer> {
        let classification = self.classification.map(|it| Str::from(it.name()));
        let mut verdict = self.verdict;
        if let Verdict::Allow { input, .. } = &mut verdict {
            input.get_or_insert_with(|| asked.into());
        }
        Some(match verdict {
            Verdict::Allow { input: Some(input), .. } if input.json().kind() != Kind::Object => {
                Answer::error(format!("the input of a tool is an object, not {input}"))
            }
            Verdict::Allow { input, updates } => {
                let mut answer = PermissionAnswer::allow();
                answer.updated_input = input.as_ref().map(Payload::json);
                let updates = (!updates.is_empty()).then(|| list(&updates));
                answer.updated_permissions = updates.as_ref().map(Into::into);
                answer.decision_classification = classification;
                Payload::of(&answer).into()
            }
            Verdict::Deny { message, interrupt } => {
                let mut answer = PermissionAnswer::deny(reason(&message));
                answer.interrupt = interrupt.then_some(true);
                answer.decision_classification = classification;
                Payload::of(&answer).into()
            }
            Verdict::Elsewhere => return None,
            Verdict::Failed(why) => Answer::error(why),
        })
    }

    fn of(verdict: Verdict) -> Self {
        Decision { verdict, classification: None }
    }

    /// The answer that a hook gives, which may leave the input alone and has no classification; `Err` if the handler failed.
    pub(crate) fn for_hook(self, write: impl FnOnce(HookDecision<'_>) -> Payload) -> Result<Payload, String> {
        match self.verdict {
            Verdict::Allow { input, updates } => {
                let mut decision = HookDecision::default().behavior(Behavior::Allow);
                decision.updated_input = input.as_ref().map(Payload::json);
                let updates: Option<Owned> = (!updates.is_empty()).then(|| list(&updates));
                decision.updated_permissions = updates.as_ref().map(Into::into);
                Ok(write(decision))
            }
            Verdict::Deny { message, interrupt } => {
                let mut decision = HookDecision::default().behavior(Behavior::Deny).message(reason(&message));
                decision.interrupt = interrupt.then_some(true);
                Ok(write(decision))
            }
            Verdict::Elsewhere => Err("a hook cannot leave its answer to somebody else".to_owned()),
            Verdict::Failed(why) => Err(why),
        }
    }
}

/// An error means that the call is not made.
impl<E: fmt::Display> From<Result<Decision, E>> for Decision {
    fn from(result: Result<Decision, E>) -> Self {
        result.unwrap_or_else(|error| Decision::of(Verdict::Failed(error.to_string())))
    }
}

/// A denial without words is not taken.
fn reason(message: &str) -> &str {
    if message.is_empty() { "The call was not allowed." } else { message }
}

pub(super) fn words(text: Option<Str<'_>>) -> Option<Cow<'_, str>> {
    text.map(Str::decode)
}
