//! Sends a request until a response is accepted or the retries are used up.
//!
//! What is worth a retry is decided by the format, as a rule in `transport/retry.rs`; the body of an accepted response is
//! read elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt;

use crate::api::wire::WireFormat;
use crate::error::{AnswerError, Error, NetworkError};
use crate::model::Model;
use crate::options::{ResponseInfo, StreamOptions};
use crate::transport::{HttpRequest, HttpResponse, HttpTransport, default_transport, retry};

/// As much of an error body is read, in bytes.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// As long is waited for it. The status alone says something, too.
const ERROR_BODY_TIME: Duration = Duration::from_secs(10);

/// Sends a request and returns the first response with a 2xx status.
pub(super) async fn send<W: WireFormat>(
    format: &W,
    model: &Arc<Model>,
    options: &StreamOptions,
    request: HttpRequest,
) -> Result<HttpResponse, Error> {
    let transport = options.http.clone().map_or_else(default_transport, Ok)?;
    let transport = format.transport(transport, model, options);
    let mut attempt = 0;
    loop {
        let outcome = send_once(&*transport, request.clone(), format.header_timeout(options)).await;
        if let Some(info) = outcome.as_ref().ok().filter(|response| format.is_reported(response)).map(describe) {
            report(info, model, options).await?;
        }
        let may_retry = attempt < format.max_retries(options);
        let requested = match outcome {
            Ok(response) if (200..300).contains(&response.status) => return Ok(response),
            Ok(response) => refused(format, response, options, may_retry).await?,
            Err(error) if may_retry && retry::is_retryable_failure(&error) => None,
            Err(error) => return Err(error),
        };
        let delay = retry::delay(requested, options.max_retry_delay, format.backoff(), attempt, &*options.random);
        attempt += 1;
        tracing::debug!(attempt, ?delay, "request failed, trying again");
        tokio::time::sleep(delay).await;
    }
}

async fn send_once(
    transport: &dyn HttpTransport,
    request: HttpRequest,
    after: Duration,
) -> Result<HttpResponse, Error> {
    within(after, transport.send(request)).await.unwrap_or(Err(Error::Network(NetworkError::Timeout { after })))
}

/// Waits so long; `None` when the time is over. [`Duration::MAX`] waits for ever and reads no clock: there are platforms
/// that have none.
async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    if limit == Duration::MAX {
        return Some(work.await);
    }
    tokio::time::timeout(limit, work).await.ok()
}

/// The delay that the server asks for before another try, or the error that the response stands for, worded by the
/// wire format.
async fn refused<W: WireFormat>(
    format: &W,
    response: HttpResponse,
    options: &StreamOptions,
    may_retry: bool,
) -> Result<Option<Duration>, Error> {
    let retry_after = retry::requested_delay(&response.headers, options.clock.now_ms());
    let (status, headers) = (response.status, response.headers.clone());
    let body = read_some(response, format.error_body_timeout(options, ERROR_BODY_TIME)).await;
    let body = String::from_utf8_lossy(&body);
    if may_retry && format.is_retryable(status, &headers, &body) {
        return Ok(retry_after);
    }
    Err(Error::Answer(AnswerError::Http { status, message: format.rejected(status, &headers, &body), retry_after }))
}

/// The beginning of a body: what arrives in time, up to the limit.
async fn read_some(mut response: HttpResponse, limit: Duration) -> Vec<u8> {
    let mut text = Vec::new();
    let reading = async {
        while let Some(Ok(chunk)) = response.body.next().await {
            text.extend_from_slice(&chunk[..chunk.len().min(ERROR_BODY_LIMIT - text.len())]);
            if text.len() == ERROR_BODY_LIMIT {
                break;
            }
        }
    };
    // What arrived before the limit counts.
    let _ = within(limit, reading).await;
    text
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
