//! Lists of what is allowed and what is blocked.

use super::dispatch::not_allowed;
use super::rule::{Call, NoRule, Rule};
use super::shell::{Command, Shell};
use super::site::{Home, Place, Site, Whence};
use super::tool_name;
use std::path::{Path, PathBuf};
use unspool::json::Json;

/// Which calls are allowed and which are blocked, by rules as Claude Code writes them.
///
/// A call that is blocked is never made, whatever else allows it. A call that is allowed is made without
/// asking anybody. All else is as it would be without the rules, except that rules which allow something make Claude Code
/// ask: what it asks about and is in no list goes to the permission handler, and where there is none it is denied. Rules
/// that only block change nothing else.
///
/// Claude Code does not ask about everything: it may read files, say. [`strict`](Rules::strict) rules hold
/// for those calls too.
///
/// # Two judges
///
/// Rules are handed to Claude Code as well (`--allowedTools`, `--disallowedTools`). What either of the two blocks is
/// blocked: a tool that is blocked altogether is not even offered to the model. Without asking, a call is made only if both
/// allow it. Where Claude Code is the stricter one and asks, the permission handler decides; where the rules are, a hook
/// keeps the call back, and asks. Versions before 2.1.325 may not ask when a hook wants them to: there such a call is
/// denied, and what they ask about is allowed by the rules alone.
///
/// The rules alone judge what Claude Code does not read as they do: `Write(src/**)`, patterns with a `\\` or with
/// parentheses, patterns for files that begin elsewhere than the session ([`within`](Rules::within)), and all of them for
/// a session that was started elsewhere ([`Claude::connect`](crate::Claude::connect)).
///
/// # Files
///
/// What counts is the file that is opened: links are followed, also in the working directory, and `~` is the home of the
/// session. A rule that allows has to fit the path as it is named and as it really is, so a link inside a folder that is
/// allowed leads nowhere else. A rule that blocks does so if it fits either, and it holds for what is behind links in its own
/// plain beginning too. Where a path leads that goes through a process (`/proc/self/cwd`), or that a folder nobody may look
/// into hides, cannot be known.
///
/// Some things remain. Files are looked at when the call is judged: whatever else runs may put a link there before it is
/// opened. A file with several names (hard links, mounts) is blocked only by those that a rule names, and so is one whose
/// name can be written in upper and lower case on a disk that does not tell them apart; on macOS that is looked after. If the
/// program runs elsewhere, in a container for instance, only Claude Code can follow the links there. On Windows no path can
/// be judged.
///
/// # What a pattern cannot do
///
/// A rule that allows commands allows a line only if all of it is understood; a rule that blocks them finds them where a
/// line plainly runs them, and not in a variable, an encoded text or a script. Nor do rules about files hold for
/// commands: `Read(.env)` does not block `cat .env`. What exactly can be promised is written in `docs/rules.md`. Who must be
/// sure blocks the tool, or allows by list with [`strict`](Rules::strict), or lets Claude Code run in a sandbox.
///
/// What cannot be judged is not allowed, but blocked: `WebFetch(domain:example.com)` blocks an address without a
/// plain host, and `Read(.env)` a `Grep` in a folder where such a file may be, unless its glob leaves out files of
/// that name. A name with an extension, or `.env`, is taken for that of a file; behind any other name there may be a
/// folder.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    allowed: Vec<Rule>,
    blocked: Vec<Rule>,
    strict: bool,
    place: Place,
    /// Claude Code has the rules too.
    handed: bool,
}

/// Rules as Claude Code is given them.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct HandedRules {
    pub(crate) allowed: Vec<String>,
    pub(crate) blocked: Vec<String>,
}

/// What rules say to a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ruling {
    /// It is in the list of what is allowed, and not blocked.
    Allowed,
    /// It is in the list of what is blocked.
    Blocked,
    /// It is in neither list.
    Unlisted,
}

impl Rules {
    /// Nothing is blocked, and nothing in particular allowed.
    pub fn new() -> Self {
        Rules::default()
    }

