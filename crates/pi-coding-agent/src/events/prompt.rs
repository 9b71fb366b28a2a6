//! Where a prompt goes while a run is in progress.

use serde::{Deserialize, Serialize};

/// Where a prompt goes while a run is in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StreamingBehavior {
    /// Into the next turn.
    Steer,
    /// After the run would have stopped.
    FollowUp,
}
