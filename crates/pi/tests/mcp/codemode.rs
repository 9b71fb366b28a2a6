//! Scripts of the model in the program: tools of servers that only they call, what is told and kept of their calls, and
//! what they save.
#![cfg(feature = "typescript")]

use std::path::Path;

use pi_test_kit::{Finished, Provider, Reply, World, answer, tool_call, tool_calls};
use serde_json::{Value, json};

use crate::{entry, prompt, results, tools, world};

fn script(id: &str, script: &str) -> Reply {
    tool_call(id, "codemode", &json!({"script": script}))
}

/// The shop, whose tools are there for scripts.
fn shop() -> Value {
    let mut shop = entry("shop");
    shop["exposure"] = json!("codemode");
    json!({"shop": shop})
}

/// The lines of JSON mode of a kind.
fn lines(done: &Finished, kind: &str) -> Vec<Value> {
    let lines = done.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == kind).collect()
}

#[tokio::test]
async fn tools_of_servers_are_found_by_a_search_and_called_by_scripts() {
    let total = "const order = await tools.mcp__shop__get_order({ id: 7 });\nreturn order.items.length";
    let calls = [
        tool_call("1", "tool_search", &json!({"query": "an order"})),
        script("2", total),
        answer("done"),
        answer("ok"),
    ];
    let provider = Provider::start(calls).await;
    let world = world(&provider, &shop());
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let results = results(&provider);
    assert!(
        results[0].starts_with("Scripts that you give to codemode can call these, as tools.NAME(arguments)"),
        "{}",
        results[0]
    );
    let schema = r#"  {"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}"#;
    assert!(results[0].contains(schema), "{}", results[0]);
    assert_eq!(results[1], "5");
    // No request declares them, and what is declared stays the same, also when the session goes on.
    let done = prompt(&world, &["-c"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let requests = provider.requests();
    assert!(requests.iter().all(|request| tools(request) == ["tool_search"]), "{:?}", tools(&requests[3]));
    assert!(requests.iter().all(|request| request.tools().contains(&"codemode")));
}

#[tokio::test]
async fn without_the_tool_its_servers_are_searched_like_others() {
    let calls = [tool_call("1", "tool_search", &json!({"query": "an order"})), answer("done")];
    let provider = Provider::start(calls).await;
    let world = world(&provider, &shop());
    let done = prompt(&world, &["-xt", "codemode"]).await;
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert!(
        results(&provider)[0].starts_with("These can be called from now on:\n- mcp__shop__"),
        "{:?}",
        results(&provider)
    );
    assert!(tools(&provider.requests()[1]).contains(&"mcp__shop__get_order"));
}

#[tokio::test]
async fn the_choice_of_tools_brings_it_and_its_calls_are_told_stored_and_blocked_like_others() {
    let work = "await tools.write({ path: 'a.txt', content: 'one' });\ntry { await tools.bash({ command: 'rm a.txt' }) } catch (error) { console.log(error.message) }\nreturn await tools.read({ path: 'a.txt' })";
    let provider = Provider::start([script("1", work), answer("done")]).await;
    let world = World::with(&provider);
    world.write(
        "guard.ts",
        r#"import { appendFileSync } from "node:fs";
        export default function (pi) {
          pi.on("tool_call", (event) => {
            appendFileSync("seen.txt", `${event.toolCallId} of ${event.parentToolCallId}: ${event.toolName}\n`);
            if (event.toolName === "bash") return { block: true, reason: "no shell today" };
          });
          pi.on("tool_execution_end", (event) => appendFileSync("seen.txt", `${event.toolCallId} of ${event.parentToolCallId} ended\n`));
        }"#,
    );
    let done = world.run(&["--mode", "json", "--tools", "+codemode", "-e", "guard.ts", "go"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(results(&provider), ["no shell today\none"]);
    let begun: Vec<Value> = lines(&done, "tool_execution_start");
    let parents: Vec<&Value> = begun.iter().map(|line| &line["parentToolCallId"]).collect();
    assert_eq!(parents, [&Value::Null, &json!("1"), &json!("1"), &json!("1")]);
    let seen = std::fs::read_to_string(world.cwd().join("seen.txt")).unwrap();
    insta::assert_snapshot!(seen, @r#"
    1 of undefined: codemode
    1:1 of 1: write
    1:1 of 1 ended
    1:2 of 1: bash
    1:2 of 1 ended
    1:3 of 1: read
    1:3 of 1 ended
    1 of undefined ended
    "#);
    // The session has one result, with the calls in it.
    let entries = world.entries();
    let results: Vec<&Value> = entries.iter().filter(|entry| entry["message"]["role"] == "toolResult").collect();
    assert_eq!(results.len(), 1);
    let calls = results[0]["message"]["details"]["calls"].as_array().unwrap();
    let of = |call: &Value| format!("{} {} {}", call["id"], call["name"], call["isError"]);
    assert_eq!(
        calls.iter().map(of).collect::<Vec<_>>(),
        [r#""1:1" "write" false"#, r#""1:2" "bash" true"#, r#""1:3" "read" false"#]
    );
}

#[tokio::test]
async fn a_run_that_was_recorded_is_replayed_with_its_calls() {
    let work = "const text = await tools.bash({ command: 'date +%N' });\nreturn text.trim()";
    let provider = Provider::start([script("1", work), answer("done")]).await;
    let world = World::with(&provider);
    let recorded =
        world.run(&["--mode", "json", "--tools", "+codemode", "--record", "run.jsonl", "--with-tools", "go"]).await;
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    let replayed = world
        .run(&[
            "--mode",
            "json",
            "--tools",
            "+codemode",
            "--replay",
            "run.jsonl",
            "--with-tools",
            "--session-dir",
            "again",
            "go",
        ])
        .await;
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    for kind in ["tool_execution_start", "tool_execution_end"] {
        assert_eq!(lines(&recorded, kind), lines(&replayed, kind));
        assert_eq!(lines(&recorded, kind).len(), 2);
    }
}

/// The calls of a step, with the numbers in them.
fn step(calls: &Value) -> Reply {
    let mut all = Vec::new();
    for group in calls.as_array().unwrap() {
        for n in 1..=group["each"].as_u64().unwrap() {
            let text = group["arguments"].to_string().replace("\"{n}\"", &n.to_string()).replace("{n}", &n.to_string());
            let id = format!("{}{n}", group["tool"].as_str().unwrap());
            all.push((id, group["tool"].as_str().unwrap(), serde_json::from_str::<Value>(&text).unwrap()));
        }
    }
    tool_calls(&all.iter().map(|(id, name, arguments)| (id.as_str(), *name, arguments.clone())).collect::<Vec<_>>())
}

fn write_files(world: &World, files: &Value) {
    let text = |name: &str| files[name].as_str().unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    for n in 1..=files["count"].as_u64().unwrap_or(0) {
        let mut lines = Vec::new();
        for l in 1..=number(&files["lines"]) {
            let is_marked = l % number(&files["every"]["line"]) == 0;
            let line = if is_marked { files["every"]["text"].as_str().unwrap() } else { text("line") };
            let m = l / number(&files["every"]["line"]) % 3;
            lines.push(
                line.replace("{n}", &n.to_string()).replace("{l}", &l.to_string()).replace("{m}", &m.to_string()),
            );
        }
        world.write(&text("name").replace("{n}", &n.to_string()), &(lines.join("\n") + "\n"));
    }
}

/// Plays a task; the bytes of all requests, and what the last call answered.
async fn play(task: &Value, replies: Vec<Reply>, exposure: &str, arguments: &[&str]) -> (usize, String) {
    let provider = Provider::start(replies.into_iter().chain([answer("done")])).await;
    let world = World::with(&provider);
    if let Some(mode) = task["server"].as_str() {
        let mut server = entry(mode);
        server["exposure"] = json!(exposure);
        world.write_config("mcp.json", &json!({"mcpServers": {mode: server}}));
    }
    write_files(&world, &task["files"]);
    let done = prompt(&world, arguments).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let bytes = provider.requests().iter().map(|request| request.body.to_string().len()).sum();
    (bytes, results(&provider).pop().unwrap())
}

#[tokio::test]
async fn three_tasks_of_many_calls_cost_a_fraction_with_a_script() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/codemode/tasks.json");
    let tasks: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for task in tasks["tasks"].as_array().unwrap() {
        let steps = task["calls"].as_array().unwrap().iter().map(step).collect();
        let (with_calls, _) = play(task, steps, "direct", &[]).await;
        let search = task["search"].as_str().map(|query| tool_call("0", "tool_search", &json!({"query": query})));
        let one = search.into_iter().chain([script("1", task["script"].as_str().unwrap())]).collect();
        let (with_script, result) = play(task, one, "codemode", &["--tools", "+codemode"]).await;
        assert_eq!(result, task["answer"].as_str().unwrap(), "{}", task["name"]);
        println!("{}: {with_calls} bytes with calls, {with_script} with a script", task["name"]);
        assert!(
            with_script * 2 <= with_calls,
            "{}: {with_calls} bytes with calls, {with_script} with a script",
            task["name"]
        );
    }
}
