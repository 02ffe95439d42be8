//! Lines that need not be read, because the lines before say what they say.

use super::Translator;
use super::known::Text;
use super::speech::sub_agent;
use super::teller::Cx;
use crate::event::Event;
use crate::json::Chart;
use crate::line::Line;

impl Translator {
    /// Takes a line that looks like one before; returns whether it does.
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
        self.teller.hear(known.text(Text::Session));
        let agent = sub_agent(known.text(Text::Agent));
        self.streams(&mut cx, agent.as_deref());
        self.on_flow(&mut cx, agent.as_deref(), known.text(Text::Message), known.says());
        true
    }
}
