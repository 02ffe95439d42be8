//! Who has the floor: the parts that grow, and how lines of several agents come one after the other.

use super::line::Line;
use super::style::{BOLD, DIM, over};
use super::voice::Voice;
use super::wrap::{cut, fold};
use super::{AgentsArg, Shown, View};

impl View {
    /// More of a part of an agent. Whoever grows first does so in sight.
    pub(super) fn grow(&mut self, agent: &str, text: &str, voice: impl FnOnce() -> Voice) {
        let columns = self.room(agent);
        if !self.voices.contains_key(agent) {
            self.voices.insert(agent.to_owned(), voice());
        }
        let Some(voice) = self.voices.get_mut(agent) else { return };
        voice.feed(text, columns);
        if self.floor.is_none() {
            self.floor = Some(agent.to_owned());
        }
        if self.floor.as_deref() == Some(agent) {
            self.flush(agent);
        }
    }

    /// A part has ended: it is shown whole, and another one may grow in sight.
    pub(super) fn end_part(&mut self, agent: &str, abandoned: bool) {
        let columns = self.room(agent);
        let Some(voice) = self.voices.get_mut(agent) else { return };
        voice.finish(columns);
        self.flush(agent);
        let begun = self.voices.remove(agent).is_some_and(|voice| voice.begun);
        if abandoned && begun {
            self.emit(agent, Shown::Short, vec![Line::of("(never finished)", DIM)]);
        }
        if self.floor.as_deref() == Some(agent) {
            self.floor = self.voices.keys().next().cloned();
            if let Some(next) = self.floor.clone() {
                self.flush(&next);
            }
        }
    }

    /// Whatever still grows has ended.
    pub(super) fn end_parts(&mut self) {
        while let Some(agent) = self.floor.clone().or_else(|| self.voices.keys().next().cloned()) {
            self.end_part(&agent, true);
        }
    }

    /// Shows what is finished of a part.
    fn flush(&mut self, agent: &str) {
        let Some(voice) = self.voices.get_mut(agent) else { return };
        let mut lines = voice.take();
        if lines.is_empty() {
            return;
        }
        let goes_on = voice.begun && self.last.kind == Some(Shown::Words) && self.last.agent == agent;
        voice.begun = true;
        if goes_on {
            return self.push(agent, lines);
        }
        // The blank line that would have stood here stands there already.
        while lines.first().is_some_and(Line::is_empty) {
            lines.remove(0);
        }
        self.emit(agent, Shown::Words, lines);
    }

    /// What grows in sight, as it looks now.
    pub(super) fn growing(&self) -> Vec<Line> {
        let Some((agent, voice)) =
            self.floor.as_ref().and_then(|agent| Some((agent, self.voices.get(agent)?)))
        else {
            return Vec::new();
        };
        let tail = voice.tail(self.room(agent));
        if tail.is_empty() {
            return Vec::new();
        }
        let goes_on = voice.begun && self.last.kind == Some(Shown::Words) && self.last.agent == *agent;
        let mut lines = if goes_on { Vec::new() } else { self.lead_in(agent, Shown::Words) };
        let margin = self.margin(agent);
        lines.extend(tail.iter().map(|line| beside(&margin, line)));
        lines
    }

    /// Shows something, with what has to stand before it.
    pub(super) fn emit(&mut self, agent: &str, kind: Shown, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        if let ([line], Shown::Short, Some(margin)) = (lines.as_slice(), kind, self.aside(agent)) {
            let indent = line.text().len() - line.text().trim_start().len();
            let line = line.slice(indent..line.text().len());
            self.lines.push(beside(&margin, &line).cut(self.settings.columns));
            return self.remember(agent, kind);
        }
        self.lead(agent, kind);
        self.push(agent, lines);
    }

    /// The last line of an agent: `╰ ✓ done`.
    pub(super) fn emit_end(&mut self, agent: &str, line: Line) {
        let Some(branch) = self.tree.get(agent).filter(|_| self.settings.agents != AgentsArg::Flat) else {
            self.push(agent, vec![line]);
            return self.remember(agent, Shown::Short);
        };
        let mut margin = self.tree.above(branch, self.settings.columns);
        margin.push("╰ ", branch.style);
        if self.last.agent != agent {
            margin.push(&format!("{} ", branch.name), over(branch.style, BOLD));
        }
        let is_sub = |agent: &str| self.tree.get(agent).is_some();
        if !is_sub(&self.last.agent) {
            self.lines.push(Line::new());
        }
        self.lines.push(beside(&margin, &line).cut(self.settings.columns));
        self.remember(agent, Shown::Short);
    }

