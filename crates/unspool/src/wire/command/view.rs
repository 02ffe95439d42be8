//! Commands that ask for what a user interface shows.

use super::super::declare::{wire, writable};

writable! {
    /// What `/status` shows.
    pub struct GetStatus: subtype "get_status" {}
}

wire! {
    /// What `/status` shows.
    pub struct GetStatusReply {
        /// The parts.
        sections: [StatusSection],
    }

    /// A part of it.
    pub struct StatusSection {
        /// Its title.
        title: Str,
        /// Its rows.
        rows: [StatusRow],
    }

    /// A row of it.
    pub struct StatusRow {
        /// What it is about.
        label: Str,
        /// What it says.
        value: Json,
    }
}

writable! {
    /// What `/memory` shows.
    pub struct GetMemoryDialog: subtype "get_memory_dialog" {}
}

wire! {
    /// What `/memory` shows.
    pub struct GetMemoryDialogReply {
        /// Files.
        files: [Json],
        /// Folders.
        folders: [Json],
        /// What is remembered.
        memories: [Json],
        /// What is remembered by itself.
        auto_memory: Json,
        /// What is sorted by itself.
        auto_dream: Json,
    }
}

writable! {
    /// What `/skills` shows.
    pub struct GetSkillsDialog: subtype "get_skills_dialog" {}
}

wire! {
    /// What `/skills` shows.
    pub struct GetSkillsDialogReply {
        /// The skills.
        skills: [Json],
    }
}

writable! {
    /// What `/sandbox` shows.
    pub struct GetSandboxDialog: subtype "get_sandbox_dialog" {}
}

wire! {
    /// What `/sandbox` shows.
    pub struct GetSandboxDialogReply {
        /// Whether there is a sandbox.
        supported: Json,
        /// Whether it can be changed.
        locked: Json,
        /// Whether exceptions can be changed.
        overrides_locked: Json,
        /// Who decided.
        policy_origins: Json,
        /// Whether it is on.
        enabled: Json,
        /// Whether the settings say so.
        enabled_in_settings: Json,
        /// How strict it is.
        mode: Json,
        /// Whether commands in it need no question.
        auto_allow_available: Json,
        /// Whether commands may leave it.
        no_sandbox_allowed: Json,
        /// Whether they do if it fails.
        unsandboxed_fallback: Json,
        /// What it needs.
        dependencies: Json,
        /// Commands that are left out.
        excluded_commands: Json,
        /// What it keeps from them.
        restrictions: Json,
    }
}

writable! {
    /// What `/chrome` shows.
    pub struct GetChromeDialog: subtype "get_chrome_dialog" {}
}

wire! {
    /// What `/chrome` shows.
    pub struct GetChromeDialogReply {
        /// Whether it may be used.
        allowed: Json,
        /// Whether the user has subscribed.
        subscriber: Json,
        /// Whether this is Linux inside Windows.
        wsl: Json,
        /// Whether the extension is there.
        installed: Json,
        /// Whether it is connected.
        connected: Json,
        /// Whether it always is.
        enabled_by_default: Json,
        /// Whether it was at the start.
        at_startup: Json,
        /// Where to get it.
        urls: Json,
    }
}

writable! {
    /// The browsers there are.
    pub struct GetChromeBrowsers: subtype "get_chrome_browsers" {}

    /// Use this browser.
    pub struct SelectChromeBrowser: subtype "select_chrome_browser" {
        /// The browser.
        device_id: Str,
    }

    /// Refused on stdio; its shape is not known.
    pub struct SetChromeBrowserHints: subtype "set_chrome_browser_hints" {}

    /// The plan, if there is one.
    pub struct GetPlan: subtype "get_plan" {}
}

wire! {
    /// The plan.
    pub struct GetPlanReply {
        /// Whether there is one.
        exists: bool,
    }
}

writable! {
    /// What has changed in the working directory.
    pub struct GetWorkspaceDiff: subtype "get_workspace_diff" {}
}

wire! {
    /// What has changed.
    pub struct GetWorkspaceDiffReply {
        /// The changes.
        diff: Json,
        /// Why they are not told.
        no_diff_reason "noDiffReason": Str,
    }
}
