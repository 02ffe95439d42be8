//! The only loop: reads what Claude Code says, answers what it asks, writes what the application wants, and
//! knows when it is over.
//!
//! One task per session runs it. Whatever may take long runs elsewhere: lines are written by the
//! [writer](writer::Writer), questions are answered by tasks of their own, events wait in the
//! [outbox](outbox::Outbox). So a slow reader, a slow handler and a slow program never wait for each other.

mod introduction;
mod ladder;
mod outbox;
mod questions;
mod writer;

pub(crate) use questions::Handler;

use crate::controls::{COMMAND_LIMIT, Controls, Order};
use crate::fit::Fit;
use crate::last_words::{LastWords, Listener};
use crate::ledger::{Ledger, Over};
use crate::transport::{Child, Exit, Output, Transport};
use crate::warning::{Warning, Warnings};
use crate::watch::Watch;
use crate::{Ending, Patience};
use introduction::Introduction;
use ladder::{Deed, Ladder};
use outbox::Outbox;
use questions::{Panicked, Questions};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use tracing::Instrument as _;
use unspool::control::{Action, Answer, AskId, CommandId, Dialogue, Payload, Refusal};
use unspool::event::What;
use unspool::json::Json;
use unspool::verdict::Cut;
use unspool::wire::command::Initialize;
use unspool::{Event, Spool};
use writer::Writer;

/// So much is read at once.
const PIECE: usize = 64 << 10;

/// Events that wait with the reader, beside those in the outbox.
const READY: usize = 64;

/// A turn that begins by itself does so within this time after a task has ended.
const MOMENT: Duration = Duration::from_secs(3);

/// Pipes that are still open this long after the program has ended are held by somebody else.
const DRAIN: Duration = Duration::from_secs(2);

/// Says of an event whether it is too much.
pub(crate) type Limiter = Box<dyn FnMut(&Event<'_>) -> Option<Cut> + Send>;

/// Hears every line that was read.
pub(crate) type OnLine = Arc<dyn Fn(&str) + Send + Sync>;

/// All that a driver needs to begin.
pub(crate) struct Setup {
    pub(crate) transport: Transport,
    pub(crate) spool: Spool,
    pub(crate) dialogue: Dialogue,
    pub(crate) handler: Handler,
    pub(crate) initialize: Option<Payload>,
    /// Prompts are taken as they are, `/` and `@` too.
    pub(crate) verbatim: bool,
    pub(crate) patience: Patience,
    pub(crate) limiter: Limiter,
    pub(crate) fit: Option<Fit>,
    pub(crate) listener: Option<Listener>,
    pub(crate) warnings: Warnings,
    pub(crate) on_line: Option<OnLine>,
}

/// An event, and the prompts that it answers.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) event: Event<'static>,
    pub(crate) answers: Vec<String>,
}

/// What is left in the application's hands.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) controls: Controls,
    pub(crate) told: mpsc::Receiver<Told>,
    pub(crate) process: Option<u32>,
    /// Set before the last event is told.
    pub(crate) ending: Arc<OnceLock<Ending>>,
}

/// Starts a driver. It ends by itself; if the handle is dropped, it ends the program first.
pub(crate) fn start(setup: Setup) -> Handle {
    let (orders, ordered) = mpsc::unbounded_channel();
    let (tell, told) = mpsc::channel(READY);
    let ending = Arc::new(OnceLock::new());
    let controls = Controls { orders };
    let process = setup.transport.child.id();
    let driver = Driver::new(setup, ordered, tell, controls.clone(), ending.clone());
    let span = tracing::info_span!("claude", process);
    tokio::spawn(driver.run().instrument(span));
    Handle { controls, told, process, ending }
}

