//! Which models a Copilot account may use, and where they are served.

use std::sync::Arc;
use std::time::Duration;

use futures::future::FutureExt;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};

use super::{GitHubCopilotOAuth, STATIC_HEADERS};
use crate::auth::oauth::credentials::OAuthCredentials;
use crate::auth::oauth::exchange::{get, post_json, send, send_within, with_bearer, with_headers};
use crate::auth::oauth::provider::OAuthContext;
use crate::catalog::get_models;
use crate::error::{Error, LoginError};
use crate::model::Model;
use crate::provider::GITHUB_COPILOT;
use crate::transport::HttpRequest;

/// Ids of the models that the account may use.
const AVAILABLE: &str = "availableModelIds";
/// The list is worth no longer wait.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);
/// So many models are switched on at the same time.
const AT_ONCE: usize = 8;
const LIST_HEADERS: &[(&str, &str)] = &[("x-github-api-version", "2026-06-01")];
const POLICY_HEADERS: &[(&str, &str)] = &[("openai-intent", "chat-policy"), ("x-interaction-type", "chat-policy")];

/// Agrees to the terms of each model, without which it cannot be used. A model that refuses stays as it is.
///
/// # Errors
/// [`LoginError::Cancelled`] only.
pub(super) async fn enable(
    provider: &GitHubCopilotOAuth,
    credentials: &OAuthCredentials,
    context: &OAuthContext,
) -> Result<(), Error> {
    let base = provider.base_url(credentials);
    let of_catalogue = || get_models(GITHUB_COPILOT).iter().map(|model| model.id.clone()).collect();
    let ids: Vec<String> = provider.models.clone().unwrap_or_else(of_catalogue);
    let agree = |id: &String| {
        let request = post_json(&format!("{base}/models/{id}/policy"), &json!({"state": "enabled"}));
        let request = with_token(request, credentials).map(|request| with_headers(request, POLICY_HEADERS));
        async move {
            if let Ok(request) = request {
                // Failures are the model's own affair: the list says what came of it.
                let _ = send(context, request).await;
            }
        }
    };
    let all = stream::iter(ids.iter().map(agree)).for_each_concurrent(AT_ONCE, |one| one);
    context.cancellable(all.map(Ok)).await
}

/// Notes which models the account may use. Without an answer, what was noted before stays.
///
/// # Errors
/// [`LoginError::Cancelled`] only.
pub(super) async fn note_available(
    provider: &GitHubCopilotOAuth,
    credentials: &mut OAuthCredentials,
    context: &OAuthContext,
) -> Result<(), Error> {
    let request = get(&format!("{}/models", provider.base_url(credentials)));
    let Ok(request) = with_token(request, credentials) else { return Ok(()) };
    match send_within(context, with_headers(request, LIST_HEADERS), LIST_TIMEOUT).await {
        Ok(reply) if reply.is_success() => {
            if let Some(ids) = available_ids(&reply.json) {
                credentials.extra.insert(AVAILABLE.to_owned(), ids.into());
            }
            Ok(())
        }
        Err(Error::Login(LoginError::Cancelled)) => Err(Error::Login(LoginError::Cancelled)),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn with_token(request: HttpRequest, credentials: &OAuthCredentials) -> Result<HttpRequest, Error> {
    Ok(with_headers(with_bearer(request, &credentials.access)?, STATIC_HEADERS))
}

/// The usable ones of a model list; `None` when it is no such list.
fn available_ids(list: &Value) -> Option<Vec<Value>> {
    let models = list.get("data")?.as_array()?;
    Some(models.iter().filter(|model| is_usable(model)).map(|model| model["id"].clone()).collect())
}

fn is_usable(model: &Value) -> bool {
    model["id"].is_string()
        && model["model_picker_enabled"] == true
        && model["policy"]["state"] != "disabled"
        && model["capabilities"]["supports"]["tool_calls"] != false
}

/// The account's own view of the models: at its base URL, and only those it may use.
pub(super) fn of_account(models: Vec<Arc<Model>>, credentials: &OAuthCredentials, base_url: &str) -> Vec<Arc<Model>> {
    let available = credentials.extra.get(AVAILABLE).and_then(Value::as_array);
    let may_use = |model: &Model| available.is_none_or(|ids| ids.iter().any(|id| *id == *model.id));
    let (mut kept, is_copilot) = (models, |model: &Model| model.provider == GITHUB_COPILOT);
    kept.retain(|model| !is_copilot(model) || may_use(model));
    for model in kept.iter_mut().filter(|model| is_copilot(model) && model.base_url != base_url) {
        Arc::make_mut(model).base_url = base_url.to_owned();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_filtered_as_the_picker_does() {
        let supports = |tools: Value| json!({"supports": {"tool_calls": tools}});
        let list = json!({"data": [
            {"id": "plain", "model_picker_enabled": true},
            {"id": "full", "model_picker_enabled": true, "policy": {"state": "enabled"}, "capabilities": supports(json!(true))},
            {"id": "hidden", "model_picker_enabled": false},
            {"id": "unsaid"},
            {"id": "off", "model_picker_enabled": true, "policy": {"state": "disabled"}},
            {"id": "toolless", "model_picker_enabled": true, "capabilities": supports(json!(false))},
            {"model_picker_enabled": true},
        ]});
        assert_eq!(available_ids(&list), Some(vec![json!("plain"), json!("full")]));
        assert_eq!(available_ids(&json!({"error": "x"})), None);
    }

    #[test]
    fn models_of_the_account_move_and_others_stay() {
        let model = |provider: &str, id: &str| {
            let text = str::to_owned;
            Arc::new(Model {
                id: text(id),
                provider: text(provider),
                base_url: text("https://old"),
                ..Model::default()
            })
        };
        let models = vec![model("github-copilot", "a"), model("github-copilot", "b"), model("openai", "b")];
        let view = |extra: Value| {
            let credentials: OAuthCredentials = serde_json::from_value(extra).unwrap();
            let modified = of_account(models.clone(), &credentials, "https://new");
            modified
                .iter()
                .map(|model| format!("{} {} {}", model.provider, model.id, model.base_url))
                .collect::<Vec<_>>()
        };
        let own = "github-copilot a https://new";
        assert_eq!(view(json!({"availableModelIds": ["a", "z"]})), [own, "openai b https://old"]);
        assert_eq!(view(json!({})), [own, "github-copilot b https://new", "openai b https://old"]);
    }
}
