//! The examples `custom_provider`, as programs: their models can be listed and chosen like any other.

use serde_json::json;

use crate::extensions::programs::{ask, programs, run};
use pi_test_kit::{Provider, World, answer};

#[tokio::test]
async fn models_of_extensions_are_there_from_the_start() {
    for corp in programs("custom_provider", "custom-provider.ts") {
        let provider = Provider::start([answer("From the company."), answer("Again.")]).await;
        let world = World::empty();
        let pi = |args: &[&str]| {
            let pi = corp.with(&world, args).env("CORP_KEY", "corp-key");
            pi.env("CORP_URL", &provider.url())
        };
        let listed = pi(&["--list-models", "corp"]).run().await.success();
        assert!(listed.lines().any(|line| line.starts_with("corp") && line.contains("m1")), "{listed}");
        let said = pi(&["--no-session", "--model", "corp/m1", "-p", "hi"]).run().await.success();
        assert_eq!(said, "From the company.\n");
        assert!(provider.requests()[0].head.contains("corp-key"));

        let mut pi = pi(&["--mode", "rpc", "--model", "corp/m1"]).start();
        let models = ask(&mut pi, json!({"id": 1, "type": "get_available_models"})).await;
        let names: Vec<&str> =
            models["data"]["models"].as_array().unwrap().iter().filter_map(|model| model["name"].as_str()).collect();
        assert_eq!(names, ["Corp One"], "{}", corp.name);
        run(&mut pi, "hi").await;
        let text = ask(&mut pi, json!({"id": 2, "type": "get_last_assistant_text"})).await;
        assert_eq!(text["data"]["text"], "Again.");
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_provider_without_an_address_is_refused() {
    for corp in programs("custom_provider", "custom-provider.ts") {
        let world = World::at("http://127.0.0.1:9");
        let refused = corp.with(&world, &["-p", "hi"]).run().await;
        assert_eq!(refused.code, Some(1), "{}", corp.name);
        assert!(refused.stderr.starts_with("Error: Extension \""), "{}", refused.stderr);
        assert!(refused.stderr.contains("\" error: Provider corp: "), "{}", refused.stderr);
    }
}
