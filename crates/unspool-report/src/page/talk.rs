//! The conversation: what an agent said and did, and under its calls what their agents said and did.

use super::code::paint;
use super::verdict::because;
use super::{Html, Page, cut, markdown};
use crate::story::{Excerpt, Image, Item, ItemPlace, Utterance};
use crate::words::{Notice, Weight, count, failure_beside, grouped, one_line};
use unspool::event::Role;
use unspool::wire::BlockKind;

/// The first words of what is folded.
const GIST: usize = 100;

/// So many items come and go together with what is around them: a browser looks at all that stands side by side.
const TOGETHER: usize = 48;

impl Page<'_> {
    /// Appends what an agent said and did, and below it, folded, what the machine noticed meanwhile. `pass` is called now
    /// and then, to hand on what is there.
    pub(super) fn talk(
        &self,
        agent: usize,
        ranks: impl Iterator<Item = usize>,
        html: &mut Html,
        pass: &mut dyn FnMut(&mut Html),
    ) {
        let items = &self.story.agents[agent].items;
        let answer = self.answered().filter(|_| agent == 0).map(|(_, rank)| rank);
        let mut noise = Vec::new();
        let ranks: Vec<usize> = ranks.collect();
        for some in ranks.chunks(TOGETHER) {
            let together = self.play && ranks.len() > TOGETHER;
            if together {
                html.raw("<div");
                let came = some.iter().map(|item| self.story.came(ItemPlace { agent, item: *item }));
                self.from(came.min().unwrap_or(0), html);
                html.raw(">\n");
            }
            for &item in some {
                let place = ItemPlace { agent, item };
                if is_noise(&items[item]) {
                    noise.push(item);
                } else if answer == Some(item) && !matches!(items[item], Item::TurnEnd(_)) {
                    self.answer_link(place, html);
                } else {
                    self.item(place, &items[item], html, pass);
                }
                pass(html);
            }
            html.raw(if together { "</div>\n" } else { "" });
        }
        self.noise(agent, &noise, html, pass);
    }

    /// Whether an item of the main agent is noise.
    pub(super) fn is_noise(&self, rank: usize) -> bool {
        is_noise(&self.story.agents[0].items[rank])
    }

    fn noise(&self, agent: usize, ranks: &[usize], html: &mut Html, pass: &mut dyn FnMut(&mut Html)) {
        if ranks.is_empty() {
            return;
        }
        let items = &self.story.agents[agent].items;
        let came = || ranks.iter().map(|item| self.story.came(ItemPlace { agent, item: *item }));
        html.raw("<details class=\"folded\"");
        self.from(came().min().unwrap_or(0), html);
        html.raw("><summary>");
        self.so_far(came(), "Notices so far", html, |html| {
            html.text(&count(ranks.len() as u64, "notice"));
            html.raw("<span class=\"gist\"> ")
                .text(&kinds(ranks.iter().map(|rank| &items[*rank])))
                .raw("</span>");
        });
        html.raw("</summary>\n");
        for &item in ranks {
            self.item(ItemPlace { agent, item }, &items[item], html, pass);
            pass(html);
        }
        html.raw("</details>\n");
    }

    pub(super) fn item(
        &self,
        place: ItemPlace,
        item: &Item,
        html: &mut Html,
        pass: &mut dyn FnMut(&mut Html),
    ) {
        match item {
            Item::Prompt(said) => self.prompt(place, said, html),
            Item::Text(said) => {
                self.open("<div class=\"item text\" dir=\"auto\"", place, html);
                marks(said, html);
                markdown(&said.text, html);
                html.raw("</div>\n");
            }
            Item::Thinking(said) => self.thinking(place, said, html),
            Item::Call(call) => match call.agent {
                Some(agent) => self.nested(agent, Some((place, call)), html, pass),
                None => self.call(place, call, html),
            },
            Item::Stray { tool, answer } => self.stray(place, tool.as_deref(), answer, html),
            Item::Block { kind, role, text, image, abandoned } => {
                self.block(place, kind, *role, *abandoned, html);
                image.iter().for_each(|image| picture(image, html));
                excerpt(text, "", html);
                html.raw("</details>\n");
            }
            Item::Notice { notice, data } => self.notice(place, notice, data, html),
            Item::Error { kind, status, text } => {
                self.open("<div class=\"item error\" role=\"note\"", place, html);
                html.raw("<strong>✗ ").raw(because(*kind));
                if let Some(status) = status {
                    html.raw(", HTTP ").show(status);
                }
                let words = failure_beside(*kind, text);
                html.raw("</strong> ").element("span", "words", &words);
                if text.contains('{') {
                    html.raw("<details class=\"said\"><summary>As it came</summary>");
                    excerpt(&Excerpt::whole(text), "", html);
                    html.raw("</details>");
                }
                html.raw("</div>\n");
            }
            Item::Structured(value) => {
                self.open("<div class=\"item structured\"", place, html);
                code_excerpt(value, "json", html);
                html.raw("</div>\n");
            }
            Item::TurnEnd(end) => {
                let moved = self.answered() == Some((self.story.turns.len() - 1, place.item));
                if moved {
                    self.answer_link(place, html);
                }
                self.turn_end(place, end, moved, html);
            }
            Item::Agent(agent) => self.nested(*agent, None, html, pass),
            Item::Unknown(raw) => {
                self.open("<details class=\"item unknown\"", place, html);
                html.raw("<summary>A line of a kind that nobody has described</summary>");
                excerpt(raw, "", html);
                html.raw("</details>\n");
            }
            Item::Malformed { reason, text, bytes } => {
                self.open("<details class=\"item malformed\" open", place, html);
                html.raw("<summary><strong>✗ A line that is not JSON</strong> (").text(reason).raw(", ");
                html.text(&count(*bytes, "byte")).raw(")</summary>");
                excerpt(text, "", html);
                html.raw("</details>\n");
            }
        }
    }
}

