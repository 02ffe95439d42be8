//! Tools that run on the API's side: calls and what they answered.

use super::super::declare::{choice, either, wire};
use super::{CacheControl, Caller, Document, ToolReference};

wire! {
    /// A call of a tool that the API runs.
    pub struct ServerToolUse: type "server_tool_use" {
        /// Its id.
        id: Str,
        /// The tool, such as `web_search`.
        name: Str,
        /// What the tool is given.
        input: Json,
        /// Who calls.
        caller: Caller,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// What a web search found.
    pub struct WebSearchToolResult: type "web_search_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The pages, or why there are none.
        content: (WebSearchContent),
        /// Who called.
        caller: Caller,
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

either! {
    /// What a web search found.
    pub enum WebSearchContent {
        /// Pages.
        b'[' => Pages([WebSearchResult]),
        /// Why there are none.
        b'{' => Failed(WebSearchToolResultError),
    }
}

wire! {
    /// A page on the web.
    pub struct WebSearchResult: type "web_search_result" {
        /// Where it is.
        url: Str,
        /// Its title.
        title: Str,
        /// How old it is.
        page_age: Str,
        /// What it says, encrypted.
        encrypted_content: Str,
    }

    /// Why a search found nothing.
    pub struct WebSearchToolResultError: type "web_search_tool_result_error" {
        /// In one word.
        error_code: Str,
    }

    /// A page that was fetched.
    pub struct WebFetchToolResult: type "web_fetch_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The page, or why there is none.
        content: (WebFetchContent),
        /// Who called.
        caller: Caller,
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// A page that was fetched, or why there is none.
    pub enum WebFetchContent by "type" {
        "web_fetch_result" => WebFetchResult,
        "web_fetch_tool_result_error" => WebFetchToolResultError,
    }
}

wire! {
    /// A page that was fetched.
    pub struct WebFetchResult: type "web_fetch_result" {
        /// Where it is.
        url: Str,
        /// When it was fetched.
        retrieved_at: Str,
        /// The page.
        content: Document,
    }

    /// Why a page was not fetched.
    pub struct WebFetchToolResultError: type "web_fetch_tool_result_error" {
        /// In one word.
        error_code: Str,
    }

    /// What an advisor said.
    pub struct AdvisorToolResult: type "advisor_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The advice, or why there is none.
        content: (AdvisorContent),
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// What an advisor said.
    pub enum AdvisorContent by "type" {
        "advisor_result" => AdvisorResult,
        "advisor_redacted_result" => AdvisorRedactedResult,
        "advisor_tool_result_error" => AdvisorToolResultError,
    }
}

wire! {
    /// Advice.
    pub struct AdvisorResult: type "advisor_result" {
        /// The advice.
        text: Str,
        /// Why the advisor stopped.
        stop_reason: Str,
    }

    /// Advice that is not shown.
    pub struct AdvisorRedactedResult: type "advisor_redacted_result" {
        /// The advice, encrypted.
        encrypted_content: Str,
        /// Why the advisor stopped.
        stop_reason: Str,
    }

    /// Why there is no advice.
    pub struct AdvisorToolResultError: type "advisor_tool_result_error" {
        /// In one word.
        error_code: Str,
    }

    /// What code did.
    pub struct CodeExecutionToolResult: type "code_execution_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// What it did, or why it did not run.
        content: (CodeExecutionContent),
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// What code did.
    pub enum CodeExecutionContent by "type" {
        "code_execution_result" => CodeExecutionResult,
        "encrypted_code_execution_result" => EncryptedCodeExecutionResult,
        "code_execution_tool_result_error" => CodeExecutionToolResultError,
    }
}

wire! {
    /// What code did.
    pub struct CodeExecutionResult: type "code_execution_result" {
        /// What it printed.
        stdout: Str,
        /// What it complained of.
        stderr: Str,
        /// Its exit code.
        return_code: f64,
        /// The files it made.
        content: [Json],
    }

    /// What code did, not shown.
    pub struct EncryptedCodeExecutionResult: type "encrypted_code_execution_result" {
        /// What it printed, encrypted.
        encrypted_stdout: Str,
        /// What it complained of.
        stderr: Str,
        /// Its exit code.
        return_code: f64,
        /// The files it made.
        content: [Json],
    }

    /// Why code did not run.
    pub struct CodeExecutionToolResultError: type "code_execution_tool_result_error" {
        /// In one word.
        error_code: Str,
    }

    /// What a shell command did.
    pub struct BashCodeExecutionToolResult: type "bash_code_execution_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// What it did, or why it did not run.
        content: (BashCodeExecutionContent),
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// What a shell command did.
    pub enum BashCodeExecutionContent by "type" {
        "bash_code_execution_result" => BashCodeExecutionResult,
        "bash_code_execution_tool_result_error" => BashCodeExecutionToolResultError,
    }
}

wire! {
    /// What a shell command did.
    pub struct BashCodeExecutionResult: type "bash_code_execution_result" {
        /// What it printed.
        stdout: Str,
        /// What it complained of.
        stderr: Str,
        /// Its exit code.
        return_code: f64,
        /// The files it made.
        content: [Json],
    }

    /// Why a command did not run.
    pub struct BashCodeExecutionToolResultError: type "bash_code_execution_tool_result_error" {
        /// In one word.
        error_code: Str,
    }

    /// What an editor did.
    pub struct TextEditorCodeExecutionToolResult: type "text_editor_code_execution_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// What it did, or why it did not.
        content: (TextEditorContent),
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// What an editor did.
    pub enum TextEditorContent by "type" {
        "text_editor_code_execution_view_result" => TextEditorViewResult,
        "text_editor_code_execution_create_result" => TextEditorCreateResult,
        "text_editor_code_execution_str_replace_result" => TextEditorReplaceResult,
        "text_editor_code_execution_tool_result_error" => TextEditorError,
    }
}

wire! {
    /// A file that was looked at.
    pub struct TextEditorViewResult: type "text_editor_code_execution_view_result" {
        /// What it says.
        content: Str,
        /// What kind of file.
        file_type: Str,
        /// How many lines are shown.
        num_lines: u64,
        /// The first of them.
        start_line: u64,
        /// How many there are.
        total_lines: u64,
    }

    /// A file that was written.
    pub struct TextEditorCreateResult: type "text_editor_code_execution_create_result" {
        /// Whether it was there before.
        is_file_update: bool,
    }

    /// A file that was changed.
    pub struct TextEditorReplaceResult: type "text_editor_code_execution_str_replace_result" {
        /// The lines that changed.
        lines: [Str],
        /// Where the old ones began.
        old_start: u64,
        /// How many there were.
        old_lines: u64,
        /// Where the new ones begin.
        new_start: u64,
        /// How many there are.
        new_lines: u64,
    }

    /// Why an editor did nothing.
    pub struct TextEditorError: type "text_editor_code_execution_tool_result_error" {
        /// In one word.
        error_code: Str,
        /// In words.
        error_message: Str,
    }

    /// The tools that a search found.
    pub struct ToolSearchToolResult: type "tool_search_tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The tools, or why there are none.
        content: (ToolSearchContent),
        /// Where the cache may end.
        cache_control: CacheControl,
    }
}

choice! {
    /// The tools that a search found.
    pub enum ToolSearchContent by "type" {
        "tool_search_tool_search_result" => ToolSearchResult,
        "tool_search_tool_result_error" => ToolSearchError,
    }
}

wire! {
    /// Tools that a search found.
    pub struct ToolSearchResult: type "tool_search_tool_search_result" {
        /// The tools.
        tool_references: [ToolReference],
    }

    /// Why a search found no tools.
    pub struct ToolSearchError: type "tool_search_tool_result_error" {
        /// In one word.
        error_code: Str,
        /// In words.
        error_message: Str,
    }
}
