//! Kimi Code with a subscription: a device code.
//!
//! Wire facts: requests carry the token as a bearer token also over `anthropic-messages`, where API keys have a header of
//! their own.

use std::collections::BTreeMap;

use futures::future::{BoxFuture, FutureExt};
use typed_builder::TypedBuilder;

use super::callbacks::OAuthCallbacks;
use super::credentials::OAuthCredentials;
use super::device_grant::DeviceGrant;
use super::provider::{OAuthContext, OAuthProvider};
use crate::error::Error;

const CLIENT_ID: &str = "17e5f671-d194-4dfb-9706-5516cb48c098";
const DEVICE_URL: &str = "https://auth.kimi.com/api/oauth/device_authorization";
const TOKEN_URL: &str = "https://auth.kimi.com/api/oauth/token";

/// The login of Kimi Code subscribers. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct KimiCodingOAuth {
    /// Gives out codes.
    #[builder(default = DEVICE_URL.to_owned())]
    pub device_url: String,
    /// Where confirmed codes and refresh tokens become access tokens.
    #[builder(default = TOKEN_URL.to_owned())]
    pub token_url: String,
}

impl Default for KimiCodingOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl KimiCodingOAuth {
    fn grant(&self) -> DeviceGrant<'_> {
        DeviceGrant {
            name: "Kimi Code",
            client_id: CLIENT_ID,
            device_url: &self.device_url,
            token_url: &self.token_url,
            fields: &[],
            margin_ms: 0,
        }
    }
}

impl OAuthProvider for KimiCodingOAuth {
    fn id(&self) -> &str {
        "kimi-coding"
    }

    fn name(&self) -> &str {
        "Kimi Code (subscription)"
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

    fn headers(&self, credentials: &OAuthCredentials) -> BTreeMap<String, String> {
        BTreeMap::from([("Authorization".to_owned(), format!("Bearer {}", credentials.access))])
    }
}
