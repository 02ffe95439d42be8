//! What a transcript notes beside the conversation. Where nothing is known of a shape, there are no fields.

use super::super::ModelUsage;
use super::super::declare::{open, wire};
use super::entry;

entry! {
    /// The colour of an agent.
    pub struct AgentColor {}

    /// The name of an agent.
    pub struct AgentName {}

    /// The settings of an agent.
    pub struct AgentSetting {}

    /// What is known of an agent, kept beside its transcript.
    pub struct AgentMetadata {
        /// What kind of agent it is.
        agent_type "agentType": Str,
        /// What it was to do, in a few words.
        description: Str,
        /// The call that started it.
        tool_use_id "toolUseId": Str,
        /// The agent that started it, if that was one.
        parent_agent_id "parentAgentId": Str,
    }

    /// The title that a model gave the session.
    pub struct AiTitle {
        /// The title.
        ai_title "aiTitle": Str,
    }

    /// A request to the API.
    pub struct ApiRequest {}

    /// A part of a request to the API.
    pub struct ApiRequestBlob {}

    /// What a request to the API looks like.
    pub struct ApiRequestShape {}

    /// For artifacts.
    pub struct ArtifactAutoreactLedger {}

    /// For artifacts.
    pub struct ArtifactCommentMonitor {}

    /// For Claude Code alone.
    pub struct AtisLatch {
        /// Its state.
        atis: Str,
    }

    /// Something was put beside a prompt: what the model is told of the surroundings, or what has happened.
    pub struct Attachment {
        /// What was put there.
        attachment: Attached,
        /// The entry that it follows.
        parent_uuid "parentUuid": Str,
    }

    /// Who wrote what.
    pub struct AttributionSnapshot {}

    /// The session of a bridge.
    pub struct BridgeSession {}

    /// What stands in the place of something long.
    pub struct ContentReplacement {}

    /// The session goes on in another one.
    pub struct ContinuedIn {
        /// That session.
        continued_in_session_id "continuedInSessionId": Str,
    }

    /// What the session has cost so far.
    pub struct CostState {
        /// Money.
        total_cost_usd "totalCostUSD": f64,
        /// Time spent in API calls.
        total_api_duration "totalAPIDuration": f64,
        /// Time of it that was not spent in vain.
        total_api_duration_without_retries "totalAPIDurationWithoutRetries": f64,
        /// Time spent in tools.
        total_tool_duration "totalToolDuration": f64,
        /// Lines that were added to files.
        total_lines_added "totalLinesAdded": u64,
        /// Lines that were taken out of files.
        total_lines_removed "totalLinesRemoved": u64,
        /// Time.
        total_duration "totalDuration": f64,
        /// When it began, as epoch milliseconds.
        start_time "startTime": f64,
        /// Tokens and money by model.
        model_usage "modelUsage": {ModelUsage},
        /// The price of a model was not known.
        has_unknown_model_cost "hasUnknownModelCost": bool,
    }

    /// The title that the user gave the session.
    pub struct CustomTitle {
        /// The title.
        custom_title "customTitle": Str,
    }

    /// For Claude Code alone.
    pub struct DataFlowIncomplete {}

    /// For Claude Code alone.
    pub struct DataFlowRecords {}

    /// What the session was made from.
    pub struct DerivedFrom {}

    /// For Claude Code alone.
    pub struct DevMods {}

    /// The model has ended the session.
    pub struct EndedByModel {}

    /// How files have changed.
    pub struct FileHistoryDelta {}

    /// The state of files.
    pub struct FileHistorySnapshot {}

    /// Where the context of a fork stands.
    pub struct ForkContextRef {}

    /// An artifact.
    pub struct FrameLink {
        /// Its title.
        title: Str,
        /// Where it is.
        frame_url "frameUrl": Str,
        /// Its file.
        path: Str,
    }

    /// For Claude Code alone.
    pub struct HistorySuppression {}

    /// For Claude Code alone.
    pub struct IsolationLatch {}

    /// What the user wanted last.
    pub struct LastPrompt {
        /// The prompt.
        last_prompt "lastPrompt": Str,
        /// The last entry of the conversation then.
        leaf_uuid "leafUuid": Str,
    }

    /// Whether the session remembers.
    pub struct MemoryMode {}

    /// The mode of the session.
    pub struct Mode {
        /// The mode.
        mode: Str,
    }

    /// For Claude Code alone.
    pub struct ObserverRef {}

    /// What is asked before it is done has changed.
    pub struct PermissionModeSet {
        /// The mode.
        permission_mode "permissionMode": Str,
    }

    /// A pull request.
    pub struct PrLink {
        /// Its number.
        pr_number "prNumber": u64,
        /// Where it is.
        pr_url "prUrl": Str,
        /// The repository.
        pr_repository "prRepository": Str,
    }

    /// How a tool went on; old versions.
    pub struct Progress {}

    /// A prompt was put in line, or taken out of it.
    pub struct QueueOperation {
        /// Which of them.
        operation: Str,
        /// The prompt.
        content: Json,
    }

    /// The session is in another folder now.
    pub struct Relocated {
        /// That folder.
        relocated_cwd "relocatedCwd": Str,
    }

    /// For Claude Code alone.
    pub struct ReplMode {}

    /// For Claude Code alone.
    pub struct ResumeHeadVouch {}

    /// Whose session it is.
    pub struct SessionOwner {}

    /// What a conversation was about; old versions.
    pub struct Summary {
        /// The words.
        summary: Str,
        /// The last entry of that conversation.
        leaf_uuid "leafUuid": Str,
    }

    /// A word to find the session by.
    pub struct Tag {
        /// The word.
        tag: Str,
    }

    /// The tools that were used.
    pub struct ToolsUsed {
        /// Their names.
        tools: [Str],
    }

    /// The worktree that the session is in, or none.
    pub struct WorktreeState {
        /// The worktree.
        worktree_session "worktreeSession": WorktreeSession,
    }
}

wire! {
    /// What was put beside a prompt.
    pub struct Attached {
        /// What it is.
        kind "type": (AttachedKind),
        /// A prompt that was sent meanwhile.
        prompt: Json,
        /// What it says.
        content: Json,
        /// What it says.
        text: Str,
        /// What it says.
        message: Json,
    }

    /// The user put a session away, or back: a file beside its transcript.
    pub struct ArchiveMark {
        /// It is put away.
        archived: bool,
        /// When.
        at: Str,
        /// By which program.
        by: Str,
    }

    /// A worktree.
    pub struct WorktreeSession {
        /// Its name.
        worktree_name "worktreeName": Str,
        /// Its folder.
        worktree_path "worktreePath": Str,
    }
}

open! {
    /// What was put beside a prompt, as far as something follows from it.
    pub enum AttachedKind {
        MaxTurnsReached = "max_turns_reached",
        StructuredOutput = "structured_output",
        QueuedCommand = "queued_command",
        PlanMode = "plan_mode",
        PlanModeExit = "plan_mode_exit",
        HookSuccess = "hook_success",
        HookDeferredTool = "hook_deferred_tool",
        UnknownCommandFallback = "unknown_command_fallback",
        ForkBriefing = "fork_briefing",
    }
}
