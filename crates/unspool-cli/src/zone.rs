//! The time zone in which people are told days and times.

use jiff::tz::TimeZone;
use std::env;
use std::sync::OnceLock;

/// The time zone of this place: `TZ`, or that of the system. One that cannot be read is said, once, and is UTC.
pub(crate) fn local() -> TimeZone {
    static LOCAL: OnceLock<TimeZone> = OnceLock::new();
    let read = || {
        TimeZone::try_system().unwrap_or_else(|_| {
            if let Some(name) = env::var_os("TZ") {
                let name = name.display();
                eprintln!("unspool: there is no time zone {name} (TZ) on this machine: times are in UTC");
            }
            TimeZone::UTC
        })
    };
    LOCAL.get_or_init(read).clone()
}
