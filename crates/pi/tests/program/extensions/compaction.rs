//! The examples `custom_compaction`, as programs.

use serde_json::{Value, json};

use crate::extensions::programs::{Program, ask, notices, programs, run, send};
use pi_test_kit::{Live, Provider, Reply, World, answer, fail, tool_call};

fn compactions() -> Vec<Program> {
    programs("custom_compaction", "custom-compaction.ts")
}

/// Two prompts; the first one reads and writes.
fn conversation() -> Vec<Reply> {
    vec![
        tool_call("t1", "read", &json!({"path": "in.txt"})),
        tool_call("t2", "write", &json!({"path": "out.txt", "content": "x"})),
        answer("It is written."),
        answer(&format!("Something long. {}", "word ".repeat(3000))),
    ]
}

/// A program that has had the conversation. Almost nothing of it is kept.
async fn talked(program: &Program, world: &World, arguments: &[&str]) -> Live {
    world.write("in.txt", "input");
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false},
            "compaction": {"keepRecentTokens": 1000}}),
    );
    let mut pi = program.rpc(world, arguments);
    // Long enough for a summary to be shorter.
    run(&mut pi, &format!("Copy the file.\nPlease. {}", "Thank you. ".repeat(100))).await;
    run(&mut pi, "Tell me something long.").await;
    pi
}

/// Compacts; what the user was told, and the response.
async fn compact(pi: &mut Live, wish: Option<&str>) -> (Vec<Value>, Value) {
    send(pi, &json!({"id": "c", "type": "compact", "customInstructions": wish})).await;
    let mut lines = pi.until(|line| line["id"] == "c").await;
    let response = lines.pop().unwrap();
    (lines, response)
}

const OUTLINE: &str = "## What the user asked for
- Copy the file.
- Tell me something long.

## What was said last
It is written.

## Files that were read
in.txt

## Files that were changed
out.txt";

#[tokio::test]
async fn without_a_model_there_is_an_outline() {
    for program in compactions() {
        let provider = Provider::start(conversation()).await;
        let world = World::with(&provider);
        let mut pi = talked(&program, &world, &[]).await;
        let (lines, response) = compact(&mut pi, None).await;
        assert_eq!(response["data"]["summary"], OUTLINE, "{}: {response}", program.name);
        assert_eq!(notices(&lines), [""; 0]);
        assert_eq!(provider.requests().len(), 4, "no model was asked");
        let entries = world.entries();
        let stored = entries.iter().find(|entry| entry["type"] == "compaction").unwrap();
        assert_eq!(
            (&stored["summary"], &stored["fromHook"], &stored["details"]),
            (&json!(OUTLINE), &json!(true), &json!({"readFiles": ["in.txt"], "modifiedFiles": ["out.txt"]}))
        );
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_cheaper_model_summarises() {
    for program in compactions() {
        let provider = Provider::start(conversation().into_iter().chain([answer(" A file was copied. ")])).await;
        let world = World::with(&provider);
        let mut pi = talked(&program, &world, &["--summary-model", "mock/m2"]).await;
        let (_, response) = compact(&mut pi, Some("mind the file")).await;
        let expected = "A file was copied.\n\n## Files that were read\nin.txt\n\n## Files that were changed\nout.txt";
        assert_eq!(response["data"]["summary"], expected, "{}: {response}", program.name);
        let request = &provider.requests()[4];
        assert_eq!((&request.body["model"], request.tools()), (&json!("m2"), vec![]));
        let asked = request.texts("user").concat();
        for part in
            ["The user wants you to heed this: mind the file", "[User]: Copy the file.", "[Assistant]: It is written."]
        {
            assert!(asked.contains(part), "{part}: {asked}");
        }
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn what_goes_wrong_leaves_the_summary_to_pi() {
    let refused = || fail(400, "invalid_request_error", "no such thing");
    let cases = [
        ("mock/m2", vec![refused(), answer("As usual.")], "The usual summary is made instead: "),
        ("mock/m2", vec![answer("  "), answer("As usual.")], "The usual summary is made instead: mock/m2 said nothing"),
        (
            "mock/none",
            vec![answer("As usual.")],
            "The usual summary is made instead: --summary-model names no model: \"mock/none\"",
        ),
        ("m2", vec![answer("As usual.")], "The usual summary is made instead: --summary-model names no model: \"m2\""),
    ];
    for program in compactions() {
        for (model, replies, notice) in &cases {
            // The usual summary may take two calls.
            let replies = conversation().into_iter().chain(replies.clone()).chain([answer("As usual.")]);
            let provider = Provider::start(replies).await;
            let world = World::with(&provider);
            let mut pi = talked(&program, &world, &["--summary-model", model]).await;
            let (lines, response) = compact(&mut pi, None).await;
            let told = notices(&lines);
            assert!(told.len() == 1 && told[0].starts_with(notice), "{told:?} {}", program.name);
            let summary = response["data"]["summary"].as_str().unwrap_or_else(|| panic!("{response}"));
            assert!(summary.starts_with("As usual."), "{response}");
            assert_eq!(pi.end().await, (0, String::new()));
        }
    }
}

#[tokio::test]
async fn an_abort_ends_the_call() {
    for program in compactions() {
        let hanging = Reply::stream("").hang();
        let provider = Provider::start(conversation().into_iter().chain([hanging])).await;
        let world = World::with(&provider);
        let mut pi = talked(&program, &world, &["--summary-model", "mock/m2"]).await;
        send(&mut pi, &json!({"id": "c", "type": "compact"})).await;
        provider.received(5).await;
        ask(&mut pi, json!({"id": "stop", "type": "abort"})).await;
        // Not every program takes `abort` for the end of a compaction, but its own end is one.
        pi.close_stdin();
        assert_eq!(pi.finish().await.0, 0, "{}", program.name);
        assert!(world.entries().iter().all(|entry| entry["type"] != "compaction"));
    }
}
