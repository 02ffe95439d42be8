//! The only loop: reads what Claude Code says, answers what it asks, writes what the application wants, and
//! knows when it is over.
//!
//! One task per session runs it. Whatever may take long runs elsewhere: lines are written by the
//! [writer](writer::Writer), questions are answered by tasks of their own, events wait in the
//! [outbox](outbox::Outbox), and lines in the [backlog](backlog::Backlog) when that is full. So a slow reader, a slow handler and a slow program never wait for each other.

mod backlog;
mod conclude;
mod introduction;
mod ladder;
mod outbox;
mod questions;
mod react;
mod spans;
mod tell;
mod wait;
mod writer;

pub(crate) use outbox::Load;
pub(crate) use questions::Handler;

use crate::controls::{Controls, Gate, Hosted, Order};
use crate::fit::Fit;
use crate::last_words::{LastWords, Listener};
use crate::ledger::{Ledger, Noted};
use crate::store::{Folder, Mirror};
use crate::traffic::OnTraffic;
use crate::transport::{Child, Exit, Output, Transport};
use crate::warning::Warnings;
use crate::watch::Watch;
use crate::{Cost, Ending, Patience};
use backlog::Backlog;
use introduction::Introduction;
use ladder::Ladder;
use outbox::Outbox;
use questions::Questions;
use spans::Spans;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use unspool::control::{CommandId, Dialogue, Payload};
use unspool::verdict::Cut;
use unspool::{Event, Spool};
use writer::Writer;

/// So much is read at once.
const PIECE: usize = 64 << 10;

/// Events that wait with the reader, beside those in the outbox.
const READY: usize = 64;

/// Pipes that are still open this long after the program has ended are held by a process that outlives it.
const DRAIN: Duration = Duration::from_secs(2);

/// Says of an event whether it is too much.
pub(crate) type Limiter = Box<dyn FnMut(&Event<'_>) -> Option<Cut> + Send>;

/// Hears every line that was read.
pub(crate) type OnLine = Arc<dyn Fn(&str) + Send + Sync>;

/// All that a driver needs to begin.
pub(crate) struct Setup {
    pub(crate) transport: Transport,
    pub(crate) spool: Spool,
    pub(crate) line_limit: usize,
    pub(crate) dialogue: Dialogue,
    pub(crate) handler: Handler,
    /// The MCP servers that run with us, to begin with.
    pub(crate) hosted: Hosted,
    pub(crate) initialize: Option<Payload>,
    /// A hook is to block what it fails to answer.
    pub(crate) blocks_on_failure: bool,
    /// Prompts are taken as they are, `/` and `@` too.
    pub(crate) verbatim: bool,
    pub(crate) patience: Patience,
    pub(crate) limiter: Limiter,
    pub(crate) fit: Option<Fit>,
    pub(crate) listener: Option<Listener>,
    pub(crate) warnings: Warnings,
    pub(crate) on_line: Option<OnLine>,
    pub(crate) on_traffic: Option<OnTraffic>,
    /// Who keeps what is written to transcripts.
    pub(crate) mirror: Option<Mirror>,
    /// What the program takes for its own folder.
    pub(crate) folder: Option<Folder>,
}

/// An event, and what it means for prompts.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) event: Event<'static>,
    pub(crate) noted: Noted,
    #[expect(dead_code, reason = "it weighs until it is dropped")]
    load: Load,
}

/// What is left in the application's hands.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) controls: Controls,
    pub(crate) told: mpsc::Receiver<Told>,
    pub(crate) process: Option<u32>,
    /// Cancelled when the program is gone, and what it has started.
    pub(crate) gone: CancellationToken,
    /// Set before the last event is told.
    pub(crate) ending: Arc<OnceLock<Ending>>,
    /// Why we end it, set before the end of its last turn is told.
    pub(crate) cut: Arc<OnceLock<Cut>>,
}

/// Starts a driver. It ends by itself; if the handle is dropped, it ends the program first.
pub(crate) fn start(setup: Setup) -> Handle {
    let (orders, ordered) = mpsc::unbounded_channel();
    let (tell, told) = mpsc::channel(READY);
    let (ending, cut) = (Arc::new(OnceLock::new()), Arc::new(OnceLock::new()));
    let controls = Controls { hosted: setup.hosted.clone(), ..Controls::new(orders) };
    let process = setup.transport.child.id();
    let ends = (ending.clone(), cut.clone());
    let driver = Driver::new(setup, ordered, tell, controls.clone(), ends);
    let span = driver.spans.session();
    let gone = driver.gone.clone();
    // However the driver ends, it drops the program, which ends it.
    let ended = gone.clone().drop_guard();
    let run = async move {
        driver.run().await;
        drop(ended);
    };
    tokio::spawn(run.instrument(span));
    Handle { controls, told, process, gone, ending, cut }
}

