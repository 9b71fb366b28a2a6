//! One object for scripts, limits, and answers that fit a schema.

use serde_json::{Value, json};

use pi_test_kit::{Provider, Reply, World, answer, delta, open, tool_call};

const SCHEMA: &str = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;

fn object(stdout: &str) -> Value {
    assert_eq!(stdout.lines().count(), 1, "one object and nothing else: {stdout}");
    serde_json::from_str(stdout).unwrap()
}

#[tokio::test]
async fn scripts_get_one_object() {
    let write = tool_call("t1", "write", &json!({"path": "new.txt", "content": "x"}));
    let provider = Provider::start([write, answer("written")]).await;
    let world = World::with(&provider);
    let result = object(&world.run(&["-p", "--output-format", "json", "go"]).await.success());
    assert_eq!(
        (&result["type"], &result["answer"], &result["stopReason"]),
        (&"result".into(), &"written".into(), &"stop".into())
    );
    assert_eq!((&result["turns"], &result["error"], &result["model"]), (&2.into(), &Value::Null, &"mock/m1".into()));
    assert_eq!(result["changedFiles"], json!(["new.txt"]));
    assert_eq!(result["usage"]["output"], 10);
    assert!(result["cost"].is_number() && result["durationMs"].is_number());
    assert_eq!(result["session"]["id"], world.entries()[0]["id"]);
    assert_eq!(result["session"]["file"].as_str().unwrap(), world.mask(world.session_files()[0].to_str().unwrap()));
}

#[tokio::test]
async fn failures_are_in_the_object_too() {
    let provider = Provider::start([Reply::plain(500, "broken")]).await;
    let world = World::with(&provider);
    let failed = world.run(&["--output-format=json", "go"]).await;
    let result = object(&failed.stdout);
    assert_eq!((failed.code, &result["answer"], &result["stopReason"]), (Some(1), &Value::Null, &"error".into()));
    assert!(result["error"].as_str().unwrap().contains("500"), "{result}");
    let early = World::empty().run(&["--output-format", "json", "--model", "nothing", "go"]).await;
    assert!(
        object(&early.stdout)["error"].as_str().unwrap().contains("\"nothing\" not found") && early.code == Some(1)
    );
    let no_key = World::empty().run(&["--output-format", "json", "go"]).await;
    assert!(object(&no_key.stdout)["error"].as_str().unwrap().contains("No API key") && no_key.code == Some(1));
}

#[tokio::test]
async fn formats_have_the_names_that_other_agents_gave_them() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    let lines = world.run(&["--output-format", "stream-json", "go"]).await.success();
    assert!(lines.starts_with("{\"type\":\"session\"") && lines.contains("\"agent_end\""), "{lines}");
    assert_eq!(world.run(&["--output-format", "text", "go"]).await.success(), "two\n");
    for args in [&["--output-format", "xml", "go"][..], &["--output-format", "json", "--mode", "rpc"]] {
        let run = world.run(args).await;
        assert!(
            run.code == Some(1) && run.stderr.contains("--output-format")
                || run.stderr.contains("Unknown output format"),
            "{run:?}"
        );
    }
}

fn calls() -> Vec<Reply> {
    let call = |id: &str| tool_call(id, "bash", &json!({"command": "echo ran"}));
    vec![call("t1"), call("t2"), call("t3"), answer("done")]
}

#[tokio::test]
async fn a_limit_of_turns_ends_the_run() {
    let provider = Provider::start(calls()).await;
    let world = World::with(&provider);
    let run = world.run(&["-p", "--max-turns", "2", "go", "and more"]).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(10), ""));
    insta::assert_snapshot!(run.stderr, @"Stopped: the limit of 2 turns is reached (max-turns). Raise it with --max-turns or in settings.json; pi --continue goes on where the session stopped.");
    assert_eq!(provider.requests().len(), 2);
    assert_eq!(
        world.run(&["-p", "-c", "--max-turns", "2", "go on"]).await.success(),
        "done\n",
        "the last of two is no limit"
    );
    let provider = Provider::start(calls()).await;
    let world = World::with(&provider);
    let run = world.run(&["--output-format", "json", "--max-turns=1", "go"]).await;
    let result = object(&run.stdout);
    assert_eq!(
        (run.code, &result["limits"]["reached"], &result["limits"]["turnsLeft"]),
        (Some(10), &"max-turns".into(), &0.into())
    );
    assert!(result["error"].as_str().unwrap().contains("1 turn"), "{result}");
}

/// A world whose model costs a dollar per answer of five tokens.
fn dear(provider: &Provider) -> World {
    let world = World::with(provider);
    world.write_config("models.json", &json!({"providers": {"mock": {"baseUrl": provider.url(), "api": "anthropic-messages",
        "apiKey": "k", "models": [{"id": "m1", "cost": {"input": 0, "output": 200_000, "cacheRead": 0, "cacheWrite": 0}}]}}}));
    world
}

