//! What time it is here: the clock, and the time zone in which people are told days and times.

use jiff::tz::TimeZone;
use std::env;
use std::sync::OnceLock;
use std::time::SystemTime;

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

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
