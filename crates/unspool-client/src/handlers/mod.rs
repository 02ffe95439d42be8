//! What answers the questions of Claude Code: permissions, hooks, the user's answers, MCP servers that run with us.
//!
//! In goes a question, out comes its answer. Nothing here knows when or in which order questions come; each is
//! handled by a task of its own, which may take hours and ends when the question is withdrawn.

mod ask;
mod boxed;
mod dispatch;
mod other;
mod permission;
mod plan;
mod question;
#[cfg(test)]
mod tests;
mod update;

pub use ask::{Ask, Context};
pub use boxed::BoxFuture;
pub use other::{Dialog, DialogReply, Elicitation, ElicitationReply, HostToken, OauthToken, Token};
pub use permission::{Classification, Decision, Permission};
pub use plan::{Plan, PlanDecision};
pub use question::{Answers, Choice, Question, Questions, Unanswered};
pub use update::Update;

pub(crate) use ask::read_as;
pub(crate) use boxed::Handler;
pub(crate) use dispatch::not_allowed;

use crate::hooks::Hook;
use crate::rules::Rules;
use crate::server::HostedServer;
use boxed::handler;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use unspool::control::{Answer, Asked, Payload};

/// What answers the questions of Claude Code. What no handler answers is refused, so nothing waits for ever.
///
/// ```
/// use unspool_client::{Decision, Handlers};
///
/// let handlers = Handlers::new().permission(|asked| async move {
///     if asked.tool() == "Bash" { Decision::deny("no commands, please") } else { Decision::allow() }
/// });
/// ```
#[derive(Clone, Default)]
pub struct Handlers {
    rules: Option<Arc<Rules>>,
    permission: Option<Handler<Permission>>,
    questions: Option<Handler<Questions>>,
    plan: Option<Handler<Plan>>,
    hooks: Vec<Hook>,
    servers: Vec<Arc<dyn HostedServer>>,
    elicitation: Option<Handler<Elicitation>>,
    dialogs: BTreeMap<String, Handler<Dialog>>,
    oauth: Option<Handler<OauthToken>>,
    host: Option<Handler<HostToken>>,
    raw: BTreeMap<String, Handler<(Asked, Context)>>,
}

impl Handlers {
    /// Nothing is answered.
    #[must_use]
    pub fn new() -> Self {
        Handlers::default()
    }

    /// Decides about calls that Claude Code asks about and that no rule decides.
    #[must_use]
    pub fn permission<F, R>(mut self, call: impl Fn(Permission) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Decision>,
    {
        self.permission = Some(Arc::new(move |asked: Permission| {
            let input = Payload::from(asked.input());
            let decision = call(asked);
            Box::pin(async move { decision.await.into().answer(input.json()) })
        }));
        self
    }

    /// Decides about calls by lists, before the handler for permissions is asked.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(Arc::new(rules));
        self
    }

    /// Answers the questions that the model asks the user. Without this they go to the permission handler.
    #[must_use]
    pub fn questions<F, R>(mut self, call: impl Fn(Questions) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Answers>,
    {
        self.questions = Some(Arc::new(move |asked: Questions| {
            let input = Payload::from(asked.0.input());
            let answers = call(asked);
            Box::pin(async move { answers.await.into().decision(input.json()).answer(input.json()) })
        }));
        self
    }

    /// Says what is to become of a plan. Without this plans go to the permission handler.
    #[must_use]
    pub fn plan<F, R>(mut self, call: impl Fn(Plan) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<PlanDecision>,
    {
        self.plan = Some(Arc::new(move |asked: Plan| {
            let input = Payload::from(asked.0.input());
            let decision = call(asked);
            Box::pin(async move { decision.await.into().decision().answer(input.json()) })
        }));
        self
    }

    /// Adds a hook; there may be several at one event.
    #[must_use]
    pub fn hook(mut self, hook: Hook) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Adds an MCP server that runs here. Of two with the same name the later one counts.
    #[must_use]
    pub fn server(mut self, server: impl HostedServer) -> Self {
        self.servers.retain(|other| other.name() != server.name());
        self.servers.push(Arc::new(server));
        self
    }

    /// Answers MCP servers that want to know something from the user.
    #[must_use]
    pub fn elicitation<F, R>(mut self, call: impl Fn(Elicitation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<ElicitationReply> + 'static,
    {
        self.elicitation = Some(handler(call, |reply: R| reply.into().answer()));
        self
    }

    /// Shows dialogs of this kind. Claude Code shows no others.
    #[must_use]
    pub fn dialog<F, R>(
        mut self,
        kind: impl Into<String>,
        call: impl Fn(Dialog) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<DialogReply> + 'static,
    {
        self.dialogs.insert(kind.into(), handler(call, |reply: R| reply.into().answer()));
        self
    }

    /// Gives Claude Code a new token when its own has run out.
    #[must_use]
    pub fn oauth_token<F, R>(mut self, call: impl Fn(OauthToken) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Token> + 'static,
    {
        self.oauth = Some(handler(call, |token: R| token.into().answer("accessToken")));
        self
    }

    /// Gives Claude Code a new token of the host's.
    #[must_use]
    pub fn host_token<F, R>(mut self, call: impl Fn(HostToken) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Token> + 'static,
    {
        self.host = Some(handler(call, |token: R| token.into().answer("authToken")));
        self
    }

    /// Answers all questions of a subtype that no other handler here answers, as they are on the wire: of
    /// `can_use_tool` those about calls that no rule decides, and that are neither questions nor plans with a handler
    /// of their own. No answer means that another host gives it.
    #[must_use]
    pub fn raw<F>(
        mut self,
        subtype: impl Into<String>,
        call: impl Fn(Asked, Context) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Option<Answer>> + Send + 'static,
    {
        let call = move |(asked, context)| call(asked, context);
        self.raw.insert(subtype.into(), handler(call, |answer| answer));
        self
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("serves", &self.served().collect::<Vec<_>>())
            .field("rules", &self.rules)
            .field("hooks", &self.hooks)
            .field("servers", &self.servers.iter().map(|server| server.name()).collect::<Vec<_>>())
            .field("dialogs", &self.dialogs.keys().collect::<Vec<_>>())
            .finish()
    }
}
