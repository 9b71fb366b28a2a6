//! A code by way of another device: the user types a short one in at the provider's page.
//!
//! Wire facts: statuses 403 and 404 mean that the user has not confirmed; the answer then holds the verifier, too.

use std::time::Duration;

use serde_json::json;

use super::{CLIENT_ID, Code, OpenAiCodexOAuth};
use crate::auth::oauth::callbacks::{DeviceCode, OAuthCallbacks};
use crate::auth::oauth::device::{DevicePolling, Poll};
use crate::auth::oauth::exchange::{Reply, failed, post_json, send, succeed};
use crate::auth::oauth::provider::OAuthContext;
use crate::auth::oauth::token::missing;
use crate::error::Error;

const LIFETIME: Duration = Duration::from_secs(900);
const PENDING: &str = "deviceauth_authorization_pending";
const SLOW_DOWN: &str = "slow_down";

/// A login that waits for its user. Not `Debug`: the id is a secret.
struct Started {
    id: String,
    user_code: String,
    interval: Option<Duration>,
}

/// Shows the user a code and waits until it has been typed in.
pub(super) async fn code(
    provider: &OpenAiCodexOAuth,
    callbacks: &dyn OAuthCallbacks,
    context: &OAuthContext,
) -> Result<Code, Error> {
    let wording = |details: &str| format!("OpenAI Codex device code request failed. details={details}");
    let started = start(provider, context).await.map_err(|error| failed(error, wording))?;
    callbacks.on_device_code(DeviceCode {
        user_code: started.user_code.clone(),
        verification_uri: provider.url("/codex/device"),
        interval: started.interval,
        expires_in: Some(LIFETIME),
    });
    let polling = DevicePolling { interval: started.interval, lifetime: Some(LIFETIME), pause_first: false };
    polling.run(context, || ask(provider, context, &started)).await
}

async fn start(provider: &OpenAiCodexOAuth, context: &OAuthContext) -> Result<Started, Error> {
    let url = provider.url("/api/accounts/deviceauth/usercode");
    let reply = succeed(context, post_json(&url, &json!({"client_id": CLIENT_ID})), &[]).await?;
    let text = |name: &str| reply.text(name).map(str::to_owned).ok_or_else(|| missing(name));
    Ok(Started { id: text("device_auth_id")?, user_code: text("user_code")?, interval: reply.seconds("interval") })
}

async fn ask(provider: &OpenAiCodexOAuth, context: &OAuthContext, started: &Started) -> Result<Poll<Code>, Error> {
    let body = json!({"device_auth_id": started.id, "user_code": started.user_code});
    let reply = send(context, post_json(&provider.url("/api/accounts/deviceauth/token"), &body)).await?;
    if !reply.is_success() {
        return refusal(&reply, started);
    }
    let text = |name: &str| reply.text(name).map(str::to_owned).ok_or_else(|| missing(name));
    let (code, verifier) = (text("authorization_code")?, text("code_verifier")?);
    Ok(Poll::Granted(Code { code, verifier, redirect_uri: provider.url("/deviceauth/callback") }))
}

fn refusal<T>(reply: &Reply, started: &Started) -> Result<Poll<T>, Error> {
    match (reply.error_code(), reply.status) {
        (Some(SLOW_DOWN), _) => Ok(Poll::SlowDown),
        (Some(PENDING), _) | (_, 403 | 404) => Ok(Poll::Pending),
        (code, _) => Err(reply.device_failure(code, &[&started.id])),
    }
}