struct Driver {
    writer: Writer,
    output: Option<Output>,
    child: Box<dyn Child>,
    exit: Option<(Exit, Instant)>,
    last_words: LastWords,
    /// Reads standard error, until there is no more.
    hearing: Option<JoinHandle<()>>,
    spool: Spool,
    dialogue: Dialogue,
    questions: Questions,
    introduction: Introduction,
    /// Without `initialize` nobody knows of hooks and servers.
    needs_introduction: bool,
    verbatim: bool,
    commands: BTreeMap<CommandId, oneshot::Sender<crate::Outcome>>,
    orders: mpsc::UnboundedReceiver<Order>,
    outbox: Outbox,
    /// `None` once nobody reads any more.
    tell: Option<mpsc::Sender<Told>>,
    ending: Arc<OnceLock<Ending>>,
    ledger: Ledger,
    watch: Watch,
    limiter: Limiter,
    fit: Option<Fit>,
    warnings: Warnings,
    on_line: Option<OnLine>,
    patience: Patience,
    ladder: Ladder,
    cut: bool,
    began: Instant,
    heard: Instant,
    /// Since when nothing is asked for and no turn is running.
    quiet: Option<Instant>,
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
        ending: Arc<OnceLock<Ending>>,
    ) -> Self {
        let now = Instant::now();
        let last_words = LastWords::default();
        let Transport { input, output, errors, child } = setup.transport;
        let listener = setup.listener;
        let hearing = errors.map(|errors| tokio::spawn(last_words.clone().hear(errors, listener)));
        let mut driver = Driver {
            writer: Writer::new(input),
            output: Some(output),
            child,
            exit: None,
            last_words,
            hearing,
            spool: setup.spool,
            dialogue: setup.dialogue,
            questions: Questions::new(setup.handler, controls),
            introduction: Introduction::default(),
            needs_introduction: setup.initialize.is_some(),
            verbatim: setup.verbatim,
            commands: BTreeMap::new(),
            orders,
            outbox: Outbox::default(),
            tell: Some(tell),
            ending,
            ledger: Ledger::default(),
            watch: Watch::new(setup.patience.clone(), now),
            limiter: setup.limiter,
            fit: setup.fit,
            warnings: setup.warnings,
            on_line: setup.on_line,
            patience: setup.patience,
            ladder: Ladder::new(now),
            cut: false,
            began: now,
            heard: now,
            quiet: Some(now),
            finishing: false,
            concluded: false,
            piece: vec![0; PIECE],
        };
        if let Some(request) = setup.initialize {
            driver.introduction.ask(driver.dialogue.command(&request, None));
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

    /// Waits for the next thing to happen, and lets it happen.
    async fn wait(&mut self) {
        let Driver { output, child, questions, orders, outbox, tell, writer, piece, .. } = self;
        let deadline = self.dialogue.poll_timeout().map(|after| self.began + after);
        let (busy, asking) = (self.ledger.is_busy(), !questions.is_empty());
        let watch = self.watch.deadline(busy, asking).filter(|_| self.ladder.is_running());
        let ladder = self.ladder.deadline(&self.patience).filter(|_| self.exit.is_none());
        let over =
            self.finishing.then(|| over_at(&self.ledger, self.quiet, self.heard, &self.patience)).flatten();
        let over = over.filter(|_| self.ladder.is_running());
        let drain = self
            .exit
            .filter(|_| output.is_some() || self.hearing.is_some())
            .map(|(_, at)| at.max(self.heard) + DRAIN);
        let next = [deadline, watch, ladder, over, drain].into_iter().flatten().min();
        let (exited, concluded) = (self.exit.is_some(), self.concluded);

        tokio::select! {
            Some(order) = orders.recv() => self.on_order(order),
            answered = questions.next(), if asking => {
                if let Some((ask, answer)) = answered {
                    self.on_answer(&ask, answer);
                }
            }
            sent = send(tell.as_ref(), outbox), if !outbox.is_empty() => {
                if !sent {
                    self.on_reader_gone();
                }
            }
            () = gone(tell.as_ref()), if tell.is_some() && !concluded => self.on_reader_gone(),
            read = read(output.as_mut(), piece), if output.is_some() && outbox.has_room() => self.on_read(read),
            exit = child.wait(), if !exited => self.exit = Some((exit, Instant::now())),
            () = heard_all(self.hearing.as_mut()), if exited && self.hearing.is_some() => self.hearing = None,
            Ok(_) = &mut writer.failed, if !writer.has_ended() => writer.end(),
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => self.on_time(),
        }
    }

    /// Does what follows from what has happened.
    fn act(&mut self) {
        let now = Instant::now();
        while let Some(action) = self.dialogue.poll() {
            self.on_action(action);
        }
        if self.ledger.is_busy() {
            self.quiet = None;
        } else {
            self.quiet.get_or_insert(now);
        }
        if self.ladder.is_interrupted() && !self.ledger.is_in_turn() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if self.finishing && self.ladder.is_running() && self.ledger.over() == Over::Yes {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if self.output.is_none() && self.exit.is_none() && self.ladder.is_running() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if self.output.is_none() && self.exit.is_some() && self.hearing.is_none() && !self.concluded {
            self.conclude();
        }
    }

    fn on_action(&mut self, action: Action) {
        match action {
            Action::Write(line) => self.write(line),
            Action::Ask(asked) => self.questions.ask(asked),
            Action::Withdraw { ask, .. } => self.questions.withdraw(&ask),
            Action::Done { command, outcome } if self.introduction.is(command) => {
                if self.needs_introduction
                    && let Err(refusal @ Refusal::Refused { .. }) = &outcome
                {
                    self.cut(Cut::NotStarted(format!("Claude Code does not take `initialize`, {refusal}")));
                }
                self.introduction.done(outcome);
            }
            Action::Done { command, outcome } => {
                if let Some(reply) = self.commands.remove(&command) {
                    // Whoever asked may have lost interest.
                    let _ = reply.send(outcome);
                }
            }
            Action::Unserved(asked) => self.warnings.tell(&Warning::Unserved { subtype: asked.subtype }),
            Action::Late(command) => {
                self.warnings.tell(&Warning::LateAnswer { command: command.to_string() });
            }
            Action::Foreign(id) => self.warnings.tell(&Warning::ForeignAnswer { id }),
            other => tracing::debug!(%other, "not known here"),
        }
    }

    fn on_answer(&mut self, ask: &AskId, answer: Result<Answer, Panicked>) {
        let answer = answer.unwrap_or_else(|Panicked| {
            self.warnings.tell(&Warning::HandlerPanicked);
            Answer::error("the handler has panicked").code("handler_panicked")
        });
        self.dialogue.answer(ask, answer);
    }

    fn on_order(&mut self, order: Order) {
        match order {
            Order::Command { request, limit, reply } => {
                let until = limit.map(|limit| self.began.elapsed() + limit);
                let command = self.dialogue.command(&request, until);
                self.commands.insert(command, reply);
            }
            Order::Introduce(reply) => {
                if !self.introduction.was_asked() {
                    let request = Payload::of(&Initialize::default());
                    let until = self.began.elapsed() + COMMAND_LIMIT;
                    self.introduction.ask(self.dialogue.command(&request, Some(until)));
                }
                self.introduction.tell(reply);
            }
            Order::Send { message, uuid } => {
                if !self.writer.has_ended() {
                    self.ledger.sent(&uuid);
                    let message = if self.verbatim { message.client_composed() } else { message };
                    self.write(message.to_line());
                }
            }
            Order::Finish => self.finishing = true,
            Order::Close => self.stop(),
            // What is being brought to its end has its verdict.
            Order::End(why) if self.ladder.is_running() => self.cut(Cut::Interrupted(why)),
            Order::End(_) => self.stop(),
        }
    }

    fn on_read(&mut self, read: std::io::Result<usize>) {
        let Ok(length @ 1..) = read else {
            self.output = None;
            return self.dialogue.close();
        };
        let now = Instant::now();
        self.heard = now;
        self.watch.heard(now);
        self.ladder.heard(now);
        self.outbox.weigh(length);
        self.spool.set_clock(millis(now - self.began));
        let mut too_much = None;
        let Driver { spool, dialogue, outbox, ledger, watch, limiter, fit, warnings, on_line, piece, .. } =
            self;
        spool.feed_and_show(
            &piece[..length],
            |line| {
                if let Some(on_line) = &on_line {
                    on_line(&line.text());
                }
                if memchr::memmem::find(line.bytes, b"\"control_").is_some()
                    && let Ok(json) = Json::new(&line.text())
                {
                    dialogue.handle(json);
                }
            },
            |event| {
                let answers = ledger.step(&event);
                watch.step(&event, now);
                warnings.step(&event);
                too_much = too_much.take().or_else(|| limiter(&event));
                if let Some(fit) = fit {
                    fit.step(&event);
                }
                outbox.push(Told { event: event.into_owned(), answers });
            },
        );
        if let Some(cut) = too_much {
            self.cut(cut);
        }
    }

    fn on_time(&mut self) {
        let now = Instant::now();
        self.dialogue.handle_timeout(now - self.began);
        let (busy, asking) = (self.ledger.is_busy(), !self.questions.is_empty());
        if let Some(words) = self.watch.hung(busy, asking, now).filter(|_| self.ladder.is_running()) {
            self.cut(Cut::Hung(words));
        }
        let over = over_at(&self.ledger, self.quiet, self.heard, &self.patience);
        if self.finishing && self.ladder.is_running() && over.is_some_and(|at| at <= now) {
            if let Over::No(owed) = self.ledger.over() {
                let limit = self.patience.background.unwrap_or_default().as_secs();
                self.cut(Cut::Hung(format!("still waiting after {limit} s: {owed}")));
            } else {
                let deed = self.ladder.close(now);
                self.do_deed(deed);
            }
        }
        let deed = self.ladder.handle_timeout(&self.patience, now).filter(|_| self.exit.is_none());
        self.do_deed(deed);
        if self.exit.is_some_and(|(_, at)| now >= at.max(self.heard) + DRAIN) {
            self.hearing = None;
            if self.output.take().is_some() {
                self.dialogue.close();
            }
        }
    }

    /// The application has dropped its end: nobody wants to know any more.
    fn on_reader_gone(&mut self) {
        self.tell = None;
        self.outbox.clear();
        self.stop();
    }

    /// We end it, and say why.
    fn cut(&mut self, cut: Cut) {
        if !std::mem::replace(&mut self.cut, true) {
            self.spool.cut(cut);
        }
        self.stop();
    }

    /// Interrupts what is running, so that what was paid for is told, and ends.
    fn stop(&mut self) {
        let now = Instant::now();
        let deed = if self.ledger.is_in_turn() { self.ladder.stop(now) } else { self.ladder.close(now) };
        self.do_deed(deed);
    }

    fn do_deed(&mut self, deed: Option<Deed>) {
        match deed {
            None => {}
            Some(Deed::Interrupt) => {
                let request = serde_json::json!({"subtype": "interrupt", "cancel_queued": true});
                let until = self.began.elapsed() + COMMAND_LIMIT;
                self.dialogue.command(&Payload::from(request), Some(until));
            }
            Some(Deed::CloseInput) => self.writer.end(),
            Some(Deed::Signal(signal)) => {
                self.writer.cut();
                self.child.signal(signal);
            }
            Some(Deed::GiveUp) => {
                self.exit = Some((Exit::default(), Instant::now()));
                self.output = None;
                self.hearing = None;
                self.dialogue.close();
            }
        }
    }

    fn write(&mut self, line: String) {
        let now = Instant::now();
        self.watch.asked(now);
        let Driver { spool, outbox, .. } = self;
        spool.wrote(&line, |event| outbox.push(Told { event: event.into_owned(), answers: Vec::new() }));
        self.writer.write(line);
    }

    /// Nothing more will come: tells how it ended.
    fn conclude(&mut self) {
        self.concluded = true;
        self.writer.cut();
        self.questions.clear();
        self.spool.unfit(self.fit.as_ref().and_then(Fit::unfit));
        let mut told = Vec::new();
        self.spool.finish(|event| told.push(event.into_owned()));
        for event in told {
            let answers = self.ledger.step(&event);
            if let What::Finished { verdict, reason, .. } = &event.what {
                let ending = Ending {
                    verdict: *verdict,
                    reason: reason.to_string(),
                    exit: self.exit.map(|(exit, _)| exit).unwrap_or_default(),
                    stderr: self.last_words.text(),
                };
                tracing::info!(verdict = %ending.verdict, reason = ending.reason, exit = %ending.exit, "finished");
                // It ends once.
                let _ = self.ending.set(ending);
            }
            self.outbox.push(Told { event, answers });
        }
    }
}

/// When waiting for the end is over, if nothing happens before.
fn over_at(ledger: &Ledger, quiet: Option<Instant>, heard: Instant, patience: &Patience) -> Option<Instant> {
    let quiet = quiet?;
    match ledger.over() {
        Over::Yes => Some(quiet),
        Over::Perhaps => Some(quiet.max(heard) + MOMENT),
        Over::No(_) => patience.background.map(|limit| quiet + limit),
    }
}

/// Hands events on, as many as the reader takes at once. `false` if there is no reader.
async fn send(tell: Option<&mpsc::Sender<Told>>, outbox: &mut Outbox) -> bool {
    let Some(tell) = tell else { return false };
    let Ok(permit) = tell.reserve().await else { return false };
    let Some(told) = outbox.pop() else { return true };
    permit.send(told);
    while let Ok(permit) = tell.try_reserve() {
        let Some(told) = outbox.pop() else { break };
        permit.send(told);
    }
    true
}

async fn heard_all(hearing: Option<&mut JoinHandle<()>>) {
    if let Some(hearing) = hearing {
        // Whatever ended it, nothing more will be heard.
        let _ = hearing.await;
    }
}

async fn gone(tell: Option<&mpsc::Sender<Told>>) {
    if let Some(tell) = tell {
        tell.closed().await;
    }
}

async fn read(output: Option<&mut Output>, piece: &mut [u8]) -> std::io::Result<usize> {
    match output {
        Some(output) => output.read(piece).await,
        None => Ok(0),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
