//! The provider: a queue of steps behind the trait that all wire formats implement.

use std::sync::{Arc, Mutex};

use super::options::{ScriptedOptions, model};
use super::play;
use super::shared::Shared;
use super::step::{ScriptedCall, ScriptedStep};
use crate::context::Context;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::registry::Api;
use crate::stream::AssistantMessageStream;

/// A provider that plays a script. Clones share the script.
#[derive(Debug, Clone)]
pub struct ScriptedProvider {
    shared: Arc<Shared>,
}

impl ScriptedProvider {
    /// A provider with an empty script.
    pub fn new(options: ScriptedOptions) -> Self {
        let own = |model: &Model| {
            Arc::new(Model { api: options.api.clone(), provider: options.provider.clone(), ..model.clone() })
        };
        let mut models: Vec<_> = options.models.iter().map(own).collect();
        if models.is_empty() {
            models.push(own(&model("faux-1")));
        }
        Self { shared: Arc::new(Shared { options, models, state: Mutex::default() }) }
    }

    /// A provider of default options that plays these steps.
    pub fn playing<S: Into<ScriptedStep>>(steps: impl IntoIterator<Item = S>) -> Self {
        let provider = Self::new(ScriptedOptions::default());
        provider.append_steps(steps);
        provider
    }

    /// Its first model.
    pub fn model(&self) -> Arc<Model> {
        Arc::clone(&self.shared.models[0])
    }

    /// All its models, at least one.
    pub fn models(&self) -> &[Arc<Model>] {
        &self.shared.models
    }

    /// A model by id.
    pub fn find_model(&self, id: &str) -> Option<Arc<Model>> {
        self.shared.models.iter().find(|model| model.id == id).cloned()
    }

    /// Replaces what is left of the script.
    pub fn set_steps<S: Into<ScriptedStep>>(&self, steps: impl IntoIterator<Item = S>) {
        self.shared.state().steps = steps.into_iter().map(Into::into).collect();
    }

    /// Adds to the end of the script.
    pub fn append_steps<S: Into<ScriptedStep>>(&self, steps: impl IntoIterator<Item = S>) {
        self.shared.state().steps.extend(steps.into_iter().map(Into::into));
    }

    /// Steps that were not played yet.
    pub fn pending(&self) -> usize {
        self.shared.state().steps.len()
    }

    /// Calls that were started, those for which there was no step included.
    pub fn call_count(&self) -> u64 {
        self.shared.state().call_count
    }
}

impl Api for ScriptedProvider {
    fn name(&self) -> &str {
        &self.shared.options.api
    }

    /// Takes the next step at once; it is played while the stream is polled. Honours `cancel`, `on_response`,
    /// `session_id`, `cache_retention` and `clock`. [`ScriptedStep`]s see all options.
    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        let (step, call_count) = {
            let mut state = self.shared.state();
            state.call_count += 1;
            (state.steps.pop_front(), state.call_count)
        };
        play::play(Arc::clone(&self.shared), step, ScriptedCall { context, options, call_count, model })
    }
}
