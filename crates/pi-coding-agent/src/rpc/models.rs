//! Commands about the model and its thinking level.

use pi_ai::{ThinkingLevel, is_same_provider};
use serde_json::Value;

use super::response::{Address, Named};
use crate::agent_session::AgentSession;

/// Selects one of the models that have a key.
pub(super) async fn set(session: &AgentSession, provider: &str, model_id: &str, address: &Address) -> Vec<u8> {
    let mut available = session.models().registry().available().into_iter();
    let Some(model) = available.find(|model| is_same_provider(&model.provider, provider) && model.id == model_id)
    else {
        return address.failure(&format!("Model not found: {provider}/{model_id}"));
    };
    address.outcome(session.models().set(model.clone()).await.map(|()| model))
}

/// The models that have a key.
pub(super) fn available(session: &AgentSession, address: &Address) -> Vec<u8> {
    address.data(Named::new("models", session.models().registry().available()))
}

/// The levels that the model supports.
pub(super) fn levels(session: &AgentSession, address: &Address) -> Vec<u8> {
    address.data(Named::new("levels", session.thinking().available()))
}

/// What is no level counts as the lowest one.
pub(super) async fn set_level(session: &AgentSession, level: &Value, address: &Address) -> Vec<u8> {
    session.thinking().set(level.as_str().and_then(ThinkingLevel::parse).unwrap_or_default()).await;
    address.success()
}

/// Goes on to the next level; `null` when the model cannot think.
pub(super) async fn cycle_level(session: &AgentSession, address: &Address) -> Vec<u8> {
    let level = session.thinking().cycle().await;
    address.data(level.map(|level| Named::new("level", level)))
}
