//! A session as one page of HTML, to share: nothing is loaded from anywhere, and nothing in the session can run.
//!
//! Text of the stream goes through `Html::text` or `Html::attr` and nowhere else.

mod agent;
mod answer;
mod bill;
mod call;
mod code;
mod cut;
mod diff;
mod head;
mod html;
mod lanes;
mod markdown;
mod moment;
mod player;
mod policy;
mod talk;
mod timeline;
mod tree;
mod turn;
mod verdict;

pub use html::Html;
pub use markdown::plain_markdown;

use cut::cut;
use markdown::markdown;

use crate::story::{ItemPlace, Story};
use std::io;

/// What is written before it is passed on.
const PIECE: usize = 256 << 10;

/// How a page is made.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Page<'s> {
    /// The session.
    pub story: &'s Story,
    /// Nothing is left out.
    pub full: bool,
    /// The title, where somebody has chosen one.
    pub title: Option<&'s str>,
    /// It has a player: the session as it stood at any moment.
    pub play: bool,
}

/// Colours of agents; the main agent has the first.
const COLOURS: [&str; 8] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

impl<'s> Page<'s> {
    /// The page of a session, with long outputs cut.
    #[must_use]
    pub fn of(story: &'s Story) -> Self {
        Page { story, full: false, title: None, play: false }
    }

    /// Writes the page.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.write(|piece| out.write_all(piece.as_bytes()))
    }
}

impl Page<'_> {
    /// Hands on the page, piece by piece.
    pub fn write(&self, mut pass: impl FnMut(String) -> io::Result<()>) -> io::Result<()> {
        let mut html = Html::default();
        self.head(&mut html);
        html.raw("<div class=\"layout\">\n");
        self.tree(&mut html);
        html.raw("<main>\n");
        self.answer_section(&mut html);
        self.problems(&mut html);
        self.timeline(&mut html);
        html.raw("<section id=\"conversation\" aria-labelledby=\"talk\" class=\"agent c0\">\n");
        html.raw("<h2 id=\"talk\">Conversation</h2>\n");
        let mut passed = Ok(());
        self.turns(&mut html, &mut |html| {
            if passed.is_ok() && html.len() >= PIECE {
                passed = pass(html.take());
            }
        });
        passed?;
        html.raw("</section>\n");
        self.bill(&mut html);
        html.raw("</main>\n</div>\n<footer>Made by unspool ").raw(env!("CARGO_PKG_VERSION"));
        html.raw(". Everything in this page comes from the session itself; nothing is loaded.</footer>\n");
        self.player(&mut html);
        html.raw("<script>").raw(policy::script(self.play)).raw("</script>\n</body>\n</html>\n");
        pass(html.take())
    }
}

/// The colour of an agent.
fn colour(agent: usize) -> &'static str {
    if agent == 0 { COLOURS[0] } else { COLOURS[1 + (agent - 1) % (COLOURS.len() - 1)] }
}

/// The anchor of an item.
fn anchor(place: ItemPlace) -> String {
    format!("i{}-{}", place.agent, place.item)
}

/// The anchor of a turn, by its rank.
fn turn_anchor(turn: usize) -> String {
    format!("t{turn}")
}

/// The anchor of an agent.
fn agent_anchor(agent: usize) -> String {
    if agent == 0 { "conversation".to_owned() } else { format!("a{agent}") }
}

#[cfg(test)]
mod plays;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trouble;
