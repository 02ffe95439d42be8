//! What a hook says.

use super::{HookContext, HookKind};
use crate::Decision;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;
use unspool::control::{Answer, Payload};
use unspool::json::Str;
use unspool::wire::hook::{self, HookPermission, HookSpecific};
use unspool::wire::input::Draft;
use unspool::wire::{HookOutput, Wire};

/// What a hook says to an event `E`. A hook may also return `()`, which is no opinion, or a `Result`, whose error is told to
/// Claude Code.
///
/// Several things can be said at once:
///
/// ```
/// use unspool_client::hooks::{Hook, HookReply};
///
/// let hook = Hook::post_tool_use(|_| async {
///     HookReply::block("the tests fail").and(HookReply::context("see target/report")).tell_user("red").quiet()
/// });
/// ```
#[derive(Clone)]
pub struct HookReply<E> {
    said: Fields,
    to: PhantomData<fn() -> E>,
}

#[derive(Clone, Debug, Default)]
struct Fields {
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
    #[must_use]
    pub fn nothing() -> Self {
        HookReply::of(Fields::default())
    }

    /// Claude Code need not wait; the hook goes on by itself for so long. Whatever else it says is not heard.
    #[must_use]
    pub fn later(limit: Duration) -> Self {
        HookReply::of(Fields { later: Some(limit), ..Fields::default() })
    }

    /// What is asked about does not happen: the prompt is not answered, the agent does not stop, the tool's
    /// answer is called into question.
    pub fn block(why: impl Into<String>) -> Self {
        HookReply::of(Fields { decision: Some("block"), reason: Some(why.into()), ..Fields::default() })
    }

    /// What is asked about may happen: an older way to say it.
    pub fn approve(why: impl Into<String>) -> Self {
        HookReply::of(Fields { decision: Some("approve"), reason: Some(why.into()), ..Fields::default() })
    }

    /// Says this too. Where both say something of the same kind, the other one counts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (one, other) = (self.said, other.said);
        // A reason belongs to its decision.
        let (decision, reason) = match other.decision {
            Some(_) => (other.decision, other.reason),
            None => (one.decision, one.reason),
        };
        let specific = match (one.specific, other.specific) {
            (Some(one), Some(other)) => Some(joined(&one, &other)),
            (one, other) => other.or(one),
        };
        HookReply::of(Fields {
            later: other.later.or(one.later),
            ends: one.ends || other.ends,
            stop_reason: other.stop_reason.or(one.stop_reason),
            quiet: one.quiet || other.quiet,
            decision,
            reason,
            for_the_user: other.for_the_user.or(one.for_the_user),
            for_the_terminal: other.for_the_terminal.or(one.for_the_terminal),
            specific,
            failed: other.failed.or(one.failed),
        })
    }

    /// The turn ends, and this is shown.
    #[must_use]
    pub fn stop(mut self, why: impl Into<String>) -> Self {
        self.said.ends = true;
        self.said.stop_reason = Some(why.into());
        self
    }

    /// Tells the user something.
    #[must_use]
    pub fn tell_user(mut self, words: impl Into<String>) -> Self {
        self.said.for_the_user = Some(words.into());
        self
    }

    /// Sends a notification to the terminal.
    #[must_use]
    pub fn tell_terminal(mut self, sequence: impl Into<String>) -> Self {
        self.said.for_the_terminal = Some(sequence.into());
        self
    }

    /// Does not show that there was a hook.
    #[must_use]
    pub fn quiet(mut self) -> Self {
        self.said.quiet = true;
        self
    }

    pub(crate) fn answer(self) -> Answer {
        let said = &self.said;
        if let Some(why) = &said.failed {
            return Answer::error(why.as_str());
        }
        let text = |text: &Option<String>| text.clone();
        let [stop_reason, reason] = [text(&said.stop_reason), text(&said.reason)];
        let mut output = HookOutput::default();
        output.run_async = said.later.map(|_| true);
        output.async_timeout = said.later.map(|limit| limit.as_millis() as f64);
        output.carry_on = said.ends.then_some(false);
        output.stop_reason = stop_reason.as_deref().map(Str::from);
        output.suppress_output = said.quiet.then_some(true);
        output.decision = said.decision.map(Str::from);
        output.reason = reason.as_deref().map(Str::from);
        output.system_message = said.for_the_user.as_deref().map(Str::from);
        output.terminal_sequence = said.for_the_terminal.as_deref().map(Str::from);
        output.specific = said.specific.as_ref().and_then(|it| HookSpecific::of(it.json()));
        Payload::of(&output).into()
    }

    fn of(said: Fields) -> Self {
        HookReply { said, to: PhantomData }
    }
}

impl<E: HookKind> HookReply<E> {
    /// What can be said to this event only.
    pub fn specific(says: E::Says<'_>) -> Self {
        let specific = Payload::of(&says.into());
        HookReply::of(Fields { specific: Some(specific), ..Fields::default() })
    }
}

impl<E: HookContext> HookReply<E> {
    /// What the model should know.
    pub fn context(words: impl AsRef<str>) -> Self {
        HookReply::specific(E::context(words.as_ref()))
    }
}

