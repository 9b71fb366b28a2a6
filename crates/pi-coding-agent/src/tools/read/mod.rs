//! The `read` tool: text by lines, without loading what is not asked for, and images as attachments.
//!
//! `tool` finds the file and ties it together; `selection` says which lines are meant, `scan` picks them from a stream,
//! `notice` words what was left out; `image` is the branch for images.

mod image;
mod notice;
mod scan;
mod selection;
#[cfg(test)]
mod tests;
mod text;
mod tool;

pub use tool::ReadTool;
