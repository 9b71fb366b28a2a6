//! Where keys and tokens come from, each source in a place of its own.

pub mod env;
#[cfg(feature = "vertex")]
pub(crate) mod google;
