//! Places in a session, and what lies between two of them.

use crate::value::duration;
use std::fmt;
use unspool::Event;
use unspool::event::What;
use unspool::journal::Goal;

/// A place, as somebody names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Position {
    /// So many milliseconds after the beginning.
    Time(u64),
    /// A line of the file, an entry of a recording.
    Number(u64),
    /// A turn.
    Turn(u64),
}

impl Position {
    /// Reads `1m30s`, `1:30`, `120` or `turn:3`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is neither a time such as 1m30s, nor the number of a line, nor a turn such as turn:3"
            )
        };
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0).ok_or_else(wrong);
        if let Some(turn) = text.strip_prefix("turn:") {
            return number(turn).map(Position::Turn);
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return number(text).map(Position::Number);
        }
        if ["0s", "0ms"].contains(&text) {
            return Ok(Position::Time(0));
        }
        let time = by_clock(text).or_else(|| duration(text).ok()?.as_millis().try_into().ok());
        time.map(Position::Time).ok_or_else(wrong)
    }
}

/// `1:30` or `1:02:03`.
fn by_clock(text: &str) -> Option<u64> {
    let parts: Vec<u64> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let seconds = match parts[..] {
        [minutes, seconds] if seconds < 60 => minutes.checked_mul(60)?.checked_add(seconds)?,
        [hours, minutes, seconds] if minutes < 60 && seconds < 60 => {
            hours.checked_mul(3600)?.checked_add(minutes * 60 + seconds)?
        }
        _ => return None,
    };
    seconds.checked_mul(1000)
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Time(ms) => write!(f, "{}", unspool_report::words::duration(*ms)),
            Position::Number(number) => write!(f, "number {number}"),
            Position::Turn(turn) => write!(f, "turn {turn}"),
        }
    }
}

/// What is played: from one place to another, both with it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Excerpt {
    from: Option<Position>,
    to: Option<Position>,
    /// The last turn that has begun.
    turn: u64,
    has_begun: bool,
    is_over: bool,
}

/// Where something lies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Side {
    Before,
    Within,
    Behind,
}

impl Excerpt {
    pub(crate) fn new(from: Option<Position>, to: Option<Position>) -> Self {
        Excerpt { from, to, ..Excerpt::default() }
    }

    /// Where it begins, if neither that nor its end is a turn: those are known only by what stands before.
    pub(super) fn goal(&self) -> Option<Goal> {
        match (self.from?, self.to) {
            (Position::Turn(_), _) | (_, Some(Position::Turn(_))) => None,
            (Position::Number(number), _) => Some(Goal::Number(number)),
            (Position::Time(ms), _) => Some(Goal::Time(ms)),
        }
    }

    /// A turn may have begun.
    pub(super) fn step(&mut self, event: &Event<'_>) {
        if let What::TurnStart { .. } = event.what {
            self.turn = event.turn.unwrap_or(self.turn);
        }
    }

    /// Where that lies which comes now. What comes behind it lies nowhere before it.
    pub(super) fn side(&mut self, number: u64, at: u64) -> Side {
        let is_reached = |place: Position| match place {
            Position::Time(ms) => at >= ms,
            Position::Number(first) => number >= first,
            Position::Turn(turn) => self.turn >= turn,
        };
        let is_passed = |place: Position| match place {
            Position::Time(ms) => at > ms,
            Position::Number(last) => number > last,
            Position::Turn(turn) => self.turn > turn,
        };
        let (begins, ends) = (self.from.is_none_or(is_reached), self.to.is_some_and(is_passed));
        self.has_begun |= begins;
        self.is_over |= ends;
        match (self.has_begun, self.is_over) {
            (_, true) => Side::Behind,
            (true, false) => Side::Within,
            (false, false) => Side::Before,
        }
    }

    /// When it begins, if what comes first in it was then.
    pub(super) fn begin(&self, first: u64) -> u64 {
        match self.from {
            Some(Position::Time(ms)) => ms,
            Some(_) => first,
            None => 0,
        }
    }

    /// The place that it begins at, if that was never reached.
    pub(super) fn never_begun(&self) -> Option<Position> {
        self.from.filter(|_| !self.has_begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    #[test]
    fn places_are_read() {
        for (text, place) in [
            ("1m30s", Position::Time(90_000)),
            ("1:30", Position::Time(90_000)),
            ("1:01:01", Position::Time(3_661_000)),
            ("250ms", Position::Time(250)),
            ("0s", Position::Time(0)),
            ("120", Position::Number(120)),
            ("turn:3", Position::Turn(3)),
        ] {
            assert_eq!(Position::read(text), Ok(place), "{text}");
        }
        for text in ["", "0", "turn:", "turn:0", "turn:x", "-1", "1:99", ":", "1:2:3:4", "soon"] {
            assert!(Position::read(text).is_err(), "{text}");
        }
    }

    /// Which of these numbers lie within; each is of a time of its own.
    fn within(from: Option<Position>, to: Option<Position>) -> Vec<u64> {
        let mut excerpt = Excerpt::new(from, to);
        (1..=6).filter(|number| excerpt.side(*number, number * 10) == Side::Within).collect()
    }

    #[test]
    fn both_ends_belong_to_it() {
        assert_eq!(within(None, None), [1, 2, 3, 4, 5, 6]);
        assert_eq!(within(Some(Position::Number(3)), Some(Position::Number(4))), [3, 4]);
        assert_eq!(within(Some(Position::Time(15)), Some(Position::Time(30))), [2, 3]);
        assert!(within(Some(Position::Number(9)), None).is_empty());
        assert_eq!(Excerpt::new(Some(Position::Number(9)), None).never_begun(), Some(Position::Number(9)));
    }

    #[test]
    fn a_turn_ends_where_the_next_begins() {
        let stream = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"\",\"session_id\":\"s\"}\n".repeat(3);
        let mut excerpt = Excerpt::new(Some(Position::Turn(2)), Some(Position::Turn(2)));
        let mut told = Vec::new();
        for event in Spool::read(Grain::Blocks, stream.as_bytes()) {
            excerpt.step(&event);
            if excerpt.side(event.line.unwrap_or(0), 0) == Side::Within {
                told.push((event.line.unwrap(), event.what.name()));
            }
        }
        assert_eq!(told, [(3, "turn_start"), (4, "turn_complete")]);
    }
}
