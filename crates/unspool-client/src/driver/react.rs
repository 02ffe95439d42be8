//! What the driver does when something has come: a line, a question's answer, an order of the application.

use super::backlog::{Backlog, Taken};
use super::questions::Panicked;
use super::{Abandoned, Driver};
use crate::Outcome;
use crate::controls::{COMMAND_LIMIT, Order};
use crate::ledger::Noted;
use crate::warning::Warning;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;
use unspool::Event;
use unspool::control::{Action, Answer, AskId, CommandId, Dialogue, Payload, Refusal};
use unspool::json::Json;
use unspool::line::{End, Line};
use unspool::verdict::Cut;
use unspool::wire::Wire as _;
use unspool::wire::command::{
    CancelAsyncMessage, CancelAsyncMessageReply, Initialize, InitializeReply, Interrupt,
};

/// A piece of what was read.
pub(super) enum Piece<'b> {
    Bytes(&'b [u8]),
    /// Nothing more comes: what is behind the last newline is the last line.
    End,
}

impl Driver {
    pub(super) fn on_action(&mut self, action: Action) {
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
                if self.blocks_on_failure
                    && let Ok(Some(reply)) = &outcome
                    && InitializeReply::of(reply.json()).and_then(|reply| reply.hook_on_failure_supported)
                        != Some(true)
                {
                    self.warnings.tell(&Warning::FailsOpen);
                }
                self.introduction.done(outcome);
            }
            Action::Done { command, outcome } => {
                self.on_taken_back(command, &outcome);
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

    pub(super) fn on_answer(&mut self, ask: &AskId, answer: Result<Answer, Panicked>) {
        let answer = answer.unwrap_or_else(|Panicked| {
            self.warnings.tell(&Warning::HandlerPanicked);
            Answer::error("the handler has panicked").code("handler_panicked")
        });
        self.dialogue.answer(ask, answer);
    }

    pub(super) fn on_order(&mut self, order: Order) {
        match order {
            Order::Command { request, limit, reply } => {
                let until = limit.map(|limit| self.began.elapsed() + limit);
                let command = self.dialogue.command(&request, until);
                self.commands.insert(command, reply);
            }
            Order::Withdraw => self.withdraw_commands(),
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
                    self.watch.prompted(Instant::now());
                    let message = if self.verbatim { message.client_composed() } else { message };
                    self.write(message.to_line());
                }
            }
            Order::Abandon { uuid, reply } => self.abandon(uuid, reply),
            Order::Finish => self.finishing = true,
            Order::Close => self.stop(),
            Order::Halt(why) if self.ledger.is_busy() || !self.ladder.is_running() => {
                self.halting = true;
                tracing::debug!(why, "halts");
            }
            // What is being brought to its end has its verdict.
            Order::End(why) | Order::Halt(why) if self.ladder.is_running() => self.cut(Cut::Interrupted(why)),
            Order::End(_) | Order::Halt(_) => self.stop(),
        }
    }

    pub(super) fn on_read(&mut self, read: std::io::Result<usize>) {
        let Ok(length @ 1..) = read else {
            self.output = None;
            return self.dialogue.close();
        };
        let now = Instant::now();
        self.heard = now;
        self.watch.heard(now);
        if !self.stopping {
            self.ladder.heard(now);
        }
        let piece = std::mem::take(&mut self.piece);
        let bytes = &piece[..length];
        let told = match (self.backlog.is_empty(), self.outbox.has_room()) {
            (true, true) => length,
            (true, false) if self.mid_line => memchr::memchr(b'\n', bytes).map_or(length, |at| at + 1),
            _ => 0,
        };
        self.tell(Piece::Bytes(&bytes[..told]), false);
        if told < length {
            let Driver { backlog, dialogue, .. } = self;
            backlog.push(&bytes[told..], |line| answer(dialogue, line));
        }
        self.piece = piece;
    }

    /// Tells what waits, as long as somebody takes it.
    pub(super) fn work_off(&mut self) {
        let mut piece = std::mem::take(&mut self.piece);
        while !self.backlog.is_empty() && self.outbox.has_room() {
            match self.backlog.take(&mut piece) {
                Ok(Some(Taken::Read(length))) => self.tell(Piece::Bytes(&piece[..length]), true),
                Ok(Some(Taken::Written(line))) => self.tell_written(&line),
                Ok(None) => {}
                Err(error) => {
                    self.backlog = Backlog::new(0);
                    self.cut(Cut::Interrupted(format!("what was read is lost: {error}")));
                }
            }
        }
        self.piece = piece;
    }

    /// Tells what was read. Lines that have waited have had their answers.
    pub(super) fn tell(&mut self, piece: Piece<'_>, answered: bool) {
        if let Piece::Bytes(bytes) = piece {
            let Some(last) = bytes.last() else { return };
            self.mid_line = *last != b'\n';
            self.outbox.weigh(bytes.len());
        }
        let now = Instant::now();
        self.spool.set_clock(millis(now - self.began));
        let (mut too_much, mut unwanted) = (None, false);
        let Driver {
            spool,
            dialogue,
            outbox,
            ledger,
            watch,
            spans,
            limiter,
            fit,
            warnings,
            on_line,
            mirror,
            abandoned,
            ..
        } = self;
        let show = |line: Line<'_>| {
            // Half of a line is told as such, and is none.
            if let Some(on_line) = &on_line
                && (line.end == End::Newline || Json::new(&line.text()).is_ok())
            {
                on_line(&line.text());
            }
            if !answered {
                answer(dialogue, line);
            }
        };
        let sink = |event: Event<'_>| {
            let noted = ledger.step(&event);
            for uuid in &noted.begins {
                let begun = abandoned.get_mut(uuid);
                unwanted |= begun.is_some_and(|begun| !std::mem::replace(&mut begun.interrupted, true));
            }
            for uuid in &noted.settles {
                abandoned.remove(uuid);
            }
            watch.step(&event, now);
            spans.step(&event);
            warnings.step(&event);
            too_much = too_much.take().or_else(|| limiter(&event));
            if let Some(fit) = fit {
                fit.step(&event);
            }
            if let Some(mirror) = mirror {
                mirror.step(&event, |bytes| outbox.load(bytes));
            }
            outbox.push(event.into_owned(), noted);
        };
        match piece {
            Piece::Bytes(bytes) => spool.feed_and_show(bytes, show, sink),
            Piece::End => spool.end_line(show, sink),
        }
        if unwanted {
            self.interrupt(false);
        }
        if let Some(cut) = too_much {
            self.cut(cut);
        }
    }

    pub(super) fn write(&mut self, line: String) {
        let now = Instant::now();
        self.watch.asked(now);
        if self.backlog.is_empty() {
            self.tell_written(&line);
        } else {
            self.backlog.wrote(line.clone());
        }
        self.writer.write(line);
    }

    fn tell_written(&mut self, line: &str) {
        let Driver { spool, outbox, .. } = self;
        spool.wrote(line, |event| outbox.push(event.into_owned(), Noted::default()));
    }

    /// Nobody wants the answer to a prompt: it is interrupted, or taken back if it has not begun. Versions that cannot take
    /// it back begin it some time, and are interrupted then.
    fn abandon(&mut self, uuid: String, reply: oneshot::Sender<()>) {
        match self.ledger.is_begun(&uuid) {
            None => {}
            Some(true) => self.interrupt(false),
            Some(false) => {
                let request = Payload::of(&CancelAsyncMessage::default().message_uuid(&*uuid));
                let until = self.began.elapsed() + COMMAND_LIMIT;
                let command = self.dialogue.command(&request, Some(until));
                self.abandoned.insert(uuid, Abandoned { command, reply, interrupted: false });
            }
        }
    }

    /// Versions that do not say what becomes of each prompt say it only to whoever took it back.
    fn on_taken_back(&mut self, command: CommandId, outcome: &Outcome) {
        let uuid = self.abandoned.iter().find(|(_, abandoned)| abandoned.command == command);
        let Some(uuid) = uuid.map(|(uuid, _)| uuid.clone()) else { return };
        let reply = outcome.as_ref().ok().and_then(Option::as_ref);
        let cancelled = reply.and_then(|reply| CancelAsyncMessageReply::of(reply.json())?.cancelled);
        if cancelled == Some(true)
            && let Some(abandoned) = self.abandoned.remove(&uuid)
            && self.ledger.forget(&uuid)
        {
            // Nobody may be there any more.
            let _ = abandoned.reply.send(());
        }
    }

    /// Takes commands back that nobody waits for. Old versions end at a type of line that they do not know; those that say
    /// what becomes of prompts know this one.
    fn withdraw_commands(&mut self) {
        if self.ledger.says() {
            let unwanted = self.commands.iter().filter(|(_, reply)| reply.is_closed());
            let unwanted: Vec<CommandId> = unwanted.map(|(command, _)| *command).collect();
            for command in unwanted {
                self.dialogue.cancel(command);
            }
        }
    }

    pub(super) fn interrupt(&mut self, cancel_queued: bool) {
        let request = Interrupt { cancel_queued: cancel_queued.then_some(true), ..Interrupt::default() };
        let until = self.began.elapsed() + COMMAND_LIMIT;
        self.dialogue.command(&Payload::of(&request), Some(until));
    }
}

/// Takes note of a line if it is part of the dialogue.
fn answer(dialogue: &mut Dialogue, line: Line<'_>) {
    if memchr::memmem::find(line.bytes, b"\"control_").is_some()
        && let Ok(json) = Json::new(&line.text())
    {
        dialogue.handle(json);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
