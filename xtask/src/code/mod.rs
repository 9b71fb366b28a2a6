//! Rust source as data: what the checks of [`crate::layers`] and [`crate::tidy`] look at. `files.rs` lists the checkout,
//! `scan.rs` frees text of comments and strings, `modules.rs` reads a crate into its tree of modules, `scope.rs` resolves
//! paths in it, `imports.rs` finds who imports what, `circles.rs` finds circles among them, `methods.rs` counts methods,
//! `error_enums.rs` variants of errors.
//!
//! No rule lives here: what is allowed is said by the modules that check.

mod circles;
mod error_enums;
mod files;
mod imports;
mod methods;
mod modules;
mod scan;
mod scope;
mod walk;

pub(crate) use circles::{Circle, Edge, circles};
pub(crate) use error_enums::{ErrorEnum, error_enums};
pub(crate) use files::{File, is_test, read_files};
pub(crate) use imports::{Import, Imports, imports};
pub(crate) use methods::{Type, types};
pub(crate) use modules::{Tree, roots};
pub(crate) use scan::Source;

/// Files of a crate that exists in a test only.
#[cfg(test)]
pub(crate) fn files_of(sources: &[(&str, &str)]) -> Vec<File> {
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    sources.iter().map(file).collect()
}
