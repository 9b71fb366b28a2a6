//! How many files this process may have open.

use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The soft limit before it was raised.
static BEFORE: OnceLock<u64> = OnceLock::new();
/// Where the hard limit is none at all, systems still refuse a soft one above theirs; this is enough for anybody.
const MANY: u64 = 1 << 20;

/// Raises the soft limit of open files to the hard one, once per process. Commands get the one from before: programs that
/// use `select`, and some that close all files they could have, do not get on with big ones.
pub fn raise_open_file_limit() {
    let Rlimit { current: Some(before), maximum } = getrlimit(Resource::Nofile) else { return };
    let wanted = maximum.unwrap_or(MANY);
    if wanted > before && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok() {
        let _ = BEFORE.set(before);
    }
}

/// The soft limit for commands, if it is not that of this process.
#[cfg(target_os = "linux")]
pub(super) fn before() -> Option<u64> {
    BEFORE.get().copied()
}
