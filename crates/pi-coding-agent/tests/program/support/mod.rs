//! What the tests of the program share: a world to run it in, a provider to talk to, scripts for the provider.

mod live;
mod provider;
mod script;
mod world;

pub(crate) use live::{Live, is_running, wait_until};
pub(crate) use provider::{Gate, Provider, Reply};
pub(crate) use script::{answer, chat_answer, delta, end, fail, open, tool_call, tool_calls};
#[allow(unused_imports, reason = "only the tests of extensions name it")]
pub(crate) use world::Pi;
pub(crate) use world::{Finished, World, read_entries};

use std::time::Duration;

/// Nothing here takes that long, also not on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
