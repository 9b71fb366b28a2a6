//! Finding tools that are not declared: `terms` takes texts apart, `index` ranks, `synonyms` knows what people call things, `tool`
//! is what the model calls.

mod index;
mod synonyms;
mod terms;
mod tool;

pub(crate) use index::{Index, SearchedTool};
pub(crate) use tool::{ToolSearch, first_line, loaded_names};
