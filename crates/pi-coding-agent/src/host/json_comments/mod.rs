//! JSON as people write it, with comments and trailing commas: how to read past them, and how to change a value
//! without losing them. Nothing here touches a file.

mod edit;
mod strip;

pub(crate) use edit::edit_keeping_comments;
pub(crate) use strip::strip_comments;
