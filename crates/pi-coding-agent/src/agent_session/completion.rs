//! One call of a model outside of a run, as summaries need it.

use std::future::Future;
use std::sync::Arc;

use pi_agent_core::StreamFn;
use pi_ai::{AssistantMessage, Context, Model, StopReason, StreamOptions};
use tokio_util::sync::CancellationToken;

use crate::compaction::SummaryOptions;

/// Who is called, and who can stop it.
pub(super) struct Completion<'a> {
    pub(super) stream: &'a Arc<StreamFn>,
    pub(super) model: &'a Arc<Model>,
    pub(super) cancel: &'a CancellationToken,
}

impl Completion<'_> {
    /// Asks and waits for the whole answer. A call that cannot be made is a failed answer.
    pub(super) fn of(
        &self,
        context: Context,
        options: SummaryOptions,
    ) -> impl Future<Output = Arc<AssistantMessage>> + Send + use<> {
        let (stream, model, cancel) = (Arc::clone(self.stream), Arc::clone(self.model), self.cancel.clone());
        async move {
            let options = StreamOptions {
                max_tokens: Some(options.max_tokens),
                reasoning: options.reasoning,
                cancel,
                ..StreamOptions::default()
            };
            match stream(model, context, options).await {
                Ok(stream) => stream.result().await,
                Err(failure) => Arc::new(AssistantMessage {
                    stop_reason: StopReason::Error,
                    error_message: Some(failure.to_string()),
                    ..AssistantMessage::default()
                }),
            }
        }
    }
}
