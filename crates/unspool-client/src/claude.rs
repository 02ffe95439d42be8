//! What to run and how: the client.

mod hearing;
mod starting;
#[cfg(feature = "schemars")]
mod structured;

use crate::controls::Hosted;
use crate::controls::Prompt;
use crate::driver::{self, Setup};
use crate::error::Failed;
use crate::feed::{self, Feed, Source};
use crate::fit::Fit;
use crate::handlers::Context;
use crate::json::Schema;
use crate::last_words::Listener;
use crate::limits::Patience;
use crate::limits::{Account, SharedBudget};
use crate::options::OptionsError;
use crate::program::Program;
use crate::store::{self, Flush, Folder, Mirror, SessionStore, StoreError, StoredTranscript};
use crate::tap::OnTraffic;
use crate::transport::Transport;
use crate::warning::{OnWarning, Warnings};
use crate::{Answer, Error, Handlers, Limits, Options, Run, Session, Warning};
use starting::Starter;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use unspool::control::Payload;
use unspool::line::DEFAULT_LIMIT;
use unspool::verdict::{Cut, FailOn};
use unspool::wire::CommandKind;
use unspool::wire::input::Draft;
use unspool::{Grain, Spool};

/// A description of what to run, from which any number of runs and sessions can be started.
#[derive(Clone)]
pub struct Claude {
    options: Options,
    program: Option<Program>,
    line_limit: usize,
    store: Option<Arc<dyn SessionStore>>,
    flush: Flush,
    load_timeout: Duration,
    handlers: Handlers,
    grain: Grain,
    fail_on: FailOn,
    patience: Patience,
    limits: Limits,
    /// What sessions may spend together; each for itself if there is none.
    account: Option<Arc<Account>>,
    budget: Option<SharedBudget>,
    schema: Option<Schema>,
    listener: Option<Listener>,
    on_warning: Option<OnWarning>,
    taps: Vec<OnTraffic>,
    starter: Option<Starter>,
    history: usize,
    /// Hears of the events of all its programs.
    source: Option<Source>,
}

