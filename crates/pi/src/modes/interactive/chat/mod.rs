//! The conversation as blocks of the document.
//!
//! `block` is what all of them share; `note`, `user`, `prose`, `shell`, `summary`, `list` are the kinds (`indented` puts margins beside their lines), `tool` and `tools/` calls of
//! tools. Which block an event belongs to is decided in `transcript`.

mod block;
mod indented;
mod list;
mod note;
mod prose;
mod shell;
mod summary;
mod tool;
mod tools;
mod transcript;
mod user;

pub(super) use block::{Body, ChatBlock, Picture};
pub(super) use indented::{Margins, indented};
pub(super) use list::{Listing, Section, Sections};
pub(super) use note::NoteKind;
pub(super) use shell::ShellBlock;
pub(super) use transcript::Transcript;
