//! What the commands that run Claude Code have in common: with what it is run, what it is asked, who may
//! end it.

mod always;
mod args;
mod permissions;
mod prompt;
mod recording;
mod signals;

pub(crate) use crate::value::read_schema;
pub(crate) use args::ClaudeArgs;
pub(crate) use permissions::Judges;
pub(crate) use prompt::PromptArgs;
pub(crate) use recording::Recording;
pub(crate) use signals::obey_signals;

use crate::redact;
use crate::wrong_call::WrongCall;
use std::io;
use tokio::runtime::{Builder, Runtime};
use unspool::Event;
use unspool::verdict::{Beside, Cut};
use unspool::{Grain, Spool};
use unspool_client::Error;

/// The driver has threads of its own: whoever is slow to read our output never keeps Claude Code waiting for an
/// answer, nor a time limit from being noticed.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

/// Tells a run that never was, as its events would. An error that is the caller's own is handed back.
pub(crate) fn tell_not_started(error: Error, mut sink: impl FnMut(&Event<'_>)) -> anyhow::Result<()> {
    match error {
        Error::Options(_) | Error::Limits(_) => Err(WrongCall::new(error).into()),
        error => {
            let mut spool = Spool::new(Grain::Blocks);
            spool.set_clock(0);
            let why = format!("{:#}", anyhow::Error::new(error));
            spool.beside(Beside::new().cut(Cut::NotStarted(redact::text(&why).into_owned())));
            spool.finish(|event| sink(&event));
            Ok(())
        }
    }
}
