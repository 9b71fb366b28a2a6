//! How much a script may use up.

use std::time::Duration;

use pi_script::Limits;

/// Seconds that a script may take with the calls that it waits for, by default and at most.
pub(crate) const USUAL_SECONDS: u64 = 300;
pub(crate) const MOST_SECONDS: u64 = 3600;
/// Calls of a script, and calls at the same time.
pub(crate) const MOST_CALLS: usize = 256;
pub(crate) const MOST_AT_ONCE: usize = 8;
/// Bytes of a script.
pub(crate) const LONGEST_SCRIPT: usize = 256 << 10;
/// Bytes of its result that go to the model, and of its console.
pub(crate) const MOST_OUTPUT: usize = 20 << 10;
pub(crate) const MOST_CONSOLE: usize = 256 << 10;
/// Bytes of a result that a tool kept in a file because the model should not read all of it. A script can.
pub(crate) const MOST_KEPT: u64 = 4 << 20;
/// Letters of a result in what is noted of a call, and of a text among its arguments: files that it wrote.
pub(crate) const LONGEST_NOTE: usize = 2000;
pub(crate) const LONGEST_ARGUMENT: usize = 64 << 10;

/// Memory, and code that does not return.
pub(crate) const ENGINE: Limits =
    Limits { memory: 128 << 20, turn: Duration::from_secs(10), interruptions: 1, stack: 1 << 20 };
