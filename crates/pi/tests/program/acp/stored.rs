//! Sessions that are stored: listed, loaded, resumed, closed, deleted; and their options.

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Answer, Gate, Provider, Reply, World, answer, delta, end, open, tool_call};

/// A session with two turns, the first of them with an edit.
async fn stored(world: &World, provider: &Provider) -> String {
    std::fs::write(world.cwd().join("a.txt"), "one\n").unwrap();
    let edits = json!({"path": "a.txt", "edits": [{"oldText": "one", "newText": "eins"}]});
    let call = Answer::of_tokens(7, 5).thinking("hmm").text("I edit.").call("t1", "edit", &edits).reply();
    provider.answer_with([call, answer("Edited."), answer("Bye.")]);
    let mut editor = Editor::start(world).await;
    let session = editor.session(world).await;
    assert_eq!(editor.prompt(&session, "edit it").await, "end_turn");
    assert_eq!(editor.prompt(&session, "bye").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
    session
}

/// Kind and text, or state, of what was told of the conversation.
fn story(editor: &Editor, session: &str) -> Vec<String> {
    let own = editor.updates.iter().filter(|params| params["sessionId"] == session).map(|params| &params["update"]);
    let line = |update: &Value| {
        let kind = update["sessionUpdate"].as_str().unwrap();
        let what = update["content"]["text"].as_str().or(update["status"].as_str()).unwrap_or_default();
        format!("{kind} {what}").trim().to_owned()
    };
    let kinds = ["available_commands_update", "usage_update", "config_option_update"];
    own.filter(|update| !kinds.contains(&update["sessionUpdate"].as_str().unwrap())).map(line).collect()
}

#[tokio::test]
async fn load_the_history_comes_before_the_answer() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut editor = Editor::start(&world).await;
    let params = json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []});
    let answered = editor.ok("session/load", params).await;
    assert_eq!(answered["configOptions"][0]["currentValue"], "mock/m1");
    let expected = [
        "user_message_chunk edit it",
        "agent_thought_chunk hmm",
        "agent_message_chunk I edit.",
        "tool_call",
        "tool_call_update completed",
        "agent_message_chunk Edited.",
        "user_message_chunk bye",
        "agent_message_chunk Bye.",
    ];
    assert_eq!(story(&editor, &session), expected);
    let call = editor.of_kind(&session, "tool_call")[0];
    assert_eq!((&call["title"], &call["kind"]), (&json!("edit a.txt"), &json!("edit")));
    let ended = editor.of_kind(&session, "tool_call_update")[0];
    assert_eq!(ended["content"][0]["type"], "diff");
    assert_eq!(ended["content"][0]["oldText"], "one\n");
    provider.answer_with([answer("Back.")]);
    assert_eq!(editor.prompt(&session, "back").await, "end_turn");
    assert_eq!(provider.requests().last().unwrap().texts("user").len(), 4);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn load_tells_what_has_arrived_of_an_answer_and_the_rest_once() {
    let gate = Gate::new();
    let held = Reply::stream(&(open() + &delta("aaa "))).wait(&gate).then(&(delta("bbb") + &end())).end();
    let provider = Provider::start([answer("first"), held]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "hi").await, "end_turn");
    let prompt = editor.send_prompt(&session, "go").await;
    editor.until_update(0, |update| update["content"]["text"] == "aaa ").await;
    for _ in 0..2 {
        editor.updates.clear();
        editor.ok("session/load", json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []})).await;
        let expected =
            ["user_message_chunk hi", "agent_message_chunk first", "user_message_chunk go", "agent_message_chunk aaa"];
        assert_eq!(story(&editor, &session), expected);
    }
    gate.open();
    assert_eq!(editor.answer(prompt).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(editor.text(&session, "agent_message_chunk"), "firstaaa bbb");
    let chunks = editor.of_kind(&session, "agent_message_chunk");
    assert_eq!(chunks[1]["messageId"], chunks[2]["messageId"]);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn load_tells_of_a_call_that_runs_with_its_output_so_far() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let script = "echo one; while ! [ -e go ]; do sleep 0.05; done; echo two";
    let running =
        Answer::of_tokens(7, 5).thinking("hmm").text("I run.").call("t1", "bash", &json!({"command": script}));
    // Some providers use an id again.
    provider.answer_with([
        tool_call("t1", "bash", &json!({"command": "ls"})),
        answer("listed"),
        running.reply(),
        answer("done"),
    ]);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "list").await, "end_turn");
    let prompt = editor.send_prompt(&session, "run").await;
    editor.until_update(0, |update| update["content"][0]["content"]["text"] == "one\n").await;
    editor.updates.clear();
    editor.ok("session/load", json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []})).await;
    let expected = [
        "user_message_chunk list",
        "tool_call",
        "tool_call_update completed",
        "agent_message_chunk listed",
        "user_message_chunk run",
        "agent_thought_chunk hmm",
        "agent_message_chunk I run.",
        "tool_call in_progress",
    ];
    assert_eq!(story(&editor, &session), expected);
    let calls = editor.of_kind(&session, "tool_call");
    assert_ne!(calls[0]["toolCallId"], calls[1]["toolCallId"]);
    assert_eq!(calls[1]["content"][0]["content"]["text"], "one\n");
    assert_eq!((&calls[1]["rawInput"]["command"], &calls[1]["kind"]), (&json!(script), &json!("execute")));
    let id = calls[1]["toolCallId"].clone();
    std::fs::write(world.cwd().join("go"), "").unwrap();
    assert_eq!(editor.answer(prompt).await.unwrap()["stopReason"], "end_turn");
    let ended = editor.of_kind(&session, "tool_call_update").pop().unwrap();
    assert_eq!((&ended["toolCallId"], &ended["status"]), (&id, &json!("completed")));
    assert_eq!(story(&editor, &session).last().unwrap(), "agent_message_chunk done");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn load_requests_for_one_session_at_once_wait_for_each_other() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut editor = Editor::start(&world).await;
    let params = json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": []});
    let mut asked = Vec::new();
    for method in ["session/load", "session/resume", "session/load", "session/close", "session/load"] {
        let params = if method == "session/close" { json!({"sessionId": session}) } else { params.clone() };
        asked.push(editor.send(method, params).await);
    }
    for id in asked {
        let answered = editor.answer(id).await;
        assert!(answered.is_ok(), "{answered:?}");
    }
    provider.answer_with([answer("Back.")]);
    assert_eq!(editor.prompt(&session, "back").await, "end_turn");
    assert_eq!(provider.requests().last().unwrap().texts("user").len(), 4);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn load_in_another_directory_says_that_the_session_stays_in_its_own() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    for (capabilities, kind) in [(json!({}), "agent_message_chunk"), (json!({"session": {"notices": {}}}), "notice")] {
        let mut editor = Editor::with(&world, capabilities).await;
        for (method, cwd) in [("session/load", world.home()), ("session/resume", world.cwd())] {
            editor.ok(method, json!({"sessionId": session, "cwd": cwd, "mcpServers": []})).await;
            editor.until("available_commands_update").await;
        }
        let told: Vec<String> = editor.of_kind(&session, kind).into_iter().map(Value::to_string).collect();
        let told: Vec<_> = told.iter().filter(|text| text.contains("goes on there")).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(world.cwd().to_str().unwrap()), "{told:?}");
        assert_eq!(editor.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn the_first_message_is_the_title_until_there_is_a_name() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    for text in ["first\n words", "second"] {
        assert_eq!(editor.prompt(&session, text).await, "end_turn");
    }
    let titles: Vec<_> =
        editor.of_kind(&session, "session_info_update").into_iter().map(|update| update["title"].clone()).collect();
    assert_eq!(titles, ["first words"]);
    let listed = editor.ok("session/list", json!({})).await;
    assert_eq!(listed["sessions"][0]["title"], titles[0]);
    let named = editor.session(&world).await;
    for text in ["/name our work", "third"] {
        assert_eq!(editor.prompt(&named, text).await, "end_turn");
    }
    assert_eq!(editor.of_kind(&named, "session_info_update").len(), 1);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn resume_goes_on_without_the_history() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut editor = Editor::start(&world).await;
    editor.ok("session/resume", json!({"sessionId": session, "cwd": world.cwd()})).await;
    assert!(story(&editor, &session).is_empty());
    provider.answer_with([answer("Back.")]);
    assert_eq!(editor.prompt(&session, "back").await, "end_turn");
    assert_eq!(provider.requests().last().unwrap().texts("user").len(), 4);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn list_names_what_is_stored() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut editor = Editor::start(&world).await;
    for filter in [json!({}), json!({"cwd": world.cwd()})] {
        let listed = editor.ok("session/list", filter).await["sessions"].take();
        assert_eq!(listed.as_array().unwrap().len(), 1);
        assert_eq!((&listed[0]["sessionId"], &listed[0]["title"]), (&json!(session), &json!("edit it")));
        assert_eq!(listed[0]["cwd"], json!(world.cwd()));
        assert!(listed[0]["updatedAt"].as_str().unwrap().ends_with('Z'));
    }
    let elsewhere = editor.ok("session/list", json!({"cwd": world.home()})).await;
    assert_eq!(elsewhere["sessions"], json!([]));
    assert_eq!(editor.refusal("session/list", json!({"cursor": "x"})).await.0, -32602);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn close_and_delete() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut editor = Editor::start(&world).await;
    editor.ok("session/resume", json!({"sessionId": session, "cwd": world.cwd()})).await;
    editor.ok("session/close", json!({"sessionId": session})).await;
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "hi"}]});
    assert_eq!(editor.refusal("session/prompt", prompt).await.0, -32002);
    assert_eq!(editor.refusal("session/close", json!({"sessionId": session})).await.0, -32002);
    assert_eq!(world.session_files().len(), 1, "a closed session is still there");
    editor.ok("session/resume", json!({"sessionId": session, "cwd": world.cwd()})).await;
    editor.ok("session/delete", json!({"sessionId": session})).await;
    assert_eq!(world.session_files().len(), 0);
    editor.ok("session/delete", json!({"sessionId": session})).await;
    assert_eq!(editor.ok("session/list", json!({})).await["sessions"], json!([]));
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_session_of_another_process_is_refused_with_its_name() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let session = stored(&world, &provider).await;
    let mut first = Editor::start(&world).await;
    first.ok("session/resume", json!({"sessionId": session, "cwd": world.cwd()})).await;
    let mut second = Editor::start(&world).await;
    let refused = second.refusal("session/resume", json!({"sessionId": session, "cwd": world.cwd()})).await;
    assert_eq!(refused.0, -32603);
    assert!(refused.1.contains(&first.pi.id().to_string()), "{}", refused.1);
    assert_eq!(second.end().await, (0, String::new()));
    assert_eq!(first.end().await, (0, String::new()));
}

