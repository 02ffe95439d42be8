//! A question of Claude Code as a handler gets it: the text it came as, read when needed.

use crate::controls::{Controls, Readable};
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};
use unspool::control::{AskId, Payload};
use unspool::json::Json;
use unspool::wire::{ask, hook};

/// A question, whose text reads as a `T`. The type is named by its `'static` form; [`Ask::read`] gives the
/// one over the text.
pub struct Ask<T> {
    id: AskId,
    question: Payload,
    context: Context,
    of: PhantomData<fn() -> T>,
}

/// What a handler may use besides the question.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) cancelled: CancellationToken,
    pub(crate) controls: Controls,
}

impl<T> Ask<T> {
    pub(crate) fn new(id: AskId, question: Payload, context: Context) -> Self {
        Ask { id, question, context, of: PhantomData }
    }

    /// Claude Code's own name for the question.
    #[must_use]
    pub fn id(&self) -> &AskId {
        &self.id
    }

    /// The question as it came.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        self.question.json()
    }

    /// What else a handler may use.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A handle to the session that asks.
    #[must_use]
    pub fn controls(&self) -> &Controls {
        &self.context.controls
    }

    /// Waits until Claude Code no longer wants to know.
    pub fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        self.context.cancelled.cancelled()
    }
}

impl<T: Readable> Ask<T> {
    /// Everything that it says.
    #[must_use]
    pub fn read(&self) -> T::At<'_> {
        T::read(self.json())
    }
}

impl Context {
    pub(crate) fn new(cancelled: CancellationToken, controls: Controls) -> Self {
        Context { cancelled, controls }
    }

    /// Waits until Claude Code no longer wants to know.
    pub fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        self.cancelled.cancelled()
    }

    /// A handle to the session that asks.
    #[must_use]
    pub fn controls(&self) -> &Controls {
        &self.controls
    }
}

impl<T> Clone for Ask<T> {
    fn clone(&self) -> Self {
        Ask::new(self.id.clone(), self.question.clone(), self.context.clone())
    }
}

impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ask({} {})", self.id, self.question)
    }
}

/// A value of the wire as a type of one's own. Half characters, which `serde_json` refuses, are replaced.
pub(crate) fn read_as<T: DeserializeOwned>(json: Json<'_>) -> Result<T, serde_json::Error> {
    serde_json::from_str(&json.clean())
}

/// Each of these, by its module.
macro_rules! readable_in {
    ($($module:ident: $($name:ident),* $(,)?;)*) => {
        $($(crate::readable::readable!($module::$name<'static> as $module::$name<'a>);)*)*
    };
}

readable_in! {
    ask: CanUseTool, Elicitation, RequestUserDialog, OauthTokenRefresh, HostAuthTokenRefresh;
    hook: PreToolUse, PostToolUse, PostToolUseFailure, PostToolBatch, Notification, UserPromptSubmit,
        UserPromptExpansion, SessionStart, SessionEnd, Stop, StopFailure, SubagentStart, SubagentStop,
        PreCompact, PostCompact, PreModelSwitch, PostModelSwitch, PermissionRequest, PermissionDenied, Setup,
        TeammateIdle, TaskCreated, TaskCompleted, Elicitation, ElicitationResult, ConfigChange,
        WorktreeCreate, WorktreeRemove, InstructionsLoaded, CwdChanged, FileChanged, DirectoryAdded,
        MessageDisplay;
}
