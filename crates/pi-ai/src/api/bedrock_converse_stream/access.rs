//! How a request is let in: region, bearer token, signature, and the proxy on the way.

use std::sync::Arc;

use http::HeaderName;
use http::header::{ACCEPT, AUTHORIZATION, HOST, HeaderValue};

use crate::auth::aws::sign::{Scope, sign};
use crate::auth::aws::{KeyCache, Keys, Lookup, profile_region, resolve};
use crate::error::{Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::{HttpRequest, HttpTransport, default_transport};

use super::endpoint::{self, Endpoint, Named};
use super::options::BedrockOptions;

/// The name under which signatures are made for this service.
const SERVICE: &str = "bedrock";
/// Set to `1` for servers that check no signature.
const SKIP_AUTH: &str = "AWS_BEDROCK_SKIP_AUTH";
const BEARER: &str = "AWS_BEARER_TOKEN_BEDROCK";
/// Headers of the signature begin so.
const AMAZON: &str = "x-amz-";
#[cfg(feature = "http")]
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/// What the caller and the environment say about access.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) options: &'a StreamOptions,
    pub(super) explicit: Option<&'a BedrockOptions>,
}

impl<'a> Access<'a> {
    /// A non-empty option of this format.
    fn option(&self, read: impl Fn(&'a BedrockOptions) -> Option<&'a String>) -> Option<&'a str> {
        self.explicit.and_then(read).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn var(&self, name: &str) -> Option<String> {
        self.options.env_var(name)
    }

    /// What the caller and the environment say about the region.
    pub(super) fn named(&self) -> Named {
        let given = self.option(|options| options.region.as_ref()).map(str::to_owned);
        let region = given.or_else(|| self.var("AWS_REGION")).or_else(|| self.var("AWS_DEFAULT_REGION"));
        Named { region, has_profile: self.var("AWS_PROFILE").is_some() }
    }

    fn skips(&self) -> bool {
        self.var(SKIP_AUTH).as_deref() == Some("1")
    }

    fn bearer_token(&self) -> Option<String> {
        let given = self.option(|options| options.bearer_token.as_ref()).map(str::to_owned);
        given.or_else(|| self.var(BEARER)).filter(|_| !self.skips())
    }

    /// Gives a request its final address and what lets it in.
    pub(super) async fn authorize(
        &self,
        mut request: HttpRequest,
        model: &Model,
        cache: &KeyCache,
    ) -> Result<HttpRequest, Error> {
        let env = |name: &str| self.var(name);
        let id = endpoint::model_id(&request.url).unwrap_or_else(|| model.id.clone());
        let endpoint = Endpoint::of(&id, &model.base_url, self.named());
        let region = match &endpoint.region {
            Some(region) => region.clone(),
            None => {
                let found = profile_region(&self.lookup(&env, "")).await?;
                found.unwrap_or_else(|| endpoint.default_region())
            }
        };
        request.url = endpoint.url(&region, &id);
        self.clear_headers(&mut request);
        if let Some(token) = self.bearer_token() {
            request.headers.insert(AUTHORIZATION, bearer(&token)?);
            return Ok(request);
        }
        let keys = if self.skips() {
            Keys::new("dummy-access-key", "dummy-secret-key", None)
        } else {
            resolve(&self.lookup(&env, &region), cache).await?
        };
        sign(request, &keys, Scope { region: &region, service: SERVICE, now_ms: self.options.clock.now_ms() })
    }

    /// Removes what only the signature may set, and what the service's own clients do not send.
    fn clear_headers(&self, request: &mut HttpRequest) {
        let is_ours = |name: &&HeaderName| name.as_str().starts_with(AMAZON) || [AUTHORIZATION, HOST].contains(name);
        let ours: Vec<HeaderName> = request.headers.keys().filter(is_ours).cloned().collect();
        for name in ours {
            request.headers.remove(name);
        }
        if !self.options.headers.keys().any(|name| name.eq_ignore_ascii_case(ACCEPT.as_str())) {
            request.headers.remove(ACCEPT);
        }
    }

    fn lookup<'b>(&'b self, env: &'b (dyn Fn(&str) -> Option<String> + Send + Sync), region: &'b str) -> Lookup<'b> {
        let given = self.options.http.clone().or_else(|| self.proxied());
        let transport = given.map_or_else(default_transport, Ok);
        // A recorder is not the way: keys must not be written down.
        let transport = transport.map(|transport| transport.for_credentials().unwrap_or(transport));
        let profile = self.option(|options| options.profile.as_ref());
        Lookup { env, profile, region, now_ms: self.options.clock.now_ms(), transport }
    }

    /// A transport of its own for a call whose options name proxies.
    #[cfg(feature = "http")]
    pub(super) fn proxied(&self) -> Option<Arc<dyn HttpTransport>> {
        let names_one = |name: &String| PROXIES.contains(&name.to_ascii_lowercase().as_str());
        let own = self.options.http.is_none() && self.options.env.keys().any(names_one);
        own.then(|| Arc::new(crate::transport::ReqwestTransport::new(&|name| self.var(name))) as Arc<dyn HttpTransport>)
    }

    #[cfg(not(feature = "http"))]
    pub(super) fn proxied(&self) -> Option<Arc<dyn HttpTransport>> {
        None
    }
}

fn bearer(token: &str) -> Result<HeaderValue, Error> {
    let illegal = |_| {
        Error::Request(RequestError::InvalidHeader {
            name: AUTHORIZATION.as_str().to_owned(),
            detail: "the bearer token has an illegal character".to_owned(),
        })
    };
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.trim())).map_err(illegal)?;
    value.set_sensitive(true);
    Ok(value)
}
