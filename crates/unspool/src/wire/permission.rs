//! What may be done: modes, rules, changes to them, and how a question about a call is answered.

use super::declare::{choice, open, writable};

writable! {
    /// The answer to [`CanUseTool`](super::ask::CanUseTool).
    pub struct PermissionAnswer {
        /// Whether the call may be made.
        behavior: (Behavior),
        /// What the tool is given instead; old versions want it on every `allow`.
        updated_input "updatedInput": Json,
        /// What is allowed from now on.
        updated_permissions "updatedPermissions": [PermissionUpdate],
        /// What the model is told; every `deny` needs it.
        message: Str,
        /// The turn ends with it.
        interrupt: bool,
        /// The call.
        tool_use_id "toolUseID": Str,
        /// Who decided: `user_temporary`, `user_permanent` or `user_reject`.
        decision_classification "decisionClassification": Str,
        /// The options that were chosen; only in the oldest documents.
        selected_options "selectedOptions": [Str],
    }

    /// A rule about a tool.
    pub struct PermissionRule {
        /// The tool.
        tool_name "toolName": Str,
        /// Which calls of it; all if absent.
        rule_content "ruleContent": Str,
    }
}

choice! {
    /// A change to what may be done.
    pub enum PermissionUpdate by "type" {
        "addRules" => AddRules,
        "replaceRules" => ReplaceRules,
        "removeRules" => RemoveRules,
        "setMode" => SetMode,
        "addDirectories" => AddDirectories,
        "removeDirectories" => RemoveDirectories,
    }
}

writable! {
    /// Rules to add.
    pub struct AddRules: type "addRules" {
        /// The rules.
        rules: [PermissionRule],
        /// What they say.
        behavior: (Behavior),
        /// Where they are kept.
        destination: (Destination),
    }

    /// Rules that take the place of all others.
    pub struct ReplaceRules: type "replaceRules" {
        /// The rules.
        rules: [PermissionRule],
        /// What they say.
        behavior: (Behavior),
        /// Where they are kept.
        destination: (Destination),
    }

    /// Rules to remove.
    pub struct RemoveRules: type "removeRules" {
        /// The rules.
        rules: [PermissionRule],
        /// What they say.
        behavior: (Behavior),
        /// Where they are kept.
        destination: (Destination),
    }

    /// Changes the permission mode.
    pub struct SetMode: type "setMode" {
        /// The mode.
        mode: (PermissionMode),
        /// Where it is kept.
        destination: (Destination),
    }

    /// Directories that may be used.
    pub struct AddDirectories: type "addDirectories" {
        /// The directories.
        directories: [Str],
        /// Where they are kept.
        destination: (Destination),
    }

    /// Directories that may no longer be used.
    pub struct RemoveDirectories: type "removeDirectories" {
        /// The directories.
        directories: [Str],
        /// Where they are kept.
        destination: (Destination),
    }
}

open! {
    /// What may be done without asking.
    pub enum PermissionMode {
        /// What the rules allow; the rest is asked for.
        Default = "default",
        /// Files in the working directories may be changed.
        AcceptEdits = "acceptEdits",
        /// Everything.
        BypassPermissions = "bypassPermissions",
        /// Nothing is changed until a plan is approved.
        Plan = "plan",
        /// What would be asked for is denied.
        DontAsk = "dontAsk",
        /// A model decides.
        Auto = "auto",
    }

    /// Where a rule is kept.
    pub enum Destination {
        UserSettings = "userSettings",
        ProjectSettings = "projectSettings",
        LocalSettings = "localSettings",
        Session = "session",
        CliArg = "cliArg",
    }

    /// What is said about a call.
    pub enum Behavior {
        Allow = "allow",
        Deny = "deny",
        Ask = "ask",
        /// The host does not decide, but leaves it to others; only in the oldest documents.
        Delegate = "delegate",
    }

    /// What decided about a call.
    pub enum DecisionReasonType {
        Rule = "rule",
        Mode = "mode",
        SubcommandResults = "subcommandResults",
        PermissionPromptTool = "permissionPromptTool",
        Hook = "hook",
        AsyncAgent = "asyncAgent",
        SandboxOverride = "sandboxOverride",
        WorkingDir = "workingDir",
        SafetyCheck = "safetyCheck",
        Classifier = "classifier",
        AnythingElse = "other",
    }
}

impl PermissionAnswer<'_> {
    /// The call may be made.
    #[must_use]
    pub fn allow() -> Self {
        Self::default().behavior(Behavior::Allow)
    }

    /// The host does not decide, but leaves it to others; only in the oldest documents.
    #[must_use]
    pub fn delegate() -> Self {
        Self::default().behavior(Behavior::Delegate)
    }
}

impl<'a> PermissionAnswer<'a> {
    /// The call may not be made, and what the model is told.
    #[must_use]
    pub fn deny(message: &'a str) -> Self {
        Self::default().behavior(Behavior::Deny).message(message)
    }
}