    /// What has to stand before something.
    fn lead(&mut self, agent: &str, kind: Shown) {
        let lead_in = self.lead_in(agent, kind);
        self.lines.extend(lead_in);
        self.remember(agent, kind);
    }

    fn remember(&mut self, agent: &str, kind: Shown) {
        if let Some(branch) = self.tree.get_mut(agent) {
            branch.introduced = true;
        }
        self.last.kind = Some(kind);
        agent.clone_into(&mut self.last.agent);
        self.last.call = None;
    }

    fn push(&mut self, agent: &str, lines: Vec<Line>) {
        let margin = self.margin(agent);
        let room = self.room(agent);
        for line in lines {
            // Whoever made it has seen to its width; this is for characters that fit nowhere.
            if line.text().len() <= room || line.width() <= room {
                self.lines.push(if margin.is_empty() { line } else { beside(&margin, &line) });
            } else {
                self.lines.extend(fold(line, room).iter().map(|line| beside(&margin, line)));
            }
        }
    }

    /// A blank line where one is due, and the name of the agent if another one has spoken.
    fn lead_in(&self, agent: &str, kind: Shown) -> Vec<Line> {
        let Some(last) = self.last.kind else { return self.name(agent).into_iter().collect() };
        let is_sub = |agent: &str| self.tree.get(agent).is_some();
        let changes = self.last.agent != agent;
        let name = self.name(agent).filter(|_| changes);
        // Agents that speak in turn are told apart by their names.
        let is_due = match name {
            Some(_) if is_sub(&self.last.agent) => false,
            _ if changes && is_sub(&self.last.agent) && is_sub(agent) => false,
            _ => changes || kind == Shown::Words || last != Shown::Short,
        };
        let blank = if changes || self.settings.agents == AgentsArg::Flat {
            Line::new()
        } else {
            beside(&self.margin(agent), &Line::new())
        };
        Some(blank).filter(|_| is_due).into_iter().chain(name).collect()
    }

    /// Before a single line of an agent that is known, among those of others: `├ Agent A `.
    fn aside(&self, agent: &str) -> Option<Line> {
        let branch = self.tree.get(agent).filter(|branch| branch.introduced)?;
        let is_among = self.last.agent != agent && self.tree.get(&self.last.agent).is_some();
        if !is_among || self.settings.agents == AgentsArg::Flat {
            return None;
        }
        let mut line = self.tree.above(branch, self.settings.columns);
        line.push("├ ", branch.style);
        let room = self.settings.columns / 3;
        line.push(&format!("{} ", cut(&branch.name, room)), over(branch.style, BOLD));
        Some(line)
    }

    /// `╭ Agent A · general-purpose`
    fn name(&self, agent: &str) -> Option<Line> {
        let branch = self.tree.get(agent)?;
        if self.settings.agents == AgentsArg::Flat {
            return None;
        }
        let mut line = self.tree.above(branch, self.settings.columns);
        line.push("╭ ", branch.style);
        line.push(&branch.name, over(branch.style, BOLD));
        if let Some(kind) = branch.kind.as_ref().filter(|_| !branch.introduced) {
            line.push(&format!(" · {kind}"), DIM);
        }
        Some(line.cut(self.settings.columns))
    }

    fn margin(&self, agent: &str) -> Line {
        self.tree.margin(Some(agent).filter(|agent| *agent != "main"), self.settings.columns)
    }

    /// Columns for the lines of an agent.
    pub(super) fn room(&self, agent: &str) -> usize {
        self.settings.columns.saturating_sub(self.margin(agent).width())
    }
}

fn beside(margin: &Line, line: &Line) -> Line {
    if margin.is_empty() {
        return line.clone();
    }
    let mut shown = margin.clone();
    shown.append(line);
    shown
}
