//! What to run and how: the client.

use crate::driver::{self, Setup};
use crate::transport::Transport;
use crate::{Patience, Session};
use std::sync::Arc;
use unspool::control::Dialogue;
use unspool::verdict::FailOn;
use unspool::{Grain, Spool};

/// A description of what to run, from which any number of runs and sessions can be started.
#[derive(Clone, Debug)]
pub struct Claude {
    grain: Grain,
    fail_on: FailOn,
    patience: Patience,
}

impl Default for Claude {
    fn default() -> Self {
        Claude { grain: Grain::Blocks, fail_on: FailOn::default(), patience: Patience::default() }
    }
}

impl Claude {
    /// Tells parts of messages as they grow, or when they are complete.
    pub fn grain(mut self, grain: Grain) -> Self {
        self.grain = grain;
        self
    }

    /// Says what else counts as a failure.
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// How long to wait for what.
    pub fn patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// A session with a program that was started elsewhere, or is none.
    pub fn connect(&self, transport: Transport) -> Session {
        Session::new(driver::start(Setup {
            transport,
            spool: Spool::new(self.grain).fail_on(self.fail_on),
            dialogue: Dialogue::new(),
            handler: Arc::new(|_, _, _| Box::pin(std::future::ready(None))),
            initialize: None,
            patience: self.patience.clone(),
            limiter: Box::new(|_| None),
            listener: None,
        }))
    }
}
