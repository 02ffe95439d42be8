//! Recorded time, as it goes by again.

use std::time::{Duration, Instant};

/// Tells what time it was, and how long it is until something happens. All times are milliseconds since the beginning.
pub(super) struct Clock {
    /// So many times as fast as it went.
    speed: f64,
    /// Nobody waits longer.
    longest: Option<Duration>,
    /// What it showed when it was last touched.
    told: f64,
    /// When that was; nothing while it stands still.
    since: Option<Instant>,
}

impl Clock {
    /// Goes from 0 on.
    pub(super) fn new(speed: f64, longest: Option<Duration>, wall: Instant) -> Self {
        Clock { speed, longest, told: 0.0, since: Some(wall) }
    }

    /// What it shows.
    pub(super) fn now(&self, wall: Instant) -> u64 {
        self.exactly(wall) as u64
    }

    /// From now on it shows another time.
    pub(super) fn set(&mut self, at: u64, wall: Instant) {
        self.told = at as f64;
        self.since = self.since.map(|_| wall);
    }

    /// How long until it shows this time; nothing while it stands still. Of a wait that is too long it leaves out the beginning.
    pub(super) fn left(&mut self, at: u64, wall: Instant) -> Option<Duration> {
        self.since?;
        let left = (at as f64 - self.exactly(wall)).max(0.0) / self.speed;
        let left = Duration::try_from_secs_f64(left / 1000.0).unwrap_or(Duration::MAX);
        match self.longest {
            Some(longest) if left > longest => {
                (self.told, self.since) =
                    (at as f64 - longest.as_secs_f64() * 1000.0 * self.speed, Some(wall));
                Some(longest)
            }
            _ => Some(left),
        }
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    pub(super) fn set_speed(&mut self, speed: f64, wall: Instant) {
        self.told = self.exactly(wall);
        self.since = self.since.map(|_| wall);
        self.speed = speed;
    }

    pub(super) fn stands(&self) -> bool {
        self.since.is_none()
    }

    /// Stops it, or lets it go on.
    pub(super) fn stop(&mut self, stop: bool, wall: Instant) {
        self.told = self.exactly(wall);
        self.since = (!stop).then_some(wall);
    }

    fn exactly(&self, wall: Instant) -> f64 {
        let passed = self.since.map_or(Duration::ZERO, |since| wall.saturating_duration_since(since));
        self.told + passed.as_secs_f64() * 1000.0 * self.speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn it_goes_as_fast_as_it_should() {
        let wall = Instant::now();
        let mut clock = Clock::new(10.0, None, wall);
        assert_eq!((clock.now(wall), clock.left(500, wall)), (0, Some(ms(50))));
        assert_eq!(clock.now(wall + ms(20)), 200);
        assert_eq!(clock.left(500, wall + ms(20)), Some(ms(30)));
        assert_eq!(clock.left(100, wall + ms(20)), Some(ms(0)), "what is late is not waited for");
        clock.set(9000, wall + ms(20));
        assert_eq!(clock.now(wall + ms(21)), 9010);
    }

    #[test]
    fn it_stands_still_and_goes_on_at_another_speed() {
        let wall = Instant::now();
        let mut clock = Clock::new(1.0, None, wall);
        clock.stop(true, wall + ms(100));
        assert_eq!((clock.now(wall + ms(5000)), clock.left(200, wall + ms(5000))), (100, None));
        clock.set(300, wall + ms(6000));
        clock.set_speed(2.0, wall + ms(7000));
        assert_eq!(clock.now(wall + ms(9000)), 300);
        clock.stop(false, wall + ms(9000));
        assert_eq!(clock.now(wall + ms(9100)), 500);
        clock.set_speed(0.5, wall + ms(9100));
        assert_eq!(clock.now(wall + ms(9200)), 550);
    }

    #[test]
    fn a_wait_that_is_too_long_is_cut_at_its_beginning() {
        let wall = Instant::now();
        let mut clock = Clock::new(10.0, Some(ms(3000)), wall);
        assert_eq!(clock.left(20_000, wall), Some(ms(2000)), "short enough");
        assert_eq!(clock.left(100_000, wall), Some(ms(3000)));
        assert_eq!(clock.now(wall), 70_000);
        assert_eq!(clock.left(100_000, wall + ms(1000)), Some(ms(2000)));
        assert_eq!(clock.now(wall + ms(3000)), 100_000);
    }
}
