//! The flags that say which Claude Code is run, and within which limits.

use crate::choice::{FailOnArg, fail_on};
use crate::value::{duration, money};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unspool_client::json::Schema;
use unspool_client::limits::Patience;
use unspool_client::rules::Rule;
use unspool_client::{Claude, Handlers, Limits, Options};

/// Which Claude Code, and within which limits.
#[derive(clap::Args)]
pub(crate) struct ClaudeArgs {
    /// The program; looked for in UNSPOOL_CLAUDE, PATH and the usual places unless given.
    #[arg(long, value_name = "PATH")]
    claude: Option<PathBuf>,
    /// The model: an alias such as `opus`, or a full name.
    #[arg(long)]
    model: Option<String>,
    /// The folder to work in.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Go on with this session.
    #[arg(long, value_name = "ID", conflicts_with = "continue_session")]
    resume: Option<String>,
    /// Go on with the last session of the folder.
    #[arg(long = "continue")]
    continue_session: bool,
    /// The most that all of it may take, such as 30m.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,
    /// The most that may go by without a word while a turn runs; 15m unless given, and 1m for the first word.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    idle_timeout: Option<Duration>,
    /// The most that background agents may take once the last turn has its result; 10m unless given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    background_timeout: Option<Duration>,
    /// Let Claude Code try a refused login for some minutes; unless given, a key is tried once, another login twice.
    #[arg(long)]
    retry_login: bool,
    /// The most money, in dollars; Claude Code since 2.0.28 holds it within a turn too.
    #[arg(long, value_name = "USD", value_parser = money)]
    max_cost: Option<f64>,
    /// The most tokens of all agents, input and output.
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// The most round trips to the model.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_turns: Option<u64>,
    /// Allow calls that fit this rule, such as `Bash(cargo *)`; may be repeated.
    #[arg(long, value_name = "RULE")]
    allow: Vec<Rule>,
    /// Never allow calls that fit this rule, whatever else does; may be repeated.
    #[arg(long, value_name = "RULE")]
    deny: Vec<Rule>,
    /// What else counts as a failure.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    fail_on: Vec<FailOnArg>,
    /// Flags for Claude Code itself.
    #[arg(last = true, value_name = "CLAUDE FLAGS")]
    flags: Vec<OsString>,
}

impl ClaudeArgs {
    /// What may be done without asking, and what never.
    pub(crate) fn rules(&self) -> (&[Rule], &[Rule]) {
        (&self.allow, &self.deny)
    }

    pub(crate) fn cwd(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }

    /// A client that answers what it is asked by these handlers.
    pub(crate) fn client(&self, handlers: Handlers, schema: Option<Schema>) -> Claude {
        let claude = Claude::new(self.options())
            .handlers(handlers)
            .patience(self.patience())
            .limits(self.limits())
            .fail_on(fail_on(&self.fail_on));
        match schema {
            Some(schema) => claude.schema(schema),
            None => claude,
        }
    }

    fn options(&self) -> Options {
        let mut options = Options::new().extra_args(self.flags.iter().cloned());
        options.program.clone_from(&self.claude);
        options.model.clone_from(&self.model);
        options.cwd.clone_from(&self.cwd);
        options.resume.clone_from(&self.resume);
        options.continue_session = self.continue_session;
        options.max_turns = self.max_turns;
        options.max_budget_usd = self.max_cost;
        options
    }

    fn patience(&self) -> Patience {
        let mut patience = Patience::default();
        patience.total = self.timeout;
        patience.silence = self.idle_timeout.or(patience.silence);
        patience.start = self.idle_timeout.or(patience.start);
        patience.background = self.background_timeout.or(patience.background);
        patience.login = patience.login.filter(|_| !self.retry_login);
        patience
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::new();
        limits.usd = self.max_cost;
        limits.tokens = self.max_tokens;
        limits
    }
}
