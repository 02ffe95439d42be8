//! `unspool replay` in a pseudo-terminal, with keys; a terminal emulator says what is on the screen.

use crate::terminal::Terminal;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const ROWS: u16 = 16;
const COLUMNS: u16 = 70;

/// The session of `unspool demo`, with its times beside it.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/fix-the-tests.ndjson");

/// Three turns, without times.
const TURNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/turns/multi3-2.1.325.ndjson");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay-keys").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A terminal, and what is on its screen.
struct Watched {
    folder: PathBuf,
    terminal: Terminal,
    emulator: vt100::Parser,
}

impl Watched {
    /// Runs the program in a terminal of its own; files of the folder say which process it is, where its terminal is, and how
    /// that was set before and behind it.
    fn new(name: &str, args: &str) -> Self {
        let folder = folder(name);
        let program = env!("CARGO_BIN_EXE_unspool");
        let line = format!(
            "trap : INT; stty rows {ROWS} cols {COLUMNS}; tty > tty; stty -g > before; \
             sh -c 'echo $$ > id; exec {program} {args}'; code=$?; stty -g > after; exit $code"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("NO_COLOR", "1").current_dir(&folder);
        let terminal = Terminal::start(&command);
        Watched { folder, terminal, emulator: vt100::Parser::new(ROWS, COLUMNS, 1000) }
    }

    fn types(&mut self, keys: &str) {
        self.terminal.types(keys);
    }

    /// Waits until this stands somewhere on the screen.
    fn until(&mut self, words: &str) {
        self.terminal.shows(&mut self.emulator, |screen| screen.contents().contains(words));
    }

    fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap().trim().to_owned()
    }

    fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.file("id")]).status().unwrap().success());
    }

    /// Waits for the end; the terminal must be as it was.
    fn ended(self) -> (Option<i32>, String) {
        let folder = self.folder;
        let (code, shown) = self.terminal.ended();
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("before"), read("after"), "its modes");
        let mut emulator = self.emulator;
        emulator.process(shown.as_bytes());
        assert!(!emulator.screen().alternate_screen() && !emulator.screen().hide_cursor(), "{shown:?}");
        (code, emulator.screen().contents())
    }
}

#[test]
fn keys_lead_back_and_forward() {
    let mut watched = Watched::new("keys", &format!("replay {DEMO} --speed 0.01x"));
    watched.until("event 0/38");
    assert!(watched.screen().contains("space pause") && watched.screen().contains("q quit"));
    watched.types(" ");
    watched.until("‖");
    watched.types("\u{1b}[C\u{1b}[C");
    watched.until("event 2/38");
    assert!(watched.screen().contains("claude-opus-5-5"), "{}", watched.screen());
    // To the call that failed, and what was there before it is there again.
    watched.types("e");
    watched.until("✗ failed");
    watched.types("\u{1b}[D");
    watched.until("event 5/38");
    assert!(!watched.screen().contains("✗ failed"), "{}", watched.screen());
    let before = watched.screen();
    watched.types("\u{1b}[C");
    watched.until("event 6/38");
    watched.types("\u{1b}[D");
    watched.until("event 5/38");
    assert_eq!(watched.screen(), before, "a way back shows what the way there did");
    watched.types("a");
    watched.until("Find the bug");
    watched.types("G");
    watched.until("✓ ok · the last turn completed");
    watched.until("■");
    watched.types("e");
    watched.until("nothing more went wrong");
    watched.types("\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A");
    watched.terminal.shows(&mut watched.emulator, |screen| !screen.contents().contains("files   prices.py"));
    watched.types("\u{1b}[6~");
    watched.until("files   prices.py");
    watched.types("?");
    watched.until("to the event before, to the next one");
    watched.types("x");
    watched.until("✓ ok · the last turn completed");
    watched.types("g");
    watched.until("event 0/38");
    assert!(!watched.screen().contains("opus"), "{}", watched.screen());
    watched.types("+++");
    watched.until(" 0.5x ");
    watched.types("-");
    watched.until(" 0.25x ");
    watched.types("q");
    let (code, shown) = watched.ended();
    assert_eq!((code, &*shown), (Some(0), ""), "the screen is as it was");
}

#[test]
fn turns_are_gone_through_and_it_plays_on() {
    let mut watched =
        Watched::new("turns", &format!("replay {TURNS} --from turn:2 --to turn:2 --speed 1000x"));
    // It plays the turn, and stops behind it.
    watched.until("‖");
    watched.until("no times");
    watched.until("── turn 2");
    watched.until("turn 2/3");
    assert!(!watched.screen().contains("── turn 3"), "{}", watched.screen());
    watched.types("\u{1b}[6~");
    watched.until("── turn 3");
    watched.types("\u{1b}[5~\u{1b}[5~");
    watched.until("turn 1/3");
    watched.types(" ");
    watched.until("✓ ok · the last turn completed");
    watched.types("q");
    assert_eq!(watched.ended().0, Some(0));
}

#[test]
fn the_exit_code_is_that_of_what_was_seen_whole() {
    let failed = TURNS.replace("turns/multi3-2.1.325", "errors/e529ever-2.1.112");
    for (keys, code) in [("q", 0), ("Gq", 11)] {
        let mut watched = Watched::new(&format!("code-{code}"), &format!("replay {failed} --speed 0.01x"));
        watched.until("event 2/8");
        watched.types(keys);
        assert_eq!(watched.ended().0, Some(code));
    }
}

