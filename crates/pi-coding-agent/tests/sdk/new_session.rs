//! Leaving a conversation for a new one.

use pi_ai::ThinkingLevel;
use pi_ai::scripted::model;
use serde_json::json;

use crate::support::{Stage, says};

#[tokio::test]
async fn a_new_session_is_empty_and_keeps_model_and_level() {
    let stage = Stage::new(json!({}), model("thinker"));
    stage.script([says("one"), says("two")]);
    stage.prompt("first").await;
    stage.session.name().set("old").await.unwrap();
    stage.session.queue().follow_up("never sent", Vec::new()).await.unwrap();
    let before = (stage.session.session_id(), stage.session.model(), stage.session.thinking().level());

    stage.session.switch().to_new(None).await.unwrap();

    assert_ne!(stage.session.session_id(), before.0);
    assert_eq!((stage.session.model(), stage.session.thinking().level()), (before.1, before.2));
    assert_eq!((stage.session.stats().message_count(), stage.session.queue().count()), (0, 0));
    assert_eq!(stage.session.name().get(), None);
    assert_eq!(stage.entries(), ["model_change", "thinking_level_change"]);
    stage.prompt("second").await;
    assert_eq!(stage.session.stats().message_count(), 2, "nothing of the old conversation is sent");
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("two"));
    assert_eq!(stage.session.stats().current().totals.total_messages, 2);
}

#[tokio::test]
async fn levels_go_round() {
    let thinker = pi_ai::Model { reasoning: true, ..model("thinker") };
    let stage = Stage::with_models(json!({"defaultThinkingLevel": "high"}), vec![thinker]);
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(stage.session.thinking().cycle().await.unwrap());
    }
    use ThinkingLevel::{High, Low, Medium, Minimal, Off};
    assert_eq!(seen, [Off, Minimal, Low, Medium, High]);
    let plain = Stage::new(json!({}), model("plain"));
    assert_eq!(plain.session.thinking().cycle().await, None);
}
