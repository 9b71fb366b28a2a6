//! The provider on a loopback socket that the tests of the program use.

#[allow(dead_code, reason = "not every test needs all of it")]
#[path = "../program/support/provider.rs"]
mod provider;
#[allow(dead_code, reason = "not every test needs all of it")]
#[path = "../program/support/script.rs"]
mod script;

pub(crate) use provider::{Provider, Reply};
pub(crate) use script::{answer, tool_call};

/// Nothing here takes that long.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(90);
