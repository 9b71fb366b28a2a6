//! Where ids come from. Real ones are random; a replay or a test counts.

use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};
use uuid::{ContextV7, Timestamp, Uuid};

/// Length of an entry id in hexadecimal digits.
const ENTRY_ID_LENGTH: usize = 8;
/// Collisions to put up with before an entry id becomes a full UUID.
const ENTRY_ID_ATTEMPTS: usize = 100;

/// A source of ids.
pub trait Ids: Debug + Send + Sync {
    /// A session id: UUIDv7 of the given Unix time in milliseconds; ids of one source only ever increase.
    fn session_id(&self, now_ms: i64) -> String;

    /// A random UUIDv4 in its usual spelling.
    fn uuid(&self) -> String;

    /// A source for work beside the run, such as a session that an extension makes. Where this source repeats its ids, so
    /// does the new one, and what is drawn from one of the two does not change the ids of the other.
    fn branch(&self) -> Arc<dyn Ids> {
        let mut seed = [0; 8];
        seed.copy_from_slice(&Sha256::digest(self.uuid())[..8]);
        Arc::new(SeededIds::new(u64::from_be_bytes(seed)))
    }

    /// Random lower-case hexadecimal digits, at most 32.
    fn hex(&self, digits: usize) -> String {
        let mut text = self.uuid().replace('-', "");
        text.truncate(digits);
        text
    }
}

/// A fresh entry id: eight digits that are not `taken`, or a full UUID when that keeps failing.
pub fn entry_id(ids: &dyn Ids, taken: impl Fn(&str) -> bool) -> String {
    let short = || ids.hex(ENTRY_ID_LENGTH);
    (0..ENTRY_ID_ATTEMPTS).map(|_| short()).find(|id| !taken(id)).unwrap_or_else(|| ids.uuid())
}

/// Random ids.
#[derive(Debug, Default)]
pub struct RandomIds {
    /// The context counts within a millisecond; a panic cannot leave it half-changed.
    sequence: Mutex<AssertUnwindSafe<ContextV7>>,
}

impl RandomIds {
    /// A shared source.
    pub fn shared() -> Arc<dyn Ids> {
        Arc::new(Self::default())
    }
}

impl Ids for RandomIds {
    fn session_id(&self, now_ms: i64) -> String {
        let now = u64::try_from(now_ms).unwrap_or(0);
        let nanos = u32::try_from(now % 1000 * 1_000_000).unwrap_or(0);
        Uuid::new_v7(Timestamp::from_unix(&self.sequence, now / 1000, nanos)).to_string()
    }

    #[expect(clippy::disallowed_methods, reason = "the door itself")]
    fn uuid(&self) -> String {
        Uuid::new_v4().to_string()
    }

    fn branch(&self) -> Arc<dyn Ids> {
        Arc::new(Self::default())
    }
}

/// Ids that count up from 1: the same run makes the same ids.
#[derive(Debug, Default)]
pub struct SequentialIds {
    last: AtomicU64,
}

impl SequentialIds {
    /// A shared source.
    pub fn shared() -> Arc<dyn Ids> {
        Arc::new(Self::default())
    }

    fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Ids for SequentialIds {
    fn session_id(&self, now_ms: i64) -> String {
        let now = u64::try_from(now_ms).unwrap_or(0);
        format!("{:08x}-{:04x}-7000-8000-{:012x}", now >> 16, now & 0xffff, self.next())
    }

    fn uuid(&self) -> String {
        let n = self.next();
        format!("{n:08x}-0000-4000-8000-{n:012x}")
    }
}

/// Ids that look random and follow from a seed: the same seed and the same run make the same ids.
#[derive(Debug)]
pub struct SeededIds {
    seed: u64,
    last: AtomicU64,
    /// Counted apart from ids, which must not depend on what happens beside the run.
    branches: AtomicU64,
}

impl SeededIds {
    /// The source of a seed, at its beginning.
    pub fn new(seed: u64) -> Self {
        Self { seed, last: AtomicU64::new(0), branches: AtomicU64::new(0) }
    }

    /// The next number, and 16 bytes that follow from it.
    fn next(&self) -> (u64, [u8; 16]) {
        let n = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let hash = Sha256::digest([self.seed.to_be_bytes(), n.to_be_bytes()].concat());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        (n, bytes)
    }
}

impl Ids for SeededIds {
    fn session_id(&self, now_ms: i64) -> String {
        let now = u64::try_from(now_ms).unwrap_or(0);
        let (n, mut bytes) = self.next();
        // What follows the time in a UUIDv7 counts up, so that ids increase within a millisecond.
        bytes[0] = (n >> 8) as u8;
        bytes[1] = n as u8;
        let mut tail = [0; 10];
        tail.copy_from_slice(&bytes[..10]);
        uuid::Builder::from_unix_timestamp_millis(now, &tail).into_uuid().to_string()
    }

    fn uuid(&self) -> String {
        uuid::Builder::from_random_bytes(self.next().1).into_uuid().to_string()
    }

    fn branch(&self) -> Arc<dyn Ids> {
        let n = self.branches.fetch_add(1, Ordering::Relaxed);
        // Another input than that of `next`, so that no branch repeats ids of this source.
        let hash = Sha256::digest([b"branch".as_slice(), &self.seed.to_be_bytes(), &n.to_be_bytes()].concat());
        let mut seed = [0; 8];
        seed.copy_from_slice(&hash[..8]);
        Arc::new(Self::new(u64::from_be_bytes(seed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_increase_within_a_millisecond() {
        let ids = RandomIds::default();
        let made: Vec<_> = (0..2000).map(|_| ids.session_id(1_795_292_062_840)).collect();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| id.starts_with("01a1ffbe-e478-7")), "{}", made[0]);
    }

    #[test]
    fn branches_repeat_with_their_seed_and_leave_the_source_as_it_is() {
        let draw = |branches: usize| {
            let ids = SeededIds::new(7);
            let drawn: Vec<String> = (0..branches).map(|_| ids.branch().uuid()).collect();
            (ids.uuid(), drawn)
        };
        let ((first, none), (again, two)) = (draw(0), draw(2));
        assert_eq!((first, none.len()), (again, 0));
        assert_eq!(two, draw(2).1);
        assert_ne!(two[0], two[1]);
    }

    #[test]
    fn a_seed_makes_the_same_ids_again() {
        let made = |seed| {
            let ids = SeededIds::new(seed);
            (0..3).map(|_| format!("{} {} {}", ids.session_id(1_795_292_062_840), ids.uuid(), ids.hex(8))).collect()
        };
        let ids: Vec<String> = made(7);
        assert_eq!(ids, made(7));
        assert_ne!(ids, made(8));
        assert!(ids.is_sorted() && ids.iter().all(|id| id.starts_with("01a1ffbe-e478-7")), "{ids:?}");
        let parts: Vec<&str> = ids[0].split(['-', ' ']).collect();
        assert!(parts[7].starts_with('4') && parts[10].len() == 8, "{ids:?}");
    }

    #[test]
    fn entry_ids_avoid_collisions() {
        let ids = SequentialIds::default();
        assert_eq!(entry_id(&ids, |id| id != "00000003"), "00000003");
        assert_eq!(entry_id(&ids, |_| true).len(), 36);
        assert_eq!(entry_id(&RandomIds::default(), |_| false).len(), 8);
    }
}
