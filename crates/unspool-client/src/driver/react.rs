//! What the driver does when something has come: a line, a question's answer, an order of the application.

use super::Driver;
use super::questions::Panicked;
use crate::controls::{COMMAND_LIMIT, Order};
use crate::warning::Warning;
use std::time::Duration;
use tokio::time::Instant;
use unspool::control::{Action, Answer, AskId, Payload, Refusal};
use unspool::json::Json;
use unspool::verdict::Cut;
use unspool::wire::command::Initialize;

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

    pub(super) fn on_read(&mut self, read: std::io::Result<usize>) {
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
            piece,
            ..
        } = self;
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
                spans.step(&event);
                warnings.step(&event);
                too_much = too_much.take().or_else(|| limiter(&event));
                if let Some(fit) = fit {
                    fit.step(&event);
                }
                if let Some(mirror) = mirror {
                    mirror.step(&event, |bytes| outbox.load(bytes));
                }
                outbox.push(event.into_owned(), answers);
            },
        );
        if let Some(cut) = too_much {
            self.cut(cut);
        }
    }

    pub(super) fn write(&mut self, line: String) {
        let now = Instant::now();
        self.watch.asked(now);
        let Driver { spool, outbox, .. } = self;
        spool.wrote(&line, |event| outbox.push(event.into_owned(), Vec::new()));
        self.writer.write(line);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
