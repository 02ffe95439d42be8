//! How programs are started: as processes, in a way of one's own, or before anybody knows what for.

use super::Claude;
use crate::handlers::BoxFuture;
use crate::options::{Launch, OptionsError};
use crate::pool::Spare;
use crate::private::PrivateFolder;
use crate::program::Program;
use crate::tap::Started;
use crate::transport::Transport;
use crate::warning::Warnings;
use crate::{Error, Options, Warning};
use std::io;
use std::sync::Arc;

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
    /// MCP servers, settings and system prompts are in the arguments then, as if [`Options::config_on_command_line`] was set: files of
    /// ours may not be where the program is. If Claude Code is not found here, the program is called `claude`.
    #[must_use]
    pub fn start_with<F>(mut self, start: impl Fn(Launch) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = io::Result<Transport>> + Send + 'static,
    {
        self.starter = Some(Arc::new(move |launch| Box::pin(start(launch))));
        self
    }

    /// Starts a program before it is known for which folder, and waits until it has said that it is there: a session then
    /// begins at once. 2.1.325 does it; for older versions, and where the folder is known, there is
    /// [`Pool::warm`](crate::Pool::warm).
    ///
    /// ```no_run
    /// # async fn show(claude: unspool_client::Claude) -> Result<(), unspool_client::Error> {
    /// let spare = claude.prewarm().await?;
    /// let mut session = spare.claim("/home/me/project").await?;
    /// let answer = session.ask("What does this project do?").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// [`Rules`](crate::rules::Rules) cannot be had with it: those about files begin in a folder, and would begin in the wrong one.
    pub async fn prewarm(&self) -> Result<Spare, Error> {
        if self.handlers.has_rules() {
            return Err(OptionsError::Exclude("prewarm", "rules").into());
        }
        let session = self.start(self.options.clone().replay_user_messages(true).await_claim(true)).await?;
        match session.controls().about().await {
            Ok(_) => Ok(Spare::new(session)),
            // Its flag may not be known.
            Err(_) => Err(session.close_unanswered().await),
        }
    }

    /// Starts the program, and changes the options to those with which it is.
    pub(super) async fn start_program(&self, options: &mut Options) -> Result<Transport, Error> {
        let found = self.program.clone().map_or_else(|| options.find_program(), Ok);
        let Some(starter) = &self.starter else {
            let found = found?;
            let cannot_start = |source| Error::Start { program: found.command().to_owned(), source };
            let hideout = options.hide(&found).map_err(cannot_start)?;
            for option in hideout.seen {
                Warnings::new(self.on_warning.clone()).tell(&Warning::OnCommandLine { option });
            }
            let launch = options.launch(&found);
            let started = Some(Started::of(&launch));
            let transport = self.start_process(launch, hideout.folder).map_err(cannot_start)?;
            return Ok(Transport { started, ..transport });
        };
        let launch = options.launch(&found.unwrap_or_else(|_| Program::exactly("claude")));
        let (program, started) = (launch.program.clone(), Some(Started::of(&launch)));
        let transport = starter(launch).await.map_err(|source| Error::Start { program, source })?;
        Ok(Transport { started, ..transport })
    }

    #[cfg(feature = "process")]
    fn start_process(&self, launch: Launch, private: Option<PrivateFolder>) -> io::Result<Transport> {
        let command = tokio::process::Command::from(launch.command());
        let started = crate::process::start(command, launch.user, private)?;
        if let Some(error) = started.unguarded {
            let reason = error.to_string();
            Warnings::new(self.on_warning.clone()).tell(&Warning::Unguarded { reason });
        }
        Ok(started.transport)
    }

    #[cfg(not(feature = "process"))]
    fn start_process(&self, _: Launch, _: Option<PrivateFolder>) -> io::Result<Transport> {
        let why = "unspool-client was built without its feature `process`; Claude::start_with says how to start one";
        Err(io::Error::new(io::ErrorKind::Unsupported, why))
    }
}
