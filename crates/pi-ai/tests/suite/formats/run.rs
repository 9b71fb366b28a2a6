//! Runs calls against a canned response and keeps the request.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use http::HeaderMap;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{
    ApiRegistry, AssistantMessage, AssistantMessageEvent as Event, AssistantMessageStream, Context, Error, FixedClock,
    Message, Model, NetworkError, StreamOptions,
};
use serde_json::Value;

use crate::formats::codex;

/// Answers every request with the same bytes.
#[derive(Debug, Default)]
pub(crate) struct Canned {
    status: u16,
    headers: HeaderMap,
    pieces: Vec<Bytes>,
    /// How the body ends.
    end: End,
    request: Mutex<Option<HttpRequest>>,
}

/// How a body ends.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) enum End {
    /// Properly.
    #[default]
    Closed,
    /// The connection breaks.
    Broken,
    /// The connection stays open and silent.
    Open,
}

impl Canned {
    /// A successful response in pieces of so many bytes; 0 for one piece.
    pub(crate) fn stream(body: &(impl AsRef<[u8]> + ?Sized), split: usize, end: End) -> Arc<Self> {
        let body = body.as_ref();
        let split = if split == 0 { body.len().max(1) } else { split };
        let pieces = body.chunks(split).map(Bytes::copy_from_slice).collect();
        Arc::new(Self { status: 200, pieces, end, ..Self::default() })
    }

    pub(crate) fn error(status: u16, body: &str) -> Arc<Self> {
        Arc::new(Self { status, pieces: vec![Bytes::copy_from_slice(body.as_bytes())], ..Self::default() })
    }

    /// An error status with headers.
    pub(crate) fn refusal(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Arc<Self> {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let pieces = vec![Bytes::copy_from_slice(body.as_bytes())];
        Arc::new(Self { status, headers, pieces, ..Self::default() })
    }

    pub(crate) fn request(&self) -> HttpRequest {
        self.request.lock().unwrap().clone().expect("a request was sent")
    }
}

impl HttpTransport for Canned {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        *self.request.lock().unwrap() = Some(request);
        let pieces = stream::iter(self.pieces.clone()).map(Ok);
        let body = match self.end {
            End::Closed => pieces.boxed(),
            End::Broken => {
                let broken = Error::Network(NetworkError::Body { detail: "connection reset".into() });
                pieces.chain(stream::iter([Err(broken)])).boxed()
            }
            End::Open => pieces.chain(stream::pending()).boxed(),
        };
        let response = HttpResponse { status: self.status, headers: self.headers.clone(), body };
        Box::pin(async { Ok(response) })
    }
}

/// What a call came to.
pub(crate) struct Outcome {
    /// All events, `start` and the terminal one included.
    pub(crate) events: Vec<Event>,
    /// The message as seen after the last event before the terminal one.
    pub(crate) last_seen: Option<Arc<AssistantMessage>>,
}

impl Outcome {
    pub(crate) fn message(&self) -> &Arc<AssistantMessage> {
        self.events.last().and_then(Event::final_message).expect("a terminal event comes last")
    }
}

/// Options for tests: a key, a fixed time, and a transport.
pub(crate) fn with_transport(mut options: StreamOptions, transport: &Arc<Canned>) -> StreamOptions {
    options.http = Some(Arc::clone(transport) as Arc<dyn HttpTransport>);
    options.clock = Arc::new(FixedClock(0));
    options.api_key.get_or_insert_with(|| "key".into());
    options
}

/// Runs a call to its end. Whoever looks at every event sees the message grow; that must not change it.
pub(crate) fn call(model: &Arc<Model>, context: &Context, options: StreamOptions, transport: &Arc<Canned>) -> Outcome {
    let options = with_transport(codex::with_key(model, options), transport);
    collect(ApiRegistry::builtin().stream(Arc::clone(model), context.clone(), options).unwrap())
}

pub(crate) fn collect(stream: AssistantMessageStream) -> Outcome {
    collect_until(stream, |_| {})
}

/// Reads a stream to its end and shows every event, so that the caller can intervene.
pub(crate) fn collect_until(mut stream: AssistantMessageStream, mut watch: impl FnMut(&Event)) -> Outcome {
    RUNTIME.with(|runtime| {
        runtime.block_on(async {
            let mut outcome = Outcome { events: Vec::new(), last_seen: None };
            while let Some(event) = stream.next().await {
                if let Some(partial) = event.partial() {
                    outcome.last_seen = Some(partial.snapshot());
                }
                watch(&event);
                outcome.events.push(event);
            }
            outcome
        })
    })
}

thread_local! {
    /// Made once: properties run thousands of calls.
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
}

/// One line per event: kind, block, payload.
pub(crate) fn lines(events: &[Event]) -> String {
    events.iter().map(line).collect()
}

fn line(event: &Event) -> String {
    let at = event.content_index().map_or(String::new(), |at| format!(" {at}"));
    let payload = match event {
        Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } | Event::ToolCallDelta { delta, .. } => {
            format!(" {delta:?}")
        }
        Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => format!(" {content:?}"),
        Event::ToolCallEnd { tool_call, .. } => format!(" {}", serde_json::to_string(tool_call).unwrap()),
        Event::Done { reason, .. } | Event::Error { reason, .. } => format!(" {}", reason.as_str()),
        _ => String::new(),
    };
    format!("{}{at}{payload}\n", event.kind())
}

/// A message as JSON.
pub(crate) fn json(message: &AssistantMessage) -> Value {
    serde_json::to_value(Message::from(message.clone())).unwrap()
}
