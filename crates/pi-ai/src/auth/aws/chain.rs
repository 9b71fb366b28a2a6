//! Which source of keys is asked when, the first that has some being the last.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::KeyCache;
use super::profile::Profiles;
use super::sts::{self, Role};
use super::{Keys, container, failure, roles};
use crate::error::Error;
use crate::transport::HttpTransport;

/// The profile that counts when none is named.
const DEFAULT_PROFILE: &str = "default";
const PROFILE: &str = "AWS_PROFILE";
const TOKEN_FILE: &str = "AWS_WEB_IDENTITY_TOKEN_FILE";

/// Variables that say where temporary keys come from; two calls that agree in them may share keys.
const SOURCES: [&str; 10] = [
    PROFILE,
    TOKEN_FILE,
    "HOME",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_ENDPOINT_URL_STS",
];

/// Where keys are looked for.
pub(crate) struct Lookup<'a> {
    /// Variables.
    pub(crate) env: &'a (dyn Fn(&str) -> Option<String> + Send + Sync),
    /// A profile that the caller names; it counts before `AWS_PROFILE`.
    pub(crate) profile: Option<&'a str>,
    /// Region of the token service.
    pub(crate) region: &'a str,
    /// Unix time in milliseconds.
    pub(crate) now_ms: i64,
    /// The way to services that hand out keys, or why there is none.
    pub(crate) transport: Result<Arc<dyn HttpTransport>, Error>,
}

impl Lookup<'_> {
    /// A variable; an empty one counts as unset.
    pub(super) fn var(&self, name: &str) -> Option<String> {
        (self.env)(name).filter(|value| !value.is_empty())
    }

    pub(super) fn transport(&self) -> Result<&Arc<dyn HttpTransport>, Error> {
        self.transport.as_ref().map_err(Error::clone)
    }

    /// The text of a file that a variable or a profile names as `what`.
    pub(super) async fn read(&self, path: &Path, what: &str) -> Result<String, Error> {
        let read = tokio::fs::read_to_string(path).await;
        read.map_err(|error| failure(format!("{what}: the file {} cannot be read: {error}", path.display())))
    }

    /// Below the user's home directory.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.var("HOME").or_else(|| self.var("USERPROFILE")).map(PathBuf::from)
    }

    fn named_profile(&self) -> Option<String> {
        self.profile.map(str::to_owned).or_else(|| self.var(PROFILE))
    }

    /// What decides where keys come from, as one text.
    fn sources(&self) -> String {
        let variables = SOURCES.iter().map(|name| self.var(name).unwrap_or_default());
        let profile = self.profile.unwrap_or_default().to_owned();
        variables.chain([profile]).collect::<Vec<_>>().join("\n")
    }
}

/// Finds keys: those of the environment; else those of the profile that is named; else those of the default profile, of
/// a web identity, of the container.
///
/// # Errors
/// [`Error::Credentials`] naming what was found unusable, or that nothing was found.
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
/// [`Error::Credentials`] when a profile file exists and cannot be read.
pub(crate) async fn profile_region(lookup: &Lookup<'_>) -> Result<Option<String>, Error> {
    let profiles = Profiles::load(lookup).await?;
    let name = lookup.named_profile().unwrap_or_else(|| DEFAULT_PROFILE.to_owned());
    Ok(profiles.get(&name).and_then(|profile| profile.value("region")).map(str::to_owned))
}

/// Keys in variables.
pub(super) fn environment(lookup: &Lookup<'_>) -> Option<Keys> {
    let (id, secret) = (lookup.var("AWS_ACCESS_KEY_ID")?, lookup.var("AWS_SECRET_ACCESS_KEY")?);
    Some(Keys::new(&id, &secret, lookup.var("AWS_SESSION_TOKEN")))
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
