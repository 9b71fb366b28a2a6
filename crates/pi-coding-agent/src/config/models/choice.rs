//! What programs may give where a model is asked for: the model, or its name.

use std::sync::Arc;

use pi_ai::Model;

use super::ModelRegistry;
use super::pattern::exact;
use crate::config::Error;

/// A model, or its name. Made by `into` from a [`Model`], a reference to one, an `Arc` of one, or a text.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelChoice {
    /// This one, known to the registry or not.
    Model(Arc<Model>),
    /// The one of this name: `provider/id`, or an id that only one provider has.
    Named(String),
}

impl ModelRegistry {
    /// The model that was chosen. A name is looked up among all models, whether they have a key or not.
    ///
    /// # Errors
    /// [`Error::ModelNotFound`].
    pub fn choose(&self, choice: impl Into<ModelChoice>) -> Result<Arc<Model>, Error> {
        let name = match choice.into() {
            ModelChoice::Model(model) => return Ok(model),
            ModelChoice::Named(name) => name,
        };
        // The usual spelling costs no look at the whole catalogue.
        let found = name.split_once('/').and_then(|(provider, id)| self.find(provider, id));
        found.or_else(|| exact(&name, &self.all())).ok_or(Error::ModelNotFound { model: name })
    }
}

impl From<Model> for ModelChoice {
    fn from(model: Model) -> Self {
        Self::Model(Arc::new(model))
    }
}

impl From<&Model> for ModelChoice {
    fn from(model: &Model) -> Self {
        Self::Model(model.into())
    }
}

impl From<Arc<Model>> for ModelChoice {
    fn from(model: Arc<Model>) -> Self {
        Self::Model(model)
    }
}

impl From<&Arc<Model>> for ModelChoice {
    fn from(model: &Arc<Model>) -> Self {
        Self::Model(Arc::clone(model))
    }
}

impl From<&str> for ModelChoice {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<String> for ModelChoice {
    fn from(name: String) -> Self {
        Self::Named(name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::config::auth_storage::AuthStorage;
    use crate::config::models::CatalogModels;
    use crate::host::env::Env;

    #[test]
    fn a_model_is_given_or_named() {
        let auth = AuthStorage::in_memory(Map::new(), Env::fixed([("HOME", "/nowhere")]), pi_ai::system_clock());
        let models = ModelRegistry::new(Arc::new(auth), Arc::new(CatalogModels), None);
        let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
        let own = Model { id: "own".to_owned(), ..(*model).clone() };
        let table: Vec<(ModelChoice, Option<&str>)> = vec![
            (own.clone().into(), Some("own")),
            ((&own).into(), Some("own")),
            ((&model).into(), Some("claude-sonnet-4-5")),
            (Arc::clone(&model).into(), Some("claude-sonnet-4-5")),
            ("anthropic/claude-sonnet-4-5".into(), Some("claude-sonnet-4-5")),
            ("Anthropic/Claude-Sonnet-4-5".to_owned().into(), Some("claude-sonnet-4-5")),
            // A slash of the id is not that behind the provider.
            ("openrouter/anthropic/claude-sonnet-4.5".into(), Some("anthropic/claude-sonnet-4.5")),
            ("sonnet".into(), None),
            ("".into(), None),
        ];
        for (choice, expected) in table {
            let chosen = models.choose(choice.clone());
            let id = chosen.as_ref().ok().map(|model| model.id.as_str());
            assert_eq!(id, expected, "{choice:?}");
            if let Err(error) = chosen {
                assert!(matches!(error, Error::ModelNotFound { .. }), "{error}");
            }
        }
    }
}
