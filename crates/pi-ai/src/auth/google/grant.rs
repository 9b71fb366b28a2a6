//! From credentials to a token: which requests each kind needs.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};

use crate::error::{CredentialError, Error, NetworkError};

use super::client::{Ask, Client};
use super::source::{AuthorizedUser, Credentials, Impersonated, ServiceAccount, Source};
use super::token::{impersonate, read};
use super::{AccessToken, SCOPE, external, jwt};

const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// The metadata server is one hop away; where there is none, nobody should wait for it.
const METADATA_TIMEOUT: Duration = Duration::from_secs(3);

/// Fetches a token.
pub(super) async fn fetch(source: &Source, client: &Client<'_>) -> Result<AccessToken, Error> {
    match source {
        Source::File { credentials, quota_project, .. } => {
            let token = of_credentials(credentials, client).await?;
            Ok(AccessToken { quota_project: quota_project.clone(), ..token })
        }
        Source::Metadata(host) => metadata(host, client).await,
    }
}

/// Boxed, since credentials may rest on other credentials.
pub(super) fn of_credentials<'a>(
    credentials: &'a Credentials,
    client: &'a Client<'_>,
) -> BoxFuture<'a, Result<AccessToken, Error>> {
    async move {
        match credentials {
            Credentials::AuthorizedUser(user) => authorized_user(user, client).await,
            Credentials::ServiceAccount(account) => service_account(account, client).await,
            Credentials::ImpersonatedServiceAccount(account) => impersonated(account, client).await,
            Credentials::ExternalAccount(account) => external::fetch(account, client).await,
        }
    }
    .boxed()
}

async fn authorized_user(user: &AuthorizedUser, client: &Client<'_>) -> Result<AccessToken, Error> {
    let fields = [
        ("grant_type", "refresh_token"),
        ("client_id", &user.client_id),
        ("client_secret", &user.client_secret),
        ("refresh_token", &user.refresh_token),
    ];
    let answer = client.ask_json(Ask::form(uri(user.token_uri.as_ref()), &fields)).await;
    let answer = answer.map_err(|error| match error {
        Error::Credential(CredentialError::Unavailable { provider, detail }) => {
            Error::Credential(CredentialError::Unavailable {
                provider,
                detail: format!("{detail}; `gcloud auth application-default login` renews the credentials"),
            })
        }
        other => other,
    })?;
    read(&answer, client)
}

async fn service_account(account: &ServiceAccount, client: &Client<'_>) -> Result<AccessToken, Error> {
    let uri = uri(account.token_uri.as_ref());
    let assertion = jwt::assertion(account, uri, client.options.clock.now_ms());
    let assertion =
        assertion.map_err(|what| client.refused(format!("service account {}: {what}", account.client_email)))?;
    let fields = [("grant_type", JWT_BEARER), ("assertion", &assertion)];
    read(&client.ask_json(Ask::form(uri, &fields)).await?, client)
}

fn uri(given: Option<&String>) -> &str {
    given.map_or(TOKEN_URI, String::as_str)
}

async fn impersonated(account: &Impersonated, client: &Client<'_>) -> Result<AccessToken, Error> {
    let token = of_credentials(&account.source_credentials, client).await?;
    impersonate(&account.service_account_impersonation_url, &account.delegates, &token, client).await
}

/// The token of the machine's own service account.
async fn metadata(host: &str, client: &Client<'_>) -> Result<AccessToken, Error> {
    let url = format!("http://{host}/computeMetadata/v1/instance/service-accounts/default/token?scopes={SCOPE}");
    let ask = Ask::get(&url).with_header("metadata-flavor", "Google").within(METADATA_TIMEOUT);
    let answer = client.ask_json(ask).await.map_err(|error| match error {
        Error::Network(NetworkError::Connection { .. } | NetworkError::Timeout { .. } | NetworkError::Body { .. }) => {
            client.refused(
                "no Google credentials were found; set GOOGLE_CLOUD_API_KEY, name a credentials file in \
                 GOOGLE_APPLICATION_CREDENTIALS, or run `gcloud auth application-default login`",
            )
        }
        other => other,
    })?;
    read(&answer, client)
}
