//! The conversation: what an agent said and did, and under its calls what their agents said and did.

use super::{Html, Page, agent_anchor, anchor, colour, markdown};
use crate::story::{Excerpt, Image, Item, Place, Said, TurnEnd};
use crate::words::{Notice, Weight, count, duration, money, one_line, tokens};
use unspool::event::{AgentStatus, Cause, Role};

/// Agents with fewer items are open from the beginning.
const SMALL: usize = 40;

/// So many faint notices in a row are folded into one line.
const FOLDED: usize = 3;

impl Page<'_> {
    /// Appends all that an agent said and did. `pass` is called now and then, to hand on what is there.
    pub(super) fn talk(&self, agent: usize, html: &mut Html, pass: &mut dyn FnMut(&mut Html)) {
        let items = &self.story.agents[agent].items;
        let mut item = 0;
        while item < items.len() {
            let faint = items[item..].iter().take_while(|item| is_faint(item)).count();
            let folded = faint >= FOLDED;
            if folded {
                html.raw("<details class=\"folded\"><summary>").text(&count(faint as u64, "notice"));
                html.raw(": ").text(&kinds(&items[item..item + faint])).raw("</summary>\n");
            }
            for _ in 0..if folded { faint } else { 1 } {
                self.item(Place { agent, item }, &items[item], html, pass);
                item += 1;
            }
            if folded {
                html.raw("</details>\n");
            }
            pass(html);
        }
    }

    fn item(&self, place: Place, item: &Item, html: &mut Html, pass: &mut dyn FnMut(&mut Html)) {
        match item {
            Item::Turn { number, cause } => turn(place, *number, *cause, html),
            Item::Prompt(said) => prompt(place, said, html),
            Item::Text(said) => {
                open("<div class=\"item text\" dir=\"auto\"", place, html);
                marks(said, html);
                markdown(&said.text, html);
                html.raw("</div>\n");
            }
            Item::Thinking(said) => thinking(place, said, html),
            Item::Call(call) => {
                self.call(place, call, html);
                if let Some(agent) = call.agent {
                    self.nested(agent, html, pass);
                }
            }
            Item::Stray { tool, answer } => self.stray(place, tool.as_deref(), answer, html),
            Item::Block { kind, role, text, image, abandoned } => {
                block(place, kind, *role, *abandoned, html);
                image.iter().for_each(|image| picture(image, html));
                excerpt(text, "", html);
                html.raw("</details>\n");
            }
            Item::Notice { notice, data } => self::notice(place, notice, data, html),
            Item::Error { kind, status, text } => {
                open("<div class=\"item error\" role=\"note\"", place, html);
                html.raw("<strong>✗ Error: ").show(kind);
                if let Some(status) = status {
                    html.raw(", HTTP ").show(status);
                }
                html.raw("</strong> ").element("span", "words", text).raw("</div>\n");
            }
            Item::Structured(value) => {
                open("<div class=\"item structured\"", place, html);
                html.raw("<strong>Structured answer</strong>");
                excerpt(value, "", html);
                html.raw("</div>\n");
            }
            Item::TurnEnd(end) => turn_end(place, end, html),
            Item::Agent(agent) => self.nested(*agent, html, pass),
            Item::Unknown(raw) => {
                open("<details class=\"item unknown\"", place, html);
                html.raw("<summary>A line of a kind that nobody has described</summary>");
                excerpt(raw, "", html);
                html.raw("</details>\n");
            }
            Item::Malformed { reason, text, bytes } => {
                open("<details class=\"item malformed\" open", place, html);
                html.raw("<summary><strong>✗ A line that is not JSON</strong> (").text(reason).raw(", ");
                html.text(&count(*bytes, "byte")).raw(")</summary>");
                excerpt(text, "", html);
                html.raw("</details>\n");
            }
        }
    }

    /// An agent under the call that started it.
    fn nested(&self, agent: usize, html: &mut Html, pass: &mut dyn FnMut(&mut Html)) {
        let member = &self.story.agents[agent];
        html.raw("<details class=\"agent ").raw(colour(agent)).raw("\"").attr("id", &agent_anchor(agent));
        let bad = matches!(member.status, Some(AgentStatus::Failed | AgentStatus::Stopped));
        html.raw(if member.items.len() <= SMALL || bad { " open><summary>" } else { "><summary>" });
        html.raw("<span class=\"dot\" aria-hidden=\"true\">●</span> Agent ").element(
            "strong",
            "",
            &member.name(),
        );
        html.raw(if bad { " <small class=\"bad\">" } else { " <small>" }).text(&self.about(agent));
        html.raw("</small></summary>\n");
        self.talk(agent, html, pass);
        html.raw("</details>\n");
    }
}

/// Opens the tag of an item: all but the end of its tag is given, its anchor is added.
pub(super) fn open(tag: &'static str, place: Place, html: &mut Html) {
    html.raw(tag).attr("id", &anchor(place)).raw(">");
}

