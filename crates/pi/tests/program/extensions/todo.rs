//! The examples `todo`, as programs: their list follows the session.

use serde_json::{Value, json};

use crate::extensions::programs::{Program, ask, ours, programs, run, send};
use pi_test_kit::{Live, Provider, World, answer, tool_call};

/// What `/todos` shows.
async fn todos(pi: &mut Live) -> String {
    send(pi, &json!({"id": "todos", "type": "prompt", "message": "/todos"})).await;
    let lines = pi.until(|line| line["id"] == "todos").await;
    let notice = lines.iter().find(|line| line["method"] == "notify").unwrap();
    notice["message"].as_str().unwrap().to_owned()
}

fn call(id: &str, arguments: &Value) -> [pi_test_kit::Reply; 2] {
    [tool_call(id, "todo", arguments), answer("Done.")]
}

#[tokio::test]
async fn the_list_is_the_one_of_the_branch() {
    for todo in programs("todo", "todo.ts") {
        follow_branches(&todo).await;
    }
}

async fn follow_branches(todo: &Program) {
    let replies = [
        call("t1", &json!({"action": "add", "text": "one"})),
        call("t2", &json!({"action": "add", "text": "two"})),
        call("t3", &json!({"action": "toggle", "id": 1})),
        call("t4", &json!({"action": "toggle", "id": 9})),
        call("t5", &json!({"action": "add", "text": "elsewhere"})),
    ];
    let provider = Provider::start(replies.into_iter().flatten()).await;
    let world = World::with(&provider);
    let mut pi = todo.rpc(&world, &[]);
    assert_eq!(todos(&mut pi).await, "Nothing to do.");
    for prompt in ["first", "second", "third", "fourth"] {
        run(&mut pi, prompt).await;
    }
    let all = "[x] #1 one\n[ ] #2 two";
    assert_eq!(todos(&mut pi).await, all);
    let file = ask(&mut pi, json!({"id": 1, "type": "get_state"})).await["data"]["sessionFile"].clone();
    assert!(provider.requests()[0].tools().contains(&"todo"));
    assert!(provider.requests()[0].system().contains("todo: Keep a list of what is to do"));

    let places = ask(&mut pi, json!({"id": 2, "type": "get_fork_messages"})).await["data"]["messages"].clone();
    let second = places.as_array().unwrap().iter().find(|place| place["text"] == "second").unwrap();
    ask(&mut pi, json!({"id": 3, "type": "fork", "entryId": second["entryId"]})).await;
    assert_eq!(todos(&mut pi).await, "[ ] #1 one");
    run(&mut pi, "somewhere else").await;
    assert_eq!(todos(&mut pi).await, "[ ] #1 one\n[ ] #2 elsewhere");

    ask(&mut pi, json!({"id": 4, "type": "switch_session", "sessionPath": file})).await;
    assert_eq!(todos(&mut pi).await, all);
    ask(&mut pi, json!({"id": 5, "type": "new_session"})).await;
    assert_eq!(todos(&mut pi).await, "Nothing to do.");
    assert_eq!(pi.end().await, (0, String::new()));

    // Another process finds it, too.
    let file = file.as_str().unwrap();
    let mut pi = todo.rpc(&world, &["--session", file]);
    assert_eq!(todos(&mut pi).await, all);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_call_that_fails_changes_nothing() {
    let cases = [
        (json!({"action": "toggle", "id": 3}), "There is no item 3. Use list."),
        (json!({"action": "toggle"}), "todo: missing field `id`"),
        (json!({"action": "add"}), "todo: missing field `text`"),
    ];
    for todo in programs("todo", "todo.ts") {
        for (bad, complaint) in &cases {
            let provider = Provider::start([tool_call("t1", "todo", bad), answer("Well.")]).await;
            let world = World::with(&provider);
            let mut pi = todo.rpc(&world, &[]);
            let lines = run(&mut pi, "go").await;
            let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
            let expected = json!({"content": [{"type": "text", "text": complaint}], "details": {}});
            assert_eq!(end["result"], expected, "{}", todo.name);
            assert_eq!(todos(&mut pi).await, "Nothing to do.");
            assert_eq!(pi.end().await, (0, String::new()));
        }
    }
}

#[tokio::test]
async fn a_command_on_the_command_line_asks_no_model() {
    let world = World::at("http://127.0.0.1:9");
    for todo in programs("todo", "todo.ts") {
        for mode in ["text", "json"] {
            let finished = todo.with(&world, &["-p", "/todos", "--mode", mode]).run().await;
            // Without a user there is nobody to show it to; in JSON mode there is the header.
            assert_eq!(finished.success().lines().count(), usize::from(mode == "json"), "{}", todo.name);
        }
    }
}

/// The handler only begins the run; the program ends when that has ended. (The reference ends at once.)
#[tokio::test]
async fn what_a_command_begins_in_the_background_is_waited_for() {
    for todo in ours("todo", "todo.ts") {
        for (mode, expected) in [("text", "It is done.\n"), ("json", "agent_end")] {
            let provider = Provider::start([answer("It is done.")]).await;
            let world = World::with(&provider);
            let stdout = todo.with(&world, &["-p", "/next", "--mode", mode]).run().await.success();
            assert!(stdout.contains(expected), "{stdout}");
            let asked = provider.requests()[0].texts("user");
            assert_eq!(asked, ["Do the next thing now: whatever you think of first"]);
            assert_eq!(world.history().len(), 2);
        }
    }
}
