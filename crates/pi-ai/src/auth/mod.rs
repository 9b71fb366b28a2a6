//! Where keys and tokens come from, each source in a place of its own.

#[cfg(feature = "bedrock")]
pub(crate) mod aws;
pub(crate) mod codex_account;
pub mod env;
#[cfg(feature = "vertex")]
pub(crate) mod google;
#[cfg(feature = "oauth")]
pub mod oauth;
