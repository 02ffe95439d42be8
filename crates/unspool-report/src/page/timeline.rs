//! Who was at work when, as a picture: a row for each agent, models above, calls below.

use super::lanes::{Bar, WIDTH, bars};
use super::{Html, Page, agent_anchor, anchor, colour};
use crate::times::{Span, Work, Worked, length};
use crate::words::{count, duration, round_step};
use std::collections::HashMap;

/// So many rows are open from the beginning.
const OPEN: usize = 8;

/// Rows that are drawn; the rest is counted.
const ROWS: usize = 60;

/// The height of a lane, and what stands between two.
const LANE: usize = 9;

/// Marks on the axis at the most, but for the first.
const MARKS: u64 = 6;

/// The share of the axis that the words of a mark need.
const ROOM: f64 = 0.12;

impl Page<'_> {
    pub(super) fn timeline(&self, html: &mut Html) {
        let Some(span) = self.story.span() else { return };
        let mut by_agent: HashMap<&str, Vec<(Span, &Worked)>> = HashMap::new();
        for worked in &self.story.work {
            let Some(span) = worked.span else { continue };
            by_agent.entry(&worked.agent).or_default().push((span, worked));
        }
        let agents = count(by_agent.len() as u64, "agent");
        html.raw("<section id=\"timeline\" aria-labelledby=\"when\">\n");
        html.raw(if by_agent.len() <= OPEN { "<details open>" } else { "<details>" });
        html.raw("<summary><h2 id=\"when\">Timeline</h2> <small>").text(&agents).raw(", ");
        html.text(&duration(length(&span))).raw("</small></summary>\n");
        self.rows(by_agent, span, html);
        html.raw("</details></section>\n");
    }

    fn rows(&self, mut by_agent: HashMap<&str, Vec<(Span, &Worked)>>, span: Span, html: &mut Html) {
        html.raw("<p class=\"legend\"><span class=\"key model\"></span> model <span class=\"key tool\"></span> tool");
        html.raw(" <span class=\"key bad\"></span> failed or denied");
        html.raw(if self.play { "<span class=\"faint\">; faint: later</span>" } else { "" });
        html.raw("</p>\n<div class=\"chart\"");
        if let Some(began) = self.story.moments.began().filter(|_| self.play) {
            html.attr("data-begin", &span.0.saturating_sub(began).to_string());
            html.attr("data-length", &length(&span).to_string());
        }
        html.raw(">");
        let mut rows = 0;
        for (agent, member) in self.story.agents.iter().enumerate() {
            let Some(mut work) = by_agent.remove(&*member.id) else { continue };
            rows += 1;
            if rows > ROWS {
                continue;
            }
            work.sort_by_key(|(span, _)| *span);
            html.raw("<div class=\"row ")
                .raw(colour(agent))
                .raw("\"><a")
                .attr("href", &format!("#{}", agent_anchor(agent)));
            html.raw("><span class=\"dot\" aria-hidden=\"true\">●</span> ").text(&member.name()).raw("</a>");
            self.row(&work, span, html);
            html.raw("</div>\n");
        }
        axis(span, html);
        html.raw("</div>\n");
        if rows > ROWS {
            html.raw("<p>And ").text(&count((rows - ROWS) as u64, "agent")).raw(" more.</p>");
        }
        let (timed, untimed) = (self.story.times.timed, self.story.times.untimed);
        if untimed > 0 {
            html.raw("<p class=\"note\">Only ").show(timed).raw(" of ").show(timed + untimed);
            html.raw(" parts have a time; the rest is not drawn.</p>");
        }
    }

    fn row(&self, work: &[(Span, &Worked)], span: Span, html: &mut Html) {
        let bars = bars(work, span);
        let lanes = bars.iter().map(|bar| bar.lane).max().unwrap_or(0) + 1;
        let height = (lanes * LANE).to_string();
        html.raw("<svg role=\"img\" preserveAspectRatio=\"none\"").attr("height", &height);
        html.attr("viewBox", &format!("0 0 {WIDTH} {height}")).attr("aria-label", &sums(work)).raw(">");
        bars.iter().for_each(|bar| self.bar(bar, html));
        if self.play {
            // What comes later is faint: the script moves it to the moment.
            html.raw("<rect class=\"later\" y=\"0\"").attr("x", &WIDTH.to_string());
            html.attr("width", &WIDTH.to_string()).attr("height", &height).raw("></rect>");
        }
        html.raw("</svg>");
    }

    fn bar(&self, bar: &Bar<'_>, html: &mut Html) {
        let place = bar.first.call.as_deref().and_then(|call| self.story.place_of(call));
        let is_bad = place.is_some_and(|place| self.story.agents[place.agent].items[place.item].is_bad());
        if let Some(place) = place {
            html.raw("<a tabindex=\"-1\"").attr("href", &format!("#{}", anchor(place))).raw(">");
        }
        html.raw(match bar.first.work {
            Work::Model => "<rect class=\"model\"",
            Work::Tool if is_bad => "<rect class=\"bad\"",
            Work::Tool => "<rect class=\"tool\"",
        });
        html.attr("x", &bar.from.to_string()).attr("width", &(bar.to - bar.from).to_string());
        html.attr("y", &(bar.lane * LANE).to_string()).attr("height", &(LANE - 1).to_string());
        html.raw("><title>").text(&self.label(bar)).raw("</title></rect>");
        if place.is_some() {
            html.raw("</a>");
        }
    }

    fn label(&self, bar: &Bar<'_>) -> String {
        use crate::story::Item;
        let place = bar.first.call.as_deref().and_then(|call| self.story.place_of(call));
        let words = place.and_then(|place| match &self.story.agents[place.agent].items[place.item] {
            Item::Call(call) => Some(call.words.line()),
            _ => None,
        });
        let name = words.unwrap_or_else(|| bar.first.name.clone());
        let name: String = name.chars().take(160).collect();
        let more = if bar.number > 1 { format!(", and {} more", bar.number - 1) } else { String::new() };
        format!("{name}, {}{more}", duration(length(&bar.span)))
    }
}

