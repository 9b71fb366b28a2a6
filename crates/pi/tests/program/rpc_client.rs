//! The Rust client against the real program, and against programs that behave badly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use futures::StreamExt;
use pi_agent_core::QueueMode;
use pi_ai::ThinkingLevel;
use pi_coding_agent::agent_session::{CycleDirection, StreamingBehavior};
use pi_coding_agent::rpc::{
    EventDetail, RpcClient, RpcClientError, RpcClientOptions, RpcEvent, RpcMessage, ShutdownMode,
};
use serde_json::{Map, json};

use crate::rpc::held;
use pi_test_kit::{Gate, PATIENCE, Provider, Reply, World, answer, delta, open, wait_until};

fn options(world: &World, program: impl Into<PathBuf>, args: &[&str]) -> RpcClientOptions {
    let dir = |path: PathBuf| path.to_str().unwrap().to_owned();
    let env = [
        ("HOME".to_owned(), dir(world.home())),
        ("PI_CODING_AGENT_DIR".to_owned(), dir(world.agent_dir())),
        ("PATH".to_owned(), std::env::var("PATH").unwrap()),
    ];
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    RpcClientOptions::builder().program(program).args(args).env(env).clear_env(true).cwd(world.cwd()).build()
}

pub(crate) fn client(world: &World, args: &[&str]) -> RpcClient {
    RpcClient::start(options(world, env!("CARGO_BIN_EXE_pi"), args)).unwrap()
}

