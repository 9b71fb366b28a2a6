//! Prompts during a run, and prompts that cannot be sent.

use pi_agent_core::AgentEvent;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{PromptOptions, SessionEvent, StreamingBehavior};
use serde_json::json;

use crate::support::{Stage, says};

#[tokio::test]
async fn queued_prompts_are_delivered_in_order() {
    let stage = Stage::new(json!({}), model("m"));
    stage.script([says("one"), says("two"), says("three")]);
    let session = stage.session.clone();
    let once = std::sync::Once::new();
    stage.session.subscribe(std::sync::Arc::new(move |event| {
        let session = session.clone();
        let mut first = false;
        if matches!(event, SessionEvent::Agent(AgentEvent::MessageUpdate { .. })) {
            once.call_once(|| first = true);
        }
        Box::pin(async move {
            if first {
                let options = |behavior| PromptOptions { streaming_behavior: behavior, ..PromptOptions::default() };
                let refused = session.prompt("lost", options(None)).await.unwrap_err();
                assert!(refused.to_string().starts_with("Agent is already processing."));
                session.prompt("later", options(Some(StreamingBehavior::FollowUp))).await.unwrap();
                session.prompt("soon", options(Some(StreamingBehavior::Steer))).await.unwrap();
                assert_eq!(session.queue().count(), 2);
            }
        })
    }));
    stage.prompt("hi").await;
    let expected = [
        "start",
        "queue [] [\"later\"]",
        "queue [\"soon\"] [\"later\"]",
        "answer one",
        "queue [] [\"later\"]",
        "answer two",
        "queue [] []",
        "answer three",
        "end false",
    ];
    assert_eq!(stage.events(), expected);
    assert_eq!(stage.session.queue().count(), 0);
    assert_eq!(stage.session.stats().message_count(), 6);
}

#[tokio::test]
async fn without_a_key_nothing_is_recorded() {
    let stage = Stage::new(json!({}), model("m"));
    stage.session.models().registry().auth().remove_runtime_key(&stage.provider.model().provider);
    let before = stage.entries();
    let refused = stage.session.prompt("hi", PromptOptions::default()).await.unwrap_err().to_string();
    assert!(refused.starts_with("No API key found for "), "{refused}");
    assert_eq!((stage.entries(), stage.events()), (before, vec![]));
    assert_eq!(stage.provider.call_count(), 0);
}
