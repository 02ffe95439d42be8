//! The time, as Claude Code writes it.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-15T06:48:16.272Z`
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    written(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

fn written(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
}

/// Year, month and day of the day that is so many after the first of January 1970.
///
/// Years are counted from March, so that the day that comes every four years is the last of them.
fn date(days: u64) -> (u64, u64, u64) {
    // From the first of March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let next_year = u64::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + next_year, month, day)
}

#[cfg(test)]
mod tests {
    use super::written;
    use unspool::transcript::milliseconds;

    #[test]
    fn a_time_is_read_as_it_was_written() {
        assert_eq!(written(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(written(951_782_400_000), "2000-02-29T00:00:00.000Z");
        for day in 0..60_000_u64 {
            let time = day * 86_400_000 + day * 1013 % 86_400_000;
            assert_eq!(milliseconds(&written(time)), Some(i64::try_from(time).unwrap()));
        }
    }
}
