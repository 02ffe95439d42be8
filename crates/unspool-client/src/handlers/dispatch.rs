//! From a question to its handler, and what Claude Code has to know so that it asks.

use super::boxed::Handler;
use super::{Ask, Context, Decision, Dialog, Handlers, Permission, Plan, Questions};
use crate::controls::Controls;
use crate::hooks::{Hook, HookReply, OnFailure, Told};
use crate::rules::{HandedRules, Rules, Ruling, Whence};
use crate::server::{HostedServer, announce_servers, serve};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use unspool::control::{Answer, Asked, Dialogue, Payload};
use unspool::json::Json;
use unspool::wire::ask::{AskKind, HookCallback, RequestUserDialog};
use unspool::wire::hook::PreToolUse;
use unspool::wire::input::{Draft, Owned};
use unspool::wire::{ToolInput, Wire};

impl Handlers {
    /// Whether Claude Code is to ask about calls; it does so only if told at the start.
    pub(crate) fn asks_permission(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.decide())
            || self.permission.is_some()
            || self.questions.is_some()
            || self.plan.is_some()
            || self.raw.contains_key(AskKind::CanUseTool.name())
    }

    /// Whether a hook that fails is to block what it was asked about.
    pub(crate) fn blocks_on_failure(&self) -> bool {
        self.hooks.iter().any(Hook::blocks_on_failure)
    }

    /// Tools of rules that no tool is known by.
    pub(crate) fn unknown_tools(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().flat_map(|rules| rules.unknown_tools())
    }

    /// Whether a handler wants to decide about every call that is asked about.
    pub(crate) fn wants_to_decide(&self) -> bool {
        self.permission.is_some()
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

    /// These handlers for sessions in this directory, of a user with this home: rules begin there that do not say where
    /// they do.
    pub(crate) fn in_session(mut self, cwd: Option<&Path>, home: Option<PathBuf>) -> Self {
        self.rules = self.rules.map(|rules| Arc::new(rules.in_session(cwd, home)));
        self
    }

    /// What Claude Code is to be given of the rules, and the same handlers for when it was.
    pub(crate) fn hand_over(mut self) -> (Self, HandedRules) {
        let handed = self.rules.as_ref().map(|rules| rules.handed()).unwrap_or_default();
        self.rules = self.rules.map(|rules| Arc::new(Rules::clone(&rules).handed_over()));
        (self, handed)
    }

    /// Whether there are rules, which begin somewhere.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The MCP servers that run with us.
    pub(crate) fn servers(&self) -> &[Arc<dyn HostedServer>] {
        &self.servers
    }

    /// A session begins that has these handlers.
    pub(crate) fn join(&self, session: &Controls) {
        self.servers.iter().for_each(|server| server.join(session));
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

    /// Answers a question. No answer means that another host gives it, and nothing is sent.
    pub(crate) async fn handle(&self, asked: Asked, context: Context) -> Option<Answer> {
        let Asked { id, request, .. } = asked.clone();
        match AskKind::of(&asked.subtype) {
            Some(AskKind::CanUseTool) => return self.decide(asked, context).await,
            Some(AskKind::HookCallback) if self.has_hooks() => return self.call_hook(asked, context).await,
            Some(AskKind::McpMessage)
                if !self.raw.contains_key(AskKind::McpMessage.name()) || context.controls.hosted.is_any() =>
            {
                return Some(serve(&request, context).await);
            }
            Some(AskKind::Elicitation) => {
                if let Some(handler) = &self.elicitation {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            Some(AskKind::OauthTokenRefresh) => {
                if let Some(handler) = &self.oauth {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            Some(AskKind::HostAuthTokenRefresh) => {
                if let Some(handler) = &self.host {
                    return handler(Ask::new(id, request, context)).await;
                }
            }
            Some(AskKind::RequestUserDialog) => {
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

    /// Rules first, then the handler that knows this kind of call best.
    async fn decide(&self, question: Asked, context: Context) -> Option<Answer> {
        let asked = Permission::new(question.id.clone(), question.request.clone(), context.clone());
        let tool = asked.tool().into_owned();
        let ruling = self.rules.as_ref().map(|rules| rules.judge_from(Whence::Unknown, &tool, asked.input()));
        if let Some(rules) = self.rules.as_ref().filter(|_| ruling == Some(Ruling::Blocked)) {
            let denial = rules.denial(Whence::Unknown, &tool, asked.input());
            return Decision::deny(denial).answer(asked.input());
        }
        match (ToolInput::named(&tool), &self.questions, &self.plan) {
            (ToolInput::AskUserQuestion(_), Some(handler), _) => return handler(Questions(asked)).await,
            (ToolInput::ExitPlanMode(_), _, Some(handler)) => return handler(Plan(asked)).await,
            _ => {}
        }
        if let Some(rules) = self.rules.as_ref().filter(|_| ruling == Some(Ruling::Allowed))
            && (rules.allow_alone(&tool, asked.input()) || !is_second_judge(&context).await)
        {
            return Decision::allow().answer(asked.input());
        }
        match (&self.permission, self.raw.get(AskKind::CanUseTool.name())) {
            (Some(handler), _) => handler(asked).await,
            (None, Some(handler)) => handler((question, context)).await,
            (None, None) => {
                Decision::deny(format!("Nobody can be asked about {tool}.")).answer(asked.input())
            }
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
            let asks = self.permission.is_some() || self.raw.contains_key(AskKind::CanUseTool.name());
            let judge = move |call| {
                let rules = Arc::clone(&rules);
                or_denied(async move { watch(&rules, asks, &call).await })
            };
            Hook::pre_tool_use(judge).on_failure(OnFailure::Block)
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

    pub(super) fn served(&self) -> impl Iterator<Item = &str> {
        let typed = [
            (AskKind::CanUseTool, self.decides()),
            (AskKind::HookCallback, self.has_hooks()),
            // A server may come while the session runs.
            (AskKind::McpMessage, true),
            (AskKind::Elicitation, self.elicitation.is_some()),
            (AskKind::OauthTokenRefresh, self.oauth.is_some()),
            (AskKind::HostAuthTokenRefresh, self.host.is_some()),
        ];
        let typed = typed.into_iter().filter(|(_, there)| *there).map(|(kind, _)| kind.name());
        typed.chain(self.raw.keys().map(String::as_str))
    }
}

/// What rules say to a call that Claude Code may not ask about.
async fn watch(rules: &Rules, asks: bool, call: &Ask<PreToolUse<'static>>) -> HookReply<PreToolUse<'static>> {
    let told = call.read();
    let tool = told.tool_name.map(|tool| tool.decode()).unwrap_or_default();
    let input = told.tool_input.unwrap_or(Json::NULL);
    let cwd = told.cwd.map(|cwd| cwd.decode());
    let whence = cwd.as_deref().map_or(Whence::Unknown, |cwd| Whence::At(Path::new(cwd)));
    match rules.judge_from(whence, &tool, input) {
        Ruling::Blocked => HookReply::deny(rules.denial(whence, &tool, input)),
        Ruling::Allowed => HookReply::nothing(),
        Ruling::Unlisted if !rules.is_strict() && !rules.may_be_read_to_allow(whence, &tool, input) => {
            HookReply::nothing()
        }
        Ruling::Unlisted if asks && is_second_judge(call.context()).await => {
            HookReply::ask("It is in no list.")
        }
        Ruling::Unlisted => HookReply::deny(not_allowed(&tool)),
    }
}

/// Whether this Claude Code asks if a hook wants it to, and reads rules as it should: what it asks about in spite of
/// them it does not allow. 2.0.77 and 1.0.128 do neither; which version was the first is not known, but those that say
/// what becomes of hooks that fail do both.
async fn is_second_judge(context: &Context) -> bool {
    let about = context.controls().about().await;
    about.is_ok_and(|about| about.read().hook_on_failure_supported == Some(true))
}

/// What a judge says, and no if it panics: not every version of Claude Code blocks what a hook fails to answer.
async fn or_denied(
    judge: impl Future<Output = HookReply<PreToolUse<'static>>>,
) -> HookReply<PreToolUse<'static>> {
    let mut judge = pin!(judge);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| judge.as_mut().poll(context)));
        let failed =
            |_| Poll::Ready(HookReply::deny("The rules have failed to judge this call: it is not made."));
        polled.unwrap_or_else(failed)
    })
    .await
}

pub(crate) fn not_allowed(tool: &str) -> String {
    format!("This call of {tool} is not allowed.")
}

fn callback_id(number: usize) -> String {
    format!("hook-{number}")
}

fn unsupported(subtype: &str) -> Answer {
    Answer::error(format!("Unsupported control request subtype: {subtype}")).code("unsupported_request")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_judge_that_panics_says_no() {
        let said = |reply: HookReply<PreToolUse<'static>>| match reply.answer() {
            Answer::Success(payload) => payload.to_string(),
            other => panic!("{other:?}"),
        };
        let failed = or_denied(async { panic!("on purpose") }).await;
        assert!(said(failed).contains(r#""permissionDecision":"deny""#));
        assert!(!said(or_denied(async { HookReply::nothing() }).await).contains("deny"));
    }
}
