//! What Claude Code is asked to be: plain values in, a command line and an `initialize` out.

mod agent;
mod check;
mod choice;
mod environment;
mod extension;
mod hidden;
mod initialize;
mod kind;
mod launch;
mod mcp;
mod object;
mod prompt;
mod sandbox;
mod settings;
mod table;
mod thinking;
mod user;
mod word;

pub use agent::{AgentDefinition, AgentMcpServer};
pub use check::OptionsError;
pub use choice::*;
pub use environment::Env;
pub use extension::{Plugin, Skills};
pub use launch::Launch;
pub use mcp::{McpServer, ToolPolicy};
pub use prompt::SystemPrompt;
pub use sandbox::*;
pub use settings::Settings;
pub use thinking::{Thinking, ThinkingAmount, ThinkingDisplay};
pub use unspool::wire::PermissionMode;
pub use user::User;

use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use table::options;

options! {
    /// The model: an alias such as `opus`, or a full name.
    text model => flag "--model";
    /// The model to take when the other is overloaded; several with commas.
    text fallback_model => flag "--fallback-model";
    /// Features of the API that are not public yet.
    list betas => flag "--betas";
    /// How hard the model tries.
    value(Effort) effort => flag "--effort";
    /// How much the model thinks before it speaks.
    value(Thinking) thinking => flag "--thinking";

    /// Takes the place of Claude Code's own system prompt, which is what counts unless this is set.
    value(SystemPrompt) system_prompt => by prompt_args;
    /// Stands behind the system prompt, Claude Code's own or another. Versions before 2.0.33 take it on the command line only, which
    /// is [warned](crate::Warning::OnCommandLine) of.
    text append_system_prompt => with "system_prompt";
    /// A file whose text stands behind the system prompt.
    path append_system_prompt_file => flag "--append-system-prompt-file";
    /// Stands behind the system prompts of sub-agents.
    text append_subagent_system_prompt => field "appendSubagentSystemPrompt";
    /// Whether the system prompt is recorded once and stays so when the session is resumed.
    maybe system_prompt_snapshot => field "systemPromptSnapshot";
    /// Takes what differs from machine to machine out of Claude Code's own prompt, so that it is cached better.
    maybe exclude_dynamic_sections => field "excludeDynamicSections";
    /// What to do in plan mode.
    text plan_mode_instructions => field "planModeInstructions";

    /// The built-in tools there are; none, if the list is empty. `default` stands for all.
    list tools => by tools_args;
    /// Tools that may be used without asking, as rules such as `Bash(git *)`. The others are still there.
    list allowed_tools => by allowed_args;
    /// Tools that may not be used, as such rules.
    list disallowed_tools => flag "--disallowedTools";
    /// Another name for a tool: what the model calls, then what runs.
    map(String) tool_aliases as tool_alias => field "toolAliases";
    /// The skills that may be used without asking.
    value(Skills) skills => with "allowed_tools";
    /// How previews beside questions are written.
    value(QuestionPreview) question_preview => env "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT";

    /// What may be done without asking.
    value(PermissionMode<'static>) permission_mode => flag "--permission-mode";
    /// Permissions may be skipped later, by a change of mode.
    switch allow_skipping_permissions => flag "--allow-dangerously-skip-permissions";
    /// Nothing is asked for. Claude Code refuses this where it runs as root, unless `IS_SANDBOX` is set.
    switch skip_permissions => flag "--dangerously-skip-permissions";
    /// The MCP tool that decides when permission is asked for.
    text permission_prompt_tool => flag "--permission-prompt-tool";
    /// Claude Code asks the program that started it for permission. A client with a handler for it sets this itself.
    switch ask_host => by ask_host_args;
    /// Who answers when permission is asked for.
    value(PermissionPrompts) permission_prompts => flag "--permission-prompts";
    /// A further folder that tools may work in.
    each(PathBuf) add_dirs as add_dir => flag "--add-dir";

    /// Settings that count more than the user's.
    value(Settings) settings => by settings_args;
    /// The sandbox in which commands run.
    value(Sandbox) sandbox => with "settings";
    /// Settings that count more than any others, as an organisation's. Versions before 2.1.323 take them on the command line only,
    /// which is [warned](crate::Warning::OnCommandLine) of, and old ones not at all: they do not start.
    value(Value) managed_settings => by managed_settings_args;
    /// Plugins and managed settings travel in `initialize`: there they may be long, and other users do not see them in the
    /// list of processes. The first line must then be the `initialize`. A client sets this itself for managed settings.
    switch await_initialize => flag "--await-initialize";
    /// A spare program: it starts, and waits to be [claimed](crate::controls::Controls::claim_session) for a folder before its first
    /// prompt.
    switch await_claim => flag "--await-claim";
    /// Where settings are read from; from nowhere, if the list is empty.
    list(SettingSource) setting_sources => flag "--setting-sources";
    /// Where the project's settings are, if not in the working directory.
    path project_config_root => flag "--project-config-root";
    /// A plugin to load, by its folder.
    each(Plugin) plugins as plugin => by plugin_args;
    /// An MCP server that Claude Code starts or connects to, by its name.
    map(McpServer) mcp_servers as mcp_server => by mcp_args;
    /// A further configuration of MCP servers: the path of a file, or JSON.
    each(String) mcp_configs as mcp_config => with "mcp_servers";
    /// No other MCP servers than these.
    switch strict_mcp_config => flag "--strict-mcp-config";
    /// A kind of sub-agent, by its name.
    map(AgentDefinition) agents as agent_definition => field "agents";
    /// The kind of agent that the main one is.
    text agent => flag "--agent";
    /// Tokens at which the conversation is compacted, or `auto`.
    text autocompact => flag "--autocompact";
    /// Next to nothing is loaded: no hooks, no plugins, no memory, no instructions in files.
    switch bare => flag "--bare";
    /// Nothing that the user has customised is loaded.
    switch safe_mode => flag "--safe-mode";
    /// No tools that run code, no settings but managed ones and these.
    switch restricted => flag "--restricted";
    /// No skills and no slash commands.
    switch disable_slash_commands => flag "--disable-slash-commands";

    /// What the answer has to look like, as a JSON Schema.
    value(Value) json_schema => by schema_args;
    /// Tell messages piece by piece.
    switch partial_messages => flag "--include-partial-messages";
    /// Tell when hooks begin and end.
    switch hook_events => flag "--include-hook-events";
    /// Tell our own messages when they are taken.
    switch replay_user_messages => flag "--replay-user-messages";
    /// Tell what sub-agents say and think.
    switch forward_subagent_text => field "forwardSubagentText";
    /// Tell how far sub-agents have come.
    switch agent_progress_summaries => field "agentProgressSummaries";
    /// Suggest what could be asked next.
    switch prompt_suggestions => field "promptSuggestions";
    /// An interrupt spares sub-agents in the background: they are stopped one by one.
    switch per_task_stop_affordance => field "perTaskStopAffordance";
    /// Prompts are taken as they are, `/` and `@` too.
    switch verbatim_prompts => with "prompts";

    /// The id of a new session, a UUID.
    text session_id => flag "--session-id";
    /// Go on with the last session of the folder.
    switch continue_session => flag "--continue";
    /// Go on with this session.
    text resume => flag "--resume";
    /// A session that is gone on with gets a new id, and the old one stays as it is.
    switch fork_session => flag "--fork-session";
    /// Go on after this message, and forget the rest.
    text resume_session_at => flag "--resume-session-at";
    /// The turn that is meant to be forgotten, by the uuid of its prompt; more than that is refused.
    text resume_drops_turn => flag "--resume-drops-turn";
    /// The session is not kept on disk.
    switch no_session_persistence => flag "--no-session-persistence";
    /// Tell what is written to disk, line by line.
    switch session_mirror => flag "--session-mirror";
    /// Files are kept as they were, so that they can be rewound.
    switch file_checkpointing => env "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";
    /// The title of a new session.
    text title => field "title";
    /// The name of the session, for people who look for it.
    text name => flag "--name";

    /// Most round trips to the model, for one prompt.
    number max_turns => flag "--max-turns";
    /// Most money to be spent, in dollars.
    amount max_budget_usd => flag "--max-budget-usd";
    /// Tokens that the model is told it has.
    number task_budget => flag "--task-budget";
    /// How long agents in the background are waited for after the last answer, in milliseconds.
    number background_wait_ms => env "CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS";

    /// The program, if it is not to be looked for. See [`Program::find`](crate::program::Program::find).
    path program => with "Program";
    /// The working directory.
    path cwd => with "Launch";
    /// The user that it runs as. Only on Unix, and only who may choose another one can. What is in its environment, `HOME` for
    /// instance, stays as it is.
    value(User) user => with "Launch";
    /// Environment variables, by [`env`](Self::env) and [`env_remove`](Self::env_remove).
    own(Env) env => with "Launch";
    /// MCP servers, settings and system prompts stand on the command line, where every user of the machine can read them. Otherwise
    /// they are in files that go with the program, which a program that runs elsewhere, in a container for instance, does not
    /// find.
    switch config_on_command_line => with "Launch";
    /// Nothing of our own environment is handed on, only what `env` has.
    switch clear_env => with "Launch";
    /// The span that this belongs to, as in W3C Trace Context.
    text trace_parent => env "TRACEPARENT";
    /// What tracing systems say about it.
    text trace_state => env "TRACESTATE";
    /// What we are called in requests to the API.
    text client_app => env "CLAUDE_AGENT_SDK_CLIENT_APP";
    /// Write down what is going on, in `debug/` where Claude Code keeps its things: about such things as `hooks,mcp`,
    /// or about all, if empty. It goes to stderr instead with `--debug-to-stderr`, by [`extra_args`](Self::extra_args).
    text debug => by debug_args;
    /// Write it to this file.
    path debug_file => flag "--debug-file";
    /// Tell how far the start has come.
    switch startup_marks => env "CLAUDE_CODE_SDK_READS_STARTUP_MARKS";

    /// Words for the end of the command line, by [`extra_args`](Self::extra_args).
    own(Vec<OsString>) extra_args => with "Launch";
    /// A field of `initialize` that is not modelled.
    map(Value) extra_fields as extra_field => with "initialize";
}

impl Options {
    /// Nothing is set.
    #[must_use]
    pub fn new() -> Self {
        Options::default()
    }

    /// Adds words to the end of the command line, for flags that are not modelled. Join values to their
    /// flags (`--flag=value`), or a value that begins with `-` is taken for a flag.
    #[must_use]
    pub fn extra_args(mut self, words: impl IntoIterator<Item: Into<OsString>>) -> Self {
        self.extra_args.extend(words.into_iter().map(Into::into));
        self
    }
}
