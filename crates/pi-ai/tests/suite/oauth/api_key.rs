//! From stored logins to keys.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::Arc;

use pi_ai::auth::oauth::{AnthropicOAuth, OAuthCredentials, OAuthRegistry, get_oauth_api_key};
use serde_json::json;

use crate::oauth::support::{AuthServer, NOW, context};

const TOKEN: &str = "/v1/oauth/token";

fn logins(expires: i64) -> BTreeMap<String, OAuthCredentials> {
    let login = OAuthCredentials { refresh: "r-secret-1".into(), access: "a".into(), expires, ..Default::default() };
    BTreeMap::from([("anthropic".to_owned(), login)])
}

#[tokio::test]
async fn a_key_is_renewed_when_it_has_expired() {
    let server = AuthServer::start().await;
    let registry = OAuthRegistry::default();
    registry.register(Arc::new(AnthropicOAuth::builder().token_url(server.url(TOKEN)).build()));
    let key = async |id: &str, expires| get_oauth_api_key(id, &logins(expires), &registry, &context()).await;
    assert_eq!(key("nobody", NOW).await.unwrap_err().to_string(), "Unknown OAuth provider: nobody");
    assert!(key("openai-codex", NOW).await.unwrap().is_none());
    assert_eq!(key("anthropic", NOW + 1).await.unwrap().unwrap().api_key, "a");
    assert!(server.requests().is_empty());
    server.answer(TOKEN, 200, json!({"access_token": "b", "refresh_token": "r-secret-2", "expires_in": 600}));
    let renewed = key("anthropic", NOW).await.unwrap().unwrap();
    assert_eq!((renewed.api_key.as_str(), renewed.new_credentials.refresh.as_str()), ("b", "r-secret-2"));
    assert_eq!(renewed.new_credentials.expires, NOW + 300_000);
    let error = key("anthropic", NOW).await.unwrap_err();
    assert_eq!(error.to_string(), "Failed to refresh OAuth token for anthropic");
    assert!(error.source().unwrap().to_string().contains("HTTP 400: invalid_grant"), "{error:?}");
    assert!(error.is_auth() && !error.is_retryable());
    server.answer(TOKEN, 503, json!({"error": "overloaded"}));
    let error = key("anthropic", NOW).await.unwrap_err();
    assert!(error.is_retryable() && !error.is_auth(), "{error:?}");
}
