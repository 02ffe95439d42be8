//! What a driver needs to begin, and what it leaves in the application's hands.

use super::intake::Intake;
use super::introduction::Introduction;
use super::outbox::{Load, Outbox};
use super::phase::Phase;
use super::questions::{Handler, Questions};
use super::spans::Spans;
use super::watchers::Watchers;
use super::writer::Writer;
use super::{Driver, abandoned};
use crate::Ending;
use crate::controls::{Controls, Hosted, Order};
use crate::cost::Cost;
use crate::feed::Teller;
use crate::fit::Fit;
use crate::last_words::{LastWords, Listener};
use crate::ledger::{Ledger, Noted};
use crate::limits::Patience;
use crate::store::{Folder, Mirror};
use crate::tap::{OnTraffic, Tap};
use crate::transport::Transport;
use crate::warning::Warnings;
use crate::watch::Watch;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use unspool::control::{Dialogue, Payload};
use unspool::verdict::Cut;
use unspool::{Event, Spool};

/// Events that wait with the reader, beside those in the outbox.
const READY: usize = 64;

/// Says of an event whether it is too much.
pub(crate) type Limiter = Box<dyn FnMut(&Event<'_>) -> Option<Cut> + Send>;

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
    /// Who hears of every byte.
    pub(crate) taps: Vec<OnTraffic>,
    /// Who keeps what is written to transcripts.
    pub(crate) mirror: Option<Mirror>,
    /// What the program takes for its own folder.
    pub(crate) folder: Option<Folder>,
    /// Who is told of events beside the application.
    pub(crate) feeds: Vec<Teller>,
}

/// An event, and what it means for prompts.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) event: Arc<Event<'static>>,
    pub(crate) noted: Noted,
    #[expect(dead_code, reason = "it weighs until it is dropped")]
    pub(super) load: Load,
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
    let span = driver.watchers.spans.session();
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
        let Transport { input, output, errors, child, started } = setup.transport;
        let (tap, listener) = (Tap::new(now, setup.taps), setup.listener);
        started.iter().for_each(|started| tap.started(started));
        let hearing =
            errors.map(|errors| tokio::spawn(last_words.clone().hear(errors, tap.clone(), listener)));
        let mut driver = Driver {
            writer: Writer::new(input, tap.clone()),
            intake: Intake::new(output, setup.line_limit, now),
            gone: CancellationToken::new(),
            last_words,
            hearing,
            spool: setup.spool,
            began: now,
            tap,
            dialogue: setup.dialogue,
            questions: Questions::new(setup.handler, controls.clone()),
            introduction: Introduction::new(setup.initialize, setup.blocks_on_failure),
            commands: BTreeMap::new(),
            abandoned: abandoned::Abandoned::default(),
            orders,
            gate: controls.gate,
            verbatim: setup.verbatim,
            outbox: Outbox::new(setup.feeds),
            tell: Some(tell),
            watchers: Watchers {
                ledger: Ledger::default(),
                watch: Watch::new(setup.patience.clone()),
                spans: Spans::new(child.id()),
                cost: Cost::new(),
                limiter: setup.limiter,
                fit: setup.fit,
                warnings: setup.warnings,
                mirror: setup.mirror,
            },
            child,
            folder: setup.folder,
            patience: setup.patience,
            phase: Phase::new(now),
            cut,
            ending,
        };
        if let Some(request) = driver.introduction.wanted() {
            let command = driver.dialogue.command(request, None);
            driver.introduction.ask(command);
        }
        driver
    }
}
