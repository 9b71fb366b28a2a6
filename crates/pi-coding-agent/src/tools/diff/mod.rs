//! Differences between two texts, line by line; a line includes its LF.
//!
//! `lines` holds both texts, `myers` compares them, `display` and `patch` print the outcome, `hunks` takes a patch apart. Nothing here reads a
//! file.

mod display;
mod hunks;
mod lines;
mod myers;
mod patch;

pub use display::display_diff_within;
pub use display::{DisplayDiff, display_diff};
pub use hunks::{PatchHunk, patch_hunks};
pub use patch::unified_patch;
