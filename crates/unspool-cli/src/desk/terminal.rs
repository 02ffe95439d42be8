//! The desk at the terminal: shows what waits, and reads what is typed.
//!
//! It is the terminal itself that is read and written, wherever standard input and output go: the prompt may come
//! from the one, and the answer go to the other.

use super::{Desk, Extent, GONE, Heard, Matter, Room, UserAnswer};
use crate::stage::{Screen, size_of};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::sync::{mpsc, oneshot};
use unspool_report::view::{Line, NARROWEST};

/// Where the size of the terminal is not known.
const USUAL: (usize, usize) = (80, 24);

/// Opens the terminal. While somebody is asked, whatever else is on the screen gives way. To be called within a
/// runtime.
pub(crate) fn open(screen: Option<Arc<Mutex<Screen>>>, colors: bool) -> io::Result<Clerk> {
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let (typed, lines) = mpsc::unbounded_channel();
    let reader = terminal.try_clone()?;
    // A thread, because nothing can end a read from a terminal; the process does not wait for it.
    thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        // What is typed need not be UTF-8.
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if typed.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    })?;
    let (visits, visitors) = mpsc::unbounded_channel();
    let (desk, replies) = (Desk::default(), HashMap::new());
    let attended = Attended { desk, replies, terminal, screen, colors, gone: false };
    tokio::spawn(attended.run(visitors, lines));
    Ok(Clerk { visits, next: Arc::default() })
}

/// Takes matters to the desk; cheap to clone.
#[derive(Clone)]
pub(crate) struct Clerk {
    visits: mpsc::UnboundedSender<Visit>,
    next: Arc<AtomicU64>,
}

enum Visit {
    Ask { number: u64, matter: Matter, reply: oneshot::Sender<UserAnswer> },
    Withdraw(u64),
}

impl Clerk {
    /// Waits until somebody has said something. Whoever drops this withdraws the matter.
    pub(crate) async fn ask(&self, matter: Matter) -> UserAnswer {
        let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let (reply, said) = oneshot::channel();
        // A desk that is closed has answered by dropping the reply.
        let _ = self.visits.send(Visit::Ask { number, matter, reply });
        let _withdraw = Withdraw { visits: &self.visits, number };
        said.await.unwrap_or_else(|_| UserAnswer::No(GONE.to_owned()))
    }
}

struct Withdraw<'c> {
    visits: &'c mpsc::UnboundedSender<Visit>,
    number: u64,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        let _ = self.visits.send(Visit::Withdraw(self.number));
    }
}

struct Attended {
    desk: Desk,
    replies: HashMap<u64, oneshot::Sender<UserAnswer>>,
    terminal: File,
    /// Whose the screen is while nobody is asked.
    screen: Option<Arc<Mutex<Screen>>>,
    colors: bool,
    /// Nobody types any more.
    gone: bool,
}

impl Attended {
    async fn run(
        mut self,
        mut visitors: mpsc::UnboundedReceiver<Visit>,
        mut lines: mpsc::UnboundedReceiver<String>,
    ) {
        loop {
            tokio::select! {
                visit = visitors.recv() => match visit {
                    Some(visit) => self.on_visit(visit),
                    None => return,
                },
                line = lines.recv(), if !self.gone => match line {
                    Some(line) => self.on_line(&line),
                    None => self.on_gone(),
                },
            }
        }
    }

    fn on_visit(&mut self, visit: Visit) {
        match visit {
            Visit::Ask { number, matter, reply } if !self.gone => {
                self.replies.insert(number, reply);
                self.desk.add(number, matter);
                self.give_way();
                self.show("\n", Extent::Fitting);
            }
            Visit::Ask { .. } => {}
            Visit::Withdraw(number) => {
                self.replies.remove(&number);
                if self.desk.withdraw(number) {
                    self.show(&format!("\n({number} is no longer asked)\n"), Extent::Fitting);
                    self.take_back();
                }
            }
        }
    }

    fn on_line(&mut self, line: &str) {
        match self.desk.line(line) {
            Heard::Said(number, said) => {
                self.reply(number, said);
                self.show("", Extent::Fitting);
                self.take_back();
            }
            Heard::Show(words, extent) if words.is_empty() => self.show("", extent),
            Heard::Show(words, extent) => self.show(&format!("{words}\n"), extent),
            Heard::Hint(hint) => {
                let hint = [hint, self.desk.keys()].join(": ");
                self.say(&format!("{}\n{}", hint.trim_matches([':', ' ']), self.desk.prompt()));
            }
            Heard::Nothing => {}
        }
    }

    fn on_gone(&mut self) {
        self.gone = true;
        for (number, said) in self.desk.close() {
            self.reply(number, said);
        }
        self.take_back();
    }

    /// Nothing else is written while somebody is asked.
    fn give_way(&self) {
        if let Some(screen) = &self.screen {
            // A screen that is gone cannot be in the way.
            let _ = screen.lock().unwrap_or_else(PoisonError::into_inner).give_way();
        }
    }

    /// Nobody is asked any more.
    fn take_back(&self) {
        if let Some(screen) = self.screen.as_ref().filter(|_| self.desk.is_empty()) {
            let _ = screen.lock().unwrap_or_else(PoisonError::into_inner).take_back();
        }
    }

    fn reply(&mut self, number: u64, said: UserAnswer) {
        if let Some(reply) = self.replies.remove(&number) {
            // It may have been withdrawn just now.
            let _ = reply.send(said);
        }
    }

    /// Shows what waits, behind some words.
    fn show(&mut self, words: &str, extent: Extent) {
        let (columns, rows) = size_of(&self.terminal).unwrap_or(USUAL);
        let lines = self.desk.show(Room { columns: columns.max(NARROWEST), rows }, extent);
        let mut text = words.to_owned();
        for line in &lines {
            Line::paint(line, self.colors, &mut text);
            text.push('\n');
        }
        text.push_str(&self.desk.prompt());
        self.say(&text);
    }

    fn say(&self, text: &str) {
        // A terminal that is gone ends the reading, too.
        let _ = (&self.terminal).write_all(text.as_bytes());
    }
}
