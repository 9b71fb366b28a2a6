//! Where completions come from: commands, files, paths, models.

use super::app::App;

/// Looks for completions of what stands before the cursor, if there may be any.
pub(super) fn request(_app: &mut App) {}
