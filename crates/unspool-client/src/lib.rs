//! Drives Claude Code: starts it, talks to it in both directions, answers what it asks, and says how it ended.
//!
//! ```no_run
//! use unspool_client::{Claude, Decision, Handlers, Limits, Options};
//!
//! # async fn show() -> Result<(), unspool_client::Error> {
//! let claude = Claude::new(Options::new().model("haiku"))
//!     .limits(Limits::new().usd(0.50))
//!     .handlers(Handlers::new().permission(|call| async move {
//!         if call.tool() == "Bash" { Decision::deny("no commands, please") } else { Decision::allow() }
//!     }));
//!
//! let answer = claude.ask("What does this project do?").await?;
//! println!("{} ({:?} USD)", answer.text, answer.cost_usd);
//! # Ok(())
//! # }
//! ```
//!
//! | to do this | use |
//! |---|---|
//! | ask one thing | [`Claude::ask`]; [`Claude::run`] for its events; [`Claude::ask_json`] for a Rust value |
//! | talk for many turns | [`Claude::session`], [`Session::turn`] |
//! | go on through crashes and overload | [`Lasting`] |
//! | run many sessions | [`Pool`]; [`Pool::close`] ends them all |
//! | have a program ready before its folder is known | [`Claude::prewarm`] |
//! | set flags, prompts, tools, MCP servers, environment | [`Options`] |
//! | decide about calls, hook into them, offer tools of one's own | [`Handlers`], [`Rules`], [`Hook`], [`Server`] |
//! | show a session to many readers at once, from any event on | [`Session::feed`], [`Lasting::feed`], [`Pool::feed`]: [`Feed`] |
//! | ask or change something while it runs | [`Controls`], from [`Session::controls`] |
//! | limit money, tokens, turns and time | [`Limits`], [`Patience`]; [`SharedBudget`] over many sessions |
//! | know what it costs | [`Answer`], [`Ending::spent`], [`Cost`] |
//! | hear of what is odd | [`Claude::on_warning`] |
//! | record or relay every byte, both ways | [`Claude::tap`] |
//! | keep sessions elsewhere, and go on with them anywhere | [`SessionStore`], [`Claude::store`] |
//! | list, read, name, fork and delete sessions | [`KeptSessions`] on disk, [`StoredSessions`] in a store; [`Listing`], [`Excerpt`], [`Fork`] |
//! | know which settings hold in a folder, and who has said so | [`SettingsFiles`] |
//! | find the program, and know its version | [`Program`] |
//! | start it elsewhere, or drive something that is not a process | [`Claude::start_with`], [`transport`] |
//!
//! What can be relied on:
//!
//! - **It ends when it is over**: when the last turn has its result and no agent is at work that Claude Code waits for.
//!   The last event is always `finished`, with a verdict.
//! - **It never hangs**: whatever is waited for has a limit ([`Patience`]), and what was waited for is said in words.
//! - **Nothing survives**: however a session ends, everything that it started is ended with it, also if our own process is
//!   killed: a small shell (`/bin/sh`, 0.2 ms and a quarter of a megabyte for each session) waits beside it for that. On Linux this holds for
//!   what has a clean environment and a session of its own, too; only what a service does that ran before, such as docker, is not
//!   known. On other Unixes it holds for the process group of the program, without the shells of its tools.
//! - **Nothing is lost**: what a slow reader has not taken waits, a little in memory and up to a gigabyte in a file, and Claude Code's
//!   questions are answered meanwhile. Then Claude Code is slowed down, until the application reads again, and that is not taken
//!   for silence. With a full disk that is after 16 MiB more in memory ([`Warning::NoRoom`]).
//! - **Errors have kinds** that come from the wire, not from words: [`Error`].
//!
//! `tracing` is told of all of it: a span `claude` for each session, in it a `turn` each, in those a `tool` for each call, and a
//! `question` for what Claude Code asks, in which its handler runs. A trace goes on in Claude Code with [`Options::trace_parent`].
//!
//! Driving a process needs Unix. Elsewhere the crate compiles, and a process that is ended leaves what it started; if our own is killed,
//! the program goes on.

mod account;
mod answer;
mod budget;
mod claude;
mod controls;
mod cost;
mod driver;
mod ending;
mod error;
mod feed;
mod find;
mod fit;
mod handlers;
mod json;
mod kept;
mod last_words;
mod lasting;
mod ledger;
mod open_turn;
mod options;
mod patience;
mod pool;
mod private;
mod process;
mod readable;
mod retry;
mod server;
mod session;
mod settings;
mod spare;
mod store;
mod tap;
pub mod tools;
pub mod transport;
mod turn;
mod warning;
mod watch;

pub use account::SharedBudget;
pub use answer::Answer;
pub use budget::{BadLimit, Budget, Limits, Spent};
pub use claude::{Claude, Structured};
pub use controls::{Controls, Outcome, Prompt, Replied, Reply, Request};
pub use cost::{Cost, Spending};
pub use ending::Ending;
pub use error::{Error, Failed};
pub use feed::{Fed, Feed, Subscriber};
pub use find::{NotFound, OVERRIDE, Program, Standing, TESTED, Version, VersionError};
pub use handlers::{
    Answers, Ask, BoxFuture, Choice, Classification, Context, Decision, Dialog, DialogReply, Elicitation,
    ElicitationReply, Handlers, Hook, HookContext, HookKind, HookReply, HostToken, NoRule, Nothing,
    OauthToken, OnFailure, Permission, Plan, PlanDecision, Question, Questions, Rule, Rules, Ruling, Token,
    Unanswered, Update,
};
pub use json::{Fault, JsonError, Schema, strip_fences};
pub use kept::{
    About, AboutAgent, Excerpt, Fork, KeptAgent, KeptMessage, KeptSession, KeptSessions, Listing, Speaker,
};
pub use lasting::{Incident, Lasting};
pub use options::{
    AgentDefinition, AgentEffort, AgentMcpServer, AwsPair, Effort, Env, Launch, McpServer, Memory, OnNoMatch,
    Options, OptionsError, OrgPermission, PermissionPrompts, Plugin, QuestionPreview, Ripgrep, Sandbox,
    SandboxCredentials, SandboxFiles, SandboxNetwork, SecretFile, SecretMode, SecretVariable, SettingSource,
    Settings, Sigv4, Sigv4Mode, Skills, SystemPrompt, Thinking, ThinkingAmount, ThinkingDisplay,
    TlsTerminate, ToolPermission, ToolPolicy, User,
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
pub use settings::{
    DeniedModels, ResolvedSettings, SettingsError, SettingsFiles, SettingsSource, SettingsTier,
};
pub use spare::Spare;
pub use store::{
    Flush, Listed, MemoryStore, SessionStore, StoreError, StoredAgent, StoredSession, StoredSessions,
    StoredTranscript, Summary, TranscriptFile, Unable, check_store,
};
pub use tap::Traffic;
pub use turn::Turn;
pub use unspool;
pub use unspool::wire::PermissionMode;
pub use warning::Warning;

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
