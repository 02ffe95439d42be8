//! A call that is asked about: what is shown of it, and how it is changed.

use super::proposal::Proposal;
use serde_json::{Map, Value};
use std::path::PathBuf;
use unspool::wire::tool::{BashInput, EditInput};
use unspool_report::view::style::{BOLD, DIM, PLAIN, WARN};
use unspool_report::view::wrap::{fold, tidy, tidy_line};
use unspool_report::view::{Line, diff_facts, diff_rows};

/// A command of so many rows is shown behind the name of its tool; a longer one below it.
const BESIDE: usize = 3;

/// A call that is asked about.
#[derive(Clone, Debug)]
pub(crate) struct AskedCall {
    tool: String,
    input: Value,
    /// A sub-agent calls.
    by_agent: bool,
    /// What `a` would allow.
    always: Option<String>,
    /// Where names of files begin.
    cwd: PathBuf,
    proposal: Option<Proposal>,
    /// It is no longer what the model wanted.
    is_changed: bool,
}

impl AskedCall {
    /// A call with its input, which is JSON.
    pub(crate) fn new(tool: String, input: &str, cwd: PathBuf) -> Self {
        // What is no JSON is shown as it is.
        let input = serde_json::from_str(input).unwrap_or_else(|_| input.into());
        let proposal = Proposal::of(&tool, &input, &cwd);
        AskedCall { tool, input, by_agent: false, always: None, cwd, proposal, is_changed: false }
    }

    pub(crate) fn by_agent(mut self, is_so: bool) -> Self {
        self.by_agent = is_so;
        self
    }

    /// What it would be to allow it always, as `a` says it.
    pub(crate) fn always(mut self, words: Option<String>) -> Self {
        self.always = words;
        self
    }

    /// What `a` would allow; what somebody has changed is allowed once.
    pub(super) fn allows(&self) -> Option<String> {
        self.always.as_deref().filter(|_| !self.is_changed).map(tidy_line)
    }

    /// The input, if it is another one than the model's.
    pub(super) fn changed(&self) -> Option<Value> {
        self.is_changed.then(|| self.input.clone())
    }

    /// What it is about, in one line, however long.
    pub(super) fn head(&self, columns: usize) -> Line {
        let mut line = Line::of(&tidy_line(&self.tool), BOLD);
        if self.by_agent {
            line.push(" (a sub-agent)", DIM);
        }
        if let Some(proposal) = &self.proposal {
            line.push(" ", PLAIN);
            line.push(&tidy_line(&proposal.path), BOLD);
            if let Some(real) = &proposal.behind {
                line.push(&format!(", which is {}", tidy_line(real)), WARN);
            }
            let facts = diff_facts(proposal.is_new, &proposal.diff);
            line.push(&format!(": {facts}"), DIM);
            if let Some(doubt) = proposal.doubt {
                line.push(&format!("; {doubt}"), WARN);
            }
        } else if let Some(command) = self.beside(columns) {
            line.push(": ", PLAIN);
            line.push(&tidy_line(command), PLAIN);
        }
        if self.is_changed {
            line.push(" (changed by you)", WARN);
        }
        line
    }

    /// All else: nobody can agree to what they have not seen.
    pub(super) fn body(&self, columns: usize) -> Vec<Line> {
        let mut rows = Vec::new();
        let beside = self.beside(columns).is_some();
        let told: &[&str] = match &self.proposal {
            Some(proposal) => {
                rows.extend(diff_rows(&proposal.diff, columns));
                proposal.told
            }
            None if self.command().is_some() => {
                let below = self.command().filter(|_| !beside).unwrap_or_default();
                rows.extend(text(below, "", columns));
                &[BashInput::NAMES.command]
            }
            None => &[],
        };
        match &self.input {
            Value::Object(fields) => {
                let is_usual = |name: &str, value: &Value| {
                    name == EditInput::NAMES.replace_all && *value == Value::Bool(false)
                };
                let others = fields
                    .iter()
                    .filter(|(name, value)| !told.contains(&name.as_str()) && !is_usual(name, value));
                rows.extend(others.flat_map(|(name, value)| field(name, value, columns)));
            }
            other => rows.extend(text(&said(other), "", columns)),
        }
        rows
    }

    /// What a new one is called.
    pub(super) fn subject(&self) -> &'static str {
        if self.command().is_some() { "command" } else { "input" }
    }

    /// Takes another command, or another input as a whole. Nothing is said to it by this.
    pub(super) fn change(&mut self, line: &str) -> Result<(), &'static str> {
        let input = match (serde_json::from_str(line), &self.input) {
            (Ok(Value::Object(fields)), _) => Value::Object(fields),
            (_, Value::Object(fields)) if self.command().is_some() && !line.starts_with('{') => {
                let mut fields: Map<String, Value> = fields.clone();
                fields.insert(BashInput::NAMES.command.to_owned(), line.into());
                Value::Object(fields)
            }
            _ => return Err("that is no JSON object; it is left as it is"),
        };
        self.proposal = Proposal::of(&self.tool, &input, &self.cwd);
        self.input = input;
        self.is_changed = true;
        Ok(())
    }

    fn command(&self) -> Option<&str> {
        self.input.get(BashInput::NAMES.command)?.as_str()
    }

    /// The command, if it can stand behind the name of the tool.
    fn beside(&self, columns: usize) -> Option<&str> {
        self.command().filter(|command| !command.contains('\n') && command.len() < BESIDE * columns)
    }
}

/// `name: value`; a text of several lines stands below its name.
fn field(name: &str, value: &Value, columns: usize) -> Vec<Line> {
    let (name, value) = (tidy_line(name), said(value));
    if !value.contains('\n') {
        return text(&format!("{name}: {value}"), "", columns);
    }
    let mut rows = text(&format!("{name}:"), "", columns);
    rows.extend(text(&value, "  ", columns));
    rows
}

fn said(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text, row by row.
pub(super) fn text(text: &str, indent: &str, columns: usize) -> Vec<Line> {
    let row = |line: &str| fold(Line::of(indent, PLAIN).with(&tidy(line), PLAIN), columns);
    tidy(text).trim_end().lines().flat_map(row).collect()
}
