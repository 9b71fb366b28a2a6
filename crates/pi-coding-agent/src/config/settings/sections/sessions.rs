//! Where sessions are kept, their limits, and their queues.

use std::path::PathBuf;
use std::time::Duration;

use pi_agent_core::QueueMode;

use super::super::keys::Keys;
use super::super::limits::Limits;
use crate::config::Error;
use crate::host::paths::expand;
use crate::session::Durability;

/// Where sessions are kept, their limits, and their queues.
///
/// Made by [`SettingsManager::sessions`](crate::settings::SettingsManager::sessions).
#[derive(Debug, Clone, Copy)]
pub struct SessionSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl SessionSettings<'_> {
    /// Directory for session files, `~` expanded.
    pub fn dir(self) -> Option<PathBuf> {
        self.0.text(&["sessionDir"]).map(|dir| expand(&dir, self.0.env()))
    }

    /// How soon sessions are safe from a power failure. Not a setting of the reference.
    pub fn durability(self) -> Durability {
        self.0.value(&["sessionDurability"]).unwrap_or_default()
    }

    /// How many turns, how much money and how much time a session may take.
    pub fn limits(self) -> Limits {
        let get = |key| self.0.get(&["limits", key], |value| value.as_f64().filter(|number| *number > 0.0));
        Limits {
            max_turns: self.0.number(&["limits", "maxTurns"]).filter(|turns| *turns > 0),
            max_cost: get("maxCost"),
            timeout: get("timeoutSeconds").and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            per_prompt: false,
        }
    }

    /// How steering messages are taken from their queue.
    pub fn steering_mode(self) -> QueueMode {
        self.0.value(&["steeringMode"]).unwrap_or_default()
    }

    /// How follow-up messages are taken from their queue.
    pub fn follow_up_mode(self) -> QueueMode {
        self.0.value(&["followUpMode"]).unwrap_or_default()
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
impl SessionSettings<'_> {
    /// How steering messages are taken from their queue.
    pub fn set_steering_mode(self, mode: QueueMode) -> Result<(), Error> {
        self.0.set_serialized(&["steeringMode"], &mode)
    }

    /// How follow-up messages are taken from their queue.
    pub fn set_follow_up_mode(self, mode: QueueMode) -> Result<(), Error> {
        self.0.set_serialized(&["followUpMode"], &mode)
    }
}
