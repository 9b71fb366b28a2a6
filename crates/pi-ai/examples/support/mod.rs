//! Which model an example asks: the one that `PI_EXAMPLE_MODEL` names, for instance `anthropic/claude-sonnet-4-5`, with
//! its key from the environment; without the variable a script, so that every example runs without key and network.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]

use std::error::Error;
use std::sync::Arc;

use pi_ai::scripted::{ScriptedOptions, ScriptedProvider};
use pi_ai::{ApiRegistry, AssistantMessage, Model, get_model};

/// The wire formats and the model to ask. `script` are the answers where no model was named.
pub(crate) fn model(
    script: impl IntoIterator<Item = AssistantMessage>,
) -> Result<(ApiRegistry, Arc<Model>), Box<dyn Error>> {
    let apis = ApiRegistry::builtin();
    if let Ok(name) = std::env::var("PI_EXAMPLE_MODEL") {
        let (provider, id) = name.split_once('/').ok_or("PI_EXAMPLE_MODEL must look like provider/model")?;
        let model = get_model(provider, id).ok_or_else(|| format!("the catalogue has no model {name}"))?;
        return Ok((apis, model));
    }
    let thinker = Model { reasoning: true, ..pi_ai::scripted::model("scripted") };
    let provider = ScriptedProvider::new(ScriptedOptions { models: vec![thinker], ..ScriptedOptions::default() });
    provider.append_steps(script);
    apis.register(Arc::new(provider.clone()));
    Ok((apis, provider.model()))
}