/// A program that does what the script says.
fn script(world: &World, text: &str) -> PathBuf {
    let path = world.write("fake", &format!("#!/bin/sh\n{text}"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn text_of(events: &[RpcEvent]) -> String {
    events.iter().filter_map(RpcEvent::text_delta).collect()
}

#[tokio::test]
async fn every_command_has_its_method() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    world.write_config("settings.json", &json!({"defaultProvider": "mock", "defaultModel": "m1"}));
    world.write(".pi/prompts/review.md", "Review this.");
    let pi = client(&world, &["--approve"]);
    assert_eq!(text_of(&pi.prompt_and_wait("first").await.unwrap()), "one");
    assert_eq!(pi.history().last_assistant_text().await.unwrap().as_deref(), Some("one"));
    let state = pi.get_state().await.unwrap();
    assert_eq!((state.model.id.as_str(), state.message_count, state.session_name), ("m1", 2, None));
    assert_eq!(pi.history().messages().await.unwrap()[1].as_assistant().unwrap().text(), "one");
    assert_eq!(pi.get_session_stats().await.unwrap().totals.total_messages, 2);

    let models = pi.get_available_models().await.unwrap();
    assert_eq!(models.iter().map(|model| model.id.as_str()).collect::<Vec<_>>(), ["m1", "m2", "c1"]);
    assert_eq!(pi.set_model("mock", "m2").await.unwrap().id, "m2");
    assert_eq!(pi.cycle_thinking_level().await.unwrap(), None);
    let cycled = pi.cycle_model(CycleDirection::Backward).await.unwrap().unwrap();
    assert_eq!((cycled.model.id.as_str(), cycled.is_scoped), ("m1", false));
    pi.set_thinking_level(ThinkingLevel::Low).await.unwrap();
    assert_eq!(pi.cycle_thinking_level().await.unwrap(), Some(ThinkingLevel::Medium));
    assert!(pi.get_available_thinking_levels().await.unwrap().contains(&ThinkingLevel::High));

    pi.set_steering_mode(QueueMode::All).await.unwrap();
    pi.set_follow_up_mode(QueueMode::All).await.unwrap();
    pi.set_auto_compaction(false).await.unwrap();
    pi.set_auto_retry(false).await.unwrap();
    pi.abort_retry().await.unwrap();
    pi.abort_bash().await.unwrap();
    pi.set_event_detail(EventDetail::Delta).await.unwrap();
    pi.set_session_name(" named ").await.unwrap();
    let state = pi.get_state().await.unwrap();
    assert_eq!((state.steering_mode, state.auto_compaction_enabled), (QueueMode::All, false));
    assert_eq!(state.session_name.as_deref(), Some("named"));

    let ran = pi.bash("printf said; exit 3").await.unwrap();
    assert_eq!((ran.output.as_str(), ran.exit_code), ("said", Some(3)));
    assert_eq!(pi.bash_unseen("printf unseen").await.unwrap().output, "unseen");
    let page = pi.export_html(Some("page.html")).await.unwrap();
    assert!(world.cwd().join(page).exists());
    assert_eq!(pi.get_commands().await.unwrap()[0].name, "review");

    pi.steer("soon").await.unwrap();
    pi.follow_up("later").await.unwrap();
    assert_eq!(pi.clear_queue().await.unwrap().steering, ["soon"]);
    let RpcClientError::Refused { command, .. } = pi.compact(Some("briefly")).await.unwrap_err() else { panic!() };
    assert_eq!(command, "compact");
    pi.abort().await.unwrap();

    let listed = pi.history().entries(None).await.unwrap();
    assert_eq!(listed.leaf_id.as_deref(), listed.entries.last().unwrap()["id"].as_str());
    let newer = pi.history().entries(listed.entries[0]["id"].as_str()).await.unwrap();
    assert_eq!(newer.entries, listed.entries[1..]);
    let tree = pi.history().tree().await.unwrap();
    assert_eq!((&tree.tree[0]["entry"], tree.leaf_id), (&listed.entries[0], listed.leaf_id));

    let forks = pi.history().fork_messages().await.unwrap();
    assert_eq!(forks[0].text, "first");
    assert!(!pi.clone_session().await.unwrap().cancelled);
    let fork = pi.fork(&pi.history().fork_messages().await.unwrap()[0].entry_id).await.unwrap();
    assert_eq!(fork.text.as_deref(), Some("first"));
    assert!(!pi.switch_session(state.session_file.as_deref().unwrap()).await.unwrap().cancelled);
    assert_eq!(pi.get_state().await.unwrap().session_name.as_deref(), Some("named"));
    pi.new_session(state.session_file.as_deref()).await.unwrap();
    assert_eq!(pi.get_state().await.unwrap().session_name, None);
    assert_eq!(text_of(&pi.prompt_and_wait("second").await.unwrap()), "two");
    pi.shutdown(ShutdownMode::Finish).await.unwrap();
    let exit = pi.wait().await;
    assert!(exit.success(), "{exit:?}");
}

#[tokio::test]
async fn a_run_is_followed_steered_and_aborted() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), Reply::stream(&(open() + &delta("steered"))).hang()]).await;
    let world = World::with(&provider);
    let pi = client(&world, &["--no-session"]);
    let mut events = pi.subscribe();
    pi.prompt("go").await.unwrap();
    let refused = pi.prompt("no").await.unwrap_err().to_string();
    assert!(refused.starts_with("Agent is already processing."), "{refused}");
    let steer = RpcMessage {
        message: "left".to_owned(),
        streaming_behavior: Some(StreamingBehavior::Steer),
        ..RpcMessage::default()
    };
    pi.prompt(steer).await.unwrap();
    gate.open();
    while events.next().await.unwrap().text_delta() != Some("steered") {}
    pi.abort().await.unwrap();
    let ended = events.by_ref().filter(|event| std::future::ready(event.kind() == "message_end")).next().await.unwrap();
    assert_eq!(ended.value()["message"]["stopReason"], "aborted");
    let exit = pi.stop(PATIENCE).await;
    assert!(exit.success() && exit.stderr.is_empty(), "{exit:?}");
    assert!(events.next().await.is_some_and(|event| event.kind() == "turn_end"));
    while events.next().await.is_some() {}
    assert!(matches!(pi.get_state().await, Err(RpcClientError::Ended { .. })));
}

#[tokio::test]
async fn a_program_that_ends_says_why() {
    let world = World::at("http://127.0.0.1:9");
    let pi = client(&world, &["--model", "nothing"]);
    let error = pi.get_state().await.unwrap_err().to_string();
    let program = env!("CARGO_BIN_EXE_pi");
    let expected = format!(
        "{program} has ended (exit status: 1), so that get_state has no answer. Start it again. It said:\nError: Model \"nothing\" not found. Use --list-models to see available models."
    );
    assert_eq!(error, expected);
    assert_eq!(pi.wait().await.status.unwrap().code(), Some(1));

    let missing = RpcClient::start(options(&world, "/does/not/exist", &[])).unwrap_err().to_string();
    assert!(missing.starts_with("Cannot start /does/not/exist: "), "{missing}");
}

