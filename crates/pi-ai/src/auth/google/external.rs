//! Workload identity federation: the token of another identity provider is exchanged for one of Google (RFC 8693).
//!
//! That token comes out of a file or from a URL, as the credentials say. Sources that run programs or sign for Amazon are
//! not supported.

use std::path::PathBuf;

use serde_json::Value;

use crate::error::Error;

use super::client::{Ask, Client};
use super::source::{self, ExternalAccount};
use super::{AccessToken, SCOPE, token};

const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// Fetches a token.
pub(super) async fn fetch(account: &ExternalAccount, client: &Client<'_>) -> Result<AccessToken, Error> {
    let subject = subject_token(&account.credential_source, client).await?;
    let fields = [
        ("grant_type", TOKEN_EXCHANGE),
        ("audience", &account.audience),
        ("scope", SCOPE),
        ("requested_token_type", ACCESS_TOKEN),
        ("subject_token_type", &account.subject_token_type),
        ("subject_token", &subject),
    ];
    let access = token::read(&client.ask_json(Ask::form(&account.token_url, &fields)).await?, client)?;
    match &account.service_account_impersonation_url {
        Some(url) => token::impersonate(url, &[], &access, client).await,
        None => Ok(access),
    }
}

/// The token of the other identity provider.
async fn subject_token(source: &Value, client: &Client<'_>) -> Result<String, Error> {
    let text = match (source["file"].as_str(), source["url"].as_str()) {
        (Some(path), _) => source::read(PathBuf::from(path)).await.map_err(|error| {
            client.refused(format!("the file {path} that holds the token of the external account: {error}"))
        })?,
        (None, Some(url)) => {
            let headers = source["headers"].as_object().into_iter().flatten();
            let headers = headers.filter_map(|(name, value)| Some((name, value.as_str()?)));
            client.ask(headers.fold(Ask::get(url), |ask, (name, value)| ask.with_header(name, value))).await?
        }
        (None, None) => {
            return Err(client.refused("external accounts are supported with a token from a file or a URL only"));
        }
    };
    let format = &source["format"];
    if format["type"] != "json" {
        return Ok(text.trim().to_owned());
    }
    let field = format["subject_token_field_name"].as_str().unwrap_or("");
    let answer: Option<Value> = serde_json::from_str(&text).ok();
    let token = answer.as_ref().and_then(|answer| answer[field].as_str());
    token.map(str::to_owned).ok_or_else(|| {
        client.refused(format!("the token of the external account is not JSON with the field \"{field}\""))
    })
}
