//! Which model a new session would start with, and what is wrong with `models.json` and the settings about models.

use super::examined::Examined;
use super::report::Section;
use crate::cli::args::Args;
use crate::cli::scope::scoped_models;
use pi_coding_agent::models::{InitialModelRequest, find_initial_model};

pub(super) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("Models");
    models_file(examined, &mut section);
    let scope = scoped_models(&Args::default(), &examined.settings, &examined.models);
    let (scope, warnings) = scope.unwrap_or_default();
    for warning in warnings {
        section.attention("enabledModels", warning, "change the pattern in settings.json, or remove it");
    }
    let (provider, id) = (examined.settings.models().default_provider(), examined.settings.models().default_model());
    let wanted = provider.as_deref().zip(id.as_deref());
    if let Some((provider, id)) = wanted {
        default_of_settings(provider, id, examined, &mut section);
    }
    let request = InitialModelRequest { scope: &scope, default: wanted, ..InitialModelRequest::default() };
    match find_initial_model(request, &examined.models).model {
        Some(model) => {
            let detail = format!("{}/{} at {}", model.provider, model.id, host(&model.base_url));
            section.ok("a new session", detail);
        }
        None => section.attention(
            "a new session",
            "there is no model to start with, for none has a key",
            "see Keys; then name one with --model, or set defaultProvider and defaultModel",
        ),
    }
    section
}

fn models_file(examined: &Examined, section: &mut Section) {
    let file = examined.paths.models_file();
    match examined.models.error() {
        Some(error) => {
            section.attention("models.json", error, "repair the file; until then nothing in it is used");
        }
        None if file.exists() => section.ok("models.json", examined.shown(&file)),
        None => {}
    }
}

fn default_of_settings(provider: &str, id: &str, examined: &Examined, section: &mut Section) {
    let subject = "the default of the settings";
    match examined.models.find(provider, id) {
        None => section.attention(
            subject,
            format!("there is no model {provider}/{id}"),
            "change defaultProvider and defaultModel; pi --list-models lists the models that are ready",
        ),
        Some(_) if !examined.models.has_auth(provider) => section.attention(
            subject,
            format!("{provider}/{id} has no key"),
            "give the provider a key, or change defaultProvider and defaultModel",
        ),
        Some(_) => {}
    }
}

/// Host and port of a URL, without what may be a secret before or behind them.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}
