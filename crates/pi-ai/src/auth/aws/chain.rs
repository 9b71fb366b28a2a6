//! Which source of keys is asked when, the first that has some being the last.

use std::path::Path;

use super::cache::KeyCache;
use super::lookup::{Lookup, TOKEN_FILE, environment};
use super::profile::Profiles;
use super::sts::{self, Role};
use super::{Keys, container, failure, roles};
use crate::error::Error;

/// The profile that counts when none is named.
const DEFAULT_PROFILE: &str = "default";

/// Finds keys: those of the environment; else those of the profile that is named; else those of the default profile, of
/// a web identity, of the container.
///
/// # Errors
/// [`CredentialError::Unavailable`](crate::CredentialError::Unavailable) naming what was found unusable, or that
/// nothing was found.
pub(crate) async fn resolve(lookup: &Lookup<'_>, cache: &KeyCache) -> Result<Keys, Error> {
    if let Some(keys) = environment(lookup) {
        return Ok(keys);
    }
    let sources = lookup.sources();
    if let Some(keys) = cache.get(&sources, lookup.now_ms) {
        return Ok(keys);
    }
    let keys = search(lookup).await?;
    cache.put(sources, &keys);
    Ok(keys)
}

/// The region of the profile in force.
///
/// # Errors
/// [`CredentialError::Unavailable`](crate::CredentialError::Unavailable) when a profile file exists and cannot be read.
pub(crate) async fn profile_region(lookup: &Lookup<'_>) -> Result<Option<String>, Error> {
    let profiles = Profiles::load(lookup).await?;
    let name = lookup.named_profile().unwrap_or_else(|| DEFAULT_PROFILE.to_owned());
    Ok(profiles.get(&name).and_then(|profile| profile.value("region")).map(str::to_owned))
}

async fn search(lookup: &Lookup<'_>) -> Result<Keys, Error> {
    let profiles = Profiles::load(lookup).await?;
    if let Some(name) = lookup.named_profile() {
        return roles::keys(lookup, &profiles, &name).await;
    }
    if profiles.get(DEFAULT_PROFILE).is_some_and(super::profile::Profile::has_source) {
        return roles::keys(lookup, &profiles, DEFAULT_PROFILE).await;
    }
    if let Some(file) = lookup.var(TOKEN_FILE) {
        return web_identity(lookup, &file).await;
    }
    let found = container::keys(lookup).await?;
    found.ok_or_else(|| {
        failure(
            "there are no AWS credentials. Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and \
             AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile of ~/.aws/credentials or ~/.aws/config",
        )
    })
}

async fn web_identity(lookup: &Lookup<'_>, file: &str) -> Result<Keys, Error> {
    let arn =
        lookup.var("AWS_ROLE_ARN").ok_or_else(|| failure(format!("{TOKEN_FILE} is set but AWS_ROLE_ARN is not")))?;
    let role = Role { arn, session_name: lookup.var("AWS_ROLE_SESSION_NAME"), ..Role::default() };
    let token = lookup.read(Path::new(file), TOKEN_FILE).await?;
    sts::with_web_identity(lookup, &role, token.trim()).await
}
