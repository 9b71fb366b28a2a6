//! Sends a request until a response is accepted or the retries are used up.
//!
//! What is worth a retry is decided in `transport/retry.rs`; the body of an accepted response is read elsewhere.

use std::time::Duration;

use futures::stream::StreamExt;

use crate::api::wire::WireFormat;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::{HttpRequest, HttpResponse, HttpTransport, default_transport, retry};

/// As much of an error body is read, in bytes.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// As long is waited for it. The status alone says something, too.
const ERROR_BODY_TIME: Duration = Duration::from_secs(10);

/// Sends a request and returns the first response with a 2xx status.
pub(super) async fn send<W: WireFormat>(
    format: &W,
    model: &Model,
    options: &StreamOptions,
    request: HttpRequest,
) -> Result<HttpResponse, Error> {
    let transport = options.http.clone().map_or_else(default_transport, Ok)?;
    let transport = format.transport(transport, model, options);
    let mut attempt = 0;
    loop {
        let outcome = send_once(&*transport, request.clone(), format.header_timeout(options)).await;
        let may_retry = attempt < format.max_retries(options);
        let requested = match outcome {
            Ok(response) if (200..300).contains(&response.status) => return Ok(response),
            Ok(response) => {
                let requested = retry::requested_delay(&response.headers, options.clock.now_ms());
                if !(may_retry && retry::is_retryable_response(response.status, &response.headers)) {
                    return Err(read_error(format, response, requested).await);
                }
                requested
            }
            Err(error) if may_retry && retry::is_retryable_failure(&error) => None,
            Err(error) => return Err(error),
        };
        let delay = retry::delay(requested, options.max_retry_delay, attempt, &*options.random);
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
    tokio::time::timeout(after, transport.send(request)).await.unwrap_or(Err(Error::Timeout { after }))
}

/// The error that a response stands for, worded by the wire format.
async fn read_error<W: WireFormat>(format: &W, response: HttpResponse, retry_after: Option<Duration>) -> Error {
    let status = response.status;
    let body = read_some(response).await;
    Error::Http { status, message: format.http_error(status, &String::from_utf8_lossy(&body)), retry_after }
}

/// The beginning of a body: what arrives in time, up to the limit.
async fn read_some(mut response: HttpResponse) -> Vec<u8> {
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
    let _ = tokio::time::timeout(ERROR_BODY_TIME, reading).await;
    text
}
