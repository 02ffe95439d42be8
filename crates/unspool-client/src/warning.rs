//! What is not as it should be, and no reason to end.

use crate::program::{Support, Version};
use crate::transport::Signal;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use unspool::Event;
use unspool::event::What;
use unspool::wire::Kind;

/// Something that is not as it should be. The run goes on; what it means for its verdict, its events say.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// This version of Claude Code is older or newer than any that this crate was tested with.
    Version(Version),
    /// There is a handler for permissions, and options that let calls pass which it is never asked about. Rules
    /// ([`Rules`](crate::rules::Rules)) and hooks see every call.
    Unasked {
        /// The options.
        options: &'static str,
    },
    /// A rule is about a tool that is not known here. If Claude Code does not have it either, the rule holds for nothing.
    UnknownTool {
        /// Its name.
        tool: String,
    },
    /// A hook is to block what it was asked about if it [fails](crate::hooks::Hook::on_failure), and this version of Claude Code does
    /// not say that it can: what such a hook was asked about goes on.
    FailsOpen,
    /// This version of Claude Code takes an option that may be secret on its command line only, where every user of the machine can
    /// read it. Not told where that is [wanted](crate::Options::config_on_command_line).
    OnCommandLine {
        /// The option.
        option: &'static str,
    },
    /// A line of this type is not known here. Told once for each type; the lines are told as events.
    UnknownLine {
        /// `type`, or `type/subtype`.
        kind: String,
    },
    /// A line is not JSON. It is told as an event.
    MalformedLine {
        /// Its number.
        line: u64,
        /// Why not.
        reason: String,
    },
    /// Claude Code asks something that the application does not serve. It was told so, unless others may answer.
    Unserved {
        /// What it asks.
        subtype: String,
    },
    /// The handler of a question has panicked. Claude Code was told that it failed.
    HandlerPanicked,
    /// An answer came when the application did not wait for it any more.
    LateAnswer {
        /// To which command.
        command: String,
    },
    /// An answer to a question that this driver has not asked.
    ForeignAnswer {
        /// Its id.
        id: String,
    },
    /// A [store](crate::store::SessionStore) has not taken what was written to a transcript. Claude Code still has it.
    NotKept {
        /// The transcript.
        path: String,
        /// Why not.
        reason: String,
    },
    /// What the application has not read cannot be put into a file. Some of it is kept in memory, 16 MiB; if that is full too,
    /// nothing is read until the application does, and what Claude Code asks meanwhile is not answered. Nothing is lost.
    NoRoom {
        /// Why not.
        reason: String,
    },
    /// The guard cannot be started that ends the program, and what it has started, if this process is killed.
    Unguarded {
        /// Why not.
        reason: String,
    },
    /// The program does not end by itself, and is made to.
    Stuck {
        /// How it is made to end.
        signal: Signal,
        /// How long it was waited for, since its input was closed or since it was last told to end.
        waited: Duration,
    },
}

impl Warning {
    /// Whether something does not hold that the user relies on. All else is for those who look into a fault.
    #[must_use]
    pub fn is_grave(&self) -> bool {
        matches!(
            self,
            Warning::Unasked { .. }
                | Warning::UnknownTool { .. }
                | Warning::FailsOpen
                | Warning::OnCommandLine { .. }
                | Warning::HandlerPanicked
                | Warning::NotKept { .. }
                | Warning::NoRoom { .. }
                | Warning::Unguarded { .. }
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Version(version) => {
                let how = if version.support() == Support::Older { "older" } else { "newer" };
                write!(f, "Claude Code {version} is {how} than any that was tested")
            }
            Warning::Unasked { options } => {
                write!(f, "the handler for permissions is not asked about what {options} allow")
            }
            Warning::UnknownTool { tool } => {
                write!(f, "a rule is about the tool {tool}, which is not known here")
            }
            Warning::FailsOpen => {
                f.write_str("Claude Code does not block what a hook fails to answer, though a hook is to")
            }
            Warning::OnCommandLine { option } => {
                write!(
                    f,
                    "{option} is on the command line, where every user can read it: this Claude Code takes it nowhere else"
                )
            }
            Warning::UnknownLine { kind } => write!(f, "lines of type {kind} are not known here"),
            Warning::MalformedLine { line, reason } => write!(f, "line {line} is broken: {reason}"),
            Warning::Unserved { subtype } => write!(f, "Claude Code asks `{subtype}`, which nobody serves"),
            Warning::HandlerPanicked => f.write_str("the handler of a question has panicked"),
            Warning::LateAnswer { command } => write!(f, "the answer to {command} came too late"),
            Warning::ForeignAnswer { id } => write!(f, "an answer to {id}, which nobody here has asked"),
            Warning::NotKept { path, reason } => write!(f, "the store does not have all of {path}: {reason}"),
            Warning::NoRoom { reason } => {
                write!(f, "no room for what the application has not read, but a little in memory: {reason}")
            }
            Warning::Unguarded { reason } => {
                write!(f, "Claude Code goes on if this process is killed, as no shell guards it: {reason}")
            }
            Warning::Stuck { signal, waited } => {
                let (since, now) = match signal {
                    Signal::Terminate => ("after its input was closed", "told to end"),
                    Signal::Kill => ("after it was told to end", "killed"),
                };
                write!(f, "Claude Code still runs {} s {since}, and is {now}", waited.as_secs())
            }
        }
    }
}

/// Who is told.
pub(crate) type OnWarning = Arc<dyn Fn(&Warning) + Send + Sync>;

/// Tells warnings, and remembers which need not be told again.
#[derive(Default)]
pub(crate) struct Warnings {
    listener: Option<OnWarning>,
    unknown: BTreeSet<String>,
    version: Option<Version>,
}

impl Warnings {
    pub(crate) fn new(listener: Option<OnWarning>) -> Self {
        Warnings { listener, ..Warnings::default() }
    }

    pub(crate) fn tell(&self, warning: &Warning) {
        tracing::warn!("{warning}");
        if let Some(listener) = &self.listener {
            listener(warning);
        }
    }

    /// Looks whether an event is one to be warned of.
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::SessionMeta { version: Some(version), .. } => {
                if let Ok(version) = version.parse::<Version>()
                    && self.version.replace(version) != Some(version)
                    && version.support() != Support::Tested
                {
                    self.tell(&Warning::Version(version));
                }
            }
            What::Unknown { raw: Some(raw), .. } => {
                let kind = Kind::said_by(raw.json());
                let asks = kind.split_once('/').is_some_and(|(kind, _)| kind == Kind::ControlRequest.name());
                // A question is told of when nobody serves it.
                if !asks && self.unknown.insert(kind.clone()) {
                    self.tell(&Warning::UnknownLine { kind });
                }
            }
            What::Malformed { reason, .. } => {
                let line = event.line.unwrap_or_default();
                self.tell(&Warning::MalformedLine { line, reason: reason.to_string() });
            }
            _ => {}
        }
    }
}
