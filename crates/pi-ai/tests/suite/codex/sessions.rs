//! Connections that outlive a call.

use std::sync::Arc;

use pi_ai::{ApiRegistry, Context, Message, StreamOptions, Transport};
use serde_json::{Value, json};

use crate::codex::server::{Act, Script, answer, interrupted};
use crate::codex::{Program, Ran, options, read_until, run, token};

/// The conversation after a call, with another question.
fn after(context: &Context, ran: &Ran, question: &str) -> Context {
    let user = Context::prompt(question).messages.remove(0);
    let mut context = context.clone().with_message(Message::from((*ran.message).clone()));
    context.messages.push(user);
    context
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": [{"type": "input_text", "text": text}]})
}

fn previous(request: &Value) -> Option<&str> {
    request.get("previous_response_id").and_then(Value::as_str)
}

#[tokio::test]
async fn only_what_is_new_is_sent() {
    for transport in [Transport::Auto, Transport::WebsocketCached] {
        let turns = ["one", "two", "three"].map(|text| answer(&format!("r-{text}"), text));
        let program = Program::start([Script::Serve(turns.to_vec())]).await;
        let mut context = Context::prompt("first").with_system_prompt("Be brief.");
        for (text, question) in [("one", "second"), ("two", "third"), ("three", "")] {
            let ran = run(program.stream(context.clone(), options(transport))).await;
            ran.assert_says(text);
            context = after(&context, &ran, question);
        }
        let log = program.server.log();
        assert_eq!(log.sockets.len(), 1);
        let requests = &log.sockets[0].requests;
        assert_eq!((previous(&requests[0]), &requests[0]["input"]), (None, &json!([user("first")])));
        assert_eq!((previous(&requests[1]), &requests[1]["input"]), (Some("r-one"), &json!([user("second")])));
        assert_eq!((previous(&requests[2]), &requests[2]["input"]), (Some("r-two"), &json!([user("third")])));
        assert_eq!((&requests[2]["store"], &requests[2]["instructions"]), (&json!(false), &json!("Be brief.")));
        let stats = program.stats();
        assert_eq!((stats.requests, stats.connections_created, stats.connections_reused), (3, 1, 2));
        assert_eq!((stats.cached_context_requests, stats.full_context_requests, stats.delta_requests), (3, 1, 2));
        assert_eq!((stats.last_input_items, stats.last_delta_input_items), (5, Some(1)));
        assert_eq!(stats.last_previous_response_id.as_deref(), Some("r-two"));
    }
}

#[tokio::test]
async fn without_an_explicit_wish_everything_is_sent_on_the_same_connection() {
    for transport in [None, Some(Transport::Websocket)] {
        let program = Program::start([Script::Serve(vec![answer("r1", "one"), answer("r2", "two")])]).await;
        let context = Context::prompt("first");
        let ran = run(program.stream(context.clone(), options(transport))).await;
        run(program.stream(after(&context, &ran, "second"), options(transport))).await.assert_says("two");
        let log = program.server.log();
        let second = &log.sockets[0].requests[1];
        assert_eq!((previous(second), second["input"].as_array().unwrap().len()), (None, 3));
        let stats = program.stats();
        assert_eq!((stats.connections_reused, stats.cached_context_requests), (1, 0));
    }
}

#[tokio::test]
async fn a_history_that_changed_is_sent_whole() {
    let turns = vec![answer("r1", "one"), answer("r2", "two"), answer("r3", "three")];
    let program = Program::start([Script::Serve(turns)]).await;
    let context = Context::prompt("first");
    let ran = run(program.stream(context.clone(), options(Transport::Auto))).await;
    let rewritten = after(&Context::prompt("changed"), &ran, "second");
    let ran = run(program.stream(rewritten.clone(), options(Transport::Auto))).await;
    ran.assert_says("two");
    // Something beside the input changed.
    let warm = StreamOptions { temperature: Some(0.5), ..options(Transport::Auto) };
    run(program.stream(after(&rewritten, &ran, "third"), warm)).await.assert_says("three");
    let log = program.server.log();
    let sent: Vec<_> =
        log.sockets[0].requests.iter().map(|r| (previous(r), r["input"].as_array().unwrap().len())).collect();
    assert_eq!(sent, [(None, 1), (None, 3), (None, 5)]);
    let stats = program.stats();
    assert_eq!((stats.full_context_requests, stats.delta_requests, stats.last_delta_input_items), (3, 0, None));
}

