//! The files below directories, for completion: an `index` that is walked in the background, and the `rank` of what is in
//! it. Nothing else of the mode is known here.

mod index;
mod rank;

pub(super) use index::{FileIndex, Tree};
pub(super) use rank::{Entry, best};
