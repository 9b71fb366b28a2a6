//! How a scripted provider presents itself and how fast it speaks.

use std::ops::RangeInclusive;
use std::sync::Arc;

use typed_builder::TypedBuilder;

use crate::model::{InputKind, Model};
use crate::random::{Random, SeededRandom};

/// Options of a scripted provider.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct ScriptedOptions {
    /// Name under which it is registered. Providers that share a registry need different ones.
    #[builder(default = "faux".to_owned())]
    pub api: String,
    /// Provider id of its models.
    #[builder(default = "faux".to_owned())]
    pub provider: String,
    /// Its models; `api` and `provider` are filled in. At least one: the default model takes the place of none.
    #[builder(default = vec![model("faux-1")])]
    pub models: Vec<Model>,
    /// Speed in tokens of four characters; `None` never waits and lets other tasks run after every chunk.
    pub tokens_per_second: Option<f64>,
    /// Smallest and largest chunk in tokens of four characters.
    #[builder(default = 3..=5)]
    pub token_size: RangeInclusive<u32>,
    /// Draws the chunk sizes.
    #[builder(default = Arc::new(SeededRandom::new(0)))]
    pub random: Arc<dyn Random>,
}

impl Default for ScriptedOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

/// A model for [`ScriptedOptions::models`]: text and images, no thinking, free of charge.
pub fn model(id: &str) -> Model {
    Model {
        id: id.to_owned(),
        name: if id == "faux-1" { "Faux Model".to_owned() } else { id.to_owned() },
        base_url: "http://localhost:0".to_owned(),
        input: vec![InputKind::Text, InputKind::Image],
        context_window: 128_000,
        max_tokens: 16_384,
        ..Model::default()
    }
}
