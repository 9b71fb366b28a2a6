//! Where sessions are kept, their limits, and their queues.

use std::path::PathBuf;
use std::time::Duration;

use super::super::keys::Keys;
use super::super::limits::Limits;
use super::super::table::{LIMIT_MAX_COST, LIMIT_MAX_TURNS, LIMIT_TIMEOUT_SECONDS, SESSION_DIR};
use crate::host::paths::expand;

/// Where sessions are kept, their limits, and their queues.
///
/// Made by [`SettingsManager::sessions`](crate::settings::SettingsManager::sessions).
#[derive(Debug, Clone, Copy)]
pub struct SessionSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl SessionSettings<'_> {
    /// Directory for session files, `~` expanded.
    pub fn dir(self) -> Option<PathBuf> {
        self.0.get(&SESSION_DIR).map(|dir| expand(&dir, self.0.env()))
    }

    /// How many turns, how much money and how much time a session may take.
    pub fn limits(self) -> Limits {
        let timeout = self.0.get(&LIMIT_TIMEOUT_SECONDS);
        Limits {
            max_turns: self.0.get(&LIMIT_MAX_TURNS),
            max_cost: self.0.get(&LIMIT_MAX_COST),
            timeout: timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            per_prompt: false,
        }
    }
}
