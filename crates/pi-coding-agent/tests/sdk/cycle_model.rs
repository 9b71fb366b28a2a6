//! Going through the models: all with a key, or those of a scope.

use pi_ai::scripted::model;
use pi_ai::{Model, ThinkingLevel};
use pi_coding_agent::agent_session::CycleDirection::{self, Backward, Forward};
use pi_coding_agent::models::ScopedModel;
use serde_json::json;

use crate::support::{Stage, says};

/// A model that cannot think between two that can.
fn stage() -> Stage {
    let model = |id, reasoning| Model { reasoning, ..model(id) };
    Stage::with_models(
        json!({"rememberModel": true, "defaultThinkingLevel": "low"}),
        vec![model("a", true), model("b", false), model("c", true)],
    )
}

fn scope(stage: &Stage, entries: &[(&str, Option<ThinkingLevel>)]) -> Vec<ScopedModel> {
    let scoped = |(id, thinking_level): &(&str, _)| ScopedModel {
        model: stage.provider.find_model(id).unwrap(),
        thinking_level: *thinking_level,
    };
    entries.iter().map(scoped).collect()
}

/// Where cycling comes to: model, level, and whether by a scope.
async fn cycle(stage: &Stage, direction: CycleDirection) -> String {
    match stage.session.models().cycle(direction).await {
        Some(cycle) => {
            assert_eq!(
                (stage.session.model(), stage.session.thinking().level()),
                (cycle.model.clone(), cycle.thinking_level)
            );
            format!("{} {} {}", cycle.model.id, cycle.thinking_level.as_str(), cycle.is_scoped)
        }
        None => "-".to_owned(),
    }
}

#[tokio::test]
async fn all_models_go_round_in_both_directions() {
    let stage = stage();
    for (direction, expected) in [
        (Forward, "b off false"),
        (Forward, "c low false"),
        (Forward, "a low false"),
        (Backward, "c low false"),
        (Backward, "b off false"),
    ] {
        assert_eq!(cycle(&stage, direction).await, expected);
    }
    assert_eq!(stage.session.settings().models().default_model().as_deref(), Some("b"), "the last one is remembered");
    let changes = stage.entries().into_iter().filter(|kind| kind == "model_change").count();
    assert_eq!(changes, 6, "each is recorded, and the first");
}

#[tokio::test]
async fn a_scope_limits_the_models_and_brings_its_levels() {
    let stage = stage();
    stage
        .session
        .models()
        .set_scoped(scope(&stage, &[("c", Some(ThinkingLevel::High)), ("b", Some(ThinkingLevel::High)), ("a", None)]));
    for expected in ["c high true", "b off true", "a high true", "c high true"] {
        assert_eq!(cycle(&stage, Forward).await, expected);
    }
    stage.session.models().set_scoped(scope(&stage, &[("b", None), ("a", None)]));
    assert_eq!(cycle(&stage, Forward).await, "a high true", "a model outside counts as the first of the scope");
    stage.session.models().set_scoped(Vec::new());
    assert_eq!(cycle(&stage, Forward).await, "b off false");
}

#[tokio::test]
async fn without_another_model_nothing_happens() {
    let stage = stage();
    let before = stage.entries();
    stage.session.models().set_scoped(scope(&stage, &[("c", None)]));
    assert_eq!(cycle(&stage, Forward).await, "-");
    stage.session.models().set_scoped(scope(&stage, &[("c", None), ("b", None)]));
    stage.session.models().registry().auth().remove_runtime_key(&stage.provider.model().provider);
    assert_eq!(cycle(&stage, Backward).await, "-", "without a key a model does not count");
    assert_eq!((stage.entries(), stage.session.model().id.as_str()), (before, "a"));
}

#[tokio::test]
async fn a_model_that_was_asked_for_wins_over_the_scope_in_new_sessions() {
    let stage = stage();
    stage.session.models().set_scoped(scope(&stage, &[("c", None), ("b", None)]));
    stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(stage.session.model().id, "a");
    stage.script([says("fine")]);
    stage.prompt("hi").await;
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("fine"));
}

#[tokio::test]
async fn levels_that_can_be_chosen() {
    let stage = stage();
    use ThinkingLevel::{High, Low, Medium, Minimal, Off};
    assert_eq!(stage.session.thinking().available(), [Off, Minimal, Low, Medium, High]);
    stage.session.models().cycle(Forward).await.unwrap();
    assert_eq!(stage.session.thinking().available(), [Off]);
}
