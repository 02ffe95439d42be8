//! Events as text for people: plain lines, indented by agent.

use std::collections::HashMap;
use std::fmt::Write;
use unspool::event::{Agent, Event, What};

/// The most of an input, an output or a prompt that is shown.
const WIDTH: usize = 100;

/// Turns events into lines.
#[derive(Default)]
pub(crate) struct View {
    /// How deep each sub-agent is nested.
    depth: HashMap<String, usize>,
}

impl View {
    /// The lines that show an event; none for what only programs want to know.
    pub(crate) fn show(&mut self, event: &Event<'_>) -> String {
        let mut out = String::new();
        for line in self.text(event).iter().flat_map(|text| text.lines()) {
            let _ =
                writeln!(out, "{:indent$}{}", "", printable(line), indent = 2 * self.depth_of(&event.agent));
        }
        out
    }

    fn depth_of(&self, agent: &Agent<'_>) -> usize {
        match agent {
            Agent::Main => 0,
            Agent::Sub(call) => self.depth.get(&**call).copied().unwrap_or(1),
        }
    }

    fn text(&mut self, event: &Event<'_>) -> Option<String> {
        let mark = |abandoned: &Option<bool>| if abandoned.is_some() { " (abandoned)" } else { "" };
        Some(match &event.what {
            What::SessionMeta { model, version, .. } => {
                let unknown = "?".into();
                format!(
                    "claude {} {}",
                    version.as_ref().unwrap_or(&unknown),
                    model.as_ref().unwrap_or(&unknown)
                )
            }
            What::TurnStart { .. } => format!("-- turn {}", event.turn.unwrap_or_default()),
            What::Text { content, abandoned, .. } => format!("{content}{}", mark(abandoned)),
            What::Thinking { content, abandoned, .. } => format!("~ {content}{}", mark(abandoned)),
            What::ToolUse { name, input, abandoned, .. } => {
                let input = input.as_ref().map(|input| input.text()).unwrap_or_default();
                format!("> {} {}{}", name.as_deref().unwrap_or("?"), short(&input), mark(abandoned))
            }
            What::ToolResult { output, is_error, .. } => {
                format!("{} {}", if *is_error { "! failed:" } else { "<" }, short(output))
            }
            What::UserText { content, .. } => format!("user: {}", short(content)),
            What::AgentStart { parent, description, .. } => {
                let Agent::Sub(call) = &event.agent else { return None };
                let above =
                    if parent == "main" { 0 } else { self.depth.get(&**parent).copied().unwrap_or(0) };
                self.depth.insert(call.to_string(), above + 1);
                format!("[agent] {}", description.as_deref().unwrap_or("?"))
            }
            What::AgentEnd { status, duration_ms, .. } => {
                format!("[agent {status}{}]", duration_ms.map(|ms| format!(", {ms} ms")).unwrap_or_default())
            }
            What::PermissionRequest { tool, .. } => format!("? may {} run", tool.as_deref().unwrap_or("?")),
            What::PermissionResolved { decision, .. } => format!("? {decision}"),
            What::Error { text, kind, .. } => format!("! {kind}: {text}"),
            What::TurnComplete { cost_usd, duration_ms, .. } => {
                let cost = cost_usd.map(|cost| format!(", ${cost:.4}")).unwrap_or_default();
                format!(
                    "-- turn {} complete{cost}, {} ms",
                    event.turn.unwrap_or_default(),
                    duration_ms.unwrap_or(0)
                )
            }
            What::Malformed { reason, text, .. } => format!("! malformed line ({reason}): {}", short(text)),
            What::Unknown { raw } => {
                format!("? unknown line: {}", short(&raw.as_ref().map(|raw| raw.text()).unwrap_or_default()))
            }
            What::Finished { verdict, reason, .. } => format!("== {verdict}: {reason}"),
            _ => return None,
        })
    }
}

fn short(text: &str) -> String {
    let line = text.trim().replace('\n', " | ");
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Nothing from a stream may steer the terminal.
fn printable(line: &str) -> String {
    line.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    #[test]
    fn a_stream_cannot_steer_the_terminal() {
        let line = br#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"a\u001b[2Jb\u009bc"}]}}"#;
        let mut view = View::default();
        let shown: String = Spool::read(Grain::Blocks, line).iter().map(|event| view.show(event)).collect();
        assert!(shown.contains("a\u{fffd}[2Jb\u{fffd}c"), "{shown}");
    }
}