#[tokio::test]
async fn all_that_wait_are_told_of_the_end() {
    let world = World::empty();
    let loud = "read a; read b; yes complaint | head -c 1000000 >&2; echo last words >&2; kill -9 $$\n";
    let pi = RpcClient::start(options(&world, script(&world, loud), &[])).unwrap();
    let mut events = pi.subscribe();
    let (one, two, none) = tokio::join!(pi.get_state(), pi.history().messages(), events.next());
    assert!(none.is_none());
    for error in [one.unwrap_err(), two.unwrap_err()] {
        let RpcClientError::Ended { exit, .. } = error else { panic!("{error}") };
        assert!(exit.to_string().contains("signal: 9"), "{exit}");
        assert_eq!(exit.stderr.len(), 64 << 10);
        assert!(exit.stderr.ends_with("complaint\nlast words\n"));
    }
}

#[tokio::test]
async fn questions_of_extensions_can_be_answered() {
    let world = World::empty();
    let asks = r#"read start
echo '{"type":"extension_ui_request","id":"q1","method":"select","title":"Which?","options":["a","b"]}'
read answer
echo "$answer"
echo '{"type":"extension_ui_request","id":"q2","method":"confirm","title":"Sure?"}'
read answer
echo "$answer"
echo '{"type":"extension_ui_request","id":"q3","method":"input","title":"What?"}'
read answer
echo "$answer"
echo 'no JSON'
echo '{"type":"response","id":1,"command":"abort","success":true}'
read forever
"#;
    let pi = RpcClient::start(options(&world, script(&world, asks), &[])).unwrap();
    let mut events = pi.subscribe();
    let answers = async {
        let mut heard = Vec::new();
        for _ in 0..3 {
            let request = events.next().await.unwrap().ui_request().unwrap();
            match request.method() {
                "select" => request.answer(request.value()["options"][1].as_str().unwrap()).await,
                "confirm" => request.confirm(true).await,
                _ => request.cancel().await,
            }
            heard.push(events.next().await.unwrap().value().clone());
        }
        heard
    };
    let (aborted, heard) = tokio::join!(pi.abort(), answers);
    aborted.unwrap();
    assert_eq!(
        heard,
        [
            json!({"type": "extension_ui_response", "id": "q1", "value": "b"}),
            json!({"type": "extension_ui_response", "id": "q2", "confirmed": true}),
            json!({"type": "extension_ui_response", "id": "q3", "cancelled": true}),
        ]
    );
    pi.stop(PATIENCE).await;
}

#[tokio::test]
async fn a_program_that_does_not_end_is_killed() {
    let world = World::empty();
    let deaf = "trap '' TERM; echo $$ > tmp; mv tmp pid; while :; do sleep 600; done\n";
    for is_dropped in [true, false] {
        let pi = RpcClient::start(options(&world, script(&world, deaf), &[])).unwrap();
        let file = world.cwd().join("pid");
        wait_until("it does not run", || file.exists()).await;
        if is_dropped {
            drop(pi);
        } else {
            let exit = pi.stop(Duration::from_millis(10)).await;
            assert!(exit.to_string().contains("signal: 9"), "{exit}");
        }
        wait_until("it lives on", || !pi_test_kit::is_running(&file)).await;
        fs::remove_file(file).unwrap();
    }
}

#[tokio::test]
async fn commands_that_are_given_up_harm_nobody() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    let pi = client(&world, &["--no-session"]);
    for _ in 0..100 {
        let mut call = Box::pin(pi.call("get_state", Map::new()));
        assert!(futures::poll!(&mut call).is_pending());
    }
    assert_eq!(text_of(&pi.prompt_and_wait("hi").await.unwrap()), "fine");
    assert_eq!(pi.call("dance", Map::new()).await.unwrap_err().to_string(), "Unknown command: dance");
    assert!(pi.stop(PATIENCE).await.success());
}

/// `cargo test` builds the examples beside the tests; whoever builds a single test gets this one built here.
fn example(name: &str) -> PathBuf {
    let built = std::env::current_exe().unwrap().parent().unwrap().join("../examples").join(name);
    if !built.exists() {
        let build = ["build", "-p", "pi-coding-agent", "--example", name];
        assert!(std::process::Command::new(env!("CARGO")).args(build).status().unwrap().success());
    }
    built
}

#[tokio::test]
async fn the_example_shows_the_recorded_tour() {
    let world = World::empty();
    let mut command = tokio::process::Command::new(example("14_rpc_client"));
    command.arg(env!("CARGO_BIN_EXE_pi")).env_clear().env("HOME", world.home());
    command.env("PATH", std::env::var_os("PATH").unwrap()).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await.unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}
