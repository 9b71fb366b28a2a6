//! What can be signed in to, what takes an API key, and which texts are keys.

use pi_ai::auth::env::env_key_names;
use pi_coding_agent::auth_storage::AuthSource;
use pi_coding_agent::models::ModelRegistry;

/// Why a text is no API key. The text itself is in no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoKey {
    /// There is nothing in it.
    #[error("this is no API key: it is empty. Nothing was stored")]
    Empty,
    /// It is several words.
    #[error("this is no API key: it has blanks in it. Nothing was stored")]
    Blanks,
    /// It cannot be a header.
    #[error("this is no API key: it has control characters in it. Nothing was stored")]
    Controls,
}

/// A key as it is stored.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn checked_key(text: &str) -> Result<String, NoKey> {
    match text.trim() {
        "" => Err(NoKey::Empty),
        key if key.contains(char::is_whitespace) => Err(NoKey::Blanks),
        key if key.chars().any(char::is_control) => Err(NoKey::Controls),
        // The file knows commands and variables; a key is neither.
        key => {
            let key = key.replace('$', "$$");
            Ok(key.strip_prefix('!').map_or_else(|| key.clone(), |rest| format!("$!{rest}")))
        }
    }
}

/// Whether users can sign in to a provider.
pub(crate) fn has_login(provider: &str, models: &ModelRegistry) -> bool {
    models.auth().oauth_providers().get(provider).is_some()
}

/// Whether a provider takes an API key: it has a variable for one, or models of the user's own.
pub(crate) fn has_key(provider: &str, models: &ModelRegistry) -> bool {
    // Copilot's variable holds the token of a login.
    let is_login_only = matches!(provider, "github-copilot" | "openai-codex");
    let is_ambient = provider == "amazon-bedrock";
    !is_login_only && !is_ambient && models.providers().iter().any(|name| name == provider)
}

/// The ids of all providers.
pub(crate) fn all_providers(models: &ModelRegistry) -> Vec<String> {
    let mut names = models.providers();
    for login in models.auth().oauth_providers().list() {
        if !names.iter().any(|name| name == login.id()) {
            names.push(login.id().to_owned());
        }
    }
    names
}

/// Where the key of a provider comes from when nothing is stored for it.
pub(crate) fn other_source(provider: &str, models: &ModelRegistry) -> Option<String> {
    match models.auth().env_variable(provider) {
        Some(name) => Some(format!("{name} is set in the environment")),
        None if models.key_in_file(provider).is_some() => Some("models.json has one".to_owned()),
        None => None,
    }
}

/// What a provider has, in a few words; empty when it has nothing.
pub(crate) fn state(provider: &str, models: &ModelRegistry) -> String {
    match models.auth().auth_status(provider).source {
        Some(AuthSource::Stored) if models.auth().is_oauth(provider) => "signed in".to_owned(),
        Some(AuthSource::Stored) => "key stored".to_owned(),
        Some(AuthSource::Runtime) => "key of this run".to_owned(),
        Some(AuthSource::Environment(name)) => format!("environment: {name}"),
        None if models.key_in_file(provider).is_some() => "models.json".to_owned(),
        None => String::new(),
    }
}

/// The variable that a key of a provider may be in.
pub(crate) fn variable(provider: &str) -> Option<&'static str> {
    env_key_names(provider).last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stored_so_that_they_come_back_as_they_are() {
        for (typed, stored) in [(" sk-1\n", "sk-1"), ("a$b", "a$$b"), ("!x$", "$!x$$")] {
            assert_eq!(checked_key(typed), Ok(stored.to_owned()));
        }
        for (typed, reason) in [("\n", "empty"), ("a b", "blanks"), ("a\u{1}b", "control")] {
            let message = checked_key(typed).map_err(|error| error.to_string()).unwrap_err();
            assert!(message.contains(reason) && !message.contains(typed), "{message}");
        }
    }
}
