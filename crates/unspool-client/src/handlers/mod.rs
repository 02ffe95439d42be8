//! What answers the questions of Claude Code: permissions, hooks, the user's answers, MCP servers that run with us.
//!
//! In goes a question, out comes its answer. Nothing here knows when or in which order questions come; each is
//! handled by a task of its own, which may take hours and ends when the question is withdrawn.

mod ask;
mod boxed;
mod glob;
mod hook;
mod hook_reply;
mod other;
mod path;
mod permission;
mod plan;
mod question;
mod rule;
mod rules;
mod shell;
#[cfg(test)]
mod tests;
mod update;

pub use ask::{Ask, Context};
pub use boxed::BoxFuture;
pub use hook::{Hook, HookContext, HookKind, Nothing, OnFailure};
pub use hook_reply::HookReply;
pub use other::{Dialog, DialogReply, Elicitation, ElicitationReply, HostToken, OauthToken, Token};
pub use permission::{Decision, Permission};
pub use plan::{Plan, PlanDecision};
pub use question::{Answers, Choice, Question, Questions};
pub use rule::{NoRule, Rule};
pub use rules::{Rules, Ruling};
pub use update::Update;

pub(crate) use ask::read_as;

use crate::server::{HostedServer, announce_servers, serve};
use boxed::{Handler, handler};
use hook::Told;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use unspool::control::{Answer, Asked, Dialogue, Payload};
use unspool::wire::Wire;
use unspool::wire::ask::{HookCallback, RequestUserDialog};
use unspool::wire::input::{Draft, Owned};

