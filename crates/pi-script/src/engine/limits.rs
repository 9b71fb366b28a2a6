//! What a script may use up.

use std::time::Duration;

/// Limits of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Memory of all its values, in bytes. Beyond it allocations fail inside the script.
    pub memory: usize,
    /// How long code may run without returning to the engine. Then it is interrupted. Time in which it waits for the
    /// program does not count.
    pub turn: Duration,
    /// How often code may be interrupted before the engine is stopped.
    pub interruptions: u32,
    /// Stack of the engine, in bytes.
    pub stack: usize,
}

impl Default for Limits {
    /// 256 MiB, 10 s, 3 times, 1 MiB.
    fn default() -> Self {
        Self { memory: 256 << 20, turn: Duration::from_secs(10), interruptions: 3, stack: 1 << 20 }
    }
}
