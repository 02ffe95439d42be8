//! Drives Claude Code: starts it, talks to it in both directions, and says how it ended.

mod answer;
mod budget;
mod claude;
mod controls;
mod cost;
mod driver;
mod ending;
mod error;
mod find;
mod handlers;
mod json;
mod last_words;
mod lasting;
mod ledger;
mod options;
mod patience;
mod pool;
mod process;
mod readable;
mod retry;
mod server;
mod session;
pub mod tools;
pub mod transport;
mod turn;
mod watch;

pub use answer::Answer;
pub use budget::{BadLimit, Budget, Limits, Spent};
pub use claude::{Claude, Structured};
pub use controls::{Controls, Outcome, Prompt, Replied, Reply, Request};
pub use cost::{Cost, Spending};
pub use ending::Ending;
pub use error::{Error, Failed};
pub use find::{NotFound, OVERRIDE, Program, Standing, TESTED, Version, VersionError};
pub use handlers::{
    Answers, Ask, BoxFuture, Choice, Context, Decision, Dialog, DialogReply, Elicitation, ElicitationReply,
    Handlers, Hook, HookContext, HookKind, HookReply, HostToken, NoRule, Nothing, OauthToken, OnFailure,
    Permission, Plan, PlanDecision, Question, Questions, Rule, Rules, Ruling, Token, Update,
};
pub use json::{Fault, JsonError, Schema, strip_fences};
pub use lasting::{Incident, Lasting};
pub use options::{
    AgentDefinition, AgentEffort, AgentMcpServer, AwsPair, Effort, Env, Launch, McpServer, Memory, OnNoMatch,
    Options, OptionsError, OrgPermission, PermissionPrompts, Plugin, QuestionPreview, Ripgrep, Sandbox,
    SandboxCredentials, SandboxFiles, SandboxNetwork, SecretFile, SecretMode, SecretVariable, SettingSource,
    Settings, Sigv4, Sigv4Mode, Skills, SystemPrompt, Thinking, ThinkingAmount, ThinkingDisplay,
    TlsTerminate, ToolPermission, ToolPolicy,
};
pub use patience::Patience;
pub use pool::{Pool, Pooled};
pub use process::end_all;
#[cfg(unix)]
pub use process::end_on_signals;
pub use readable::Readable;
pub use retry::{Attempts, Retry};
pub use schemars;
pub use server::{Call, HostedServer, Piped, Server, ServerSettings, Tool, ToolReply};
pub use session::{Run, Session};
pub use turn::Turn;
pub use unspool::wire::PermissionMode;