impl Claude {
    /// Claude Code with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Claude {
            options,
            program: None,
            line_limit: DEFAULT_LIMIT,
            store: None,
            flush: Flush::default(),
            load_timeout: store::LIMIT,
            handlers: Handlers::default(),
            grain: Grain::Blocks,
            fail_on: FailOn::default(),
            patience: Patience::default(),
            limits: Limits::default(),
            account: None,
            budget: None,
            schema: None,
            listener: None,
            on_warning: None,
            taps: Vec::new(),
            starter: None,
            history: feed::HISTORY,
            source: None,
        }
    }

    /// Starts this program, whatever the options name: for one that is [run by](Program::run_by) something of one's own, such
    /// as a container, another user, or node with arguments of its own.
    #[must_use]
    pub fn program(mut self, program: Program) -> Self {
        self.program = Some(program);
        self
    }

    /// A line may be so many bytes long, 256 MiB unless said otherwise; a longer one is told as malformed.
    #[must_use]
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.line_limit = bytes;
        self
    }

    /// Keeps sessions in a store too, and goes on with those that it has ([`Options::resume`]), wherever they were begun. Needs
    /// a Claude Code that has `--session-mirror`: 2.1.325 does, 2.0.77 does not. A store does not say which session was the
    /// last, so [`Options::continue_session`] cannot be had with one.
    ///
    /// What the store does not take is [warned](Self::on_warning) of; the session goes on.
    #[must_use]
    pub fn store(mut self, store: impl SessionStore) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// When the [store](Self::store) is given what Claude Code has written: at once, unless said otherwise.
    #[must_use]
    pub fn store_flush(mut self, flush: Flush) -> Self {
        self.flush = flush;
        self
    }

    /// How long the [store](Self::store) may take to load a session that is to go on; a minute, unless said otherwise. If it takes longer
    /// the session is not started, and the error says so.
    #[must_use]
    pub fn load_timeout(mut self, limit: Duration) -> Self {
        self.load_timeout = limit;
        self
    }

    /// Who answers what Claude Code asks: permissions, hooks, tools that run here.
    #[must_use]
    pub fn handlers(mut self, handlers: Handlers) -> Self {
        self.handlers = handlers;
        self
    }

    /// Tells parts of messages when they are complete, or as they grow; the latter asks for partial messages too.
    #[must_use]
    pub fn grain(mut self, grain: Grain) -> Self {
        self.grain = grain;
        self
    }

    /// Says what else counts as a failure.
    #[must_use]
    pub fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// How long to wait for what.
    #[must_use]
    pub fn patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// What a session may spend, each for itself; a [`Lasting`](crate::Lasting) one with all its programs. What goes beyond is
    /// interrupted, so that the answer paid for is kept.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What sessions may spend together: those of all clones, those of other `Claude`s that have the same budget, of a
    /// [`Pool`](crate::Pool), of [`Lasting`](crate::Lasting) ones. [Limits](Self::limits) hold besides.
    #[must_use]
    pub fn budget(mut self, budget: SharedBudget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// What answers have to look like. A run whose last answer does not fit has failed, whatever Claude Code says.
    #[must_use]
    pub fn schema(mut self, schema: Schema) -> Self {
        self.options = self.options.json_schema(schema.value().clone());
        self.schema = Some(schema);
        self
    }

    /// Asks one thing and waits for the answer, until nothing is at work any more.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        self.run(prompt).await?.answer().await
    }

    /// Asks one thing; the run gives its events.
    pub async fn run(&self, prompt: impl Into<Prompt>) -> Result<Run, Error> {
        let session = self.start(self.options.clone()).await?;
        let controls = session.controls();
        // A session that is gone already says so by its events.
        let _ = controls.send(prompt);
        controls.finish();
        Ok(Run::new(session))
    }

    /// Starts a session of many turns.
    pub async fn session(&self) -> Result<Session, Error> {
        // Without it versions before 2.1.257 do not say which prompts they have taken.
        self.start(self.options.clone().replay_user_messages(true)).await
    }

    /// A session with a program that was started elsewhere, or is none.
    #[must_use]
    pub fn connect(&self, transport: Transport) -> Session {
        self.connect_in(self.handlers_in_session(), &self.options, None, transport)
    }

    fn handlers_in_session(&self) -> Handlers {
        self.handlers.clone().in_session(self.options.cwd.as_deref(), self.options.home())
    }

    /// A session with a program that has these options.
    fn connect_in(
        &self,
        handlers: Handlers,
        options: &Options,
        folder: Option<Folder>,
        transport: Transport,
    ) -> Session {
        let bare = Draft::new().with("subtype", CommandKind::Initialize.name());
        let initialize = handlers.add_to(options.initialize().unwrap_or_else(|| bare.clone()));
        let (dialogue, blocks_on_failure) = (handlers.dialogue(), handlers.blocks_on_failure());
        let hosted = Hosted::default();
        hosted.begin_with(&handlers);
        let handler: driver::Handler = Arc::new(move |asked, cancelled, controls| {
            let handlers = handlers.clone();
            Box::pin(async move { handlers.handle(asked, Context::new(cancelled, controls)).await })
        });
        let account = self.account.clone().unwrap_or_else(|| Arc::new(Account::new(self.limits)));
        let accounts: Vec<_> =
            [account].into_iter().chain(self.budget.iter().map(|it| Arc::clone(&it.0))).collect();
        let mut tabs: Vec<_> = accounts.iter().map(Account::open).collect();
        let mut patience = self.patience.clone();
        let left = accounts.iter().filter_map(|account| account.time_left());
        patience.total = patience.total.into_iter().chain(left).min();
        let feed = Feed::new(self.history);
        let sources = [feed.source()].into_iter().chain(self.source.clone());
        let feeds: Vec<_> = sources.map(|source| source.begin()).collect();
        let program = feeds.last().map_or(1, |teller| teller.program);
        let handle = driver::start(Setup {
            transport,
            spool: Spool::new(self.grain).fail_on(self.fail_on).limit(self.line_limit),
            line_limit: self.line_limit,
            dialogue,
            handler,
            hosted,
            initialize: (initialize != bare || options.await_initialize)
                .then(|| Payload::from(initialize.json())),
            blocks_on_failure,
            verbatim: options.verbatim_prompts,
            patience,
            limiter: Box::new(move |event| {
                // Each has to hear of it.
                tabs.iter_mut().fold(None, |spent, tab| tab.step(event).or(spent)).map(Cut::from)
            }),
            fit: self.schema.clone().map(Fit::new),
            listener: self.listener.clone(),
            warnings: Warnings::new(self.on_warning.clone()),
            taps: self.taps.clone(),
            mirror: self
                .store
                .clone()
                .map(|store| Mirror::new(store, self.flush, Warnings::new(self.on_warning.clone()))),
            folder,
            feeds,
        });
        self.handlers.join(&handle.controls);
        if let Some(budget) = &self.budget {
            budget.watch(&handle.controls);
        }
        Session::new(handle, (feed, program), options.resume.clone())
    }

    /// All sessions that are started from the copy spend from one account.
    pub(crate) fn with_account(mut self) -> (Self, Arc<Account>) {
        let account = Arc::new(Account::new(self.limits));
        self.account = Some(Arc::clone(&account));
        (self, account)
    }

    /// All sessions that are started from the copy tell one feed of their events.
    pub(crate) fn with_feed(mut self) -> (Self, Feed) {
        let feed = Feed::new(self.history);
        self.source = Some(feed.source());
        (self, feed)
    }

    /// This `Claude`, but to go on with a session that was there before.
    pub(crate) fn resuming(&self, id: &str) -> Self {
        let mut claude = self.clone();
        let options = &mut claude.options;
        options.resume = Some(id.to_owned());
        options.session_id = None;
        options.continue_session = false;
        options.fork_session = false;
        options.resume_session_at = None;
        options.resume_drops_turn = None;
        claude
    }

    /// The folder in which the program keeps its sessions.
    pub(crate) fn config_folder(&self) -> Option<PathBuf> {
        self.options.config_folder()
    }

    /// What the store has of a session's own transcript, and the program goes on with; nothing without a store.
    pub(crate) async fn stored(&self, session: &str) -> Vec<Payload> {
        let Some(store) = &self.store else { return Vec::new() };
        let Ok(files) = load(&**store, session, self.load_timeout).await else { return Vec::new() };
        store::entries_of(&files, None).into_iter().cloned().collect()
    }

    async fn start(&self, mut options: Options) -> Result<Session, Error> {
        if self.grain == Grain::Deltas {
            options = options.partial_messages(true);
        }
        if self.handlers.asks_permission() {
            options = options.ask_host(true);
        }
        for (name, value) in self.handlers.environment() {
            options = options.env(name, value);
        }
        options.session_mirror |= self.store.is_some();
        options.check()?;
        if self.store.is_some() && options.continue_session {
            // Only Claude Code's own folder knows which session was the last.
            return Err(OptionsError::Exclude("continue_session", "store").into());
        }
        self.limits.check()?;
        if let Some(budget) = &self.budget {
            budget.limits().check()?;
            if let Some(spent) = budget.0.ask() {
                let text = spent.to_string();
                return Err(Error::cut(&spent.into(), Failed { text, ..Failed::default() }));
            }
        }
        let folder = match &self.store {
            Some(store) => fetch(&**store, &options, self.load_timeout).await.map_err(Error::Store)?,
            None => None,
        };
        if let Some(folder) = &folder {
            options = options.env("CLAUDE_CONFIG_DIR", folder.path());
        }
        if self.handlers.wants_to_decide()
            && let Some(options) = options.lets_pass()
        {
            Warnings::new(self.on_warning.clone()).tell(&Warning::Unasked { options });
        }
        for tool in self.handlers.unknown_tools() {
            Warnings::new(self.on_warning.clone()).tell(&Warning::UnknownTool { tool: tool.to_owned() });
        }
        let (handlers, handed) = self.handlers_in_session().hand_over();
        options.hand_over(handed);
        let transport = self.start_program(&mut options).await?;
        Ok(self.connect_in(handlers, &options, folder, transport))
    }
}

/// What the store has of the session that is to go on, laid where Claude Code looks for it; nothing, if that is none or
/// one that the store does not have.
async fn fetch(
    store: &dyn SessionStore,
    options: &Options,
    limit: Duration,
) -> Result<Option<Folder>, StoreError> {
    let Some(session) = options.resume.as_deref() else { return Ok(None) };
    let files = load(store, session, limit).await?;
    if files.is_empty() {
        return Ok(None);
    }
    let cwd = options.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
    let config = options.config_folder();
    let folder = Folder::with(&files, &cwd, config.as_deref())?;
    #[cfg(unix)]
    options.user.map_or(Ok(()), |user| folder.give_to(user))?;
    Ok(Some(folder))
}

/// What the store has of a session, if it says so in time.
async fn load(
    store: &dyn SessionStore,
    session: &str,
    limit: Duration,
) -> Result<Vec<StoredTranscript>, StoreError> {
    let late = |_| format!("the store has not loaded session {session} in {limit:?}");
    tokio::time::timeout(limit, store.load(session)).await.map_err(late)?
}

impl fmt::Debug for Claude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claude")
            .field("options", &self.options)
            .field("handlers", &self.handlers)
            .finish_non_exhaustive()
    }
}
