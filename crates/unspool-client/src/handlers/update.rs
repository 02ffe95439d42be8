//! Changes to what Claude Code may do without asking.

use crate::rules::Rule;
use std::borrow::Cow;
use std::fmt;
use unspool::control::Payload;
use unspool::json::{Json, Str};
use unspool::wire::input::{Draft, Owned};
use unspool::wire::{
    AddDirectories, AddRules, Behavior, Destination, List, PermissionMode, PermissionRule, PermissionUpdate,
    RemoveDirectories, RemoveRules, ReplaceRules, SetMode, Wire,
};

/// A change to what may be done without asking, to send along with a permission.
#[derive(Clone, Debug, PartialEq)]
pub struct Update(Payload);

impl Update {
    /// Calls that fit one of these rules are allowed from now on.
    pub fn allow(rules: impl IntoIterator<Item = Rule>, kept: Destination<'_>) -> Self {
        Update::rules(rules, Behavior::Allow, kept)
    }

    /// Calls that fit one of these rules are denied from now on.
    pub fn deny(rules: impl IntoIterator<Item = Rule>, kept: Destination<'_>) -> Self {
        Update::rules(rules, Behavior::Deny, kept)
    }

    /// Calls that fit one of these rules are asked about from now on.
    pub fn ask(rules: impl IntoIterator<Item = Rule>, kept: Destination<'_>) -> Self {
        Update::rules(rules, Behavior::Ask, kept)
    }

    /// These rules take the place of all others that say the same and are kept there.
    pub fn replace(
        rules: impl IntoIterator<Item = Rule>,
        behavior: Behavior<'_>,
        kept: Destination<'_>,
    ) -> Self {
        let rules = wire_rules(rules);
        let update = ReplaceRules::default().rules(&rules).behavior(behavior).destination(kept);
        Update(Payload::of(&update))
    }

    /// These rules no longer hold.
    pub fn remove(
        rules: impl IntoIterator<Item = Rule>,
        behavior: Behavior<'_>,
        kept: Destination<'_>,
    ) -> Self {
        let rules = wire_rules(rules);
        let update = RemoveRules::default().rules(&rules).behavior(behavior).destination(kept);
        Update(Payload::of(&update))
    }

    /// Another mode from now on.
    #[must_use]
    pub fn mode(mode: PermissionMode<'_>, kept: Destination<'_>) -> Self {
        Update(Payload::of(&SetMode::default().mode(mode).destination(kept)))
    }

    /// These directories may be used from now on.
    pub fn directories<D: Into<String>>(
        directories: impl IntoIterator<Item = D>,
        kept: Destination<'_>,
    ) -> Self {
        let directories: Vec<String> = directories.into_iter().map(Into::into).collect();
        let directories = Owned::of(directories);
        Update(Payload::of(&AddDirectories::default().directories(&directories).destination(kept)))
    }

    /// These directories may no longer be used.
    pub fn remove_directories<D: Into<String>>(
        directories: impl IntoIterator<Item = D>,
        kept: Destination<'_>,
    ) -> Self {
        let directories: Vec<String> = directories.into_iter().map(Into::into).collect();
        let directories = Owned::of(directories);
        Update(Payload::of(&RemoveDirectories::default().directories(&directories).destination(kept)))
    }

    /// This change, kept elsewhere.
    #[must_use]
    pub fn kept_in(&self, kept: Destination<'_>) -> Self {
        let others = self.0.json().fields().filter(|(name, _)| *name != "destination");
        let draft = others.fold(Draft::new(), |draft, (name, value)| draft.with(&name.decode(), value));
        Update(draft.with("destination", kept).json().into())
    }

    /// The change as it is on the wire.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        self.0.json()
    }

    fn rules(rules: impl IntoIterator<Item = Rule>, behavior: Behavior<'_>, kept: Destination<'_>) -> Self {
        let rules = wire_rules(rules);
        let update = AddRules::default().rules(&rules).behavior(behavior).destination(kept);
        Update(Payload::of(&update))
    }
}

/// What it comes to, in words for people: `allow Bash(cargo *)`, `mode acceptEdits`.
impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match PermissionUpdate::of(self.json()).unwrap_or_default() {
            PermissionUpdate::AddRules(AddRules { rules, behavior, .. }) => {
                write!(f, "{} {}", word(behavior), names(rules))
            }
            PermissionUpdate::ReplaceRules(ReplaceRules { rules, behavior, .. }) => {
                write!(f, "{} only {}", word(behavior), names(rules))
            }
            PermissionUpdate::RemoveRules(RemoveRules { rules, behavior, .. }) => {
                write!(f, "no longer {} {}", word(behavior), names(rules))
            }
            PermissionUpdate::SetMode(SetMode { mode: Some(mode), .. }) => {
                write!(f, "mode {}", mode.as_str())
            }
            PermissionUpdate::AddDirectories(AddDirectories { directories, .. }) => {
                write!(f, "work in {}", paths(directories))
            }
            PermissionUpdate::RemoveDirectories(RemoveDirectories { directories, .. }) => {
                write!(f, "no longer work in {}", paths(directories))
            }
            _ => f.write_str(&self.json().clean()),
        }
    }
}

