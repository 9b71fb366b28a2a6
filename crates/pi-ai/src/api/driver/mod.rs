//! Turns any wire format into a stream of events: asks it for a request, sends that, feeds it the frames that come
//! back, and sees to cancellation, time limits and the one terminal event.
//!
//! Nothing here knows a provider. Layout: `request` makes the HTTP request, `exchange` gets it accepted, `answer` reads
//! the body, `preamble` explains bodies that are no stream, `redact` keeps credentials out of error texts, `trace`
//! reports the call to whoever traces the program.

use std::sync::Arc;

use async_stream::stream;

use self::answer::{ResponseReader, Step};
pub(crate) use self::redact::Credentials;
use super::wire::{Decoder as _, WireFormat};
use crate::answer_limit::AnswerLimit;
use crate::builder::MessageBuilder;
use crate::context::Context;
use crate::error::Error;
use crate::event::AssistantMessageEvent as Event;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::stream::AssistantMessageStream;
use crate::transport::HttpResponse;

mod answer;
mod exchange;
mod preamble;
mod redact;
mod request;
mod trace;

/// Runs one call. All work is done while the stream is polled; dropping it closes the connection.
pub(crate) fn drive<W: WireFormat>(
    format: Arc<W>,
    model: Arc<Model>,
    context: Context,
    options: StreamOptions,
) -> AssistantMessageStream {
    let span = trace::span(&model, &context, &options);
    let with_content = options.trace_content;
    let events = stream! {
        let mut message = MessageBuilder::new(&model, options.clock.now_ms());
        let mut credentials = Credentials::given(&options);
        let response = match open(&*format, &model, &context, &options, &mut credentials).await {
            Ok(response) => response,
            Err(cause) => {
                format.conclude(Err(&cause), &options, &mut message);
                yield failed(&*format, &credentials, cause, message);
                return;
            }
        };
        let mut decoder = format.decoder(&model, &context, &options);
        decoder.accepted(&response.headers, &mut message);
        let mut answer = ResponseReader::new(Arc::clone(&format), decoder, response, AnswerLimit::of(&model), &options);
        let outcome = loop {
            while let Some(event) = message.next_event() {
                yield event;
            }
            match answer.advance(&mut message).await {
                Ok(Step::More) => {}
                Ok(Step::Complete) => break Ok(()),
                Err(cause) => {
                    answer.failed(&cause, &mut message);
                    break Err(cause);
                }
            }
        };
        drop(answer);
        format.conclude(outcome.as_ref().copied(), &options, &mut message);
        while let Some(event) = message.next_event() {
            yield event;
        }
        yield match outcome {
            Ok(()) => message.done(),
            Err(cause) => failed(&*format, &credentials, cause, message),
        };
    };
    AssistantMessageStream::new(trace::traced(events, span, with_content))
}

/// The terminal event of a failure, without credentials.
fn failed<W: WireFormat>(format: &W, credentials: &Credentials, cause: Error, message: MessageBuilder) -> Event {
    let text = format.failure_text(&cause).map(|text| credentials.taken_out_of_text(&text));
    let cause = credentials.taken_out_of(cause);
    let text = text.unwrap_or_else(|| cause.to_string());
    message.fail_saying(cause, text)
}

/// Gets a request accepted, unless the caller cancels first. Notes the credentials that the request carries.
async fn open<W: WireFormat>(
    format: &W,
    model: &Arc<Model>,
    context: &Context,
    options: &StreamOptions,
    credentials: &mut Credentials,
) -> Result<HttpResponse, Error> {
    let opening = async {
        let request = request::prepare(format, model, context, options).await?;
        credentials.add_sent(&request.url, &request.headers);
        exchange::send(format, model, options, request).await
    };
    let outcome = tokio::select! {
        biased;
        () = options.cancel.cancelled() => Err(Error::Aborted),
        outcome = opening => outcome,
    };
    // Whatever went wrong after the caller cancelled went wrong because of it.
    outcome.map_err(|cause| if options.cancel.is_cancelled() { Error::Aborted } else { cause })
}

#[cfg(test)]
#[cfg(feature = "http")]
mod tests;
