//! One turn: a model call, streamed, and the tool calls that it asked for.

use std::sync::Arc;

use futures::StreamExt;
use pi_ai::{
    AssistantMessage, AssistantMessageEvent, AssistantMessageStream, Context, Error as AiError, Message, MessageBuilder,
};

use super::Run;
use crate::error::RunFailure;
use crate::event::AgentEvent;

impl Run<'_> {
    /// Runs a turn. `None`: the message failed or was aborted and the run is over; otherwise whether tool results
    /// wait for the model.
    pub(super) async fn turn(&mut self) -> Result<Option<bool>, RunFailure> {
        let message = self.answer().await?;
        let Some(assistant) = message.as_assistant() else {
            return Err(RunFailure::new("the model call did not produce an assistant message"));
        };
        if assistant.stop_reason.is_failure() {
            self.emit(AgentEvent::TurnEnd { message, tool_results: Vec::new() }).await?;
            return Ok(None);
        }
        let batch = self.run_tools(assistant).await?;
        self.emit(AgentEvent::TurnEnd { message: Arc::clone(&message), tool_results: batch.results }).await?;
        Ok(Some(batch.calls_continue))
    }

    /// Streams one answer into the transcript.
    async fn answer(&mut self) -> Result<Arc<Message>, RunFailure> {
        let mut stream = self.call().await?;
        let mut started = false;
        let mut last = None;
        while let Some(event) = stream.next().await {
            match event {
                AssistantMessageEvent::Start { partial } => {
                    started = true;
                    let message = shared((*partial.snapshot()).clone());
                    self.emit(AgentEvent::MessageStart { message }).await?;
                }
                AssistantMessageEvent::Done { message, .. } => last = Some(message),
                AssistantMessageEvent::Error { error, .. } => last = Some(error),
                event if started => self.emit(AgentEvent::MessageUpdate { event }).await?,
                _ => {}
            }
        }
        // A stream that ends without a terminal event broke its contract; its message is lost, the run is not.
        let message = shared(last.map_or_else(|| self.unfinished(), Arc::unwrap_or_clone));
        if !started {
            self.emit(AgentEvent::MessageStart { message: Arc::clone(&message) }).await?;
        }
        self.complete(Arc::clone(&message)).await?;
        Ok(message)
    }

    /// Starts the model call; a cancelled run gets an aborted answer without one.
    async fn call(&self) -> Result<AssistantMessageStream, RunFailure> {
        let config = self.config;
        let mut options = config.stream_options.clone();
        options.cancel = config.cancel.clone();
        options.reasoning = config.thinking_level;
        let context = Context {
            system_prompt: (!config.system_prompt.is_empty()).then(|| Arc::clone(&config.system_prompt)),
            messages: config.hooks.convert(&self.transcript),
            tools: config.tools.definitions(),
        };
        if config.cancel.is_cancelled() {
            return Ok(self.failed(AiError::Aborted));
        }
        tokio::select! {
            biased;
            () = config.cancel.cancelled() => Ok(self.failed(AiError::Aborted)),
            stream = (config.stream)(Arc::clone(&config.model), context, options) => stream,
        }
    }

    fn builder(&self) -> MessageBuilder {
        MessageBuilder::new(&self.config.model, self.config.clock.now_ms())
    }

    fn failed(&self, error: AiError) -> AssistantMessageStream {
        let event = self.builder().fail(error);
        AssistantMessageStream::new(futures::stream::iter([event]))
    }

    fn unfinished(&self) -> AssistantMessage {
        let error = AiError::Incomplete { message: "Stream ended without a final message".to_owned() };
        match self.builder().fail(error) {
            AssistantMessageEvent::Error { error, .. } => Arc::unwrap_or_clone(error),
            _ => AssistantMessage::default(),
        }
    }
}

fn shared(message: AssistantMessage) -> Arc<Message> {
    Arc::new(Message::Assistant(message))
}
