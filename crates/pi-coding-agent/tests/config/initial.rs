//! The model to start with.

use pi_ai::ThinkingLevel;
use pi_coding_agent::models::{
    InitialModel, InitialModelRequest, ModelRegistry, ResolvedModel, ScopedModel, find_initial_model,
};
use pi_coding_agent::session::ModelReference;
use serde_json::json;

use crate::support::{auth, model, registry};

fn show(found: InitialModel) -> String {
    let name = found.model.map_or("-".to_owned(), |model| format!("{}/{}", model.provider, model.id));
    let level = found.thinking_level.map_or(String::new(), |level| format!(" at {}", level.as_str()));
    let note = found.note.map_or(String::new(), |note| format!(" ({note})"));
    format!("{name}{level}{note}")
}

fn reference(provider: &str, id: &str) -> ModelReference {
    ModelReference { provider: provider.into(), model_id: id.into() }
}

fn all() -> ModelRegistry {
    let models = [("other", "o1"), ("openai", "gpt-5"), ("openai", "gpt-5.4"), ("google", "g")];
    registry(&models, auth(json!({"other": {"type": "api_key", "key": "k"}}), &[("OPENAI_API_KEY", "k")]))
}

#[test]
fn candidates_have_an_order() {
    let registry = all();
    let choose = |request: InitialModelRequest<'_>| show(find_initial_model(request, &registry));
    let scope = [("google", "g", Some(ThinkingLevel::Low)), ("openai", "gpt-5", None)]
        .map(|(provider, id, thinking_level)| ScopedModel { model: model(provider, id), thinking_level });
    let cli = ResolvedModel { model: Some(model("cli", "c")), thinking_level: None, warning: None };
    let level = ResolvedModel { thinking_level: Some(ThinkingLevel::High), ..ResolvedModel::default() };
    let (usable, gone, keyless) =
        (reference("openai", "gpt-5"), reference("openai", "gpt-0"), reference("google", "g"));
    let default = Some(("google", "g"));
    let none = InitialModelRequest::default;

    assert_eq!(choose(none()), "openai/gpt-5.4", "the default of the first provider that has a key");
    assert_eq!(choose(InitialModelRequest { default, ..none() }), "google/g", "also without a key");
    assert_eq!(choose(InitialModelRequest { default: Some(("x", "y")), ..none() }), "openai/gpt-5.4");
    assert_eq!(choose(InitialModelRequest { scope: &scope, ..none() }), "google/g at low");
    let in_scope = Some(("openai", "gpt-5"));
    assert_eq!(choose(InitialModelRequest { scope: &scope, default: in_scope, ..none() }), "openai/gpt-5");
    assert_eq!(choose(InitialModelRequest { scope: &scope, cli: level, ..none() }), "google/g at high");
    assert_eq!(choose(InitialModelRequest { cli, scope: &scope, session: Some(&usable), ..none() }), "cli/c");
    assert_eq!(choose(InitialModelRequest { session: Some(&usable), scope: &scope, ..none() }), "openai/gpt-5");
    assert_eq!(
        choose(InitialModelRequest { session: Some(&gone), scope: &scope, ..none() }),
        "openai/gpt-5.4 (Could not restore model openai/gpt-0. Using openai/gpt-5.4)"
    );
    assert_eq!(
        choose(InitialModelRequest { session: Some(&keyless), ..none() }),
        "openai/gpt-5.4 (Could not restore model google/g. Using openai/gpt-5.4)"
    );
}

#[test]
fn without_keys_there_is_no_model() {
    let registry = registry(&[("openai", "gpt-5.4")], auth(json!({}), &[]));
    assert_eq!(show(find_initial_model(InitialModelRequest::default(), &registry)), "-");
    let only = self::registry(&[("other", "o1")], auth(json!({"other": {"type": "api_key", "key": "k"}}), &[]));
    assert_eq!(show(find_initial_model(InitialModelRequest::default(), &only)), "other/o1");
}
