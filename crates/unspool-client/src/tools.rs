//! The tools that Claude Code brings along.

/// The names of the built-in tools. Which of them a session has depends on its version, options and settings.
pub const BUILT_IN: &[&str] = &[
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Glob",
    "Grep",
    "Agent",
    "NotebookEdit",
    "WebFetch",
    "WebSearch",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskOutput",
    "ToolSearch",
    "Monitor",
    "EnterPlanMode",
    "ExitPlanMode",
    "SendMessage",
    "LSP",
    "AskUserQuestion",
    "Skill",
    "CronCreate",
    "CronDelete",
    "CronList",
    "RemoteTrigger",
    "TeamCreate",
    "TeamDelete",
    "EnterWorktree",
    "ExitWorktree",
    "ScheduleWakeup",
    // As 2.1.325 lists them beside those above.
    "Artifact",
    "ClaudeDesign",
    "EndConversation",
    "ListAgents",
    "ListMcpResourcesTool",
    "ObserverReport",
    "OfferChromeSetup",
    "PowerShell",
    "Projects",
    "ProposeGoal",
    "PushNotification",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "ReadNotifications",
    "ReportFindings",
    "SendFeedback",
    "SendUserFile",
    "SendUserMessage",
    "ShareOnboardingGuide",
    "ShowOnboardingRolePicker",
    "StructuredOutput",
    "SubagentHandback",
    "TodoWrite",
    "WaitForMcpServers",
    "Workflow",
    "propose_skills",
];

/// Names that tools had before, and have now. Rules may still use the old ones.
const RENAMED: &[(&str, &str)] = &[
    ("Task", "Agent"),
    ("KillShell", "TaskStop"),
    ("KillBash", "TaskStop"),
    ("ListPeers", "ListAgents"),
    ("Brief", "SendUserMessage"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
];

/// Whether a tool of this name comes with Claude Code. Case matters.
#[must_use]
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&name)
}

/// The name that a tool has now; that of a tool that was never renamed is its own.
#[must_use]
pub fn current_name(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::discriminant;
    use unspool::wire::ToolInput;

    #[test]
    fn names_are_known_as_they_are_written() {
        for name in ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "Agent", "Workflow", "propose_skills"] {
            assert!(is_built_in(name), "{name}");
        }
        for name in ["my-mcp-tool", "", "read", "Task", "mcp__calc__add"] {
            assert!(!is_built_in(name), "{name}");
        }
    }

    /// Other programs show the first of them in this order.
    #[test]
    fn the_oldest_names_keep_their_places() {
        let first = "Read Write Edit Bash Glob Grep Agent NotebookEdit WebFetch WebSearch TaskCreate TaskUpdate \
                     TaskGet TaskList TaskStop TaskOutput ToolSearch Monitor EnterPlanMode ExitPlanMode SendMessage \
                     LSP AskUserQuestion Skill CronCreate CronDelete CronList RemoteTrigger TeamCreate TeamDelete \
                     EnterWorktree ExitWorktree ScheduleWakeup";
        let first: Vec<&str> = first.split_whitespace().collect();
        assert_eq!(BUILT_IN[..first.len()], first);
    }

    /// Tools of older versions, which the core reads and no newer one has.
    const GONE: [&str; 8] = [
        "SlashCommand",
        "BashOutput",
        "AgentOutputTool",
        "MultiEdit",
        "LS",
        "NotebookRead",
        "RefreshMcpTools",
        "ProposeSkills",
    ];

    #[test]
    fn what_the_core_reads_is_built_in_or_was() {
        for tool in ToolInput::TOOLS {
            let is_gone = GONE.contains(tool);
            assert_ne!(is_built_in(current_name(tool)), is_gone, "{tool}");
        }
        for (old, new) in RENAMED.iter().filter(|(old, _)| ToolInput::TOOLS.contains(old)) {
            let [old_kind, new_kind] = [old, new].map(|name| discriminant(&ToolInput::named(name)));
            assert_eq!(old_kind, new_kind, "{old} is {new}");
        }
    }

    #[test]
    fn each_name_is_there_once_and_old_names_lead_to_new_ones() {
        for (at, name) in BUILT_IN.iter().enumerate() {
            assert_eq!(BUILT_IN.iter().position(|it| it == name), Some(at), "{name}");
            assert_eq!(current_name(name), *name);
        }
        for (old, new) in RENAMED {
            assert!(!is_built_in(old) && is_built_in(new), "{old}");
            assert_eq!(current_name(old), *new);
        }
        assert_eq!(current_name("mcp__calc__add"), "mcp__calc__add");
    }
}