impl HookReply<hook::PreToolUse<'static>> {
    /// The call may be made, and neither the user nor the host is asked.
    #[must_use]
    pub fn allow() -> Self {
        Self::specific(hook::PreToolUseOutput::default().permission_decision(HookPermission::Allow))
    }

    /// It may be made, with this input.
    pub fn allow_with(input: impl Into<Payload>) -> Self {
        let input = input.into();
        let says = hook::PreToolUseOutput::default().permission_decision(HookPermission::Allow);
        Self::specific(says.updated_input(input.json()))
    }

    /// It may not be made; the model is told why.
    pub fn deny(why: impl AsRef<str>) -> Self {
        let says = hook::PreToolUseOutput::default().permission_decision(HookPermission::Deny);
        Self::specific(says.permission_decision_reason(why.as_ref()))
    }

    /// The user or the host has to be asked.
    pub fn ask(why: impl AsRef<str>) -> Self {
        let says = hook::PreToolUseOutput::default().permission_decision(HookPermission::Ask);
        Self::specific(says.permission_decision_reason(why.as_ref()))
    }

    /// It is decided later, by the host that goes on with the session: the turn ends before the call.
    #[must_use]
    pub fn defer() -> Self {
        Self::specific(hook::PreToolUseOutput::default().permission_decision(HookPermission::Defer))
    }

    /// What the tool is given instead, without a decision.
    pub fn input(input: impl Into<Payload>) -> Self {
        let input = input.into();
        Self::specific(hook::PreToolUseOutput::default().updated_input(input.json()))
    }
}

impl HookReply<hook::PostToolUse<'static>> {
    /// What the tool is taken to have answered, in the shape that it answers in.
    pub fn replace(output: impl Into<Payload>) -> Self {
        let output = output.into();
        Self::specific(hook::PostToolUseOutput::default().updated_tool_output(output.json()))
    }
}

/// The fields of both; those of the other count.
fn joined(one: &Payload, other: &Payload) -> Payload {
    let (one, other) = (one.json(), other.json());
    let kept = one.fields().filter(|(name, _)| other.get(&name.decode()).is_none());
    let fields = kept.chain(other.fields());
    let draft = fields.fold(Draft::new(), |all, (name, value)| all.with(&name.decode(), value));
    Payload::from(draft.json())
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
            Ok(specific) => Fields { specific: Some(specific), ..Fields::default() },
            Err(why) => Fields { failed: Some(why), ..Fields::default() },
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
            Err(error) => HookReply::of(Fields { failed: Some(error.to_string()), ..Fields::default() }),
        }
    }
}

impl<E> fmt::Debug for HookReply<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use unspool::wire::hook::{PermissionRequest, PostToolUse, PreToolUse, UserPromptSubmit};

    fn says<E>(reply: HookReply<E>) -> Value {
        match reply.answer() {
            Answer::Success(payload) => serde_json::from_str(&payload.to_string()).unwrap(),
            other => json!(format!("{other:?}")),
        }
    }

    #[test]
    fn what_can_be_said_can_be_said_together() {
        type Pre = HookReply<PreToolUse<'static>>;
        type Post = HookReply<PostToolUse<'static>>;
        type Prompt = HookReply<UserPromptSubmit<'static>>;
        type Request = HookReply<PermissionRequest<'static>>;
        for (said, expected) in [
            (
                says(Post::block("red").and(Post::context("see x")).tell_user("hm").quiet()),
                json!({"decision": "block", "reason": "red", "systemMessage": "hm", "suppressOutput": true,
                    "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "see x"}}),
            ),
            (
                says(
                    Post::replace(json!("y"))
                        .and(Post::context("see x"))
                        .stop("enough")
                        .tell_terminal("bell"),
                ),
                json!({"continue": false, "stopReason": "enough", "terminalSequence": "bell", "hookSpecificOutput":
                    {"hookEventName": "PostToolUse", "updatedToolOutput": "y", "additionalContext": "see x"}}),
            ),
            (
                says(Pre::ask("really?").and(Pre::input(json!({"a": 1}))).and(Pre::context("c"))),
                json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask",
                    "permissionDecisionReason": "really?", "updatedInput": {"a": 1}, "additionalContext": "c"}}),
            ),
            (
                says(Pre::context("one").and(Pre::context("other")).and(Pre::nothing())),
                json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "other"}}),
            ),
            (
                says(Pre::defer().and(Pre::approve("old"))),
                json!({"decision": "approve", "reason": "old", "hookSpecificOutput":
                    {"hookEventName": "PreToolUse", "permissionDecision": "defer"}}),
            ),
            (
                says(Prompt::block("one").and(Prompt::approve("other"))),
                json!({"decision": "approve", "reason": "other"}),
            ),
            (
                says(Request::from(Decision::deny("no")).and(Request::nothing().tell_user("denied"))),
                json!({"systemMessage": "denied", "hookSpecificOutput": {"hookEventName": "PermissionRequest",
                    "decision": {"behavior": "deny", "message": "no"}}}),
            ),
        ] {
            assert_eq!(said, expected);
        }
        let failed = Pre::from(Err::<(), _>("broken")).and(Pre::context("c"));
        assert!(says(failed).to_string().contains("broken"));
    }
}
