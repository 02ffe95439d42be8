//! Writes lines to the program, however slowly it reads, without keeping anybody waiting.

use crate::tap::Tap;
use crate::transport::Input;
use std::future::poll_fn;
use std::io;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// The lines on their way. A line is written whole: half of one would end Claude Code.
pub(super) struct Writer {
    lines: Option<mpsc::UnboundedSender<String>>,
    task: JoinHandle<()>,
    /// Why writing ended, if it failed.
    pub(super) failed: oneshot::Receiver<io::Error>,
}

impl Writer {
    pub(super) fn new(input: Input, tap: Tap) -> Self {
        let (lines, waiting) = mpsc::unbounded_channel();
        let (failure, failed) = oneshot::channel();
        let task = tokio::spawn(async move {
            if let Err(error) = write(input, &tap, waiting).await {
                // Nobody listens any more: it is over.
                let _ = failure.send(error);
            }
        });
        Writer { lines: Some(lines), task, failed }
    }

    /// Writes a line that has its line feed.
    pub(super) fn write(&self, line: String) {
        if let Some(lines) = &self.lines {
            // If writing has failed, that is told by `failed`.
            let _ = lines.send(line);
        }
    }

    /// Closes the input once everything is written.
    pub(super) fn end(&mut self) {
        self.lines = None;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lines.is_none()
    }

    /// Closes the input now; a program that does not read by now never will.
    pub(super) fn cut(&mut self) {
        self.lines = None;
        self.task.abort();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn write(mut input: Input, tap: &Tap, mut waiting: mpsc::UnboundedReceiver<String>) -> io::Result<()> {
    while let Some(mut lines) = waiting.recv().await {
        while let Ok(more) = waiting.try_recv() {
            lines.push_str(&more);
        }
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let length = poll_fn(|cx| tap.poll_write(&mut input, rest, cx)).await?;
            if length == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = &rest[length..];
        }
        input.flush().await?;
    }
    input.shutdown().await?;
    tap.input_closed();
    Ok(())
}