#[tokio::test]
async fn a_limit_of_money_ends_the_run_and_settings_may_set_it() {
    for by_settings in [false, true] {
        let provider = Provider::start(calls()).await;
        let world = dear(&provider);
        let args: &[&str] = match by_settings {
            true => {
                world.write_config(
                    "settings.json",
                    &json!({"defaultProvider": "mock", "defaultModel": "m1", "limits": {"maxCost": 2}}),
                );
                &["--mode", "json", "go"]
            }
            false => &["--mode", "json", "--max-cost", "2", "go"],
        };
        let run = world.run(args).await;
        assert_eq!((run.code, provider.requests().len()), (Some(11), 2), "{}", run.stderr);
        assert!(
            run.stdout.contains(r#"{"type":"limit_reached","limit":"max-cost","message":"Stopped: the limit of $2"#)
        );
    }
}

#[tokio::test]
async fn a_limit_of_time_ends_the_run() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("never"))).hang()]).await;
    let world = World::with(&provider);
    let run = world.run(&["-p", "--timeout", "1s", "go"]).await;
    assert_eq!(run.code, Some(12), "{}", run.stderr);
    assert!(run.stderr.contains("the limit of 1 second is reached (timeout)"), "{}", run.stderr);
    let history = world.history();
    assert!(history.len() == 2 && history[1].starts_with("assistant (aborted): "), "{history:?}");
}

#[tokio::test]
async fn limits_hold_over_rpc_and_say_what_is_left() {
    let provider = Provider::start(calls().into_iter().take(2).chain(calls().into_iter().take(2))).await;
    let world = World::with(&provider);
    let mut pi = world.pi(&["--mode", "rpc", "--max-turns", "2", "--timeout", "1h"]).start();
    for _ in 0..2 {
        pi.send("{\"id\":1,\"type\":\"prompt\",\"message\":\"go\"}\n").await;
        let lines = pi.until(|line| line["type"] == "agent_end").await;
        assert!(lines.iter().any(|line| line["type"] == "limit_reached" && line["limit"] == "max-turns"));
        pi.send("{\"id\":2,\"type\":\"get_session_stats\"}\n").await;
        let stats = pi.until(|line| line["command"] == "get_session_stats").await.pop().unwrap();
        let limits = &stats["data"]["limits"];
        assert_eq!(
            (&limits["maxTurns"], &limits["turnsLeft"], &limits["reached"]),
            (&2.into(), &0.into(), &"max-turns".into())
        );
        assert!(limits["timeLeftMs"].as_u64().unwrap() > 0);
    }
    assert_eq!(provider.requests().len(), 4, "each prompt has its own turns");
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test]
async fn values_of_limits_are_checked() {
    let world = World::at("http://127.0.0.1:9");
    for (args, words) in [
        (["--max-turns", "0"], "--max-turns takes a whole number"),
        (["--max-cost", "much"], "--max-cost takes US dollars"),
        (["--timeout", "soon"], "--timeout takes a time"),
        (["--json-schema", "none.json"], "--json-schema ROOT/project/none.json: No such file"),
    ] {
        let run = world.run(&[&args[..], &["-p", "go"]].concat()).await;
        assert!(run.code == Some(1) && run.stderr.contains(words), "{run:?}");
    }
}

#[tokio::test]
async fn an_answer_fits_its_schema_at_once_or_is_repaired() {
    for (replies, asked) in [(vec!["{\"n\": 3}"], 1), (vec!["Here: {\"n\": \"three\"}", "```json\n{\"n\": 3}\n```"], 2)]
    {
        let provider = Provider::start(replies.into_iter().map(answer)).await;
        let world = World::with(&provider);
        world.write("schema.json", SCHEMA);
        assert_eq!(world.run(&["-p", "--json-schema", "schema.json", "count"]).await.success(), "{\"n\":3}\n");
        let requests = provider.requests();
        assert_eq!(requests.len(), asked);
        assert!(
            requests[0].texts("user")[0].starts_with("count\n\n")
                && requests[0].texts("user")[0].contains("\"required\"")
        );
    }
    let provider = Provider::start([answer("no"), answer("still no")]).await;
    let world = World::with(&provider);
    world.write("schema.json", SCHEMA);
    let run = world.run(&["--output-format", "json", "--json-schema", "schema.json", "count"]).await;
    let result = object(&run.stdout);
    assert_eq!((run.code, &result["answer"]), (Some(13), &"still no".into()));
    assert!(result.get("structured").is_none() && result["error"].as_str().unwrap().contains("not JSON"), "{result}");
}
