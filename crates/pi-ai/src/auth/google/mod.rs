//! Application default credentials of Google Cloud: where they are, and how they become an access token.
//!
//! `source.rs` finds and reads credentials, `grant.rs` knows which requests each kind of them needs, `token.rs`
//! reads the answers, `jwt.rs` signs for
//! service accounts, `client.rs` speaks to token servers over the transport of the call. Tokens are kept in memory only;
//! no secret is ever part of an error text. Nothing here knows a wire format.

mod client;
mod external;
mod grant;
mod jwt;
mod source;
#[cfg(test)]
#[cfg(feature = "http")]
mod tests;
mod token;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use pi_guard::Unpoisoned;

use crate::error::{Error, RequestError};
use crate::options::StreamOptions;

use self::client::Client;

/// What the tokens are good for.
const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
/// Names the project that is charged, where that is not the one of the resource.
const QUOTA_PROJECT: HeaderName = HeaderName::from_static("x-goog-user-project");
/// A token is renewed when this part of its life is left: five minutes of the usual hour.
const RESERVE: i64 = 12;

/// An access token.
#[derive(Clone)]
pub(crate) struct AccessToken {
    value: String,
    /// Unix time in milliseconds until which it is used.
    good_until: i64,
    quota_project: Option<String>,
}

impl AccessToken {
    /// A token that arrived now and lives for some seconds.
    fn new(value: String, lifetime: i64, now: i64) -> Self {
        let lifetime = lifetime.max(0).saturating_mul(1000);
        let good_until = now.saturating_add(lifetime - lifetime / RESERVE);
        Self { value, good_until, quota_project: None }
    }

    /// Adds the token to the headers of a request.
    ///
    /// # Errors
    /// [`RequestError::InvalidHeader`] when the token server sent something that is no token.
    pub(crate) fn sign(&self, headers: &mut HeaderMap) -> Result<(), Error> {
        let invalid = |name: &HeaderName| {
            Error::Request(RequestError::InvalidHeader {
                name: name.as_str().to_owned(),
                detail: "the value has an illegal character".to_owned(),
            })
        };
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {}", self.value)).map_err(|_| invalid(&AUTHORIZATION))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
        if let Some(project) = &self.quota_project {
            let project = HeaderValue::from_str(project).map_err(|_| invalid(&QUOTA_PROJECT))?;
            headers.entry(QUOTA_PROJECT).or_insert(project);
        }
        Ok(())
    }
}

/// The token of one credential; the lock is held while it is fetched, so that it is fetched once.
type Slot = Arc<tokio::sync::Mutex<Option<AccessToken>>>;

/// Tokens by what identifies their credentials.
static TOKENS: LazyLock<Mutex<HashMap<String, Slot>>> = LazyLock::new(Mutex::default);

/// A token for the credentials that apply, from memory while it is good.
///
/// # Errors
/// [`CredentialError::Unavailable`](crate::CredentialError::Unavailable) when there are none or they are not accepted;
/// the transport's errors.
pub(crate) async fn access_token(options: &StreamOptions, provider: &str) -> Result<AccessToken, Error> {
    let source = source::find(options, provider).await?;
    let slot = slot(source.identity());
    let mut kept = slot.lock().await;
    let now = options.clock.now_ms();
    if let Some(token) = kept.as_ref().filter(|token| now < token.good_until) {
        return Ok(token.clone());
    }
    *kept = None;
    let token = grant::fetch(&source, &Client::new(options, provider)?).await?;
    Ok(kept.insert(token).clone())
}

/// The place of a credential's token. Places that nobody uses and that hold none are given up.
fn slot(identity: String) -> Slot {
    let mut tokens = TOKENS.lock().unpoisoned();
    tokens.retain(|_, slot| Arc::strong_count(slot) > 1 || slot.try_lock().map_or(true, |token| token.is_some()));
    Arc::clone(tokens.entry(identity).or_default())
}
