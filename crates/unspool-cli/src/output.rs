//! Standard output, for people and pipes.

use std::io::{self, ErrorKind, IsTerminal, Write};

/// What is written before it is passed on, at the most.
const BUFFER: usize = 64 << 10;

/// Standard output, locked.
pub(crate) fn stdout() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// What a command writes to, which knows whether people look at it. A command that asked standard output instead would
/// not show its tests what it shows to users.
pub(crate) trait Output: Write {
    fn is_terminal(&self) -> bool;
}

impl Output for io::StdoutLock<'_> {
    fn is_terminal(&self) -> bool {
        IsTerminal::is_terminal(self)
    }
}

impl Output for Vec<u8> {
    fn is_terminal(&self) -> bool {
        false
    }
}

/// Collects lines, and passes them on together.
pub(crate) struct Lines<'o, W: Write> {
    out: &'o mut W,
    held: String,
    closed: bool,
}

impl<'o, W: Write> Lines<'o, W> {
    pub(crate) fn new(out: &'o mut W) -> Self {
        Lines { out, held: String::new(), closed: false }
    }

    /// Takes a line, written by `write`.
    pub(crate) fn line(&mut self, write: impl FnOnce(&mut String)) -> io::Result<()> {
        write(&mut self.held);
        self.held.push('\n');
        if self.held.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Takes a part of a line, or several lines.
    pub(crate) fn piece(&mut self, write: impl FnOnce(&mut String)) -> io::Result<()> {
        write(&mut self.held);
        if self.held.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Passes on what was collected. A reader that has gone away is no error.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let written = match self.out.write_all(self.held.as_bytes()).and_then(|()| self.out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other,
        };
        self.held.clear();
        written
    }

    /// Whether the reader has gone away.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}
