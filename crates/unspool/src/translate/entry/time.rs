//! Times of entries, as milliseconds.

use std::collections::HashMap;

/// Milliseconds since 1970 of a time as JavaScript writes it, `2026-11-15T06:48:16.272Z`, or with the zone behind it that it is told
/// in: `2026-11-15T08:48:16.272+02:00`. Anything else is none.
#[must_use]
pub fn milliseconds(time: &str) -> Option<i64> {
    let time = time.as_bytes();
    match time {
        [time @ .., b'Z'] => utc(time),
        [time @ .., sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            let (hours, minutes) = (number(&[*h0, *h1])?, number(&[*m0, *m1])?);
            let ahead = (hours * 60 + minutes) * 60 * 1000;
            let is_zone = hours < 24 && minutes < 60;
            utc(time).filter(|_| is_zone).map(|time| if *sign == b'+' { time - ahead } else { time + ahead })
        }
        _ => None,
    }
}

fn utc(time: &[u8]) -> Option<i64> {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', n0, n1, b':', s0, s1, fraction @ ..] =
        time
    else {
        return None;
    };
    let (year, month, date) = (number(&[*y0, *y1, *y2, *y3])?, number(&[*m0, *m1])?, number(&[*d0, *d1])?);
    let (hour, minute, second) = (number(&[*h0, *h1])?, number(&[*n0, *n1])?, number(&[*s0, *s1])?);
    let thousandths = match fraction {
        [] => 0,
        [b'.', a] => number(&[*a])? * 100,
        [b'.', a, b] => number(&[*a, *b])? * 10,
        [b'.', a, b, c, rest @ ..] if rest.iter().all(u8::is_ascii_digit) => number(&[*a, *b, *c])?,
        _ => return None,
    };
    if !(1..=12).contains(&month) || !(1..=31).contains(&date) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some((((days(year, month, date) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + thousandths)
}

fn number(digits: &[u8]) -> Option<i64> {
    digits
        .iter()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
}

/// Days since 1970-01-01. Years are counted from March, so that a leap day is the last of its year.
fn days(year: i64, month: i64, date: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + date - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468
}

/// The clock of a transcript: milliseconds since the first time of what was said. For no agent it ever goes back,
/// though times may.
#[derive(Debug, Default)]
pub(super) struct Clock {
    first: Option<i64>,
    latest: u64,
    /// Of each sub-agent. One may be written down after another one, and have been at work at the same time.
    agents: HashMap<Box<str>, u64>,
    /// The last time of an entry beside the conversation.
    beside: Option<i64>,
    /// Something older than the file itself stands in it: it was copied from another session.
    has_copies: bool,
}

/// Entries that are written together may differ so much.
const JITTER: i64 = 1000;

impl Clock {
    /// An entry says that it was copied from another session.
    pub(super) fn has_copy(&mut self) {
        self.has_copies = true;
    }

    /// Whether something was copied from another session.
    pub(super) fn has_copies(&self) -> bool {
        self.has_copies
    }

    /// Something was said.
    pub(super) fn said(&mut self, agent: Option<&str>, now: i64) -> u64 {
        let first = *self.first.get_or_insert(now);
        self.has_copies |= self.beside.is_some_and(|beside| now.saturating_add(JITTER) < beside);
        let latest = match agent {
            None => &mut self.latest,
            Some(agent) => match self.agents.contains_key(agent) {
                true => self.agents.get_mut(agent).unwrap_or(&mut self.latest),
                false => self.agents.entry(agent.into()).or_default(),
            },
        };
        *latest = since(first, now).max(*latest);
        *latest
    }

    /// An entry beside the conversation was written.
    pub(super) fn noted(&mut self, now: i64) -> Option<u64> {
        self.beside = Some(now);
        self.first.map(|first| since(first, now).max(self.latest))
    }

    /// It has no time: it is of the time of what the main agent said last.
    pub(super) fn latest(&self) -> Option<u64> {
        self.first.map(|_| self.latest)
    }
}

fn since(first: i64, now: i64) -> u64 {
    u64::try_from(now.saturating_sub(first)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_javascript_writes_them() {
        assert_eq!(milliseconds("1970-01-01T00:00:00.000Z"), Some(0));
        assert_eq!(milliseconds("2026-11-15T06:48:16.272Z"), Some(1_794_725_296_272));
        assert_eq!(milliseconds("2024-02-29T23:59:59.5Z"), Some(1_709_251_199_500));
        assert_eq!(milliseconds("2000-03-01T00:00:00Z"), Some(951_868_800_000));
        assert_eq!(milliseconds("2000-03-01T02:30:00.5+02:30"), Some(951_868_800_500));
        assert_eq!(milliseconds("2000-02-29T18:00:00-06:00"), Some(951_868_800_000));
        for odd in [
            "",
            "Z",
            "2026-11-15",
            "2026-13-15T06:48:16Z",
            "2026-11-15T06:48:16+24:00",
            "+01:00",
            "é-é-éTé:é:é.éZ",
        ] {
            assert_eq!(milliseconds(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_clock_never_goes_back() {
        let mut clock = Clock::default();
        assert_eq!(clock.noted(990), None);
        let times = [1000, 1500, 1400, 3000, 900].map(|now| clock.said(None, now));
        assert_eq!(times, [0, 500, 500, 2000, 2000]);
        assert_eq!([1600, 1550].map(|now| clock.said(Some("a"), now)), [600, 600]);
        assert_eq!((clock.noted(3500), clock.latest(), clock.has_copies), (Some(2500), Some(2000), false));
        clock.said(None, 1000);
        assert!(clock.has_copies);
    }
}
