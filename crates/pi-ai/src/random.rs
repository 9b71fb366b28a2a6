//! Where chance comes from: jitter and chunk sizes are drawn from an injected source, so a run can be replayed.
//!
//! Nothing here is fit for cryptography.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random numbers.
pub trait Random: Debug + Send + Sync {
    /// 64 uniformly distributed bits.
    fn next_u64(&self) -> u64;

    /// A number in [0, 1).
    fn next_f64(&self) -> f64 {
        // The 53 bits that a double holds exactly.
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// SplitMix64: the same seed yields the same numbers.
#[derive(Debug)]
pub struct SeededRandom {
    state: AtomicU64,
}

impl SeededRandom {
    /// A source that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: AtomicU64::new(seed) }
    }
}

impl Random for SeededRandom {
    fn next_u64(&self) -> u64 {
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.state.fetch_add(GAMMA, Ordering::Relaxed).wrapping_add(GAMMA);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The source of options that name none.
#[expect(clippy::disallowed_methods, reason = "the default of an option; who wants a replay names a source")]
pub(crate) fn default_random() -> Arc<dyn Random> {
    system_random()
}

/// The default source: seeded by the operating system.
pub fn system_random() -> Arc<dyn Random> {
    Arc::new(SeededRandom::new(RandomState::new().build_hasher().finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_sequence() {
        let source = SeededRandom::new(0);
        // Reference values of SplitMix64 for seed 0.
        assert_eq!(source.next_u64(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(source.next_u64(), 0x6e78_9e6a_a1b9_65f4);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&source.next_f64())));
    }
}
