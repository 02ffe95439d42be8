//! Which moment an element belongs to, where the page has a player: with which moment it comes (`data-n`), with which it goes
//! again (`data-u`), and with which it is seen what came of it (`data-r`). The script shows and hides by these numbers and
//! knows nothing else of the session. As it is written, the page shows the last moment.

use super::{Html, Page, anchor};
use crate::story::{Called, Figures, Item, ItemPlace};

impl Page<'_> {
    /// Opens the tag of an item: all but the end of its tag is given, its anchor is added.
    pub(super) fn open(&self, tag: &'static str, place: ItemPlace, html: &mut Html) {
        html.raw(tag).attr("id", &anchor(place));
        let came = self.story.came(place);
        match &self.story.agents[place.agent].items[place.item] {
            // Until then the agent says itself what there is to say.
            Item::Call(call) if call.agent.is_some() => self.from(self.answered_with(call).max(came), html),
            Item::Call(call) => {
                self.from(came, html);
                self.result(self.answered_with(call), html);
            }
            _ => self.from(came, html),
        }
        html.raw(">");
    }

    /// The element whose tag is open comes with this moment.
    pub(super) fn from(&self, moment: usize, html: &mut Html) {
        self.number("data-n", moment, html);
    }

    /// What came of it is seen with this moment.
    pub(super) fn result(&self, moment: usize, html: &mut Html) {
        self.number("data-r", moment, html);
    }

    /// It goes again with this moment.
    pub(super) fn until(&self, moment: usize, html: &mut Html) {
        self.number("data-u", moment, html);
        html.raw(if self.play { " hidden" } else { "" });
    }

    /// The last moment.
    pub(super) fn last(&self) -> usize {
        self.story.moments.last()
    }

    /// When it was seen what came of a call; of one without an answer that is seen at the end, and of one that was taken back
    /// at once.
    pub(super) fn answered_with(&self, call: &Called) -> usize {
        let open = if call.abandoned && !call.denied { 0 } else { self.last() };
        call.seen.answered.unwrap_or(open)
    }

    /// When something that went wrong was seen to have gone wrong.
    pub(super) fn trouble_with(&self, place: ItemPlace, item: &Item) -> usize {
        match item {
            Item::Call(call) => self.answered_with(call).max(self.story.came(place)),
            _ => self.story.came(place),
        }
    }

    /// Words about several things: before the last of them has come, there are other words.
    pub(super) fn so_far(
        &self,
        moments: impl Iterator<Item = usize>,
        words: &'static str,
        html: &mut Html,
        write: impl FnOnce(&mut Html),
    ) {
        if !self.play {
            return write(html);
        }
        let last = moments.max().unwrap_or(0);
        html.raw("<span");
        self.from(0, html);
        self.until(last, html);
        html.raw(">").raw(words).raw("</span><span");
        self.from(last, html);
        html.raw(">");
        write(html);
        html.raw("</span>");
    }

    /// A fact at the top, by moments.
    pub(super) fn fact(&self, then: fn(&Figures) -> Option<String>, value: &str, html: &mut Html) {
        let known = self.story.figures.iter().filter_map(|(moment, figures)| Some((*moment, then(figures)?)));
        let mut words: Vec<(usize, String)> = vec![(0, "–".to_owned())];
        for (moment, word) in known.chain([(self.last(), value.to_owned())]) {
            let moment = moment.min(self.last());
            while words.len() > 1 && words.last().is_some_and(|(before, _)| *before >= moment) {
                words.pop();
            }
            if words.last().is_none_or(|(_, before)| *before != word) {
                words.push((moment, word));
            }
        }
        html.raw("<dd>");
        let ends = words.iter().skip(1).map(|(moment, _)| Some(*moment)).chain([None]);
        for ((moment, word), end) in words.iter().zip(ends) {
            html.raw("<span");
            self.from(*moment, html);
            end.into_iter().for_each(|end| self.until(end, html));
            html.raw(">").text(word).raw("</span>");
        }
        html.raw("</dd>");
    }

    fn number(&self, name: &'static str, moment: usize, html: &mut Html) {
        if self.play {
            html.attr(name, &moment.min(self.last()).to_string());
        }
    }
}
