//! Tools that run commands, and watch them.

use super::super::declare::{wire, writable};

writable! {
    /// What `Bash` is given, and `PowerShell`.
    pub struct BashInput {
        /// The command.
        command: Str,
        /// For how many milliseconds it may run.
        timeout: u64,
        /// What it does, in words.
        description: Str,
        /// It runs on while the model does something else.
        run_in_background: bool,
        /// It runs outside the sandbox.
        dangerously_disable_sandbox "dangerouslyDisableSandbox": bool,
    }

    /// What `BashOutput` of versions up to 2.0 is given.
    pub struct BashOutputInput {
        /// The shell.
        bash_id: Str,
        /// The lines that are wanted, as a regular expression.
        filter: Str,
        /// Wait until it has ended.
        block: bool,
        /// Wait for so many milliseconds at most.
        wait_up_to: u64,
    }

    /// What `TaskOutput` is given.
    pub struct TaskOutputInput {
        /// The task.
        task_id: Str,
        /// The agent, in old versions.
        agent_id "agentId": Str,
        /// Wait until it has ended.
        block: bool,
        /// Wait for so many milliseconds at most.
        timeout: u64,
        /// Wait for so many seconds at most, in old versions.
        wait_up_to: u64,
    }

    /// What `TaskStop` is given, and `KillShell` of old versions.
    pub struct TaskStopInput {
        /// The task.
        task_id: Str,
        /// The shell, in old versions.
        shell_id: Str,
    }

    /// What `Monitor` is given.
    pub struct MonitorInput {
        /// What is watched, in words.
        description: Str,
        /// For how many milliseconds.
        timeout_ms: u64,
        /// A command whose lines are told.
        command: Str,
        /// A socket whose messages are told.
        ws: MonitoredSocket,
        /// It is watched until the session ends.
        persistent: bool,
    }

    /// A socket that `Monitor` watches.
    pub struct MonitoredSocket {
        /// Where it is.
        url: Str,
        /// What it is to speak.
        protocols: [Str],
    }
}

wire! {
    /// What `Bash` answers, and `PowerShell`. The exit code is not in it: of a command that failed there is normally only the text
    /// of the answer, which begins with `Exit code N`.
    pub struct BashOutput {
        /// What the command wrote.
        stdout: Str,
        /// What it wrote to standard error.
        stderr: Str,
        /// Where all of it is, if it is too much.
        raw_output_path "rawOutputPath": Str,
        /// It was interrupted.
        interrupted: bool,
        /// What it wrote is a picture.
        is_image "isImage": bool,
        /// The task that it became.
        background_task_id "backgroundTaskId": Str,
        /// The user has sent it to the background.
        backgrounded_by_user "backgroundedByUser": bool,
        /// Claude Code has sent it to the background.
        assistant_auto_backgrounded "assistantAutoBackgrounded": bool,
        /// It went to the background when it had run for so long.
        timed_out_after_ms "timedOutAfterMs": u64,
        /// Where it runs.
        background_cwd_hint "backgroundCwdHint": Str,
        /// It ends with the agent's last answer.
        background_ends_with_final_response "backgroundEndsWithFinalResponse": bool,
        /// Its end wakes the agent that started it.
        background_wakes_owner "backgroundWakesOwner": bool,
        /// It ran outside the sandbox.
        dangerously_disable_sandbox "dangerouslyDisableSandbox": bool,
        /// What its exit code means, in words.
        return_code_interpretation "returnCodeInterpretation": Str,
        /// It normally writes nothing.
        no_output_expected "noOutputExpected": bool,
        /// What it wrote, as blocks.
        structured_content "structuredContent": [Json],
        /// Where all of it is kept, if it is too much.
        persisted_output_path "persistedOutputPath": Str,
        /// How much that is, in bytes.
        persisted_output_size "persistedOutputSize": u64,
        /// Files that the model had read have changed.
        stale_read_file_state_hint "staleReadFileStateHint": Str,
        /// GitHub wants fewer requests.
        gh_rate_limit_hint "ghRateLimitHint": Str,
        /// What it did with git.
        git_operation "gitOperation": GitOperation,
        /// A sandbox had something to say, in old versions.
        sandbox: bool,
        /// What was written, in short, in old versions.
        summary: Str,
        /// All that was written, in old versions.
        raw_output "rawOutput": Str,
    }

    /// What a command did with git.
    pub struct GitOperation {
        /// It made a commit.
        commit: GitCommit,
        /// It pushed.
        push: GitPush,
        /// It changed a branch.
        branch: GitBranch,
        /// It changed a pull request.
        pr: GitPullRequest,
    }

    /// A commit that was made.
    pub struct GitCommit {
        /// Which one.
        sha: Str,
        /// `committed`, `amended` or `cherry-picked`.
        kind: Str,
        /// On which branch.
        branch: Str,
    }

    /// A push.
    pub struct GitPush {
        /// The branch.
        branch: Str,
    }

    /// A change of a branch.
    pub struct GitBranch {
        /// With what.
        r#ref "ref": Str,
        /// `merged` or `rebased`.
        action: Str,
    }

    /// A change of a pull request.
    pub struct GitPullRequest {
        /// Which one.
        number: u64,
        /// Where it is.
        url: Str,
        /// What was done: `created`, `edited`, `merged` and others.
        action: Str,
    }

    /// What `TaskStop` answers.
    pub struct TaskStopOutput {
        /// What happened, in words.
        message: Str,
        /// The task.
        task_id: Str,
        /// What kind of task it was.
        task_type: Str,
        /// Its command.
        command: Str,
        /// The shell, in old versions.
        shell_id: Str,
    }

    /// What `Monitor` answers.
    pub struct MonitorOutput {
        /// The task.
        task_id "taskId": Str,
        /// For how many milliseconds it watches.
        timeout_ms "timeoutMs": u64,
        /// It watches until the session ends.
        persistent: bool,
    }
}