#[tokio::test]
async fn config_003_model_and_thinking_are_options_of_the_session() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let new = editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    let session = new["sessionId"].as_str().unwrap().to_owned();
    let options = &new["configOptions"];
    assert_eq!((&options[0]["id"], &options[0]["category"]), (&json!("model"), &json!("model")));
    assert_eq!((&options[1]["id"], &options[1]["category"]), (&json!("thought_level"), &json!("thought_level")));
    let set = |id: &str, value: &str| json!({"sessionId": session, "configId": id, "value": value});
    let answered = editor.ok("session/set_config_option", set("thought_level", "high")).await;
    assert_eq!(answered["configOptions"][1]["currentValue"], "high");
    let answered = editor.ok("session/set_config_option", set("model", "chat/c1")).await;
    assert_eq!(answered["configOptions"][0]["currentValue"], "chat/c1");
    for (id, value) in [("model", "no/such"), ("thought_level", "enormous"), ("colour", "red")] {
        assert_eq!(editor.refusal("session/set_config_option", set(id, value)).await.0, -32602, "{id}");
    }
    let other = editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    assert_eq!(other["configOptions"][0]["currentValue"], "mock/m1", "the other session keeps its own");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn config_compaction_is_a_switch_of_the_session_for_clients_that_have_switches() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let capabilities = json!({"session": {"configOptions": {"boolean": {}}}});
    let mut editor = Editor::with(&world, capabilities).await;
    let new = json!({"cwd": world.cwd(), "mcpServers": []});
    let (one, other) = (editor.ok("session/new", new.clone()).await, editor.ok("session/new", new.clone()).await);
    let switch = |answer: &Value| {
        let options = answer["configOptions"].as_array().unwrap();
        options.iter().find(|option| option["id"] == "compaction").cloned().unwrap_or_default()
    };
    assert_eq!((&switch(&one)["type"], &switch(&one)["currentValue"]), (&json!("boolean"), &json!(true)));
    let set = |session: &Value, value: Value| json!({"sessionId": session["sessionId"], "configId": "compaction", "type": "boolean", "value": value});
    let answer = editor.ok("session/set_config_option", set(&one, json!(false))).await;
    assert_eq!(switch(&answer)["currentValue"], false);
    let unchanged = editor.ok("session/set_config_option", set(&other, json!(true))).await;
    assert_eq!(switch(&unchanged)["currentValue"], true, "each session has its own");
    let wrong = json!({"sessionId": one["sessionId"], "configId": "compaction", "value": "off"});
    assert_eq!(editor.refusal("session/set_config_option", wrong).await.0, -32602);
    let settings = std::fs::read_to_string(world.agent_dir().join("settings.json")).unwrap_or_default();
    assert!(!settings.contains("compaction"), "{settings}");
    assert_eq!(editor.end().await, (0, String::new()));
    let mut without = Editor::start(&world).await;
    assert!(switch(&without.ok("session/new", new).await).is_null());
    assert_eq!(without.end().await, (0, String::new()));
}
