//! A proxy and an agent behind it, in one program. The proxy has the models and, in real life, their keys; the agent has
//! the proxy's address and a token. `cargo run -p pi-agent-core --example proxy`
#![allow(clippy::print_stdout, reason = "examples print")]

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use futures::StreamExt;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited, StreamBody};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, ProxyBody, ProxyOptions, ProxyServer, api_stream_fn, bearer_token,
    error_response, proxy_stream_fn,
};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::transport::ReqwestTransport;
use pi_ai::{ApiRegistry, AssistantMessageEvent, Model};
use tokio::net::TcpListener;

/// The token of the only user; a real proxy looks tokens up.
const TOKEN: &str = "token-of-a-user";
/// Requests hold whole transcripts, images included.
const LARGEST_REQUEST: usize = 64 * 1024 * 1024;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (server, model) = models();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(serve(listener, server));
    for token in [TOKEN, "something else"] {
        ask(address, token, Arc::clone(&model)).await?;
    }
    Ok(())
}

/// What the proxy offers: one model, which plays a script here. Whatever else clients ask for is refused.
fn models() -> (ProxyServer, Arc<Model>) {
    let provider =
        ScriptedProvider::playing([scripted::message([scripted::text("I have no key, but I know who does.")])]);
    let model = provider.model();
    let apis = ApiRegistry::builtin();
    apis.register(Arc::new(provider.clone()));
    let server = ProxyServer::new(api_stream_fn(Arc::new(apis)), move |request| provider.find_model(&request.model.id));
    (server, model)
}

async fn serve(listener: TcpListener, server: ProxyServer) {
    while let Ok((socket, _)) = listener.accept().await {
        let server = server.clone();
        let service = service_fn(move |request| answer(server.clone(), request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
    }
}

/// The HTTP side. The response streams while the model writes; when the client disconnects, the body is dropped, and
/// that aborts the call.
async fn answer(
    server: ProxyServer,
    request: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = Infallible>>, Infallible> {
    let response = respond(&server, request).await;
    Ok(response.map(|body| StreamBody::new(body.map(|piece| piece.map(Frame::data)))))
}

async fn respond(server: &ProxyServer, request: Request<Incoming>) -> Response<ProxyBody> {
    if request.uri().path() != "/api/stream" {
        return error_response(StatusCode::NOT_FOUND, "There is nothing here");
    }
    if bearer_token(request.headers()) != Some(TOKEN) {
        return error_response(StatusCode::UNAUTHORIZED, "Unknown token");
    }
    match Limited::new(request.into_body(), LARGEST_REQUEST).collect().await {
        Ok(body) => server.answer(&body.to_bytes()).await,
        Err(error) => error_response(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

/// An agent like any other, but for its stream function.
async fn ask(proxy: SocketAddr, token: &str, model: Arc<Model>) -> Result<(), Box<dyn Error>> {
    let options = ProxyOptions::builder()
        .proxy_url(format!("http://{proxy}"))
        .auth_token(token)
        .http(ReqwestTransport::shared())
        .build();
    let state = AgentState { model, ..AgentState::default() };
    let agent = Agent::new(AgentOptions::builder().stream(proxy_stream_fn(options)).initial_state(state).build());
    agent.on_event(|event| match event {
        AgentEvent::MessageUpdate { event: AssistantMessageEvent::TextDelta { delta, .. } } => print!("{delta}"),
        AgentEvent::AgentEnd { .. } => println!(),
        _ => {}
    });
    agent.prompt("Who has the key?").await?;
    if let Some(error) = agent.state().error_message {
        println!("failed: {error}");
    }
    Ok(())
}