/// What answers the questions of Claude Code. What nobody here answers is refused, so nothing waits for ever.
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
    pub fn new() -> Self {
        Handlers::default()
    }

    /// Decides about calls that Claude Code asks about and that no rule decides.
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

    /// Decides about calls by lists, before anybody is asked.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(Arc::new(rules));
        self
    }

    /// Answers the questions that the model asks the user. Without this they go to the permission handler.
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
    pub fn hook(mut self, hook: Hook) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Adds an MCP server that runs here. Of two with the same name the later one counts.
    pub fn server(mut self, server: impl HostedServer) -> Self {
        self.servers.retain(|other| other.name() != server.name());
        self.servers.push(Arc::new(server));
        self
    }

    /// Answers MCP servers that want to know something from the user.
    pub fn elicitation<F, R>(mut self, call: impl Fn(Elicitation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<ElicitationReply> + 'static,
    {
        self.elicitation = Some(handler(call, |reply: R| reply.into().answer()));
        self
    }

    /// Shows dialogs of this kind. Claude Code shows no others.
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
    pub fn oauth_token<F, R>(mut self, call: impl Fn(OauthToken) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Token> + 'static,
    {
        self.oauth = Some(handler(call, |token: R| token.into().answer("accessToken")));
        self
    }

    /// Gives Claude Code a new token of the host's.
    pub fn host_token<F, R>(mut self, call: impl Fn(HostToken) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<Token> + 'static,
    {
        self.host = Some(handler(call, |token: R| token.into().answer("authToken")));
        self
    }

    /// Answers all questions of a subtype that no other handler here answers, as they are on the wire. No
    /// answer means that somebody else gives it.
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

    /// Whether Claude Code is to ask about calls; it does so only if told at the start.
    pub(crate) fn asks_permission(&self) -> bool {
        self.rules.is_some()
            || self.permission.is_some()
            || self.questions.is_some()
            || self.plan.is_some()
            || self.raw.contains_key("can_use_tool")
    }

    /// What Claude Code has to find in its environment, to ask at all.
    pub(crate) fn environment(&self) -> Vec<(&'static str, &'static str)> {
        let oauth = self.oauth.as_ref().map(|_| ("CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH", "1"));
        let host = self.host.as_ref().map(|_| ("CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH", "1"));
        oauth.into_iter().chain(host).collect()
    }

    /// A dialogue that serves what there are handlers for.
    pub(crate) fn dialogue(&self) -> Dialogue {
        let dialogue = self.served().fold(Dialogue::new(), Dialogue::serving);
        self.dialogs.keys().fold(dialogue, Dialogue::serving_dialog)
    }

    /// Adds to `initialize` what Claude Code has to know of the handlers.
    pub(crate) fn add_to(&self, initialize: Draft) -> Draft {
        let mut initialize = announce_servers(&self.servers, initialize);
        let mut events: BTreeMap<&str, Vec<Owned>> = BTreeMap::new();
        let hooks = self.all_hooks();
        for (number, hook) in hooks.iter().enumerate() {
            events.entry(hook.event()).or_default().push(hook.announce(&callback_id(number)));
        }
        if !events.is_empty() {
            let events = events.into_iter().fold(Draft::new(), |all, (event, hooks)| all.with(event, hooks));
            initialize = initialize.with("hooks", events);
        }
        if !self.dialogs.is_empty() {
            let kinds: Vec<String> = self.dialogs.keys().cloned().collect();
            initialize = initialize.with("supportedDialogKinds", kinds);
        }
        initialize
    }

    /// Answers a question. No answer means that somebody else gives it, and nothing is sent.
    pub(crate) async fn handle(&self, asked: Asked, context: Context) -> Option<Answer> {
        let Asked { id, request, .. } = asked.clone();
        match asked.subtype.as_str() {
            "can_use_tool" if self.raw.contains_key("can_use_tool") && !self.decides() => {}
            "can_use_tool" => return self.decide(Ask::new(id, request, context)).await,
            "hook_callback" if self.has_hooks() => return self.call_hook(asked, context).await,
            "mcp_message" if !self.servers.is_empty() => {
                return Some(serve(&self.servers, &request, context).await);
            }
            "elicitation" => {
                if let Some(handler) = &self.elicitation {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            "oauth_token_refresh" => {
                if let Some(handler) = &self.oauth {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            "host_auth_token_refresh" => {
                if let Some(handler) = &self.host {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            "request_user_dialog" => {
                if let Some(handler) = self.dialog_handler(&request) {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            _ => {}
        }
        match self.raw.get(&asked.subtype) {
            Some(handler) => handler((asked, context)).await,
            None => Some(unsupported(&asked.subtype)),
        }
    }

    /// Rules first, then whoever knows this kind of call best.
    async fn decide(&self, asked: Permission) -> Option<Answer> {
        let tool = asked.tool().into_owned();
        let ruling = self.rules.as_ref().map(|rules| rules.judge(&tool, asked.input()));
        if ruling == Some(Ruling::Blocked) {
            return Decision::deny(blocked(&tool)).answer(asked.input());
        }
        match (&*tool, &self.questions, &self.plan) {
            ("AskUserQuestion", Some(handler), _) => return handler(Questions(asked)).await,
            ("ExitPlanMode", _, Some(handler)) => return handler(Plan(asked)).await,
            _ => {}
        }
        match (&self.permission, &self.rules) {
            (_, Some(_)) if ruling == Some(Ruling::Allowed) => Decision::allow().answer(asked.input()),
            (Some(handler), _) => handler(asked).await,
            (None, Some(rules)) if rules.permits(&tool, asked.input()) => {
                Decision::allow().answer(asked.input())
            }
            (None, _) => Decision::deny(format!("Nobody can be asked about {tool}.")).answer(asked.input()),
        }
    }

    async fn call_hook(&self, asked: Asked, context: Context) -> Option<Answer> {
        let callback = HookCallback::of(asked.request.json()).unwrap_or_default();
        let name = callback.callback_id.map(|name| name.decode().into_owned()).unwrap_or_default();
        let hooks = self.all_hooks();
        let hook = hooks.into_iter().enumerate().find(|(number, _)| callback_id(*number) == name);
        let Some((_, hook)) = hook else {
            return Some(Answer::error(format!("there is no hook {name}")));
        };
        let input = callback.input.map(|input| Payload::from(input.json()));
        let input = input.unwrap_or_else(|| Payload::from(Draft::new().json()));
        hook.call(Told { ask: asked.id, input, context }).await
    }

    /// The hooks of the user's, and the one by which rules see every call.
    fn all_hooks(&self) -> Vec<Hook> {
        let mut hooks = self.hooks.clone();
        hooks.extend(self.rules.as_ref().filter(|rules| rules.watch_all()).map(|rules| {
            let rules = Arc::clone(rules);
            let asks = self.permission.is_some();
            Hook::pre_tool_use(move |call| std::future::ready(watch(&rules, asks, &call)))
        }));
        hooks
    }

    fn has_hooks(&self) -> bool {
        !self.hooks.is_empty() || self.rules.as_ref().is_some_and(|rules| rules.watch_all())
    }

    /// Whether anything here but a raw handler decides about calls.
    fn decides(&self) -> bool {
        self.rules.is_some() || self.permission.is_some() || self.questions.is_some() || self.plan.is_some()
    }

    fn dialog_handler(&self, request: &Payload) -> Option<&Handler<Dialog>> {
        let kind = RequestUserDialog::of(request.json())?.dialog_kind?;
        self.dialogs.get(&*kind.decode())
    }

    fn served(&self) -> impl Iterator<Item = &str> {
        let typed = [
            ("can_use_tool", self.decides()),
            ("hook_callback", self.has_hooks()),
            ("mcp_message", !self.servers.is_empty()),
            ("elicitation", self.elicitation.is_some()),
            ("oauth_token_refresh", self.oauth.is_some()),
            ("host_auth_token_refresh", self.host.is_some()),
        ];
        let typed = typed.into_iter().filter(|(_, there)| *there).map(|(subtype, _)| subtype);
        typed.chain(self.raw.keys().map(String::as_str))
    }
}

/// What rules say to a call that Claude Code may not ask about.
fn watch(
    rules: &Rules,
    asks: bool,
    call: &Ask<unspool::wire::hook::PreToolUse<'static>>,
) -> HookReply<unspool::wire::hook::PreToolUse<'static>> {
    let told = call.read();
    let tool = told.tool_name.map(|tool| tool.decode()).unwrap_or_default();
    let input = told.tool_input.unwrap_or(unspool::json::Json::NULL);
    match rules.judge(&tool, input) {
        Ruling::Blocked => HookReply::deny(blocked(&tool)),
        Ruling::Unlisted if rules.is_strict() && asks => HookReply::ask("It is in no list."),
        Ruling::Unlisted if rules.is_strict() => HookReply::deny(blocked(&tool)),
        Ruling::Unlisted | Ruling::Allowed => HookReply::nothing(),
    }
}

fn blocked(tool: &str) -> String {
    format!("This call of {tool} is not allowed.")
}

fn callback_id(number: usize) -> String {
    format!("hook-{number}")
}

fn unsupported(subtype: &str) -> Answer {
    Answer::error(format!("Unsupported control request subtype: {subtype}")).code("unsupported_request")
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
