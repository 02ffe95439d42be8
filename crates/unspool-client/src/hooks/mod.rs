//! Hooks: being told of what happens, and having a say in it.

mod reply;

pub use reply::HookReply;

use crate::controls::Readable;
use crate::handlers::{Ask, BoxFuture, Context, Handler};
use std::fmt;
use std::time::Duration;
use unspool::control::{Answer, AskId, Payload};
use unspool::json::Str;
use unspool::wire::HookEvent;
use unspool::wire::command::HookMatcher;
use unspool::wire::hook::{self, HookSpecific};
use unspool::wire::input::Owned;

/// A hook: at which event, for which tools, and what to do.
///
/// ```
/// use unspool_client::hooks::{Hook, HookReply};
///
/// let hook = Hook::pre_tool_use(|call| async move {
///     match call.read().tool_input.and_then(|input| input.get("command")) {
///         Some(command) if command.text().contains("rm -rf") => HookReply::deny("not like this"),
///         _ => HookReply::nothing(),
///     }
/// });
/// let hook = hook.matching("Bash");
/// ```
///
/// Claude Code does not call hooks for the `SessionStart` of a new process, for `Setup`, nor for
/// the `SessionEnd` of a process that ends: it has not heard of them yet, or can no longer be answered.
#[derive(Clone)]
pub struct Hook {
    event: String,
    matcher: Option<String>,
    timeout: Option<Duration>,
    on_failure: Option<OnFailure>,
    call: Handler<Told>,
}

/// What a hook is told, whatever the event.
pub(crate) struct Told {
    pub(crate) ask: AskId,
    pub(crate) input: Payload,
    pub(crate) context: Context,
}

/// What Claude Code does when a hook fails or answers nonsense.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum OnFailure {
    /// It warns and goes on as if the hook had no opinion.
    Continue,
    /// It does not do what the hook was asked about. Some events do not have this.
    Block,
}

/// An event that hooks are told of, and what they can say to it.
pub trait HookKind: Readable {
    /// The event.
    const EVENT: HookEvent;
    /// What can be said to this event only.
    type Says<'a>: Into<HookSpecific<'a>>;
}

/// An event at which hooks can tell the model something.
pub trait HookContext: HookKind {
    /// What the model should know.
    fn context(words: &str) -> Self::Says<'_>;
}

/// There is nothing to say to this event in particular.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is none of it")]
pub enum Nothing {}

impl From<Nothing> for HookSpecific<'_> {
    fn from(nothing: Nothing) -> Self {
        match nothing {}
    }
}