/// What a row shows, in words.
fn sums(work: &[(Span, &Worked)]) -> String {
    let all = |kind: Work| work.iter().filter(move |(_, worked)| worked.work == kind);
    let ms = |kind: Work| duration(all(kind).map(|(span, _)| length(span)).sum());
    let calls = count(all(Work::Tool).count() as u64, "call");
    format!("models {}, tools {} in {calls}", ms(Work::Model), ms(Work::Tool))
}

/// Round times, each where it is: cells are as wide as the time from one to the next.
fn axis((start, end): Span, html: &mut Html) {
    let whole = u64::try_from(end.saturating_sub(start)).unwrap_or(0).max(1);
    let mut marks = marks(whole).peekable();
    html.raw("<table class=\"axis\" role=\"presentation\" aria-hidden=\"true\"><tr>");
    while let Some(ms) = marks.next() {
        let share = (marks.peek().unwrap_or(&whole) - ms) as f64 / whole as f64;
        html.raw("<td").attr("width", &format!("{:.2}%", share * 100.0)).raw(">");
        html.text(&if ms == 0 { "0".to_owned() } else { duration(ms) }).raw("</td>");
    }
    html.raw("</tr></table>");
}

/// Round figures up to so many milliseconds, but none so late that its words would have no room.
fn marks(whole: u64) -> impl Iterator<Item = u64> {
    let step = u64::try_from(round_step(whole.div_ceil(MARKS))).unwrap_or(1).max(1);
    let latest = (whole as f64 * (1.0 - ROOM)) as u64;
    (0..=latest / step).map(move |mark| mark * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_few_and_round() {
        assert_eq!(marks(57_100).collect::<Vec<_>>(), [0, 10_000, 20_000, 30_000, 40_000, 50_000]);
        assert_eq!(marks(1).collect::<Vec<_>>(), [0]);
        assert_eq!(marks(95).collect::<Vec<_>>(), [0, 20, 40, 60, 80]);
        for whole in (1..400).map(|power| 1.1_f64.powi(power) as u64).take_while(|whole| *whole < 1 << 40) {
            let number = marks(whole).count();
            assert!((1..=MARKS as usize + 1).contains(&number), "{whole}: {number}");
            assert!(marks(whole).all(|mark| (mark as f64) <= whole as f64 * (1.0 - ROOM)));
        }
    }
}
