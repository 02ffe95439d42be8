//! The types of events.

use super::tell::{Raw, Words, events, object, words};
use crate::verdict::Verdict;

events! {
    /// What happened.
    pub enum What {
        /// The session: told first, and again when one of these or the session id has changed.
        SessionMeta = "session_meta" {
            /// The model.
            model: Option<Words<'a>>,
            /// The folder.
            cwd: Option<Words<'a>>,
            /// The tools.
            tools: Option<Raw<'a>>,
            /// The MCP servers and whether they are connected.
            mcp_servers: Option<Raw<'a>>,
            /// What is asked before it is done.
            permission_mode: Option<Words<'a>>,
            /// The version of the CLI.
            version: Option<Words<'a>>,
        }
        /// A turn begins.
        TurnStart = "turn_start" {
            /// Who started it, as far as is known now.
            cause: Cause,
            /// The prompt; only live.
            prompt[opt]: Words<'a>,
        }
        /// Words of the model.
        Text = "text" {
            /// The words.
            content: Words<'a>,
            /// It was never confirmed.
            abandoned[opt]: bool,
            /// Not from a model.
            synthetic[opt]: bool,
            /// The rest of a part that has grown.
            more[opt]: bool,
            /// Where the words come from.
            citations[opt]: Raw<'a>,
        }
        /// A thought of the model.
        Thinking = "thinking" {
            /// The thought.
            content: Words<'a>,
            /// It was never confirmed.
            abandoned[opt]: bool,
            /// Not from a model.
            synthetic[opt]: bool,
            /// The rest of a part that has grown.
            more[opt]: bool,
            /// Proof that the model thought it.
            signature[opt]: Words<'a>,
        }
        /// More words of a part.
        TextDelta = "text_delta" {
            /// The words.
            content: Words<'a>,
            /// Not from a model.
            synthetic[opt]: bool,
            /// The part was closed before, and has grown.
            more[opt]: bool,
        }
        /// More of a thought.
        ThinkingDelta = "thinking_delta" {
            /// The text of the delta.
            content: Words<'a>,
            /// Not from a model.
            synthetic[opt]: bool,
            /// The part was closed before, and has grown.
            more[opt]: bool,
        }
        /// More of a call's input, as JSON text.
        ToolInputDelta = "tool_input_delta" {
            /// The call.
            id: Option<Words<'a>>,
            /// The tool.
            name: Option<Words<'a>>,
            /// The text of the delta.
            content: Words<'a>,
        }
        /// A part is closed.
        BlockEnd = "block_end" {
            /// What it was.
            kind: PartKind,
            /// It was never confirmed.
            abandoned: bool,
            /// Proof that the model thought it.
            signature[opt]: Words<'a>,
            /// Where the words come from.
            citations[opt]: Raw<'a>,
        }
        /// A call of a tool.
        ToolUse = "tool_use" {
            /// Its id.
            id: Option<Words<'a>>,
            /// The tool.
            name: Option<Words<'a>>,
            /// What the tool is given.
            input: Option<Raw<'a>>,
            /// It was never confirmed.
            abandoned[opt]: bool,
            /// The input as far as it came, where that is not whole.
            partial[opt]: Words<'a>,
        }
        /// What a tool answered.
        ToolResult = "tool_result" {
            /// The call.
            id: Option<Words<'a>>,
            /// The tool.
            name[opt]: Words<'a>,
            /// The answer as text.
            output: Words<'a>,
            /// The answer as it came, where it was not only text.
            content[opt]: Raw<'a>,
            /// Whether the tool failed.
            is_error: bool,
            /// The tool's own structured output.
            detail[opt]: Raw<'a>,
            /// How long it took.
            duration_ms[opt]: u64,
        }
        /// Any other part of a message.
        Block = "block" {
            /// Its type.
            kind: Option<Words<'a>>,
            /// Who said it.
            role: Role,
            /// The part.
            raw: Option<Raw<'a>>,
            /// It was never confirmed.
            abandoned[opt]: bool,
        }
        /// Text in a user line.
        UserText = "user_text" {
            /// The text.
            content: Words<'a>,
            /// The CLI put it in.
            synthetic: bool,
            /// A message of the host, told back.
            replay: bool,
        }
        /// The tokens of one message.
        Usage = "usage" {
            /// The model.
            model: Option<Words<'a>>,
            /// The tokens.
            usage: Tokens,
            /// Why the model stopped, if that is known.
            stop_reason: Option<Words<'a>>,
            /// Whether these are the last numbers.
            is_final: bool,
            /// The message's id on the wire: copies of it, in other files too, are the same expense.
            message_id[opt]: Words<'a>,
            /// The request to the API, where that is known.
            request_id[opt]: Words<'a>,
            /// How much of what was written to the cache is kept for an hour, if any; the rest for five minutes.
            cache_creation_1h[opt]: u64,
        }
        /// The structured answer of a turn.
        StructuredOutput = "structured_output" {
            /// The answer.
            value: Option<Raw<'a>>,
        }
        /// A sub-agent begins.
        AgentStart = "agent_start" {
            /// Who called it.
            parent: Words<'a>,
            /// What kind of agent it is.
            kind: Option<Words<'a>>,
            /// What it is to do.
            description: Option<Words<'a>>,
            /// Its prompt.
            prompt[opt]: Words<'a>,
            /// It works in the background: the agent that started it does not wait for it.
            background: bool,
        }
        /// A sub-agent has ended.
        AgentEnd = "agent_end" {
            /// How it ended.
            status: AgentStatus,
            /// How long it took.
            duration_ms[opt]: u64,
            /// Its tokens.
            usage[opt]: Tokens,
            /// Its tokens, where only their sum was reported.
            total_tokens[opt]: u64,
        }
        /// The CLI asks whether a tool may run.
        PermissionRequest = "permission_request" {
            /// The question.
            request: Option<Words<'a>>,
            /// The tool.
            tool: Option<Words<'a>>,
            /// The call.
            call: Option<Words<'a>>,
            /// What the tool would be given.
            input: Option<Raw<'a>>,
            /// Rules that would answer it for good.
            suggestions: Option<Raw<'a>>,
        }
        /// The question has its answer.
        PermissionResolved = "permission_resolved" {
            /// The question.
            request: Option<Words<'a>>,
            /// The answer.
            decision: Decision,
            /// Who gave it.
            by: Words<'a>,
            /// What the tool is given in place of what was asked about.
            input[opt]: Raw<'a>,
            /// The call, where a hook of the host's denies it and Claude Code asked for no permission.
            call[opt]: Words<'a>,
        }
        /// A hook ran.
        Hook = "hook" {
            /// The line's subtype.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// Something about a task.
        Task = "task" {
            /// The line's subtype.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// What the CLI is doing.
        Status = "status" {
            /// The line's subtype.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// An API request is tried again.
        ApiRetry = "api_retry" {
            /// The line's subtype.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// How much may still be used.
        RateLimit = "rate_limit" {
            /// The line's type.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// The conversation was summarised.
        Compaction = "compaction" {
            /// The line's subtype.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// Any other line that is known.
        Notice = "notice" {
            /// The line's subtype, or type.
            kind: Words<'a>,
            /// Its other fields.
            data: Raw<'a>,
        }
        /// A turn failed.
        Error = "error" {
            /// Why, in words.
            text: Words<'a>,
            /// Why, in one word.
            kind: ErrorKind,
            /// The HTTP status.
            status[opt]: u64,
            /// Whether trying again may help.
            retryable: bool,
        }
        /// A turn is complete.
        TurnComplete = "turn_complete" {
            /// Whether it succeeded.
            ok: bool,
            /// The answer.
            result: Option<Words<'a>>,
            /// Why the model stopped.
            stop_reason: Option<Words<'a>>,
            /// Who started it.
            cause: Cause,
            /// The user messages it answers.
            prompts[opt]: Vec<Words<'a>>,
            /// Older turns that end with it.
            merged[opt]: Vec<u64>,
            /// Money spent since the last result.
            cost_usd: Option<f64>,
            /// Money spent in this session.
            total_cost_usd: Option<f64>,
            /// Tokens of the main agent in this turn.
            usage: Option<Tokens>,
            /// Tokens and money of all agents since the last result, by model.
            models: Option<Vec<(String, ModelTokens)>>,
            /// How long it took.
            duration_ms: Option<u64>,
            /// Calls that were not allowed.
            denials: Option<Raw<'a>>,
            /// Why a figure is missing or doubtful.
            notes[opt]: Vec<Note>,
        }
        /// A line of a type, subtype or shape that this version of unspool does not know.
        Unknown = "unknown" {
            /// The line.
            raw: Option<Raw<'a>>,
        }
        /// A line that is not a JSON object.
        Malformed = "malformed" {
            /// Why not.
            reason: Words<'a>,
            /// Its first 4,096 bytes.
            text: Words<'a>,
            /// Its length.
            bytes: u64,
        }
        /// The stream has ended; the last event.
        Finished = "finished" {
            /// How it ended.
            verdict: Verdict,
            /// The exit code that says so.
            code: u8,
            /// Why, in words.
            reason: Words<'a>,
            /// How many turns began.
            turns: u64,
            /// Money spent in the turns told here.
            cost_usd: Option<f64>,
            /// Money spent in the session, as the CLI last reported it.
            total_cost_usd: Option<f64>,
            /// Tokens and money by model, as the CLI last reported them.
            models: Option<Vec<(String, ModelTokens)>>,
            /// Agents that have not ended.
            agents_open: Vec<Words<'a>>,
            /// Calls without an answer.
            tools_open: Vec<Words<'a>>,
            /// Lines that were not JSON objects.
            malformed: u64,
            /// Lines that were told as `unknown`.
            unknown: u64,
            /// Why a figure is missing or doubtful.
            notes[opt]: Vec<Note>,
        }
    }
}

object! {
    /// Tokens.
    pub struct Tokens {
        /// Fresh input.
        input: Option<u64>,
        /// Output.
        output: Option<u64>,
        /// Input read from the cache.
        cache_read: Option<u64>,
        /// Input written to the cache.
        cache_creation: Option<u64>,
        /// All input.
        total_input: Option<u64>,
    }

    /// Tokens and money of one model.
    pub struct ModelTokens {
        /// Fresh input.
        input: Option<u64>,
        /// Output.
        output: Option<u64>,
        /// Input read from the cache.
        cache_read: Option<u64>,
        /// Input written to the cache.
        cache_creation: Option<u64>,
        /// All input.
        total_input: Option<u64>,
        /// Money.
        cost_usd: Option<f64>,
        /// Size of the context.
        context_window: Option<u64>,
        /// Most output of one message.
        max_output: Option<u64>,
    }

    /// Why a figure is missing or doubtful.
    pub struct Note {
        /// The figure.
        field: Words<'static>,
        /// Why it is missing or doubtful.
        reason: Words<'static>,
    }
}

words! {
    /// Who started a turn.
    pub enum Cause {
        /// The user.
        User = "user",
        /// A task that ended.
        Task = "task",
        /// A local command.
        Command = "command",
        /// The stream does not say.
        Unknown = "unknown",
    }

    /// A part that is told in deltas.
    pub enum PartKind {
        /// Words.
        Text = "text",
        /// A thought.
        Thinking = "thinking",
        /// A call.
        ToolUse = "tool_use",
    }

    /// Who said something.
    pub enum Role {
        /// The model.
        Assistant = "assistant",
        /// The user, or a tool.
        User = "user",
    }

    /// How an agent ended.
    pub enum AgentStatus {
        /// It did what it was to do.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// It was stopped.
        Stopped = "stopped",
        /// The stream does not say.
        Unknown = "unknown",
    }

    /// The answer to a permission request.
    pub enum Decision {
        /// Yes.
        Allow = "allow",
        /// No.
        Deny = "deny",
        /// The CLI no longer wants to know.
        Cancelled = "cancelled",
    }

    /// Why a turn failed.
    pub enum ErrorKind {
        /// Too many turns.
        MaxTurns = "max_turns",
        /// Too much money.
        MaxBudget = "max_budget",
        /// The answer never fitted its schema.
        StructuredOutput = "structured_output",
        /// The user or the application interrupted it.
        Interrupted = "interrupted",
        /// The model refused.
        Refusal = "refusal",
        /// The context is full.
        Context = "context",
        /// The CLI could not start.
        Startup = "startup",
        /// The answer was too long.
        MaxTokens = "max_tokens",
        /// Not logged in, or not allowed.
        Auth = "auth",
        /// Not paid.
        Billing = "billing",
        /// Too many requests.
        RateLimit = "rate_limit",
        /// The API is overloaded.
        Overloaded = "overloaded",
        /// Any other failure of the API.
        Api = "api",
        /// Anything else.
        Other = "other",
    }
}
