//! What tests of several crates share: fresh homes and programs that run in them, a provider on loopback that plays a script,
//! a client of lines. For tests only: everything panics where something is not as a test needs it.
//!
//! | Module | What is in it |
//! |---|---|
//! | `test_home` | a home, a project and a configuration directory of one's own, and `pi` running in them |
//! | `live` | a program that runs, and what it says |
//! | [`output`] | a program that has ended, and its transcript |
//! | `examples` | the programs of examples |
//! | `provider`, `script` | an HTTP server that answers as it was told; answers of models |
//! | `scale` | how often a suite repeats itself |
//! | [`script_ops`] | operations that modules in JavaScript call, compared with those that there are |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "this is part of tests"
)]
#![allow(missing_debug_implementations, reason = "no test prints them")]

mod examples;
mod live;
pub mod output;
mod provider;
mod scale;
mod script;
pub mod script_ops;
mod test_home;

use std::time::Duration;

pub use examples::{example, example_names};
pub use live::{Live, is_running, wait_until};
pub use provider::{Gate, Provider, Received, Reply};
pub use scale::scale;
pub use script::{Answer, answer, chat_answer, delta, end, fail, open, tool_call, tool_calls};
pub use test_home::{Finished, Pi, World, entries_of, read_entries};

/// Nothing that a test waits for takes that long, also not on a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(90);
