//! Models of one's own as newer versions describe them: sampling, price tiers, servers that leave things out, gateways.

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, rpc, send};
use pi_test_kit::{Provider, Reply, World, answer, fail, tool_call};

fn configure(world: &World, provider: &Provider, model: &Value) {
    let mut full = json!({"id": "l1", "contextWindow": 100_000, "maxTokens": 8192});
    full.as_object_mut().unwrap().extend(model.as_object().unwrap().clone());
    world.write_config(
        "models.json",
        &json!({"providers": {"local": {"baseUrl": format!("{}/v1", provider.url()), "api": "openai-completions",
            "apiKey": "k", "models": [full]}}}),
    );
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "local", "defaultModel": "l1", "retry": {"enabled": false}}),
    );
}

/// Chunks of a chat completion.
fn chunks(chunks: &[Value]) -> Reply {
    let text: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    Reply::stream(&(text + "data: [DONE]\n\n")).end()
}

fn delta(delta: &Value, finish: &Value) -> Value {
    json!({"id": "c", "object": "chat.completion.chunk", "model": "l1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

fn call() -> Value {
    let function = json!({"name": "bash", "arguments": "{\"command\":\"true\"}"});
    delta(&json!({"tool_calls": [{"index": 0, "id": "t1", "type": "function", "function": function}]}), &Value::Null)
}

#[tokio::test]
async fn what_local_servers_want_is_sent_and_what_they_leave_out_is_not_missed() {
    let end = delta(&json!({"content": "done"}), &Value::Null);
    let usage = json!({"id": "c", "choices": [], "usage": {"prompt_tokens": 5000, "completion_tokens": 100}});
    let provider = Provider::start([chunks(&[call()]), chunks(&[end, usage])]).await;
    let world = World::with(&provider);
    configure(
        &world,
        &provider,
        &json!({
            "samplingParams": {"temperature": 0.3, "top_k": 20, "messages": "ignored"},
            "compat": {"supportsFinishReason": false, "requiresNonNullAssistantContent": true, "vllmPriority": -3},
            "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0,
                "tiers": [{"inputTokensAbove": 1000, "input": 10, "output": 20}]},
        }),
    );
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    let lines = pi.until(|line| line["type"] == "agent_settled").await;
    let reasons: Vec<&Value> =
        lines.iter().filter(|line| line["type"] == "turn_end").map(|line| &line["message"]["stopReason"]).collect();
    assert_eq!(reasons, ["toolUse", "stop"]);
    let [first, second] = &provider.requests()[..] else { panic!() };
    for body in [&first.body, &second.body] {
        assert_eq!((&body["temperature"], &body["top_k"], &body["priority"]), (&json!(0.3), &json!(20), &json!(-3)));
        assert!(body["messages"].is_array());
    }
    let messages = second.body["messages"].as_array().unwrap();
    let answer = messages.iter().find(|message| message["role"] == "assistant").unwrap();
    assert_eq!(answer["content"], "");
    let stats = ask(&mut pi, json!({"id": 1, "type": "get_session_stats"})).await;
    let cost = stats["data"]["cost"].as_f64().unwrap();
    assert!((cost - 0.052).abs() < 1e-9, "{cost}");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn an_answer_without_a_reason_to_stop_is_cut_off_unless_the_server_never_says_one() {
    let provider = Provider::start([chunks(&[delta(&json!({"content": "half"}), &Value::Null)])]).await;
    let world = World::with(&provider);
    configure(&world, &provider, &json!({}));
    let finished = world.run(&["-p", "hi"]).await;
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);
}

#[tokio::test]
async fn the_token_of_a_gateway_is_a_bearer_token() {
    let provider = Provider::start([answer("one"), tool_call("t", "none", &json!({})), answer("two")]).await;
    let world = World::with(&provider);
    world.write_config("models.json", &json!({"providers": {"anthropic": {"baseUrl": provider.url()}}}));
    let args = ["-p", "--model", "anthropic/claude-sonnet-4-5", "hi"];
    let with_both = world.pi(&args).env("ANTHROPIC_AUTH_TOKEN", "tok-1").env("ANTHROPIC_API_KEY", "key-1");
    assert_eq!(with_both.run().await.success(), "one\n");
    let with_key = world.pi(&args).env("ANTHROPIC_API_KEY", "key-1");
    assert_eq!(with_key.run().await.success(), "two\n");
    let head = |number: usize| provider.requests()[number].head.to_lowercase();
    assert!(head(0).contains("authorization: bearer tok-1") && !head(0).contains("x-api-key"), "{}", head(0));
    assert!(head(1).contains("x-api-key: key-1") && !head(1).contains("authorization:"), "{}", head(1));
}

/// Headers that tell a router which session a request belongs to, in the order of their names.
fn session_headers(head: &str) -> Vec<&str> {
    let all = ["session_id", "x-client-request-id", "x-session-affinity", "x-session-id"];
    all.into_iter().filter(|name| head.to_lowercase().contains(&format!("\r\n{name}: "))).collect()
}

#[tokio::test]
async fn requests_of_a_session_are_tied_together_as_the_router_wants_it() {
    let all = ["session_id", "x-client-request-id", "x-session-affinity"];
    let cases: [(&str, &str, Value, &[&str]); 14] = [
        ("openai-completions", "", json!({}), &[]),
        ("openai-completions", "", json!({"sessionAffinityFormat": "openai"}), &[]),
        ("openai-completions", "", json!({"sendSessionAffinityHeaders": true}), &all),
        (
            "openai-completions",
            "",
            json!({"sendSessionAffinityHeaders": true, "sessionAffinityFormat": "openai"}),
            &all,
        ),
        (
            "openai-completions",
            "",
            json!({"sendSessionAffinityHeaders": true, "sessionAffinityFormat": "openai-nosession"}),
            &all[1..],
        ),
        (
            "openai-completions",
            "",
            json!({"sendSessionAffinityHeaders": true, "sessionAffinityFormat": "openrouter"}),
            &["x-session-id"],
        ),
        ("openai-completions", "/openrouter.ai", json!({"sendSessionAffinityHeaders": true}), &["x-session-id"]),
        ("openai-responses", "", json!({}), &all[..2]),
        ("openai-responses", "", json!({"sessionAffinityFormat": "openai-nosession"}), &all[1..2]),
        ("openai-responses", "", json!({"sendSessionIdHeader": false}), &all[1..2]),
        ("openai-responses", "", json!({"sessionAffinityFormat": "openrouter"}), &["x-session-id"]),
        ("anthropic-messages", "", json!({"sendSessionAffinityHeaders": true}), &all[2..]),
        (
            "anthropic-messages",
            "",
            json!({"sendSessionAffinityHeaders": true, "sessionAffinityFormat": "openrouter"}),
            &["x-session-id"],
        ),
        ("anthropic-messages", "", json!({"sessionAffinityFormat": "openrouter"}), &[]),
    ];
    let provider = Provider::start(cases.iter().map(|_| fail(400, "invalid_request_error", "seen"))).await;
    for (number, (api, path, compat, expected)) in cases.iter().enumerate() {
        let world = World::with(&provider);
        world.write_config(
            "models.json",
            &json!({"providers": {"local": {"baseUrl": format!("{}{path}/v1", provider.url()), "api": api,
                "apiKey": "k", "models": [{"id": "l1", "compat": compat}]}}}),
        );
        let finished = world.run(&["-p", "--model", "local/l1", "hi"]).await;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        assert_eq!(session_headers(&provider.requests()[number].head), *expected, "{api} {path} {compat}");
    }
}

#[tokio::test]
async fn an_unknown_way_to_tie_requests_together_is_named() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    configure(&world, &provider, &json!({"compat": {"sessionAffinityFormat": "pigeon"}}));
    let finished = world.run(&["-p", "--model", "local/l1", "hi"]).await;
    assert_eq!(finished.code, Some(1));
    insta::assert_snapshot!(world.mask(&finished.stderr));
}
