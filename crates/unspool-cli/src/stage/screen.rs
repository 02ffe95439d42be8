//! The terminal: finished lines scroll, and below them a few rows show what is going on.
//!
//! Only those rows are ever written again, and there are never more of them than the screen has: what has scrolled away
//! stays as it was.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use unspool_report::view::Line;
use unspool_report::view::style::WARN;
use unspool_report::view::wrap::tidy_line;

const BEGIN: &str = "\u{1b}[?2026h";
const END: &str = "\u{1b}[?2026l";
const HIDE: &str = "\u{1b}[?25l";
const SHOW: &str = "\u{1b}[?25h";
const ERASE_LINE: &str = "\u{1b}[K";
const ERASE_BELOW: &str = "\u{1b}[J";

/// Lines that are kept while the screen is somebody else's.
const KEPT: usize = 8 << 20;

/// The cursor is hidden.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows the cursor again, if it is hidden: for whoever ends the program otherwise than by its end.
pub(crate) fn restore() {
    if HIDDEN.swap(false, Ordering::Relaxed) {
        let mut terminal = terminal();
        let _ = terminal.write_all(SHOW.as_bytes()).and_then(|()| terminal.flush());
    }
}

/// Standard output without its lock, which another thread may hold.
#[cfg(unix)]
fn terminal() -> Box<dyn Write + Send> {
    use std::os::fd::AsFd;
    match io::stdout().as_fd().try_clone_to_owned() {
        Ok(handle) => Box::new(std::fs::File::from(handle)),
        Err(_) => Box::new(io::stdout()),
    }
}

#[cfg(not(unix))]
fn terminal() -> Box<dyn Write + Send> {
    Box::new(io::stdout())
}

/// Columns and rows of the terminal that standard output is.
#[cfg(unix)]
fn terminal_size() -> Option<(usize, usize)> {
    size_of(io::stdout())
}

/// Columns and rows of a terminal.
#[cfg(unix)]
pub(crate) fn size_of(terminal: impl std::os::fd::AsFd) -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some((size.ws_col.into(), size.ws_row.into())).filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// Columns of the screen that somebody behind a pipe may fill: that of standard error, or of whoever started us.
#[cfg(unix)]
pub(crate) fn columns_behind() -> Option<usize> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let stdout = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    let is_pipe = stdout.metadata().is_ok_and(|it| it.file_type().is_fifo() || it.file_type().is_socket());
    let terminal = || size_of(std::fs::File::open("/dev/tty").ok()?);
    let size = size_of(io::stderr()).or_else(terminal).filter(|_| is_pipe);
    size.map(|(columns, _)| columns)
}

#[cfg(not(unix))]
pub(crate) fn columns_behind() -> Option<usize> {
    None
}

#[cfg(not(unix))]
fn terminal_size() -> Option<(usize, usize)> {
    None
}

/// Ctrl-Z: the terminal is the shell's until we are to go on, with its cursor, and without our rows.
#[cfg(unix)]
fn leave_on_suspend(screen: Weak<Mutex<Screen>>) {
    use rustix::process::{Signal, getpid, kill_process};
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let entered = runtime.enter();
    let Ok(mut suspend) = signal(SignalKind::from_raw(Signal::TSTP.as_raw())) else { return };
    drop(entered);
    std::thread::spawn(move || {
        runtime.block_on(async {
            while suspend.recv().await.is_some() {
                let stop = || kill_process(getpid(), Signal::STOP);
                // Nobody may draw meanwhile.
                let Some(screen) = screen.upgrade() else {
                    let _ = stop();
                    continue;
                };
                let mut screen = locked(&screen);
                let is_ours = screen.kept.is_none();
                let left = if is_ours { screen.give_way() } else { Ok(()) };
                let _ = left.and_then(|()| Ok(stop()?));
                if is_ours {
                    let _ = screen.take_back();
                }
            }
        });
    });
}

#[cfg(not(unix))]
fn leave_on_suspend(_: Weak<Mutex<Screen>>) {}

/// The screen, for us alone.
pub(super) fn locked(screen: &Mutex<Screen>) -> MutexGuard<'_, Screen> {
    screen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Columns of the terminal, if there is one.
pub(crate) fn screen_columns() -> Option<usize> {
    terminal_size().map(|(columns, _)| columns)
}

/// What is at the terminal.
pub(crate) struct Screen {
    out: Box<dyn Write + Send>,
    size: fn() -> Option<(usize, usize)>,
    colors: bool,
    /// The rows at the bottom, as they are now.
    live: Vec<Line>,
    /// It is somebody else's; what is finished waits here.
    kept: Option<Vec<Line>>,
    /// Nobody looks any more.
    is_closed: bool,
}

