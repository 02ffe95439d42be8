//! Where lines are run: an empty folder, stand-ins for programs, and nobody's rights.

use rustix::process::{Pid, Signal, kill_process_group};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What is on the search path; each notes its words. The first one is what must never be run.
const STAND_INS: [&str; 7] = ["pwn", "cargo", "git", "npm", "ls", "time", "out"];

/// What of them lies in the working directory, too: it is run by whoever has changed where programs are looked for, and
/// notes that as the first of the stand-ins.
const DECOYS: [&str; 4] = ["cargo", "git", "npm", "ls"];

/// Programs that start others: they note their words, and do what they do.
const STARTERS: [&str; 5] = ["timeout", "nice", "nohup", "stdbuf", "env"];

/// What the user of the least rights is called on all systems that have one.
const NOBODY: u32 = 65534;

/// Runs each line as Claude Code does, and notes for each apart what it runs, and what the shell is before and after it:
/// its variables and functions, parameters, options, aliases, traps and rights of files. In the end a program is run by its
/// name: whoever has changed what the name means is found by that. `echo` of zsh and dash would read the lines that it is given:
/// behind a `\c` in one of them no line ends.
const DRIVER: &str = r#"ulimit -t 60; ulimit -f 4096; logs=$1; number=$2; shift 2
for line do
    LOG=$logs/$number; export LOG
    (
        { set; printf '%s\n' "parameters=$*" "options=$-"; alias; trap; umask; } > "$LOG.before" 2>&1
        eval "$line"
        wait
        { set; printf '%s\n' "parameters=$*" "options=$-"; alias; trap; umask; } > "$LOG.after" 2>&1
        LOG=$LOG.last
        eval 'cargo last'
    ) </dev/null
    number=$((number+1))
done"#;

/// Variables that a shell changes by itself; `TTYIDLE` where there is a terminal.
const RESTLESS: [&str; 15] = [
    "_",
    "?",
    "!",
    "BASHPID",
    "BASH_COMMAND",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "LINENO",
    "OLDPWD",
    "PIPESTATUS",
    "PWD",
    "RANDOM",
    "SECONDS",
    "TTYIDLE",
];

pub(super) struct Arena {
    root: PathBuf,
    shells: Vec<RealShell>,
    /// How many lines were run: what comes too late is never taken for what another line did.
    count: Cell<usize>,
}

pub(super) struct RealShell {
    pub(super) name: String,
    pub(super) kind: Kind,
    path: PathBuf,
    options: Vec<&'static str>,
}

/// How a shell is set up.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// As it is without files of the user's.
    Usual,
    /// With options that make it read more into words: it may give programs other words, but run no others.
    Odd,
}

/// What came of a line.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// The words of each program.
    pub(super) programs: Vec<Vec<String>>,
    /// What of the shell is not as it was, by name.
    pub(super) changed: Vec<String>,
    /// The shell has come to its end, but a program is no longer what is run by its name.
    pub(super) is_lost: bool,
    /// Files that were not there before.
    pub(super) strays: Vec<String>,
    /// It did not end, and was killed.
    pub(super) hangs: bool,
}

