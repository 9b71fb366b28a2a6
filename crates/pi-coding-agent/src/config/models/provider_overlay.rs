//! Checks the registration of a provider by an extension, and lays it over the entry of that provider in `models.json`.

use serde_json::Value;

use super::models_json::{ModelConfig, ModelsConfig, ProviderConfig, check_sizes};
use super::provider::ProviderRegistration;
use super::schema::check as mismatches;
use super::schema_tables::MODEL;

/// What is wrong with a registration.
pub(super) fn check(provider: &str, registration: &ProviderRegistration) -> Result<(), String> {
    let ProviderRegistration { base_url, api_key, api, stream, models, oauth, .. } = registration;
    let is_said = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    if stream.is_some() && !is_said(api) {
        return Err(format!("Provider {provider}: \"api\" is required when registering streamSimple."));
    }
    let Some(models) = models.as_ref().filter(|models| !models.is_empty()) else { return Ok(()) };
    if !is_said(base_url) {
        return Err(format!("Provider {provider}: \"baseUrl\" is required when defining models."));
    }
    if !is_said(api_key) && oauth.is_none() {
        return Err(format!("Provider {provider}: \"apiKey\" or \"oauth\" is required when defining models."));
    }
    for (index, value) in models.iter().enumerate() {
        let model = typed(value).map_err(|problem| format!("Provider {provider}, models.{index}:\n{problem}"))?;
        if model.api.is_none() && !is_said(api) {
            return Err(format!("Provider {provider}, model {}: no \"api\" specified.", model.id));
        }
        check_sizes(provider, &model)?;
    }
    Ok(())
}

fn typed(value: &Value) -> Result<ModelConfig, String> {
    let problems = mismatches(value, &MODEL);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    serde_json::from_value(value.clone()).map_err(|error| format!("  - {error}"))
}

/// Lays a checked registration over the rest.
pub(super) fn overlay(config: &mut ModelsConfig, provider: &str, registration: &ProviderRegistration) {
    let entry = entry(config, provider);
    let ProviderRegistration { name, base_url, api_key, api, headers, auth_header, models, .. } = registration.clone();
    entry.name = name.or(entry.name.take());
    entry.api_key = api_key.or(entry.api_key.take());
    entry.headers.extend(headers.into_iter().flatten());
    entry.auth_header = auth_header.unwrap_or(entry.auth_header);
    match models.filter(|models| !models.is_empty()) {
        Some(models) => {
            entry.replaces_all = true;
            // It has been checked already.
            entry.models = models.iter().filter_map(|model| typed(model).ok()).collect();
            entry.model_overrides.clear();
            entry.compat = None;
            entry.api = api.or(entry.api.take());
        }
        // It counts also for models that have an endpoint of their own.
        None if base_url.is_some() => entry.models.iter_mut().for_each(|model| model.base_url = None),
        None => {}
    }
    entry.base_url = base_url.or(entry.base_url.take());
}

fn entry<'a>(config: &'a mut ModelsConfig, provider: &str) -> &'a mut ProviderConfig {
    let providers = &mut config.providers;
    let index = providers.iter().position(|(name, _)| name == provider).unwrap_or_else(|| {
        providers.push((provider.to_owned(), ProviderConfig::default()));
        providers.len() - 1
    });
    &mut providers[index].1
}
