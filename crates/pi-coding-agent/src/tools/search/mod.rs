//! Searching this machine's files with ripgrep's libraries: the local side of `grep`, `find` and `ls`.
//!
//! `rules` says which files take part, `in_order` walks them with all cores and still answers in the order of the paths,
//! `pattern` and `globs` read what the model wrote, `text_file` (with `prefilter`, `lines` and `long_lines`) searches one file. What
//! the model sees is formatted elsewhere, by the tools. `file_walk` lists everything below a directory, for people.

mod file_walk;
mod globs;
mod ignore_guard;
mod in_order;
mod lines;
mod local_find;
mod local_grep;
mod local_ls;
mod long_lines;
mod pattern;
mod prefilter;
mod ranked;
mod rules;
mod stop;
mod text_file;

pub use file_walk::{WalkedPath, walk_files};
#[cfg(any(feature = "container", feature = "ssh"))]
pub(super) use globs::{NamePattern, file_filter};
#[cfg(any(feature = "container", feature = "ssh"))]
pub(super) use lines::plain;
#[cfg(any(feature = "container", feature = "ssh"))]
pub(super) use local_grep::{CONTEXT, REPORT};
#[cfg(any(feature = "container", feature = "ssh"))]
pub(super) use pattern::matcher;