impl Arena {
    /// `None` where there is no shell.
    pub(super) fn new() -> Option<Self> {
        let shells = shells();
        let sh = ["dash", "sh", "bash"].into_iter().find_map(find)?;
        let root = std::env::temp_dir().join(format!("unspool-shells-{}", std::process::id()));
        let arena = Arena { root, shells, count: Cell::new(0) };
        for folder in ["bin", "logs", "work", "home"] {
            fs::create_dir_all(arena.root.join(folder)).unwrap();
        }
        let note =
            format!("#!{}\nprintf '%s\u{1f}' \"${{0##*/}}\" \"$@\" '\u{1e}' >> \"$LOG\"\n", sh.display());
        for name in STAND_INS {
            arena.program(name, &note);
        }
        for name in DECOYS {
            arena.program(&format!("../work/{name}"), &note.replace("${0##*/}", &format!("pwn by {name}")));
        }
        for name in STARTERS {
            let real = find(name).map(|path| format!("exec {} \"$@\"\n", path.display()));
            arena.program(name, &(note.clone() + &real.unwrap_or_default()));
        }
        for file in ["a", "b.rs", "c d", "-x"] {
            fs::write(arena.root.join("work").join(file), "").unwrap();
        }
        if is_root() {
            for folder in ["logs", "work", "home"] {
                chown(arena.root.join(folder), Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        Some(arena)
    }

    pub(super) fn shells(&self) -> &[RealShell] {
        &self.shells
    }

    /// Runs the lines one after the other.
    pub(super) fn run(&self, shell: &RealShell, lines: &[String]) -> Vec<Ran> {
        let (before, first) = (self.files(), self.count.get());
        self.count.set(first + lines.len());
        let hangs = !self.drive(shell, first, lines);
        let mut ran: Vec<Ran> = (first..self.count.get()).map(|number| self.noted(number)).collect();
        let after = self.files();
        let strays: Vec<_> = after.iter().filter(|file| !before.contains(file)).collect();
        strays.iter().for_each(|file| drop(fs::remove_file(file)));
        if (hangs || !strays.is_empty()) && lines.len() > 1 {
            return lines.iter().flat_map(|line| self.run(shell, std::slice::from_ref(line))).collect();
        }
        if let [only] = &mut *ran {
            only.strays = strays.iter().map(|file| file.display().to_string()).collect();
            only.hangs = hangs;
        }
        ran
    }

    /// Returns whether they have ended.
    fn drive(&self, shell: &RealShell, first: usize, lines: &[String]) -> bool {
        let mut command = Command::new(&shell.path);
        command.args(&shell.options).args(["-c", DRIVER, "sh"]).arg(self.root.join("logs"));
        command.arg(first.to_string()).args(lines);
        command.env_clear().env("PATH", self.root.join("bin")).env("HOME", self.root.join("home"));
        command.current_dir(self.root.join("work")).process_group(0).stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        wait(command, Duration::from_secs(60 + lines.len() as u64))
    }

    fn noted(&self, number: usize) -> Ran {
        let [programs, before, after, last] =
            ["", ".before", ".after", ".last"].map(|kind| self.taken(&format!("{number}{kind}")));
        let programs = programs.as_deref().map(programs_in).unwrap_or_default();
        let mut ran = Ran { programs, ..Ran::default() };
        // Whoever has left the shell has changed nothing in it.
        if let (Some(before), Some(after)) = (before, after) {
            let last = last.as_deref().map(programs_in).unwrap_or_default();
            ran.is_lost = last != [["cargo", "last"]];
            ran.changed = changed(&before, &after);
        }
        ran
    }

    /// What is in a file of notes, which is gone then.
    fn taken(&self, name: &str) -> Option<String> {
        let file = self.root.join("logs").join(name);
        let text = fs::read(&file).ok()?;
        let _ = fs::remove_file(file);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn files(&self) -> Vec<PathBuf> {
        let folders = ["work", "home"].into_iter().map(|folder| self.root.join(folder));
        folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect()
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.root.join("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The words of each program that was noted.
fn programs_in(notes: &str) -> Vec<Vec<String>> {
    let words = |program: &str| program.split_terminator('\u{1f}').map(str::to_owned).collect();
    notes.split_terminator("\u{1e}\u{1f}").map(words).collect()
}

/// The names of what is not the same in two lists of all that a shell knows.
fn changed(before: &str, after: &str) -> Vec<String> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (before, after) = (lines(before), lines(after));
    let names =
        before.symmetric_difference(&after).map(|line| line.split('=').next().unwrap_or(line).to_owned());
    let mut names: Vec<String> = names.filter(|name| !RESTLESS.contains(&&**name)).collect();
    names.dedup();
    names
}

fn shells() -> Vec<RealShell> {
    let all: [(&str, &str, Kind, &[&str]); 5] = [
        ("bash", "bash", Kind::Usual, &["--norc"]),
        ("dash", "dash", Kind::Usual, &[]),
        ("zsh", "zsh", Kind::Usual, &["-f"]),
        ("bash with options", "bash", Kind::Odd, &["--norc", "-O", "extglob", "-O", "nullglob", "-H"]),
        (
            "zsh with options",
            "zsh",
            Kind::Odd,
            &[
                "-f",
                "-o",
                "extendedglob",
                "-o",
                "rcquotes",
                "-o",
                "kshglob",
                "-o",
                "magicequalsubst",
                "-o",
                "globsubst",
                "-o",
                "shwordsplit",
                "-o",
                "nullglob",
                "-o",
                "banghist",
                "-o",
                "autocd",
            ],
        ),
    ];
    let known = all.into_iter().filter_map(|(name, program, kind, options)| {
        Some(RealShell { name: name.into(), kind, path: find(program)?, options: options.to_vec() })
    });
    known.collect()
}

/// A program in one of the usual places.
fn find(name: &str) -> Option<PathBuf> {
    ["/bin", "/usr/bin", "/usr/local/bin"]
        .into_iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|it| it.exists())
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Waits until it has ended, and all that it has left in the background; but not for ever. Returns whether it has.
fn wait(mut command: Command, most: Duration) -> bool {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut child = command.stdout(writer.try_clone().unwrap()).stderr(writer).spawn().unwrap();
    drop(command);
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
        let _ = done.send(());
    });
    let ended = is_done.recv_timeout(most).is_ok();
    if !ended {
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    }
    child.wait().unwrap();
    ended
}
