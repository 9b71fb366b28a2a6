//! How soon what a session was told is safe from a power failure.

use serde::{Deserialize, Serialize};

/// When the disk is waited for. An entry is handed to the operating system at once at every level, so none of them loses
/// anything when the program dies, however it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// Never. A power failure may cost what was appended in the last seconds.
    None,
    /// At the end of every turn. A power failure may cost the turn that is going on.
    #[default]
    Turn,
    /// With every entry, before the append returns. A power failure costs nothing that was appended.
    Entry,
}
