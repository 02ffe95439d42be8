//! What Claude Code's own tools are given, and what they answer.
//!
//! A call says the name of its tool, and its input is some object; [`ToolInput::of`] reads it as what that tool takes.
//! [`ToolOutput::of`] does the same with the structured answer, `tool_use_result`.
//!
//! ```
//! use unspool::json::Json;
//! use unspool::wire::tool::ToolInput;
//!
//! let input = Json::new(r#"{"command":"ls","timeout":1000}"#)?;
//! let ToolInput::Bash(bash) = ToolInput::of("Bash", input) else { panic!() };
//! assert_eq!(bash.command.unwrap(), "ls");
//! # Ok::<(), unspool::json::Fault>(())
//! ```
//!
//! A model may send anything, and every version has fields and tools of its own: fields that are not modelled are kept
//! in `extra`, and so are those of another type than usual; what no type fits is `Unknown`, as it stands.

mod agent;
mod elsewhere;
mod file;
mod mcp;
mod plan;
mod shell;
mod time;
mod todo;
mod typed;
mod user;
mod web;

pub use agent::*;
pub use elsewhere::*;
pub use file::*;
pub use mcp::*;
pub use plan::*;
pub use shell::*;
pub use time::*;
pub use todo::*;
pub use user::*;
pub use web::*;

use super::declare::wire_item;
use super::{Shape, Wire};
use crate::json::Json;

/// Declares an enum of values told apart by the name of a tool, which may have had other names before.
macro_rules! by_tool {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $($($tool:literal)|+ => $variant:ident($ty:tt)),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "read and matched at once; a box would be an allocation")]
        pub enum $name<'a> {
            $(
                #[doc = concat!($("`", $tool, "` "),+)]
                $variant(wire_item!($ty)),
            )*
            /// Of a tool that is not listed, or of another shape.
            Unknown(Json<'a>),
        }

        impl<'a> $name<'a> {
            /// The names of all tools that are listed, those of old versions too.
            pub const TOOLS: &'static [&'static str] = &[$($($tool),+),*];

            /// Reads what belongs to a call of this tool.
            #[must_use]
            pub fn of(tool: &str, json: Json<'a>) -> Self {
                let read = match tool {
                    $($($tool)|+ => Wire::of(json).map(Self::$variant),)*
                    _ => None,
                };
                read.unwrap_or(Self::Unknown(json))
            }

            /// What is usual for this tool, if it is listed.
            #[doc(hidden)]
            #[must_use]
            pub fn shape_of(tool: &str) -> Option<Shape> {
                match tool {
                    $($($tool)|+ => Some(<wire_item!($ty) as Wire<'a>>::shape()),)*
                    _ => None,
                }
            }

            /// The value as JSON text.
            #[must_use]
            pub fn to_json(&self) -> String {
                match self {
                    $(Self::$variant(value) => value.to_json(),)*
                    Self::Unknown(json) => json.to_json(),
                }
            }
        }
    };
}

by_tool! {
    /// What a tool is given.
    pub enum ToolInput {
        "Agent" | "Task" => Agent(AgentInput),
        "ListAgents" | "ListPeers" => ListAgents(ListAgentsInput),
        "SendMessage" => SendMessage(SendMessageInput),
        "Skill" => Skill(SkillInput),
        "SlashCommand" => SlashCommand(SlashCommandInput),
        "Workflow" => Workflow(WorkflowInput),
        "Bash" => Bash(BashInput),
        "PowerShell" => PowerShell(BashInput),
        "BashOutput" => BashOutput(BashOutputInput),
        "Monitor" => Monitor(MonitorInput),
        "TaskOutput" | "AgentOutputTool" => TaskOutput(TaskOutputInput),
        "TaskStop" | "KillShell" | "KillBash" => TaskStop(TaskStopInput),
        "Edit" => Edit(EditInput),
        "MultiEdit" => MultiEdit(MultiEditInput),
        "Glob" => Glob(GlobInput),
        "Grep" => Grep(GrepInput),
        "LS" => Ls(LsInput),
        "LSP" => Lsp(LspInput),
        "NotebookEdit" => NotebookEdit(NotebookEditInput),
        "NotebookRead" => NotebookRead(NotebookReadInput),
        "Read" => Read(ReadInput),
        "Write" => Write(WriteInput),
        "ListMcpResourcesTool" | "ListMcpResources" => ListMcpResources(ListMcpResourcesInput),
        "ReadMcpResourceTool" | "ReadMcpResource" => ReadMcpResource(ReadMcpResourceInput),
        "ReadMcpResourceDirTool" | "ReadMcpResourceDir" => ReadMcpResourceDir(ReadMcpResourceInput),
        "RefreshMcpTools" => RefreshMcpTools(ListMcpResourcesInput),
        "ToolSearch" => ToolSearch(ToolSearchInput),
        "EnterPlanMode" => EnterPlanMode(EnterPlanModeInput),
        "ExitPlanMode" => ExitPlanMode(ExitPlanModeInput),
        "EnterWorktree" => EnterWorktree(EnterWorktreeInput),
        "ExitWorktree" => ExitWorktree(ExitWorktreeInput),
        "CronCreate" => CronCreate(CronCreateInput),
        "CronDelete" => CronDelete(CronDeleteInput),
        "CronList" => CronList(CronListInput),
        "RemoteTrigger" => RemoteTrigger(RemoteTriggerInput),
        "ScheduleWakeup" => ScheduleWakeup(ScheduleWakeupInput),
        "TaskCreate" => TaskCreate(TaskCreateInput),
        "TaskGet" => TaskGet(TaskGetInput),
        "TaskList" => TaskList(TaskListInput),
        "TaskUpdate" => TaskUpdate(TaskUpdateInput),
        "TodoWrite" => TodoWrite(TodoWriteInput),
        "AskUserQuestion" => AskUserQuestion(AskUserQuestionInput),
        "OfferChromeSetup" => OfferChromeSetup(OfferChromeSetupInput),
        "ProposeGoal" => ProposeGoal(ProposeGoalInput),
        "propose_skills" | "ProposeSkills" => ProposeSkills(ProposeSkillsInput),
        "PushNotification" => PushNotification(PushNotificationInput),
        "ReadNotifications" => ReadNotifications(ReadNotificationsInput),
        "ReportFindings" => ReportFindings(ReportFindingsInput),
        "SendFeedback" => SendFeedback(SendFeedbackInput),
        "ShowOnboardingRolePicker" => ShowOnboardingRolePicker(ShowOnboardingRolePickerInput),
        "Artifact" => Artifact(ArtifactInput),
        "ClaudeDesign" => ClaudeDesign(ClaudeDesignInput),
        "Projects" => Projects(ProjectsInput),
        "WebFetch" => WebFetch(WebFetchInput),
        "WebSearch" => WebSearch(WebSearchInput),
    }
}

