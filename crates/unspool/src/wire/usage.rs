//! Tokens, money, and what fills the context.

use super::declare::{named, open, wire};

wire! {
    /// Tokens, as the Messages API counts them.
    pub struct Usage {
        /// Fresh input.
        input_tokens: u64,
        /// Output; provisional on assistant lines.
        output_tokens: u64,
        /// Input written to the cache.
        cache_creation_input_tokens: u64,
        /// Input read from the cache.
        cache_read_input_tokens: u64,
        /// Cache writes by lifetime.
        cache_creation: CacheCreation,
        /// Requests of server tools.
        server_tool_use: ServerToolUsage,
        /// `standard`, `priority` or `batch`.
        service_tier: Str,
        /// Where it ran.
        inference_geo: Str,
        /// The parts of a request that took several model runs.
        iterations: [Iteration],
        /// How fast it was.
        speed: (Speed),
        /// Output by purpose.
        output_tokens_details: OutputTokensDetails,
        /// Credit for a refused request.
        fallback_credit: Json,
    }

    /// Cache writes by lifetime.
    pub struct CacheCreation {
        /// Five minutes.
        ephemeral_5m_input_tokens: u64,
        /// One hour.
        ephemeral_1h_input_tokens: u64,
    }
}

named! {
    /// Requests of server tools.
    pub struct ServerToolUsage {
        /// Searches.
        web_search_requests: u64,
        /// Fetches.
        web_fetch_requests: u64,
    }
}

wire! {
    /// Output by purpose.
    pub struct OutputTokensDetails {
        /// Thinking.
        thinking_tokens: u64,
    }

    /// One model run of a request.
    pub struct Iteration {
        /// What the model ran for.
        kind "type": (IterationKind),
        /// The model that ran.
        model: Str,
        /// Fresh input.
        input_tokens: u64,
        /// Output.
        output_tokens: u64,
        /// Input written to the cache.
        cache_creation_input_tokens: u64,
        /// Input read from the cache.
        cache_read_input_tokens: u64,
        /// Cache writes by lifetime.
        cache_creation: CacheCreation,
        /// Output by purpose.
        output_tokens_details: OutputTokensDetails,
    }

    /// What one model has used, in this session or since the last result.
    pub struct ModelUsage {
        /// Fresh input.
        input_tokens "inputTokens": u64,
        /// Output.
        output_tokens "outputTokens": u64,
        /// Output that was thinking.
        thinking_tokens "thinkingTokens": u64,
        /// Input read from the cache.
        cache_read_input_tokens "cacheReadInputTokens": u64,
        /// Input written to the cache.
        cache_creation_input_tokens "cacheCreationInputTokens": u64,
        /// Input written to the cache for five minutes.
        cache_creation_ephemeral_5m_input_tokens "cacheCreationEphemeral5mInputTokens": u64,
        /// Input written to the cache for one hour.
        cache_creation_ephemeral_1h_input_tokens "cacheCreationEphemeral1hInputTokens": u64,
        /// Searches.
        web_search_requests "webSearchRequests": u64,
        /// Money.
        cost_usd "costUSD": f64,
        /// Size of the context.
        context_window "contextWindow": u64,
        /// Most output of one message.
        max_output_tokens "maxOutputTokens": u64,
        /// The model's name without aliases.
        canonical_model "canonicalModel": Str,
        /// Who runs it.
        provider: Str,
        /// Where the price comes from.
        cost_basis "costBasis": Str,
    }

    /// What fills the context, as `/context` tells it.
    pub struct ContextUsage {
        /// The model.
        model: Str,
        /// What is in it.
        total_tokens: u64,
        /// What fits in it.
        raw_max_tokens: u64,
        /// How full it is.
        percentage: f64,
        /// By how much it is too full.
        over_limit: OverLimit,
        /// What is in it, by kind.
        categories: [ContextCategory],
        /// What MCP tools take.
        mcp_tools: [ContextTool],
        /// What memory files take.
        memory_files: [ContextFile],
        /// What agents take.
        agents: [ContextAgent],
        /// What skills take.
        skills: [ContextSkill],
    }

    /// A context that is too full.
    pub struct OverLimit {
        /// By how much.
        tokens_over: u64,
        /// `hard_limit` or `compaction_window`.
        kind: Str,
    }

    /// One kind of content in the context.
    pub struct ContextCategory {
        /// Its name for people.
        name: Str,
        /// What it takes.
        tokens: u64,
        /// Whether it is really there.
        kind: (ContextKind),
    }

    /// What an MCP tool takes.
    pub struct ContextTool {
        /// The tool.
        name: Str,
        /// Its server.
        server_name: Str,
        /// What it takes.
        tokens: u64,
    }

    /// What a memory file takes.
    pub struct ContextFile {
        /// The file.
        path: Str,
        /// What kind of memory.
        kind "type": Str,
        /// What it takes.
        tokens: u64,
    }

    /// What an agent takes.
    pub struct ContextAgent {
        /// The agent.
        agent_type: Str,
        /// Where it is defined.
        source: Str,
        /// What it takes.
        tokens: u64,
    }

    /// What a skill takes.
    pub struct ContextSkill {
        /// The skill.
        name: Str,
        /// Where it is defined.
        source: Str,
        /// The plugin it belongs to.
        plugin_name: Str,
        /// What it takes.
        tokens: u64,
    }

    /// What was spent, as `/usage` tells it.
    pub struct UsageReport {
        /// This session.
        session: SessionUsage,
        /// The limits of a subscription.
        rate_limits: UsageLimits,
    }

    /// What a session has spent.
    pub struct SessionUsage {
        /// Money.
        total_cost_usd: f64,
        /// Time in API calls.
        total_api_duration_ms: f64,
        /// Time in all.
        total_duration_ms: f64,
        /// Lines of code added.
        total_lines_added: u64,
        /// Lines of code removed.
        total_lines_removed: u64,
        /// Tokens and money by model.
        model_usage: {ModelUsage},
    }

    /// The limits of a subscription.
    pub struct UsageLimits {
        /// Each of them.
        limits: [UsageLimit],
        /// What may be used beyond them.
        extra_usage: ExtraUsage,
    }

    /// One limit of a subscription.
    pub struct UsageLimit {
        /// Which limit it is.
        kind: Str,
        /// What it is part of.
        group: Str,
        /// How much of it is used.
        percent: f64,
        /// When it starts anew.
        resets_at: Json,
        /// What it holds for.
        scope: Json,
        /// How bad it is.
        severity: Str,
        /// Whether it counts now.
        is_active: bool,
    }

    /// What may be used beyond the limits.
    pub struct ExtraUsage {
        /// Whether anything may.
        is_enabled: bool,
        /// How much a month.
        monthly_limit: f64,
        /// How much of it is used.
        used_credits: f64,
        /// How much of the monthly limit is used, as a share.
        utilization: f64,
        /// In which money.
        currency: Str,
    }
}

open! {
    /// How fast the model answers.
    pub enum Speed {
        Standard = "standard",
        /// For prices of its own.
        Fast = "fast",
    }

    /// What a model ran for.
    pub enum IterationKind {
        Message = "message",
        Compaction = "compaction",
        /// Another model was asked for its advice.
        AdvisorMessage = "advisor_message",
        FallbackMessage = "fallback_message",
    }

    /// Whether something really is in the context.
    pub enum ContextKind {
        Used = "used",
        Free = "free",
        Buffer = "buffer",
        Deferred = "deferred",
    }
}
