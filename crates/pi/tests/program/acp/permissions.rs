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
