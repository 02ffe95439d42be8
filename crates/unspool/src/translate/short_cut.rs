//! Lines that need not be read, or not wholly, because the lines before say what they say.

use super::growth::Repeated;
use super::known::Text;
use super::speech::sub_agent;
use super::teller::Cx;
use super::view::Saying;
use super::{Translator, pick};
use crate::event::Event;
use crate::json::Chart;
use crate::line::Line;

impl Translator {
    /// Takes a line that looks like one before, or repeats the last one; returns whether it does.
    pub(super) fn take_short_cut(
        &mut self,
        line: &Line<'_>,
        bytes: &[u8],
        sink: &mut dyn FnMut(Event<'_>),
    ) -> bool {
        if self.careful || line.is_too_long() {
            return false;
        }
        if self.step_twin(line.number, bytes, sink) || self.step_known(line.number, bytes, sink) {
            return true;
        }
        self.twin.forget();
        if self.step_grown(line.number, bytes, sink) {
            return true;
        }
        self.growth.forget();
        false
    }

    /// Takes a line that adds to the same part as the one before; returns whether it does.
    fn step_twin(&mut self, number: u64, line: &[u8], sink: &mut dyn FnMut(Event<'_>)) -> bool {
        let Some((words, uuid)) = self.twin.read(line) else { return false };
        let Some((index, kind)) = self.twin.grows() else { return false };
        let mut cx = Cx { uuid: Some(uuid), ..Cx::new(Some(number), Chart::EMPTY, sink) };
        let agent = self.twin.agent();
        self.on_piece(&mut cx, agent.as_deref(), index, kind, words);
        self.twin.give_back(agent);
        true
    }

    /// Takes a line that looks like one before; returns whether it does.
    fn step_known(&mut self, number: u64, line: &[u8], sink: &mut dyn FnMut(Event<'_>)) -> bool {
        let Some(known) = self.forms.find(line) else { return false };
        self.twin.learn(line, &known);
        let (uuid, time) = (known.text(Text::Uuid), known.text(Text::Time));
        let mut cx = Cx { uuid, time, ..Cx::new(Some(number), Chart::EMPTY, sink) };
        self.growth.forget();
        self.teller.hear(known.text(Text::Session));
        let agent = sub_agent(known.text(Text::Agent));
        self.streams(&mut cx, agent.as_deref());
        self.on_flow(&mut cx, agent.as_deref(), known.text(Text::Message), known.says());
        true
    }

    /// Takes a line that repeats the one before and adds to it; returns whether it does.
    fn step_grown(&mut self, number: u64, line: &[u8], sink: &mut dyn FnMut(Event<'_>)) -> bool {
        if self.growth.is_empty() {
            return false;
        }
        let mut growth = std::mem::take(&mut self.growth);
        let more = growth.shorten(line).and_then(|(short, first, repeated)| {
            let mut index = std::mem::take(&mut self.index);
            let read = |chart| self.read_grown(Cx::new(Some(number), chart, sink), first, repeated);
            let more = index.chart(short).and_then(read);
            self.index = index;
            more
        });
        if let Some((repeated, blocks)) = more {
            match repeated {
                Some(repeated) => growth.learn_more(repeated, blocks),
                None => growth.forget(),
            }
        }
        self.growth = growth;
        more.is_some()
    }

    /// Reads such a line, without what it repeats. Returns what the next may repeat, and where its blocks
    /// are; `None` if it is of another message or odd, and nothing has happened.
    fn read_grown(
        &mut self,
        mut cx: Cx<'_, '_>,
        first: usize,
        repeated: Repeated,
    ) -> Option<(Option<Repeated>, (usize, usize))> {
        let fields = pick::Line::of(&cx.chart, cx.chart.root());
        let is_one = cx.chart.str(fields.kind())? == "assistant" && Saying::fits(&cx.chart, &fields);
        if cx.odd || !is_one {
            return None;
        }
        let line = Saying::of(&cx.chart, &fields);
        let blocks = line.blocks().filter(|blocks| blocks.0 == first)?;
        let other = line.whose() != repeated.whose || line.is_synthetic() != repeated.synthetic;
        // A line of one block that has a uuid is a new part, even if it says the same.
        if other || (line.uuid.is_some() && repeated.blocks < 2) {
            return None;
        }
        self.hear(&mut cx, &fields);
        Some((self.on_assistant(&mut cx, &line, repeated), blocks))
    }
}