#[tokio::test]
async fn a_busy_connection_is_left_alone() {
    let program = Program::start([
        Script::Serve(vec![interrupted("slow", Act::AwaitClose)]),
        Script::Serve(vec![answer("r2", "aside")]),
        Script::Serve(vec![answer("r3", "aside again")]),
    ])
    .await;
    let mut slow = program.stream(Context::prompt("hi"), options(Transport::Auto));
    read_until(&mut slow, "text_delta").await;
    program.ask(options(Transport::Auto)).await.assert_says("aside");
    assert_eq!(program.server.end_of(1).await, "gone", "used once");
    program.ask(options(Transport::Auto)).await.assert_says("aside again");
    let stats = program.stats();
    assert_eq!((stats.connections_created, stats.connections_reused), (3, 0));
    assert_eq!(stats.cached_context_requests, 1, "only the connection of the session can be continued");
}

#[tokio::test]
async fn a_failed_answer_closes_its_connection() {
    let failed = json!({"type": "response.failed", "response": {"error": {"message": "overloaded"}}});
    let turn = vec![Act::Send(failed.to_string()), Act::AwaitClose];
    let program =
        Program::start([Script::Serve(vec![answer("r1", "one"), turn]), Script::Serve(vec![answer("r2", "two")])])
            .await;
    let context = Context::prompt("first");
    let ran = run(program.stream(context.clone(), options(Transport::Auto))).await;
    let next = after(&context, &ran, "second");
    let failed = run(program.stream(next.clone(), options(Transport::Auto))).await;
    assert_eq!(failed.error(), "overloaded");
    assert_eq!(program.server.end_of(0).await, "gone");
    run(program.stream(next, options(Transport::Auto))).await.assert_says("two");
    let log = program.server.log();
    assert_eq!((previous(&log.sockets[1].requests[0]), log.posts.len()), (None, 0));
}

#[tokio::test]
async fn a_server_that_leaves_an_idle_connection_is_called_again() {
    let closing = answer("r1", "one").into_iter().chain([Act::Close(1000, "")]).collect();
    let program = Program::start([Script::Serve(vec![closing]), Script::Serve(vec![answer("r2", "two")])]).await;
    program.ask(options(Transport::Auto)).await.assert_says("one");
    program.server.end_of(0).await;
    let ran = program.ask(options(Transport::Auto)).await;
    ran.assert_says("two");
    assert_eq!(ran.diagnostics(), Value::Null);
    assert_eq!(program.stats().connections_created, 2);
}

#[tokio::test]
async fn a_connection_is_used_for_one_account_only() {
    let program =
        Program::start([Script::Serve(vec![answer("r1", "one")]), Script::Serve(vec![answer("r2", "two")])]).await;
    program.ask(options(Transport::Auto)).await.assert_says("one");
    let other = StreamOptions { api_key: Some(token("other")), ..options(Transport::Auto) };
    program.ask(other).await.assert_says("two");
    assert_eq!(program.server.end_of(0).await, "gone");
    assert_eq!(program.server.log().sockets[1].headers["chatgpt-account-id"], "other");
}

#[tokio::test]
async fn sessions_are_cleaned_up() {
    let program = Program::start([1, 2, 3].map(|_| Script::Serve(vec![answer("r", "Hello")]))).await;
    let registry = ApiRegistry::empty();
    registry.register(Arc::new(program.api.clone()));
    program.ask(options(Transport::Auto)).await.assert_says("Hello");
    registry.cleanup_session_resources(Some("another"));
    registry.cleanup_session_resources(Some("s"));
    assert_eq!(program.server.end_of(0).await, "1000 session_closed");
    program.ask(options(Transport::Auto)).await.assert_says("Hello");
    registry.cleanup_session_resources(None);
    assert_eq!(program.server.end_of(1).await, "1000 session_closed");

    program.ask(options(Transport::Auto)).await.assert_says("Hello");
    drop(registry);
    let Program { api, server } = program;
    drop(api);
    assert_eq!(server.end_of(2).await, "gone", "nobody is left who could use it");
}
