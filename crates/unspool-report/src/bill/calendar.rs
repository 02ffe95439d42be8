//! Days, weeks and months of a time zone.

use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;

/// The days of a time zone.
pub(super) struct Calendar {
    zone: TimeZone,
    /// The last quarter of an hour that was asked for, and its day: no day begins inside one.
    last: Option<(i64, Date)>,
}

const QUARTER: i64 = 15 * 60 * 1000;

impl Calendar {
    pub(super) fn new(zone: TimeZone) -> Self {
        Calendar { zone, last: None }
    }

    /// The day of a time in milliseconds since 1970.
    pub(super) fn day(&mut self, time: i64) -> Option<Date> {
        let quarter = time.div_euclid(QUARTER);
        if let Some((_, day)) = self.last.filter(|(last, _)| *last == quarter) {
            return Some(day);
        }
        let day = self.zone.to_datetime(Timestamp::from_millisecond(time).ok()?).date();
        self.last = Some((quarter, day));
        Some(day)
    }

    /// The Monday of its week.
    pub(super) fn week(&mut self, time: i64) -> Option<Date> {
        let day = self.day(time)?;
        if day.weekday() == Weekday::Monday { Some(day) } else { day.nth_weekday(-1, Weekday::Monday).ok() }
    }

    /// The first day of its month.
    pub(super) fn month(&mut self, time: i64) -> Option<Date> {
        self.day(time).map(Date::first_of_month)
    }

    /// A time for people.
    pub(super) fn clock(&self, time: i64, form: &str) -> String {
        let time = Timestamp::from_millisecond(time).unwrap_or_default();
        time.to_zoned(self.zone.clone()).strftime(form).to_string()
    }
}
