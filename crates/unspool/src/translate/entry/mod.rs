//! Entries of transcripts, told as the lines of a stream are.
//!
//! What was said stands in an entry as on the wire; the names around it differ, agents are named otherwise, there
//! is no `system/init` and no `result`. So an entry is brought into the same few fields as a line, and all else is
//! the same.

mod cast;
mod figures;
mod listed;
mod spent;
mod time;
mod turn;
mod user;

pub use cast::Cast;
pub use figures::{Advice, Expense, Figure, Figures, Totals};
pub use time::milliseconds;
pub(crate) use user::{is_typed, tagged};

use crate::digest;
use crate::event::{Event, Raw, What};
use crate::json::{Chart, Str};
use crate::line::Line;
use crate::tally::Models;
use crate::translate::Translator;
use crate::translate::memory::recent::Recent;
use crate::translate::read::fields;
use crate::translate::read::line::{Saying, Spoken};
use crate::translate::read::models::Bills;
use crate::translate::tell::Cx;
use crate::wire::entry::AttachedKind;
use crate::wire::system::SYSTEM;
use crate::wire::{EntryKind, Kind};
use spent::Spent;
use std::borrow::Cow;
use time::Clock;
use turn::{Last, Turn};

/// Entries whose uuid is remembered.
const ENTRIES: usize = 4096;

/// Told in an event's own words.
const TOLD: &[&str] = &["type", "uuid", "sessionId", "timestamp"];
const TOLD_SYSTEM: &[&str] = &["type", "subtype", "uuid", "sessionId", "timestamp"];

/// What is known of a transcript beside what is known of any stream.
#[derive(Debug)]
pub(crate) struct Book {
    cast: Cast,
    /// The session whose file it is. Entries that were copied from another one may bear that one's id.
    session: Option<String>,
    clock: Clock,
    entries: Recent,
    turn: Turn,
    spent: Spent,
    /// The totals that the CLI wrote down last.
    report: Option<(f64, Models)>,
    /// Version, model and permission mode that were told.
    meta: Option<[Option<String>; 3]>,
}

impl Default for Book {
    fn default() -> Self {
        Book {
            cast: Cast::default(),
            session: None,
            clock: Clock::default(),
            entries: Recent::new(ENTRIES),
            turn: Turn::default(),
            spent: Spent::default(),
            report: None,
            meta: None,
        }
    }
}

impl Book {
    /// The session whose file it is.
    pub(crate) fn of_session(&mut self, session: String) {
        self.session = Some(session);
    }

    /// What is known of the agents before their entries are told.
    pub(crate) fn with_cast(&mut self, cast: Cast) {
        self.cast = cast;
    }
}

