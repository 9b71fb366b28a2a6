//! The conversation as blocks of the document.
//!
//! `block` is what all of them share; `note`, `user`, `prose`, `shell`, `summary`, `list` are the kinds (`indented` puts margins beside their lines), `tool` and `tools/` calls of
//! tools. `custom_call`, `custom_message` and `custom_entry` are drawn by extensions, which `renderers` finds. Which block an event belongs to is decided in `transcript`, that of a message in `messages`; `resumed` goes on with an answer that was drawn in its middle.

mod block;
mod custom_call;
mod custom_entry;
mod custom_message;
mod indented;
mod list;
mod messages;
mod note;
mod prose;
mod renderers;
mod resumed;
mod shell;
mod summary;
mod tool;
mod tools;
mod transcript;
mod user;

pub(super) use block::{Body, ChatBlock, Picture};
pub(super) use indented::{Margins, indented};
pub(super) use list::{KeyTable, Listing, Section, Sections};
pub(super) use note::NoteKind;
pub(super) use renderers::Renderers;
pub(super) use shell::ShellBlock;
pub(super) use transcript::Transcript;
