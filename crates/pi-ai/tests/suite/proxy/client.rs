//! What the client sends, and what it makes of events that our server would not send.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Response;
use pi_ai::proxy::ProxyOptions;
use pi_ai::transport::ReqwestTransport;
use pi_ai::{CacheRetention, ContentBlock, StreamOptions, ThinkingLevel, Transport};
use serde_json::json;

use crate::proxy::support::{Memory, Ran, Server, TOKEN, call, client, options, run};

/// What a client makes of these lines.
pub(crate) async fn read(lines: &str) -> Ran {
    let stream = client("http://nowhere", TOKEN, Arc::new(Memory(vec![lines.to_owned().into()])));
    run(call(&stream, &pi_ai::scripted::model("m").into(), options()).await).await
}

#[tokio::test]
async fn the_request_holds_model_context_and_the_options_that_travel() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let server = Server::start(move |headers, line, body| {
        let show = |name: &str| headers[name].to_str().unwrap().to_owned();
        let body = String::from_utf8(body.to_vec()).unwrap();
        log.lock().unwrap().push((line, show("authorization"), show("content-type"), body));
        std::future::ready(Response::new(crate::proxy::support::pieces(futures::stream::empty())))
    })
    .await;
    let full = StreamOptions {
        temperature: Some(0.5),
        max_tokens: Some(100),
        reasoning: ThinkingLevel::High,
        cache_retention: Some(CacheRetention::Long),
        session_id: Some("s1".to_owned()),
        headers: [("x-title".to_owned(), "t".to_owned())].into(),
        metadata: json!({"user_id": "u"}).as_object().unwrap().clone(),
        transport: Some(Transport::Sse),
        thinking_budgets: Some([(ThinkingLevel::High, 9000)].into()),
        max_retry_delay: Duration::from_secs(5),
        api_key: Some("key-that-stays".to_owned()),
        ..options()
    };
    for options in [options(), full] {
        // A slash at the end of the URL makes no difference.
        let http = Arc::new(ReqwestTransport::new(&|_| None));
        let stream = client(&format!("{}/", server.url()), TOKEN, http);
        run(call(&stream, &pi_ai::scripted::model("m").into(), options).await).await;
    }
    insta::assert_debug_snapshot!(*seen.lock().unwrap(), @r#"
    [
        (
            "POST /api/stream",
            "Bearer client-token-1",
            "application/json",
            "{\"model\":{\"id\":\"m\",\"name\":\"m\",\"api\":\"\",\"provider\":\"\",\"baseUrl\":\"http://localhost:0\",\"reasoning\":false,\"input\":[\"text\",\"image\"],\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0},\"contextWindow\":128000,\"maxTokens\":16384},\"context\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\",\"timestamp\":0}]},\"options\":{}}",
        ),
        (
            "POST /api/stream",
            "Bearer client-token-1",
            "application/json",
            "{\"model\":{\"id\":\"m\",\"name\":\"m\",\"api\":\"\",\"provider\":\"\",\"baseUrl\":\"http://localhost:0\",\"reasoning\":false,\"input\":[\"text\",\"image\"],\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0},\"contextWindow\":128000,\"maxTokens\":16384},\"context\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\",\"timestamp\":0}]},\"options\":{\"temperature\":0.5,\"maxTokens\":100,\"reasoning\":\"high\",\"cacheRetention\":\"long\",\"sessionId\":\"s1\",\"headers\":{\"x-title\":\"t\"},\"metadata\":{\"user_id\":\"u\"},\"transport\":\"sse\",\"thinkingBudgets\":{\"high\":9000},\"maxRetryDelayMs\":5000}}",
        ),
    ]
    "#);
}

