//! The orderly end of a run that broke: the failure becomes an assistant message.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Error as AiError, Message, StopReason};

use super::Run;
use crate::error::RunFailure;
use crate::event::AgentEvent;

impl Run<'_> {
    pub(super) async fn break_off(&mut self, failure: &RunFailure) {
        let message = Arc::new(Message::from(self.failed_message(failure)));
        // In the transcript first: nothing that a listener does can lose it.
        self.context.messages.push(Arc::clone(&message));
        self.added.push(Arc::clone(&message));
        let events = [
            AgentEvent::MessageStart { message: Arc::clone(&message) },
            AgentEvent::MessageEnd { message: Arc::clone(&message) },
            AgentEvent::TurnEnd { message: Arc::clone(&message), tool_results: Vec::new() },
            AgentEvent::AgentEnd { messages: vec![message] },
        ];
        for event in events {
            // A listener that fails again has been heard; the others still get their events.
            let _ = self.emit(event).await;
        }
    }

    fn failed_message(&self, failure: &RunFailure) -> AssistantMessage {
        let aborted = self.config.cancel.is_cancelled();
        let model = &self.config.model;
        AssistantMessage {
            content: vec![ContentBlock::text("")],
            api: model.api.as_str().into(),
            provider: model.provider.as_str().into(),
            model: model.id.as_str().into(),
            stop_reason: if aborted { StopReason::Aborted } else { StopReason::Error },
            timestamp: self.config.clock.now_ms(),
            error_message: Some(if aborted { AiError::Aborted.to_string() } else { failure.to_string() }),
            ..AssistantMessage::default()
        }
    }
}
