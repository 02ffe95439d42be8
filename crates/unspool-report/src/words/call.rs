//! A call of a tool in the words of that tool.

use super::{clean_line, duration};
use unspool::event::Raw;
use unspool::json::{Json, Kind, Str};
use unspool::wire::tool::{
    AgentInput, AskUserQuestionInput, BashInput, EditInput, GlobInput, GrepInput, MultiEditInput,
    NotebookEditInput, ReadInput, ReadMcpResourceInput, SendMessageInput, SkillInput, TaskCreateInput,
    TaskGetInput, TaskUpdateInput, Todo, TodoStatus, TodoWriteInput, ToolInput, WebFetchInput,
    WebSearchInput,
};
use unspool::wire::{List, Wire};

/// What a call does, in one line: `Read src/main.rs (lines 10 to 29)`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct CallWords {
    /// The tool, as people know it; of an MCP tool `server: tool`.
    pub tool: String,
    /// What it is done to: a command, a file, a pattern. May be empty.
    pub subject: String,
    /// What else matters: a range, a folder, who does it. May be empty.
    pub aside: String,
}

/// Fields of inputs that say most, best first, for tools that are not known.
const TELLING: [&str; 14] = [
    BashInput::NAMES.command,
    ReadInput::NAMES.file_path,
    NotebookEditInput::NAMES.notebook_path,
    GrepInput::NAMES.path,
    GrepInput::NAMES.pattern,
    WebFetchInput::NAMES.url,
    ReadMcpResourceInput::NAMES.uri,
    WebSearchInput::NAMES.query,
    AgentInput::NAMES.description,
    TaskCreateInput::NAMES.subject,
    SkillInput::NAMES.skill,
    AgentInput::NAMES.name,
    SendMessageInput::NAMES.message,
    AgentInput::NAMES.prompt,
];

impl CallWords {
    /// Reads a call. Everything in it is one line, and cannot steer a terminal.
    #[must_use]
    pub fn of(name: Option<&str>, input: Option<&Raw<'_>>) -> CallWords {
        let name = name.unwrap_or("?");
        let tool = match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
            Some((server, tool)) => format!("{server}: {tool}"),
            None => name.to_owned(),
        };
        let (subject, aside) = match input {
            Some(input) => Input(input.json()).told(name),
            None => Default::default(),
        };
        CallWords { tool: clean_line(&tool), subject: one_line(&subject), aside: one_line(&aside) }
    }

    /// All of it as one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = self.tool.clone();
        if !self.subject.is_empty() {
            line = format!("{line} {}", self.subject);
        }
        if !self.aside.is_empty() {
            line = format!("{line} ({})", self.aside);
        }
        line
    }
}

/// A text of several lines as one: ` ⏎ ` where a line ended.
pub fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.trim().split('\n').map(str::trim_end).collect();
    clean_line(&lines.join(" ⏎ "))
}

struct Input<'a>(Json<'a>);

