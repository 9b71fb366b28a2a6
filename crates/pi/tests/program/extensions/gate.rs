//! The examples `permission_gate`, as programs.

use pi_coding_agent::rpc::{RpcClient, RpcClientOptions};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::extensions::programs::{Program, ask, example, ours, programs, reply, run, send};
use pi_test_kit::{Live, PATIENCE, Provider, Reply, World, answer, tool_call};

/// The model removes a file, then says something.
async fn provider(rounds: usize) -> Provider {
    let round = || [tool_call("t1", "bash", &json!({"command": "rm -f victim.txt"})), answer("Well.")];
    Provider::start((0..rounds).flat_map(|_| round())).await
}

fn world(provider: &Provider) -> World {
    let world = World::with(provider);
    world.write("victim.txt", "alive");
    world
}

fn is_alive(world: &World) -> bool {
    world.cwd().join("victim.txt").exists()
}

fn gates() -> Vec<Program> {
    programs("permission_gate", "permission-gate.ts")
}

/// What came of the only tool call.
fn result(lines: &[Value]) -> String {
    let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
    format!("{} {}", end["isError"], end["result"]["content"][0]["text"].as_str().unwrap())
}

#[tokio::test]
async fn the_user_decides() {
    let cases = [
        (json!({"value": "Run it"}), "false (no output)", false),
        (json!({"value": "Block it"}), "true The user does not allow this command.", true),
        (json!({"value": "Perhaps"}), "true The user does not allow this command.", true),
        (json!({"cancelled": true}), "true The user did not answer, so this command was not run.", true),
    ];
    for gate in gates() {
        decide(&gate, &cases).await;
    }
}

