//! Many at once: fifty sessions in one process, two editors beside each other, and an answer of 20,000 deltas.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};

const SESSIONS: usize = 50;

/// An answer in two parts, the second of which waits for the gate.
fn held(number: usize, gate: &Gate) -> Reply {
    let part = |which: &str| delta(&format!("{which} {number}. "));
    Reply::stream(&(open() + &part("begin"))).wait(gate).then(&(part("end") + &end())).end()
}

/// An editor with its sessions, whose first answers wait for the gate.
async fn fifty_sessions(gate: &Gate) -> (Provider, World, Editor, Vec<String>) {
    let provider = Provider::start((0..SESSIONS).map(|number| held(number, gate))).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        sessions.push(editor.session(&world).await);
    }
    (provider, world, editor, sessions)
}

/// Sends a prompt to each session before any of them is answered.
async fn ask_all(editor: &mut Editor, sessions: &[String], about: &str) -> Vec<u64> {
    let mut asked = Vec::new();
    for (at, session) in sessions.iter().enumerate() {
        asked.push(editor.send_prompt(session, &format!("{about} {at}")).await);
    }
    asked
}

/// The last message of the user in each request, in the order in which the provider answered.
fn questions(provider: &Provider, skip: usize) -> Vec<String> {
    let requests = provider.requests();
    requests[skip..].iter().map(|request| request.texts("user").pop().unwrap()).collect()
}