impl Input<'_> {
    /// Subject and aside.
    fn told(&self, tool: &str) -> (String, String) {
        // What is no object has no fields, and is a call of that tool all the same.
        let fields = if self.0.kind() == Kind::Object { self.0 } else { Json::EMPTY };
        let alone = |subject| (text(subject), String::new());
        match ToolInput::of(tool, fields) {
            ToolInput::Bash(it) | ToolInput::PowerShell(it) => (text(it.command), self.shell()),
            ToolInput::Monitor(it) => (text(it.command), self.shell()),
            ToolInput::Read(it) => (text(it.file_path), self.range(&it)),
            ToolInput::Edit(it) => (text(it.file_path), self.edits()),
            ToolInput::Write(it) => (text(it.file_path), self.edits()),
            ToolInput::MultiEdit(it) => (text(it.file_path), self.edits()),
            ToolInput::NotebookRead(it) => alone(it.notebook_path),
            ToolInput::NotebookEdit(it) => {
                let names = NotebookEditInput::NAMES;
                (text(it.notebook_path), self.phrase(&[names.edit_mode, names.cell_id]))
            }
            ToolInput::Grep(it) => {
                let names = GrepInput::NAMES;
                (text(it.pattern), self.within(&[names.path, names.glob, names.r#type]))
            }
            ToolInput::Glob(it) => (text(it.pattern), self.within(&[GlobInput::NAMES.path])),
            ToolInput::Ls(it) => alone(it.path),
            ToolInput::Agent(it) => (text(it.description), agent(&it)),
            ToolInput::TodoWrite(_) => (self.todos(), String::new()),
            ToolInput::TaskCreate(it) => alone(it.subject),
            ToolInput::TaskUpdate(_) => {
                let names = TaskUpdateInput::NAMES;
                (self.prefixed("#", names.task_id), self.phrase(&[names.status, names.subject]))
            }
            ToolInput::TaskGet(_) => (self.prefixed("#", TaskGetInput::NAMES.task_id), String::new()),
            // What names an agent, as old versions did, is told whole.
            ToolInput::TaskOutput(it) if it.agent_id.is_none() => alone(it.task_id),
            ToolInput::TaskStop(it) => alone(it.task_id.or(it.shell_id)),
            ToolInput::BashOutput(it) => alone(it.bash_id),
            ToolInput::WebFetch(it) => (text(it.url), text(it.prompt)),
            ToolInput::WebSearch(it) => alone(it.query),
            ToolInput::ToolSearch(it) => alone(it.query),
            ToolInput::Skill(it) => {
                (text(it.skill.filter(|skill| !skill.is_empty()).or(it.command)), text(it.args))
            }
            ToolInput::SlashCommand(it) => alone(it.command),
            ToolInput::SendMessage(it) => {
                let to = self.prefixed("to ", SendMessageInput::NAMES.to);
                (text(it.message.and_then(Json::as_str)), to)
            }
            ToolInput::AskUserQuestion(it) => (questions(&it), String::new()),
            ToolInput::ExitPlanMode(it) => alone(it.plan),
            ToolInput::CronCreate(it) => (text(it.prompt), text(it.cron)),
            ToolInput::ReadMcpResource(it) => {
                (text(it.uri), self.prefixed("from ", ReadMcpResourceInput::NAMES.server))
            }
            ToolInput::ListMcpResources(it) => alone(it.server),
            _ => (self.anything(), String::new()),
        }
    }

    /// A text, a number or a truth value.
    fn scalar(&self, field: &str) -> Option<String> {
        let value = self.0.get(field).filter(|value| !value.is_null())?;
        let text = value.as_str().map(|text| text.to_string()).unwrap_or_else(|| value.compact());
        Some(text).filter(|text| !text.is_empty())
    }

    fn phrase(&self, fields: &[&str]) -> String {
        fields.iter().filter_map(|field| self.scalar(field)).collect::<Vec<_>>().join(", ")
    }

    fn within(&self, fields: &[&str]) -> String {
        let places = self.phrase(fields);
        if places.is_empty() { places } else { format!("in {places}") }
    }

    fn prefixed(&self, words: &str, field: &str) -> String {
        self.scalar(field).map(|text| format!("{words}{text}")).unwrap_or_default()
    }

    /// How a command is run, by whatever tool.
    fn shell(&self) -> String {
        let shell = BashInput::of(self.0).unwrap_or_default();
        let mut facts = Vec::new();
        if shell.run_in_background == Some(true) {
            facts.push("in the background".to_owned());
        }
        if let Some(limit) = shell.timeout {
            facts.push(format!("at most {}", duration(limit)));
        }
        facts.join(", ")
    }

    fn range(&self, read: &ReadInput<'_>) -> String {
        match (read.offset, read.limit) {
            (Some(from), Some(lines)) => {
                format!("lines {from} to {}", from.saturating_add(lines).saturating_sub(1))
            }
            (Some(from), None) => format!("from line {from}"),
            (None, Some(lines)) => format!("the first {lines} lines"),
            (None, None) => self.prefixed("pages ", ReadInput::NAMES.pages),
        }
    }

    /// How much of a file is changed, by whatever tool.
    fn edits(&self) -> String {
        if EditInput::of(self.0).is_some_and(|edit| edit.replace_all == Some(true)) {
            return "all occurrences".to_owned();
        }
        match self.0.get(MultiEditInput::NAMES.edits).map(|edits| edits.items().count()) {
            Some(number) => super::count(number as u64, "edit"),
            None => String::new(),
        }
    }

    fn todos(&self) -> String {
        let Some(todos) = self.0.get(TodoWriteInput::NAMES.todos) else { return String::new() };
        let is_done = |todo: &Todo<'_>| todo.status == Some(TodoStatus::Completed);
        let done = todos.items().filter_map(Todo::of).filter(is_done).count();
        format!("{done} of {} done", todos.items().count())
    }

    /// Of a tool that is not known: the field that says most, or all of it.
    fn anything(&self) -> String {
        let mut texts = TELLING.iter().map(|field| text(self.0.get(field).and_then(Json::as_str)));
        let telling = texts.find(|text| !text.is_empty()).unwrap_or_default();
        if !telling.is_empty() || self.0.is_empty() { telling } else { self.0.compact() }
    }
}

fn text(text: Option<Str<'_>>) -> String {
    text.map(|text| text.to_string()).unwrap_or_default()
}

fn agent(input: &AgentInput<'_>) -> String {
    let kind = text(input.subagent_type);
    let background = if input.run_in_background == Some(true) { "in the background" } else { "" };
    let facts = [kind.as_str(), background];
    facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(", ")
}

fn questions(input: &AskUserQuestionInput<'_>) -> String {
    let asked = input.questions.iter().flat_map(List::iter);
    asked.filter_map(|it| it.question).map(|text| text.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tool: &str, input: &str, line: &str) {
        let input = Raw::new(Json::new(input).unwrap());
        assert_eq!(CallWords::of(Some(tool), Some(&input)).line(), line);
    }

    #[test]
    fn a_call_is_told_in_words_of_its_tool() {
        check(
            "Bash",
            r#"{"command":"cargo test\n  -q","run_in_background":true}"#,
            "Bash cargo test ⏎   -q (in the background)",
        );
        check("Bash", r#"{"command":"sleep 9","timeout":120000}"#, "Bash sleep 9 (at most 2m 00s)");
        check("Read", r#"{"file_path":"/a.rs","offset":10,"limit":20}"#, "Read /a.rs (lines 10 to 29)");
        check("Grep", r#"{"pattern":"fn main","path":"src","glob":"*.rs"}"#, "Grep fn main (in src, *.rs)");
        check("Task", r#"{"description":"Look","subagent_type":"Explore"}"#, "Task Look (Explore)");
        check(
            "TodoWrite",
            r#"{"todos":[{"status":"completed"},{"status":"pending"}]}"#,
            "TodoWrite 1 of 2 done",
        );
        check("TaskUpdate", r#"{"taskId":"3","status":"completed"}"#, "TaskUpdate #3 (completed)");
        check("mcp__jira__find_issue", r#"{"query":"bugs"}"#, "jira: find_issue bugs");
        check(
            "Frobnicate",
            r#"{"level": 3, "deep": {"a": [1]}}"#,
            r#"Frobnicate {"level":3,"deep":{"a":[1]}}"#,
        );
        check("Frobnicate", "{}", "Frobnicate");
        check("Bash", "7", "Bash");
    }

    #[test]
    fn a_call_of_another_shape_is_told_as_far_as_it_goes() {
        for (tool, input, line) in [
            ("Bash", r#"{"command":7,"timeout":"5","run_in_background":"true"}"#, "Bash"),
            ("Monitor", r#"{"command":"c","timeout":120000}"#, "Monitor c (at most 2m 00s)"),
            ("Read", r#"{"file_path":"a","offset":"1","pages":3}"#, "Read a (pages 3)"),
            ("Edit", r#"{"file_path":"a","edits":[1,2]}"#, "Edit a (2 edits)"),
            ("Grep", r#"{"pattern":"p","path":1,"glob":null,"type":[2]}"#, "Grep p (in 1, [2])"),
            ("TodoWrite", r#"{"todos":"all"}"#, "TodoWrite 0 of 0 done"),
            ("TaskUpdate", r#"{"taskId":3,"status":true}"#, "TaskUpdate #3 (true)"),
            ("SendMessage", r#"{"message":{"a":1},"to":2}"#, "SendMessage (to 2)"),
            ("Skill", r#"{"skill":"","command":"c"}"#, "Skill c"),
            ("KillShell", r#"{"shell_id":"s"}"#, "KillShell s"),
            ("AgentOutputTool", r#"{"agentId":"a"}"#, r#"AgentOutputTool {"agentId":"a"}"#),
            ("LS", r#"{"path":"a","ignore":["b"]}"#, "LS a"),
            ("LS", "7", "LS"),
            ("LSP", "7", "LSP 7"),
        ] {
            check(tool, input, line);
        }
    }

    #[test]
    fn a_call_cannot_steer_a_terminal() {
        check(
            "Ba\u{1b}[2Jsh",
            r#"{"x":"\u001b]0;t\u0007\u2028"}"#,
            "Ba\u{fffd}[2Jsh {\"x\":\"\\u001b]0;t\\u0007 \"}",
        );
        check("Bash", r#"{"command":"\u001b]0;t\u0007"}"#, "Bash \u{fffd}]0;t\u{fffd}");
    }
}
