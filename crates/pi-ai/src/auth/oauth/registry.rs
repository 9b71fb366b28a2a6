//! The providers that users can log in to, built-in ones and those of third parties.

use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use pi_guard::Unpoisoned;

use super::anthropic::AnthropicOAuth;
use super::github_copilot::GitHubCopilotOAuth;
use super::kimi_coding::KimiCodingOAuth;
use super::openai_codex::OpenAiCodexOAuth;
use super::openrouter::OpenRouterOAuth;
use super::provider::OAuthProvider;
use super::xai::XaiOAuth;

type Providers = Vec<Arc<dyn OAuthProvider>>;

/// Finds providers by id. Shared; all methods take `&self`.
#[derive(Debug)]
pub struct OAuthRegistry {
    providers: RwLock<Providers>,
}

impl Default for OAuthRegistry {
    /// The built-in providers.
    fn default() -> Self {
        Self { providers: RwLock::new(builtin()) }
    }
}

fn builtin() -> Providers {
    vec![
        Arc::new(AnthropicOAuth::default()),
        Arc::new(GitHubCopilotOAuth::default()),
        Arc::new(OpenAiCodexOAuth::default()),
        Arc::new(KimiCodingOAuth::default()),
        Arc::new(OpenRouterOAuth::default()),
        Arc::new(XaiOAuth::default()),
    ]
}

impl OAuthRegistry {
    /// The provider with this id.
    pub fn get(&self, id: &str) -> Option<Arc<dyn OAuthProvider>> {
        self.read().iter().find(|provider| provider.id() == id).cloned()
    }

    /// Adds a provider, or replaces the one with the same id.
    pub fn register(&self, provider: Arc<dyn OAuthProvider>) {
        let mut providers = self.write();
        match providers.iter_mut().find(|known| known.id() == provider.id()) {
            Some(known) => *known = provider,
            None => providers.push(provider),
        }
    }

    /// Removes a provider. A built-in one comes back as it was.
    pub fn unregister(&self, id: &str) {
        match builtin().into_iter().find(|provider| provider.id() == id) {
            Some(original) => self.register(original),
            None => self.write().retain(|provider| provider.id() != id),
        }
    }

    /// Back to the built-in providers.
    pub fn reset(&self) {
        *self.write() = builtin();
    }

    /// All providers: the built-in ones, then others in the order in which they came.
    pub fn list(&self) -> Vec<Arc<dyn OAuthProvider>> {
        self.read().clone()
    }

    /// A poisoned lock only means that a caller panicked; the list is still consistent.
    fn read(&self) -> RwLockReadGuard<'_, Providers> {
        self.providers.read().unpoisoned()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Providers> {
        self.providers.write().unpoisoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(registry: &OAuthRegistry) -> Vec<String> {
        registry.list().iter().map(|provider| format!("{}: {}", provider.id(), provider.name())).collect()
    }

    #[test]
    fn unregistering_a_built_in_provider_restores_it() {
        let registry = OAuthRegistry::default();
        insta::assert_snapshot!(names(&registry).join("\n"), @r"
        anthropic: Anthropic (Claude Pro/Max)
        github-copilot: GitHub Copilot
        openai-codex: ChatGPT Plus/Pro (Codex Subscription)
        kimi-coding: Kimi Code (subscription)
        openrouter: OpenRouter
        xai: xAI (Grok/X subscription)
        ");
        let other = AnthropicOAuth::builder().token_url("https://other.example").build();
        registry.register(Arc::new(other));
        let is_other = |registry: &OAuthRegistry| format!("{:?}", registry.get("anthropic")).contains("other.example");
        assert!(is_other(&registry) && names(&registry).len() == 6);
        registry.unregister("anthropic");
        assert!(!is_other(&registry) && registry.get("anthropic").is_some());
        registry.unregister("nobody");
        assert!(registry.get("nobody").is_none());
        registry.register(Arc::new(AnthropicOAuth::builder().token_url("https://other.example").build()));
        registry.reset();
        assert!(!is_other(&registry));
    }
}
