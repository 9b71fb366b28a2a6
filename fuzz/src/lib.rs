//! What the fuzz targets share: a response body of arbitrary bytes through the public API, down to the terminal event.
//!
//! The targets themselves are in `fuzz_targets/`, one per wire format, one per parser below them, and those of the terminal.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use http::HeaderMap;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{
    ApiRegistry, Context, Error, FixedClock, InputKind, Message, Model, StopReason, StreamOptions, ThinkingLevel, Transport,
};

/// A key that every format accepts: the payload names an account, as that of a ChatGPT subscription does.
const KEY: &str = "e30.eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoiYWNjdCJ9fQ.sig";

/// Answers with these pieces and closes the connection.
#[derive(Debug)]
struct Canned(Vec<Bytes>);

impl HttpTransport for Canned {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = stream::iter(self.0.clone()).map(Ok).boxed();
        Box::pin(async { Ok(HttpResponse { status: 200, headers: HeaderMap::new(), body }) })
    }
}

/// Feeds a body to a wire format. The first byte decides how the rest is cut into pieces.
///
/// # Panics
/// When there is not exactly one terminal event, it is not the last, an error has no text, or the message cannot be
/// written and read back.
pub fn decode(api: &str, input: &[u8]) {
    let Some((&size, body)) = input.split_first() else { return };
    let size = if size == 0 { body.len().max(1) } else { usize::from(size) };
    let transport = Canned(body.chunks(size).map(Bytes::copy_from_slice).collect());
    let model = Model {
        id: "model".into(),
        api: api.into(),
        provider: "fuzz".into(),
        base_url: "http://fuzz.example".into(),
        input: vec![InputKind::Text],
        max_tokens: 1000,
        ..Model::default()
    };
    let options = StreamOptions {
        api_key: Some(KEY.into()),
        http: Some(Arc::new(transport)),
        clock: Arc::new(FixedClock(0)),
        reasoning: ThinkingLevel::Medium,
        transport: Some(Transport::Sse),
        env: [("AWS_BEDROCK_SKIP_AUTH".to_owned(), "1".to_owned())].into(),
        ..StreamOptions::default()
    };
    let stream = ApiRegistry::builtin().stream(Arc::new(model), Context::prompt("hi"), options).expect("the api is built in");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let events = runtime.block_on(stream.collect::<Vec<_>>());
    let terminal = events.iter().filter(|event| event.final_message().is_some()).count();
    assert_eq!(terminal, 1);
    let message = events.last().and_then(|event| event.final_message()).expect("the terminal event is the last");
    assert_eq!(message.stop_reason == StopReason::Error, message.error_message.is_some());
    let message = Message::from((**message).clone());
    let json = serde_json::to_string(&message).expect("a message is JSON");
    assert_eq!(serde_json::from_str::<Message>(&json).expect("a message can be read back"), message);
}
