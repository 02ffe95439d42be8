//! Commands that ask what fills the context and what was spent.

use super::super::declare::{wire, writable};
use super::super::{ContextKind, SessionUsage, Usage};
use super::ModelInfo;

writable! {
    /// What fills the context.
    pub struct GetContextUsage: subtype "get_context_usage" {
        /// `summary`, or `full` to have it counted by the API.
        detail: Str,
    }
}

wire! {
    /// What fills the context.
    pub struct GetContextUsageReply {
        /// What is in it, by kind.
        categories: [ContextPart],
        /// What is in it.
        total_tokens "totalTokens": u64,
        /// What fits in it.
        max_tokens "maxTokens": u64,
        /// What would fit if nothing were kept free.
        raw_max_tokens "rawMaxTokens": u64,
        /// How full it is.
        percentage: f64,
        /// How full it is, as a picture.
        grid_rows "gridRows": [[ContextSquare]],
        /// The model.
        model: Str,
        /// What memory files take.
        memory_files "memoryFiles": [Json],
        /// What MCP tools take.
        mcp_tools "mcpTools": [Json],
        /// What instructions of MCP servers take.
        mcp_instructions "mcpInstructions": [Json],
        /// Tools that are not loaded yet.
        deferred_builtin_tools "deferredBuiltinTools": [Json],
        /// What built-in tools take.
        system_tools "systemTools": [Json],
        /// What the prompt takes.
        system_prompt_sections "systemPromptSections": [Json],
        /// What agents take.
        agents: [Json],
        /// What slash commands take.
        slash_commands "slashCommands": CommandsInContext,
        /// What skills take.
        skills: SkillsInContext,
        /// Tokens at which it is compacted.
        auto_compact_threshold "autoCompactThreshold": u64,
        /// Whether it is at all.
        is_auto_compact_enabled "isAutoCompactEnabled": bool,
        /// Where that setting comes from.
        autocompact_source "autocompactSource": Str,
        /// What messages take.
        message_breakdown "messageBreakdown": MessageBreakdown,
        /// Tokens of the last API call.
        api_usage "apiUsage": Usage,
    }

    /// One kind of content in the context.
    pub struct ContextPart {
        /// Its name for programs.
        id: Str,
        /// Its name for people.
        name: Str,
        /// What it takes.
        tokens: u64,
        /// Its colour in the picture.
        color: Str,
        /// It is not loaded yet.
        is_deferred "isDeferred": bool,
        /// Whether it is really there.
        kind: (ContextKind),
    }

    /// A square of the picture.
    pub struct ContextSquare {
        /// Its colour.
        color: Str,
        /// Whether something is there.
        is_filled "isFilled": bool,
        /// What is there.
        category_name "categoryName": Str,
        /// What that takes.
        tokens: u64,
        /// What that takes, as a share.
        percentage: f64,
        /// How much of the square, from 0 to 1.
        square_fullness "squareFullness": f64,
    }

    /// What slash commands take.
    pub struct CommandsInContext {
        /// How many there are.
        total_commands "totalCommands": u64,
        /// How many the model knows of.
        included_commands "includedCommands": u64,
        /// What they take.
        tokens: u64,
    }

    /// What skills take.
    pub struct SkillsInContext {
        /// How many there are.
        total_skills "totalSkills": u64,
        /// How many the model knows of.
        included_skills "includedSkills": u64,
        /// What they take.
        tokens: u64,
        /// Each of them.
        skill_frontmatter "skillFrontmatter": [Json],
    }

    /// What messages take.
    pub struct MessageBreakdown {
        /// Calls of tools.
        tool_call_tokens "toolCallTokens": u64,
        /// Their answers.
        tool_result_tokens "toolResultTokens": u64,
        /// What came along.
        attachment_tokens "attachmentTokens": u64,
        /// The model's words.
        assistant_message_tokens "assistantMessageTokens": u64,
        /// The user's words.
        user_message_tokens "userMessageTokens": u64,
        /// What was sent elsewhere.
        redirected_context_tokens "redirectedContextTokens": u64,
        /// The rest.
        unattributed_tokens "unattributedTokens": u64,
        /// Calls, by tool.
        tool_calls_by_type "toolCallsByType": [Json],
        /// What came along, by kind.
        attachments_by_type "attachmentsByType": [Json],
    }
}

writable! {
    /// What was spent, in words.
    pub struct GetSessionCost: subtype "get_session_cost" {}
}

wire! {
    /// What was spent, in words.
    pub struct GetSessionCostReply {
        /// The words.
        text: Str,
    }
}

writable! {
    /// What was spent.
    pub struct GetUsage: subtype "get_usage" {
        /// Not how.
        skip_behaviors: bool,
    }
}

wire! {
    /// What was spent.
    pub struct GetUsageReply {
        /// In this session.
        session: SessionUsage,
        /// What the user has subscribed to.
        subscription_type: Str,
        /// Whether there are limits.
        rate_limits_available: bool,
        /// The limits.
        rate_limits: Json,
        /// How it was spent.
        behaviors: Json,
    }
}

writable! {
    /// The models there are.
    pub struct ListModels: subtype "list_models" {}
}

wire! {
    /// The models there are.
    pub struct ListModelsReply {
        /// The models.
        models: [ModelInfo],
    }
}

writable! {
    /// The version of Claude Code.
    pub struct GetBinaryVersion: subtype "get_binary_version" {}
}

wire! {
    /// The version of Claude Code.
    pub struct GetBinaryVersionReply {
        /// The version.
        version: Str,
        /// When it was built.
        build_time "buildTime": Str,
    }
}