#[tokio::test]
async fn fifty_sessions_work_at_once_and_none_gets_the_answer_of_another() {
    let gate = Gate::new();
    let (provider, world, mut editor, sessions) = fifty_sessions(&gate).await;
    assert_eq!(sessions.iter().collect::<HashSet<_>>().len(), SESSIONS);

    let asked = ask_all(&mut editor, &sessions, "first").await;
    // No answer can end before all of them have begun.
    provider.received(SESSIONS).await;
    gate.open();
    for id in asked {
        assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn");
    }
    let mut expected: HashMap<String, String> = HashMap::new();
    for (number, question) in questions(&provider, 0).into_iter().enumerate() {
        expected.insert(question, format!("begin {number}. end {number}. "));
    }
    for (at, session) in sessions.iter().enumerate() {
        assert_eq!(editor.text(session, "agent_message_chunk"), expected[&format!("first {at}")], "session {at}");
    }

    // Each goes on with its own conversation.
    provider.answer_with((0..SESSIONS).map(|number| answer(&format!("again {number}"))));
    let asked = ask_all(&mut editor, &sessions, "second").await;
    for id in asked {
        assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn");
    }
    for request in &provider.requests()[SESSIONS..] {
        let texts = request.texts("user");
        let number = texts[1].strip_prefix("second ").unwrap();
        assert_eq!(texts, [format!("first {number}"), format!("second {number}")]);
        assert_eq!(request.texts("assistant"), [expected[&texts[0]].clone()]);
    }
    let listed = editor.ok("session/list", json!({})).await["sessions"].as_array().unwrap().len();
    assert_eq!((listed, world.session_files().len()), (SESSIONS, SESSIONS));
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn one_of_fifty_sessions_is_cancelled_and_the_others_go_on() {
    let gate = Gate::new();
    let (provider, _world, mut editor, sessions) = fifty_sessions(&gate).await;
    let asked = ask_all(&mut editor, &sessions, "first").await;
    provider.received(SESSIONS).await;
    let (cancelled, closed) = (7, 31);
    editor.notify("session/cancel", json!({"sessionId": sessions[cancelled]})).await;
    assert_eq!(editor.answer(asked[cancelled]).await.unwrap()["stopReason"], "cancelled");
    editor.ok("session/close", json!({"sessionId": sessions[closed]})).await;
    assert_eq!(editor.answer(asked[closed]).await.unwrap()["stopReason"], "cancelled");
    gate.open();
    for (at, id) in asked.into_iter().enumerate().filter(|(at, _)| ![cancelled, closed].contains(at)) {
        assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn", "session {at}");
        assert!(editor.text(&sessions[at], "agent_message_chunk").contains("end "), "session {at}");
    }
    provider.answer_with([answer("back")]);
    assert_eq!(editor.prompt(&sessions[cancelled], "and now").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn two_editors_work_in_one_project_and_share_its_sessions_one_after_the_other() {
    let gate = Gate::new();
    let provider = Provider::start([held(0, &gate), held(1, &gate)]).await;
    let world = World::with(&provider);
    let (mut one, mut two) = (Editor::start(&world).await, Editor::start(&world).await);
    let (of_one, of_two) = (one.session(&world).await, two.session(&world).await);
    let asked_one = one.send_prompt(&of_one, "from one").await;
    provider.received(1).await;
    let asked_two = two.send_prompt(&of_two, "from two").await;
    provider.received(2).await;

    // A session belongs to the process that has it open, also while it works; nothing of it gets lost.
    let params = json!({"sessionId": of_one, "cwd": world.cwd(), "mcpServers": []});
    let mut wanted = Vec::new();
    for (method, params) in [
        ("session/load", params.clone()),
        ("session/resume", params.clone()),
        ("session/delete", json!({"sessionId": of_one})),
    ] {
        wanted.push((method, two.send(method, params).await));
    }
    for (method, id) in wanted {
        let error = two.answer(id).await.expect_err(method);
        assert_eq!(error["code"], -32603, "{method}: {error}");
        assert!(error["message"].as_str().unwrap().contains(&one.pi.id().to_string()), "{method}: {error}");
    }
    gate.open();
    assert_eq!(one.answer(asked_one).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(two.answer(asked_two).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(one.text(&of_one, "agent_message_chunk"), "begin 0. end 0. ");
    assert_eq!(two.text(&of_two, "agent_message_chunk"), "begin 1. end 1. ");
    assert!(one.of_kind(&of_two, "agent_message_chunk").is_empty());

    // Both know of both, and who closes a session leaves it to the other.
    for editor in [&mut one, &mut two] {
        let listed = editor.ok("session/list", json!({"cwd": world.cwd()})).await;
        let ids: HashSet<&str> =
            listed["sessions"].as_array().unwrap().iter().filter_map(|one| one["sessionId"].as_str()).collect();
        assert_eq!(ids, HashSet::from([of_one.as_str(), of_two.as_str()]));
    }
    one.ok("session/close", json!({"sessionId": of_one})).await;
    two.ok("session/load", params.clone()).await;
    assert_eq!(two.text(&of_one, "agent_message_chunk"), "begin 0. end 0. ");
    let (_, words) = one.refusal("session/load", params).await;
    assert!(words.contains(&two.pi.id().to_string()), "{words}");
    provider.answer_with([answer("gone on")]);
    assert_eq!(two.prompt(&of_one, "go on").await, "end_turn");
    assert_eq!(provider.requests().pop().unwrap().texts("user"), ["from one", "go on"]);
    assert_eq!(one.end().await, (0, String::new()));
    assert_eq!(two.end().await, (0, String::new()));
}

/// Text of an answer of so many deltas, and what it takes on the wire: lines and bytes from the prompt to its answer.
async fn long_answer(count: usize) -> (String, usize, usize) {
    let deltas: String = (0..count).map(|number| delta(&piece(number))).collect();
    let provider = Provider::start([Reply::stream(&(open() + &deltas + &end())).end()]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let id = editor.send_prompt(&session, "go").await;
    let (mut text, mut lines, mut bytes) = (String::new(), 0, 0);
    // Without the check of the schema: the other tests do it with the same chunks.
    loop {
        let line: Value = editor.pi.line().await.expect("the output goes on");
        lines += 1;
        bytes += line.to_string().len();
        if line["id"] == id {
            assert_eq!(line["result"]["stopReason"], "end_turn", "{line}");
            break;
        }
        let update = &line["params"]["update"];
        if update["sessionUpdate"] == "agent_message_chunk" {
            text += update["content"]["text"].as_str().unwrap();
        }
    }
    editor.pi.end().await;
    assert_eq!(world.history().pop().unwrap(), format!("assistant: {text}"));
    (text, lines, bytes)
}

/// All pieces have the same length, so that the bytes of answers can be compared.
fn piece(number: usize) -> String {
    format!("{number:05} ")
}

#[tokio::test]
async fn twenty_thousand_deltas_arrive_complete_and_cost_four_times_five_thousand() {
    let (few, many) = (5_000, 20_000);
    let (text, few_lines, few_bytes) = long_answer(few).await;
    assert_eq!(text, (0..few).map(piece).collect::<String>());
    let (text, lines, bytes) = long_answer(many).await;
    assert_eq!(text, (0..many).map(piece).collect::<String>());
    // A line for each delta, and the same few around them.
    assert_eq!(
        (lines - few_lines, lines - many < 10),
        (many - few, true),
        "{lines} lines, {few_lines} of the short one"
    );
    assert!(bytes < 4 * few_bytes, "{bytes} bytes for {many} deltas, {few_bytes} for {few}");
}
