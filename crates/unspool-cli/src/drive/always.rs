//! What it is to allow a call always, and how it is said.

use unspool::json::Json;
use unspool::wire::tool::{BashInput, ToolInput};
use unspool::wire::{AddDirectories, AddRules, Behavior, Destination, PermissionMode, PermissionRule};
use unspool::wire::{PermissionUpdate, SetMode, Wire};
use unspool_client::handlers::{Permission, Update};

/// What Claude Code suggests, so that it need not ask again about such a call; where it suggests nothing, that very command, or
/// that tool. Beside rules it also suggests a mode in which much more is allowed, which nobody wants who wants a rule.
pub(super) fn always(asked: &Permission) -> Vec<Update> {
    if asked.read().suppress_always_allow_rule == Some(true) {
        return Vec::new();
    }
    let rules =
        |update: &Update| matches!(PermissionUpdate::of(update.json()), Some(PermissionUpdate::AddRules(_)));
    let mode =
        |update: &Update| matches!(PermissionUpdate::of(update.json()), Some(PermissionUpdate::SetMode(_)));
    let mut suggested: Vec<Update> =
        asked.suggestions().iter().map(|update| update.kept_in(Destination::Session)).collect();
    if suggested.iter().any(rules) {
        suggested.retain(|update| !mode(update));
    }
    if suggested.is_empty() { own_rule(asked).into_iter().collect() } else { suggested }
}

/// A rule for a call about which Claude Code suggests nothing. A `*` in a command would stand for anything.
fn own_rule(asked: &Permission) -> Option<Update> {
    let command =
        asked.input().get(BashInput::NAMES.command).and_then(Json::as_str).map(|command| command.decode());
    let rule = match command {
        Some(command) if command.contains(['*', '\n']) => return None,
        Some(command) => format!("{}({command})", asked.tool()),
        None => asked.tool().into_owned(),
    };
    Some(Update::allow([rule.parse().ok()?], Destination::Session))
}

/// What these come to, as a sentence goes on; nothing for none.
pub(super) fn sentence(updates: &[Update]) -> Option<String> {
    let parts: Vec<String> = updates.iter().map(words).collect();
    Some(parts.join(", and ")).filter(|sentence| !sentence.is_empty())
}

fn words(update: &Update) -> String {
    match PermissionUpdate::of(update.json()).unwrap_or_default() {
        PermissionUpdate::AddRules(AddRules {
            rules: Some(rules), behavior: Some(Behavior::Allow), ..
        }) => {
            let rules: Vec<String> = rules.iter().map(rule).collect();
            format!("allow {}", rules.join(" and "))
        }
        PermissionUpdate::SetMode(SetMode { mode: Some(PermissionMode::AcceptEdits), .. }) => {
            "allow every edit of a file in the project, and simple commands on its files".to_owned()
        }
        PermissionUpdate::AddDirectories(AddDirectories { directories: Some(folders), .. }) => {
            let folders: Vec<_> = folders.iter().map(|folder| folder.decode()).collect();
            format!("let it work in {}", folders.join(" and "))
        }
        _ => update.to_string(),
    }
}

/// `` `touch a` ``, `` commands like `cargo *` ``, `every call of Read`.
fn rule(rule: PermissionRule<'_>) -> String {
    let tool = rule.tool_name.map(|tool| tool.decode()).unwrap_or_default();
    match rule.rule_content.map(|content| content.decode()) {
        None => format!("every call of {tool}"),
        Some(content) if !matches!(ToolInput::named(&tool), ToolInput::Bash(_)) => {
            format!("{tool} of {content}")
        }
        Some(content) => match content.strip_suffix(":*") {
            Some(begins) => format!("commands like `{begins} …`"),
            None if content.contains('*') => format!("commands like `{content}`"),
            None => format!("`{content}`"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_is_said_in_a_sentence() {
        let rules = |texts: &[&str]| {
            let rules: Vec<_> = texts.iter().map(|text| text.parse().unwrap()).collect();
            Update::allow(rules, Destination::Session)
        };
        for (updates, words) in [
            (vec![rules(&["Bash(touch a b)"])], "allow `touch a b`"),
            (vec![rules(&["Bash(cargo *)", "Read"])], "allow commands like `cargo *` and every call of Read"),
            (vec![rules(&["Bash(mkdir:*)"])], "allow commands like `mkdir …`"),
            (vec![rules(&["Read(//etc/**)"])], "allow Read of //etc/**"),
            (
                vec![
                    Update::mode(PermissionMode::AcceptEdits, Destination::Session),
                    Update::directories(["/tmp/x"], Destination::Session),
                ],
                "allow every edit of a file in the project, and simple commands on its files, and let it work in /tmp/x",
            ),
            (vec![Update::mode(PermissionMode::Plan, Destination::Session)], "mode plan"),
        ] {
            assert_eq!(sentence(&updates).as_deref(), Some(words));
        }
        assert_eq!(sentence(&[]), None);
    }
}
