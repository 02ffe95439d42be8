//! Hooks and plugins at work, as seen from outside.

use super::super::declare::open;
use super::system;

system! {
    /// A hook of the settings begins.
    pub struct HookStarted {
        /// This run of it.
        hook_id: Str,
        /// The hook.
        hook_name: Str,
        /// What it was called for.
        hook_event: Str,
    }

    /// A hook has printed something.
    pub struct HookProgress {
        /// This run of it.
        hook_id: Str,
        /// The hook.
        hook_name: Str,
        /// What it was called for.
        hook_event: Str,
        /// What it printed.
        stdout: Str,
        /// What it complained of.
        stderr: Str,
        /// What it printed and what it complained of, together.
        output: Str,
    }

    /// A hook has ended.
    pub struct HookResponse {
        /// This run of it.
        hook_id: Str,
        /// The hook.
        hook_name: Str,
        /// What it was called for.
        hook_event: Str,
        /// All it printed.
        output: Str,
        /// What it printed.
        stdout: Str,
        /// What it complained of.
        stderr: Str,
        /// Its exit code.
        exit_code: u64,
        /// How it ended.
        outcome: (HookOutcome),
    }

    /// Plugins are being installed.
    pub struct PluginInstall {
        /// `started`, `installed`, `failed` or `completed`.
        status: Str,
        /// The plugin.
        name: Str,
        /// What went wrong.
        error: Str,
    }
}

open! {
    /// How a hook ended.
    pub enum HookOutcome {
        Success = "success",
        Error = "error",
        Cancelled = "cancelled",
    }
}
