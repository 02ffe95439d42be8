//! A journal of what is heard.

use super::{Resumed, Started, Traffic};
use crate::transport::Exit;
use tokio::time::Instant;
use unspool::journal::{Begin, Closed, Entry, FORMAT, Finish, Scribe, Start, Way};
use unspool::wire::input::Owned;

/// Makes a [journal](unspool::journal) of all that a [tap](crate::Claude::tap) hears, of one program or of several that go on with a
/// session one after the other.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use unspool_client::tap::TrafficJournal;
/// use unspool_client::{Claude, Options};
///
/// let kept = Arc::new(Mutex::new((TrafficJournal::new(), Vec::new())));
/// let listener = Arc::clone(&kept);
/// let claude = Claude::new(Options::new()).tap(move |traffic, at| {
///     let (journal, text) = &mut *listener.lock().unwrap();
///     journal.hear(traffic, at, |entry| entry.write(text));
/// });
/// # drop((claude, kept));
/// ```
#[derive(Debug)]
pub struct TrafficJournal {
    scribe: Scribe,
    /// When the first program began.
    began: Option<Instant>,
    /// So long before that the journal began, which somebody else has begun.
    before: u64,
    /// So long after its beginning the program now at work began.
    since: u64,
    exit: Exit,
}

impl Default for TrafficJournal {
    fn default() -> Self {
        TrafficJournal::new()
    }
}

impl TrafficJournal {
    /// Begins a journal.
    #[must_use]
    pub fn new() -> Self {
        TrafficJournal { scribe: Scribe::new(), began: None, before: 0, since: 0, exit: Exit::default() }
    }

    /// Goes on with a journal: the program that is started next goes on with its session.
    #[must_use]
    pub fn after(resumed: Resumed) -> Self {
        let scribe = Scribe::after(resumed.number, resumed.at);
        let (began, before) = (Some(Instant::now()), resumed.now);
        TrafficJournal { scribe, began, before, since: before, exit: Exit::default() }
    }

    /// This was heard, `at` so many milliseconds after its session began. Hands on what it adds to the journal.
    pub fn hear(&mut self, traffic: Traffic<'_>, at: u64, mut keep: impl FnMut(Entry<'_>)) {
        if let Traffic::Started(started) = traffic {
            return self.start(started, at, keep);
        }
        if self.began.is_none() {
            self.begin(&Begin::default(), at, &mut keep);
        }
        let at = self.since.saturating_add(at);
        let scribe = &mut self.scribe;
        match traffic {
            Traffic::Started(_) => {}
            Traffic::Read(bytes) => scribe.feed(Way::Out, bytes, at, keep),
            Traffic::Wrote(bytes) => scribe.feed(Way::In, bytes, at, keep),
            Traffic::Errors(bytes) => scribe.feed(Way::Err, bytes, at, keep),
            Traffic::InputClosed => scribe.note(&Closed::default().way(Way::In.name()), at, keep),
            Traffic::Exited(exit) => self.exit = exit,
            Traffic::Ended(beside) => {
                [Way::In, Way::Out, Way::Err].into_iter().for_each(|way| scribe.close(way, &mut keep));
                scribe.note(&Finish::of(self.exit.code, self.exit.signal, beside), at, keep);
            }
        }
    }

    fn start(&mut self, started: &Started, at: u64, mut keep: impl FnMut(Entry<'_>)) {
        let argv = Owned::of(started.argv.clone());
        let cwd = started.cwd.as_ref().map(|cwd| cwd.to_string_lossy()).unwrap_or_default();
        match self.began {
            None => self.begin(&Begin::default().argv(&argv).cwd(&*cwd), at, keep),
            Some(began) => {
                let passed = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.since = self.before.saturating_add(passed).saturating_sub(at);
                self.scribe.note(&Start::default().argv(&argv).cwd(&*cwd), self.since + at, &mut keep);
            }
        }
    }

    fn begin(&mut self, known: &Begin<'_>, at: u64, keep: impl FnMut(Entry<'_>)) {
        let now = Instant::now();
        self.began = Some(now.checked_sub(std::time::Duration::from_millis(at)).unwrap_or(now));
        let time = crate::kept::now();
        let begin =
            known.format(FORMAT).writer(concat!("unspool ", env!("CARGO_PKG_VERSION"))).source("driver");
        self.scribe.note(&begin.time(&*time), 0, keep);
    }
}
