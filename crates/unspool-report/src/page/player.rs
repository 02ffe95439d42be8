//! The player: a slider over the moments of a session, and buttons. What it knows of them stands in its attributes.

use super::{Html, Page};
use crate::moments::Moment;
use std::fmt::Write;

impl Page<'_> {
    /// The player, at the foot of the page. Only the script shows it: without it the page is as if there was none.
    pub(super) fn player(&self, html: &mut Html) {
        let moments = self.story.moments.list();
        if !self.play || moments.is_empty() {
            return;
        }
        html.raw("<section id=\"player\" aria-label=\"Player\" hidden");
        html.attr("data-last", &moments.len().to_string());
        if let Some(times) = self.story.moments.times() {
            html.attr("data-times", &steps(&times));
        }
        html.attr("data-turns", &ranks(moments, |moment| moment.begins_turn));
        html.attr("data-troubles", &ranks(moments, |moment| moment.is_bad));
        html.attr("data-agents", &floors(moments));
        html.raw(">\n").raw(CONTROLS).raw("</section>\n");
        html.raw(HELP);
    }
}

/// Milliseconds from each moment to the next.
fn steps(times: &[u64]) -> String {
    let mut before = 0;
    let mut out = String::new();
    for time in times {
        let _ = write!(out, "{} ", time - before);
        before = *time;
    }
    out.truncate(out.trim_end().len());
    out
}

/// The numbers of the moments of which this is true.
fn ranks(moments: &[Moment], mut fits: impl FnMut(&Moment) -> bool) -> String {
    let fitting = (1..).zip(moments).filter(|(_, moment)| fits(moment));
    fitting.map(|(number, _)| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// From which moments on it is about another agent.
fn floors(moments: &[Moment]) -> String {
    let mut before = None;
    ranks(moments, |moment| before.replace(moment.agent) != Some(moment.agent))
}

/// Pictures are 16 units wide and high.
const CONTROLS: &str = "\
<div id=\"scale\"><svg id=\"course\" aria-hidden=\"true\" preserveAspectRatio=\"none\" viewBox=\"0 0 1000 20\" height=\"20\">\
<path class=\"density\" d=\"\"></path><path class=\"past\" d=\"\"></path><path class=\"turns\" d=\"\"></path><path class=\"troubles\" d=\"\"></path></svg>\
<input id=\"moment\" type=\"range\" min=\"0\" max=\"0\" step=\"any\" aria-label=\"Moment of the session\" autocomplete=\"off\"></div>\n\
<div class=\"controls\">\
<div class=\"buttons\" role=\"group\" aria-label=\"Play\">\
<button id=\"turn-back\" type=\"button\" aria-label=\"Turn before\" title=\"Turn before (PageUp)\" aria-keyshortcuts=\"PageUp\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M2 3h2v10H2zM9 3v10L4 8zM15 3v10l-5-5z\"></path></svg></button>\
<button id=\"event-back\" type=\"button\" aria-label=\"Event before\" title=\"Event before (←)\" aria-keyshortcuts=\"ArrowLeft\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M3 3h2v10H3zM13 3v10L6 8z\"></path></svg></button>\
<button id=\"play\" type=\"button\" aria-label=\"Play\" title=\"Play, and pause (space)\" aria-keyshortcuts=\"Space\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"go\" d=\"M4 2v12l10-6z\"></path><path class=\"stay\" d=\"M3 2h4v12H3zM9 2h4v12H9z\"></path></svg></button>\
<button id=\"event-on\" type=\"button\" aria-label=\"Next event\" title=\"Next event (→)\" aria-keyshortcuts=\"ArrowRight\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M11 3h2v10h-2zM3 3v10l7-5z\"></path></svg></button>\
<button id=\"turn-on\" type=\"button\" aria-label=\"Next turn\" title=\"Next turn (PageDown)\" aria-keyshortcuts=\"PageDown\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M12 3h2v10h-2zM7 3v10l5-5zM1 3v10l5-5z\"></path></svg></button>\
<button id=\"agent-on\" type=\"button\" aria-label=\"To where another agent goes on\" title=\"To where another agent goes on (a)\" aria-keyshortcuts=\"a\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 1.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2 14.5c0-3.6 2.5-5.5 6-5.5s6 1.9 6 5.5z\"></path></svg></button>\
<button id=\"trouble-on\" type=\"button\" aria-label=\"To what went wrong next\" title=\"To what went wrong next (e)\" aria-keyshortcuts=\"e\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill-rule=\"evenodd\" d=\"M8 1l7.5 13.5H.5zM7.2 5.5v5h1.6v-5zM7.2 11.6v1.6h1.6v-1.6z\"></path></svg></button>\
</div>\
<p class=\"when\"><span id=\"clock\"></span> <span id=\"count\"></span></p>\
<p id=\"about\" role=\"status\"></p>\
<div class=\"ways\">\
<select id=\"speed\" aria-label=\"Speed\" title=\"Speed (+ and -)\">\
<option>0.1x</option><option>0.25x</option><option>0.5x</option><option selected>1x</option><option>2x</option><option>5x</option>\
<option>10x</option><option>25x</option><option>50x</option><option>100x</option><option>1000x</option></select>\
<button id=\"waits\" type=\"button\" aria-pressed=\"true\" title=\"No wait is longer than 3 s\">Skip waits</button>\
<button id=\"help\" type=\"button\" aria-label=\"Help\" title=\"Help (?)\" aria-keyshortcuts=\"?\">?</button>\
</div>\
<button id=\"whole\" type=\"button\" aria-label=\"The whole page again\" title=\"The whole page again (q)\" aria-keyshortcuts=\"q\" hidden><span>Whole page</span><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M3 1.5 8 6.5l5-5L14.5 3 9.5 8l5 5-1.5 1.5-5-5-5 5L1.5 13l5-5-5-5z\"></path></svg></button>\
</div>\n";

const HELP: &str = "<dialog id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">The session as it stood at any moment</h2>\
<p>Play it, or move the slider. What came later is not there then, and a call whose answer came later is running. \
A link to what comes later goes to the moment when it came.</p>\
<dl>\
<dt>space</dt><dd>pause, and go on</dd>\
<dt>+ -</dt><dd>faster, slower</dd>\
<dt>← →</dt><dd>to the event before, to the next one</dd>\
<dt>PageUp PageDown</dt><dd>to the turn before, to the next one</dd>\
<dt>a A</dt><dd>to where another agent goes on, or back</dd>\
<dt>e E</dt><dd>to what went wrong next, or before</dd>\
<dt>g G</dt><dd>to the beginning, to the end; Home and End, too</dd>\
<dt>?</dt><dd>this</dd>\
<dt>q</dt><dd>the whole page again</dd>\
</dl>\
<p id=\"untimed\" hidden>Nobody knows when its events were: they are played evenly, 2 a second.</p>\
<button id=\"keys-close\" type=\"button\">Close</button></dialog>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_steps() {
        assert_eq!(steps(&[0, 5, 5, 1000]), "0 5 0 995");
        assert_eq!(steps(&[]), "");
    }
}
