//! A call of a tool in the words of that tool.

use super::{clean_line, duration};
use unspool::event::Raw;
use unspool::json::Json;

/// What a call does, in one line: `Read src/main.rs (lines 10 to 29)`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
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
    "command",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "url",
    "uri",
    "query",
    "description",
    "subject",
    "skill",
    "name",
    "message",
    "prompt",
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
        match tool {
            "Bash" | "PowerShell" | "Monitor" => (self.text("command"), self.shell()),
            "Read" => (self.text("file_path"), self.range()),
            "Edit" | "Write" | "MultiEdit" => (self.text("file_path"), self.edits()),
            "NotebookRead" => (self.text("notebook_path"), String::new()),
            "NotebookEdit" => (self.text("notebook_path"), self.phrase(&["edit_mode", "cell_id"])),
            "Grep" => (self.text("pattern"), self.within(&["path", "glob", "type"])),
            "Glob" => (self.text("pattern"), self.within(&["path"])),
            "LS" => (self.text("path"), String::new()),
            "Task" | "Agent" => (self.text("description"), self.agent()),
            "TodoWrite" => (self.todos(), String::new()),
            "TaskCreate" => (self.text("subject"), String::new()),
            "TaskUpdate" => (self.numbered("taskId"), self.phrase(&["status", "subject"])),
            "TaskGet" => (self.numbered("taskId"), String::new()),
            "TaskOutput" | "TaskStop" => (self.text("task_id"), String::new()),
            "BashOutput" => (self.text("bash_id"), String::new()),
            "KillShell" | "KillBash" => (self.text("shell_id"), String::new()),
            "WebFetch" => (self.text("url"), self.text("prompt")),
            "WebSearch" | "ToolSearch" => (self.text("query"), String::new()),
            "Skill" => (self.first(&["skill", "command"]), self.text("args")),
            "SlashCommand" => (self.text("command"), String::new()),
            "SendMessage" => (self.text("message"), self.prefixed("to ", "to")),
            "AskUserQuestion" => (self.questions(), String::new()),
            "ExitPlanMode" => (self.text("plan"), String::new()),
            "CronCreate" => (self.text("prompt"), self.text("cron")),
            "ReadMcpResource" | "ReadMcpResourceTool" => (self.text("uri"), self.prefixed("from ", "server")),
            "ListMcpResources" | "ListMcpResourcesTool" => (self.text("server"), String::new()),
            _ => (self.anything(), String::new()),
        }
    }

    fn text(&self, field: &str) -> String {
        self.0.get(field).and_then(Json::as_str).map(|text| text.to_string()).unwrap_or_default()
    }

    /// A text, a number or a truth value.
    fn scalar(&self, field: &str) -> Option<String> {
        let value = self.0.get(field).filter(|value| !value.is_null())?;
        let text = value.as_str().map(|text| text.to_string()).unwrap_or_else(|| value.compact());
        Some(text).filter(|text| !text.is_empty())
    }

    fn first(&self, fields: &[&str]) -> String {
        fields.iter().map(|field| self.text(field)).find(|text| !text.is_empty()).unwrap_or_default()
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

    fn numbered(&self, field: &str) -> String {
        self.prefixed("#", field)
    }

    fn is(&self, field: &str) -> bool {
        self.0.get(field).and_then(Json::as_bool) == Some(true)
    }

    fn shell(&self) -> String {
        let mut facts = Vec::new();
        if self.is("run_in_background") {
            facts.push("in the background".to_owned());
        }
        if let Some(limit) = self.0.get("timeout").and_then(Json::as_u64) {
            facts.push(format!("at most {}", duration(limit)));
        }
        facts.join(", ")
    }

    fn range(&self) -> String {
        let number = |field| self.0.get(field).and_then(Json::as_u64);
        match (number("offset"), number("limit")) {
            (Some(from), Some(lines)) => {
                format!("lines {from} to {}", from.saturating_add(lines).saturating_sub(1))
            }
            (Some(from), None) => format!("from line {from}"),
            (None, Some(lines)) => format!("the first {lines} lines"),
            (None, None) => self.prefixed("pages ", "pages"),
        }
    }

    fn edits(&self) -> String {
        if self.is("replace_all") {
            return "all occurrences".to_owned();
        }
        match self.0.get("edits").map(|edits| edits.items().count()) {
            Some(number) => super::count(number as u64, "edit"),
            None => String::new(),
        }
    }

    fn agent(&self) -> String {
        let kind = self.text("subagent_type");
        let background = if self.is("run_in_background") { "in the background" } else { "" };
        let facts = [kind.as_str(), background];
        facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(", ")
    }

    fn todos(&self) -> String {
        let Some(todos) = self.0.get("todos") else { return String::new() };
        let is_done = |todo: &Json<'_>| {
            todo.get("status").and_then(Json::as_str).is_some_and(|status| status == "completed")
        };
        let done = todos.items().filter(is_done).count();
        format!("{done} of {} done", todos.items().count())
    }

    fn questions(&self) -> String {
        let asked = self.0.get("questions").into_iter().flat_map(Json::items);
        let words = asked.filter_map(|question| question.get("question").and_then(Json::as_str));
        words.map(|text| text.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Of a tool that is not known: the field that says most, or all of it.
    fn anything(&self) -> String {
        let telling = self.first(&TELLING);
        if !telling.is_empty() || self.0.is_empty() { telling } else { self.0.compact() }
    }
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
    fn a_call_cannot_steer_a_terminal() {
        check(
            "Ba\u{1b}[2Jsh",
            r#"{"x":"\u001b]0;t\u0007\u2028"}"#,
            "Ba\u{fffd}[2Jsh {\"x\":\"\\u001b]0;t\\u0007 \"}",
        );
        check("Bash", r#"{"command":"\u001b]0;t\u0007"}"#, "Bash \u{fffd}]0;t\u{fffd}");
    }
}
