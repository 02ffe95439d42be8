//! Tokens, money, and what fills the context.

use super::declare::wire;

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
        iterations: [Json],
        /// `standard` or `fast`.
        speed: Str,
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

    /// Requests of server tools.
    pub struct ServerToolUsage {
        /// Searches.
        web_search_requests: u64,
        /// Fetches.
        web_fetch_requests: u64,
    }

    /// Output by purpose.
    pub struct OutputTokensDetails {
        /// Thinking.
        thinking_tokens: u64,
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
        /// Of it, for five minutes.
        cache_creation_ephemeral_5m_input_tokens "cacheCreationEphemeral5mInputTokens": u64,
        /// Of it, for one hour.
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
}
