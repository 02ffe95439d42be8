//! The live view in a pseudo-terminal: a recording is fed as it was recorded, and a terminal emulator says what is on
//! the screen.

use crate::terminal::Terminal;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const ROWS: u16 = 14;
const COLUMNS: u16 = 60;

/// The session of `unspool demo`, and when each line of it came.
const RECORDING: &str = include_str!("../../demo/fix-the-tests.ndjson");
const TIMES: &str = include_str!("../../demo/fix-the-tests.ndjson.times");

/// What the status line begins with.
const WHEEL: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

struct Pipe(PathBuf);

impl Pipe {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Pipe(path)
    }

    /// `unspool` at the end of this pipe, in a terminal.
    fn watched(&self, args: &str) -> Terminal {
        self.watched_as(args, Path::new("/dev/null"))
    }

    /// The same; the id of the process is written to a file.
    fn watched_as(&self, args: &str, id: &Path) -> Terminal {
        let (program, pipe, id) = (env!("CARGO_BIN_EXE_unspool"), self.0.display(), id.display());
        let line = format!("stty rows {ROWS} cols {COLUMNS}; echo $$ > {id}; exec {program} {args} < {pipe}");
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("TERM", "xterm-256color").env("NO_COLOR", "1").current_dir("/");
        Terminal::start(&command)
    }

    /// Feeds lines at their times, a quarter as long.
    fn feed(&self) -> thread::JoinHandle<()> {
        let path = self.0.clone();
        thread::spawn(move || {
            let mut pipe = OpenOptions::new().write(true).open(path).unwrap();
            let began = Instant::now();
            let times = TIMES.lines().filter(|line| !line.starts_with('#'));
            let times: Vec<u64> =
                times.map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
            for (line, time) in RECORDING.split_inclusive('\n').zip(&times) {
                let due = Duration::from_millis((time - times[0]) / 4);
                thread::sleep(due.saturating_sub(began.elapsed()));
                pipe.write_all(line.as_bytes()).unwrap();
            }
        })
    }
}

/// Rows that have left the screen at its top.
fn scrolled(terminal: &mut vt100::Parser) -> Vec<String> {
    let screen = terminal.screen_mut();
    screen.set_scrollback(usize::MAX);
    let rows = (1..=screen.scrollback()).rev().map(|above| {
        screen.set_scrollback(above);
        screen.rows(0, COLUMNS).next().unwrap().trim_end().to_owned()
    });
    let rows = rows.collect();
    screen.set_scrollback(0);
    rows
}

#[test]
fn a_recording_ends_as_it_should_and_what_has_scrolled_away_stays() {
    let pipe = Pipe::new("recording");
    let terminal = pipe.watched("--tools hide");
    let feeder = pipe.feed();
    let mut emulator = vt100::Parser::new(ROWS, COLUMNS, 10_000);
    let mut before = Vec::new();
    let mut was_live = false;
    let code = terminal.watch(|bytes| {
        emulator.process(bytes);
        let now = scrolled(&mut emulator);
        assert!(now.starts_with(&before), "{before:?}\n{now:?}");
        assert!(!now.iter().any(|row| row.starts_with(WHEEL)), "{now:?}");
        before = now;
        was_live |= emulator.screen().contents().contains(WHEEL);
    });
    feeder.join().unwrap();
    assert_eq!(code, Some(0));
    assert!(was_live, "there was no status line");
    assert!(!emulator.screen().hide_cursor());
    let rows = scrolled(&mut emulator);
    let screen = emulator.screen().rows(0, COLUMNS).map(|row| row.trim_end().to_owned());
    let shown = rows.into_iter().chain(screen).collect::<Vec<_>>().join("\n");
    // The same as what is shown without a terminal, but for what was measured.
    let plain = Command::new(env!("CARGO_BIN_EXE_unspool"))
        .args(["view", concat!(env!("CARGO_MANIFEST_DIR"), "/demo/fix-the-tests.ndjson")])
        .args(["--tools", "hide", "--width", &COLUMNS.to_string(), "--color", "never"])
        .output()
        .unwrap();
    let plain = String::from_utf8(plain.stdout).unwrap();
    let words = |text: &str| text.split("──────────").next().unwrap().to_owned();
    assert_eq!(words(&shown), words(&plain));
    assert!(shown.contains("✓ ok · the last turn completed") && !shown.contains(WHEEL), "{shown}");
}

#[test]
fn whatever_ends_it_the_cursor_is_back() {
    for (name, signal, code) in [("interrupt", "INT", 21), ("terminate", "TERM", 21)] {
        let pipe = Pipe::new(name);
        let id = pipe.0.with_extension("id");
        let mut terminal = pipe.watched_as("", &id);
        let mut writer = OpenOptions::new().write(true).open(&pipe.0).unwrap();
        writer.write_all(RECORDING.lines().next().unwrap().as_bytes()).unwrap();
        writer.write_all(b"\n").unwrap();
        // The status line is there before anything is read.
        terminal.until("claude-opus-5-5");
        let id = fs::read_to_string(id).unwrap();
        assert!(Command::new("kill").args([&format!("-{signal}"), id.trim()]).status().unwrap().success());
        let (ended, shown) = terminal.ended();
        assert_eq!(ended, Some(code), "{shown}");
        assert!(shown.rfind("\u{1b}[?25h") > shown.rfind("\u{1b}[?25l"), "{shown:?}");
        assert!(shown.contains("truncated"), "{shown}");
        drop(writer);
    }
}

/// Whether a process is stopped, as Linux tells it.
fn is_stopped(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().starts_with('T')
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_z_gives_the_terminal_back_until_it_goes_on() {
    let pipe = Pipe::new("suspend");
    let id = pipe.0.with_extension("id");
    let mut terminal = pipe.watched_as("--tools hide", &id);
    let mut writer = OpenOptions::new().write(true).open(&pipe.0).unwrap();
    let (first, rest) = RECORDING.split_at(RECORDING.find('\n').unwrap() + 1);
    writer.write_all(first.as_bytes()).unwrap();
    terminal.until("\u{1b}[?25l");
    let id = fs::read_to_string(id).unwrap().trim().to_owned();
    let send = |signal: &str, id: &str| {
        assert!(Command::new("kill").args([signal, id]).status().unwrap().success());
    };
    send("-TSTP", &id);
    // `script` stops with what runs in it, a moment later.
    let began = Instant::now();
    while !is_stopped(&id) || !is_stopped(&terminal.id()) {
        assert!(began.elapsed() < Duration::from_secs(20), "they did not stop");
        thread::sleep(Duration::from_millis(5));
    }
    send("-CONT", &terminal.id());
    send("-CONT", &id);
    terminal.until("\u{1b}[?25h");
    writer.write_all(rest.as_bytes()).unwrap();
    drop(writer);
    terminal.until("\u{1b}[?25l");
    let (code, shown) = terminal.ended();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("✓ ok · the last turn completed"), "{shown}");
}

#[test]
fn without_anything_to_show_there_is_help() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    command.current_dir("/").env("TERM", "xterm");
    let (code, shown) = Terminal::start(&command).ended();
    assert_eq!(code, Some(2), "{shown}");
    assert!(shown.contains("Usage") && shown.contains("Examples"), "{shown}");
}