impl Screen {
    /// Standard output, which is a terminal.
    pub(crate) fn open(colors: bool) -> Arc<Mutex<Self>> {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            tell(panic);
        }));
        let screen = Arc::new(Mutex::new(Screen::over(terminal(), terminal_size, colors)));
        leave_on_suspend(Arc::downgrade(&screen));
        screen
    }

    pub(super) fn over(
        out: Box<dyn Write + Send>,
        size: fn() -> Option<(usize, usize)>,
        colors: bool,
    ) -> Self {
        Screen { out, size, colors, live: Vec::new(), kept: None, is_closed: false }
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.size)().unwrap_or((80, 24))
    }

    /// Whether nobody looks any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Lets finished lines scroll, and shows what is going on.
    pub(crate) fn draw(&mut self, mut lines: Vec<Line>, mut live: Vec<Line>) -> io::Result<()> {
        if let Some(kept) = &mut self.kept {
            if kept.len() < KEPT {
                kept.append(&mut lines);
            }
            return Ok(());
        }
        if lines.is_empty() && live == self.live {
            return Ok(());
        }
        let (columns, rows) = self.size();
        live.truncate(rows.saturating_sub(1));
        let mut frame = String::from(BEGIN);
        if !live.is_empty() && !HIDDEN.swap(true, Ordering::Relaxed) {
            frame.push_str(HIDE);
        }
        self.to_top(&mut frame);
        for line in &lines {
            line.paint(self.colors, &mut frame);
            // A line that fills its row has nothing behind it to erase, and some terminals would erase its end.
            if line.width() < columns {
                frame.push_str(ERASE_LINE);
            }
            frame.push_str("\r\n");
        }
        for (at, line) in live.iter().enumerate() {
            if at > 0 {
                frame.push_str("\r\n");
            }
            line.paint(self.colors, &mut frame);
            frame.push_str(ERASE_LINE);
        }
        frame.push_str(ERASE_BELOW);
        if live.is_empty() && HIDDEN.swap(false, Ordering::Relaxed) {
            frame.push_str(SHOW);
        }
        frame.push_str(END);
        self.live = live;
        self.write(&frame)
    }

    /// Lets a line scroll that is no part of the stream.
    pub(crate) fn say(&mut self, words: &str) -> io::Result<()> {
        let live = self.live.clone();
        self.draw(vec![Line::of(&tidy_line(words), WARN)], live)
    }

    /// Gives the screen to somebody else: what is going on is no longer shown, what is finished waits.
    pub(crate) fn give_way(&mut self) -> io::Result<()> {
        if self.kept.is_none() {
            self.draw(Vec::new(), Vec::new())?;
            self.kept = Some(Vec::new());
        }
        Ok(())
    }

    /// Takes it back. The cursor is at the beginning of a row.
    pub(crate) fn take_back(&mut self) -> io::Result<()> {
        match self.kept.take() {
            Some(kept) => self.draw(kept, Vec::new()),
            None => Ok(()),
        }
    }

    /// To the beginning of the rows at the bottom.
    fn to_top(&self, frame: &mut String) {
        if self.live.is_empty() {
            return;
        }
        frame.push('\r');
        if self.live.len() > 1 {
            frame.push_str(&format!("\u{1b}[{}A", self.live.len() - 1));
        }
    }

    fn write(&mut self, frame: &str) -> io::Result<()> {
        match self.out.write_all(frame.as_bytes()).and_then(|()| self.out.flush()) {
            // A terminal that is gone is like a reader that is gone.
            Err(error)
                if matches!(error.kind(), ErrorKind::BrokenPipe) || error.raw_os_error() == Some(5) =>
            {
                self.is_closed = true;
                Ok(())
            }
            other => other,
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.take_back().and_then(|()| self.draw(Vec::new(), Vec::new()));
        restore();
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper::Paper;
    use super::*;
    use unspool_report::view::style::PLAIN;

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line::of(text, PLAIN)).collect()
    }

    /// What a terminal of 20 columns and 5 rows shows.
    fn shown(paper: &Paper) -> String {
        let mut terminal = vt100::Parser::new(5, 20, 100);
        terminal.process(&paper.0.lock().unwrap());
        terminal.screen().contents()
    }

    #[test]
    fn finished_lines_scroll_and_the_rest_stays_below() {
        let paper = Paper::default();
        let mut screen = Screen::over(Box::new(paper.clone()), || Some((20, 5)), false);
        screen.draw(lines(&["one"]), lines(&["grow", "status"])).unwrap();
        assert_eq!(shown(&paper), "one\ngrow\nstatus");
        screen.draw(lines(&["grown", "two"]), lines(&["status 2"])).unwrap();
        assert_eq!(shown(&paper), "one\ngrown\ntwo\nstatus 2");
        screen.draw(Vec::new(), lines(&["1", "2", "3", "4", "5", "6"])).unwrap();
        assert_eq!(shown(&paper), "two\n1\n2\n3\n4");
        screen.draw(lines(&["exactly twenty wide!"]), lines(&["s"])).unwrap();
        assert_eq!(shown(&paper), "two\nexactly twenty wide!\ns");
        drop(screen);
        assert_eq!(shown(&paper), "two\nexactly twenty wide!");
    }

    #[test]
    fn somebody_else_may_have_the_screen_for_a_while() {
        let paper = Paper::default();
        let mut screen = Screen::over(Box::new(paper.clone()), || Some((20, 5)), false);
        screen.draw(lines(&["one"]), lines(&["status"])).unwrap();
        screen.give_way().unwrap();
        paper.clone().write_all(b"may it? y\r\n").unwrap();
        screen.draw(lines(&["two"]), lines(&["status"])).unwrap();
        assert_eq!(shown(&paper), "one\nmay it? y");
        screen.take_back().unwrap();
        screen.draw(Vec::new(), lines(&["status"])).unwrap();
        assert_eq!(shown(&paper), "one\nmay it? y\ntwo\nstatus");
    }
}
