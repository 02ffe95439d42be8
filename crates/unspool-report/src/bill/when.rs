//! Times as people write them.

use super::group::Span;
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp, ToSpan as _};

/// The time that somebody means, in milliseconds since 1970: a day, a time, or how long ago. A day at the end is meant whole.
pub fn read_when(text: &str, span: &Span, is_end: bool) -> Option<i64> {
    let zoned = |time: DateTime| Some(time.to_zoned(span.zone.clone()).ok()?.timestamp());
    let whole = |day: Date| {
        let begins = if is_end { day.checked_add(1.day()).ok()? } else { day };
        zoned(begins.to_datetime(jiff::civil::Time::midnight()))
    };
    let now = Timestamp::from_millisecond(span.now).ok()?;
    let today = || now.to_zoned(span.zone.clone()).date();
    let time = match text {
        "now" => Some(now),
        "today" => whole(today()),
        "yesterday" => whole(today().yesterday().ok()?),
        _ => ago(text, now)
            .or_else(|| text.parse::<Timestamp>().ok())
            .or_else(|| day(text).and_then(whole))
            .or_else(|| zoned(text.parse::<DateTime>().ok()?)),
    };
    time.map(Timestamp::as_millisecond)
}

/// `2026-11-01`, or `20261101`.
fn day(text: &str) -> Option<Date> {
    let is_day = text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    text.parse().ok().filter(|_| is_day)
}

/// `30m`, `12h`, `7d`, `2w`.
fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    let unit = text.chars().last().filter(char::is_ascii_alphabetic)?;
    let number: i64 = text.strip_suffix(unit)?.parse().ok()?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        'w' => 7 * 24 * 60,
        _ => return None,
    };
    let seconds = number.checked_mul(minutes * 60).filter(|seconds| *seconds >= 0)?;
    now.checked_sub(SignedDuration::from_secs(seconds)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::{TimeZone, offset};

    #[test]
    fn days_times_and_lengths_are_read() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let zone = TimeZone::fixed(offset(2));
        let span = Span { now: now.as_millisecond(), ..Span::all(zone) };
        for (text, since, until) in [
            ("2026-11-01", "2026-10-31T22:00:00Z", "2026-11-01T22:00:00Z"),
            ("20261101", "2026-10-31T22:00:00Z", "2026-11-01T22:00:00Z"),
            ("today", "2026-11-14T22:00:00Z", "2026-11-15T22:00:00Z"),
            ("yesterday", "2026-11-13T22:00:00Z", "2026-11-14T22:00:00Z"),
            ("2026-11-01T08:30", "2026-11-01T06:30:00Z", "2026-11-01T06:30:00Z"),
            ("2026-11-01T08:30:00Z", "2026-11-01T08:30:00Z", "2026-11-01T08:30:00Z"),
            ("7d", "2026-11-08T12:00:00Z", "2026-11-08T12:00:00Z"),
            ("90m", "2026-11-15T10:30:00Z", "2026-11-15T10:30:00Z"),
        ] {
            for (is_end, time) in [(false, since), (true, until)] {
                let time: Timestamp = time.parse().unwrap();
                assert_eq!(read_when(text, &span, is_end), Some(time.as_millisecond()), "{text}");
            }
        }
        for text in ["", "d", "soon", "2026-13-01", "-7d", "7y", "99999999999999999d"] {
            assert_eq!(read_when(text, &span, false), None, "{text}");
        }
    }
}
