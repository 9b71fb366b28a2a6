//! The door to files that this program did not make: whatever lies in a project, a package or the user's directories, and
//! whatever somebody names. What is read here ends, whatever it is: [`open`] lets regular files through and nothing else,
//! [`read`] holds to the limits of [`FileKind`], [`listing`] to those of directories, and a [`SymlinkGuard`] says which links
//! are followed.
//!
//! `cargo xtask tidy` finds files that are read elsewhere. What they mean is no business of this module.
//!
//! Everything here blocks.

mod kinds_table;
mod listing;
mod open;
mod read;
mod refusal;
mod repository;
mod sanitize;
mod symlink_guard;
#[cfg(all(test, unix))]
mod tests;
mod without_links;

pub use kinds_table::FileKind;
pub(crate) use listing::MAX_DEPTH;
pub(crate) use listing::MAX_DIRECTORIES;
pub use listing::list;
pub use open::open_regular;
pub(crate) use open::{check_regular, kind_name, open_regular_for_appending};
pub(crate) use read::has_entry;
pub use read::{dangling, decoded, read_bytes, read_file, read_text};
pub use refusal::Refusal;
pub(crate) use refusal::{refusal_in, shown_size};
pub(crate) use repository::repository_top;
pub use sanitize::{is_control, plain, plain_path};
pub use symlink_guard::SymlinkGuard;
pub use without_links::without_links;
