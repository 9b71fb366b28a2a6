//! Searching this machine's files with ripgrep's libraries: the local side of `grep`, `find` and `ls`.
//!
//! `rules` says which files take part, `in_order` walks them with all cores and still answers in the order of the
//! paths, `pattern` and `globs` read what the model wrote, `text_file` (with `lines` and `pieces`) searches one file.
//! What the model sees is formatted elsewhere, by the tools.

mod globs;
mod in_order;
mod lines;
mod local_find;
mod local_grep;
mod local_ls;
mod pattern;
mod pieces;
mod ranked;
mod rules;
mod stop;
mod text_file;
