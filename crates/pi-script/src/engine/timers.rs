//! Timers of a script, kept on its thread.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::{Duration, Instant};

/// The longest that a timer of JavaScript can be set to; what is longer is due at once, as in Node.
const LONGEST: f64 = 2_147_483_647.0;

/// So many timers that were cleared may wait until they would have been due.
const SPARE: usize = 1024;

/// What is due when.
#[derive(Debug, Default)]
pub(super) struct Timers {
    next_id: u32,
    due: BinaryHeap<Reverse<(Instant, u32)>>,
    /// Those that were not cleared, with the interval of those that repeat.
    live: HashMap<u32, Option<Duration>>,
}

impl Timers {
    /// Sets a timer, in milliseconds, and returns its number.
    pub(super) fn set(&mut self, delay: f64, repeats: bool) -> u32 {
        let delay = if (1.0..=LONGEST).contains(&delay) { delay } else { 1.0 };
        let delay = Duration::from_micros((delay * 1000.0) as u64);
        self.next_id += 1;
        self.live.insert(self.next_id, repeats.then_some(delay));
        self.due.push(Reverse((Instant::now() + delay, self.next_id)));
        self.next_id
    }

    pub(super) fn clear(&mut self, id: u32) {
        self.live.remove(&id);
        // Those that were cleared long before they are due do not pile up.
        if self.due.len() > 2 * self.live.len() + SPARE {
            self.due.retain(|Reverse((_, id))| self.live.contains_key(id));
        }
    }

    /// When the next one is due.
    pub(super) fn next(&mut self) -> Option<Instant> {
        while let Some(Reverse((due, id))) = self.due.peek() {
            if self.live.contains_key(id) {
                return Some(*due);
            }
            self.due.pop();
        }
        None
    }

    /// Takes one that is due at `now`.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<u32> {
        if self.next()? > now {
            return None;
        }
        let Reverse((_, id)) = self.due.pop()?;
        match self.live.get(&id).copied().flatten() {
            // From now on: a script that is late does not have to catch up.
            Some(interval) => self.due.push(Reverse((now + interval, id))),
            None => self.clear(id),
        }
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_are_due_in_order_and_cleared_ones_never() {
        let mut timers = Timers::default();
        let (late, early, cleared) = (timers.set(50.0, false), timers.set(5.0, false), timers.set(1.0, false));
        timers.clear(cleared);
        let later = Instant::now() + Duration::from_secs(1);
        assert_eq!(
            (timers.take_due(later), timers.take_due(later), timers.take_due(later)),
            (Some(early), Some(late), None)
        );
    }

    #[test]
    fn an_interval_comes_again() {
        let mut timers = Timers::default();
        let id = timers.set(10.0, true);
        let now = Instant::now();
        for round in 1..4 {
            assert_eq!(timers.take_due(now + Duration::from_secs(round)), Some(id));
        }
        timers.clear(id);
        assert_eq!(timers.next(), None);
    }

    #[test]
    fn what_is_cleared_is_forgotten() {
        let mut timers = Timers::default();
        let kept = timers.set(1e6, false);
        for _ in 0..100 * SPARE {
            let id = timers.set(1e6, false);
            timers.clear(id);
        }
        assert!(timers.due.len() <= 2 * SPARE, "{}", timers.due.len());
        assert_eq!(timers.take_due(Instant::now() + Duration::from_secs(2000)), Some(kept));
    }

    #[test]
    fn odd_delays_are_short() {
        let mut timers = Timers::default();
        for delay in [f64::NAN, -5.0, 1e12, 0.0] {
            let id = timers.set(delay, false);
            assert_eq!(timers.take_due(Instant::now() + Duration::from_millis(2)), Some(id), "{delay}");
        }
    }
}
