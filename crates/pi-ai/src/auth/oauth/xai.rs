//! xAI with a subscription of Grok or X: a device code.
//!
//! Wire facts: tokens count as expired five minutes early; a renewal may leave out the refresh token, which then stands.

use futures::future::{BoxFuture, FutureExt};
use typed_builder::TypedBuilder;

use super::callbacks::OAuthCallbacks;
use super::credentials::OAuthCredentials;
use super::device_grant::DeviceGrant;
use super::provider::{OAuthContext, OAuthProvider};
use crate::error::Error;

const CLIENT_ID: &str = "b1a00492-073a-47ea-816f-4c329264a828";
const DEVICE_URL: &str = "https://auth.x.ai/oauth2/device/code";
const TOKEN_URL: &str = "https://auth.x.ai/oauth2/token";
const FIELDS: &[(&str, &str)] =
    &[("scope", "openid profile email offline_access grok-cli:access api:access"), ("referrer", "pi")];
const MARGIN_MS: i64 = 300_000;

/// The login of Grok and X subscribers. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct XaiOAuth {
    /// Gives out codes.
    #[builder(default = DEVICE_URL.to_owned())]
    pub device_url: String,
    /// Where confirmed codes and refresh tokens become access tokens.
    #[builder(default = TOKEN_URL.to_owned())]
    pub token_url: String,
}

impl Default for XaiOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl XaiOAuth {
    fn grant(&self) -> DeviceGrant<'_> {
        DeviceGrant {
            name: "xAI",
            client_id: CLIENT_ID,
            device_url: &self.device_url,
            token_url: &self.token_url,
            fields: FIELDS,
            margin_ms: MARGIN_MS,
        }
    }
}

impl OAuthProvider for XaiOAuth {
    fn id(&self) -> &str {
        "xai"
    }

    fn name(&self) -> &str {
        "xAI (Grok/X subscription)"
    }

    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.grant().log_in(callbacks, context).boxed()
    }

    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.grant().renew(credentials, context).boxed()
    }
}