fn word(behavior: Option<Behavior<'_>>) -> Cow<'_, str> {
    behavior.map_or(Cow::Borrowed("change"), |behavior| behavior.as_str())
}

fn names(rules: Option<List<'_, PermissionRule<'_>>>) -> String {
    let name = |rule: PermissionRule<'_>| {
        let tool = rule.tool_name.map(|tool| tool.decode()).unwrap_or_default();
        match rule.rule_content.map(|content| content.decode()) {
            Some(content) => format!("{tool}({content})"),
            None => tool.into_owned(),
        }
    };
    rules.iter().flat_map(|rules| rules.iter()).map(name).collect::<Vec<_>>().join(", ")
}

fn paths(paths: Option<List<'_, Str<'_>>>) -> String {
    let paths = paths.iter().flat_map(|paths| paths.iter()).map(|path| path.decode());
    paths.collect::<Vec<_>>().join(", ")
}

/// A suggestion of Claude Code's, for instance.
impl From<PermissionUpdate<'_>> for Update {
    fn from(update: PermissionUpdate<'_>) -> Self {
        Update(Payload::of(&update))
    }
}

/// All of them, as one list.
pub(super) fn list(updates: &[Update]) -> Owned {
    Owned::of(updates.iter().map(|update| update.json()).collect::<Vec<_>>())
}

fn wire_rules(rules: impl IntoIterator<Item = Rule>) -> Owned {
    Owned::of(rules.into_iter().map(|rule| Owned::of(wire_rule(&rule))).collect::<Vec<_>>())
}

fn wire_rule(rule: &Rule) -> PermissionRule<'_> {
    let wire = PermissionRule::default().tool_name(rule.tool());
    match rule.pattern() {
        Some(pattern) => wire.rule_content(pattern),
        None => wire,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(texts: &[&str]) -> Vec<Rule> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn changes_are_written_as_claude_code_writes_them() {
        use Destination::{LocalSettings, Session};
        let bash = || rules(&["Bash(touch perm-a *)", "Read"]);
        let written = r#""rules":[{"toolName":"Bash","ruleContent":"touch perm-a *"},{"toolName":"Read"}]"#;
        let folder = ["/home/user/project"];
        for (update, text) in [
            (
                Update::allow(bash(), LocalSettings),
                format!(r#"{{"type":"addRules",{written},"behavior":"allow","destination":"localSettings"}}"#),
            ),
            (
                Update::replace(bash(), Behavior::Ask, Session),
                format!(r#"{{"type":"replaceRules",{written},"behavior":"ask","destination":"session"}}"#),
            ),
            (
                Update::remove(bash(), Behavior::Deny, Session),
                format!(r#"{{"type":"removeRules",{written},"behavior":"deny","destination":"session"}}"#),
            ),
            (
                Update::mode(PermissionMode::AcceptEdits, Session),
                r#"{"type":"setMode","mode":"acceptEdits","destination":"session"}"#.into(),
            ),
            (
                Update::directories(folder, Session),
                r#"{"type":"addDirectories","directories":["/home/user/project"],"destination":"session"}"#.into(),
            ),
            (
                Update::remove_directories(folder, Session),
                r#"{"type":"removeDirectories","directories":["/home/user/project"],"destination":"session"}"#
                    .into(),
            ),
        ] {
            assert_eq!(update.json().text(), text);
        }
    }

    #[test]
    fn a_suggestion_can_be_kept_elsewhere_and_loses_nothing() {
        let text = r#"{"type":"addRules","rules":[],"destination":"localSettings","new":1}"#;
        let suggestion = Update::from(PermissionUpdate::of(Json::new(text).unwrap()).unwrap());
        assert_eq!(
            suggestion.kept_in(Destination::Session).json().text(),
            r#"{"type":"addRules","rules":[],"new":1,"destination":"session"}"#
        );
    }

    #[test]
    fn changes_are_told_in_words() {
        let bash = || rules(&["Bash(touch a *)", "Read"]);
        let session = Destination::Session;
        for (update, words) in [
            (Update::allow(bash(), session), "allow Bash(touch a *), Read"),
            (Update::deny(bash(), session), "deny Bash(touch a *), Read"),
            (Update::replace(bash(), Behavior::Ask, session), "ask only Bash(touch a *), Read"),
            (Update::remove(bash(), Behavior::Allow, session), "no longer allow Bash(touch a *), Read"),
            (Update::mode(PermissionMode::AcceptEdits, session), "mode acceptEdits"),
            (Update::directories(["/a", "/b"], session), "work in /a, /b"),
            (Update::remove_directories(["/a"], session), "no longer work in /a"),
        ] {
            assert_eq!(update.to_string(), words);
        }
        let new = Update(serde_json::json!({ "type": "new" }).into());
        assert_eq!(new.to_string(), r#"{"type":"new"}"#);
    }
}