async fn decide(gate: &Program, cases: &[(Value, &str, bool)]) {
    let provider = provider(cases.len()).await;
    let world = world(&provider);
    let mut pi = gate.rpc(&world, &[]);
    for (choice, expected, alive) in cases {
        world.write("victim.txt", "alive");
        send(&mut pi, &json!({"type": "prompt", "message": "clean up"})).await;
        let request = pi.event("extension_ui_request").await;
        assert_eq!(
            (&request["method"], &request["options"], &request["timeout"]),
            (&json!("select"), &json!(["Run it", "Block it"]), &json!(60_000))
        );
        assert!(request["title"].as_str().unwrap().ends_with("rm -f victim.txt"), "{request}");
        let id = request["id"].as_str().unwrap();
        assert!(id.len() == 36 && id.as_bytes()[14] == b'4', "{id} is a UUID of version 4");
        // Meanwhile everything else is answered.
        assert_eq!(ask(&mut pi, json!({"id": 1, "type": "get_state"})).await["data"]["isStreaming"], true);
        reply(&mut pi, &request, choice.clone()).await;
        let lines = pi.until(|line| line["type"] == "agent_end").await;
        assert_eq!((result(&lines).as_str(), is_alive(&world)), (*expected, *alive), "{choice} {}", gate.name);
    }
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn nobody_answers_in_time() {
    for gate in gates() {
        let provider = provider(1).await;
        let world = world(&provider);
        let mut pi = gate.rpc(&world, &["--gate-timeout", "0.05"]);
        let lines = run(&mut pi, "clean up").await;
        assert_eq!(result(&lines), "true The user did not answer, so this command was not run.", "{}", gate.name);
        assert!(is_alive(&world));
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

/// A program whose user has been asked.
async fn asked(gate: &Program, world: &World) -> Live {
    let mut pi = gate.rpc(world, &[]);
    send(&mut pi, &json!({"type": "prompt", "message": "clean up"})).await;
    pi.event("extension_ui_request").await;
    pi
}

#[tokio::test]
async fn the_program_ends_while_a_question_is_open() {
    let endings = [(None, 0), (Some(Signal::TERM), 143), (Some(Signal::HUP), 129)];
    for gate in ours("permission_gate", "permission-gate.ts") {
        for (signal, code) in endings {
            let provider = provider(1).await;
            let world = world(&provider);
            let mut pi = asked(&gate, &world).await;
            match signal {
                Some(signal) => pi.signal(signal),
                None => pi.close_stdin(),
            }
            assert_eq!(pi.finish().await, (code, String::new()), "{signal:?} {}", gate.name);
            assert!(is_alive(&world), "a question that is not answered is no permission");
        }
    }
}

/// The client of the library answers, too.
#[tokio::test]
async fn programs_answer_with_the_client_of_the_library() {
    let provider = provider(2).await;
    let world = world(&provider);
    let env = [("HOME", world.home()), ("PI_CODING_AGENT_DIR", world.agent_dir())];
    let env: Vec<_> = env.into_iter().map(|(name, dir)| (name.to_owned(), dir.to_str().unwrap().to_owned())).collect();
    let options = RpcClientOptions::builder().program(example("permission_gate")).env(env).cwd(world.cwd()).build();
    let pi = RpcClient::start(options).unwrap();
    let mut events = pi.subscribe();
    for (choice, alive) in [(None, true), (Some("Run it"), false)] {
        pi.prompt("clean up").await.unwrap();
        while let Some(event) = events.next().await {
            if let Some(request) = event.ui_request() {
                assert_eq!(request.method(), "select");
                match choice {
                    Some(choice) => request.answer(choice).await,
                    None => request.cancel().await,
                }
            }
            if event.is_last_of_run() {
                break;
            }
        }
        assert_eq!(is_alive(&world), alive);
    }
    pi.stop(PATIENCE).await;
}

#[tokio::test]
async fn an_abort_closes_the_question() {
    for gate in gates() {
        let provider = provider(1).await;
        let world = world(&provider);
        let mut pi = gate.rpc(&world, &[]);
        send(&mut pi, &json!({"type": "prompt", "message": "clean up"})).await;
        let request = pi.event("extension_ui_request").await;
        let response = ask(&mut pi, json!({"id": "stop", "type": "abort"})).await;
        assert_eq!(response["success"], true);
        reply(&mut pi, &request, json!({"value": "Run it"})).await;
        assert_eq!(ask(&mut pi, json!({"id": 1, "type": "get_state"})).await["data"]["isStreaming"], false);
        assert!(is_alive(&world), "the reply came too late: {}", gate.name);
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn without_a_user_it_is_blocked() {
    for gate in gates() {
        for mode in [["--mode", "json"], ["-p", "--verbose"]] {
            let provider = provider(1).await;
            let world = world(&provider);
            let finished = gate.with(&world, &[mode[0], mode[1], "clean up"]).run().await;
            assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{mode:?} {}", gate.name);
            assert!(is_alive(&world));
            let results = provider.requests()[1].body["messages"].to_string();
            assert!(results.contains("there is nobody to ask"), "{results}");
            assert!(!finished.stdout.contains("extension_"), "{}", finished.stdout);
        }
    }
}

#[tokio::test]
async fn what_is_not_dangerous_just_runs() {
    for gate in gates() {
        let harmless = tool_call("t1", "bash", &json!({"command": "echo rm"}));
        let provider = Provider::start([harmless, answer("Well.")]).await;
        let world = World::with(&provider);
        let mut pi = gate.rpc(&world, &[]);
        let lines = run(&mut pi, "go").await;
        assert_eq!(result(&lines), "false rm\n", "{}", gate.name);
        assert!(lines.iter().all(|line| line["type"] != "extension_ui_request"));
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

/// Failures of extensions are for people where there is no protocol.
#[tokio::test]
async fn failures_go_to_standard_error_without_a_client() {
    let bad = ["--gate-timeout=soon"];
    let expected = "Extension error (permission-gate): --gate-timeout takes a number of seconds, not \"soon\"\n";
    for mode in [["--mode", "json"], ["-p", "--verbose"]] {
        let provider = Provider::start([answer("Well.")]).await;
        let world = World::with(&provider);
        let finished = world.program(&example("permission_gate"), &[bad[0], mode[0], mode[1], "hello"]).run().await;
        assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), expected), "{mode:?}");
        assert!(!finished.stdout.contains("extension_error"), "{}", finished.stdout);
    }
    let world = World::with(&Provider::start(<[Reply; 0]>::default()).await);
    let mut pi = world.program(&example("permission_gate"), &[bad[0], "--mode", "rpc"]).start();
    let error = json!({"type": "extension_error", "extensionPath": "permission-gate", "event": "session_start",
        "error": "--gate-timeout takes a number of seconds, not \"soon\""});
    assert_eq!(pi.line().await, Some(error));
    assert_eq!(pi.end().await, (0, String::new()));
}
