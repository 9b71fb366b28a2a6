//! Credentials of Amazon's services: where they come from, and what is signed with them.
//!
//! `lookup.rs` says where is looked, `chain.rs` asks the sources in order: the environment, profiles (`profile.rs`, and `roles.rs` for roles that are
//! assumed), a web identity, a container's endpoint (`container.rs`). `sign.rs` makes signatures, `sts.rs` speaks
//! to the token service. Nothing here knows a model.

mod cache;
mod chain;
mod container;
mod fetch;
mod keys;
mod lookup;
mod profile;
mod roles;
pub(crate) mod sign;
mod sts;

pub(crate) use cache::KeyCache;
pub(crate) use chain::{profile_region, resolve};
pub(crate) use keys::Keys;
pub(crate) use lookup::Lookup;
pub(crate) use sts::domain;

use crate::error::{CredentialError, Error};

/// Whose credentials these are; whoever asks for them may know the provider by another name.
const PROVIDER: &str = "aws";

/// An error about credentials; the detail is no whole sentence.
fn failure(detail: impl Into<String>) -> Error {
    Error::Credential(CredentialError::Unavailable { provider: PROVIDER.to_owned(), detail: detail.into() })
}
