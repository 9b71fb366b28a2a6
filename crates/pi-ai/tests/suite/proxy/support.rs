//! A real HTTP server on loopback around the server half, a transport without network, and events as comparable values.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use pi_ai::proxy::{ProxyApi, ProxyBody, ProxyOptions, ProxyServer, bearer_token, error_response};
use pi_ai::scripted::ScriptedProvider;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport, ReqwestTransport};
use pi_ai::{
    Api, ApiRegistry, AssistantMessage, AssistantMessageEvent as Event, AssistantMessageStream, Context, Error,
    FixedClock, Model, StreamOptions,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "client-token-1";

pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;
type Handler = dyn Fn(HeaderMap, String, Bytes) -> BoxFuture<'static, Response<Body>> + Send + Sync;

/// How a program starts model calls.
pub(crate) type StreamFn = dyn Fn(Arc<Model>, Context, StreamOptions) -> BoxFuture<'static, Result<AssistantMessageStream, String>>
    + Send
    + Sync;

/// Calls in the wire formats of a registry.
pub(crate) fn api_stream_fn(apis: Arc<ApiRegistry>) -> Arc<StreamFn> {
    Arc::new(move |model, context, options| {
        let stream = apis.stream(model, context, options).map_err(|error| error.to_string());
        std::future::ready(stream).boxed()
    })
}

/// Calls through a proxy.
fn proxy_stream_fn(options: ProxyOptions) -> Arc<StreamFn> {
    let proxy = ProxyApi::new(options);
    Arc::new(move |model, context, options| std::future::ready(Ok(proxy.stream(model, context, options))).boxed())
}

/// An HTTP server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Server {
    /// `handler` is given headers, "METHOD path" and body.
    pub(crate) async fn start<F>(handler: impl Fn(HeaderMap, String, Bytes) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Response<Body>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let handler: Arc<Handler> = Arc::new(move |headers, line, body| handler(headers, line, body).boxed());
        Self { address, task: tokio::spawn(accept(listener, handler)) }
    }

    /// A server that always gives the same answer.
    pub(crate) async fn answering(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        Self::start(move |_, _, _| {
            let response = Response::builder().status(status).header("content-type", content_type);
            std::future::ready(response.body(full(body.clone())).unwrap())
        })
        .await
    }

    /// A proxy in front of the models of `stream`.
    pub(crate) async fn proxy(server: ProxyServer) -> Self {
        Self::start(move |headers, line, body| {
            let server = server.clone();
            async move {
                if line != "POST /api/stream" {
                    return send(error_response(StatusCode::NOT_FOUND, &line));
                }
                if bearer_token(&headers) != Some(TOKEN) {
                    return send(error_response(StatusCode::UNAUTHORIZED, "Who are you?"));
                }
                send(server.answer(&body).await)
            }
        })
        .await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn stream_fn(&self) -> Arc<StreamFn> {
        client(&self.url(), TOKEN, Arc::new(ReqwestTransport::new(&|_| None)))
    }

    /// Runs one call of a client.
    pub(crate) async fn call(&self) -> Ran {
        run(call(&self.stream_fn(), &pi_ai::scripted::model("faux-1").into(), options()).await).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, handler: Arc<Handler>) {
    while let Ok((socket, _)) = listener.accept().await {
        let handler = Arc::clone(&handler);
        let service = service_fn(move |request: Request<Incoming>| answer(Arc::clone(&handler), request));
        // A client that goes away is what some tests are about.
        tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service));
    }
}

async fn answer(handler: Arc<Handler>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let (head, body) = request.into_parts();
    let line = format!("{} {}", head.method, head.uri.path());
    let body = body.collect().await.unwrap().to_bytes();
    Ok(handler(head.headers, line, body).await)
}

fn full(body: Bytes) -> Body {
    Full::new(body).map_err(|never| match never {}).boxed_unsync()
}

/// A body in pieces; an `Err` breaks the connection.
pub(crate) fn pieces(pieces: impl futures::Stream<Item = io::Result<Bytes>> + Send + 'static) -> Body {
    StreamBody::new(pieces.map(|piece| piece.map(Frame::data))).boxed_unsync()
}

pub(crate) fn send(response: Response<ProxyBody>) -> Response<Body> {
    response.map(|body| pieces(body.map(|piece| piece.map_err(|never| match never {}))))
}

/// Answers every request with the same body in the same pieces.
#[derive(Debug)]
pub(crate) struct Memory(pub(crate) Vec<Bytes>);

impl HttpTransport for Memory {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = futures::stream::iter(self.0.clone()).map(Ok).boxed();
        let response = HttpResponse { status: 200, headers: HeaderMap::new(), body };
        std::future::ready(Ok(response)).boxed()
    }
}

pub(crate) fn client(url: &str, token: &str, http: Arc<dyn HttpTransport>) -> Arc<StreamFn> {
    proxy_stream_fn(ProxyOptions::builder().proxy_url(url).auth_token(token).http(http).build())
}

/// The stream function of a scripted provider, and a server that offers its models to everybody.
pub(crate) fn serving(provider: &ScriptedProvider) -> (Arc<StreamFn>, ProxyServer) {
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let stream = api_stream_fn(Arc::new(apis));
    let models = provider.clone();
    let server = ProxyServer::new(Arc::clone(&stream), move |request| models.find_model(&request.model.id));
    (stream, server.with_options(options()))
}

pub(crate) fn options() -> StreamOptions {
    StreamOptions { clock: Arc::new(FixedClock(7)), ..StreamOptions::default() }
}

pub(crate) async fn call(stream: &Arc<StreamFn>, model: &Arc<Model>, options: StreamOptions) -> AssistantMessageStream {
    stream(Arc::clone(model), Context::prompt("Hi"), options).await.unwrap()
}

/// A call that ran to its end.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) events: Vec<Value>,
    pub(crate) message: AssistantMessage,
}

impl Ran {
    pub(crate) fn error(&self) -> &str {
        self.message.error_message.as_deref().unwrap_or("")
    }

    /// The events in a word each.
    pub(crate) fn kinds(&self) -> String {
        let kinds: Vec<&str> = self.events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        kinds.join(" ")
    }
}

pub(crate) async fn run(mut stream: AssistantMessageStream) -> Ran {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        events.push(describe(&event));
    }
    let message = (**stream.final_message().expect("a terminal event")).clone();
    Ran { events, message }
}

/// Everything that an event says, the message so far aside.
pub(crate) fn describe(event: &Event) -> Value {
    let detail = match event {
        Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } | Event::ToolCallDelta { delta, .. } => {
            json!(delta)
        }
        Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => json!(content),
        Event::ToolCallEnd { tool_call, .. } => json!(tool_call),
        Event::Done { reason, message } => json!([reason, message]),
        Event::Error { reason, error, .. } => json!([reason, error]),
        _ => Value::Null,
    };
    json!({ "type": event.kind(), "contentIndex": event.content_index(), "detail": detail })
}

/// Waits until the value is true, for as long as a busy machine may need.
pub(crate) async fn becomes_true(flag: &watch::Sender<bool>) {
    let mut flag = flag.subscribe();
    let waiting = flag.wait_for(|value| *value);
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await.expect("in time").unwrap();
}
