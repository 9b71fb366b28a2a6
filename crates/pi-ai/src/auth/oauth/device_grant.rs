//! A login by device code as RFC 8628 has it, for services that add nothing of their own: a code is asked for, the user
//! confirms it on a page, and one token endpoint serves polls and renewals.

use url::Url;

use super::callbacks::{DeviceCode, OAuthCallbacks};
use super::credentials::OAuthCredentials;
use super::device::{DevicePolling, Poll};
use super::exchange::{failed, post_form, send, succeed};
use super::provider::OAuthContext;
use super::token::{TokenReply, missing};
use crate::error::{Error, LoginError};

const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A service, as its flow needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeviceGrant<'a> {
    /// How errors name it.
    pub(super) name: &'a str,
    pub(super) client_id: &'a str,
    /// Gives out codes.
    pub(super) device_url: &'a str,
    /// Answers polls, and renews.
    pub(super) token_url: &'a str,
    /// What the first request says besides the client.
    pub(super) fields: &'a [(&'a str, &'a str)],
    /// Tokens count as expired so much earlier, in milliseconds.
    pub(super) margin_ms: i64,
}

impl DeviceGrant<'_> {
    /// Shows the user a code and waits until it is confirmed.
    pub(super) async fn log_in(
        self,
        callbacks: &dyn OAuthCallbacks,
        context: &OAuthContext,
    ) -> Result<OAuthCredentials, Error> {
        let (device_code, shown) = self.start(context).await?;
        let (interval, lifetime) = (shown.interval, shown.expires_in);
        callbacks.on_device_code(shown);
        // Nobody confirms a code within no time, and these servers count the first question.
        let polling = DevicePolling { interval, lifetime, pause_first: true };
        polling.run(context, || self.ask(context, &device_code)).await
    }

    async fn start(self, context: &OAuthContext) -> Result<(String, DeviceCode), Error> {
        let wording = |details: &str| format!("{} device code request failed. details={details}", self.name);
        let fields = [&[("client_id", self.client_id)], self.fields].concat();
        let reply = succeed(context, post_form(self.device_url, &fields), &[]).await;
        let reply = reply.map_err(|error| failed(error, wording))?;
        let text = |name: &str| reply.text(name).map(str::to_owned).ok_or_else(|| failed(missing(name), wording));
        // With the code in it, where there is such an address: the user need not type.
        let verification_uri = text("verification_uri_complete").or_else(|_| text("verification_uri"))?;
        // It is handed to the system to be opened.
        if Url::parse(&verification_uri).ok().is_none_or(|url| url.scheme() != "https") {
            return Err(Error::Login(LoginError::UntrustedUri));
        }
        let shown = DeviceCode {
            user_code: text("user_code")?,
            verification_uri,
            interval: reply.seconds("interval"),
            expires_in: reply.seconds("expires_in"),
        };
        Ok((text("device_code")?, shown))
    }

    async fn ask(self, context: &OAuthContext, device_code: &str) -> Result<Poll<OAuthCredentials>, Error> {
        let fields = [("client_id", self.client_id), ("device_code", device_code), ("grant_type", GRANT_TYPE)];
        let reply = send(context, post_form(self.token_url, &fields)).await?;
        if reply.is_success() && reply.text("access_token").is_some() {
            let token = TokenReply { reply: &reply, context, margin_ms: self.margin_ms };
            return token.credentials(None).map(Poll::Granted);
        }
        match reply.error_code() {
            Some("authorization_pending") => Ok(Poll::Pending),
            Some("slow_down") => Ok(Poll::SlowDown),
            code => Err(reply.device_failure(code, &[device_code])),
        }
    }

    /// Continues a login.
    pub(super) async fn renew(self, old: &OAuthCredentials, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let wording = |details: &str| {
            format!("{} token refresh request failed. url={}; details={details}", self.name, self.token_url)
        };
        let fields = [("grant_type", "refresh_token"), ("client_id", self.client_id), ("refresh_token", &*old.refresh)];
        let answer = async {
            let reply = succeed(context, post_form(self.token_url, &fields), &[&old.refresh, &old.access]).await?;
            TokenReply { reply: &reply, context, margin_ms: self.margin_ms }.credentials(Some(old))
        };
        answer.await.map_err(|error| failed(error, wording))
    }
}