/// A prompt that is being taken back.
struct Abandoned {
    command: CommandId,
    reply: oneshot::Sender<()>,
    /// It has begun all the same, and was interrupted.
    interrupted: bool,
}

struct Driver {
    writer: Writer,
    output: Option<Output>,
    child: Box<dyn Child>,
    exit: Option<(Exit, Instant)>,
    gone: CancellationToken,
    last_words: LastWords,
    /// Reads standard error, until there is no more.
    hearing: Option<JoinHandle<()>>,
    spool: Spool,
    /// The milliseconds since the beginning, as the spool knows them.
    clock: u64,
    /// The last byte that the spool was given is not the end of a line.
    mid_line: bool,
    backlog: Backlog,
    dialogue: Dialogue,
    questions: Questions,
    introduction: Introduction,
    /// What has to be said, because without it Claude Code does not know of hooks, rules and servers.
    initialize: Option<Payload>,
    blocks_on_failure: bool,
    verbatim: bool,
    commands: BTreeMap<CommandId, oneshot::Sender<crate::Outcome>>,
    /// Prompts that the application does not want answered any more, and that have not begun.
    abandoned: BTreeMap<String, Abandoned>,
    orders: mpsc::UnboundedReceiver<Order>,
    gate: Gate,
    outbox: Outbox,
    /// `None` once the application does not read any more.
    tell: Option<mpsc::Sender<Told>>,
    ending: Arc<OnceLock<Ending>>,
    ledger: Ledger,
    watch: Watch,
    spans: Spans,
    cost: Cost,
    limiter: Limiter,
    fit: Option<Fit>,
    warnings: Warnings,
    on_line: Option<OnLine>,
    on_traffic: Option<OnTraffic>,
    mirror: Option<Mirror>,
    #[expect(dead_code, reason = "it is there as long as the program may read it")]
    folder: Option<Folder>,
    patience: Patience,
    ladder: Ladder,
    cut: Arc<OnceLock<Cut>>,
    /// The application wants it to end, done or not, read or not.
    stopping: bool,
    /// The turn that begins next is to be interrupted.
    halting: bool,
    /// The last turn that our interrupt was meant for.
    interrupted: Option<u64>,
    began: Instant,
    heard: Instant,
    /// Nothing is read, because the application takes nothing and the backlog is full.
    stalled: bool,
    /// Since when nothing is asked for and no turn is running.
    quiet: Option<Instant>,
    /// Since when nothing more is to be told.
    all_told: Option<Instant>,
    /// The session is to end when all is done.
    finishing: bool,
    concluded: bool,
    piece: Vec<u8>,
}

impl Driver {
    fn new(
        setup: Setup,
        orders: mpsc::UnboundedReceiver<Order>,
        tell: mpsc::Sender<Told>,
        controls: Controls,
        (ending, cut): (Arc<OnceLock<Ending>>, Arc<OnceLock<Cut>>),
    ) -> Self {
        let now = Instant::now();
        let last_words = LastWords::default();
        let Transport { input, output, errors, child } = setup.transport;
        let process = child.id();
        let listener = setup.listener;
        let hearing = errors.map(|errors| tokio::spawn(last_words.clone().hear(errors, listener)));
        let mut driver = Driver {
            writer: Writer::new(input),
            output: Some(output),
            child,
            exit: None,
            gone: CancellationToken::new(),
            last_words,
            hearing,
            spool: setup.spool,
            clock: 0,
            mid_line: false,
            backlog: Backlog::new(setup.line_limit),
            dialogue: setup.dialogue,
            questions: Questions::new(setup.handler, controls.clone()),
            introduction: Introduction::default(),
            initialize: setup.initialize,
            blocks_on_failure: setup.blocks_on_failure,
            verbatim: setup.verbatim,
            commands: BTreeMap::new(),
            abandoned: BTreeMap::new(),
            orders,
            gate: controls.gate.clone(),
            outbox: Outbox::default(),
            tell: Some(tell),
            ending,
            ledger: Ledger::default(),
            watch: Watch::new(setup.patience.clone()),
            spans: Spans::new(process),
            cost: Cost::new(),
            limiter: setup.limiter,
            fit: setup.fit,
            warnings: setup.warnings,
            on_line: setup.on_line,
            on_traffic: setup.on_traffic,
            mirror: setup.mirror,
            folder: setup.folder,
            patience: setup.patience,
            ladder: Ladder::new(now),
            cut,
            stopping: false,
            halting: false,
            interrupted: None,
            began: now,
            heard: now,
            stalled: false,
            quiet: Some(now),
            all_told: None,
            finishing: false,
            concluded: false,
            piece: vec![0; PIECE],
        };
        if let Some(request) = &driver.initialize {
            driver.introduction.ask(driver.dialogue.command(request, None));
        }
        driver
    }

    async fn run(mut self) {
        loop {
            self.act();
            if self.concluded && (self.outbox.is_empty() || self.tell.is_none()) {
                return;
            }
            self.wait().await;
        }
    }
}
