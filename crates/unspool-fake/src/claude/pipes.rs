//! A life on pipes, in time.

use super::NAME;
use super::state::Claim;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use unspool::journal::Way;
use unspool::standin::{Act, Deviation, Ended, StandIn};

/// Where a life is played to.
pub(super) struct Pipes<O, E> {
    output: O,
    errors: E,
    patience: Duration,
    /// What else whoever reads of a deviation should know.
    hint: Option<String>,
    /// The entry that was last waited for so long that it was said.
    told: u64,
}

/// What is heard, or that nothing more is.
type Heard = Option<Vec<u8>>;

impl<O: Write, E: Write> Pipes<O, E> {
    pub(super) fn new(output: O, errors: E, patience: Duration, hint: Option<String>) -> Self {
        Pipes { output, errors, patience, hint, told: 0 }
    }

    /// Plays until it exits. Whoever does not read our output does not want it, and the program would have exited well.
    pub(super) fn play(
        mut self,
        mut claude: Box<StandIn>,
        mut claim: Option<Claim>,
        input: impl Read + Send + 'static,
    ) -> Ended {
        let heard = listen(input);
        let began = Instant::now();
        loop {
            match self.step(&mut claude, began, &heard) {
                Ok(None) => {}
                Ok(Some(ended)) => return ended,
                Err(_) => return Ended::with(0),
            }
            if let Some(claim) = &mut claim {
                claim.keep(claude.names());
            }
        }
    }

    fn step(
        &mut self,
        claude: &mut StandIn,
        began: Instant,
        heard: &Receiver<Heard>,
    ) -> io::Result<Option<Ended>> {
        let now = clock(began);
        let until = match claude.poll(now) {
            Act::Write(Way::Err, bytes) => {
                self.output.flush()?;
                // Nobody has to read this.
                let _ = self.errors.write_all(&bytes);
                return Ok(None);
            }
            Act::Write(_, bytes) => {
                self.output.write_all(&bytes)?;
                return Ok(None);
            }
            Act::Tell(deviation) => {
                self.output.flush()?;
                self.tell(&deviation);
                return Ok(None);
            }
            Act::Exit(ended) => {
                self.output.flush()?;
                let _ = self.errors.flush();
                return Ok(Some(ended));
            }
            Act::Wait(due) => Some(Duration::from_millis(due.saturating_sub(now))),
            _ => None,
        };
        self.output.flush()?;
        let limit = until.unwrap_or(self.patience);
        match heard.recv_timeout(limit) {
            Ok(Some(bytes)) => claude.feed(&bytes, clock(began)),
            Ok(None) => claude.close(clock(began)),
            Err(RecvTimeoutError::Timeout) if until.is_none() => self.complain(claude),
            Err(RecvTimeoutError::Timeout) => {}
            // The input is closed already, so there is nothing but time to wait for.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(limit),
        }
        Ok(None)
    }

    fn tell(&mut self, deviation: &Deviation) {
        let _ = writeln!(self.errors, "{NAME}: {deviation}");
        let is_argument = matches!(deviation, Deviation::Argument { .. });
        if let Some(hint) = self.hint.take_if(|_| !is_argument) {
            let _ = writeln!(self.errors, "  {hint}");
        }
    }

    /// Says what it waits for, once.
    fn complain(&mut self, claude: &StandIn) {
        if let Some(waits) = claude.waits().filter(|waits| waits.entry != self.told) {
            self.told = waits.entry;
            let seconds = self.patience.as_secs();
            let _ = writeln!(self.errors, "{NAME}: has waited {seconds} s for the host\n  expected: {waits}");
        }
    }
}

fn clock(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Hears on a thread of its own, because only that can wait for a pipe and for time.
fn listen(mut input: impl Read + Send + 'static) -> Receiver<Heard> {
    let (tell, heard) = channel();
    thread::spawn(move || {
        let mut piece = vec![0; 64 << 10];
        loop {
            match input.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(length) if length > 0 => {
                    if tell.send(Some(piece[..length].to_vec())).is_err() {
                        return;
                    }
                }
                // What cannot be read has ended.
                _ => {
                    let _ = tell.send(None);
                    return;
                }
            }
        }
    });
    heard
}
