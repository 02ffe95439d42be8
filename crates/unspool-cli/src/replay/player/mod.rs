//! A session played on a terminal, with keys.
//!
//! A place in it is the number of events that have happened. Going on is telling what comes next; going back is telling all of it
//! once more, up to there, without waiting and without drawing.

mod frame;
mod keys;
mod map;
mod terminal;

use super::clock::Clock;
use super::cue::Moment;
use super::position::Excerpt;
use super::speed::{Speed, faster, slower};
use crate::source::{Came, Listener, Source};
use crate::stage::{TICK, size_of};
use frame::{LIVE, Size, State};
use keys::Key;
use map::{Map, Stop};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use terminal::{News, Terminal};
use unspool::{Event, Grain, Verdict};
use unspool_report::view::{Line, NARROWEST, Settings, View};

/// Frames are at least so far apart, unless nothing comes between them.
const FRAME: Duration = Duration::from_millis(15);

/// Where nobody says how large the terminal is.
const USUAL: Size = Size { columns: 80, rows: 24 };

/// What is played, and how.
pub(crate) struct Manner {
    pub(crate) settings: Settings,
    /// No line is wider than the settings say.
    pub(crate) is_fixed: bool,
    pub(crate) speed: f64,
    /// Nobody waits longer.
    pub(crate) longest: Option<Duration>,
    pub(crate) excerpt: Excerpt,
}

/// What came of it.
pub(crate) enum Played {
    /// Somebody has seen enough; the verdict, if that was the end of it.
    Seen(Option<Verdict>),
    /// There is nobody who could press keys.
    NoKeys(Source),
}

/// Plays it until somebody has seen enough.
pub(crate) fn play(source: Source, manner: Manner) -> anyhow::Result<Played> {
    let source = source.hold()?;
    let map = Map::of(&source, manner.excerpt)?;
    let Ok((terminal, news)) = Terminal::open() else { return Ok(Played::NoKeys(source)) };
    let source = source.silently();
    let mut player = Player::new(&map, &terminal, &news, manner);
    loop {
        source.tell_to(Grain::Deltas, &mut player)?;
        player.linger();
        match player.leave.take() {
            Some(Leave::Again(place)) => player.rewind(place),
            Some(Leave::Broken(error)) => return Err(error.into()),
            Some(Leave::Seen) | None => break,
        }
    }
    Ok(Played::Seen(player.view.totals().end.as_ref().map(|end| end.verdict)))
}

struct Player<'p> {
    map: &'p Map,
    terminal: &'p Terminal,
    news: &'p Receiver<News>,
    settings: Settings,
    is_fixed: bool,
    clock: Clock,
    view: View,
    /// All lines that are finished.
    lines: Vec<Line>,
    moment: Moment,
    /// How many events have happened.
    place: u64,
    /// So many happen without being waited for.
    goal: u64,
    /// Where it stops by itself, once.
    stops_at: Option<u64>,
    /// Whoever reads what has scrolled away reads from this line on.
    top: Option<usize>,
    has_help: bool,
    hint: Option<&'static str>,
    leave: Option<Leave>,
    size: Size,
    drawn: Option<Instant>,
    shown: String,
}

/// Why it is not told any further.
enum Leave {
    Seen,
    /// It is to be told from the beginning, and shown from this place on.
    Again(u64),
    Broken(io::Error),
}

impl<'p> Player<'p> {
    fn new(map: &'p Map, terminal: &'p Terminal, news: &'p Receiver<News>, manner: Manner) -> Self {
        let Manner { settings, is_fixed, speed, longest, .. } = manner;
        let mut clock = Clock::new(speed, longest, Instant::now());
        clock.set(map.begin_at, Instant::now());
        let mut player = Player {
            map,
            terminal,
            news,
            is_fixed,
            clock,
            view: View::new(settings.clone()),
            settings,
            lines: Vec::new(),
            moment: Moment::begins(map.has_times),
            place: 0,
            goal: map.begin,
            stops_at: map.end,
            top: None,
            has_help: false,
            hint: None,
            leave: None,
            size: USUAL,
            drawn: None,
            shown: String::new(),
        };
        player.rewind(map.begin);
        player
    }

    /// Begins once more, and shows it from this place on.
    fn rewind(&mut self, place: u64) {
        self.size = size();
        let mut settings = self.settings.clone();
        settings.columns = self.columns();
        self.view = View::new(settings);
        self.lines.clear();
        self.moment = Moment::begins(self.map.has_times);
        (self.place, self.goal) = (0, place);
        self.top = None;
    }

    fn columns(&self) -> usize {
        let widest = if self.is_fixed { self.settings.columns } else { usize::MAX };
        self.size.columns.clamp(NARROWEST, widest.max(NARROWEST))
    }

