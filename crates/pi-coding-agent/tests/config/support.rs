//! Models, registries and directories for tests.

use std::path::Path;
use std::sync::Arc;

use pi_ai::{FixedClock, InputKind, Model};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::paths::Paths;
use serde_json::{Map, Value};

pub(crate) const NOW: i64 = 1_795_292_062_840;

/// Paths of a user whose home is `dir`.
pub(crate) fn paths(dir: &Path) -> Paths {
    Paths::new(Env::fixed([("HOME", dir.to_str().unwrap())]), dir)
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("not an object: {other}"),
    }
}

pub(crate) fn model(provider: &str, id: &str) -> Arc<Model> {
    Arc::new(Model {
        id: id.into(),
        name: id.into(),
        api: "anthropic-messages".into(),
        provider: provider.into(),
        base_url: format!("https://{provider}.example"),
        reasoning: true,
        input: vec![InputKind::Text, InputKind::Image],
        context_window: 200_000,
        max_tokens: 8192,
        ..Model::default()
    })
}

/// Stored credentials of this JSON, and this environment.
pub(crate) fn auth(stored: Value, env: &[(&str, &str)]) -> Arc<AuthStorage> {
    Arc::new(AuthStorage::in_memory(object(stored), Env::fixed(env.iter().copied()), pi_ai::system_clock()))
}

/// Built-in models without any file.
pub(crate) fn registry(models: &[(&str, &str)], auth: Arc<AuthStorage>) -> ModelRegistry {
    let models: Vec<_> = models.iter().map(|(provider, id)| model(provider, id)).collect();
    ModelRegistry::new(auth, Arc::new(models), None)
}

/// `provider/id` of each model.
pub(crate) fn names(models: &[Arc<Model>]) -> Vec<String> {
    models.iter().map(|model| format!("{}/{}", model.provider, model.id)).collect()
}

pub(crate) fn clock() -> Arc<FixedClock> {
    Arc::new(FixedClock(NOW))
}
