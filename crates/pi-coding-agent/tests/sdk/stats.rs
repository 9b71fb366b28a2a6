//! Figures of a session.

use pi_ai::Model;
use pi_ai::scripted::{model, text, tool_call, tool_use};
use serde_json::json;

use crate::support::{Stage, says};

#[tokio::test]
async fn messages_calls_and_tokens_are_counted() {
    let stage = Stage::new(json!({}), Model { context_window: 100_000, ..model("m") });
    let empty = stage.session.stats().current();
    assert_eq!((empty.totals.total_messages, empty.totals.tokens.total, empty.totals.cost), (0, 0, 0.0));
    stage.script([
        tool_use([text("look"), tool_call("c1", "read", json!({"path": "/nowhere/at/all"}))]),
        says(" done "),
    ]);
    stage.prompt("hi").await;
    let stats = stage.session.stats().current();
    assert_eq!((stats.totals.user_messages, stats.totals.assistant_messages), (1, 2));
    assert_eq!((stats.totals.tool_calls, stats.totals.tool_results, stats.totals.total_messages), (1, 1, 4));
    let tokens = &stats.totals.tokens;
    assert!(tokens.output > 0);
    assert_eq!(tokens.total, tokens.input + tokens.output + tokens.cache_read + tokens.cache_write);
    assert_eq!(
        stage.session.stats().file_totals().await.unwrap(),
        stats.totals,
        "nothing was left out of the context yet"
    );
    let usage = stats.context_usage.unwrap();
    assert_eq!(usage.percent, usage.tokens.map(|tokens| tokens as f64 / 1000.0));
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("done"));
}

#[tokio::test]
async fn without_a_window_nothing_is_said_of_it() {
    let stage = Stage::new(json!({"compaction": {"enabled": false}}), Model { context_window: 0, ..model("m") });
    stage.script([says("")]);
    stage.prompt("hi").await;
    assert_eq!(stage.session.stats().current().context_usage, None);
    assert_eq!(stage.session.last_assistant_text(), None);
}
