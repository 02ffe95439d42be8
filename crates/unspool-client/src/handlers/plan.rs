//! `ExitPlanMode`: the model has a plan and wants to begin.

use super::permission::{Decision, Permission, words};
use super::update::Update;
use std::borrow::Cow;
use std::fmt;
use unspool::wire::tool::ExitPlanModeInput;
use unspool::wire::{Destination, PermissionMode, Wire as _};

/// The model has a plan and wants to begin.
#[derive(Clone, Debug)]
pub struct Plan(pub(super) Permission);

impl Plan {
    /// The plan; none if the model has not written any.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'_, str>> {
        words(self.read().plan)
    }

    /// The file it is in; older versions have none.
    #[must_use]
    pub fn file(&self) -> Option<Cow<'_, str>> {
        words(self.read().plan_file_path)
    }

    fn read(&self) -> ExitPlanModeInput<'_> {
        ExitPlanModeInput::of(self.0.input()).unwrap_or_default()
    }

    /// The question whether the tool may be used, which this is on the wire.
    #[must_use]
    pub fn permission(&self) -> &Permission {
        &self.0
    }
}

/// What is said to a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanDecision(Decision);

impl PlanDecision {
    /// Begin.
    #[must_use]
    pub fn approve() -> Self {
        PlanDecision(Decision::allow())
    }

    /// Begin, in this mode.
    #[must_use]
    pub fn approve_in(mode: PermissionMode<'_>) -> Self {
        PlanDecision(Decision::allow().remember(Update::mode(mode, Destination::Session)))
    }

    /// Not yet; what to do better.
    pub fn reject(feedback: impl Into<String>) -> Self {
        PlanDecision(Decision::deny(feedback))
    }

    /// Another host of the session answers, and nothing is sent from here.
    #[must_use]
    pub fn elsewhere() -> Self {
        PlanDecision(Decision::elsewhere())
    }

    pub(super) fn decision(self) -> Decision {
        self.0
    }
}

impl<E: fmt::Display> From<Result<PlanDecision, E>> for PlanDecision {
    fn from(result: Result<PlanDecision, E>) -> Self {
        PlanDecision(result.map(PlanDecision::decision).into())
    }
}
