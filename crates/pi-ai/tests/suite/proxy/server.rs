//! The server half: what it takes from a request, and what it never takes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use http::{Response, StatusCode};
use pi_ai::proxy::{ProxyBody, ProxyError, ProxyRequest, ProxyServer, error_response};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{AssistantMessageStream, Context, Model, StreamOptions, ThinkingLevel};
use serde_json::json;

use crate::proxy::support::{Server, StreamFn, call, client, options, run, serving};

async fn text(response: Response<ProxyBody>) -> (u16, String) {
    let status = response.status().as_u16();
    let body: Vec<_> = response.into_body().map(Result::unwrap).collect().await;
    (status, String::from_utf8(body.concat()).unwrap())
}

/// What reached the model layer.
type Seen = Arc<Mutex<Vec<(Arc<Model>, Context, StreamOptions)>>>;

fn recording() -> (Arc<StreamFn>, Seen) {
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    let stream: Arc<StreamFn> = Arc::new(move |model, context, options| {
        log.lock().unwrap().push((model, context, options));
        std::future::ready(Ok(AssistantMessageStream::new(futures::stream::empty()))).boxed()
    });
    (stream, seen)
}

fn hostile_request() -> serde_json::Value {
    json!({
        "model": {
            "id": "m", "provider": "p", "api": "anthropic-messages", "baseUrl": "https://evil.example",
            "headers": {"authorization": "mine"}, "cost": {"input": 0}, "compat": {"anything": true}, "news": 1
        },
        "context": {"systemPrompt": "Be kind.", "messages": [
            {"role": "user", "content": "hi", "timestamp": 1}, {"role": "news", "x": 1}
        ], "tools": [{"name": "t", "description": "d", "parameters": {}}], "news": []},
        "options": {
            "temperature": 0.5, "maxTokens": 10, "reasoning": "high", "sessionId": "s", "maxRetryDelayMs": 1500,
            "headers": {"Authorization": "Bearer stolen", "X-Title": "fine"}, "apiKey": "mine", "env": {"A": "b"},
            "news": {}
        },
        "news": true
    })
}

#[tokio::test]
async fn address_headers_and_keys_are_the_servers_own() {
    let (stream, seen) = recording();
    let own = Arc::new(Model { base_url: "https://model.example".to_owned(), ..scripted::model("m") });
    let model = Arc::clone(&own);
    let server = ProxyServer::new(stream, move |request| (request.model.id == "m").then(|| Arc::clone(&model)))
        .with_options(StreamOptions { api_key: Some("key".to_owned()), ..options() })
        .accept_headers(["x-title"]);
    let (status, body) = text(server.answer(hostile_request().to_string().as_bytes()).await).await;
    // The recording stream says nothing at all, which must not be the end of it.
    insta::assert_snapshot!(body, @r#"data: {"type":"error","reason":"error","errorMessage":"The model call ended without a final message","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}"#);
    let seen = seen.lock().unwrap();
    let (model, context, options) = &seen[0];
    assert_eq!((status, model), (200, &own));
    assert_eq!((context.messages.len(), context.tools.len()), (2, 1));
    assert_eq!(options.headers, [("X-Title".to_owned(), "fine".to_owned())].into());
    assert_eq!((options.api_key.as_deref(), options.env.len()), (Some("key"), 0));
    assert_eq!(
        (options.temperature, options.max_tokens, options.reasoning),
        (Some(0.5), Some(10), ThinkingLevel::High)
    );
    assert_eq!((options.session_id.as_deref(), options.max_retry_delay), (Some("s"), Duration::from_millis(1500)));
}

#[tokio::test]
async fn without_a_list_no_header_is_taken() {
    let (stream, seen) = recording();
    let server = ProxyServer::new(stream, |_| Some(scripted::model("m").into()));
    text(server.answer(hostile_request().to_string().as_bytes()).await).await;
    assert!(seen.lock().unwrap()[0].2.headers.is_empty());
}

#[tokio::test]
async fn refusals_are_json() {
    let (stream, _) = recording();
    let server = ProxyServer::new(stream, |_| None);
    let mut answers = Vec::new();
    for body in
        ["", "[]", "{\"model\":{}}", "{\"model\":{\"id\":\"m\",\"provider\":\"p\"},\"context\":{\"messages\":[]}}"]
    {
        answers.push(text(server.answer(body.as_bytes()).await).await);
    }
    let failing: Arc<StreamFn> = Arc::new(|_, _, _| std::future::ready(Err("out of models".to_owned())).boxed());
    let server = ProxyServer::new(failing, |_| Some(scripted::model("m").into()));
    answers.push(text(server.answer(hostile_request().to_string().as_bytes()).await).await);
    answers.push(text(error_response(StatusCode::UNAUTHORIZED, "no \"token\"")).await);
    insta::assert_debug_snapshot!(answers, @r#"
    [
        (
            400,
            "{\"error\":\"The request is none that a proxy understands: EOF while parsing a value at line 1 column 0\"}",
        ),
        (
            400,
            "{\"error\":\"The request is none that a proxy understands: invalid length 0, expected struct ProxyRequest with 3 elements at line 1 column 2\"}",
        ),
        (
            400,
            "{\"error\":\"The request is none that a proxy understands: missing field `id` at line 1 column 11\"}",
        ),
        (
            404,
            "{\"error\":\"This proxy does not serve model \\\"m\\\" of provider \\\"p\\\"\"}",
        ),
        (
            500,
            "{\"error\":\"out of models\"}",
        ),
        (
            401,
            "{\"error\":\"no \\\"token\\\"\"}",
        ),
    ]
    "#);
    assert!(matches!(ProxyRequest::parse(b"{"), Err(ProxyError::UnreadableRequest { .. })));
}

#[tokio::test]
async fn a_wrong_token_and_an_unknown_model_over_http() {
    let provider = ScriptedProvider::playing([scripted::message([scripted::text("hi")])]);
    let server = Server::proxy(serving(&provider).1).await;
    let http = Arc::new(pi_ai::transport::ReqwestTransport::new(&|_| None));
    let stream = client(&server.url(), "somebody-else", http);
    let ran = run(call(&stream, &provider.model(), options()).await).await;
    assert_eq!(ran.error(), "Proxy error: Who are you?");
    let other = Model { provider: "faux".to_owned(), ..scripted::model("another") };
    let ran = run(call(&server.stream_fn(), &Arc::new(other), options()).await).await;
    assert_eq!(ran.error(), "Proxy error: This proxy does not serve model \"another\" of provider \"faux\"");
    assert_eq!(provider.call_count(), 0);
}
