//! What a client's workspace has besides the conversation: more directories, and lists of things to do.

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::{Value, json};

use super::editor::Editor;

#[tokio::test]
async fn adddirs_the_model_is_told_of_them_and_their_files_go_through_the_editor() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let (lib, other) = (world.home().join("lib"), world.home().join("other"));
    for directory in [&lib, &other] {
        std::fs::create_dir(directory).unwrap();
        std::fs::write(directory.join("a.txt"), "on disk\n").unwrap();
    }
    let read = |id: &str, directory: &std::path::Path| tool_call(id, "read", &json!({"path": directory.join("a.txt")}));
    provider.answer_with([read("t1", &lib), read("t2", &other), answer("done")]);
    let mut editor = Editor::with(&world, json!({"fs": {"readTextFile": true}})).await;
    editor.replies.insert("fs/read_text_file", [json!({"content": "unsaved\n"})].into());
    let params = json!({"cwd": world.cwd(), "mcpServers": [], "additionalDirectories": [lib]});
    let session = editor.ok("session/new", params).await["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let system = |request: &pi_test_kit::Received| request.body["system"].to_string();
    let requests = provider.requests();
    assert!(system(&requests[0]).contains(&format!("- {}", lib.display())), "{}", system(&requests[0]));
    assert_eq!(system(&requests[0]), system(&requests[2]));
    let asked: Vec<_> = editor.requests.iter().map(|request| request["params"]["path"].clone()).collect();
    assert_eq!(asked, [json!(lib.join("a.txt"))], "the other directory is none of the workspace");
    let listed = |editor: &Value| editor["sessions"][0]["additionalDirectories"].clone();
    assert_eq!(listed(&editor.ok("session/list", json!({})).await), json!([lib]));

    // Whoever comes again says them again: these, or none.
    for (method, directories) in [("session/load", json!([other, lib])), ("session/resume", json!([]))] {
        provider.answer_with([answer("done")]);
        let params =
            json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": [], "additionalDirectories": directories});
        editor.ok(method, params).await;
        assert_eq!(editor.prompt(&session, "go").await, "end_turn");
        let told = system(provider.requests().last().unwrap());
        for directory in [&lib, &other] {
            let is_one = directories.as_array().unwrap().contains(&json!(directory));
            assert_eq!(told.contains(&format!("- {}", directory.display())), is_one, "{told}");
        }
        assert_eq!(told.contains("more directories"), directories != json!([]));
    }
    let list = editor.ok("session/list", json!({})).await;
    assert!(listed(&list).is_null(), "{list}");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn a_list_of_things_to_do_is_a_plan() {
    let act = |id: &str, action: Value| tool_call(id, "todo", &action);
    let provider = Provider::start([
        act("t1", json!({"action": "add", "text": "look"})),
        act("t2", json!({"action": "add", "text": "leap"})),
        act("t3", json!({"action": "toggle", "id": 1})),
        answer("done"),
    ])
    .await;
    let world = World::with(&provider);
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/extensions/typescript/todo.ts");
    std::fs::create_dir_all(world.agent_dir().join("extensions")).unwrap();
    std::fs::copy(example, world.agent_dir().join("extensions/todo.ts")).unwrap();
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let entry = |text: &str, status: &str| json!({"content": text, "priority": "medium", "status": status});
    let plans = |editor: &Editor| {
        let plans = editor.of_kind(&session, "plan").into_iter();
        plans.map(|plan| plan["entries"].clone()).collect::<Vec<_>>()
    };
    let expected = [
        json!([entry("look", "pending")]),
        json!([entry("look", "pending"), entry("leap", "pending")]),
        json!([entry("look", "completed"), entry("leap", "pending")]),
    ];
    assert_eq!(plans(&editor), expected);
    assert_eq!(editor.end().await, (0, String::new()));
    let mut later = Editor::start(&world).await;
    later.ok("session/load", json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []})).await;
    assert_eq!(plans(&later), expected);
    assert_eq!(later.end().await, (0, String::new()));
}
