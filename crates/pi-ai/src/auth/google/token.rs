//! Tokens out of the answers of Google's servers.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::error::Error;

use super::client::{Ask, Client};
use super::{AccessToken, SCOPE};

/// Life of the token of an impersonated account.
const LIFETIME: &str = "3600s";

/// Exchanges a token for that of a service account.
pub(super) async fn impersonate(
    url: &str,
    delegates: &[String],
    token: &AccessToken,
    client: &Client<'_>,
) -> Result<AccessToken, Error> {
    let body = json!({"scope": [SCOPE], "lifetime": LIFETIME, "delegates": delegates});
    let answer = client.ask_json(Ask::json(url, &body, &token.value)).await?;
    let value = answer["accessToken"].as_str().ok_or_else(|| client.refused(format!("{url} sent no token")))?;
    let now = client.options.clock.now_ms();
    let expires = answer["expireTime"].as_str().and_then(|time| OffsetDateTime::parse(time, &Rfc3339).ok());
    let lifetime = expires.map_or(0, |time| time.unix_timestamp() - now / 1000);
    Ok(AccessToken::new(value.to_owned(), lifetime, now))
}

/// The token in the answer of an OAuth server.
pub(super) fn read(answer: &Value, client: &Client<'_>) -> Result<AccessToken, Error> {
    let token = answer["access_token"].as_str().filter(|token| !token.is_empty());
    let token = token.ok_or_else(|| client.refused("the token server sent no token"))?;
    let lifetime = answer["expires_in"].as_i64().unwrap_or(0);
    Ok(AccessToken::new(token.to_owned(), lifetime, client.options.clock.now_ms()))
}
