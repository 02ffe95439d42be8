//! The parts of a message.

mod media;
mod server;

pub use media::*;
pub use server::*;

use super::declare::{choice, either, wire};

either! {
    /// What stands in `content`: words alone, or a list of blocks.
    pub enum Content {
        /// Words.
        b'"' => Text(Str),
        /// Blocks.
        b'[' => Blocks([Block]),
    }
}

choice! {
    /// A part of a message.
    pub enum Block as BlockKind by "type" {
        "text" => Text,
        "thinking" => Thinking,
        "redacted_thinking" => RedactedThinking,
        "tool_use" => ToolUse,
        "tool_result" => ToolResult,
        "server_tool_use" => ServerToolUse,
        "web_search_tool_result" => WebSearchToolResult,
        "web_fetch_tool_result" => WebFetchToolResult,
        "advisor_tool_result" => AdvisorToolResult,
        "code_execution_tool_result" => CodeExecutionToolResult,
        "bash_code_execution_tool_result" => BashCodeExecutionToolResult,
        "text_editor_code_execution_tool_result" => TextEditorCodeExecutionToolResult,
        "tool_search_tool_result" => ToolSearchToolResult,
        "mcp_tool_use" => McpToolUse,
        "mcp_tool_result" => McpToolResult,
        "mcp_tool_listing" => McpToolListing,
        "container_upload" => ContainerUpload,
        "compaction" => Compaction,
        "fallback" => Fallback,
        "image" => Image,
        "document" => Document,
        "search_result" => SearchResult,
        "tool_reference" => ToolReference,
        "tool_addition" => ToolAddition,
        "tool_removal" => ToolRemoval,
        "browser_state" => BrowserState,
        "connector_text" => ConnectorText,
        "mid_conv_system" => MidConvSystem,
    }
}

wire! {
    /// Words for the reader.
    pub struct Text: type "text" {
        /// The words.
        text: Str,
        /// Where they come from.
        citations: [Citation],
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// What the model thought.
    pub struct Thinking: type "thinking" {
        /// The thought.
        thinking: Str,
        /// The thought, under the name the seed documents give it.
        text: Str,
        /// Proof that the model thought it.
        signature: Str,
    }

    /// A thought that is not shown.
    pub struct RedactedThinking: type "redacted_thinking" {
        /// The thought, encrypted.
        data: Str,
    }

    /// A call of a tool.
    pub struct ToolUse: type "tool_use" {
        /// Its id.
        id: Str,
        /// The tool.
        name: Str,
        /// What the tool is given, normally an object.
        input: Json,
        /// Who calls: the model, or code that it wrote.
        caller: Caller,
        /// The set the tool belongs to.
        toolset_name: Str,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// What a tool answered.
    pub struct ToolResult: type "tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The answer: words, blocks, or nothing.
        content: (Json as Content),
        /// Whether the tool failed.
        is_error: bool,
        /// The set the tool belongs to.
        toolset_name: Str,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// Who calls a tool.
    pub struct Caller {
        /// `direct`, or the code execution that calls.
        kind "type": Str,
        /// The call that runs the code.
        tool_id: Str,
    }

    /// Where the cache may end.
    pub struct CacheControl {
        /// `ephemeral`.
        kind "type": Str,
        /// How long it is kept: `5m` or `1h`.
        ttl: Str,
    }

    /// A call of an MCP tool that the API makes itself.
    pub struct McpToolUse: type "mcp_tool_use" {
        /// Its id.
        id: Str,
        /// The tool.
        name: Str,
        /// Its server.
        server_name: Str,
        /// What the tool is given.
        input: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// What such a tool answered.
    pub struct McpToolResult: type "mcp_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// Whether the tool failed.
        is_error: bool,
        /// The answer: words or blocks.
        content: (Json as Content),
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// The tools of an MCP server.
    pub struct McpToolListing: type "mcp_tool_listing" {
        /// The server.
        mcp_server_name: Str,
        /// Its tools.
        tools: [McpToolListed],
    }

    /// A tool of an MCP server.
    pub struct McpToolListed {
        /// Its name.
        name: Str,
        /// What it does.
        description: Str,
        /// What it is to be given, as JSON Schema.
        input_schema: Json,
    }

    /// A file for the container of code execution.
    pub struct ContainerUpload: type "container_upload" {
        /// The file.
        file_id: Str,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// A summary that stands for what was said before.
    pub struct Compaction: type "compaction" {
        /// The summary.
        content: Str,
        /// The summary, encrypted.
        encrypted_content: Str,
        /// Proof of where it comes from.
        signature: Str,
        /// Tools that were added or removed before.
        tool_changes: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// Another model goes on from here.
    pub struct Fallback: type "fallback" {
        /// The model so far.
        from: ModelName,
        /// The model from now on.
        to: ModelName,
        /// Why another model goes on.
        trigger: FallbackTrigger,
    }

    /// A model.
    pub struct ModelName {
        /// Its name.
        model: Str,
    }

    /// Why another model goes on.
    pub struct FallbackTrigger {
        /// `refusal`.
        kind "type": Str,
        /// What was refused.
        category: Str,
    }

    /// A tool that a search found.
    pub struct ToolReference: type "tool_reference" {
        /// The tool.
        tool_name: Str,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// A tool can be used from here on.
    pub struct ToolAddition: type "tool_addition" {
        /// The tool.
        tool: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// A tool can no longer be used.
    pub struct ToolRemoval: type "tool_removal" {
        /// The tool.
        tool: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// What a browser shows.
    pub struct BrowserState: type "browser_state" {
        /// Its tabs.
        tabs: [Json],
        /// What has changed.
        state_changes: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// Known by name only.
    pub struct ConnectorText: type "connector_text" {}

    /// Known by name only.
    pub struct MidConvSystem: type "mid_conv_system" {}
}
