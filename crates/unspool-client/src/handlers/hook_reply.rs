//! What a hook says.

use super::hook::{HookContext, HookKind};
use super::permission::Decision;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;
use unspool::control::{Answer, Payload};
use unspool::json::Str;
use unspool::wire::hook::{self, HookSpecific};
use unspool::wire::{HookOutput, Wire};

/// What a hook says to an event `E`. A hook may also return `()`, which is no opinion, or a `Result`, whose error is told to
/// Claude Code.
#[derive(Clone)]
pub struct HookReply<E> {
    said: Said,
    to: PhantomData<fn() -> E>,
}

#[derive(Clone, Debug, Default)]
struct Said {
    later: Option<Duration>,
    ends: bool,
    stop_reason: Option<String>,
    quiet: bool,
    decision: Option<&'static str>,
    reason: Option<String>,
    for_the_user: Option<String>,
    for_the_terminal: Option<String>,
    specific: Option<Payload>,
    failed: Option<String>,
}

impl<E> HookReply<E> {
    /// No opinion.
    pub fn nothing() -> Self {
        HookReply::of(Said::default())
    }

    /// Claude Code need not wait; the hook goes on by itself for so long.
    pub fn later(limit: Duration) -> Self {
        HookReply::of(Said { later: Some(limit), ..Said::default() })
    }

    /// What is asked about does not happen: the prompt is not answered, the agent does not stop, the tool's
    /// answer is called into question.
    pub fn block(why: impl Into<String>) -> Self {
        HookReply::of(Said { decision: Some("block"), reason: Some(why.into()), ..Said::default() })
    }

    /// The turn ends, and this is shown.
    pub fn stop(mut self, why: impl Into<String>) -> Self {
        self.said.ends = true;
        self.said.stop_reason = Some(why.into());
        self
    }

    /// Tells the user something.
    pub fn tell_user(mut self, words: impl Into<String>) -> Self {
        self.said.for_the_user = Some(words.into());
        self
    }

    /// Sends a notification to the terminal.
    pub fn tell_terminal(mut self, sequence: impl Into<String>) -> Self {
        self.said.for_the_terminal = Some(sequence.into());
        self
    }

    /// Does not show that there was a hook.
    pub fn quiet(mut self) -> Self {
        self.said.quiet = true;
        self
    }

    pub(super) fn answer(self) -> Answer {
        let said = &self.said;
        if let Some(why) = &said.failed {
            return Answer::error(why.as_str());
        }
        let text = |text: &Option<String>| text.clone();
        let [stop_reason, reason] = [text(&said.stop_reason), text(&said.reason)];
        let output = HookOutput {
            run_async: said.later.map(|_| true),
            async_timeout: said.later.map(|limit| limit.as_millis() as f64),
            carry_on: said.ends.then_some(false),
            stop_reason: stop_reason.as_deref().map(Str::from),
            suppress_output: said.quiet.then_some(true),
            decision: said.decision.map(Str::from),
            reason: reason.as_deref().map(Str::from),
            system_message: said.for_the_user.as_deref().map(Str::from),
            terminal_sequence: said.for_the_terminal.as_deref().map(Str::from),
            specific: said.specific.as_ref().and_then(|it| HookSpecific::of(it.json())),
            ..HookOutput::default()
        };
        Payload::of(&output).into()
    }

    fn of(said: Said) -> Self {
        HookReply { said, to: PhantomData }
    }
}

impl<E: HookKind> HookReply<E> {
    /// What can be said to this event only.
    pub fn specific(says: E::Says<'_>) -> Self {
        let specific = Payload::of(&says.into());
        HookReply::of(Said { specific: Some(specific), ..Said::default() })
    }
}

impl<E: HookContext> HookReply<E> {
    /// What the model should know.
    pub fn context(words: impl AsRef<str>) -> Self {
        HookReply::specific(E::context(words.as_ref()))
    }
}

impl HookReply<hook::PreToolUse<'static>> {
    /// The call may be made, and nobody is asked.
    pub fn allow() -> Self {
        Self::specific(hook::PreToolUseOutput::default().permission_decision("allow"))
    }

    /// It may be made, with this input.
    pub fn allow_with(input: impl Into<Payload>) -> Self {
        let input = input.into();
        let says = hook::PreToolUseOutput::default().permission_decision("allow");
        Self::specific(says.updated_input(input.json()))
    }

    /// It may not be made; the model is told why.
    pub fn deny(why: impl AsRef<str>) -> Self {
        let says = hook::PreToolUseOutput::default().permission_decision("deny");
        Self::specific(says.permission_decision_reason(why.as_ref()))
    }

    /// Somebody has to be asked.
    pub fn ask(why: impl AsRef<str>) -> Self {
        let says = hook::PreToolUseOutput::default().permission_decision("ask");
        Self::specific(says.permission_decision_reason(why.as_ref()))
    }
}

impl HookReply<hook::PostToolUse<'static>> {
    /// What the tool is taken to have answered, in the shape that it answers in.
    pub fn replace(output: impl Into<Payload>) -> Self {
        let output = output.into();
        Self::specific(hook::PostToolUseOutput::default().updated_tool_output(output.json()))
    }
}

/// Decides before the permission handler does; the first to decide wins.
impl From<Decision> for HookReply<hook::PermissionRequest<'static>> {
    fn from(decision: Decision) -> Self {
        let written = decision.for_hook(|decision| {
            let decision = Payload::of(&decision);
            let says = hook::PermissionRequestOutput::default().decision(decision.json());
            Payload::of(&HookSpecific::from(says))
        });
        HookReply::of(match written {
            Ok(specific) => Said { specific: Some(specific), ..Said::default() },
            Err(why) => Said { failed: Some(why), ..Said::default() },
        })
    }
}

/// No opinion.
impl<E> From<()> for HookReply<E> {
    fn from((): ()) -> Self {
        HookReply::nothing()
    }
}

/// An error is told to Claude Code.
impl<E, T: Into<HookReply<E>>, F: fmt::Display> From<Result<T, F>> for HookReply<E> {
    fn from(result: Result<T, F>) -> Self {
        match result {
            Ok(reply) => reply.into(),
            Err(error) => HookReply::of(Said { failed: Some(error.to_string()), ..Said::default() }),
        }
    }
}

impl<E> fmt::Debug for HookReply<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said.fmt(f)
    }
}
