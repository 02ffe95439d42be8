//! What the driver does when something has come: a message of the dialogue, a question's answer, an order of the application.

use super::questions::Panicked;
use super::{Abandoned, Driver};
use crate::Outcome;
use crate::controls::{COMMAND_LIMIT, Order};
use crate::warning::Warning;
use tokio::sync::oneshot;
use tokio::time::Instant;
use unspool::control::{Action, Answer, AskId, CommandId, Payload, Refusal};
use unspool::verdict::Cut;
use unspool::wire::Wire as _;
use unspool::wire::command::{
    CancelAsyncMessage, CancelAsyncMessageReply, Initialize, InitializeReply, Interrupt,
};

impl Driver {
    pub(super) fn on_action(&mut self, action: Action) {
        match action {
            Action::Write(line) => self.write(line),
            Action::Ask(asked) => self.questions.ask(asked),
            Action::Withdraw { ask, .. } => self.questions.withdraw(&ask),
            Action::Done { command, outcome } if self.introduction.is(command) => {
                // What was taken once holds, even if it is not taken again.
                if self.initialize.is_some()
                    && !self.introduction.was_answered()
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
                    self.ledger.sent(&uuid);
                    self.watch.prompted(Instant::now());
                    let message = if self.verbatim { message.client_composed() } else { message };
                    self.write(message.to_line());
                }
            }
            Order::Abandon { uuid, reply } => self.abandon(uuid, reply),
            Order::Finish => self.finishing = true,
            Order::Close => self.stop(),
            Order::Halt(_) if self.ledger.is_busy() => self.halting = true,
            // What is being brought to its end has its verdict.
            Order::End(why) | Order::Halt(why) if self.ladder.is_running() => self.cut(Cut::Interrupted(why)),
            Order::Cut(cut) if self.ladder.is_running() => self.cut(cut),
            Order::End(_) | Order::Halt(_) | Order::Cut(_) => self.stop(),
        }
    }

    fn introduce(&mut self) {
        let request = self.initialize.clone().unwrap_or_else(|| Payload::of(&Initialize::default()));
        let until = self.began.elapsed() + COMMAND_LIMIT;
        self.introduction.ask(self.dialogue.command(&request, Some(until)));
    }

    /// The application does not want the answer to a prompt: it is interrupted, or taken back if it has not begun.
    /// Versions that cannot take it back begin it some time, and are interrupted then.
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

    /// Versions that do not say what becomes of each prompt say it only to the host that took it back.
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

    /// Takes commands back whose answer the application does not wait for. Old versions end at a type of line that they
    /// do not know; those that say what becomes of prompts know this one.
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