impl Translator {
    /// Takes an entry of a transcript; hands on what it adds, in order.
    pub(crate) fn step_entry(&mut self, line: Line<'_>, book: &mut Book, sink: &mut dyn FnMut(Event<'_>)) {
        self.reads_transcript();
        self.look(line, sink, &mut |it, cx| it.read_entry(cx, book));
    }

    /// The file of an agent has ended. An agent that no call has started ends with it.
    pub(crate) fn end_entries(&mut self, agent: &str, book: &mut Book, sink: &mut dyn FnMut(Event<'_>)) {
        let Some(name) = book.cast.name(agent).filter(|name| *name == agent).map(str::to_owned) else {
            return;
        };
        let mut cx = Cx::new(None, Chart::EMPTY, sink);
        let status = book.spent.status(&name);
        self.tell_held(&mut cx, &mut book.spent, Some(&name));
        self.end_agent(&mut cx, &name, status, crate::translate::agents::lifecycle::Ending::default());
    }

    /// The transcript has ended: what is still owed is told, and `finished`.
    pub(crate) fn finish_entries(&mut self, book: &mut Book, sink: &mut dyn FnMut(Event<'_>)) {
        self.reads_transcript();
        let mut cx = Cx::new(None, Chart::EMPTY, sink);
        self.end_turn(&mut cx, book);
        self.tell_all_held(&mut cx, &mut book.spent, true);
        // A turn that was left in the middle has no figures of its own, but what it cost may have been written down.
        if book.report.is_some() {
            self.tally.take_summed(self.teller.session().unwrap_or_default(), book.summed());
        }
        self.finish(sink);
    }

    fn read_entry(&mut self, cx: &mut Cx<'_, '_>, book: &mut Book) {
        let chart = cx.chart();
        let entry = fields::Entry::of(&chart, chart.root());
        cx.bears(chart.str(entry.uuid()), chart.str(entry.timestamp()));
        match &book.session {
            Some(session) => self.teller.hear(Some(Str::from(session.as_str()))),
            None => self.teller.hear(chart.str(entry.session())),
        }
        if chart.first(entry.forked_from()) == b'{' {
            book.clock.has_copy();
        }
        let kind = chart.str(entry.kind()).map(Str::decode).unwrap_or_default();
        if let Some(uuid) = cx.uuid() {
            let bounds = chart.value(entry.message()).map_or(0, |message| message.text().len());
            let entry = digest::join(digest::hash_of(&uuid.decode()), digest::hash_of(&kind));
            if !book.entries.insert(digest::join(entry, bounds as u64)) {
                return;
            }
        }
        let agent = book.cast.whose(&chart, &entry, &self.calls);
        let now = cx.time().and_then(|time| milliseconds(&time.decode()));
        self.teller.set_clock(match (now, cx.uuid()) {
            (Some(now), Some(_)) => Some(book.clock.said(agent.as_deref(), now)),
            (Some(now), None) => book.clock.noted(now),
            (None, _) => book.clock.latest(),
        });
        if let Some(agent) = agent.as_deref() {
            self.announce_as(cx, agent, || book.cast.brief(agent));
        }
        if !self.entry_as(cx, book, &kind, &entry, agent.as_deref()) {
            self.on_unknown(cx, agent.as_deref());
        }
    }

    /// Tells an entry as what it says it is. Returns whether it has that shape.
    fn entry_as(
        &mut self,
        cx: &mut Cx<'_, '_>,
        book: &mut Book,
        kind: &str,
        entry: &fields::Entry,
        agent: Option<&str>,
    ) -> bool {
        let chart = cx.chart();
        match Kind::of_type(kind) {
            Some(Kind::Assistant) => return self.entry_assistant(cx, book, entry, agent),
            Some(Kind::User) => return self.entry_user(cx, book, entry, agent),
            _ if kind == SYSTEM => return self.entry_system(cx, entry, agent),
            _ => {}
        }
        match EntryKind::of(kind) {
            Some(EntryKind::CostState) => {
                let models = Bills::of(&chart, entry.model_usage()).map(|bills| bills.models());
                let total = chart.f64(entry.total_cost_usd());
                book.report = total.map(|total| (total, models.unwrap_or_default())).or(book.report.take());
            }
            Some(EntryKind::Attachment) => self.attached(cx, book, entry, agent),
            Some(_) => {}
            None => return false,
        }
        let (kind, data) = (Cow::Borrowed(kind), Raw::without(chart.json(), TOLD));
        self.teller.tell(cx, agent, What::Notice { kind, data });
        true
    }

    fn entry_assistant(
        &mut self,
        cx: &mut Cx<'_, '_>,
        book: &mut Book,
        entry: &fields::Entry,
        agent: Option<&str>,
    ) -> bool {
        let chart = cx.chart();
        if chart.first(entry.message()) != b'{' {
            return false;
        }
        let line = Saying {
            message: Some(Spoken::of(&chart, entry.message())),
            parent_tool_use_id: agent.map(Str::from),
            uuid: cx.uuid(),
            error: entry.error(),
            api_error_status: entry.api_error_status(),
            ..Saying::default()
        };
        let message = Spoken::of(&chart, entry.message());
        let synthetic = line.is_synthetic();
        self.hold_usage(cx, &mut book.spent, agent, &message, entry);
        if agent.is_none() {
            self.introduce(cx, book, entry, message.model.filter(|_| !synthetic));
            if !book.turn.is_open() {
                self.begin_prompted(cx, book, false);
            }
        }
        self.on_assistant(cx, &line);
        if agent.is_none() {
            let is_error = chart.bool(entry.is_api_error()) == Some(true);
            let failed = (synthetic && is_error).then(|| {
                let mut words = String::new();
                turn::each(&message, |seen| {
                    if let crate::translate::read::content::Seen::Text { words: text, .. } = seen {
                        words = text.to_string();
                    }
                });
                let status = chart.u64(entry.api_error_status());
                turn::api_failure(&words, chart.str(entry.error()), status)
            });
            book.turn.speaks(&message, failed);
            book.turn.stands(cx, self.teller.clock());
        }
        true
    }

    /// Tells `session_meta` when it is due.
    fn introduce(
        &mut self,
        cx: &mut Cx<'_, '_>,
        book: &mut Book,
        entry: &fields::Entry,
        model: Option<Str<'_>>,
    ) {
        let [version, mode] = [entry.version(), entry.permission_mode()].map(|place| cx.chart().str(place));
        let is_told = |new: Option<Str<'_>>, told: &Option<String>| {
            new.is_none_or(|new| told.as_deref().is_some_and(|told| new == told))
        };
        if let Some([told_version, told_model, told_mode]) = &book.meta
            && is_told(version, told_version)
            && is_told(model, told_model)
            && is_told(mode, told_mode)
        {
            return;
        }
        let own = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        let [was_version, was_model, was_mode] = book.meta.clone().unwrap_or_default();
        let model = own(model).or_else(|| book.cast.take_model());
        let meta = [own(version).or(was_version), model.or(was_model), own(mode).or(was_mode)];
        let what = What::SessionMeta {
            model: meta[1].as_deref().map(Cow::Borrowed),
            cwd: cx.chart().str(entry.cwd()).map(Str::decode),
            tools: None,
            mcp_servers: None,
            permission_mode: meta[2].as_deref().map(Cow::Borrowed),
            version: meta[0].as_deref().map(Cow::Borrowed),
        };
        self.teller.tell(cx, None, what);
        book.meta = Some(meta);
    }

    /// Something was put beside the conversation.
    fn attached(&mut self, cx: &Cx<'_, '_>, book: &mut Book, entry: &fields::Entry, agent: Option<&str>) {
        if agent.is_some() || !book.turn.is_open() {
            return;
        }
        let chart = cx.chart();
        let kind = chart.str(fields::Attachment::of(&chart, entry.attachment()).kind());
        match kind.map(AttachedKind::from) {
            Some(AttachedKind::MaxTurnsReached) => book.turn.happens(Last::Failed(turn::max_turns())),
            Some(AttachedKind::StructuredOutput) => book.turn.happens(Last::Done),
            _ => {}
        }
    }
}
