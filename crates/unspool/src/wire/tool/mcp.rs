//! Tools that ask MCP servers for something else than a call.

use super::super::declare::{wire, writable};

writable! {
    /// What `ListMcpResources` is given, and `RefreshMcpTools`.
    pub struct ListMcpResourcesInput {
        /// The server; all of them if absent.
        server: Str,
    }

    /// What `ReadMcpResource` is given, and `ReadMcpResourceDir`.
    pub struct ReadMcpResourceInput {
        /// The server.
        server: Str,
        /// What is wanted of it.
        uri: Str,
    }

    /// What `ToolSearch` is given.
    pub struct ToolSearchInput {
        /// What is wanted.
        query: Str,
        /// How many tools at most.
        max_results: u64,
    }
}

wire! {
    /// Something that an MCP server has.
    pub struct ListedResource {
        /// Where it is.
        uri: Str,
        /// Its name.
        name: Str,
        /// What kind of thing it is.
        mime_type "mimeType": Str,
        /// What it is, in words.
        description: Str,
        /// The server.
        server: Str,
    }

    /// What `ReadMcpResource` answers.
    pub struct ReadMcpResourceOutput {
        /// What was wanted.
        contents: [ResourceContent],
        /// What went wrong.
        error: Str,
    }

    /// What a resource holds.
    pub struct ResourceContent {
        /// Where it is.
        uri: Str,
        /// What kind of thing it is.
        mime_type "mimeType": Str,
        /// Its text.
        text: Str,
        /// Where it was put, if it is no text.
        blob_saved_to "blobSavedTo": Str,
    }

    /// What `ReadMcpResourceDir` answers.
    pub struct ReadMcpResourceDirOutput {
        /// What is there.
        resources: [ListedResource],
        /// What went wrong.
        error: Str,
    }

    /// A server that `RefreshMcpTools` has asked.
    pub struct RefreshedServer {
        /// The server.
        server: Str,
        /// `refreshed`, `error` or `not_connected`.
        status: Str,
        /// How many tools it has.
        tool_count "toolCount": u64,
        /// The tools that are new.
        added: [Str],
        /// The tools that are gone.
        removed: [Str],
        /// What went wrong.
        error: Str,
    }
}