impl ToolInput<'static> {
    /// Whether a call of this tool starts an agent.
    pub(crate) fn starts_agent(tool: &str) -> bool {
        matches!(ToolInput::named(tool), ToolInput::Agent(_))
    }

    /// Which tool it is, whatever it is given: all fields are none.
    #[must_use]
    pub fn named(tool: &str) -> Self {
        ToolInput::of(tool, Json::EMPTY)
    }
}

by_tool! {
    /// What a tool has answered, for programs. A call that failed has words instead, which are `Unknown` here.
    pub enum ToolOutput {
        "Agent" | "Task" => Agent(AgentOutput),
        "Workflow" => Workflow(WorkflowOutput),
        "Bash" => Bash(BashOutput),
        "PowerShell" => PowerShell(BashOutput),
        "Monitor" => Monitor(MonitorOutput),
        "TaskStop" | "KillShell" | "KillBash" => TaskStop(TaskStopOutput),
        "Edit" => Edit(EditOutput),
        "Glob" => Glob(GlobOutput),
        "Grep" => Grep(GrepOutput),
        "NotebookEdit" => NotebookEdit(NotebookEditOutput),
        "Read" => Read(ReadOutput),
        "Write" => Write(WriteOutput),
        "ListMcpResourcesTool" | "ListMcpResources" => ListMcpResources([ListedResource]),
        "ReadMcpResourceTool" | "ReadMcpResource" => ReadMcpResource(ReadMcpResourceOutput),
        "ReadMcpResourceDirTool" | "ReadMcpResourceDir" => ReadMcpResourceDir(ReadMcpResourceDirOutput),
        "RefreshMcpTools" => RefreshMcpTools([RefreshedServer]),
        "EnterPlanMode" => EnterPlanMode(EnterPlanModeOutput),
        "ExitPlanMode" => ExitPlanMode(ExitPlanModeOutput),
        "EnterWorktree" => EnterWorktree(EnterWorktreeOutput),
        "ExitWorktree" => ExitWorktree(ExitWorktreeOutput),
        "CronCreate" => CronCreate(CronCreateOutput),
        "CronDelete" => CronDelete(CronDeleteOutput),
        "CronList" => CronList(CronListOutput),
        "RemoteTrigger" => RemoteTrigger(RemoteTriggerOutput),
        "ScheduleWakeup" => ScheduleWakeup(ScheduleWakeupOutput),
        "TaskCreate" => TaskCreate(TaskCreateOutput),
        "TaskGet" => TaskGet(TaskGetOutput),
        "TaskList" => TaskList(TaskListOutput),
        "TaskUpdate" => TaskUpdate(TaskUpdateOutput),
        "TodoWrite" => TodoWrite(TodoWriteOutput),
        "AskUserQuestion" => AskUserQuestion(AskUserQuestionOutput),
        "OfferChromeSetup" => OfferChromeSetup(OfferChromeSetupOutput),
        "ProposeGoal" => ProposeGoal(ProposeGoalOutput),
        "propose_skills" | "ProposeSkills" => ProposeSkills(ProposeSkillsOutput),
        "PushNotification" => PushNotification(PushNotificationOutput),
        "ReadNotifications" => ReadNotifications(ReadNotificationsOutput),
        "ReportFindings" => ReportFindings(ReportFindingsOutput),
        "SendFeedback" => SendFeedback(SendFeedbackOutput),
        "ShowOnboardingRolePicker" => ShowOnboardingRolePicker(ShowOnboardingRolePickerOutput),
        "Artifact" => Artifact(ArtifactOutput),
        "ClaudeDesign" => ClaudeDesign(ClaudeDesignOutput),
        "Projects" => Projects(ProjectsOutput),
        "WebFetch" => WebFetch(WebFetchOutput),
        "WebSearch" => WebSearch(WebSearchOutput),
    }
}
