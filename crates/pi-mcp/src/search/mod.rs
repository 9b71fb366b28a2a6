//! Finding tools that are not declared: `terms` takes texts apart, `synonyms` knows what people call things, `shapes` what words
//! like `#general` are; `fields` weighs what is known of a tool, `index` ranks, `tool` is what the model calls.

mod fields;
mod index;
mod shapes;
mod synonyms;
mod terms;
#[cfg(test)]
mod tests;
mod tool;

pub(crate) use fields::SearchedTool;
pub(crate) use index::Index;
pub(crate) use tool::{ToolSearch, first_line, loaded_names};
