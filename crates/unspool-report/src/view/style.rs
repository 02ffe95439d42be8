//! How things look, and whether there are colours at all.
//!
//! Only the sixteen colours that every terminal lets its owner choose; nothing is said by colour alone.

use anstyle::{AnsiColor, Effects, Style};

/// As the terminal writes it.
pub const PLAIN: Style = Style::new();
/// What matters less.
pub const DIM: Style = Style::new().effects(Effects::DIMMED);
/// What matters more.
pub const BOLD: Style = Style::new().effects(Effects::BOLD);
pub(crate) const ITALIC: Style = Style::new().effects(Effects::ITALIC);
/// What the model thinks.
pub const THOUGHT: Style = Style::new().effects(Effects::DIMMED.insert(Effects::ITALIC));
/// What went well.
pub const GOOD: Style = color(AnsiColor::Green);
/// Errors and denials.
pub const BAD: Style = color(AnsiColor::Red).effects(Effects::BOLD);
/// The words of an error, below its first line.
pub const BAD_WORDS: Style = color(AnsiColor::Red);
/// What waits for somebody, or may go wrong.
pub const WARN: Style = color(AnsiColor::Yellow);
/// The name of a tool.
pub const TOOL: Style = BOLD;
/// The mark before a call.
pub const CALL: Style = color(AnsiColor::Cyan);
/// What a person said.
pub const PROMPT: Style = color(AnsiColor::Blue).effects(Effects::BOLD);
pub(crate) const LINK: Style = color(AnsiColor::Blue).effects(Effects::UNDERLINE);
pub(crate) const INLINE_CODE: Style = color(AnsiColor::Cyan);
pub(crate) const ADDED: Style = color(AnsiColor::Green);
pub(crate) const REMOVED: Style = color(AnsiColor::Red);
pub(crate) const KEYWORD: Style = color(AnsiColor::Magenta);
pub(crate) const STRING: Style = color(AnsiColor::Green);
pub(crate) const NUMBER: Style = color(AnsiColor::Yellow);
pub(crate) const TYPE: Style = color(AnsiColor::Cyan);
pub(crate) const FUNCTION: Style = color(AnsiColor::Blue);

/// Colours of sub-agents, in the order in which they begin. Red and green have a meaning of their own.
const AGENTS: [AnsiColor; 6] = [
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightCyan,
];

/// The colour of an agent, by its rank.
#[must_use]
pub fn agent(rank: usize) -> Style {
    color(AGENTS[rank % AGENTS.len()])
}

const fn color(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(color)))
}

/// A style with another on top: its colour, where it has one, and the effects of both.
#[must_use]
pub fn over(style: Style, more: Style) -> Style {
    let colored = style.fg_color(more.get_fg_color().or(style.get_fg_color()));
    colored.effects(style.get_effects() | more.get_effects())
}

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[expect(clippy::exhaustive_enums, reason = "there are colours, or none, or it depends")]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR or TERM=dumb say otherwise; CLICOLOR_FORCE wants them anywhere.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether there are colours; `variable` reads the environment.
    pub fn on(self, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if set("NO_COLOR").is_some() => false,
            ColorChoice::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            ColorChoice::Auto if set("CLICOLOR").is_some_and(|value| value == "0") => false,
            ColorChoice::Auto => is_terminal && set("TERM").is_none_or(|term| term != "dumb"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_unless_somebody_did() {
        let on = |choice: ColorChoice, is_terminal: bool, variables: &[(&str, &str)]| {
            let of = |name: &str| variables.iter().find(|(key, _)| *key == name);
            choice.on(is_terminal, |name| of(name).map(|(_, value)| (*value).to_owned()))
        };
        let auto = ColorChoice::Auto;
        assert!(on(auto, true, &[]) && !on(auto, false, &[]));
        assert!(!on(auto, true, &[("NO_COLOR", "1")]) && on(auto, true, &[("NO_COLOR", "")]));
        assert!(on(auto, false, &[("CLICOLOR_FORCE", "1")]) && !on(auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!on(auto, true, &[("TERM", "dumb")]) && !on(auto, true, &[("CLICOLOR", "0")]));
        assert!(!on(auto, true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(on(ColorChoice::Always, false, &[("NO_COLOR", "1")]));
        assert!(!on(ColorChoice::Never, true, &[("CLICOLOR_FORCE", "1")]));
    }
}
