//! Which level of the protocol is written: that of today, or the one that clients of 0.79 know to the byte.

use crate::host::env::Env;

/// The variable that asks for an older level.
pub(crate) const VARIABLE: &str = "PI_COMPAT";

/// A level of the protocol. Everything of an older one is part of a newer one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProtocolLevel {
    /// All events, fields and data of responses.
    #[default]
    Current,
    /// What 0.79.10 wrote, for clients that take nothing else: without `agent_settled`, `bash_execution_update`
    /// and `summarization_retry_*`, without `usage`, `id` and `toolName` in updates, without `disposition` in responses.
    V0_79,
}

impl ProtocolLevel {
    /// The level that the environment asks for with `PI_COMPAT`.
    ///
    /// # Errors
    /// A sentence that names the values there are.
    pub fn of(env: &Env) -> Result<Self, String> {
        match env.var(VARIABLE).as_deref() {
            None => Ok(Self::Current),
            Some("0.79" | "0.79.10") => Ok(Self::V0_79),
            Some(other) => Err(format!("{VARIABLE} is \"{other}\". Valid values: 0.79; leave it out otherwise")),
        }
    }

    /// Whether this is the level of today.
    pub fn is_current(self) -> bool {
        self == Self::Current
    }
}
