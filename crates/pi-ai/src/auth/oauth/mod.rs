//! Logins with a subscription: Claude Pro and Max, ChatGPT Plus and Pro, GitHub Copilot, Kimi Code, OpenRouter, xAI, and
//! what third parties add.
//!
//! An [`OAuthProvider`] turns a conversation with the user ([`OAuthCallbacks`]) into [`OAuthCredentials`], renews them,
//! and says which key requests use. It keeps nothing: whoever calls it stores the credentials. Network, time and chance
//! come from an [`OAuthContext`]. No token, code or verifier is in any error text or `Debug` output.
//!
//! ```no_run
//! use std::collections::BTreeMap;
//! use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthRegistry, get_oauth_api_key};
//!
//! # async fn example(terminal: &dyn OAuthCallbacks) -> Result<(), pi_ai::Error> {
//! let (registry, context) = (OAuthRegistry::default(), OAuthContext::default());
//! let mut logins = BTreeMap::new();
//! if let Some(provider) = registry.get("anthropic") {
//!     logins.insert("anthropic".to_owned(), provider.login(terminal, &context).await?);
//! }
//! // Before each request:
//! if let Some(key) = get_oauth_api_key("anthropic", &logins, &registry, &context).await? {
//!     logins.insert("anthropic".to_owned(), key.new_credentials);
//!     // … and `key.api_key` goes into `StreamOptions::api_key`.
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Layout
//! `credentials`, `callbacks`, `provider`, `registry`, `api_key`: the interface. `anthropic`, `openai_codex`,
//! `github_copilot`, `kimi_coding`, `openrouter`, `xai`: one flow each. `code_flow` with `callback_server`, `callback_page` and `pasted_code`: logins by way
//! of the browser. `device`, `device_grant`: logins by way of another device. `exchange`, `token`: requests and their answers. `pkce`,
//! `secure_random`: what must not be guessed.

mod anthropic;
mod api_key;
mod callback_page;
mod callback_server;
mod callbacks;
mod code_flow;
mod credentials;
mod device;
mod device_grant;
mod exchange;
mod github_copilot;
mod kimi_coding;
mod openai_codex;
mod openrouter;
mod pasted_code;
mod pkce;
mod provider;
mod registry;
mod secure_random;
mod token;
mod xai;

pub use anthropic::AnthropicOAuth;
pub use api_key::{OAuthApiKey, get_oauth_api_key};
pub use callbacks::{AuthPage, DeviceCode, OAuthCallbacks, SelectOption, SelectPrompt, TextPrompt};
pub use credentials::OAuthCredentials;
pub use github_copilot::GitHubCopilotOAuth;
pub use kimi_coding::KimiCodingOAuth;
pub use openai_codex::OpenAiCodexOAuth;
pub use openrouter::OpenRouterOAuth;
pub use provider::{OAuthContext, OAuthProvider};
pub use registry::OAuthRegistry;
pub use secure_random::{SecureRandom, SystemSecureRandom};
pub use xai::XaiOAuth;
