//! Changing the model and the thinking level.

use pi_ai::scripted::model;
use pi_ai::{Model, ThinkingLevel};
use serde_json::json;

use crate::support::{Stage, says};

fn stage() -> Stage {
    let thinker = Model { reasoning: true, ..model("thinker") };
    let plain = Model { reasoning: false, ..model("plain") };
    Stage::with_models(json!({"defaultThinkingLevel": "high", "rememberModel": true}), vec![thinker, plain])
}

#[tokio::test]
async fn a_model_that_cannot_think_turns_thinking_off_and_back_on() {
    let stage = stage();
    let (thinker, plain) = (stage.provider.find_model("thinker").unwrap(), stage.provider.find_model("plain").unwrap());
    assert_eq!(stage.session.thinking().level(), ThinkingLevel::High);
    assert_eq!(stage.entries(), ["model_change", "thinking_level_change"]);
    stage.session.models().set(plain).await.unwrap();
    assert_eq!((stage.session.model().id.as_str(), stage.session.thinking().level()), ("plain", ThinkingLevel::Off));
    assert_eq!(stage.events(), ["thinking off"]);
    assert_eq!(stage.entries()[2..], ["model_change", "thinking_level_change"]);
    assert_eq!(stage.session.settings().models().default_model().as_deref(), Some("plain"));
    assert_eq!(
        stage.session.settings().models().default_thinking_level(),
        Some(ThinkingLevel::High),
        "the wish is kept"
    );
    stage.session.models().set(thinker).await.unwrap();
    assert_eq!(stage.session.thinking().level(), ThinkingLevel::High);
    assert_eq!(stage.events(), ["thinking high"]);
}

#[tokio::test]
async fn only_a_change_of_the_level_is_recorded() {
    let stage = stage();
    stage.session.thinking().set(ThinkingLevel::High).await;
    assert_eq!((stage.events(), stage.entries().len()), (vec![], 2));
    stage.session.thinking().set(ThinkingLevel::Low).await;
    assert_eq!((stage.events(), stage.entries().len()), (vec!["thinking low".to_owned()], 3));
}

#[tokio::test]
async fn a_model_without_a_key_is_refused() {
    let stage = stage();
    stage.session.models().registry().auth().remove_runtime_key(&stage.provider.model().provider);
    let before = stage.entries();
    let refused = stage.session.models().set(stage.provider.find_model("plain").unwrap()).await;
    assert!(refused.is_err());
    assert_eq!((stage.session.model().id.as_str(), stage.entries()), ("thinker", before));
}

#[tokio::test]
async fn a_name_is_told_and_kept() {
    let stage = stage();
    stage.session.name().set(" talk ").await.unwrap();
    assert_eq!(stage.session.name().get().as_deref(), Some("talk"));
    assert_eq!(stage.events(), ["name Some(\"talk\")"]);
    stage.script([says("fine")]);
    stage.prompt("hi").await;
    assert_eq!(stage.session.name().get().as_deref(), Some("talk"));
}
