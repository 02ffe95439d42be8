//! Commands about settings, plugins, hooks and rules.

use super::super::declare::{wire, writable};
use super::super::system::Plugin;
use super::{AgentInfo, McpServerStatus, SlashCommand};

writable! {
    /// Settings for this process.
    pub struct ApplyFlagSettings: subtype "apply_flag_settings" {
        /// The settings; null takes one back.
        settings: Json,
    }

    /// The settings in force.
    pub struct GetSettings: subtype "get_settings" {}
}

wire! {
    /// The settings in force.
    pub struct GetSettingsReply {
        /// All of them.
        effective: Json,
        /// Where they come from.
        sources: [Json],
        /// What they have led to.
        applied: AppliedSettings,
        /// What is wrong with them.
        errors: Json,
    }

    /// What the settings have led to.
    pub struct AppliedSettings {
        /// The model.
        model: Str,
        /// How hard it is to try.
        effort: Str,
        /// Who advises it.
        advisor: Json,
        /// Whether it works its hardest.
        ultracode: bool,
        /// Whether that was asked for.
        ultracode_requested "ultracodeRequested": bool,
        /// Whether it can be.
        ultracode_available "ultracodeAvailable": bool,
        /// Whether more thinking can be asked for.
        ultrathink_available "ultrathinkAvailable": bool,
        /// Files outside are not read.
        outside_file_tool_reads_blocked "outsideFileToolReadsBlocked": bool,
        /// Files outside are not written.
        outside_file_tool_writes_blocked "outsideFileToolWritesBlocked": bool,
        /// Outside of the first folders only.
        outside_blocks_count_launch_folders_only "outsideBlocksCountLaunchFoldersOnly": bool,
        /// The environment changed no files.
        launch_env_left_own_files_in_place "launchEnvLeftOwnFilesInPlace": bool,
    }
}

writable! {
    /// Settings for good.
    pub struct UpdateSettings: subtype "update_settings" {
        /// Where they are kept: `localSettings` or `userSettings`.
        source: Str,
        /// The settings.
        settings: Json,
    }

    /// The hooks in force.
    pub struct GetHooksListing: subtype "get_hooks_listing" {}
}

wire! {
    /// The hooks in force.
    pub struct GetHooksListingReply {
        /// The events that have hooks.
        events: [Json],
        /// The hooks.
        hooks: [Json],
        /// The events there are.
        event_catalog "eventCatalog": [HookEventInfo],
        /// Who may have hooks.
        policy: HookPolicy,
        /// None run.
        safe_mode "safeMode": bool,
        /// None were read.
        bare_mode "bareMode": bool,
        /// What is wrong with them.
        errors: Json,
    }

    /// An event that hooks are called for.
    pub struct HookEventInfo {
        /// Its name.
        name: Str,
        /// What it is.
        summary: Str,
        /// Whether a matcher has an effect.
        supports_matcher "supportsMatcher": bool,
    }

    /// Who may have hooks.
    pub struct HookPolicy {
        /// Nobody.
        all_disabled "allDisabled": bool,
        /// A policy says so.
        disabled_by_policy "disabledByPolicy": bool,
        /// Only the organisation.
        managed_only "managedOnly": bool,
        /// Only plugins.
        plugin_only "pluginOnly": bool,
        /// How many the organisation has.
        policy_hook_count "policyHookCount": u64,
    }
}

writable! {
    /// The rules in force.
    pub struct ListPermissionRules: subtype "list_permission_rules" {}
}

wire! {
    /// The rules in force.
    pub struct ListPermissionRulesReply {
        /// The rules.
        state: PermissionRules,
    }

    /// The rules in force.
    pub struct PermissionRules {
        /// Each of them.
        rules: [PermissionRuleRow],
        /// The directories that may be used.
        workspace_directories "workspaceDirectories": [Json],
        /// The directory the session began in.
        original_cwd "originalCwd": Str,
        /// Only the organisation may have rules.
        managed_only "managedOnly": bool,
        /// What is wrong with them.
        errors: Json,
        /// What is not told.
        withheld: Json,
    }

    /// A rule in force.
    pub struct PermissionRuleRow {
        /// What it says.
        behavior: Str,
        /// Where it is kept.
        source: Str,
        /// The rule.
        rule: Str,
        /// The rule in words for people.
        description: RuleDescription,
        /// Whether it can be changed: `persistent`, `session` or `readonly`.
        editability: Str,
        /// Why it has no effect.
        not_in_effect "notInEffect": Json,
    }

    /// A rule for people.
    pub struct RuleDescription {
        /// Before the part that matters.
        prefix: Str,
        /// The part that matters.
        emphasis: Str,
        /// Behind it.
        suffix: Str,
    }
}

writable! {
    /// Load the plugins again.
    pub struct ReloadPlugins: subtype "reload_plugins" {
        /// Not if the cache would be lost.
        hold_on_cache_impact: bool,
        /// More plugins.
        add_plugins: [Json],
        /// Not in mid-turn.
        refuse_if_busy: bool,
    }
}

wire! {
    /// What there is now.
    pub struct ReloadPluginsReply {
        /// The slash commands.
        commands: [SlashCommand],
        /// The kinds of sub-agents.
        agents: [AgentInfo],
        /// The plugins.
        plugins: [Plugin],
        /// The MCP servers.
        mcp_servers "mcpServers": [McpServerStatus],
        /// How many plugins do not work.
        error_count: u64,
        /// Nothing was done, for the cache's sake.
        held: bool,
        /// What would have changed.
        cache_impact: CacheImpact,
    }

    /// What would change for the cache.
    pub struct CacheImpact {
        /// New MCP servers.
        mcp_servers_added: Json,
        /// MCP servers that go.
        mcp_servers_removed: Json,
        /// Whether the language tools change.
        lsp_tool_change: Json,
    }
}

writable! {
    /// Load the skills again.
    pub struct ReloadSkills: subtype "reload_skills" {}
}

wire! {
    /// The skills there are now.
    pub struct ReloadSkillsReply {
        /// The skills.
        skills: [SlashCommand],
    }
}

writable! {
    /// Load the output styles again.
    pub struct ReloadOutputStyles: subtype "reload_output_styles" {}
}

wire! {
    /// The styles there are now.
    pub struct ReloadOutputStylesReply {
        /// The styles.
        available_output_styles: [Str],
    }
}
