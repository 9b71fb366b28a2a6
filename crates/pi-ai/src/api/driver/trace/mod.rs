//! One `tracing` span per model call, with the attribute names of OpenTelemetry's conventions for generative AI.
//!
//! The span belongs where the call is made and is entered only while the stream is polled: what the consumer does between
//! two events is not inside it. What was said is recorded only if the caller opts in (`content`). Without a subscriber
//! that wants the span nothing here is computed.

mod content;

use std::borrow::Cow;
use std::pin::Pin;
use std::task::{Context as Task, Poll, ready};

use futures::stream::{Stream, StreamExt};
use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::context::Context;
use crate::error::{AnswerError, Error, LoginError, NetworkError, RequestError};
use crate::event::AssistantMessageEvent as Event;
use crate::message::{AssistantMessage, StopReason};
use crate::model::Model;
use crate::options::StreamOptions;

/// Names of providers that the conventions know under another name than ours.
const PROVIDERS: [(&str, &str); 6] = [
    ("amazon-bedrock", "aws.bedrock"),
    ("azure-openai-responses", "azure.ai.openai"),
    ("google", "gcp.gemini"),
    ("google-vertex", "gcp.vertex_ai"),
    ("mistral", "mistral_ai"),
    ("xai", "x_ai"),
];

/// What the conventions call a failure without a name.
const OTHER: &str = "_OTHER";

/// The span of a call that begins now; a disabled one when nobody listens.
pub(super) fn span(model: &Model, context: &Context, options: &StreamOptions) -> Span {
    let known = PROVIDERS.iter().find(|(ours, _)| *ours == model.provider);
    let provider = known.map_or(model.provider.as_str(), |(_, theirs)| theirs);
    let span = info_span!(
        "chat",
        otel.name = %format_args!("chat {}", model.id),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        // The older name of the next one; collectors know either.
        gen_ai.system = provider,
        gen_ai.provider.name = provider,
        gen_ai.conversation.id = options.session_id.as_deref(),
        gen_ai.request.model = model.id.as_str(),
        gen_ai.request.max_tokens = options.max_tokens,
        gen_ai.request.temperature = options.temperature,
        gen_ai.response.id = Empty,
        gen_ai.response.model = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.cache_creation.input_tokens = Empty,
        gen_ai.system_instructions = Empty,
        gen_ai.input.messages = Empty,
        gen_ai.output.messages = Empty,
        "error.type" = Empty,
    );
    if options.trace_content && !span.is_disabled() {
        content::record_prompt(&span, context);
    }
    span
}

/// Follows a call to its end and notes it in the span.
pub(super) fn traced(
    events: impl Stream<Item = Event> + Send + 'static,
    span: Span,
    with_content: bool,
) -> impl Stream<Item = Event> + Send {
    Traced { events: Some(Box::pin(events)), span, with_content, ended: false }
}

struct Traced<S> {
    /// `None` once dropped, which happens inside the span.
    events: Option<Pin<Box<S>>>,
    span: Span,
    with_content: bool,
    /// The terminal event was noted.
    ended: bool,
}

impl<S: Stream<Item = Event>> Stream for Traced<S> {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Event>> {
        let this = &mut *self;
        let Some(events) = &mut this.events else { return Poll::Ready(None) };
        let inside = this.span.enter();
        let event = ready!(events.poll_next_unpin(task));
        drop(inside);
        if let Some(event) = event.as_ref().filter(|event| event.final_message().is_some()) {
            this.ended = true;
            if !this.span.is_disabled() {
                record_end(&this.span, event, this.with_content);
            }
        }
        Poll::Ready(event)
    }
}

impl<S> Drop for Traced<S> {
    fn drop(&mut self) {
        if !self.ended {
            self.span.record("error.type", &*kind_of(&Error::Aborted));
        }
        let _inside = self.span.enter();
        self.events = None;
    }
}

/// Notes how the call ended.
fn record_end(span: &Span, event: &Event, with_content: bool) {
    let Some(message) = event.final_message() else { return };
    if let Some(id) = &message.response_id {
        span.record("gen_ai.response.id", id.as_str());
    }
    // Only some formats say who answered, and only where it is not who was asked.
    let answered = message.response_id.as_ref().map(|_| message.response_model.as_ref().unwrap_or(&message.model));
    if let Some(model) = answered {
        span.record("gen_ai.response.model", model.as_str());
    }
    record_usage(span, message);
    if let Event::Error { reason, cause, .. } = event {
        let kind = match (cause, reason) {
            (Some(cause), _) => kind_of(cause),
            (None, StopReason::Aborted) => kind_of(&Error::Aborted),
            (None, _) => OTHER.into(),
        };
        span.record("error.type", &*kind);
        span.record("otel.status_code", "ERROR");
    } else {
        span.record("gen_ai.response.finish_reasons", format_args!("[\"{}\"]", finish_reason(message)).to_string());
    }
    if with_content {
        content::record_answer(span, message);
    }
}

/// The conventions count cached tokens as input, too.
fn record_usage(span: &Span, message: &AssistantMessage) {
    let usage = &message.usage;
    if usage.sum() == 0 {
        return;
    }
    span.record("gen_ai.usage.input_tokens", usage.input + usage.cache_read + usage.cache_write);
    span.record("gen_ai.usage.output_tokens", usage.output);
    span.record("gen_ai.usage.cache_read.input_tokens", usage.cache_read);
    span.record("gen_ai.usage.cache_creation.input_tokens", usage.cache_write);
}

/// The conventions' word for why the model stopped.
fn finish_reason(message: &AssistantMessage) -> &str {
    match &message.stop_reason {
        StopReason::ToolUse => "tool_calls",
        other => other.as_str(),
    }
}

/// The status that the server answered with, or a word of which there are few.
fn kind_of(error: &Error) -> Cow<'static, str> {
    let word = match error {
        Error::Aborted => "aborted",
        Error::Network(error) => network_kind(error),
        Error::Answer(AnswerError::Http { status, .. }) => return status.to_string().into(),
        Error::Answer(AnswerError::Provider { .. } | AnswerError::UnhandledStopReason { .. }) => "provider",
        Error::Answer(AnswerError::Decode { .. }) => "decode",
        Error::Answer(AnswerError::Incomplete { .. }) => "incomplete",
        Error::Credential(_) | Error::Login(LoginError::Refresh { .. }) => "credentials",
        Error::Request(RequestError::MissingVariable { .. } | RequestError::MissingSetting { .. }) => "missing_setting",
        Error::Request(RequestError::InvalidUrl { .. } | RequestError::InvalidHeader { .. }) => "invalid_request",
        Error::Hook { .. } => "hook",
        _ => OTHER,
    };
    word.into()
}

fn network_kind(error: &NetworkError) -> &'static str {
    match error {
        NetworkError::Timeout { .. } => "timeout",
        NetworkError::Stalled { .. } => "stalled",
        NetworkError::Connection { .. } => "connection",
        NetworkError::Setup { .. } => "network_setup",
        NetworkError::Body { .. } => "connection_lost",
        NetworkError::WebSocket { .. } => "websocket",
    }
}
