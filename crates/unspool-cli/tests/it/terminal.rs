//! `unspool run --ask`, in a pseudo-terminal, which `script` provides.

use crate::stand_in::StandIn;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// More than anything takes on the slowest machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Somebody who sits before a terminal.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    shown: String,
}

impl Terminal {
    /// Starts a command line in a terminal.
    pub(crate) fn start(command: &Command) -> Self {
        let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap().replace('\'', r"'\''"));
        let line = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
        // `exec`, because Ctrl-C reaches everybody at the terminal: a shell that waited would die of it, and its
        // exit code would hide the program's.
        let line = format!("exec {}", line.collect::<Vec<_>>().join(" "));
        let mut script = Command::new("script");
        script.args(["-qefc", &line, "/dev/null"]).env("SHELL", "/bin/sh").env("TERM", "xterm-256color");
        // Words that are looked for have no codes among them.
        script.env("NO_COLOR", "1");
        script.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        script.current_dir(command.get_current_dir().unwrap());
        let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (keys, screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Terminal { child, keys, screen, shown: String::new() }
    }

    /// Waits until the screen shows this, behind what was waited for before.
    pub(crate) fn until(&mut self, words: &str) {
        while !self.shown.contains(words) {
            let piece = self.next();
            assert!(!piece.is_empty(), "{words:?} is not in {:?}", self.shown);
            self.shown.push_str(&String::from_utf8_lossy(&piece));
        }
        let at = self.shown.find(words).unwrap() + words.len();
        self.shown.drain(..at);
    }

    /// Waits until so many commands are asked about, and nothing more is shown; each with its number.
    pub(crate) fn until_asked(&mut self, count: usize) -> HashMap<String, String> {
        loop {
            // Behind them stands what can be typed.
            let lines = self.shown.lines().rev().skip_while(|line| !line.starts_with("? "));
            let list = lines.map_while(|line| line.trim_end().strip_prefix("? "));
            let asked: HashMap<String, String> = (list.filter_map(|line| line.split_once("  Bash: ")))
                .map(|(number, command)| (command.to_owned(), number.to_owned()))
                .collect();
            if asked.len() == count && self.shown.ends_with("\n> ") {
                self.shown.clear();
                return asked;
            }
            let piece = self.next();
            assert!(!piece.is_empty(), "{count} are not asked about in {:?}", self.shown);
            self.shown.push_str(&String::from_utf8_lossy(&piece));
        }
    }

    /// Shows an emulator what reaches the screen, until this is there to see.
    pub(crate) fn shows(&mut self, emulator: &mut vt100::Parser, is_there: impl Fn(&vt100::Screen) -> bool) {
        while !is_there(emulator.screen()) {
            let piece = self.next();
            assert!(!piece.is_empty(), "it ended with {:?}", emulator.screen().contents());
            emulator.process(&piece);
        }
    }

    /// Shows all bytes that reach the screen, until the end; the exit code.
    pub(crate) fn watch(mut self, mut each: impl FnMut(&[u8])) -> Option<i32> {
        loop {
            match &*self.next() {
                [] => return self.child.wait().unwrap().code(),
                piece => each(piece),
            }
        }
    }

    /// The process that provides the terminal.
    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Waits until this is asked, and there is a place to type; answers it.
    pub(crate) fn answers(&mut self, question: &str, words: &str) {
        self.until(question);
        self.until("> ");
        self.types(&format!("{words}\n"));
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the end; the exit code, and the rest of what was shown.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let mut rest = Vec::new();
        while let piece = self.next()
            && !piece.is_empty()
        {
            rest.extend(piece);
        }
        self.shown.push_str(&String::from_utf8(rest).unwrap());
        (self.child.wait().unwrap().code(), self.shown)
    }

    /// What reaches the screen next; nothing at the end. It is never waited for without end.
    fn next(&mut self) -> Vec<u8> {
        let mut ready = [PollFd::new(&self.screen, PollFlags::IN)];
        let limit = Timespec { tv_sec: LIMIT.as_secs() as i64, tv_nsec: 0 };
        assert!(poll(&mut ready, Some(&limit)).unwrap() > 0, "nothing more is shown than {:?}", self.shown);
        let mut piece = vec![0; 4096];
        let length = self.screen.read(&mut piece).unwrap();
        piece.truncate(length);
        piece
    }
}

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#;

