//! Turns any wire format into a stream of events: asks it for a request, sends that, feeds it the frames that come
//! back, and sees to cancellation, time limits and the one terminal event.
//!
//! Nothing here knows a provider. Layout: `request` makes the HTTP request, `exchange` gets it accepted, `answer` reads
//! the body, `preamble` explains bodies that are no stream, `redact` keeps credentials out of error texts, `trace`
//! reports the call to whoever traces the program.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_stream::stream;

use self::answer::{Answer, Step};
use self::redact::without_credentials;
use super::wire::WireFormat;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::{ResponseInfo, StreamOptions};
use crate::partial::MessageBuilder;
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
        let response = match open(&*format, &model, &context, &options).await {
            Ok(response) => response,
            Err(cause) => {
                yield message.fail(without_credentials(cause, &options));
                return;
            }
        };
        let decoder = format.decoder(&model, &context, &options);
        let mut answer = Answer::new(format, decoder, response, &options);
        message.start();
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
        while let Some(event) = message.next_event() {
            yield event;
        }
        yield match outcome {
            Ok(()) => message.done(),
            Err(cause) => message.fail(without_credentials(cause, &options)),
        };
    };
    AssistantMessageStream::new(trace::traced(events, span, with_content))
}

/// Gets a request accepted, unless the caller cancels first.
async fn open<W: WireFormat>(
    format: &W,
    model: &Arc<Model>,
    context: &Context,
    options: &StreamOptions,
) -> Result<HttpResponse, Error> {
    let opening = async {
        let request = request::prepare(format, model, context, options).await?;
        let response = exchange::send(format, model, options, request).await?;
        report(describe(&response), model, options).await?;
        Ok(response)
    };
    let outcome = tokio::select! {
        biased;
        () = options.cancel.cancelled() => Err(Error::Aborted),
        outcome = opening => outcome,
    };
    // Whatever went wrong after the caller cancelled went wrong because of it.
    outcome.map_err(|cause| if options.cancel.is_cancelled() { Error::Aborted } else { cause })
}

/// Calls the response hook.
async fn report(info: ResponseInfo, model: &Arc<Model>, options: &StreamOptions) -> Result<(), Error> {
    let Some(hook) = &options.on_response else { return Ok(()) };
    let called = (hook.0)(info, Arc::clone(model)).await;
    called.map_err(|message| Error::Hook { hook: "on_response", message })
}

/// Status and headers; the values of a repeated header are joined as HTTP joins them.
fn describe(response: &HttpResponse) -> ResponseInfo {
    let mut headers = BTreeMap::<String, String>::new();
    for (name, value) in &response.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        let joined = headers.get(name.as_str()).map(|first| format!("{first}, {value}"));
        headers.insert(name.as_str().to_owned(), joined.unwrap_or_else(|| value.into_owned()));
    }
    ResponseInfo { status: response.status, headers }
}

#[cfg(test)]
#[cfg(feature = "http")]
mod tests;
