//! Rules that Claude Code is given as well, so that two judge a call: it is made without asking only if both allow it.
//!
//! What both have to allow is known in two places. A call that Claude Code asks about though it has the rules, it does
//! not allow by them. And a call that it might allow by its own reading of a rule, and we do not by ours, must not pass
//! unseen: [`Rule::touches`] has to be true of every such call.

use super::launch::{KEYWORDS, is_launcher};
use super::path;
use super::pattern::Pattern;
use super::rule::{JudgedCall, Rule, Subject};
use super::shell::Shell;
use super::site::Site;

/// Patterns of these are read by Claude Code as they are here. Of tools for files it takes only these two.
const PATTERNS: [&str; 5] = ["Bash", "Edit", "Read", "WebFetch", "Skill"];

/// About calls of these it asks whatever rules say: the user is to be asked, or to agree.
const ALWAYS_ASKED: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

impl Rule {
    /// How Claude Code is told to allow what the rule does, if it can be.
    pub(super) fn handed_to_allow(&self) -> Option<String> {
        match self.pattern() {
            None if ALWAYS_ASKED.contains(&self.tool()) => None,
            None => self.is_handed_bare().then(|| self.tool().to_owned()),
            Some(_) => self.handed_with_pattern(),
        }
    }

    /// How Claude Code is told to block what the rule does, if it can be.
    ///
    /// With a pattern for all of its calls 2.1.325 does not offer a tool to the model at all, as without one; but 2.0.77
    /// says of a call of it that it was denied, and not that there is no such tool.
    pub(super) fn handed_to_block(&self) -> Option<String> {
        match self.pattern() {
            None if !self.is_handed_bare() => None,
            None if self.tool().starts_with("mcp__") => Some(self.tool().to_owned()),
            None => Some(format!("{}(*)", self.tool())),
            Some(_) => self.handed_with_pattern(),
        }
    }

    /// A pattern for tools is read by newer versions only, and then only for those of MCP servers.
    fn is_handed_bare(&self) -> bool {
        self.tool().starts_with("mcp__") || !self.tool().contains('*')
    }

    fn handed_with_pattern(&self) -> Option<String> {
        let is_plain = |pattern: &&str| !pattern.contains(['\\', '(', ')', '\n', '\r']);
        let pattern = self.pattern().filter(is_plain)?;
        PATTERNS.contains(&self.tool()).then(|| format!("{}({pattern})", self.tool()))
    }

    /// Whether Claude Code might find that the rule fits the call, however it reads it.
    pub(super) fn touches(&self, call: &JudgedCall<'_>, site: &Site) -> bool {
        let Some(pattern) = self.pattern() else { return false };
        match Subject::of(call, self.tool()) {
            Some(Subject::Command(line)) => line_may_run(pattern, &line),
            Some(Subject::Path(path) | Subject::Search { folder: path, .. }) => {
                path::lies_in(pattern, &path, site) != Some(false)
            }
            Some(other) => other.fits(pattern, site) != Some(false),
            None => false,
        }
    }
}

/// Whether a command that fits may stand in the line, wherever it begins: quotes do not hide it.
fn line_may_run(pattern: &str, line: &str) -> bool {
    let pattern = Pattern::for_text(pattern, Shell::Posix);
    let line = line.replace("\\\n", "");
    let plain = line.replace(['\'', '"', '\\'], "");
    let pieces = |line| str::split(line, |c: char| ";|&\n(){}`<>".contains(c));
    let whole = [&*line, &*plain].into_iter();
    whole.chain(pieces(&line)).chain(pieces(&plain)).any(|piece| may_run(&pattern, piece))
}

/// Whether what stands before a command, or nothing, leaves one that fits.
fn may_run(pattern: &Pattern, piece: &str) -> bool {
    let mut text = String::with_capacity(piece.len());
    let mut begins = Vec::new();
    let mut is_before = true;
    for word in piece.trim_start_matches(|c: char| c.is_whitespace() || "$!".contains(c)).split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        if is_before {
            begins.push(text.len());
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        is_before &= word.contains('=')
            || word.starts_with('-')
            || is_number
            || is_launcher(word)
            || KEYWORDS.contains(&word);
        text.push_str(word);
    }
    pattern.fits_from(&text, &begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_handed_on_as_claude_code_reads_them() {
        for (rule, allow, block) in [
            ("Bash(cargo *)", Some("Bash(cargo *)"), Some("Bash(cargo *)")),
            ("Edit", Some("Edit"), Some("Edit(*)")),
            ("Edit(src/**)", Some("Edit(src/**)"), Some("Edit(src/**)")),
            ("Write(src/**)", None, None),
            ("mcp__github", Some("mcp__github"), Some("mcp__github")),
            ("mcp__github__*", Some("mcp__github__*"), Some("mcp__github__*")),
            ("Web*", None, None),
            (r"Bash(echo \(x)", None, None),
            (r"Read(config\.json)", None, None),
            ("ExitPlanMode", None, Some("ExitPlanMode(*)")),
        ] {
            let rule: Rule = rule.parse().unwrap();
            assert_eq!(rule.handed_to_allow().as_deref(), allow, "{rule}");
            assert_eq!(rule.handed_to_block().as_deref(), block, "{rule}");
        }
    }

    #[test]
    fn a_line_is_touched_wherever_the_command_begins() {
        for line in [
            "cargo test",
            "cargo",
            "cargo test > x",
            "ls && cargo test",
            "echo $(cargo test)",
            "echo \"a; cargo test\"",
            "A=1 B=2 cargo test",
            "timeout 5 cargo test",
            "nice -n 5 cargo test",
            "\"cargo\" test",
            "'cargo' test",
            "\\cargo test",
            "car\\\ngo test",
            "cat <(cargo test)",
            "if true; then\ncargo test\nfi",
        ] {
            assert!(line_may_run("cargo *", line), "{line}");
        }
        for line in ["ls", "grep -r 'cargo test' .", "which cargo", "cargoes x", "cat cargo.toml"] {
            assert!(!line_may_run("cargo *", line), "{line}");
        }
    }
}
