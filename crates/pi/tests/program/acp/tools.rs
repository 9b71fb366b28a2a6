//! Tool calls: kinds, places, differences, live output, states; and what a prompt may enclose.

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Provider, World, answer, tool_call};

/// The updates of a call: how it was announced, and what followed.
fn call<'a>(editor: &'a Editor, session: &str, id: &str) -> (&'a Value, Vec<&'a Value>) {
    let mut announced: Vec<_> = editor.of_kind(session, "tool_call");
    announced.retain(|update| update["toolCallId"] == id);
    assert_eq!(announced.len(), 1, "{id}");
    let mut updates = editor.of_kind(session, "tool_call_update");
    updates.retain(|update| update["toolCallId"] == id);
    (announced[0], updates)
}

fn states(updates: &[&Value]) -> Vec<String> {
    updates.iter().filter_map(|update| update["status"].as_str()).map(ToOwned::to_owned).collect()
}

async fn run(world: &World, provider: &Provider, tool: &str, arguments: Value) -> (Editor, String) {
    provider.answer_with([tool_call("t1", tool, &arguments), answer("done")]);
    let mut editor = Editor::start(world).await;
    let session = editor.session(world).await;
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    (editor, session)
}

#[tokio::test]
async fn reading_names_the_file_and_the_line() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let file = world.cwd().join("a.txt");
    std::fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let (editor, session) = run(&world, &provider, "read", json!({"path": "a.txt", "offset": 2})).await;
    let (announced, updates) = call(&editor, &session, "t1");
    assert_eq!((&announced["kind"], &announced["name"]), (&json!("read"), &json!("read")));
    assert_ne!(announced["status"], "completed");
    assert_eq!(states(&updates), ["in_progress", "completed"]);
    assert_eq!(updates[0]["title"], "read a.txt");
    assert_eq!(updates[0]["rawInput"], json!({"path": "a.txt", "offset": 2}));
    assert_eq!(updates[0]["locations"], json!([{"path": file, "line": 2}]));
    let text = updates.last().unwrap()["content"][0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("two\nthree"), "{text}");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn edits_and_new_files_are_differences() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let file = world.cwd().join("a.txt");
    std::fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let edits = json!({"path": "a.txt", "edits": [{"oldText": "two", "newText": "zwei"}]});
    let (editor, session) = run(&world, &provider, "edit", edits).await;
    let (announced, updates) = call(&editor, &session, "t1");
    assert_eq!(announced["kind"], "edit");
    let ended = updates.last().unwrap();
    assert_eq!(ended["status"], "completed");
    let diff = json!({"type": "diff", "path": file, "oldText": "one\ntwo\nthree\n", "newText": "one\nzwei\nthree\n"});
    assert_eq!(ended["content"], json!([diff]));
    assert_eq!(ended["locations"], json!([{"path": file, "line": 2}]));
    assert_eq!(editor.end().await, (0, String::new()));

    let written = json!({"path": "sub/b.txt", "content": "new\n"});
    let (editor, session) = run(&world, &provider, "write", written).await;
    let ended = *call(&editor, &session, "t1").1.last().unwrap();
    let diff = &ended["content"][0];
    assert_eq!((&diff["type"], &diff["newText"]), (&json!("diff"), &json!("new\n")));
    assert_eq!(diff["path"], json!(world.cwd().join("sub/b.txt")));
    assert!(diff["oldText"].is_null());
    assert_eq!(editor.end().await, (0, String::new()));

    // One that is there is replaced; what is no text cannot be shown.
    let binary = world.cwd().join("c.bin");
    std::fs::write(&binary, [0xff, 0]).unwrap();
    let old = std::fs::read_to_string(&file).unwrap();
    for (path, old) in [(&file, json!(old)), (&binary, Value::Null)] {
        let (editor, session) = run(&world, &provider, "write", json!({"path": path, "content": "new\n"})).await;
        let diff = call(&editor, &session, "t1").1.last().unwrap()["content"][0].clone();
        assert_eq!((&diff["oldText"], &diff["newText"], &diff["path"]), (&old, &json!("new\n"), &json!(path)));
        assert_eq!(editor.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn commands_show_their_output_as_it_comes() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let script = "echo one; while ! [ -e go ]; do sleep 0.05; done; echo two";
    let arguments = json!({"command": script});
    provider.answer_with([tool_call("t1", "bash", &arguments), answer("done")]);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let prompt = editor.send_prompt(&session, "go").await;
    editor.until_update(0, |update| update["content"][0]["content"]["text"] == "one\n").await;
    std::fs::write(world.cwd().join("go"), "").unwrap();
    assert_eq!(editor.answer(prompt).await.unwrap()["stopReason"], "end_turn");
    let (announced, updates) = call(&editor, &session, "t1");
    assert_eq!(announced["kind"], "execute");
    assert_eq!(updates[0]["title"], format!("`{script}`"));
    assert_eq!(states(&updates), ["in_progress", "completed"]);
    let text = updates.last().unwrap()["content"][0]["content"]["text"].as_str().unwrap();
    assert_eq!(text.trim_end(), "one\ntwo");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_call_that_fails_says_why() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let (editor, session) = run(&world, &provider, "read", json!({"path": "missing"})).await;
    let (_, updates) = call(&editor, &session, "t1");
    assert_eq!(states(&updates).last().unwrap(), "failed");
    let text = updates.last().unwrap()["content"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("ENOENT"), "{text}");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn promptcap_images_and_files_reach_the_model() {
    let provider = Provider::start([answer("seen")]).await;
    let world = World::with(&provider);
    takes_images(&world);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let blocks = json!([
        {"type": "text", "text": "look at "},
        {"type": "resource_link", "name": "a.rs", "uri": "file:///w/a.rs#L3:9"},
        {"type": "resource", "resource": {"uri": "file:///w/b.txt", "text": "inside"}},
        {"type": "image", "mimeType": "image/png", "data": PIXEL}
    ]);
    let id = editor.send_blocks(&session, blocks).await;
    assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn");
    let request = &provider.requests()[0];
    let text = request.texts("user").remove(0);
    assert_eq!(text, "look at /w/a.rs:3-9\n<file name=\"/w/b.txt\">\ninside\n</file>\n");
    assert!(request.body.to_string().contains(PIXEL));
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn promptcap_what_is_no_image_is_refused_before_it_is_in_the_conversation() {
    let provider = Provider::start([answer("seen")]).await;
    let world = World::with(&provider);
    takes_images(&world);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let image = |data: &str, kind: &str| json!({"type": "image", "data": data, "mimeType": kind});
    let file = |data: &str| json!({"type": "resource", "resource": {"uri": "file:///w/a.png", "blob": data, "mimeType": "image/png"}});
    for (block, reason) in [
        (image("not base64!!", "image/svg+xml"), "image/svg+xml"),
        (image("PHN2Zy8+", "image/png"), "no base64 text of a still PNG"),
        (image("", ""), "no base64 text of a still PNG"),
        (file("PHN2Zy8+"), "/w/a.png"),
        // Begins like one.
        (image(&PIXEL[..44], "image/png"), "an image cannot be sent"),
    ] {
        let blocks = json!([{"type": "text", "text": "look"}, block]);
        let (code, words) = editor.refusal("session/prompt", json!({"sessionId": session, "prompt": blocks})).await;
        assert_eq!(code, -32602);
        assert!(words.contains(reason), "{words}");
    }
    // What it is counts, not what it is said to be.
    let blocks = json!([{"type": "text", "text": "look"}, image(PIXEL, "")]);
    let id = editor.send_blocks(&session, blocks).await;
    assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn");
    let messages = provider.requests()[0].body["messages"].clone();
    assert_eq!(messages.as_array().unwrap().len(), 1, "{messages}");
    assert!(messages.to_string().contains(r#""media_type":"image/png""#), "{messages}");
    assert_eq!(editor.end().await, (0, String::new()));
}

/// Lets the model take images.
fn takes_images(world: &World) {
    let models = world.agent_dir().join("models.json");
    let mut config: Value = serde_json::from_slice(&std::fs::read(&models).unwrap()).unwrap();
    config["providers"]["mock"]["models"][0]["input"] = json!(["text", "image"]);
    std::fs::write(&models, config.to_string()).unwrap();
}

#[tokio::test]
async fn promptcap_audio_is_refused_by_name() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let blocks = json!([{"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}]);
    let (code, words) = editor.refusal("session/prompt", json!({"sessionId": session, "prompt": blocks})).await;
    assert_eq!(code, -32602);
    assert!(words.contains("audio is not taken"), "{words}");
    assert_eq!(editor.end().await, (0, String::new()));
}

const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

#[cfg(feature = "typescript")]
#[tokio::test]
async fn calls_of_a_script_are_shown_like_those_of_the_model() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    world.write_config("settings.json", &json!({"defaultTools": ["+codemode"]}));
    let script = json!({"script": "await tools.write({ path: 'a.txt', content: 'new' }); return await tools.read({ path: 'a.txt' })"});
    let (editor, session) = run(&world, &provider, "codemode", script).await;
    let (written, updates) = call(&editor, &session, "t1:1");
    assert_eq!((&written["kind"], states(&updates)), (&json!("edit"), vec!["in_progress".into(), "completed".into()]));
    assert_eq!(updates.last().unwrap()["content"][0]["newText"], "new");
    assert_eq!(call(&editor, &session, "t1:2").0["kind"], "read");
    let ended = *call(&editor, &session, "t1").1.last().unwrap();
    assert_eq!((&ended["status"], &ended["content"][0]["content"]["text"]), (&json!("completed"), &json!("new")));
    assert_eq!(editor.end().await, (0, String::new()));

    let mut later = Editor::start(&world).await;
    later.ok("session/load", json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []})).await;
    let (written, updates) = call(&later, &session, "t1:1");
    assert_eq!((&written["kind"], states(&updates)), (&json!("edit"), vec!["completed".into()]));
    assert_eq!(updates[0]["content"][0]["newText"], "new");
    assert_eq!(call(&later, &session, "t1:2").1[0]["content"][0]["content"]["text"], "new");
    assert_eq!(states(&call(&later, &session, "t1").1), ["completed"]);
    assert_eq!(later.end().await, (0, String::new()));
}

#[tokio::test]
async fn commands_are_terminals_for_clients_that_show_them() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let arguments = json!({"command": "echo one; while ! [ -e go ]; do sleep 0.05; done; echo two; exit 3"});
    provider.answer_with([tool_call("t1", "bash", &arguments), answer("done")]);
    let capabilities = json!({"_meta": {"terminal_output": true}});
    let mut editor = Editor::with(&world, capabilities.clone()).await;
    let session = editor.session(&world).await;
    let ask = json!({"sessionId": session, "configId": "mode", "value": "commands"});
    editor.ok("session/set_config_option", ask).await;
    let allowed = json!({"outcome": {"outcome": "selected", "optionId": "0"}});
    editor.replies.insert("session/request_permission", [allowed].into());
    let prompt = editor.send_prompt(&session, "go").await;
    editor.until_update(0, |update| update["_meta"]["terminal_output"]["data"] == "one\n").await;
    std::fs::write(world.cwd().join("go"), "").unwrap();
    assert_eq!(editor.answer(prompt).await.unwrap()["stopReason"], "end_turn");
    let place = json!([{"type": "terminal", "terminalId": "t1"}]);
    let (announced, updates) = call(&editor, &session, "t1");
    assert_eq!(announced["content"], place);
    assert_eq!(announced["_meta"]["terminal_info"], json!({"terminal_id": "t1", "cwd": world.cwd()}));
    let asked = &editor.requests[0]["params"]["toolCall"]["content"][0]["content"]["text"];
    assert!(asked.as_str().unwrap().contains("exit 3"), "{asked}");
    let contents: Vec<_> = updates.iter().filter(|update| !update["content"].is_null()).collect();
    assert!(contents.iter().all(|update| update["content"] == place), "the question's content is gone: {contents:?}");
    let data = |updates: &[&Value]| {
        let pieces = updates.iter().filter_map(|update| update["_meta"]["terminal_output"]["data"].as_str());
        pieces.collect::<String>()
    };
    let whole = "one\ntwo\n\nCommand exited with code 3";
    assert_eq!(data(&updates).replace("\n\n\n", "\n\n"), whole);
    let exit = json!({"terminal_id": "t1", "exit_code": 3, "signal": null});
    let ended = updates.last().unwrap();
    assert_eq!((&ended["_meta"]["terminal_exit"], &ended["status"]), (&exit, &json!("failed")));
    assert!(ended["rawOutput"].as_str().unwrap().starts_with("one\ntwo"), "{ended}");
    assert_eq!(editor.end().await, (0, String::new()));

    let mut later = Editor::with(&world, capabilities).await;
    later.ok("session/load", json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []})).await;
    let (recorded, updates) = call(&later, &session, "t1");
    assert_eq!((&recorded["content"], &recorded["_meta"]["terminal_info"]["terminal_id"]), (&place, &json!("t1")));
    assert_eq!(
        (data(&updates).replace("\n\n\n", "\n\n").as_str(), &updates[0]["_meta"]["terminal_exit"]),
        (whole, &exit)
    );
    assert_eq!(later.end().await, (0, String::new()));
}
