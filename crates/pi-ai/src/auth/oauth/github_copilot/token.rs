//! The Copilot token, and the address at which it is good.

use super::domain::Domain;
use super::{GitHubCopilotOAuth, STATIC_HEADERS};
use crate::auth::oauth::credentials::OAuthCredentials;
use crate::auth::oauth::exchange::{failed, get, succeed, with_bearer, with_headers};
use crate::auth::oauth::provider::OAuthContext;
use crate::auth::oauth::token::missing;
use crate::error::Error;

/// A token counts as expired five minutes early.
const MARGIN_MS: i64 = 300_000;
/// Field of the token that names a host.
const PROXY_HOST: &str = "proxy-ep=";
const INDIVIDUAL_URL: &str = "https://api.individual.githubcopilot.com";

/// Exchanges a GitHub token for a Copilot token. The GitHub token is what renews the login.
///
/// # Errors
/// [`LoginError::Request`](crate::LoginError::Request), [`LoginError::Cancelled`](crate::LoginError::Cancelled).
pub(super) async fn exchange(
    provider: &GitHubCopilotOAuth,
    domain: &Domain,
    github_token: String,
    context: &OAuthContext,
) -> Result<OAuthCredentials, Error> {
    let url = format!("{}/copilot_internal/v2/token", domain.fill(&provider.api_url));
    let wording = |details: &str| format!("GitHub Copilot token request failed. url={url}; details={details}");
    let answer = async {
        let request = with_headers(with_bearer(get(&url), &github_token)?, STATIC_HEADERS);
        let reply = succeed(context, request, &[&github_token]).await?;
        let access = reply.text("token").ok_or_else(|| missing("token"))?.to_owned();
        let expires_at = reply.json.get("expires_at").and_then(serde_json::Value::as_f64);
        let expires_at = expires_at.ok_or_else(|| missing("expires_at"))?;
        let expires = ((expires_at * 1000.0) as i64).saturating_sub(MARGIN_MS);
        Ok(OAuthCredentials { access, expires, ..OAuthCredentials::default() })
    };
    let credentials = answer.await.map_err(|error| failed(error, wording))?;
    Ok(OAuthCredentials { refresh: github_token, ..credentials })
}

/// Where the account's models are served: at the host that the token names, at the enterprise's, or at everybody's.
pub(super) fn base_url(credentials: &OAuthCredentials) -> String {
    if let Some(host) = named_host(&credentials.access) {
        let api = host.strip_prefix("proxy.").map(|rest| format!("api.{rest}"));
        return format!("https://{}", api.as_deref().unwrap_or(host));
    }
    match Domain::from_credentials(credentials).enterprise() {
        Some(domain) => format!("https://copilot-api.{domain}"),
        None => INDIVIDUAL_URL.to_owned(),
    }
}

fn named_host(token: &str) -> Option<&str> {
    let (_, rest) = token.split_once(PROXY_HOST)?;
    let host = rest.split(';').next().unwrap_or(rest);
    // It becomes part of a URL that gets the token.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte);
    (!host.is_empty() && host.bytes().all(is_plain)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_names_its_host() {
        for (access, enterprise, expected) in [
            ("tid=1;proxy-ep=proxy.business.githubcopilot.com;exp=2", "", "https://api.business.githubcopilot.com"),
            ("proxy-ep=other.example", "company.ghe.com", "https://other.example"),
            ("tid=1", "company.ghe.com", "https://copilot-api.company.ghe.com"),
            ("tid=1;proxy-ep=;x", "https://company.ghe.com/", "https://copilot-api.company.ghe.com"),
            ("proxy-ep=evil.example/@x", "", INDIVIDUAL_URL),
            ("opaque", "", INDIVIDUAL_URL),
        ] {
            let extra = serde_json::Map::from_iter([("enterpriseUrl".to_owned(), enterprise.into())]);
            let credentials = OAuthCredentials { access: access.to_owned(), extra, ..OAuthCredentials::default() };
            assert_eq!(base_url(&credentials), expected, "{access}");
        }
    }
}
