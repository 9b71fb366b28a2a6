//! Names that newer versions gave to built-in providers: accepted wherever a provider is named, written nowhere.

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, send};
use pi_test_kit::{Provider, Reply, World};

/// An answer of Azure's models.
fn said(text: &str) -> Reply {
    let message = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]});
    let events = [
        json!({"type": "response.created", "response": {"id": "resp_1"}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "msg_1",
            "role": "assistant", "content": []}}),
        json!({"type": "response.content_part.added", "output_index": 0, "part": {"type": "output_text", "text": ""}}),
        json!({"type": "response.output_text.delta", "output_index": 0, "delta": text}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": message}),
        json!({"type": "response.completed", "response": {"id": "resp_1", "status": "completed",
            "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}}),
    ];
    let lines: String =
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect();
    Reply::stream(&lines).end()
}

/// A world that knows Azure by its newer name only.
fn world(provider: &Provider) -> World {
    let world = World::with(provider);
    world.write_config("auth.json", &json!({"azure": {"type": "api_key", "key": "azure-key"}}));
    world.write_config(
        "models.json",
        &json!({"providers": {"azure": {"baseUrl": format!("{}/openai/v1", provider.url())}}}),
    );
    world
}

fn settings(world: &World, more: &Value) {
    let mut settings = json!({"retry": {"enabled": false}});
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.write_config("settings.json", &settings);
}

#[tokio::test]
async fn azure_is_accepted_on_the_command_line_and_in_settings() {
    let by_command: [&[&str]; 6] = [
        &["--model", "azure/gpt-5.4"],
        &["--provider", "azure", "--model", "gpt-5.4"],
        &["--provider", "Azure", "--model", "azure/gpt-5.4"],
        &["--models", "azure/gpt-5.4"],
        &["--models", "azure/gpt-5.4*"],
        &["--model", "azure-openai-responses/gpt-5.4"],
    ];
    let by_setting =
        [json!({"defaultProvider": "azure", "defaultModel": "gpt-5.4"}), json!({"enabledModels": ["azure/gpt-5.4"]})];
    let provider = Provider::start((0..by_command.len() + by_setting.len()).map(|_| said("done"))).await;
    let world = world(&provider);
    settings(&world, &json!({}));
    for args in by_command {
        let args = [&["-p"], args, &["hi"]].concat();
        assert_eq!(world.run(&args).await.success(), "done\n", "{args:?}");
    }
    for setting in by_setting {
        settings(&world, &setting);
        assert_eq!(world.run(&["-p", "hi"]).await.success(), "done\n", "{setting}");
    }
    for request in provider.requests() {
        let head = request.head.to_lowercase();
        assert!(head.contains("api-key: azure-key") && head.starts_with("post /openai/v1/responses"), "{head}");
    }
}

#[tokio::test]
async fn a_session_with_azure_goes_on_and_keeps_the_name_that_it_has() {
    let provider = Provider::start([said("first"), said("second")]).await;
    let world = world(&provider);
    settings(&world, &json!({}));
    assert_eq!(world.run(&["-p", "--model", "azure/gpt-5.4", "hi"]).await.success(), "first\n");
    let [file] = &world.session_files()[..] else { panic!() };
    // As a newer version writes it.
    let newer =
        std::fs::read_to_string(file).unwrap().replace("\"azure-openai-responses\",\"model", "\"azure\",\"model");
    assert!(newer.contains("\"provider\":\"azure\""), "{newer}");
    std::fs::write(file, &newer).unwrap();

    assert_eq!(world.run(&["-p", "--continue", "more"]).await.success(), "second\n");
    let after = std::fs::read_to_string(file).unwrap();
    assert!(after.starts_with(&newer), "what was there is as it was");
    let auth = std::fs::read_to_string(world.agent_dir().join("auth.json")).unwrap();
    assert!(auth.contains("\"azure\"") && !auth.contains("azure-openai-responses"), "{auth}");
    // The earlier answer counts as the same model's: its id goes back.
    let input = provider.requests()[1].body["input"].to_string();
    assert!(input.contains("msg_1"), "{input}");
}

#[tokio::test]
async fn clients_may_name_azure() {
    let provider = Provider::start([said("done")]).await;
    let world = world(&provider);
    settings(&world, &json!({}));
    let mut pi = world.pi(&["--mode", "rpc", "--no-session"]).start();
    let set = ask(&mut pi, json!({"id": 1, "type": "set_model", "provider": "azure", "modelId": "gpt-5.4"})).await;
    assert_eq!((&set["success"], &set["data"]["id"]), (&json!(true), &json!("gpt-5.4")), "{set}");
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(|line| line["type"] == "agent_settled").await;
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn what_is_stored_for_azure_is_found_under_both_names_and_forgotten() {
    let provider = Provider::start([]).await;
    let world = world(&provider);
    for name in ["azure", "azure-openai-responses"] {
        let said = world.run(&["auth", "check", name]).await.success();
        assert!(said.contains("from auth.json"), "{name}: {said}");
        assert_eq!(world.run(&["auth", "print-api-key", name]).await.success(), "azure-key\n");
    }
    let finished = world.run(&["auth", "logout", "azure"]).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), ""), "{}", finished.stderr);
    let auth = std::fs::read_to_string(world.agent_dir().join("auth.json")).unwrap();
    assert_eq!(auth.trim(), "{}");
}

#[tokio::test]
async fn a_provider_of_ones_own_may_be_called_azure() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    world.write_config(
        "models.json",
        &json!({"providers": {"azure": {"baseUrl": provider.url(), "api": "openai-completions", "apiKey": "k",
            "models": [{"id": "mine"}]}}}),
    );
    let listed = world.run(&["--list-models"]).await.success();
    let rows: Vec<&str> = listed.lines().skip(1).filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(rows, ["azure"], "{listed}");
}
