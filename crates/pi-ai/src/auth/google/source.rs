//! Where application default credentials are: a file that the environment names, the file of the `gcloud` tool, or the
//! metadata server of a machine in Google Cloud. Files are read here, and nowhere else.

use std::io::ErrorKind;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::auth::env::{google_credentials, is_named_google_credentials};
use crate::error::{CredentialError, Error};
use crate::options::StreamOptions;

/// Reached from inside of Google Cloud only.
const METADATA_HOST: &str = "metadata.google.internal";

/// Credentials.
pub(super) enum Source {
    /// The content of a file, with what is the same for all kinds of them.
    File {
        /// The credentials.
        credentials: Credentials,
        /// Project that is charged.
        quota_project: Option<String>,
        /// The text of the file: with other credentials it is another one.
        text: String,
    },
    /// The service account of the machine, by the host of its metadata server.
    Metadata(String),
}

impl Source {
    /// Tells credentials apart.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::File { text, .. } => text.clone(),
            Self::Metadata(host) => format!("metadata {host}"),
        }
    }
}

/// The kinds of credential files. Field names are those of the files.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Credentials {
    /// A person, as `gcloud auth application-default login` writes it.
    AuthorizedUser(AuthorizedUser),
    /// A service account with a key of its own.
    ServiceAccount(ServiceAccount),
    /// A service account that other credentials may speak for.
    ImpersonatedServiceAccount(Impersonated),
    /// Somebody who is known to another identity provider.
    ExternalAccount(ExternalAccount),
}

/// A person who allowed a program to act for them.
#[derive(Deserialize)]
pub(super) struct AuthorizedUser {
    pub(super) client_id: String,
    pub(super) client_secret: String,
    pub(super) refresh_token: String,
    pub(super) token_uri: Option<String>,
}

/// A service account and its private key.
#[derive(Deserialize)]
pub(super) struct ServiceAccount {
    pub(super) client_email: String,
    pub(super) private_key: String,
    pub(super) private_key_id: Option<String>,
    pub(super) token_uri: Option<String>,
}

/// Credentials that are exchanged for those of a service account.
#[derive(Deserialize)]
pub(super) struct Impersonated {
    pub(super) source_credentials: Box<Credentials>,
    pub(super) service_account_impersonation_url: String,
    #[serde(default)]
    pub(super) delegates: Vec<String>,
}

/// Workload identity federation.
#[derive(Deserialize)]
pub(super) struct ExternalAccount {
    pub(super) audience: String,
    pub(super) subject_token_type: String,
    pub(super) token_url: String,
    pub(super) credential_source: Value,
    pub(super) service_account_impersonation_url: Option<String>,
}

/// What is the same for all kinds.
#[derive(Deserialize)]
struct Common {
    quota_project_id: Option<String>,
}

/// Finds the credentials that apply.
///
/// # Errors
/// [`CredentialError::Unavailable`] when a file is there but cannot be used.
pub(super) async fn find(options: &StreamOptions, provider: &str) -> Result<Source, Error> {
    let env = |name: &str| options.env_var(name);
    let refused =
        |detail: String| Error::Credential(CredentialError::Unavailable { provider: provider.to_owned(), detail });
    if let Some(path) = google_credentials(&env) {
        let shown = path.display().to_string();
        match read(path).await {
            Ok(text) => return parse(text, &shown).map_err(refused),
            Err(error) if error.kind() == ErrorKind::NotFound && !is_named_google_credentials(&env) => {}
            Err(error) => return Err(refused(format!("the credentials file {shown} cannot be read ({error})"))),
        }
    }
    let host = options.env_var("GCE_METADATA_HOST").unwrap_or_else(|| METADATA_HOST.to_owned());
    Ok(Source::Metadata(host))
}

/// Reads a file without holding up other tasks.
pub(super) async fn read(path: PathBuf) -> std::io::Result<String> {
    tokio::task::spawn_blocking(move || std::fs::read_to_string(path)).await.unwrap_or_else(|error| Err(error.into()))
}

/// The parser's words may repeat a value, so only the place of a mistake is told.
fn parse(text: String, shown: &str) -> Result<Source, String> {
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        format!("the credentials file {shown} is not JSON (line {}, column {})", error.line(), error.column())
    })?;
    let common: Common = Common::deserialize(&value).unwrap_or(Common { quota_project_id: None });
    let credentials = Credentials::deserialize(&value).map_err(|_| {
        let kind = value["type"].as_str().unwrap_or("(none)");
        format!(
            "the credentials file {shown} of type {kind} is incomplete or of a type that is not supported (authorized_user, \
             service_account, impersonated_service_account and external_account are)"
        )
    })?;
    Ok(Source::File { credentials, quota_project: common.quota_project_id, text })
}