#[test]
fn whatever_ends_it_the_terminal_is_as_it_was() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let mut watched = Watched::new(&format!("signal{signal}"), &format!("replay {DEMO}"));
        watched.until("waiting for the model");
        assert!(watched.emulator.screen().alternate_screen() && watched.emulator.screen().hide_cursor());
        watched.signal(signal);
        assert_eq!(watched.ended(), (Some(code), String::new()));
    }
    let mut watched = Watched::new("ctrl-c", &format!("replay {DEMO}"));
    watched.until("waiting for the model");
    watched.types("\u{3}");
    assert_eq!(watched.ended().0, Some(130));
}

#[test]
fn another_width_is_another_picture() {
    let mut watched = Watched::new("resize", &format!("replay {DEMO} --speed 0.01x"));
    watched.until("event 0/38");
    watched.types("G");
    watched.until("■");
    let tty = watched.file("tty");
    assert!(Command::new("stty").args(["-F", &tty, "rows", "12", "cols", "40"]).status().unwrap().success());
    watched.emulator.screen_mut().set_size(12, 40);
    watched.terminal.shows(&mut watched.emulator, |screen| {
        let rule: Vec<_> = screen.rows(0, 40).filter(|row| row.starts_with("────")).collect();
        rule.len() == 1 && screen.rows(0, 40).last().is_some_and(|row| row.contains("q quit"))
    });
    watched.types("q");
    assert_eq!(watched.ended().0, Some(0));
}

/// Whether a process is stopped, as Linux tells it.
fn is_stopped(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().starts_with('T')
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_it_goes_on() {
    let mut watched = Watched::new("suspend", &format!("replay {DEMO} --speed 0.01x"));
    watched.until("event 0/38");
    let (id, host) = (watched.file("id"), watched.terminal.id());
    watched.signal("-TSTP");
    let began = Instant::now();
    while !is_stopped(&id) {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not stop");
        thread::sleep(Duration::from_millis(5));
    }
    watched
        .terminal
        .shows(&mut watched.emulator, |screen| !screen.alternate_screen() && !screen.hide_cursor());
    let modes = Command::new("stty").args(["-F", &watched.file("tty"), "-g"]).output().unwrap();
    assert_eq!(String::from_utf8(modes.stdout).unwrap().trim(), watched.file("before"));
    // What runs it may have stopped with it.
    let _ = Command::new("kill").args(["-CONT", &host]).status();
    watched.signal("-CONT");
    watched.terminal.shows(&mut watched.emulator, |screen| screen.alternate_screen());
    watched.until("event 0/38");
    watched.types("q");
    assert_eq!(watched.ended().0, Some(0));
}

#[test]
fn what_is_piped_in_is_played_with_keys() {
    let mut watched = Watched::new("piped", &format!("replay - --speed 0.01x < {DEMO}"));
    // Nobody knows when its lines came, so the first one is not waited for.
    watched.until("event 2/38");
    watched.types("G");
    watched.until("✓ ok · the last turn completed");
    watched.types("\u{1b}[D");
    watched.until("event 37/38");
    watched.types("q");
    assert_eq!(watched.ended().0, Some(0));
}

#[test]
fn without_keys_it_is_played_once_and_stays() {
    let mut watched = Watched::new("no-keys", &format!("replay {DEMO} --speed 100x --no-keys"));
    watched.until("✓ ok · the last turn completed");
    assert!(!watched.emulator.screen().alternate_screen());
    let (code, shown) = watched.ended();
    assert_eq!(code, Some(0));
    assert!(shown.contains("✓ ok · the last turn completed"), "{shown}");
}

/// What the rows of a screen say, without the line that the clock is in.
fn picture(rows: impl Iterator<Item = String>) -> Vec<String> {
    const WHEEL: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
    let rows = rows.map(|row| row.trim_end().to_owned());
    let mut rows: Vec<_> = rows.take_while(|row| !row.starts_with(WHEEL)).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

#[test]
fn the_picture_is_the_one_that_it_had_live() {
    let lines: Vec<&str> = include_str!("../../demo/fix-the-tests.ndjson").split_inclusive('\n').collect();
    for fed in [20, 90, 150] {
        let folder = folder(&format!("live-{fed}"));
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let program = env!("CARGO_BIN_EXE_unspool");
        // There is a line with keys below what is played.
        let line = format!("stty rows {} cols {COLUMNS}; exec {program} --record run.rec < pipe", ROWS - 1);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("NO_COLOR", "1").current_dir(&folder);
        let mut live = Terminal::start(&command);
        let mut emulator = vt100::Parser::new(ROWS - 1, COLUMNS, 1000);
        let mut writer = OpenOptions::new().write(true).open(&pipe).unwrap();
        for line in &lines[..fed] {
            writer.write_all(line.as_bytes()).unwrap();
        }
        // What is written down was shown, or is just about to be.
        let recording = folder.join("run.rec");
        let began = Instant::now();
        while fs::read_to_string(&recording).unwrap_or_default().lines().count() <= fed {
            assert!(began.elapsed() < Duration::from_secs(60), "{fed} lines are not written down");
            thread::sleep(Duration::from_millis(5));
        }
        let shown_at = Instant::now();
        live.shows(&mut emulator, |_| shown_at.elapsed() > Duration::from_millis(600));
        let was = picture(emulator.screen().rows(0, COLUMNS));
        lines[fed..].iter().for_each(|line| writer.write_all(line.as_bytes()).unwrap());
        drop(writer);
        live.ended();
        let args = format!("replay {} --to {} --speed 1000x", recording.display(), fed + 1);
        let mut again = Watched::new(&format!("again-{fed}"), &args);
        again.until("‖");
        let is = picture(again.emulator.screen().rows(0, COLUMNS));
        assert!(!was.is_empty() && is.ends_with(&was), "{was:#?}\n{is:#?}");
        again.types("q");
        again.ended();
    }
}
