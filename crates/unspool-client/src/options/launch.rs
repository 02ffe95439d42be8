//! The command line.

use super::hidden::shown;
use super::prompt::is_long;
use super::word::join;
use super::{Env, Options, User};
use crate::program::Program;
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;

/// Everything it takes to start a process.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Launch {
    /// The program, or what runs it.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What is different in its environment.
    pub env: Env,
    /// Nothing of our own environment is handed on.
    pub clear_env: bool,
    /// Its working directory, if not ours.
    pub cwd: Option<PathBuf>,
    /// Who it runs as, if not as we do.
    pub user: Option<User>,
}

impl Launch {
    /// The process to start. Its stdin, stdout and stderr are still to be chosen.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        if self.clear_env {
            command.env_clear();
        }
        self.env.apply(&mut command);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        if let Some(user) = self.user {
            user.run(&mut command);
        }
        command
    }
}

/// Values that may be secret are not printed.
impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("program", &self.program)
            .field("args", &shown(self.args.iter().map(|word| word.to_string_lossy())))
            .field("env", &self.env)
            .field("clear_env", &self.clear_env)
            .field("cwd", &self.cwd)
            .field("user", &self.user)
            .finish()
    }
}

impl Options {
    /// How this program is started with these options. MCP servers, settings and system prompts stand on the command line then,
    /// where every user of the machine can read them; [`Claude`](crate::Claude) puts them into files.
    #[must_use]
    pub fn launch(&self, program: &Program) -> Launch {
        let mut args: Vec<OsString> = program.args().to_vec();
        // What writes to a pipe is not interactive anyway; but 2.1.325 takes some 20 ms to find that out by itself.
        args.push("--print".into());
        join("--output-format", "stream-json", &mut args);
        join("--input-format", "stream-json", &mut args);
        // Refused without, together with stream-json.
        args.push("--verbose".into());
        self.flags(&mut args);
        args.extend(self.extra_args.iter().cloned());
        Launch {
            program: program.command().to_owned(),
            args,
            env: self.environment(|name| std::env::var_os(name)),
            clear_env: self.clear_env,
            cwd: self.cwd.clone(),
            user: self.user,
        }
    }

    /// A schema works through a tool of its own, which is named where tools are, so that no version takes it away.
    pub(super) fn tools_args(&self, args: &mut Vec<OsString>) {
        let Some(tools) = &self.tools else { return };
        let mut tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        let has = |tool: &str| tools.contains(&tool);
        if self.json_schema.is_some() && !has("StructuredOutput") && !has("default") {
            tools.push("StructuredOutput");
        }
        join("--tools", tools.join(","), args);
    }

    pub(super) fn schema_args(&self, args: &mut Vec<OsString>) {
        let schema = self.schema().map(|schema| schema.to_string());
        if let Some(schema) = schema.filter(|schema| !is_long(schema)) {
            join("--json-schema", schema, args);
        }
    }

    pub(super) fn ask_host_args(&self, args: &mut Vec<OsString>) {
        if self.ask_host {
            join("--permission-prompt-tool", "stdio", args);
        }
    }

    pub(super) fn debug_args(&self, args: &mut Vec<OsString>) {
        match self.debug.as_deref() {
            Some("") => args.push("--debug".into()),
            Some(filter) => join("--debug", filter, args),
            None => {}
        }
    }

    /// The schema without the `$schema` at its top. Of a draft that it does not know, 2.1.325 says that the schema
    /// is wrong, and 2.0.77 ignores the schema.
    pub(super) fn schema(&self) -> Option<Value> {
        let mut schema = self.json_schema.clone()?;
        if let Some(schema) = schema.as_object_mut() {
            schema.remove("$schema");
        }
        Some(schema)
    }
}
