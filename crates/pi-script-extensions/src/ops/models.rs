//! Models and their keys: `ctx.modelRegistry`, and registries that scripts made.

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_ai::Model;
use pi_script::{Data, OpResult};
use serde_json::{Map, Value, json};

use super::auth::status;
use super::registries::registry;
use super::{Ops, json as as_json};
use pi_coding_agent::config::config_value::ConfigValue;
use pi_coding_agent::models::{ModelRegistry, RequestAuth};

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("models.find", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let (provider, id) = (args.text(1)?, args.text(2)?);
        Ok(models.find(&provider, &id).map_or(Data::Undefined, |model| Data::json(&*model)))
    });
    ops.sync("models.getAll", |host, _, mut args| as_json(&list(registry(host, &mut args)?.all())));
    ops.sync("models.getAvailable", |host, _, mut args| as_json(&list(registry(host, &mut args)?.available())));
    ops.sync("models.hasConfiguredAuth", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let model: Model = args.parse(1)?;
        Ok(models.has_configured_auth(&model).into())
    });
    ops.sync("models.getProviderDisplayName", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        Ok(models.display_name(&args.text(1)?).into())
    });
    ops.sync("models.getProviderAuthStatus", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        Ok(auth_status(&models, &args.text(1)?).into())
    });
    ops.sync("models.isUsingOAuth", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let model: Model = args.parse(1)?;
        Ok(models.auth().is_oauth(&model.provider).into())
    });
    ops.sync("models.getError", |host, _, mut args| {
        Ok(registry(host, &mut args)?.error().map_or(Data::Undefined, Data::from))
    });
    ops.sync("models.refresh", |host, _, mut args| {
        registry(host, &mut args)?.refresh();
        Ok(Data::Undefined)
    });
    ops.spawned("models.getApiKeyAndHeaders", |host, _, mut args| async move {
        let models = registry(&host, &mut args)?;
        let model: Model = args.parse(1)?;
        Ok(match models.request_auth(&model).await {
            Ok(RequestAuth { api_key, headers, env }) => auth_json(api_key, &headers, &env).into(),
            Err(error) => json!({"ok": false, "error": error.to_string()}).into(),
        })
    });
    ops.spawned("models.getApiKeyForProvider", |host, _, mut args| async move {
        let models = registry(&host, &mut args)?;
        let key = models.provider_key(&args.text(1)?).await;
        Ok(key.map_or(Data::Undefined, |key| key.expose().into()))
    });
}

/// What a request needs; what there is nothing of is left out.
fn auth_json(api_key: Option<String>, headers: &BTreeMap<String, String>, env: &BTreeMap<String, String>) -> Value {
    let mut said = Map::from_iter([("ok".to_owned(), Value::Bool(true))]);
    said.extend(api_key.map(|key| ("apiKey".to_owned(), key.into())));
    let maps = [("headers", headers), ("env", env)].into_iter().filter(|(_, map)| !map.is_empty());
    said.extend(maps.map(|(name, map)| (name.to_owned(), json!(map))));
    Value::Object(said)
}

/// Where the key of a provider would come from; what is stored comes before `models.json`. Runs no command.
fn auth_status(models: &ModelRegistry, provider: &str) -> Value {
    let of_auth = models.auth().auth_status(provider);
    let is_elsewhere = of_auth.source.is_some();
    let of_file = models.key_in_file(provider).filter(|_| !is_elsewhere);
    match of_file {
        None => status(&of_auth),
        Some(ConfigValue::Command(_)) => json!({"configured": true, "source": "models_json_command"}),
        Some(text) => match text.variable() {
            None => json!({"configured": true, "source": "models_json_key"}),
            Some(_) if !text.is_configured(models.auth().env()) => json!({"configured": false}),
            Some(name) => json!({"configured": true, "source": "environment", "label": name}),
        },
    }
}

/// The model of a session; `undefined` where there is none to choose from.
pub(super) fn chosen(model: &Model) -> OpResult {
    let is_none = model.provider == "unknown" && model.id == "unknown";
    if is_none { Ok(Data::Undefined) } else { as_json(model) }
}

fn list(models: Vec<Arc<Model>>) -> Vec<Arc<Model>> {
    models
}