fn asks(number: u32, command: &str) -> String {
    format!(
        r#"echo '{{"type":"control_request","request_id":"r{number}","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{{"command":"{command}"}},"permission_suggestions":[{{"type":"addRules","rules":[{{"toolName":"Bash","ruleContent":"ls"}}],"behavior":"allow","destination":"localSettings"}}]}}}}'"#
    )
}

#[test]
fn all_questions_are_listed_and_each_gets_its_answer() {
    let commands = ["ls", "rm x", "touch y", "pwd"];
    let questions: Vec<String> = (1..).zip(commands).map(|(number, command)| asks(number, command)).collect();
    let script = format!(
        "hear; echo '{INIT}'\n{}\nhear; hear; hear; hear; echo '{RESULT}'; cat > /dev/null",
        questions.join("\n")
    );
    let stand_in = StandIn::acts(&script);
    let mut terminal = Terminal::start(&stand_in.command(&["run", "go", "--ask", "--timeout", "60s"]));
    let asked = terminal.until_asked(4);
    terminal.types(&format!("{} n not that\n", asked["rm x"]));
    terminal.until_asked(3);
    terminal.types(&format!("{} e\n", asked["touch y"]));
    terminal.until("new command> ");
    terminal.types("touch z\n");
    terminal.until("(changed by you)");
    terminal.until("\n> ");
    terminal.types("y\n");
    terminal.until_asked(2);
    terminal.types(&format!("{} a\n", asked["ls"]));
    terminal.until_asked(1);
    terminal.types("y\n");
    let (code, shown) = terminal.ended();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("ok") && shown.contains(" · the last turn completed"), "{shown}");
    let heard = stand_in.read("heard.ndjson");
    let answer = |number: u32| {
        let id = format!("\"request_id\":\"r{number}\"");
        let line = heard.lines().find(|line| line.contains(&id)).unwrap_or_else(|| panic!("{heard}"));
        serde_json::from_str::<serde_json::Value>(line).unwrap()["response"]["response"].clone()
    };
    assert_eq!((&answer(2)["behavior"], &answer(2)["message"]), (&"deny".into(), &"not that".into()));
    assert_eq!(answer(3)["updatedInput"]["command"], "touch z");
    assert_eq!(answer(1)["updatedPermissions"][0]["destination"], "session", "{}", answer(1));
    assert_eq!(answer(4), serde_json::json!({"behavior": "allow", "updatedInput": {"command": "pwd"}}));
}

#[test]
fn ctrl_c_interrupts_the_turn() {
    let interrupted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}"#;
    let words = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"begun"}]}}"#;
    let script = format!("hear; echo '{INIT}'; echo '{words}'; hear; echo '{interrupted}'; cat > /dev/null");
    let stand_in = StandIn::acts(&script);
    let mut terminal = Terminal::start(&stand_in.command(&["run", "go", "--timeout", "60s"]));
    terminal.until("begun");
    terminal.types("\u{3}");
    let (code, shown) = terminal.ended();
    assert_eq!(code, Some(10), "{shown}");
    assert!(
        shown.contains("interrupting the turn")
            && shown.contains("✗ failed")
            && shown.contains("interrupted: error_during_execution"),
        "{shown}"
    );
    assert!(stand_in.read("heard.ndjson").contains(r#""subtype":"interrupt""#));
}

#[test]
fn without_a_terminal_nobody_can_be_asked() {
    let stand_in = StandIn::acts("");
    let mut command = Command::new("setsid");
    command.arg(env!("CARGO_BIN_EXE_unspool")).args(["run", "go", "--ask"]).current_dir(&stand_in.folder);
    let output = command.env("UNSPOOL_CLAUDE", stand_in.folder.join("claude")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("unspool: --ask needs a terminal: ") && stand_in.read("args.txt").is_empty(),
        "{said}"
    );
}
