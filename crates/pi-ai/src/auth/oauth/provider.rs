//! A provider that users log in to, and what its flows work with.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use typed_builder::TypedBuilder;

use super::callbacks::OAuthCallbacks;
use super::credentials::OAuthCredentials;
use super::secure_random::{SecureRandom, system_secure_random};
use crate::clock::{Clock, default_clock};
use crate::error::{Error, LoginError};
use crate::model::Model;
use crate::transport::{HttpTransport, default_transport};

/// Where the local callback server listens unless something else is asked for.
const DEFAULT_CALLBACK_HOST: &str = "127.0.0.1";
/// Variable that asks for something else, for example `0.0.0.0` in a container.
const CALLBACK_HOST: &str = "PI_OAUTH_CALLBACK_HOST";
/// A request of a login may take this long.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A provider that users log in to. Implementations are stateless: credentials are handed in and out.
pub trait OAuthProvider: Debug + Send + Sync {
    /// Provider id, the key of the credentials.
    fn id(&self) -> &str;

    /// The name under which people know it.
    fn name(&self) -> &str;

    /// Whether a login waits for the browser on this machine, so that a field for pasting the code makes sense.
    fn uses_callback_server(&self) -> bool {
        false
    }

    /// Logs in.
    ///
    /// # Errors
    /// [`LoginError::Cancelled`], and whatever the user or the provider objects to; never with a token in the text.
    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>>;

    /// Renews a login. What is handed in may be void afterwards, even when the future is dropped: store the result.
    ///
    /// # Errors
    /// When the provider cannot be reached or does not accept the login any more.
    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>>;

    /// What requests to the provider's models use as key.
    fn api_key(&self, credentials: &OAuthCredentials) -> String {
        credentials.access.clone()
    }

    /// Headers that requests carry besides the key. Where the key's own header does not fit a login, the one that does.
    fn headers(&self, credentials: &OAuthCredentials) -> BTreeMap<String, String> {
        let _ = credentials;
        BTreeMap::new()
    }

    /// The provider's models as this login may use them.
    fn modify_models(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) -> Vec<Arc<Model>> {
        let _ = credentials;
        models
    }
}

/// What flows work with: network, time, chance, cancellation. The default is the real thing.
#[derive(Debug, Clone, TypedBuilder)]
pub struct OAuthContext {
    /// Replaces the network.
    #[builder(default, setter(strip_option))]
    pub http: Option<Arc<dyn HttpTransport>>,
    /// Tells when tokens expire.
    #[builder(default = default_clock())]
    pub clock: Arc<dyn Clock>,
    /// Source of verifiers and states.
    #[builder(default = system_secure_random())]
    pub random: Arc<dyn SecureRandom>,
    /// Cancelling it ends the flow at once with [`LoginError::Cancelled`].
    #[builder(default)]
    pub cancel: CancellationToken,
    /// Address that the local callback server listens at.
    #[builder(default = DEFAULT_CALLBACK_HOST.to_owned())]
    pub callback_host: String,
    /// Limit for each request, its answer included.
    #[builder(default = REQUEST_TIMEOUT)]
    pub request_timeout: Duration,
}

impl Default for OAuthContext {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OAuthContext {
    /// The default, with the callback host that the environment asks for (`PI_OAUTH_CALLBACK_HOST`).
    pub fn from_env(env: &dyn Fn(&str) -> Option<String>) -> Self {
        let host = env(CALLBACK_HOST).filter(|host| !host.trim().is_empty());
        Self { callback_host: host.unwrap_or_else(|| DEFAULT_CALLBACK_HOST.to_owned()), ..Self::default() }
    }

    pub(super) fn transport(&self) -> Result<Arc<dyn HttpTransport>, Error> {
        self.http.clone().map_or_else(default_transport, Ok)
    }

    /// Waits for a step of a flow, unless the flow is cancelled.
    pub(super) async fn cancellable<T>(&self, step: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::Login(LoginError::Cancelled)),
            result = step => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where_to_listen() {
        let host = |value: Option<&str>| {
            let env = |name: &str| value.filter(|_| name == "PI_OAUTH_CALLBACK_HOST").map(str::to_owned);
            OAuthContext::from_env(&env).callback_host
        };
        assert_eq!(host(Some("0.0.0.0")), "0.0.0.0");
        assert_eq!((host(None).as_str(), host(Some(" ")).as_str()), ("127.0.0.1", "127.0.0.1"));
    }
}
