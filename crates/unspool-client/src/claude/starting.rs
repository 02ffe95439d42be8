//! How programs are started: as processes, or in a way of one's own.

use super::Claude;
use crate::transport::Transport;
use crate::warning::Warnings;
use crate::{BoxFuture, Error, Launch, Options, Program, Warning, process};
use std::io;
use std::sync::Arc;
use tokio::process::Command;

/// Starts a program.
pub(super) type Starter = Arc<dyn Fn(Launch) -> BoxFuture<io::Result<Transport>> + Send + Sync>;

impl Claude {
    /// Starts programs in a way of one's own, for runs and sessions of every kind, those of [`Lasting`](crate::Lasting) and
    /// [`Pool`](crate::Pool) too: in a container, on another machine, or none at all in a test. It is told what would be started, and
    /// returns the program's end of it. [`transport::process`](crate::transport::process) starts a process as it is done without
    /// this:
    ///
    /// ```
    /// use unspool_client::{Claude, Options, transport};
    ///
    /// let claude = Claude::new(Options::new()).start_with(|mut launch| async move {
    ///     launch.args.splice(..0, ["-n".into(), "10".into(), launch.program.clone().into()]);
    ///     launch.program = "nice".into();
    ///     transport::process(&launch)
    /// });
    /// # drop(claude);
    /// ```
    ///
    /// MCP servers and settings are in the arguments then, as if [`Options::config_on_command_line`] was set: files of ours may not be
    /// where the program is. If Claude Code is not found here, the program is called `claude`.
    pub fn start_with<F>(mut self, start: impl Fn(Launch) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = io::Result<Transport>> + Send + 'static,
    {
        self.starter = Some(Arc::new(move |launch| Box::pin(start(launch))));
        self
    }

    pub(super) async fn start_program(&self, mut options: Options) -> Result<Transport, Error> {
        let found = self.program.clone().map_or_else(|| options.find_program(), Ok);
        let Some(starter) = &self.starter else {
            let found = found?;
            let cannot_start = |source| Error::Start { program: found.command().to_owned(), source };
            let private = options.hide().map_err(cannot_start)?;
            let launch = options.launch(&found);
            let started = process::start(Command::from(launch.command()), launch.user, private);
            let started = started.map_err(cannot_start)?;
            if let Some(error) = started.unguarded {
                let reason = error.to_string();
                Warnings::new(self.on_warning.clone()).tell(&Warning::Unguarded { reason });
            }
            return Ok(started.transport);
        };
        let launch = options.launch(&found.unwrap_or_else(|_| Program::exactly("claude")));
        let program = launch.program.clone();
        starter(launch).await.map_err(|source| Error::Start { program, source })
    }
}
