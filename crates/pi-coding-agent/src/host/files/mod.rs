//! The door to files that this program did not make: whatever lies in a project, a package or the user's directories, and
//! whatever somebody names. What is read here ends, whatever it is: [`open`] lets regular files through and nothing else,
//! [`read`] holds to the limits of [`FileKind`], [`listing`] to those of directories, and a [`Fence`] says which links
//! are followed.
//!
//! `cargo xtask tidy` finds files that are read elsewhere. What they mean is no business of this module.
//!
//! Everything here blocks.

mod fence;
mod kinds_table;
mod listing;
mod open;
mod read;
mod refusal;
mod repository;
#[cfg(all(test, unix))]
mod tests;
mod visible;
mod without_links;

pub use fence::Fence;
pub use kinds_table::FileKind;
pub use listing::{MAX_DEPTH, MAX_DIRECTORIES, list};
pub use open::{check_regular, kind_name, open_regular, open_regular_for_appending};
pub use read::{dangling, decoded, has_entry, read_bytes, read_file, read_text};
pub use refusal::{Refusal, refusal_in, shown_size};
pub use repository::repository_top;
pub use visible::{is_control, plain, plain_path};
pub use without_links::without_links;
