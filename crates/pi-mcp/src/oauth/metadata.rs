//! What is known of an authorization server: what a document says that the entry names, else what is found by discovery.

use std::time::Duration;

use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, WWW_AUTHENTICATE};
use rmcp::transport::auth::{AuthorizationManager, AuthorizationMetadata, WWWAuthenticateParams};
use serde_json::json;
use url::Url;

use super::{CLIENT_NAME, sentence};
use crate::config::OAuthConfig;
use crate::error::with_causes;

/// How long a server may take to refuse somebody who is not logged in, or to hand over a document.
const ANSWER_TIME: Duration = Duration::from_secs(15);
/// Bytes of a document; real ones have a few thousand.
const MOST_BYTES: usize = 1 << 20;

/// An authorization server.
pub(super) struct Known {
    pub(super) metadata: AuthorizationMetadata,
    /// Whether somebody has published that; else it is where servers of 2025 have their logins.
    pub(super) is_published: bool,
    /// What the server wants permitted, where discovery does not keep that by itself.
    pub(super) scopes: Vec<String>,
}

impl Known {
    /// Before a login: what a server says to who is not logged in comes before what is found at places that everybody knows.
    ///
    /// # Errors
    /// What went wrong, as the end of a sentence.
    pub(super) async fn for_login(
        url: &str,
        config: &OAuthConfig,
        manager: &AuthorizationManager,
    ) -> Result<Self, String> {
        let challenge = challenge(url).await;
        if let Some(document) = &config.metadata_url {
            let metadata = fetch(document).await?;
            let wanted = challenge.as_deref().zip(Url::parse(url).ok());
            let wanted = wanted.and_then(|(header, url)| WWWAuthenticateParams::parse(header, &url).scope);
            let scopes = wanted.iter().flat_map(|scope| scope.split_whitespace().map(str::to_owned)).collect();
            return Ok(Self { metadata, is_published: true, scopes });
        }
        Self::discovered(manager, challenge.as_deref()).await
    }

    /// For a login that there is.
    ///
    /// # Errors
    /// What went wrong, as the end of a sentence.
    pub(super) async fn for_connection(
        url: &str,
        config: &OAuthConfig,
        manager: &AuthorizationManager,
    ) -> Result<Self, String> {
        if let Some(document) = &config.metadata_url {
            return Ok(Self { metadata: fetch(document).await?, is_published: true, scopes: Vec::new() });
        }
        let found = Self::discovered(manager, None).await?;
        if found.is_published {
            return Ok(found);
        }
        match challenge(url).await {
            Some(challenge) => Self::discovered(manager, Some(&challenge)).await,
            None => Ok(found),
        }
    }

    async fn discovered(manager: &AuthorizationManager, challenge: Option<&str>) -> Result<Self, String> {
        let found = manager.resolve_metadata_from_challenge(challenge).await.map_err(sentence)?;
        Ok(Self { metadata: found.metadata, is_published: found.source.is_discovered(), scopes: Vec::new() })
    }
}

fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(ANSWER_TIME).build()
}

/// The document at an address that the entry trusts: it may name any servers, but leads to no other address.
async fn fetch(url: &str) -> Result<AuthorizationMetadata, String> {
    let unreadable = |detail: String| {
        format!("authServerMetadataUrl of its entry, {url}, is no metadata of an authorization server: {detail}")
    };
    let send = async { client()?.get(url).header(ACCEPT, "application/json").send().await };
    let mut answer = send.await.map_err(|error| unreadable(with_causes(&error)))?;
    if answer.status() != StatusCode::OK {
        return Err(unreadable(format!("HTTP {}", answer.status().as_u16())));
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| unreadable(with_causes(&error)))? {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_BYTES {
            return Err(unreadable(format!("it has more than {MOST_BYTES} bytes")));
        }
    }
    serde_json::from_slice(&body).map_err(|error| unreadable(error.to_string()))
}

/// How a server refuses somebody who is not logged in: it may name there what a login has to permit, and where it is described.
async fn challenge(url: &str) -> Option<String> {
    let initialize = json!({
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": CLIENT_NAME, "version": env!("CARGO_PKG_VERSION")},
        },
    });
    let request = client().ok()?.post(url).header(ACCEPT, "application/json, text/event-stream");
    let answer = request.header(CONTENT_TYPE, "application/json").body(initialize.to_string()).send().await.ok()?;
    let header = answer.headers().get(WWW_AUTHENTICATE).filter(|_| answer.status() == StatusCode::UNAUTHORIZED)?;
    header.to_str().ok().map(str::to_owned)
}
