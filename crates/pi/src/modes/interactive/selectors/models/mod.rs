//! Choosing models: the one that answers (`choice`), and those that the cycle keys go through (`scope`, with what is chosen in
//! `cycle_set`). `rank` orders and searches them, `page` is what both lists look like.

mod choice;
mod cycle_set;
mod page;
mod rank;
mod scope;

pub(in crate::modes::interactive) use choice::{candidates, model};
pub(in crate::modes::interactive) use rank::rank_models;
pub(in crate::modes::interactive) use scope::scoped_models;
