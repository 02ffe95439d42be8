//! A scripted model on loopback: test programs around Claude Code offline, for nothing, the same way every
//! time.
//!
//! A [`Script`] says what the model answers, to whom; a [`FakeModel`] plays it as the Messages API of
//! Anthropic, for the real CLI or any other client. Afterwards every request and every part that was sent
//! can be asked for.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! use unspool_fake::{FakeModel, Script};
//!
//! let script: Script = r#"
//!     [[turn]]
//!     say = "Hello!"
//! "#
//! .parse()?;
//! let model = FakeModel::start(script).await?;
//! // ANTHROPIC_BASE_URL for the program under test; it also needs some ANTHROPIC_API_KEY.
//! println!("{}", model.url());
//! assert!(model.requests().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `unspool fake-model` plays a script from the command line, and `docs/fake-model.md` describes how
//! scripts are written.

#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod answer;
mod background;
pub mod claude;
mod log;
mod place;
mod play;
mod request;
mod script;
mod server;
mod stage;
mod stream;
mod text;

pub use log::{Received, Sent, SentKind};
pub use script::{Script, ScriptError};

use stage::Stage;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A model that plays a script until it is dropped.
#[derive(Debug)]
pub struct FakeModel {
    address: SocketAddr,
    stage: Arc<Stage>,
    server: JoinHandle<()>,
}

impl FakeModel {
    /// Starts it on a free port of 127.0.0.1.
    pub async fn start(script: Script) -> io::Result<Self> {
        FakeModel::start_on(0, script).await
    }

    /// Starts it on this port of 127.0.0.1.
    pub async fn start_on(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let stage = Arc::new(Stage::new(script));
        let server = tokio::spawn(server::serve(listener, Arc::clone(&stage)));
        Ok(FakeModel { address, stage, server })
    }

    /// Where it listens: the `ANTHROPIC_BASE_URL` of the program that is to talk to it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in the order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.stage.log.notes().received.clone()
    }

    /// Every part that was sent so far, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent> {
        self.stage.log.notes().sent.clone()
    }

    /// What the script calls a failure: requests that no conversation takes, or that come when the turns
    /// have run out and `then` is `"fail"`.
    #[must_use]
    pub fn failures(&self) -> Vec<String> {
        self.stage.log.notes().failures.clone()
    }

    /// What no client has asked for: turns, such as `main 2: say, call Bash`, and names of whole conversations.
    #[must_use]
    pub fn unplayed(&self) -> Vec<String> {
        self.stage.unplayed()
    }

    /// Waits for a request by its number, from 1. Nothing for 0, or if all was forgotten meanwhile.
    pub async fn request(&self, number: usize) -> Option<Received> {
        self.stage.log.wait(number).await
    }

    /// Forgets every request, and plays the script from its beginning.
    pub fn reset(&self) {
        self.stage.reset();
    }
}

/// Nothing goes on in the background afterwards.
impl Drop for FakeModel {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
