//! Figures of a session.

use pi_ai::Model;
use pi_ai::scripted::{model, text, tool_call, tool_use};
use serde_json::json;

use crate::support::{Stage, says};

#[tokio::test]
async fn messages_calls_and_tokens_are_counted() {
    let stage = Stage::new(json!({}), Model { context_window: 100_000, ..model("m") });
    let empty = stage.session.stats();
    assert_eq!((empty.total_messages, empty.tokens.total, empty.cost), (0, 0, 0.0));
    stage.script([
        tool_use([text("look"), tool_call("c1", "read", json!({"path": "/nowhere/at/all"}))]),
        says(" done "),
    ]);
    stage.prompt("hi").await;
    let stats = stage.session.stats();
    assert_eq!((stats.user_messages, stats.assistant_messages), (1, 2));
    assert_eq!((stats.tool_calls, stats.tool_results, stats.total_messages), (1, 1, 4));
    let tokens = &stats.tokens;
    assert!(tokens.output > 0);
    assert_eq!(tokens.total, tokens.input + tokens.output + tokens.cache_read + tokens.cache_write);
    let usage = stats.context_usage.unwrap();
    assert_eq!(usage.percent, usage.tokens.map(|tokens| tokens as f64 / 1000.0));
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("done"));
}

#[tokio::test]
async fn without_a_window_nothing_is_said_of_it() {
    let stage = Stage::new(json!({"compaction": {"enabled": false}}), Model { context_window: 0, ..model("m") });
    stage.script([says("")]);
    stage.prompt("hi").await;
    assert_eq!(stage.session.stats().context_usage, None);
    assert_eq!(stage.session.last_assistant_text(), None);
}
