//! Tells extensions of the choice of model and thinking level.

use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel, models_are_equal};

use super::Extensions;
use super::sending::spawn;
use crate::agent_session::Inner;
use crate::extension::events::{ModelSelectEvent, ModelSelectSource, ThinkingLevelSelectEvent};

impl Extensions {
    /// Another model was selected; of the same one nobody hears.
    pub(in crate::agent_session) async fn emit_model(
        &self,
        model: &Arc<Model>,
        previous_model: Arc<Model>,
        source: ModelSelectSource,
    ) {
        if !models_are_equal(Some(model), Some(&previous_model)) {
            let event = ModelSelectEvent { model: Arc::clone(model), previous_model, source };
            self.runner().notify(event, None).await;
        }
    }
}

/// Another level was selected. Nobody waits for the handlers.
pub(in crate::agent_session) fn emit_thinking_level(
    session: &Arc<Inner>,
    level: ThinkingLevel,
    previous_level: ThinkingLevel,
) {
    let runner = session.extensions.runner();
    if runner.listens::<ThinkingLevelSelectEvent>() {
        let event = ThinkingLevelSelectEvent { level, previous_level };
        spawn(session, async move { runner.notify(event, None).await });
    }
}
