//! What the driver does when something has come: a message of the dialogue, a question's answer, an order of the application.

use super::Driver;
use super::phase::Running;
use super::questions::Panicked;
use crate::controls::Outcome;
use crate::controls::{COMMAND_LIMIT, Order};
use crate::warning::Warning;
use tokio::sync::oneshot;
use tokio::time::Instant;
use unspool::control::{Action, Answer, AskId, CommandId, Payload, Refusal};
use unspool::verdict::Cut;
use unspool::wire::Wire as _;
use unspool::wire::command::{CancelAsyncMessage, CancelAsyncMessageReply, Initialize, Interrupt};

impl Driver {
    pub(super) fn on_action(&mut self, action: Action) {
        match action {
            Action::Write(line) => self.write(line),
            Action::Ask(asked) => self.questions.ask(asked),
            Action::Withdraw { ask, .. } => self.questions.withdraw(&ask),
            Action::Done { command, outcome } if self.introduction.is(command) => self.on_introduced(outcome),
            Action::Done { command, outcome } => {
                self.on_taken_back(command, &outcome);
                if let Some(reply) = self.commands.remove(&command) {
                    // Whoever asked may have lost interest.
                    let _ = reply.send(outcome);
                }
            }
            Action::Unserved(asked) => {
                self.watchers.warnings.tell(&Warning::Unserved { subtype: asked.subtype })
            }
            Action::Late(command) => {
                self.watchers.warnings.tell(&Warning::LateAnswer { command: command.to_string() });
            }
            Action::Foreign(id) => self.watchers.warnings.tell(&Warning::ForeignAnswer { id }),
            other => tracing::debug!(%other, "not known here"),
        }
    }

    pub(super) fn on_answer(&mut self, ask: &AskId, answer: Result<Answer, Panicked>) {
        let answer = answer.unwrap_or_else(|Panicked| {
            self.watchers.warnings.tell(&Warning::HandlerPanicked);
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
                    self.introduce();
                }
                self.introduction.tell(reply);
            }
            Order::IntroduceAgain(reply) => {
                self.introduce();
                self.introduction.tell_next(reply);
            }
            Order::Send { message, uuid } => {
                if !self.writer.has_ended() {
                    self.watchers.ledger.sent(&uuid);
                    self.watchers.watch.prompted(Instant::now());
                    let message = if self.verbatim { message.client_composed() } else { message };
                    self.write(message.to_line());
                }
            }
            Order::Abandon { uuid, reply } => self.abandon(uuid, reply),
            Order::Finish => self.note(|running| running.finishing = true),
            Order::Close => self.stop(),
            Order::Halt(_) if self.watchers.ledger.is_busy() => self.note(|running| running.halting = true),
            // What is being brought to its end has its verdict.
            Order::End(_) | Order::Halt(_) | Order::Cut(_) if self.phase.running().is_none() => self.stop(),
            Order::End(why) | Order::Halt(why) => self.cut(Cut::Interrupted(why)),
            Order::Cut(cut) => self.cut(cut),
        }
    }

    /// Takes note of what is wanted of a program that runs; one that is being brought to its end wants nothing more.
    fn note(&mut self, note: impl FnOnce(&mut Running)) {
        if let Some(running) = self.phase.running() {
            note(running);
        }
    }

    /// Claude Code has to take what it is told by `initialize` before it goes to work.
    pub(super) fn check_introduction(&mut self) {
        if self.introduction.is_owed() && self.watchers.ledger.has_begun() && self.phase.running().is_some() {
            let words = "Claude Code works and has not answered `initialize`: hooks, servers and what else it says do not hold";
            self.cut(Cut::NotStarted(words.to_owned()));
        }
    }

    fn on_introduced(&mut self, outcome: Outcome) {
        // What was taken once holds, even if it is not taken again.
        if self.introduction.is_owed()
            && let Err(refusal @ Refusal::Refused { .. }) = &outcome
        {
            self.cut(Cut::NotStarted(format!("Claude Code does not take `initialize`, {refusal}")));
        }
        if self.introduction.fails_open(&outcome) {
            self.watchers.warnings.tell(&Warning::FailsOpen);
        }
        self.introduction.done(outcome);
    }

    fn introduce(&mut self) {
        let request =
            self.introduction.wanted().cloned().unwrap_or_else(|| Payload::of(&Initialize::default()));
        let until = self.began.elapsed() + COMMAND_LIMIT;
        self.introduction.ask(self.dialogue.command(&request, Some(until)));
    }

    /// The application does not want the answer to a prompt: it is interrupted, or taken back if it has not begun.
    /// Versions that cannot take it back begin it some time, and are interrupted then.
    fn abandon(&mut self, uuid: String, reply: oneshot::Sender<()>) {
        match self.watchers.ledger.is_begun(&uuid) {
            None => {}
            Some(true) => self.interrupt(false),
            Some(false) => {
                let request = Payload::of(&CancelAsyncMessage::default().message_uuid(&*uuid));
                let until = self.began.elapsed() + COMMAND_LIMIT;
                let command = self.dialogue.command(&request, Some(until));
                self.abandoned.push(uuid, command, reply);
            }
        }
    }

    /// Versions that do not say what becomes of each prompt say it only to the host that took it back.
    fn on_taken_back(&mut self, command: CommandId, outcome: &Outcome) {
        let Some(uuid) = self.abandoned.find(command) else { return };
        let reply = outcome.as_ref().ok().and_then(Option::as_ref);
        let cancelled = reply.and_then(|reply| CancelAsyncMessageReply::of(reply.json())?.cancelled);
        if cancelled == Some(true)
            && let Some(reply) = self.abandoned.remove(&uuid)
            && self.watchers.ledger.forget(&uuid)
        {
            // Nobody may be there any more.
            let _ = reply.send(());
        }
    }

    /// Takes commands back whose answer the application does not wait for. Old versions end at a type of line that they
    /// do not know; those that say what becomes of prompts know this one.
    fn withdraw_commands(&mut self) {
        if self.watchers.ledger.says() {
            let unwanted = self.commands.iter().filter(|(_, reply)| reply.is_closed());
            let unwanted: Vec<CommandId> = unwanted.map(|(command, _)| *command).collect();
            for command in unwanted {
                self.dialogue.cancel(command);
            }
        }
    }

    pub(super) fn interrupt(&mut self, cancel_queued: bool) {
        let mut request = Interrupt::default();
        request.cancel_queued = cancel_queued.then_some(true);
        let until = self.began.elapsed() + COMMAND_LIMIT;
        self.dialogue.command(&Payload::of(&request), Some(until));
    }
}
