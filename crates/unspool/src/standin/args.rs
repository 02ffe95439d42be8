//! The arguments of the program, as far as they change what is said between it and its host.

use super::deviation::Deviation;
use super::names::Names;
use crate::json::Json;

/// The arguments of a call, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Args {
    flags: Vec<(String, Option<String>)>,
    /// What is no flag and no value of one: the prompt.
    words: Vec<String>,
}

/// How two values of a flag are compared.
enum By {
    /// As they are written.
    Value,
    /// As JSON.
    Json,
    /// As names that hosts may make.
    Name,
    /// Not at all: the host makes it.
    Presence,
}

/// The flags that matter, and how much: a life that is of another session is worse than one that streams otherwise.
const COMPARED: [(&str, By, u32); 13] = [
    ("--input-format", By::Value, 1),
    ("--output-format", By::Value, 1),
    ("--include-partial-messages", By::Value, 1),
    ("--include-hook-events", By::Value, 1),
    ("--replay-user-messages", By::Value, 1),
    ("--forward-subagent-text", By::Value, 1),
    ("--permission-prompt-tool", By::Value, 1),
    ("--json-schema", By::Json, 1),
    ("--resume", By::Name, OTHER_SESSION),
    ("--resume-session-at", By::Name, OTHER_SESSION),
    ("--continue", By::Value, OTHER_SESSION),
    ("--fork-session", By::Value, OTHER_SESSION),
    ("--session-id", By::Presence, OTHER_SESSION),
];

const OTHER_SESSION: u32 = 100;

/// What Claude Code does beside sessions, by the first word.
const COMMANDS: [&str; 10] = [
    "agents",
    "auth",
    "doctor",
    "install",
    "mcp",
    "migrate-installer",
    "plugin",
    "setup-token",
    "update",
    "upgrade",
];

/// Flags that are answered at once, whatever stands beside them.
const ANSWERED: [&str; 2] = ["--version", "--help"];

/// Flags that take no value. Of any other the next word is its value, unless it is a flag.
const SWITCHES: [&str; 24] = [
    "--allow-dangerously-skip-permissions",
    "--await-claim",
    "--await-initialize",
    "--bare",
    "--brief",
    "--chrome",
    "--continue",
    "--dangerously-skip-permissions",
    "--disable-slash-commands",
    "--fork-session",
    "--forward-subagent-text",
    "--help",
    "--ide",
    "--include-hook-events",
    "--include-partial-messages",
    "--mcp-debug",
    "--no-chrome",
    "--no-session-persistence",
    "--print",
    "--replay-user-messages",
    "--session-mirror",
    "--strict-mcp-config",
    "--verbose",
    "--version",
];

/// Whether a call with these arguments is a session, and not `mcp list` or `--version`.
#[must_use]
pub fn is_session<A: AsRef<str>>(args: &[A]) -> bool {
    Args::read(args).command().is_none()
}

impl Args {
    pub(super) fn read<A: AsRef<str>>(args: &[A]) -> Self {
        let mut read = Args::default();
        let mut args = args.iter().map(A::as_ref).peekable();
        while let Some(word) = args.next() {
            if word == "--" {
                read.words.extend(args.by_ref().map(str::to_owned));
            } else if let Some((flag, value)) =
                word.split_once('=').filter(|(flag, _)| flag.starts_with("--"))
            {
                read.flags.push((flag.into(), Some(value.into())));
            } else if word.starts_with('-') && word.len() > 1 {
                let flag = long(word);
                let value = args.next_if(|next| !SWITCHES.contains(&flag) && !next.starts_with('-'));
                read.flags.push((flag.into(), value.map(str::to_owned)));
            } else {
                read.words.push(word.into());
            }
        }
        read
    }

    /// The value of a flag that is given; empty if it has none. Of repeated ones the last counts.
    pub(super) fn get(&self, flag: &str) -> Option<&str> {
        let last = self.flags.iter().rfind(|(name, _)| name == flag);
        last.map(|(_, value)| value.as_deref().unwrap_or_default())
    }

    /// What is done, if it is no session: `mcp list`, `--version`.
    pub(super) fn command(&self) -> Option<String> {
        if let Some(flag) = ANSWERED.into_iter().find(|flag| self.get(flag).is_some()) {
            return Some(flag.into());
        }
        let first = self.words.first().filter(|word| COMMANDS.contains(&word.as_str()));
        first.map(|_| self.words.join(" "))
    }