impl Page<'_> {
    fn prompt(&self, place: ItemPlace, said: &Utterance, html: &mut Html) {
        if said.synthetic {
            self.open("<details class=\"item prompt\"", place, html);
            html.raw("<summary>Put in by Claude Code <span class=\"gist\">").text(&gist(&said.text));
            html.raw("</span></summary>").element("pre", "words", &said.text).raw("</details>\n");
            return;
        }
        self.open("<div class=\"item prompt\" dir=\"auto\"", place, html);
        html.raw("<span class=\"who\">Prompt</span>").element("div", "words", &said.text).raw("</div>\n");
    }

    fn thinking(&self, place: ItemPlace, said: &Utterance, html: &mut Html) {
        self.open("<details class=\"item thinking\"", place, html);
        html.raw("<summary>Thinking <span class=\"gist\">").text(&gist(&said.text)).raw("</span></summary>");
        html.raw("<div dir=\"auto\">");
        marks(said, html);
        markdown(&said.text, html);
        html.raw("</div></details>\n");
    }

    fn block(&self, place: ItemPlace, kind: &str, role: Role, abandoned: bool, html: &mut Html) {
        let is_picture = BlockKind::of(kind) == Some(BlockKind::Image);
        self.open(
            if is_picture { "<details class=\"item block\" open" } else { "<details class=\"item block\"" },
            place,
            html,
        );
        html.raw("<summary>Part ").element("strong", "", kind).raw(" of the ").show(role);
        html.raw(if abandoned { " <span class=\"badge\">abandoned</span></summary>" } else { "</summary>" });
    }

    fn notice(&self, place: ItemPlace, notice: &Notice, data: &Excerpt, html: &mut Html) {
        let tag = match notice.weight {
            Weight::Bad => "<details class=\"item notice bad\"",
            Weight::Warning => "<details class=\"item notice warning\"",
            Weight::Plain => "<details class=\"item notice\"",
            Weight::Faint | Weight::Program => "<details class=\"item notice faint\"",
        };
        self.open(tag, place, html);
        html.raw("<summary>");
        match notice.weight {
            Weight::Bad => drop(html.raw("✗ ")),
            Weight::Warning => drop(html.raw("⚠ ")),
            _ => {}
        }
        html.element("strong", "", &notice.about).raw(" ").text(&notice.words).raw("</summary>");
        excerpt(data, "", html);
        html.raw("</details>\n");
    }
}

fn marks(said: &Utterance, html: &mut Html) {
    if said.abandoned {
        html.raw("<span class=\"badge\">abandoned: never confirmed</span> ");
    }
    if said.synthetic {
        html.raw("<span class=\"badge\">by Claude Code, not by a model</span> ");
    }
}

/// A text with its beginning and its end.
pub(super) fn excerpt(text: &Excerpt, class: &'static str, html: &mut Html) {
    if text.is_empty() {
        return;
    }
    html.raw("<pre class=\"output ").raw(class).raw("\" tabindex=\"0\">").text(&text.head);
    if text.left_out > 0 {
        left_out(text.left_out, html);
        html.raw("<pre class=\"output ").raw(class).raw("\" tabindex=\"0\">").text(&text.tail);
    }
    html.raw("</pre>");
}

/// A text in the colours of its language.
pub(super) fn code_excerpt(text: &Excerpt, language: &str, html: &mut Html) {
    html.raw("<pre class=\"output\" tabindex=\"0\">");
    paint(language, &text.head, html);
    if text.left_out > 0 {
        left_out(text.left_out, html);
        html.raw("<pre class=\"output\" tabindex=\"0\">").text(&text.tail);
    }
    html.raw("</pre>");
}

fn left_out(bytes: usize, html: &mut Html) {
    html.raw("</pre><p class=\"left-out\">").text(&grouped(bytes as u64)).raw(" bytes are left out</p>");
}

pub(super) fn picture(image: &Image, html: &mut Html) {
    match image {
        Image::Shown { media, base64 } => {
            html.raw("<img alt=\"A picture of the session\" loading=\"lazy\"");
            html.attr("src", &format!("data:{media};base64,{base64}")).raw(">");
        }
        Image::Left(why) => drop(html.raw("<span class=\"picture\">picture (").text(why).raw(")</span>")),
    }
}

/// The first words of a text.
fn gist(text: &str) -> String {
    cut(&one_line(text.trim().lines().next().unwrap_or_default()), GIST)
}

/// What nobody reads unless something is amiss.
fn is_noise(item: &Item) -> bool {
    match item {
        Item::Notice { notice, .. } => notice.weight <= Weight::Faint,
        Item::Unknown(_) => true,
        _ => false,
    }
}

/// What notices are about, each once.
fn kinds<'i>(items: impl Iterator<Item = &'i Item>) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for item in items {
        let kind = if let Item::Notice { notice, .. } = item { &*notice.about } else { "not described" };
        if !kinds.contains(&kind) && kinds.len() < 12 {
            kinds.push(kind);
        }
    }
    kinds.join(", ")
}
