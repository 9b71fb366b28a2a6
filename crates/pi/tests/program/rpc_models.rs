//! Choosing models by RPC and by `--models`.

use serde_json::{Value, json};

use crate::rpc::{ask, rpc};
use pi_test_kit::{Live, Provider, World, answer};

/// Where `cycle_model` comes to.
async fn cycle(pi: &mut Live, direction: &str) -> String {
    let response = ask(pi, json!({"id": "c", "type": "cycle_model", "direction": direction})).await;
    let data = &response["data"];
    format!("{} {} {}", data["model"]["id"], data["thinkingLevel"], data["isScoped"]).replace('"', "")
}

/// Model and level of `get_state`.
async fn state(pi: &mut Live) -> String {
    let response = ask(pi, json!({"id": "s", "type": "get_state"})).await;
    format!("{} {}", response["data"]["model"]["id"], response["data"]["thinkingLevel"]).replace('"', "")
}

#[tokio::test]
async fn cycling_goes_through_all_models_and_is_remembered() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    for (direction, expected) in
        [("forward", "m2 off false"), ("forward", "c1 off false"), ("backward", "m2 off false")]
    {
        assert_eq!(cycle(&mut pi, direction).await, expected);
    }
    let refused = ask(&mut pi, json!({"id": 1, "type": "cycle_model", "direction": "sideways"})).await;
    let error = refused["error"].as_str().unwrap();
    assert!(error.starts_with("Invalid cycle_model command: unknown variant `sideways`"), "{error}");
    assert_eq!(state(&mut pi).await, "m2 off");
    let levels = ask(&mut pi, json!({"id": 2, "type": "get_available_thinking_levels"})).await;
    assert_eq!(levels["data"], json!({"levels": ["off"]}));
    ask(&mut pi, json!({"id": 3, "type": "set_model", "provider": "mock", "modelId": "m1"})).await;
    let levels = ask(&mut pi, json!({"id": 4, "type": "get_available_thinking_levels"})).await;
    assert_eq!(levels["data"], json!({"levels": ["off", "minimal", "low", "medium", "high"]}));
    assert_eq!(pi.end().await, (0, String::new()));
    let settings: Value =
        serde_json::from_slice(&std::fs::read(world.agent_dir().join("settings.json")).unwrap()).unwrap();
    assert_eq!(settings["defaultModel"], "m1");
}

#[tokio::test]
async fn a_scope_chooses_the_model_of_a_new_session() {
    let world = World::at("http://127.0.0.1:9");
    for (args, enabled, expected) in [
        (vec!["--models", " c1 , mock/m1:high"], None, "m1 high"),
        (vec!["--models", "c1,m2"], None, "c1 off"),
        (vec!["--models", "mock/*:low"], None, "m1 low"),
        (vec!["--models", "mock/*:low", "--thinking", "minimal"], None, "m1 minimal"),
        (vec!["--models", "c1", "--model", "m2"], None, "m2 off"),
        (vec![], Some(json!(["chat/*"])), "c1 off"),
        (vec!["--models", "m2"], Some(json!(["chat/*"])), "m2 off"),
        (vec![], Some(json!([])), "m1 medium"),
    ] {
        let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1"});
        if let Some(enabled) = enabled {
            settings["enabledModels"] = enabled;
        }
        world.write_config("settings.json", &settings);
        let mut pi = world.pi(&[&["--mode", "rpc", "--no-session"], args.as_slice()].concat()).start();
        assert_eq!(state(&mut pi).await, expected, "{args:?} {settings}");
        ask(&mut pi, json!({"id": 1, "type": "new_session"})).await;
        assert_eq!(state(&mut pi).await, expected, "a new session begins the same way: {args:?}");
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn patterns_that_are_of_no_use_are_named() {
    let world = World::at("http://127.0.0.1:9");
    let run = world.run(&["--models", "m2:huge,nothing-like-it,x*", "--mode", "rpc"]).await;
    let complaints = [
        "Warning: Invalid thinking level \"huge\" in pattern \"m2:huge\". Using default instead.",
        "Warning: No models match pattern \"nothing-like-it\"",
        "Warning: No models match pattern \"x*\"",
    ];
    assert_eq!((run.code, run.stderr.trim_end()), (Some(0), complaints.join("\n").as_str()));
    let run = world.run(&["--models", " ,", "--mode", "rpc"]).await;
    let complaint = "Error: --models requires at least one pattern; leave it out to choose from all models\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), complaint));
}

#[tokio::test]
async fn a_key_for_this_run_counts_for_the_model_of_the_scope() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    let args = ["--api-key", "of-this-run", "--models", "m2,c1", "-p", "hi"];
    assert_eq!(world.run(&args).await.success(), "ok\n");
    let head = provider.requests()[0].head.clone();
    assert!(head.contains("x-api-key: of-this-run"), "{head}");
    let again = world.run(&[args.as_slice(), &["--continue"]].concat()).await;
    assert_eq!(again.code, Some(1), "a session that is continued has its own model");
    assert!(again.stderr.starts_with("Error: --api-key requires a model"), "{}", again.stderr);
}
