//! `user` entries: prompts, answers of tools, and what the CLI puts in between.

use super::turn::{self, Last};
use super::{Book, turn::each};
use crate::json::Str;
use crate::transcript::INTERRUPTED;
use crate::translate::Translator;
use crate::translate::agents::lifecycle::{Ending, status_of};
use crate::translate::read::content::Seen;
use crate::translate::read::detail::Detail;
use crate::translate::read::fields;
use crate::translate::read::line::{Hearing, Spoken};
use crate::translate::tell::Cx;
use std::borrow::Cow;

/// What the user is said to have said.
#[derive(Debug, PartialEq)]
enum Heard<'l> {
    /// A tool has answered.
    Answer,
    /// The CLI put it in, or it is the output of a command.
    Aside,
    /// A command of the CLI, which the model may hear of or not.
    Command,
    /// The turn was interrupted.
    Interruption(Cow<'l, str>),
    /// A task has ended.
    Notification(Cow<'l, str>),
    /// Something for the model to do.
    Prompt,
}

impl Translator {
    /// Returns whether it is one.
    pub(super) fn entry_user(
        &mut self,
        cx: &mut Cx<'_, '_>,
        book: &mut Book,
        entry: &fields::Entry,
        agent: Option<&str>,
    ) -> bool {
        let chart = cx.chart();
        let message = Spoken::of(&chart, entry.message());
        if message.content.is_none() {
            return false;
        }
        let says = |place| chart.bool(place) == Some(true);
        let aside = says(entry.is_meta()) || says(entry.is_summary()) || says(entry.is_hidden());
        if chart.first(entry.denial()) == b'"' {
            self.evidence.tool_denied();
        }
        each(&message, |seen| {
            if let Seen::Answer(answer) = seen
                && let Some(call) = answer.tool_use_id
            {
                self.tell_held(cx, &mut book.spent, Some(&call.decode()));
            }
        });
        if agent.is_none() {
            let origin = fields::Origin::of(&chart, entry.origin());
            let by_task = chart.str(origin.kind()).is_some_and(|kind| kind == "task-notification");
            self.hear_user(cx, book, Heard::of(&message, aside, by_task), entry);
        }
        let line = Hearing {
            message: Some(message),
            parent_tool_use_id: agent.map(Str::from),
            is_synthetic: aside,
            tool_use_result: Detail::of(&chart, entry.detail()),
            ..Hearing::default()
        };
        self.on_user(cx, &line);
        true
    }

    /// What it means for the turn.
    fn hear_user(&mut self, cx: &mut Cx<'_, '_>, book: &mut Book, heard: Heard<'_>, entry: &fields::Entry) {
        match heard {
            Heard::Answer if book.turn.is_open() => book.turn.happens(Last::Working),
            Heard::Answer | Heard::Aside => return,
            Heard::Interruption(words) if book.turn.is_open() => {
                book.turn.happens(Last::Failed(turn::interrupted(&words)));
            }
            Heard::Interruption(_) => return,
            Heard::Command => {
                self.end_turn(cx, book);
                self.turns.prompted();
                return;
            }
            Heard::Notification(words) => {
                self.end_task(cx, book, &words);
                self.end_turn(cx, book);
                self.introduce(cx, book, entry, None);
                self.begin_prompted(cx, book, true);
            }
            Heard::Prompt => {
                self.end_turn(cx, book);
                self.introduce(cx, book, entry, None);
                self.begin_prompted(cx, book, false);
            }
        }
        book.turn.stands(cx, self.teller.clock());
    }

    /// A task has ended, and with it perhaps an agent.
    fn end_task(&mut self, cx: &mut Cx<'_, '_>, book: &mut Book, words: &str) {
        let by_task = || tagged(words, "task-id").and_then(|task| book.cast.name(task));
        let Some(agent) = tagged(words, "tool-use-id").or_else(by_task).map(str::to_owned) else { return };
        let status = status_of(tagged(words, "status").map(Str::from));
        let number = |name| tagged(words, name).and_then(|digits| digits.parse().ok());
        let ending = Ending {
            duration_ms: number("duration_ms"),
            usage: None,
            total_tokens: number("subagent_tokens").or_else(|| number("total_tokens")),
        };
        self.tell_held(cx, &mut book.spent, Some(&agent));
        self.end_agent(cx, &agent, status, ending);
    }
}

impl<'l> Heard<'l> {
    fn of(message: &Spoken<'l>, aside: bool, by_task: bool) -> Self {
        let mut heard = None;
        each(message, |seen| {
            heard = match (seen, heard.take()) {
                (_, Some(Heard::Interruption(words))) => Some(Heard::Interruption(words)),
                (Seen::Text { words, .. }, was) => match Heard::words(words.decode(), by_task) {
                    Heard::Prompt if was.is_some() => was,
                    heard => Some(heard),
                },
                (Seen::Answer(_), _) => Some(Heard::Answer),
                (_, was) => was,
            };
        });
        match heard {
            Some(heard @ (Heard::Answer | Heard::Interruption(_))) => heard,
            _ if aside => Heard::Aside,
            heard => heard.unwrap_or(Heard::Prompt),
        }
    }

    fn words(words: Cow<'l, str>, by_task: bool) -> Self {
        let begins = |with: &[&str]| with.iter().any(|tag| words.starts_with(tag));
        if by_task || words.starts_with("<task-notification>") {
            Heard::Notification(words)
        } else if words.starts_with(INTERRUPTED) {
            Heard::Interruption(words)
        } else if begins(&["<command-name>", "<command-message>", "<bash-input>"]) {
            Heard::Command
        } else if begins(&["<local-command-", "<bash-stdout>", "<bash-stderr>"]) {
            Heard::Aside
        } else {
            Heard::Prompt
        }
    }
}

/// Whether a user has typed these words, a command for instance.
pub(crate) fn is_typed(words: &str) -> bool {
    matches!(Heard::words(Cow::Borrowed(words), false), Heard::Prompt | Heard::Command)
}

/// What stands between these tags.
pub(crate) fn tagged<'w>(words: &'w str, name: &str) -> Option<&'w str> {
    let (_, rest) = words.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}
