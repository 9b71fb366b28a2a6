//! The thinking level: clamped to what the model supports, recorded in the session, and where the setting `rememberModel`
//! wants it remembered as default. A change during a run applies to the next one.

use std::sync::Arc;

use pi_ai::ThinkingLevel;
use pi_ai::thinking::{clamp_level, supported_levels};

use super::extensions::emit_thinking_level;
use super::{Inner, SessionEvent};

/// The thinking level of a session: [`AgentSession::thinking`](super::AgentSession::thinking).
#[derive(Debug, Clone, Copy)]
pub struct ThinkingHandle<'a>(pub(super) &'a Arc<Inner>);

impl ThinkingHandle<'_> {
    /// The current thinking level.
    #[doc(alias = "thinkingLevel")]
    pub fn level(self) -> ThinkingLevel {
        self.0.run.thinking_level()
    }

    /// Whether the current model can think.
    #[doc(alias = "supportsThinking")]
    pub fn is_supported(self) -> bool {
        self.0.run.model().reasoning
    }

    /// Sets the thinking level, clamped to what the model supports. Only a change is recorded and announced.
    #[doc(alias = "setThinkingLevel")]
    pub async fn set(self, level: ThinkingLevel) {
        let session = self.0;
        let model = session.run.model();
        let level = clamp_level(&model, level);
        let before = session.run.thinking_level();
        session.run.agent().set_thinking_level(level);
        if level == before {
            return;
        }
        session.store.warn_about(session.store.manager().append().thinking_level_change(level.as_str()).map(drop));
        if session.place.settings().models().remember_model() && (model.reasoning || level != ThinkingLevel::Off) {
            session.store.warn_about(session.place.settings().models().set_default_thinking_level(level));
        }
        session.listeners.emit(SessionEvent::ThinkingLevelChanged { level }).await;
        emit_thinking_level(session, level, before);
    }

    /// The levels that the model supports, from the lowest; only `off` for one that cannot think.
    #[doc(alias = "getAvailableThinkingLevels")]
    pub fn available(self) -> Vec<ThinkingLevel> {
        supported_levels(&self.0.run.model())
    }

    /// Goes on to the next level that the model supports, after the last to the first. `None` when the model cannot
    /// think.
    #[doc(alias = "cycleThinkingLevel")]
    pub async fn cycle(self) -> Option<ThinkingLevel> {
        let model = self.0.run.model();
        if !model.reasoning {
            return None;
        }
        let levels = supported_levels(&model);
        let at = levels.iter().position(|level| *level == self.0.run.thinking_level());
        let next = *levels.get(at.map_or(0, |at| (at + 1) % levels.len()))?;
        self.set(next).await;
        Some(next)
    }
}

/// The level to start with on another model: what the user had, unless the old model could not think.
pub(super) fn level_after_switch(session: &Inner) -> ThinkingLevel {
    if session.run.model().reasoning {
        return session.run.thinking_level();
    }
    session.place.settings().models().default_thinking_level().unwrap_or(ThinkingLevel::Medium)
}
