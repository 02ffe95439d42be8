//! Tools that look up something elsewhere.

use super::super::declare::{either, wire, writable};
use super::ArtifactRead;

writable! {
    /// What `WebFetch` is given.
    pub struct WebFetchInput {
        /// The page.
        url: Str,
        /// What is wanted of it.
        prompt: Str,
        /// From which letter of its text.
        offset: u64,
    }

    /// What `WebSearch` is given.
    pub struct WebSearchInput {
        /// What is wanted.
        query: Str,
        /// Only from there.
        allowed_domains: [Str],
        /// Not from there.
        blocked_domains: [Str],
    }
}

wire! {
    /// What `WebFetch` answers.
    pub struct WebFetchOutput {
        /// How large the page is.
        bytes: u64,
        /// The status of the request.
        code: u64,
        /// The status of the request, in words.
        code_text "codeText": Str,
        /// What was found.
        result: Str,
        /// How long it took.
        duration_ms "durationMs": u64,
        /// The page.
        url: Str,
        /// The artifact that it is.
        artifact_read "artifactRead": ArtifactRead,
    }

    /// What `WebSearch` answers.
    pub struct WebSearchOutput {
        /// What was wanted.
        query: Str,
        /// What was found.
        results: [FoundOnline],
        /// How long it took.
        duration_seconds "durationSeconds": f64,
        /// How often it was searched.
        search_count "searchCount": u64,
    }

    /// What a search has found.
    pub struct FoundPages {
        /// The search.
        tool_use_id: Str,
        /// The pages.
        content: [FoundPage],
    }

    /// A page that a search has found.
    pub struct FoundPage {
        /// What it is called.
        title: Str,
        /// Where it is.
        url: Str,
        /// Some of it.
        snippet: Str,
    }
}

either! {
    /// What a search has found: pages, or words about them.
    pub enum FoundOnline {
        /// Pages.
        b'{' => Pages((FoundPages)),
        /// Words.
        b'"' => Words(Str),
    }
}
