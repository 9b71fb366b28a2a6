//! The mode that asks before calls: an option of each session.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Provider, World, answer, tool_call};

fn chosen(id: &str) -> Value {
    json!({"outcome": {"outcome": "selected", "optionId": id}})
}

async fn set_mode(editor: &mut Editor, session: &str, mode: &str) -> Value {
    let params = json!({"sessionId": session, "configId": "mode", "value": mode});
    editor.ok("session/set_config_option", params).await
}

#[tokio::test]
async fn modes_a_command_waits_for_the_user_and_a_yes_for_good_holds_for_the_next_session() {
    let run = |id: &str| tool_call(id, "bash", &json!({"command": "echo one > out.txt"}));
    let edit = tool_call("t2", "write", &json!({"path": "b.txt", "content": "new\n"}));
    let provider = Provider::start([run("t1"), edit, answer("done"), run("t3"), answer("done")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let options = set_mode(&mut editor, &session, "edits").await;
    let mode = options["configOptions"].as_array().unwrap().iter().find(|option| option["id"] == "mode").unwrap();
    assert_eq!((&mode["currentValue"], &mode["category"]), (&json!("edits"), &json!("mode")));
    editor.replies.insert("session/request_permission", VecDeque::from([chosen("1"), chosen("2")]));
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let asked = &editor.requests[0]["params"];
    assert_eq!(asked["toolCall"]["toolCallId"], "t1");
    assert_eq!(asked["toolCall"]["title"], "Run this command?\n\necho one > out.txt");
    // A line with a redirection cannot be allowed for good.
    let kinds = |request: &Value| -> Vec<String> {
        let options = request["params"]["options"].as_array().unwrap();
        options.iter().map(|option| option["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&editor.requests[0]), ["allow_once", "reject_once"]);
    assert_eq!(kinds(&editor.requests[1]), ["allow_once", "allow_always", "reject_once"]);
    assert!(!world.cwd().join("out.txt").exists() && !world.cwd().join("b.txt").exists());
    let results = provider.requests()[2].body["messages"].to_string();
    assert!(results.contains("The user did not allow this call."), "{results}");
    set_mode(&mut editor, &session, "never").await;
    assert_eq!(editor.prompt(&session, "again").await, "end_turn");
    assert!(world.cwd().join("out.txt").exists());
    assert_eq!(editor.requests.len(), 2);
    let (code, message) = editor
        .refusal("session/set_config_option", json!({"sessionId": session, "configId": "mode", "value": "x"}))
        .await;
    assert_eq!((code, message.contains("there is no mode x")), (-32602, true), "{message}");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn modes_what_is_allowed_for_good_is_not_asked_again_in_this_project() {
    let run = |id: &str| tool_call(id, "bash", &json!({"command": "touch made"}));
    let provider = Provider::start([run("t1"), answer("done"), run("t2"), answer("done")]).await;
    let world = World::with(&provider);
    for asked in [1, 0] {
        let mut editor = Editor::silent(&world, &["--ask", "commands"]);
        editor.ok("initialize", json!({"protocolVersion": 1, "clientCapabilities": {}})).await;
        editor.replies.insert("session/request_permission", VecDeque::from([chosen("1")]));
        let session = editor.session(&world).await;
        assert_eq!(editor.prompt(&session, "go").await, "end_turn");
        assert!(world.cwd().join("made").exists());
        std::fs::remove_file(world.cwd().join("made")).unwrap();
        assert_eq!(editor.requests.len(), asked);
        assert_eq!(editor.end().await, (0, String::new()));
    }
    let stored = std::fs::read_to_string(world.agent_dir().join("permissions.json")).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let project = std::fs::canonicalize(world.cwd()).unwrap();
    assert_eq!(stored[project.to_str().unwrap()]["commands"], json!([["touch", "made"]]));
}

#[tokio::test]
async fn modes_the_user_sees_what_a_call_would_do_and_the_call_keeps_its_title() {
    let edit = json!({"path": "a.txt", "edits": [{"oldText": "one", "newText": "eins"}]});
    let write = |path: &str| json!({"path": path, "content": "new\n"});
    let provider = Provider::start([
        tool_call("t1", "edit", &edit),
        tool_call("t2", "write", &write("a.txt")),
        tool_call("t3", "write", &write("b.txt")),
        tool_call("t4", "write", &write("c.bin")),
        tool_call("t5", "bash", &json!({"command": "echo one;\necho two"})),
        answer("done"),
        // Some providers use an id again.
        tool_call("t1", "write", &write("d.txt")),
        answer("done"),
    ])
    .await;
    let world = World::with(&provider);
    std::fs::write(world.cwd().join("a.txt"), "one\ntwo\n").unwrap();
    std::fs::write(world.cwd().join("c.bin"), [0xff, 0]).unwrap();
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    set_mode(&mut editor, &session, "edits").await;
    // "Allow once", but for the third, which is rejected, and the last, which is called off.
    let replies = ["0", "0", "2", "0", "0"].map(chosen).into_iter().chain([Value::Null]);
    editor.replies.insert("session/request_permission", replies.collect());
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let last = editor.send_prompt(&session, "again").await;
    while editor.requests.len() < 6 {
        editor.take().await;
    }
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(last).await.unwrap()["stopReason"], "cancelled");

    let calls: Vec<&Value> = editor.requests.iter().map(|request| &request["params"]["toolCall"]).collect();
    let file = |name: &str| json!(world.cwd().join(name));
    let diff = |name: &str, old: Value, new: &str| {
        let mut diff = json!({"type": "diff", "path": file(name), "newText": new});
        if !old.is_null() {
            diff["oldText"] = old;
        }
        diff
    };
    assert_eq!((&calls[0]["kind"], &calls[0]["rawInput"]), (&json!("edit"), &edit));
    assert_eq!(calls[0]["locations"], json!([{"path": file("a.txt")}]));
    assert_eq!(calls[0]["content"], json!([diff("a.txt", json!("one"), "eins")]));
    assert_eq!(calls[1]["content"], json!([diff("a.txt", json!("eins\ntwo\n"), "new\n")]));
    assert_eq!(calls[2]["content"], json!([diff("b.txt", Value::Null, "new\n")]));
    let hidden = calls[3]["content"][0]["content"]["text"].as_str().unwrap();
    assert!(hidden.contains("c.bin is there already"), "{hidden}");
    let command = &calls[4]["content"][0]["content"]["text"];
    assert_eq!((&calls[4]["kind"], command), (&json!("execute"), &json!("```sh\necho one;\necho two\n```")));
    assert_ne!(calls[5]["toolCallId"], calls[0]["toolCallId"]);

    let titles = ["edit a.txt", "write a.txt", "write b.txt", "write c.bin", "`echo one; …`", "write d.txt"];
    for (asked, title) in calls.iter().zip(titles) {
        assert_ne!(asked["title"], title);
        let own = editor.of_kind(&session, "tool_call_update").into_iter();
        let mut titled =
            own.filter(|update| update["toolCallId"] == asked["toolCallId"] && update["title"].is_string());
        assert_eq!(titled.next_back().unwrap()["title"], title);
        assert!(titled.count() >= 1, "before and after the question");
    }
    assert_eq!(editor.end().await, (0, String::new()));
}
