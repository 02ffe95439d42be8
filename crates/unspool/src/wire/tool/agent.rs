//! Tools that give work to others.

use super::super::declare::{choice, wire, writable};
use super::super::{Block, PermissionMode, Usage};

writable! {
    /// What `Agent` is given, and `Task` of old versions.
    pub struct AgentInput {
        /// What it does, in a few words.
        description: Str,
        /// What it is to do.
        prompt: Str,
        /// Which kind of agent.
        subagent_type: Str,
        /// Which model.
        model: Str,
        /// How hard it is to try.
        effort: Str,
        /// It runs on while the model does something else.
        run_in_background: bool,
        /// A name, to talk to it.
        name: Str,
        /// Its team.
        team_name: Str,
        /// What it may do without asking.
        mode: (PermissionMode),
        /// Where it works: `worktree` or `remote`.
        isolation: Str,
        /// The agent that it goes on from, in old versions.
        resume: Str,
        /// After how many turns it ends, in old versions.
        max_turns: u64,
    }

    /// What `SendMessage` is given.
    pub struct SendMessageInput {
        /// To whom.
        to: Str,
        /// What it says.
        message: Json,
        /// What it says, in a few words.
        summary: Str,
        /// Tell the sender when it has nothing to do any more.
        notify_when_idle: bool,
        /// What kind of message it is, in old versions.
        r#type "type": Str,
        /// To whom, in old versions.
        recipient: Str,
        /// What it says, in old versions.
        content: Str,
        /// The request that it answers, in old versions.
        request_id: Str,
        /// The answer, in old versions.
        approve: bool,
    }

    /// What `ListAgents` is given.
    pub struct ListAgentsInput {
        /// Where to look; not in use.
        channel: Str,
        /// What to look for; not in use.
        q: Str,
    }

    /// What `Skill` is given.
    pub struct SkillInput {
        /// The skill.
        skill: Str,
        /// What it is given.
        args: Str,
        /// The skill, in old versions.
        command: Str,
    }

    /// What `SlashCommand` of versions up to 2.0 is given.
    pub struct SlashCommandInput {
        /// The command, with all that is behind it.
        command: Str,
    }

    /// What `Workflow` is given.
    pub struct WorkflowInput {
        /// What it does, as a script.
        script: Str,
        /// A script that there is.
        name: Str,
        /// What it does, in words.
        description: Str,
        /// What to show.
        title: Str,
        /// What the script is given.
        args: Json,
        /// Where the script is.
        script_path "scriptPath": Str,
        /// The run that it goes on from.
        resume_from_run_id "resumeFromRunId": Str,
    }
}

choice! {
    /// What `Agent` answers.
    pub enum AgentOutput as AgentOutputKind by "status" {
        "completed" => Completed(AgentCompleted),
        "async_launched" => AsyncLaunched(AgentLaunched),
        "remote_launched" => RemoteLaunched(AgentLaunchedRemotely),
        "teammate_spawned" => TeammateSpawned(TeammateSpawned),
    }
}

wire! {
    /// The agent is done.
    pub struct AgentCompleted: status (AgentOutputKind::Completed.name()) {
        /// The agent.
        agent_id "agentId": Str,
        /// What kind of agent it is.
        agent_type "agentType": Str,
        /// What it said at last.
        content: [Block],
        /// Its model.
        resolved_model "resolvedModel": Str,
        /// All models that it had.
        models_used "modelsUsed": [Str],
        /// How often it called a tool.
        total_tool_use_count "totalToolUseCount": u64,
        /// How long it took.
        total_duration_ms "totalDurationMs": u64,
        /// How many tokens its last request was.
        total_tokens "totalTokens": u64,
        /// What its last request has used.
        usage: Usage,
        /// The tools that it called.
        tools_used "toolsUsed": [Str],
        /// What it did with them.
        tool_stats "toolStats": ToolStats,
        /// What it was to do.
        prompt: Str,
        /// Where it worked.
        worktree_path "worktreePath": Str,
        /// On which branch.
        worktree_branch "worktreeBranch": Str,
        /// The agent had done something before and went on, in old versions.
        was_resumed "wasResumed": bool,
        /// It can be told to go on.
        can_continue_agent "canContinueAgent": bool,
        /// How many notes Claude Code has put behind what it said.
        harness_note_count "harnessNoteCount": u64,
        /// What those notes are known by.
        harness_section_hash "harnessSectionHash": Str,
        /// How many of them are at the end.
        harness_tail_count "harnessTailCount": u64,
    }

    /// What an agent did with its tools.
    pub struct ToolStats {
        /// How often it read.
        read_count "readCount": u64,
        /// How often it searched.
        search_count "searchCount": u64,
        /// How often it ran a command.
        bash_count "bashCount": u64,
        /// How often it changed a file.
        edit_file_count "editFileCount": u64,
        /// How many lines are new.
        lines_added "linesAdded": u64,
        /// How many are gone.
        lines_removed "linesRemoved": u64,
        /// How often it called another tool.
        other_tool_count "otherToolCount": u64,
        /// How many frames.
        frame_count "frameCount": u64,
    }

    /// The agent works in the background.
    pub struct AgentLaunched: status (AgentOutputKind::AsyncLaunched.name()) {
        /// It does.
        is_async "isAsync": bool,
        /// The agent.
        agent_id "agentId": Str,
        /// What it does, in a few words.
        description: Str,
        /// Its model.
        resolved_model "resolvedModel": Str,
        /// All models that it had before.
        models_used "modelsUsed": [Str],
        /// What it is to do.
        prompt: Str,
        /// Where to read what it says.
        output_file "outputFile": Str,
        /// The agent that called it can.
        can_read_output_file "canReadOutputFile": bool,
        /// It can be told to go on.
        can_continue_agent "canContinueAgent": bool,
    }

    /// The agent works on another machine.
    pub struct AgentLaunchedRemotely: status (AgentOutputKind::RemoteLaunched.name()) {
        /// The task.
        task_id "taskId": Str,
        /// Where to see it.
        session_url "sessionUrl": Str,
        /// What it does, in a few words.
        description: Str,
        /// What it is to do.
        prompt: Str,
        /// Where to read what it says.
        output_file "outputFile": Str,
    }

    /// The agent has joined a team.
    pub struct TeammateSpawned: status (AgentOutputKind::TeammateSpawned.name()) {
        /// The agent.
        agent_id: Str,
        /// What kind of agent it is.
        agent_type: Str,
        /// Its name.
        name: Str,
        /// Its team.
        team_name: Str,
        /// Its model.
        model: Str,
        /// What it is to do.
        prompt: Str,
    }

    /// What `Workflow` answers.
    pub struct WorkflowOutput {
        /// `async_launched` or `remote_launched`.
        status: Str,
        /// The task.
        task_id "taskId": Str,
        /// `local_workflow` or `remote_agent`.
        task_type "taskType": Str,
        /// The script.
        workflow_name "workflowName": Str,
        /// The run.
        run_id "runId": Str,
        /// What it does, in words.
        summary: Str,
        /// Where its agents' transcripts are.
        transcript_dir "transcriptDir": Str,
        /// Where the script is.
        script_path "scriptPath": Str,
        /// Where to see it.
        session_url "sessionUrl": Str,
        /// What may be wrong.
        warning: Str,
        /// What is wrong.
        error: Str,
    }
}
