//! A GitHub token by way of a device login.

use std::time::Duration;

use url::Url;

use super::domain::Domain;
use super::{GitHubCopilotOAuth, USER_AGENT};
use crate::auth::oauth::callbacks::{DeviceCode, OAuthCallbacks};
use crate::auth::oauth::device::{DevicePolling, Poll};
use crate::auth::oauth::exchange::{failed, post_form, send, succeed, with_headers};
use crate::auth::oauth::provider::OAuthContext;
use crate::auth::oauth::token::missing;
use crate::error::{Error, LoginError};
use crate::transport::HttpRequest;

const CLIENT_ID: &str = "Iv1.b507a08c87ecfe98";
const SCOPE: &str = "read:user";
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A login that waits for its user. Not `Debug`: the device code is a secret.
struct Started {
    device_code: String,
    user_code: String,
    verification_uri: String,
    interval: Option<Duration>,
    expires_in: Option<Duration>,
}

/// Shows the user a code and waits until it has been typed in.
pub(super) async fn github_token(
    provider: &GitHubCopilotOAuth,
    domain: &Domain,
    callbacks: &dyn OAuthCallbacks,
    context: &OAuthContext,
) -> Result<String, Error> {
    let base = domain.fill(&provider.github_url);
    let started = start(&base, context).await?;
    callbacks.on_device_code(DeviceCode {
        user_code: started.user_code.clone(),
        verification_uri: started.verification_uri.clone(),
        interval: started.interval,
        expires_in: started.expires_in,
    });
    let polling = DevicePolling { interval: started.interval, lifetime: started.expires_in, pause_first: false };
    polling.run(context, || ask(&base, context, &started.device_code)).await
}

async fn start(base: &str, context: &OAuthContext) -> Result<Started, Error> {
    let request = form(&format!("{base}/login/device/code"), &[("client_id", CLIENT_ID), ("scope", SCOPE)]);
    let wording = |details: &str| format!("GitHub device code request failed. details={details}");
    let reply = succeed(context, request, &[]).await.map_err(|error| failed(error, wording))?;
    let text = |name: &str| reply.text(name).map(str::to_owned).ok_or_else(|| failed(missing(name), wording));
    let started = Started {
        device_code: text("device_code")?,
        user_code: text("user_code")?,
        verification_uri: text("verification_uri")?,
        interval: reply.seconds("interval"),
        expires_in: reply.seconds("expires_in"),
    };
    // It is handed to the system to be opened.
    match Url::parse(&started.verification_uri) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(started),
        _ => Err(Error::Login(LoginError::UntrustedUri)),
    }
}

async fn ask(base: &str, context: &OAuthContext, device_code: &str) -> Result<Poll<String>, Error> {
    let fields = [("client_id", CLIENT_ID), ("device_code", device_code), ("grant_type", GRANT_TYPE)];
    let reply = send(context, form(&format!("{base}/login/oauth/access_token"), &fields)).await?;
    if let Some(token) = reply.text("access_token") {
        return Ok(Poll::Granted(token.to_owned()));
    }
    match reply.error_code() {
        Some("authorization_pending") => Ok(Poll::Pending),
        Some("slow_down") => Ok(Poll::SlowDown),
        code => Err(reply.device_failure(code, &[device_code])),
    }
}

fn form(url: &str, fields: &[(&str, &str)]) -> HttpRequest {
    with_headers(post_form(url, fields), &[USER_AGENT])
}
