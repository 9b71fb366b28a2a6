//! What commands are told of the session that runs them.

use std::ffi::OsString;
use std::sync::Arc;

/// The variables that describe a session. Values that this process was started with are another session's.
pub(crate) const NAMES: [&str; 5] =
    ["PI_SESSION_ID", "PI_SESSION_FILE", "PI_PROVIDER", "PI_MODEL", "PI_REASONING_LEVEL"];

type Describe = dyn Fn() -> Vec<(OsString, OsString)> + Send + Sync;

/// Describes the session when a command starts. Clones are the same.
#[derive(Clone)]
pub struct SessionEnv(Arc<Describe>);

impl SessionEnv {
    /// A description that `describe` makes for each command.
    pub fn new(describe: impl Fn() -> Vec<(OsString, OsString)> + Send + Sync + 'static) -> Self {
        Self(Arc::new(describe))
    }

    /// The variables as they are now.
    pub(crate) fn variables(&self) -> Vec<(OsString, OsString)> {
        (self.0)()
    }
}

impl std::fmt::Debug for SessionEnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionEnv")
    }
}
