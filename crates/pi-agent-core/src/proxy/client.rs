//! The stream function that asks a proxy: one request, and the events of its response.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use pi_ai::transport::{HttpRequest, HttpResponse};
use pi_ai::{
    AnswerLimit, AssistantMessageStream, Context, Error, MessageBuilder, Model, Secrets, StreamOptions,
    without_known_secrets,
};
use serde::Serialize;
use serde_json::Value;

use super::answer::Answer;
use super::options::{ProxyCallOptions, ProxyOptions};
use super::rebuild::Rebuild;
use crate::hooks::StreamFn;

/// As much of an error body is read, in bytes.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// As long is waited for it. The status alone says something, too.
const ERROR_BODY_TIME: Duration = Duration::from_secs(10);

/// The body of a request.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a Model,
    context: &'a Context,
    options: ProxyCallOptions,
}

/// A stream function that lets a proxy make the model calls.
///
/// Of the options of a call those of [`ProxyCallOptions`] travel; `cancel`, `timeout`, `stall_timeout`, `clock` and
/// `http` apply on this side; keys, retries and hooks are the server's affair. A `timeout` of [`Duration::MAX`] and no
/// `stall_timeout` mean that no clock is read, for platforms that have none.
pub fn proxy_stream_fn(options: ProxyOptions) -> Arc<StreamFn> {
    let proxy = Arc::new(options);
    Arc::new(move |model, context, options| {
        let stream = call(Arc::clone(&proxy), model, context, options);
        std::future::ready(Ok(stream)).boxed()
    })
}

/// Makes one call. All work is done while the stream is polled; dropping it closes the connection.
fn call(
    proxy: Arc<ProxyOptions>,
    model: Arc<Model>,
    context: Context,
    options: StreamOptions,
) -> AssistantMessageStream {
    AssistantMessageStream::new(stream! {
        let secrets = secrets(&proxy);
        let mut message = Rebuild::new(MessageBuilder::new(&model, options.clock.now_ms()));
        let mut answer = match open(&proxy, &model, &context, &options).await {
            Ok(response) => Answer::new(response, AnswerLimit::of(&model), &options),
            Err(cause) => {
                yield message.fail(secrets.taken_out_of(cause));
                return;
            }
        };
        let outcome = loop {
            while let Some(event) = message.next_event() {
                yield event;
            }
            match answer.advance(&mut message).await {
                Ok(None) => {}
                Ok(Some(ending)) => break Ok(ending),
                Err(cause) => break Err(cause),
            }
        };
        drop(answer);
        while let Some(event) = message.next_event() {
            yield event;
        }
        yield match outcome {
            Ok(mut ending) => {
                ending.error = ending.error.map(|text| without_known_secrets(&secrets.redact(&text)));
                message.conclude(ending)
            }
            Err(cause) => message.fail(secrets.taken_out_of(cause)),
        };
    })
}

/// What a server may repeat in its complaints, and no error text may show.
fn secrets(proxy: &ProxyOptions) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add(&proxy.auth_token);
    secrets.add_url(&proxy.proxy_url);
    secrets
}

/// Gets the request accepted, unless the caller cancels first.
async fn open(
    proxy: &ProxyOptions,
    model: &Model,
    context: &Context,
    options: &StreamOptions,
) -> Result<HttpResponse, Error> {
    let outcome = tokio::select! {
        biased;
        () = options.cancel.cancelled() => Err(Error::Aborted),
        outcome = exchange(proxy, model, context, options) => outcome,
    };
    // Whatever went wrong after the caller cancelled went wrong because of it.
    outcome.map_err(|cause| if options.cancel.is_cancelled() { Error::Aborted } else { cause })
}

async fn exchange(
    proxy: &ProxyOptions,
    model: &Model,
    context: &Context,
    options: &StreamOptions,
) -> Result<HttpResponse, Error> {
    let request = request(proxy, &Body { model, context, options: ProxyCallOptions::of(options) })?;
    let http = options.http.as_ref().unwrap_or(&proxy.http);
    let sent = within(options.timeout, http.send(request)).await;
    let response = sent.unwrap_or(Err(Error::Timeout { after: options.timeout }))?;
    if (200..300).contains(&response.status) {
        return Ok(response);
    }
    Err(refused(response, if options.timeout == Duration::MAX { Duration::MAX } else { ERROR_BODY_TIME }).await)
}

fn request(proxy: &ProxyOptions, body: &Body<'_>) -> Result<HttpRequest, Error> {
    let invalid = |detail: &str| Error::InvalidHeader { name: "Authorization".to_owned(), detail: detail.to_owned() };
    let mut token = HeaderValue::try_from(format!("Bearer {}", proxy.auth_token))
        .map_err(|_| invalid("the token of the proxy holds a character that a header cannot carry"))?;
    token.set_sensitive(true);
    let headers =
        [(header::AUTHORIZATION, token), (header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    let body = serde_json::to_vec(body)
        .map_err(|error| Error::Decode { message: format!("The request cannot be written as JSON: {error}") })?;
    Ok(HttpRequest {
        method: Method::POST,
        url: format!("{}/api/stream", proxy.proxy_url.trim_end_matches('/')),
        headers: HeaderMap::from_iter(headers),
        body: body.into(),
    })
}

/// Waits so long; `None` when the time is over. [`Duration::MAX`] waits for ever.
async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    if limit == Duration::MAX {
        return Some(work.await);
    }
    tokio::time::timeout(limit, work).await.ok()
}

/// The error that a response with an error status stands for.
async fn refused(mut response: HttpResponse, limit: Duration) -> Error {
    let mut text = Vec::new();
    let reading = async {
        while let Some(Ok(chunk)) = response.body.next().await {
            text.extend_from_slice(&chunk[..chunk.len().min(ERROR_BODY_LIMIT - text.len())]);
            if text.len() == ERROR_BODY_LIMIT {
                break;
            }
        }
    };
    // What arrived in time counts.
    let _ = within(limit, reading).await;
    let status = response.status;
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    let detail = complaint(&text).unwrap_or_else(|| format!("{status} {reason}").trim_end().to_owned());
    Error::Http { status, message: format!("Proxy error: {detail}"), retry_after: None }
}

/// The `error` of a JSON body.
fn complaint(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    match body.get("error")? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Object(error) => Some(error.get("message").and_then(Value::as_str)?.to_owned()),
        _ => None,
    }
}
