//! Where keys are looked for: variables, files, and the way to services that hand them out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Keys, failure};
use crate::error::Error;
use crate::transport::HttpTransport;

const PROFILE: &str = "AWS_PROFILE";
pub(super) const TOKEN_FILE: &str = "AWS_WEB_IDENTITY_TOKEN_FILE";

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

    pub(super) fn named_profile(&self) -> Option<String> {
        self.profile.map(str::to_owned).or_else(|| self.var(PROFILE))
    }

    /// What decides where keys come from, as one text.
    pub(super) fn sources(&self) -> String {
        let variables = SOURCES.iter().map(|name| self.var(name).unwrap_or_default());
        let profile = self.profile.unwrap_or_default().to_owned();
        variables.chain([profile]).collect::<Vec<_>>().join("\n")
    }
}

/// Keys in variables.
pub(super) fn environment(lookup: &Lookup<'_>) -> Option<Keys> {
    let (id, secret) = (lookup.var("AWS_ACCESS_KEY_ID")?, lookup.var("AWS_SECRET_ACCESS_KEY")?);
    Some(Keys::new(&id, &secret, lookup.var("AWS_SESSION_TOKEN")))
}