impl Hook {
    /// A hook at an event of this type. There is a function for each event, too.
    pub fn on<E, F, R>(call: impl Fn(Ask<E>) -> F + Send + Sync + 'static) -> Self
    where
        E: HookKind,
        F: Future<Output = R> + Send + 'static,
        R: Into<HookReply<E>>,
    {
        Hook::new(E::EVENT.name().to_owned(), move |told: Told| {
            let reply = call(Ask::new(told.ask, told.input, told.context));
            Box::pin(async move { Some(reply.await.into().answer()) })
        })
    }

    /// A hook at an event that this version does not know: its input as it came, and an output as Claude Code
    /// wants it.
    pub fn other<F>(
        event: impl Into<String>,
        call: impl Fn(Payload, Context) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Payload> + Send + 'static,
    {
        Hook::new(event.into(), move |told: Told| {
            let reply = call(told.input, told.context);
            Box::pin(async move { Some(reply.await.into()) })
        })
    }

    /// Only for these tools: a name or a pattern, as in settings files. Events that are not about tools have
    /// patterns of their own, or none.
    #[must_use]
    pub fn matching(mut self, matcher: impl Into<String>) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    /// How long the hook may take. If a `PreToolUse` hook takes longer, the call is blocked.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// What Claude Code does when the hook fails. Versions that do not say `hook_on_failure_supported` in
    /// their reply to `initialize` go on.
    #[must_use]
    pub fn on_failure(mut self, what: OnFailure) -> Self {
        self.on_failure = Some(what);
        self
    }

    pub(crate) fn blocks_on_failure(&self) -> bool {
        self.on_failure == Some(OnFailure::Block)
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    pub(crate) fn call(&self, told: Told) -> BoxFuture<Option<Answer>> {
        (self.call)(told)
    }

    /// The hook as it is announced.
    pub(crate) fn announce(&self, id: &str) -> Owned {
        let ids = Owned::of([id]);
        let mut matcher = HookMatcher::default().hook_callback_ids(&ids);
        matcher.matcher = self.matcher.as_deref().map(Str::from);
        matcher.timeout = self.timeout.map(|timeout| timeout.as_secs_f64());
        matcher.on_failure = self.on_failure.map(|what| Str::from(what.name()));
        Owned::of(matcher)
    }

    fn new(event: String, call: impl Fn(Told) -> BoxFuture<Option<Answer>> + Send + Sync + 'static) -> Self {
        Hook { event, matcher: None, timeout: None, on_failure: None, call: std::sync::Arc::new(call) }
    }
}

impl OnFailure {
    fn name(self) -> &'static str {
        match self {
            OnFailure::Continue => "continue",
            OnFailure::Block => "block",
        }
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hook({}", self.event)?;
        match &self.matcher {
            Some(matcher) => write!(f, " {matcher})"),
            None => f.write_str(")"),
        }
    }
}

/// The events: the function that makes a hook, the event, and what can be said to it alone; `context` where
/// that is all, or among others, what the model should know.
macro_rules! events {
    ($($function:ident $event:ident $(=> $says:ident $($context:ident)?)?;)*) => {
        $(
            impl HookKind for hook::$event<'static> {
                const EVENT: HookEvent = HookEvent::$event;
                type Says<'a> = events!(@says $($says)?);
            }
            $($(
                impl HookContext for hook::$event<'static> {
                    fn $context(words: &str) -> Self::Says<'_> {
                        hook::$says::default().additional_context(words)
                    }
                }
            )?)?
        )*
        impl Hook {
            $(
                #[doc = concat!("A hook at `", stringify!($event), "`.")]
                pub fn $function<F, R>(
                    call: impl Fn(Ask<hook::$event<'static>>) -> F + Send + Sync + 'static,
                ) -> Self
                where
                    F: Future<Output = R> + Send + 'static,
                    R: Into<HookReply<hook::$event<'static>>>,
                {
                    Hook::on(call)
                }
            )*
        }
    };
    (@says $says:ident) => { hook::$says<'a> };
    (@says) => { Nothing };
}

events! {
    pre_tool_use PreToolUse => PreToolUseOutput context;
    post_tool_use PostToolUse => PostToolUseOutput context;
    post_tool_use_failure PostToolUseFailure => PostToolUseFailureOutput context;
    post_tool_batch PostToolBatch => PostToolBatchOutput context;
    permission_request PermissionRequest => PermissionRequestOutput;
    permission_denied PermissionDenied => PermissionDeniedOutput;
    user_prompt_submit UserPromptSubmit => UserPromptSubmitOutput context;
    user_prompt_expansion UserPromptExpansion => UserPromptExpansionOutput context;
    session_start SessionStart => SessionStartOutput context;
    session_end SessionEnd;
    setup Setup => SetupOutput context;
    stop Stop => StopOutput context;
    stop_failure StopFailure;
    subagent_start SubagentStart => SubagentStartOutput context;
    subagent_stop SubagentStop => SubagentStopOutput context;
    pre_compact PreCompact;
    post_compact PostCompact;
    pre_model_switch PreModelSwitch => PreModelSwitchOutput;
    post_model_switch PostModelSwitch => PostModelSwitchOutput context;
    notification Notification => NotificationOutput context;
    teammate_idle TeammateIdle;
    task_created TaskCreated;
    task_completed TaskCompleted;
    elicitation Elicitation => ElicitationOutput;
    elicitation_result ElicitationResult => ElicitationResultOutput;
    config_change ConfigChange;
    worktree_create WorktreeCreate => WorktreeCreateOutput;
    worktree_remove WorktreeRemove;
    instructions_loaded InstructionsLoaded;
    cwd_changed CwdChanged => CwdChangedOutput;
    file_changed FileChanged => FileChangedOutput;
    directory_added DirectoryAdded;
    message_display MessageDisplay => MessageDisplayOutput;
}
