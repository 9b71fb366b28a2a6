//! One model call, streamed into the transcript.

use std::sync::Arc;

use futures::{FutureExt, StreamExt};
use pi_ai::{
    AnswerError, AssistantMessage, AssistantMessageEvent, AssistantMessageStream, Error as AiError, Message,
    MessageBuilder, Partial, StopReason,
};
use pi_guard::{Panic, caught};
use tokio_util::sync::CancellationToken;

use super::Run;
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::guard::{shielded, unless_cancelled};

/// After an abort the stream is asked this often for its own end before it is cut off. Most answer at once; decoders
/// may have some events in stock.
const POLLS_AFTER_ABORT: usize = 256;

/// What a model call brought.
enum StreamEnd {
    /// An event that is not the last.
    Event(AssistantMessageEvent),
    /// The message as the provider ended it.
    Final(Arc<AssistantMessage>),
    /// There will be no such message, for this reason.
    Cut(AiError),
}

impl Run<'_> {
    /// Streams one answer into the transcript. An abort at any point ends it at once.
    pub(super) async fn answer(&mut self) -> Result<Arc<Message>, RunFailure> {
        let cancel = self.config.cancel.clone();
        let mut partial = None;
        let message = match self.start_call(&cancel).await? {
            None => self.cut(None, AiError::Aborted),
            Some(mut stream) => loop {
                match receive(&mut stream, &cancel).await {
                    StreamEnd::Event(event) => self.pass_on(event, &mut partial).await?,
                    StreamEnd::Final(message) => break message,
                    StreamEnd::Cut(_) if cancel.is_cancelled() => break self.cut(partial.as_ref(), AiError::Aborted),
                    StreamEnd::Cut(cause) => break self.cut(partial.as_ref(), cause),
                }
            },
        };
        let message = Arc::new(Message::from(message));
        if partial.is_none() {
            self.emit(AgentEvent::MessageStart { message: Arc::clone(&message) }).await?;
        }
        self.complete(message).await
    }

    /// Starts the model call; `None` when the run was aborted before it began.
    async fn start_call(&mut self, cancel: &CancellationToken) -> Result<Option<AssistantMessageStream>, RunFailure> {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let call = shielded("The model call", || async move { self.open_stream().await });
        unless_cancelled(cancel, call).await.transpose()
    }

    async fn open_stream(&mut self) -> Result<AssistantMessageStream, RunFailure> {
        let config = &self.config;
        let messages = shielded("The conversion of messages", || {
            config.hooks.messages_for_model(&self.context.messages, &config.cancel)
        })
        .await?;
        if let Some(tools) = config.hooks.update_tools.as_ref().and_then(|hook| hook(&self.context.tools)) {
            self.context.tools = tools;
        }
        let mut options = config.stream_options.clone();
        options.cancel = config.cancel.clone();
        options.reasoning = config.thinking_level;
        let key = shielded("The hook get_api_key", || config.hooks.api_key(&config.model.provider)).await?;
        options.api_key = key.or(options.api_key);
        (config.stream)(Arc::clone(&config.model), self.context.for_model(messages), options).await
    }

    /// Turns a provider's event into one of the run. Nothing counts before `start`.
    async fn pass_on(&self, event: AssistantMessageEvent, partial: &mut Option<Partial>) -> Result<(), RunFailure> {
        if let AssistantMessageEvent::Start { partial: handle } = event {
            let message = Arc::new(Message::from(handle.snapshot()));
            *partial = Some(handle);
            self.emit(AgentEvent::MessageStart { message }).await
        } else if partial.is_some() {
            self.emit(AgentEvent::MessageUpdate { event }).await
        } else {
            Ok(())
        }
    }

    /// The message of a call that did not end by itself: what arrived, with the reason.
    fn cut(&self, partial: Option<&Partial>, cause: AiError) -> Arc<AssistantMessage> {
        let Some(partial) = partial else {
            let failed = MessageBuilder::new(&self.config.model, self.config.clock.now_ms()).fail(cause);
            return failed.final_message().cloned().unwrap_or_default();
        };
        Arc::new(AssistantMessage {
            stop_reason: if cause.is_aborted() { StopReason::Aborted } else { StopReason::Error },
            error_message: Some(cause.to_string()),
            ..(*partial.snapshot()).clone()
        })
    }
}

/// The next thing that a stream brings.
async fn receive(stream: &mut AssistantMessageStream, cancel: &CancellationToken) -> StreamEnd {
    match unless_cancelled(cancel, caught(|| stream.next())).await {
        Some(next) if !cancel.is_cancelled() || is_last(&next) => received(next),
        _ => last_word(stream),
    }
}

type Next = Result<Option<AssistantMessageEvent>, Panic>;

fn is_last(next: &Next) -> bool {
    !matches!(next, Ok(Some(event)) if event.final_message().is_none())
}

fn received(next: Next) -> StreamEnd {
    let incomplete = |message: &str| StreamEnd::Cut(AnswerError::Incomplete { message: message.to_owned() }.into());
    match next {
        Ok(Some(AssistantMessageEvent::Done { message, .. } | AssistantMessageEvent::Error { error: message, .. })) => {
            StreamEnd::Final(message)
        }
        Ok(Some(event)) => StreamEnd::Event(event),
        Ok(None) => incomplete("Stream ended without a final message"),
        Err(_) => incomplete("The model call failed unexpectedly (it panicked)"),
    }
}

/// How an aborted stream ends: with its own last message if it has one ready, which knows best what was used.
fn last_word(stream: &mut AssistantMessageStream) -> StreamEnd {
    for _ in 0..POLLS_AFTER_ABORT {
        match caught(|| stream.next()).now_or_never() {
            Some(next) if is_last(&next) => return received(next),
            Some(_) => {}
            None => break,
        }
    }
    StreamEnd::Cut(AiError::Aborted)
}
