//! The built-in models: generated facts, compiled in as text and read on demand, one provider at a time.
//!
//! `generated.rs` is the table of providers, sorted by id; `block.rs` reads the models of one. Both are found by
//! binary search, so that one look-up parses one line. `cargo xtask codegen-models` generates them; `CONTRIBUTING.md`
//! says where the facts come from.

use std::sync::Arc;

use crate::model::Model;

mod block;
mod generated;

use block::Block;
use generated::BLOCKS;

/// The providers that have built-in models, sorted by code point.
pub fn get_providers() -> impl ExactSizeIterator<Item = &'static str> {
    BLOCKS.iter().map(|(provider, _)| *provider)
}

/// The built-in models of a provider, sorted by id; none for an unknown provider. Parses on every call.
pub fn get_models(provider: &str) -> Vec<Arc<Model>> {
    block(provider).map(Block::models).unwrap_or_default()
}

/// A built-in model by exact provider and id. Parses the line of this model on every call.
pub fn get_model(provider: &str, id: &str) -> Option<Arc<Model>> {
    block(provider)?.model(id)
}

fn block(provider: &str) -> Option<Block> {
    let index = BLOCKS.binary_search_by(|(name, _)| (*name).cmp(provider)).ok()?;
    let (provider, text) = BLOCKS.get(index)?;
    Some(Block { provider, text })
}
