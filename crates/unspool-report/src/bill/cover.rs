//! Which reports include messages that stand in another file only.
//!
//! A stream reports what all agents have spent, and does not print what sub-agents say; their messages are in its
//! transcript. Such a message is in the report that includes what the main agent said next, for reports include
//! everything up to then. Where the main agent says nothing more, it is in the last report if that has room for it.

use super::count::Count;
use super::messages::{File, Mention, Message, Paid, ReportId};
use super::statement::{Kind, Names};
use std::collections::HashMap;

/// Finds the reports of messages that are in none yet.
pub(super) fn cover(files: &[File], messages: &mut [Message], models: &Names) {
    let mut room = Room::of(files, messages, models);
    for file in files.iter().filter(|file| file.kind == Kind::Transcript) {
        let found = Timeline::of(file, messages).reports(file, messages, &mut room);
        for (message, id) in found {
            let report = files.get(id.0).and_then(|file| file.reported.get(id.1));
            if let (Some(message), Some(report)) = (messages.get_mut(message), report) {
                message.report = Some(id);
                message.covered = report.models.is_some();
                message.paid = message.paid.or(report.cost.map(|_| Paid::ByReport));
            }
        }
    }
    follow(messages);
}

/// What an advisor spent is in the report of the message on which it was spent.
fn follow(messages: &mut [Message]) {
    if messages.iter().all(|message| message.said.advises.is_none()) {
        return;
    }
    let reports: HashMap<u64, (Option<ReportId>, bool, Option<Paid>)> = messages
        .iter()
        .filter_map(|message| Some((message.said.id?, (message.report, message.covered, message.paid))))
        .collect();
    for message in messages {
        let report = message.said.advises.and_then(|advised| reports.get(&advised));
        if let Some((report, covered, paid)) = report {
            (message.report, message.covered, message.paid) = (*report, *covered, *paid);
        }
    }
}

/// What the main agent of a session said, in the order of time, and in which reports it is.
struct Timeline(Vec<(i64, Option<ReportId>)>);

impl Timeline {
    fn of(file: &File, messages: &[Message]) -> Self {
        let said = file.mentions.iter().filter(|mention| mention.is_main);
        let said = said.filter_map(|mention| messages.get(mention.message));
        let mut said: Vec<_> =
            said.filter_map(|message| Some((message.said.place.time?, message.report))).collect();
        said.sort_unstable_by_key(|(time, _)| *time);
        Timeline(said)
    }

    /// The messages of this file's sub-agents that are in no report yet, with those that they are in.
    fn reports(&self, file: &File, messages: &[Message], room: &mut Room) -> Vec<(usize, ReportId)> {
        if self.0.iter().all(|(_, report)| report.is_none()) {
            return Vec::new();
        }
        let report = |mention: &Mention| {
            let is_due = |message: &&Message| message.report.is_none() && message.said.advises.is_none();
            let message = messages.get(mention.message).filter(is_due)?;
            let time = message.said.place.time?;
            let next = self.0.partition_point(|(said, _)| *said <= time);
            let after = self.0.get(next).and_then(|(_, report)| *report);
            let before = || next.checked_sub(1).and_then(|last| self.0.get(last)?.1);
            let report = after.or_else(|| before().filter(|report| room.has_for(*report, message)))?;
            room.take(report, message);
            Some((mention.message, report))
        };
        file.mentions.iter().filter(|mention| !mention.is_main).filter_map(report).collect()
    }
}

/// What reports have beyond the messages that are known to be in them.
struct Room<'n> {
    models: &'n Names,
    left: HashMap<(ReportId, &'n str), Count>,
}

impl<'n> Room<'n> {
    fn of(files: &[File], messages: &[Message], models: &'n Names) -> Self {
        let mut room = Room { models, left: HashMap::new() };
        for (at, file) in files.iter().enumerate().filter(|(_, file)| file.kind == Kind::Stream) {
            for (report, reported) in file.reported.iter().enumerate() {
                for (model, count, _) in reported.models.iter().flatten() {
                    room.left.entry(((at, report), plain(models.name(*model)))).or_default().add(count);
                }
            }
        }
        for message in messages {
            message.report.into_iter().for_each(|report| room.take(report, message));
        }
        room
    }

    fn has_for(&self, report: ReportId, message: &Message) -> bool {
        let left = self.place(message).and_then(|model| self.left.get(&(report, model)));
        let figures = message.said.count.unwrap_or_default().figures();
        left.is_some_and(|left| left.figures().iter().zip(figures).all(|(left, figure)| *left >= figure))
    }

    fn take(&mut self, report: ReportId, message: &Message) {
        let Some(model) = self.place(message) else { return };
        if let Some(left) = self.left.get_mut(&(report, model)) {
            *left = left.minus(&message.said.count.unwrap_or_default());
        }
    }

    fn place(&self, message: &Message) -> Option<&'n str> {
        message.said.model.map(|model| plain(self.models.name(model)))
    }
}

/// The name of a model in its messages: reports may say beside it how much fits in.
pub(super) fn plain(model: &str) -> &str {
    model.split_once('[').map_or(model, |(name, _)| name)
}
