//! What can be logged in to: providers with a login, and providers with an API key.

use pi_ai::provider_behind;

use super::Failure;
use crate::cli::grammar::suggest::nearest;
use crate::cli::startup::Foundation;
use crate::cli::startup::scope::model_of_new_session;
use crate::common::credentials;

/// Whether users can log in to it.
pub(super) fn has_login(provider: &str, foundation: &Foundation) -> bool {
    credentials::has_login(provider, foundation.models())
}

/// Whether it takes an API key.
pub(super) fn has_key(provider: &str, foundation: &Foundation) -> bool {
    credentials::has_key(provider, foundation.models())
}

/// The provider that was meant, by its exact id in small letters. Extensions may bring some, and are loaded only for a name
/// that is not known without them.
///
/// # Errors
/// A sentence, with the nearest name that there is.
pub(super) async fn find(name: &str, foundation: &mut Foundation) -> Result<String, Failure> {
    let name = name.trim().to_lowercase();
    let name = foundation.models().provider_named(&name).filter(|_| provider_behind(&name).is_some()).unwrap_or(name);
    if is_known(&name, foundation) {
        return Ok(name);
    }
    foundation.load_extensions().await;
    if is_known(&name, foundation) {
        return Ok(name);
    }
    let known = credentials::all_providers(foundation.models());
    let hint = match (alias(&name), nearest(&name, known.iter().map(String::as_str))) {
        (Some(meant), _) | (None, Some(meant)) => format!("did you mean {meant}?"),
        (None, None) => "pi models --all lists all providers; your own go into models.json".to_owned(),
    };
    Err(Failure::Said(format!("there is no provider \"{name}\": {hint}")))
}

/// Names under which people know a provider.
fn alias(name: &str) -> Option<&'static str> {
    match name {
        "claude" | "claude-code" => Some("anthropic"),
        "chatgpt" | "codex" => Some("openai-codex"),
        "copilot" | "github" => Some("github-copilot"),
        "gemini" => Some("google"),
        "bedrock" | "aws" => Some("amazon-bedrock"),
        "vertex" => Some("google-vertex"),
        "grok" => Some("xai"),
        "kimi" | "kimi-code" => Some("kimi-coding"),
        "moonshot" => Some("moonshotai"),
        _ => None,
    }
}

fn is_known(name: &str, foundation: &Foundation) -> bool {
    has_login(name, foundation) || foundation.models().providers().iter().any(|known| known == name)
}

/// The provider of the model that a new session here would start with.
pub(super) fn of_default_model(foundation: &Foundation) -> Option<String> {
    let model = model_of_new_session(foundation.settings(), foundation.models());
    model.map(|model| model.provider.clone())
}

/// Where the key of a provider comes from when nothing is stored for it.
pub(super) fn other_source(provider: &str, foundation: &Foundation) -> Option<String> {
    credentials::other_source(provider, foundation.models())
}

/// What is said where nothing is stored for a provider.
pub(super) fn nothing_stored(provider: &str, stored: &[String], foundation: &Foundation) -> String {
    let meant = nearest(provider, stored.iter().map(String::as_str));
    let hint = match (meant, other_source(provider, foundation), stored) {
        (Some(meant), ..) => format!("did you mean {meant}?"),
        (None, Some(source), _) => format!("{source}, which pi auth logout does not change"),
        (None, None, []) => "no provider has anything stored".to_owned(),
        (None, None, stored) => format!("stored are {}", stored.join(", ")),
    };
    format!("nothing is stored for \"{provider}\": {hint}")
}

/// How a provider without a key gets one.
pub(super) fn way_out(provider: &str, foundation: &Foundation) -> String {
    let login = format!("pi auth login {provider}");
    match credentials::variable(provider).filter(|_| has_key(provider, foundation)) {
        Some(variable) => format!("{login}, or set {variable}"),
        None => login,
    }
}