    /// Whether standard input is lines of JSON, for as long as it is open.
    pub(super) fn is_json(&self) -> bool {
        self.get("--input-format") == Some("stream-json")
    }

    /// What is otherwise than in these, and how much that matters.
    pub(super) fn deviations(&self, recorded: &Args, names: &Names) -> Vec<(Deviation, u32)> {
        let mut deviations = Vec::new();
        for (flag, by, weight) in COMPARED {
            let (expected, came) = (recorded.get(flag), self.get(flag));
            let is_same = match (expected, came) {
                (Some(expected), Some(came)) => by.is_same(expected, came, names),
                (expected, came) => expected == came,
            };
            if !is_same {
                deviations.push((argument(flag, expected, came), weight));
            }
        }
        let [expected, came] = [recorded, self].map(|args| (!args.is_json()).then(|| args.words.join(" ")));
        if expected.is_some() && came.is_some() && expected != came {
            deviations.push((argument("prompt", expected.as_deref(), came.as_deref()), OTHER_SESSION));
        }
        deviations
    }

    /// Names of sessions that the host gives, and what they were called.
    pub(super) fn names(&self, recorded: &Args) -> Vec<(String, String)> {
        let flags = ["--session-id", "--resume"];
        let pairs =
            flags.iter().filter_map(|flag| Some((recorded.get(flag)?.into(), self.get(flag)?.into())));
        pairs.filter(|(recorded, now): &(String, String)| !recorded.is_empty() && !now.is_empty()).collect()
    }
}

fn argument(name: &str, expected: Option<&str>, came: Option<&str>) -> Deviation {
    Deviation::Argument {
        name: name.into(),
        expected: expected.map(str::to_owned),
        came: came.map(str::to_owned),
    }
}

impl By {
    fn is_same(&self, expected: &str, came: &str, names: &Names) -> bool {
        match self {
            By::Value => expected == came,
            By::Json => match (Json::new(expected), Json::new(came)) {
                (Ok(expected), Ok(came)) => super::same::is_same(expected, came),
                _ => expected == came,
            },
            By::Name => expected == came || names.now(expected) == Some(came),
            By::Presence => true,
        }
    }
}

fn long(flag: &str) -> &str {
    match flag {
        "-p" => "--print",
        "-c" => "--continue",
        "-r" => "--resume",
        "-v" => "--version",
        "-h" => "--help",
        long => long,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is otherwise in the second call, in words.
    fn told(recorded: &[&str], now: &[&str]) -> Vec<String> {
        let mut names = Names::default();
        names.note("old", "new");
        let deviations = Args::read(now).deviations(&Args::read(recorded), &names);
        deviations.into_iter().map(|(deviation, _)| deviation.to_string()).collect()
    }

    #[test]
    fn what_changes_nothing_between_host_and_program_is_not_compared() {
        let recorded =
            ["-p", "--output-format", "stream-json", "--model", "opus", "--input-format=stream-json"];
        let now = ["--input-format", "stream-json", "--mcp-config", "x.json", "--output-format=stream-json"];
        assert_eq!(told(&recorded, &now), Vec::<String>::new());
        let named = (["--resume", "old", "--session-id=1"], ["--resume=new", "--session-id", "2"]);
        assert_eq!(told(&named.0, &named.1), Vec::<String>::new());
        let schemas = ([r#"--json-schema={"a":1,"b":2}"#], [r#"--json-schema={"b":2, "a":1}"#]);
        assert_eq!(told(&schemas.0, &schemas.1), Vec::<String>::new());
    }

    #[test]
    fn what_changes_the_stream_is_told() {
        let recorded = ["--input-format=stream-json", "--include-partial-messages", "-r", "s1"];
        assert_eq!(
            told(&recorded, &["--input-format=stream-json", "--resume", "s2", "-c"]),
            [
                "--include-partial-messages: given in the recording, not given here",
                "--resume: `s1` in the recording, `s2` here",
                "--continue: not given in the recording, given here",
            ]
        );
        assert_eq!(
            told(&["-p", "--verbose", "fix it", "--model", "opus"], &["--print", "--model=opus", "mend it"]),
            ["prompt: `fix it` in the recording, `mend it` here"]
        );
    }
}
