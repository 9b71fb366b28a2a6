//! What the Responses formats share: `openai-responses`, `azure-openai-responses` and `openai-codex-responses` send the
//! same input items and read the same events. Where they differ, a [`Dialect`](dialect::Dialect) says so.
//!
//! `convert.rs` and `assistant.rs` make input items of a transcript, `ids.rs` the ids in them, `tools.rs` and
//! `reasoning.rs` further parts of a body, `body.rs` the body that two of the formats share. `decode.rs` reads events with
//! `items.rs` (the items of an answer), `dialect.rs`, `usage.rs`, `tier.rs` and `signature.rs`. Endpoints, headers and
//! options belong to the formats.

pub(crate) mod assistant;
pub(crate) mod body;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod dialect;
pub(crate) mod ids;
mod items;
mod output_item;
pub(crate) mod reasoning;
mod signature;
pub(crate) mod tier;
pub(crate) mod tools;
mod usage;