    /// Allows calls that fit one of these.
    pub fn allow<R: AsRef<str>>(mut self, rules: impl IntoIterator<Item = R>) -> Result<Self, NoRule> {
        for rule in rules {
            self.allowed.push(rule.as_ref().parse()?);
        }
        Ok(self)
    }

    /// Blocks calls that fit one of these.
    pub fn block<R: AsRef<str>>(mut self, rules: impl IntoIterator<Item = R>) -> Result<Self, NoRule> {
        for rule in rules {
            self.blocked.push(rule.as_ref().parse()?);
        }
        Ok(self)
    }

    /// The rules decide about every call, not only those that Claude Code asks about.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Where patterns for files begin; the working directory of the session unless said otherwise
    /// ([`Options::cwd`](crate::Options::cwd)), and that of this process where there is no session. A relative path
    /// is in the directory of this process.
    pub fn within(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.place.cwd = Some(cwd.into());
        self
    }

    /// What the rules say to a call.
    pub fn judge(&self, tool: &str, input: Json<'_>) -> Ruling {
        self.judge_from(Whence::Place, tool, input)
    }

    /// What the rules say to a call that is made there.
    pub(super) fn judge_from(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> Ruling {
        let (call, site) = (Call { tool, input }, Site::of(&self.place, whence));
        if self.blocked.iter().any(|rule| rule.blocks(call, &site)) {
            Ruling::Blocked
        } else if self.allows(call, &site) {
            Ruling::Allowed
        } else {
            Ruling::Unlisted
        }
    }

    /// Whether the call may be made, by the lists alone: if nothing in particular is allowed, all is that is not blocked.
    pub fn permits(&self, tool: &str, input: Json<'_>) -> bool {
        match self.judge(tool, input) {
            Ruling::Allowed => true,
            Ruling::Blocked => false,
            Ruling::Unlisted => self.allowed.is_empty(),
        }
    }

    /// These rules for a session in this directory, if it was not said where patterns begin, and of a user with this home.
    pub(super) fn in_session(&self, cwd: Option<&Path>, home: Option<PathBuf>) -> Self {
        let mut rules = self.clone();
        rules.place = Place { home: Home::Of(home), ..rules.place.in_session(cwd) };
        rules
    }

    /// These rules for a session whose program is started with what [`handed`](Self::handed) has.
    pub(super) fn handed_over(mut self) -> Self {
        self.handed = true;
        self
    }

    /// What Claude Code is given of them.
    pub(super) fn handed(&self) -> HandedRules {
        HandedRules {
            allowed: self.both_allow().filter_map(Rule::handed_to_allow).collect(),
            blocked: self
                .blocked
                .iter()
                .filter(|rule| self.begins_with_session(rule))
                .filter_map(Rule::handed_to_block)
                .collect(),
        }
    }

    /// What is allowed only if Claude Code finds so too.
    fn both_allow(&self) -> impl Iterator<Item = &Rule> {
        self.allowed.iter().filter(|rule| rule.handed_to_allow().is_some() && self.begins_with_session(rule))
    }

    /// Claude Code reads patterns for files from its working directory on.
    fn begins_with_session(&self, rule: &Rule) -> bool {
        let is_file = matches!(rule.tool(), "Edit" | "Read") && rule.pattern().is_some();
        let is_whole =
            rule.pattern().is_some_and(|pattern| pattern.starts_with("//") || pattern.starts_with('~'));
        self.place.is_of_session || !is_file || is_whole
    }

    /// Whether a call that is allowed here is so without Claude Code, which was not given the rules that allow it.
    pub(super) fn allow_alone(&self, tool: &str, input: Json<'_>) -> bool {
        let alone = |rule: &&Rule| !self.handed || self.both_allow().all(|both| both != *rule);
        let alone = Rules { allowed: self.allowed.iter().filter(alone).cloned().collect(), ..self.clone() };
        alone.judge_from(Whence::Unknown, tool, input) == Ruling::Allowed
    }

    /// Whether Claude Code might allow the call by its own reading of what it was given.
    pub(super) fn may_be_read_to_allow(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> bool {
        let (call, site) = (Call { tool, input }, Site::of(&self.place, whence));
        self.handed && self.both_allow().any(|rule| rule.touches(call, &site))
    }

    /// What the model is told of a call that is blocked.
    pub(super) fn denial(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> String {
        let (call, site) = (Call { tool, input }, Site::of(&self.place, whence));
        let rule = self.blocked.iter().find(|rule| rule.blocks(call, &site));
        let denial = match rule {
            Some(rule) => format!("This call of {tool} is not allowed: it is blocked by the rule {rule}."),
            None => not_allowed(tool),
        };
        let by_files = tool == "Grep" && self.blocked.iter().all(|rule| !rule.blocks_all(tool));
        if by_files && self.blocked.iter().any(|rule| rule.is_about_files_of(tool)) {
            return denial + " Search in a folder, or with a glob, that leaves the blocked files out.";
        }
        denial
    }

    /// Whether Claude Code has to ask about calls, so that they can be allowed.
    pub(super) fn decide(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Tools of rules that no tool is known by.
    pub(super) fn unknown_tools(&self) -> impl Iterator<Item = &str> {
        let tools = self.allowed.iter().chain(&self.blocked).map(Rule::tool);
        tools.filter(|tool| !tool_name::is_known(tool))
    }

    /// Whether calls have to be looked at that Claude Code does not ask about.
    pub(super) fn watch_all(&self) -> bool {
        !self.blocked.is_empty() || self.is_strict() || self.handed && self.both_allow().next().is_some()
    }

    /// Whether calls that are in no list have to be looked at too.
    pub(super) fn is_strict(&self) -> bool {
        self.strict && !self.allowed.is_empty()
    }

    /// A line of several commands is allowed if each of them is, by whichever rule.
    fn allows(&self, call: Call<'_>, site: &Site) -> bool {
        if self.allowed.iter().any(|rule| rule.allows(call, site)) {
            return true;
        }
        let Some(line) = call.input.get("command").and_then(Json::as_str).map(|line| line.decode()) else {
            return false;
        };
        let Some(commands) = Shell::of(call.tool).commands(&line) else { return false };
        let allowed = |command: &Command| self.allowed.iter().any(|rule| rule.fits_command(call, command));
        commands.iter().all(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The lists, a tool, and whether it may be used.
    #[test]
    fn lists_of_tools() {
        for (name, allowed, blocked, tool, permitted) in [
            ("nothing said", vec![], vec![], "Bash", true),
            ("blocked", vec![], vec!["Bash", "Write"], "Bash", false),
            ("another is blocked", vec![], vec!["Bash"], "Read", true),
            ("allowed", vec!["Read"], vec![], "Read", true),
            ("another is allowed", vec!["Read"], vec![], "Bash", false),
            ("blocked beats allowed", vec!["Bash"], vec!["Bash"], "Bash", false),
        ] {
            let rules = Rules::new().allow(allowed).unwrap().block(blocked).unwrap();
            assert_eq!(rules.permits(tool, Json::NULL), permitted, "{name}");
        }
    }

    fn judge(rules: &Rules, tool: &str, input: &Value) -> Ruling {
        rules.judge(tool, Json::new(&input.to_string()).unwrap())
    }

    #[test]
    fn commands_are_allowed_one_by_one() {
        let rules = Rules::new().allow(["Bash(cargo *)", "Bash(ls)", "Bash(git log:*)"]).unwrap();
        for (command, allowed) in [
            ("cargo", true),
            ("cargo test --all", true),
            ("cargoes", false),
            ("ls", true),
            ("ls -l", false),
            ("git log", true),
            ("git log -1", true),
            ("git logs", false),
            ("cargo test && ls", true),
            ("cargo test 2>&1 | git log", true),
            ("cargo test && rm -rf x", false),
            ("cargo test; $(rm x)", false),
            ("cargo test > x", false),
            ("cargo test # and nothing else", true),
            ("cargo test # '\nrm -rf x\n# '", false),
            ("", false),
        ] {
            let said = judge(&rules, "Bash", &json!({"command": command}));
            assert_eq!(said == Ruling::Allowed, allowed, "{command}");
        }
        let power = Rules::new().allow(["PowerShell(dir *)"]).unwrap();
        for (command, allowed) in [("dir x", true), (r"dir C:\", true), (r"dir C:\;rm x", false)] {
            let said = judge(&power, "PowerShell", &json!({"command": command}));
            assert_eq!(said == Ruling::Allowed, allowed, "{command}");
        }
        assert_eq!(judge(&rules, "Other", &json!({"command": "cargo test"})), Ruling::Unlisted);
    }

    #[test]
    fn one_blocked_command_blocks_the_line() {
        let rules = Rules::new().allow(["Bash"]).unwrap().block(["Bash(rm *)"]).unwrap();
        for line in
            ["rm x", "rm\tx", "ls && rm x", "echo $(rm x)", "A=1 rm x", "bash -c 'rm x'", "sudo /bin/rm"]
        {
            assert_eq!(judge(&rules, "Bash", &json!({"command": line})), Ruling::Blocked, "{line}");
        }
        for line in ["rmdir x", "echo rm x", "cargo rm x", "RM x"] {
            assert_eq!(judge(&rules, "Bash", &json!({"command": line})), Ruling::Allowed, "{line}");
        }
        let rules = Rules::new().allow(["PowerShell"]).unwrap().block(["PowerShell(Remove-Item *)"]).unwrap();
        for line in ["Remove-Item x", "dir; remove-item x", "REMOVE-ITEM x"] {
            assert_eq!(judge(&rules, "PowerShell", &json!({"command": line})), Ruling::Blocked, "{line}");
        }
    }

    #[test]
    fn every_kind_of_tool_has_its_patterns() {
        for (rule, tool, input, fits) in [
            ("mcp__github", "mcp__github__list", json!({}), true),
            ("mcp__github", "mcp__githubber__list", json!({}), false),
            ("mcp__github__*", "mcp__github__list", json!({}), true),
            ("mcp__github__get", "mcp__github__list", json!({}), false),
            ("Edit(src/**)", "Write", json!({"file_path": "/p/src/a"}), true),
            ("Edit(src/**)", "Read", json!({"file_path": "/p/src/a"}), false),
            ("Read(src/**)", "Grep", json!({"path": "/p/src"}), true),
            ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://Example.com/x"}), true),
            (
                "WebFetch(domain:example.com)",
                "WebFetch",
                json!({"url": "https://example.com@evil.org/"}),
                false,
            ),
            (
                "WebFetch(domain:example.com)",
                "WebFetch",
                json!({"url": r"https://evil.org\@example.com/"}),
                false,
            ),
            ("WebFetch(domain:*.example.com)", "WebFetch", json!({"url": "http://a.example.com:80"}), true),
            ("Task(Explore)", "Agent", json!({"subagent_type": "Explore"}), true),
            ("Task(Explore)", "Agent", json!({"subagent_type": "Plan"}), false),
        ] {
            let allowing = Rules::new().within("/p").allow([rule]).unwrap();
            assert_eq!(judge(&allowing, tool, &input) == Ruling::Allowed, fits, "{rule} {tool}");
            let blocking = Rules::new().within("/p").block([rule]).unwrap();
            assert_eq!(judge(&blocking, tool, &input) == Ruling::Blocked, fits, "{rule} {tool}");
        }
    }

    #[test]
    fn searches_are_blocked_if_they_may_read_what_is() {
        let rules = Rules::new().within("/p").block(["Read(.env)", "Read(secret/**)"]).unwrap();
        for (tool, input, blocked) in [
            ("Grep", json!({"pattern": "x"}), true),
            ("Grep", json!({"pattern": "x", "path": "/p/src"}), true),
            ("Grep", json!({"pattern": "x", "path": "/p/src", "glob": "*.rs"}), false),
            ("Grep", json!({"pattern": "x", "glob": "*.rs"}), true),
            ("Grep", json!({"pattern": "x", "path": "/q"}), false),
            ("Glob", json!({"pattern": "**/.env"}), false),
            ("Glob", json!({"pattern": "*", "path": "/p/secret"}), true),
            ("LS", json!({"path": "/p"}), false),
            ("LS", json!({"path": "/p/secret/a"}), true),
            ("Read", json!({"file_path": "/p/src/a"}), false),
            ("NotebookRead", json!({"file_path": "/p/a", "notebook_path": "/p/secret/a"}), true),
        ] {
            assert_eq!(judge(&rules, tool, &input) == Ruling::Blocked, blocked, "{tool} {input}");
        }
        let rules = Rules::new().within("/p").allow(["Read(src/**)"]).unwrap();
        for (input, allowed) in [(json!({}), false), (json!({"path": "src/a"}), true)] {
            assert_eq!(judge(&rules, "Grep", &input) == Ruling::Allowed, allowed, "{input}");
        }
    }

    #[test]
    fn rules_begin_where_they_say_or_where_the_session_runs() {
        let rules = Rules::new().block(["Read(./x)"]).unwrap();
        for (name, rules, path) in [
            ("of the session", in_session(&rules, "/session"), "/session/x"),
            ("their own", in_session(&rules.clone().within("/own"), "/session"), "/own/x"),
            ("relative", in_session(&rules, "sub"), &here("sub/x")),
            ("none", rules, &here("x")),
        ] {
            assert_eq!(judge(&rules, "Read", &json!({"file_path": path})), Ruling::Blocked, "{name}");
            assert_eq!(judge(&rules, "Read", &json!({"file_path": "/x"})), Ruling::Unlisted, "{name}");
        }
    }

    fn in_session(rules: &Rules, cwd: &str) -> Rules {
        rules.in_session(Some(cwd.as_ref()), None)
    }

    fn here(path: &str) -> String {
        std::env::current_dir().unwrap().join(path).display().to_string()
    }

    #[test]
    fn what_cannot_be_judged_is_not_allowed_but_blocked() {
        let input = json!({"odd": 1});
        assert_eq!(judge(&Rules::new().allow(["New(x)"]).unwrap(), "New", &input), Ruling::Unlisted);
        assert_eq!(judge(&Rules::new().block(["New(x)"]).unwrap(), "New", &input), Ruling::Blocked);
        assert_eq!(judge(&Rules::new().block(["Bash(rm *)"]).unwrap(), "Bash", &input), Ruling::Blocked);
        assert_eq!(judge(&Rules::new().block(["Edit(x)"]).unwrap(), "Write", &input), Ruling::Blocked);
        for url in ["/x", "https://0x7f.1/", "https://[::1]/", "ftp://example.com/"] {
            let input = json!({"url": url});
            let rule = ["WebFetch(domain:*)"];
            assert_eq!(
                judge(&Rules::new().allow(rule).unwrap(), "WebFetch", &input),
                Ruling::Unlisted,
                "{url}"
            );
            let rule = ["WebFetch(domain:example.com)"];
            assert_eq!(
                judge(&Rules::new().block(rule).unwrap(), "WebFetch", &input),
                Ruling::Blocked,
                "{url}"
            );
        }
    }

    #[test]
    fn a_rule_is_written_as_it_was_read() {
        for text in ["Read", "Bash(cargo *)", "mcp__github", "WebFetch(domain:example.com)"] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert_eq!("Bash(*)".parse::<Rule>().unwrap().to_string(), "Bash");
        for text in ["", "Bash(ls", "Bash)", "(ls)", "Ba sh", "Bash(ls) x", "bash(rm *)", "Bsh"] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
        let error = Rules::new().block(["bash(rm *)"]).unwrap_err().to_string();
        assert_eq!(error, "`bash(rm *)` is no rule: there is no tool of that name; did you mean `Bash`?");
        let rules = Rules::new().allow(["Bash(ls)", "mcp__x"]).unwrap().block(["Telepathy"]).unwrap();
        assert_eq!(rules.unknown_tools().collect::<Vec<_>>(), ["Telepathy"]);
    }
}