#[tokio::test]
async fn only_data_lines_count() {
    let ran = read(concat!(
        ": comment\n\nevent: start\ndata:{\"type\":\"start\"}\n data: {}\nDATA: x\ndata: \n",
        "data:   {\"type\":\"start\"}  \r\n",
        "data: {\"type\":\"text_start\",\"contentIndex\":0}\ndata: {\"type\":\"news\",\"of\":\"tomorrow\"}\n",
        "data: {\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"hi\",\"unknown\":1}\n",
        "data: {\"type\":\"text_end\",\"contentIndex\":0,\"contentSignature\":\"s\"}\n",
        "data: {\"type\":\"done\",\"reason\":\"length\",\"usage\":{\"input\":1}}\ndata: {\"type\":\"start\"}\nnonsense",
    ))
    .await;
    assert_eq!(ran.kinds(), "start text_start text_delta text_end done");
    assert_eq!(
        (ran.message.text().as_str(), ran.message.stop_reason.as_str(), ran.message.usage.input),
        ("hi", "length", 1)
    );
    assert!(matches!(&ran.message.content[0], ContentBlock::Text(text) if text.text_signature.as_deref() == Some("s")));
}

#[tokio::test]
async fn a_last_line_without_its_end_counts() {
    let ran = read("data: {\"type\":\"start\"}\n\ndata: {\"type\":\"done\",\"reason\":\"stop\",\"usage\":{}}").await;
    assert_eq!((ran.kinds().as_str(), ran.error()), ("start done", ""));
}

#[tokio::test]
async fn a_character_that_was_cut_in_two_is_put_together() {
    let delta = |text: &str| format!("data: {{\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"{text}\"}}\n");
    let ran = read(&format!(
        "data: {{\"type\":\"text_start\",\"contentIndex\":0}}\n{}{}{}data: {{\"type\":\"done\",\"reason\":\"stop\"}}\n",
        delta("a\\ud83d"),
        delta("\\ude00b"),
        delta("x\\ud83dy")
    ))
    .await;
    assert_eq!(ran.message.text(), "a😀bx\u{fffd}y");
}

#[tokio::test]
async fn a_message_that_begins_anew_replaces_the_first() {
    let ran = read(concat!(
        "data: {\"type\":\"text_start\",\"contentIndex\":0}\n",
        "data: {\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"lost\"}\n",
        "data: {\"type\":\"text_start\",\"contentIndex\":1}\n",
        "data: {\"type\":\"text_start\",\"contentIndex\":0}\n",
        "data: {\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"kept\"}\n",
        "data: {\"type\":\"done\",\"reason\":\"stop\"}\n",
    ))
    .await;
    assert_eq!((ran.message.text().as_str(), ran.message.content.len()), ("kept", 1));
}

#[tokio::test]
async fn failures_that_the_proxy_reports() {
    let cases = [
        (r#""reason":"error","errorMessage":"overloaded","usage":{}"#, "error", "overloaded"),
        (r#""reason":"error""#, "error", "An unknown error occurred"),
        (
            r#""reason":"aborted","errorMessage":"Request was aborted by the user","usage":{}"#,
            "aborted",
            "Request was aborted by the user",
        ),
        (r#""reason":"aborted""#, "aborted", "Request was aborted"),
        // Not a reason for a failure: it stays one.
        (r#""reason":"stop","errorMessage":"client-token-1 is wrong""#, "error", "REDACTED is wrong"),
    ];
    for (fields, reason, text) in cases {
        let ran = read(&format!("data: {{\"type\":\"error\",{fields}}}\n")).await;
        assert_eq!((ran.message.stop_reason.as_str(), ran.error()), (reason, text));
        assert_eq!(ran.kinds(), "error");
    }
}

#[test]
fn no_secret_is_shown() {
    let proxy_url = "http://user:password@host/?key=secret";
    let options =
        ProxyOptions::builder().proxy_url(proxy_url).auth_token(TOKEN).http(Arc::new(Memory(Vec::new()))).build();
    assert_eq!(format!("{options:?}"), "ProxyOptions { .. }");
}
