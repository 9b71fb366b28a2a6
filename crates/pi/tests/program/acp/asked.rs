//! What the agent asks of the editor: answers for extensions, its files, a login.

#[cfg(feature = "typescript")]
use std::collections::VecDeque;

#[cfg(feature = "typescript")]
use serde_json::Value;
use serde_json::json;

use super::editor::Editor;
use pi_test_kit::{Provider, World, answer, tool_call};

/// An extension whose command `/ask` asks everything there is, and says what came of it.
#[cfg(feature = "typescript")]
const ASKING: &str = r#"export default (pi) => pi.registerCommand("ask", { description: "Asks", handler: async (args, ctx) => {
    const sure = await ctx.ui.confirm("Sure?", "It is forever.");
    const colour = await ctx.ui.select("Which colour?", ["red", "green"]);
    const name = await ctx.ui.input("What name?");
    ctx.ui.notify(JSON.stringify([sure, colour ?? null, name ?? null]));
}});"#;

#[cfg(feature = "typescript")]
async fn asked(capabilities: Value, replies: &[(&'static str, Value)]) -> (Editor, String) {
    let world = World::at("http://127.0.0.1:9");
    let dir = world.agent_dir().join("extensions");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("ask.ts"), ASKING).unwrap();
    let mut editor = Editor::with(&world, capabilities).await;
    for (method, reply) in replies {
        editor.replies.entry(method).or_insert_with(VecDeque::new).push_back(reply.clone());
    }
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "/ask").await, "end_turn");
    // What was said without waiting for it comes before this answer.
    editor.ok("session/list", json!({})).await;
    editor.until_update(0, |update| update.to_string().contains("[true")).await;
    let said = editor.text(&session, "agent_message_chunk");
    (editor, said)
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn clientcap_001_questions_of_extensions_are_permissions() {
    let chosen = |id: &str| json!({"outcome": {"outcome": "selected", "optionId": id}});
    let permission = "session/request_permission";
    let (editor, said) = asked(json!({}), &[(permission, chosen("0")), (permission, chosen("1"))]).await;
    assert!(said.ends_with(r#"[true,"green",null]"#), "{said}");
    assert!(said.contains("What name?: this editor cannot ask for a text"), "{said}");
    let options = &editor.requests[0]["params"]["options"];
    assert_eq!((&options[0]["kind"], &options[1]["kind"]), (&json!("allow_once"), &json!("reject_once")));
    assert_eq!(editor.requests[0]["params"]["toolCall"]["title"], "Sure?\nIt is forever.");
    assert_eq!(editor.requests[1]["params"]["options"][1]["name"], "green");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn clientcap_002_questions_of_extensions_are_forms_where_there_are_forms() {
    let form = |text: &str| json!({"action": "accept", "content": {"answer": text}});
    let replies = [
        ("session/request_permission", json!({"outcome": {"outcome": "selected", "optionId": "0"}})),
        ("elicitation/create", form("red")),
        ("elicitation/create", form("Ada")),
    ];
    let (editor, said) = asked(json!({"elicitation": {"form": {}}}), &replies).await;
    assert_eq!(said, r#"[true,"red","Ada"]"#);
    let schema = &editor.requests[1]["params"]["requestedSchema"]["properties"]["answer"];
    assert_eq!(schema["enum"], json!(["red", "green"]));
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn clientcap_003_files_go_through_the_editor_where_it_offers_that() {
    let calls = [
        tool_call("t1", "read", &json!({"path": "a.txt"})),
        tool_call("t2", "edit", &json!({"path": "a.txt", "edits": [{"oldText": "unsaved", "newText": "changed"}]})),
        tool_call("t3", "write", &json!({"path": "b.txt", "content": "new\n"})),
        tool_call("t4", "write", &json!({"path": "a.txt", "content": "newer\n"})),
        answer("done"),
    ];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    std::fs::write(world.cwd().join("a.txt"), "on disk\n").unwrap();
    let mut editor = Editor::with(&world, json!({"fs": {"readTextFile": true, "writeTextFile": true}})).await;
    let content = json!({"content": "unsaved\n"});
    editor.replies.insert("fs/read_text_file", [content.clone(), content.clone(), content].into());
    editor.replies.insert("fs/write_text_file", [json!({}), json!({}), json!({})].into());
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let asked: Vec<_> =
        editor.requests.iter().map(|request| (&request["method"], &request["params"]["path"])).collect();
    let (a, b) = (json!(world.cwd().join("a.txt")), json!(world.cwd().join("b.txt")));
    let (reads, writes) = (json!("fs/read_text_file"), json!("fs/write_text_file"));
    assert_eq!(asked, [(&reads, &a), (&reads, &a), (&writes, &a), (&writes, &b), (&reads, &a), (&writes, &a)]);
    assert_eq!(editor.requests[2]["params"]["content"], "changed\n");
    assert_eq!(editor.requests[2]["params"]["sessionId"], json!(session));
    let diff =
        editor.updates.iter().map(|params| &params["update"]["content"][0]).find(|block| block["oldText"].is_string());
    assert_eq!(diff.unwrap()["oldText"], "unsaved\n");
    assert_eq!(std::fs::read_to_string(world.cwd().join("a.txt")).unwrap(), "on disk\n", "the editor has it");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn clientcap_003_no_file_goes_through_an_editor_that_does_not_offer_it() {
    let calls = [tool_call("t1", "write", &json!({"path": "b.txt", "content": "new\n"})), answer("done")];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    assert!(editor.requests.is_empty());
    assert_eq!(std::fs::read_to_string(world.cwd().join("b.txt")).unwrap(), "new\n");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn auth_methods_are_those_that_the_editor_can_use() {
    let world = World::empty();
    for (terminal, expected) in [(false, 0), (true, 1)] {
        let mut editor = Editor::silent(&world, &[]);
        let capabilities = json!({"auth": {"terminal": terminal}});
        let said = json!({"protocolVersion": 1, "clientCapabilities": capabilities});
        let methods = editor.ok("initialize", said).await["authMethods"].take();
        let methods = methods.as_array().unwrap();
        let terminals: Vec<_> = methods.iter().filter(|method| method["type"] == "terminal").collect();
        assert_eq!(terminals.len(), expected);
        assert!(terminals.iter().all(|method| method["args"] == json!(["auth", "login"])));
        assert!(methods.iter().any(|method| method["id"] == "anthropic"), "{methods:?}");
        let error = editor.ask("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await.unwrap_err();
        assert_eq!(error["data"]["authMethods"], json!(methods));
        assert_eq!(editor.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn auth_a_login_in_a_terminal_is_seen_afterwards() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    let models = world.agent_dir().join("models.json");
    let text = std::fs::read_to_string(&models).unwrap();
    std::fs::remove_file(&models).unwrap();
    let mut editor = Editor::with(&world, json!({"auth": {"terminal": true}})).await;
    let new = json!({"cwd": world.cwd(), "mcpServers": []});
    assert_eq!(editor.refusal("session/new", new.clone()).await.0, -32000);
    // What the terminal leaves behind.
    std::fs::write(&models, text).unwrap();
    editor.ok("authenticate", json!({"methodId": "terminal"})).await;
    editor.ok("session/new", new).await;
    assert_eq!(editor.refusal("authenticate", json!({"methodId": "no such"})).await.0, -32602);
    editor.ok("logout", json!({})).await;
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_project_is_trusted_when_the_user_says_so() {
    for (answer_of_user, trusted, stored) in [("0", true, true), ("1", true, false), ("2", false, false)] {
        let provider = Provider::start([answer("hello")]).await;
        let world = World::with(&provider);
        std::fs::create_dir_all(world.cwd().join(".pi")).unwrap();
        std::fs::write(world.cwd().join(".pi/SYSTEM.md"), "You are the project's own.").unwrap();
        let mut editor = Editor::start(&world).await;
        let reply = json!({"outcome": {"outcome": "selected", "optionId": answer_of_user}});
        editor.replies.insert("session/request_permission", [reply].into());
        let new = editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
        let session = new["sessionId"].as_str().unwrap().to_owned();
        // Sent at once: it waits for the answer to the question.
        assert_eq!(editor.prompt(&session, "hi").await, "end_turn");
        let question = editor.requests[0]["params"]["toolCall"]["title"].as_str().unwrap();
        assert!(question.contains(".pi/SYSTEM.md"), "{question}");
        let system = provider.requests()[0].system();
        assert_eq!(system.contains("the project's own"), trusted, "{answer_of_user}");
        assert_eq!(editor.end().await, (0, String::new()));
        assert_eq!(world.agent_dir().join("trust.json").exists(), stored, "{answer_of_user}");
        assert_eq!(world.history(), ["user: hi", "assistant: hello"]);
    }
}

#[tokio::test]
async fn a_prompt_that_waits_for_the_answer_about_the_project_can_be_called_off() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    std::fs::create_dir_all(world.cwd().join(".pi")).unwrap();
    std::fs::write(world.cwd().join(".pi/SYSTEM.md"), "You are the project's own.").unwrap();
    let mut editor = Editor::start(&world).await;
    // The user does not answer.
    editor.replies.insert("session/request_permission", [json!(null)].into());
    let new = editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    let session = new["sessionId"].as_str().unwrap().to_owned();
    let cancelled = json!({"stopReason": "cancelled"});

    let first = editor.send_prompt(&session, "first").await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(first).await.unwrap(), cancelled);
    let second = editor.send_prompt(&session, "second").await;
    editor.notify("$/cancel_request", json!({"requestId": second})).await;
    assert_eq!(editor.answer(second).await.unwrap_err()["code"], -32800);
    let third = editor.send_prompt(&session, "third").await;
    editor.ok("session/close", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(third).await.unwrap(), cancelled);

    assert_eq!(editor.requests.len(), 1);
    // An answer that comes after all that opens nothing again.
    let late = json!({"outcome": {"outcome": "selected", "optionId": "0"}});
    let late = json!({"jsonrpc": "2.0", "id": editor.requests[0]["id"], "result": late});
    editor.pi.send(&format!("{late}\n")).await;
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "hi"}]});
    assert_eq!(editor.refusal("session/prompt", prompt).await.0, -32002);
    assert_eq!(editor.end().await, (0, String::new()));
    assert!(provider.requests().is_empty() && !world.agent_dir().join("trust.json").exists());
}