    /// Waits until what comes next is due, or somebody wants to be elsewhere.
    fn wait(&mut self) {
        while self.leave.is_none() && self.place >= self.goal {
            if self.stops_at == Some(self.place) {
                self.stops_at = None;
                self.clock.stop(true, Instant::now());
            }
            let left = self.clock.left(self.moment.at, Instant::now());
            if left.is_some_and(|left| left.is_zero()) {
                return;
            }
            if self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME || left.is_none_or(|left| left > FRAME))
            {
                self.draw();
            }
            self.hear(left.map(|left| left.min(TICK)));
        }
    }

    /// All of it has happened: waits until somebody wants to be elsewhere.
    fn linger(&mut self) {
        self.goal = 0;
        while self.leave.is_none() {
            self.clock.set(self.map.length, Instant::now());
            self.draw();
            self.hear(None);
        }
    }

    /// Waits so long for news, or until there are some.
    fn hear(&mut self, wait: Option<Duration>) {
        let news = match wait {
            Some(wait) => self.news.recv_timeout(wait),
            None => self.news.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match news {
            Ok(News::Key(_)) if std::mem::take(&mut self.has_help) => {}
            Ok(News::Key(key)) => self.key(key),
            Ok(News::Changed) => self.look(),
            Ok(News::Gone) | Err(RecvTimeoutError::Disconnected) => self.leave = Some(Leave::Seen),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }

    fn key(&mut self, key: Key) {
        self.hint = None;
        let (map, place, now) = (self.map, self.place, Instant::now());
        match key {
            Key::Pause if self.is_over() => {
                self.clock.stop(false, now);
                self.go(0, 0);
            }
            Key::Pause => self.clock.stop(!self.clock.stands(), now),
            Key::Faster => self.clock.set_speed(faster(self.clock.speed()), now),
            Key::Slower => self.clock.set_speed(slower(self.clock.speed()), now),
            Key::EventOn => self.stop_at(map.next(place, |_| true), "there is no more"),
            Key::EventBack => self.stop_at_or_begin(map.before(place, |_| true)),
            Key::AgentOn => self.stop_at(map.next_agent(place), "no other agent goes on"),
            Key::AgentBack => self.stop_at(map.agent_before(place), "no other agent was before"),
            Key::TroubleOn => self.stop_at(map.next(place, |stop| stop.is_bad), "nothing more went wrong"),
            Key::TroubleBack => {
                self.stop_at(map.before(place, |stop| stop.is_bad), "nothing went wrong before");
            }
            Key::TurnOn => match map.next(place, |stop| stop.begins_turn) {
                Some(stop) => self.go(stop.place, stop.at),
                None => self.go(map.events, map.length),
            },
            Key::TurnBack => match map.before(place, |stop| stop.begins_turn) {
                Some(stop) => self.go(stop.place, stop.at),
                None => self.go(0, 0),
            },
            Key::Begin => self.go(0, 0),
            Key::End => self.go(map.events, map.length),
            Key::Up => self.scroll(-1),
            Key::Down => self.scroll(1),
            Key::Help => self.has_help = true,
            Key::Quit => self.leave = Some(Leave::Seen),
            Key::Other => {}
        }
    }

    /// Goes to a stop, and stays there. If there is none, that is said.
    fn stop_at(&mut self, stop: Option<&Stop>, none: &'static str) {
        match stop {
            Some(stop) => {
                self.clock.stop(true, Instant::now());
                self.go(stop.place, stop.at);
            }
            None => self.hint = Some(none),
        }
    }

    fn stop_at_or_begin(&mut self, stop: Option<&Stop>) {
        self.clock.stop(true, Instant::now());
        let (place, at) = stop.map_or((0, 0), |stop| (stop.place, stop.at));
        self.go(place, at);
    }

    /// Goes to a place, where it was this time.
    fn go(&mut self, place: u64, at: u64) {
        self.clock.set(at, Instant::now());
        (self.top, self.drawn) = (None, None);
        if place < self.place {
            self.leave = Some(Leave::Again(place));
        } else {
            self.goal = place;
        }
    }

    fn is_over(&self) -> bool {
        self.place >= self.map.events
    }

    /// Reads what has scrolled away, up to where nothing has.
    fn scroll(&mut self, by: isize) {
        let last = (self.lines.len() + self.live().len()).saturating_sub(self.size.body());
        let top = self.top.unwrap_or(last).saturating_add_signed(by);
        self.top = Some(top).filter(|top| *top < last);
    }

    /// The window may have changed. What is finished was made for its width, so it is made again.
    fn look(&mut self) {
        let columns = self.columns();
        self.size = size();
        self.shown.clear();
        if self.columns() != columns {
            self.leave = Some(Leave::Again(self.place));
        }
    }

    fn live(&self) -> Vec<Line> {
        let rows = self.size.body().saturating_sub(1).min(LIVE);
        self.view.live(rows, self.clock.now(Instant::now()))
    }

    fn draw(&mut self) {
        self.drawn = Some(Instant::now());
        let speed = Speed::Times(self.clock.speed()).to_string();
        let state = State {
            mark: match (self.is_over(), self.clock.stands()) {
                (true, _) => "■",
                (false, true) => "‖",
                (false, false) => "▶",
            },
            at: self.clock.now(Instant::now()).min(self.map.length),
            length: self.map.length,
            speed: &speed,
            has_times: self.map.has_times,
            turn: (self.map.last(self.place).map_or(0, |stop| stop.turn), self.map.turns),
            stop: self.map.count(self.place),
            hint: self.hint,
        };
        let bottom = frame::bottom(&state, self.size.columns);
        let rows = if self.has_help {
            frame::help(self.map.has_times)
        } else {
            frame::rows(&self.lines, self.live(), self.top, self.size)
        };
        let frame = frame::paint(rows, bottom, self.size, self.settings.colors);
        if frame != self.shown {
            if let Err(error) = self.terminal.write(&frame) {
                self.leave = Some(Leave::Broken(error));
            }
            self.shown = frame;
        }
    }
}

fn size() -> Size {
    size_of(io::stdout()).map_or(USUAL, |(columns, rows)| Size { columns, rows })
}

impl Listener for Player<'_> {
    fn is_by_line(&self) -> bool {
        true
    }

    fn came(&mut self, line: &Came<'_>) {
        self.moment.came(line);
    }

    fn event(&mut self, event: &Event<'_>) {
        if self.leave.is_some() {
            return;
        }
        self.moment.step(event);
        self.wait();
        if self.leave.is_none() {
            self.place += 1;
            self.view.set_now(self.moment.at);
            self.view.step(event);
            self.lines.extend(self.view.take());
        }
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        Ok(self.leave.is_none())
    }
}