fn turn(place: Place, number: u64, cause: Cause, html: &mut Html) {
    open("<h3 class=\"turn\"", place, html);
    html.raw("Turn ").show(number);
    match cause {
        Cause::Task => drop(html.raw(" <small>begun by a task that ended</small>")),
        Cause::Command => drop(html.raw(" <small>a local command</small>")),
        _ => {}
    }
    html.raw("</h3>\n");
}

fn prompt(place: Place, said: &Said, html: &mut Html) {
    if said.synthetic {
        open("<details class=\"item prompt\"", place, html);
        html.raw("<summary>Put in by Claude Code <span class=\"gist\">").text(&gist(&said.text));
        html.raw("</span></summary>").element("pre", "words", &said.text).raw("</details>\n");
        return;
    }
    open("<div class=\"item prompt\" dir=\"auto\"", place, html);
    html.raw("<span class=\"who\">Prompt</span>").element("div", "words", &said.text).raw("</div>\n");
}

fn thinking(place: Place, said: &Said, html: &mut Html) {
    open("<details class=\"item thinking\"", place, html);
    html.raw("<summary>Thinking <span class=\"gist\">").text(&gist(&said.text)).raw("</span></summary>");
    html.raw("<div dir=\"auto\">");
    marks(said, html);
    markdown(&said.text, html);
    html.raw("</div></details>\n");
}

fn marks(said: &Said, html: &mut Html) {
    if said.abandoned {
        html.raw("<span class=\"badge\">abandoned: never confirmed</span> ");
    }
    if said.synthetic {
        html.raw("<span class=\"badge\">by Claude Code, not by a model</span> ");
    }
}

fn block(place: Place, kind: &str, role: Role, abandoned: bool, html: &mut Html) {
    let is_picture = kind == "image";
    open(
        if is_picture { "<details class=\"item block\" open" } else { "<details class=\"item block\"" },
        place,
        html,
    );
    html.raw("<summary>Part ").element("strong", "", kind).raw(" of the ").show(role);
    html.raw(if abandoned { " <span class=\"badge\">abandoned</span></summary>" } else { "</summary>" });
}

fn notice(place: Place, notice: &Notice, data: &Excerpt, html: &mut Html) {
    let tag = match notice.weight {
        Weight::Bad => "<details class=\"item notice bad\"",
        Weight::Warning => "<details class=\"item notice warning\"",
        Weight::Plain => "<details class=\"item notice\"",
        Weight::Faint | Weight::Program => "<details class=\"item notice faint\"",
    };
    open(tag, place, html);
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

fn turn_end(place: Place, end: &TurnEnd, html: &mut Html) {
    if let Some(answer) = &end.answer {
        html.raw("<div class=\"item text\" dir=\"auto\">");
        markdown(answer, html);
        html.raw("</div>\n");
    }
    open(if end.ok { "<div class=\"item end\"" } else { "<div class=\"item end bad\"" }, place, html);
    let number = end.number.map(|number| format!("Turn {number}")).unwrap_or_else(|| "A turn".to_owned());
    let facts = [
        Some(format!("{number} {}", if end.ok { "complete" } else { "failed" })),
        end.ms.map(duration),
        end.cost_usd.map(money),
        end.tokens.map(|(input, output)| format!("{} tokens in, {} out", tokens(input), tokens(output))),
        end.stop.clone().filter(|stop| stop != "end_turn"),
    ];
    html.text(&facts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    if end.denials > 0 {
        html.raw(" · <strong class=\"bad\">✗ ").text(&count(end.denials as u64, "denial")).raw("</strong>");
    }
    for note in &end.notes {
        html.raw(" <span class=\"note\">(")
            .text(&note.field)
            .raw(": ")
            .text(&note.reason.replace('_', " "))
            .raw(")</span>");
    }
    html.raw("</div>\n");
}

/// A text with its beginning and its end.
pub(super) fn excerpt(text: &Excerpt, class: &'static str, html: &mut Html) {
    if text.is_empty() {
        return;
    }
    html.raw("<pre class=\"output ").raw(class).raw("\" tabindex=\"0\">").text(&text.head);
    if text.left_out > 0 {
        html.raw("</pre><p class=\"left-out\">").show(text.left_out).raw(" bytes are left out</p>");
        html.raw("<pre class=\"output ").raw(class).raw("\" tabindex=\"0\">").text(&text.tail);
    }
    html.raw("</pre>");
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
    let line = one_line(text.trim().lines().next().unwrap_or_default());
    match line.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn is_faint(item: &Item) -> bool {
    matches!(item, Item::Notice { notice, .. } if notice.weight <= Weight::Faint)
}

/// What notices are about, each once.
fn kinds(items: &[Item]) -> String {
    let mut kinds = Vec::new();
    for item in items {
        if let Item::Notice { notice, .. } = item
            && !kinds.contains(&&*notice.about)
            && kinds.len() < 12
        {
            kinds.push(&notice.about);
        }
    }
    kinds.join(", ")
}
