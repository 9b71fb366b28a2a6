//! `--ask`: a question before calls, on the screen, over RPC, and where nobody can be asked.

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::json;

use crate::screen::Screen;

#[tokio::test]
async fn a_key_makes_commands_ask_and_a_word_reaches_the_model() {
    let calls = [
        tool_call("t1", "bash", &json!({"command": "touch one"})),
        tool_call("t2", "bash", &json!({"command": "touch two"})),
        tool_call("t3", "bash", &json!({"command": "touch two"})),
        answer("over"),
    ];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    // Alt+M
    screen.type_in("\x1b[109;3u").await;
    screen.see("Commands, and tools of servers and extensions, ask before they run").await;
    screen.see("• asks: commands").await;
    screen.type_in("go\r").await;
    screen.see("Run this command?").await;
    screen.see("touch one").await;
    for _ in 0..3 {
        screen.type_in("\x1b[B").await;
    }
    screen.see("→ Reject, and say what to do instead").await;
    screen.type_in("\r").await;
    screen.see("What shall the model do instead?").await;
    screen.type_in("make it two\r").await;
    screen.see("Always allow `touch two` in this project").await;
    screen.type_in("\x1b[B").await;
    screen.see("→ Always allow").await;
    screen.type_in("\r").await;
    screen.see("over").await;
    assert!(!world.cwd().join("one").exists() && world.cwd().join("two").exists());
    let results = provider.requests()[1].body["messages"].to_string();
    assert!(results.contains("The user did not allow this call. The user says: make it two"), "{results}");
    // Commands of the user ask nobody.
    screen.type_in("!touch three\r").await;
    pi_test_kit::wait_until("the command has run", || world.cwd().join("three").exists()).await;
    screen.type_in("\x1b[109;3u").await;
    screen.see("• asks: edits").await;
    screen.type_in("\x1b[109;3u").await;
    screen.see("Nothing asks before it runs").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn without_a_user_nothing_that_asks_runs() {
    let calls = [tool_call("t1", "write", &json!({"path": "a.txt", "content": "new\n"})), answer("over")];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    let done = world.pi(&["-p", "--ask", "edits", "go"]).run().await;
    assert_eq!((done.code, done.stdout.trim()), (Some(0), "over"), "{}", done.stderr);
    assert!(!world.cwd().join("a.txt").exists());
    let results = provider.requests()[1].body["messages"].to_string();
    assert!(results.contains("there is nobody to ask"), "{results}");
    let done = world.pi(&["-p", "--ask", "always", "go"]).run().await;
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("Invalid --ask \"always\". Valid values: never, commands, edits"), "{}", done.stderr);
}

#[tokio::test]
async fn over_rpc_the_question_is_a_choice() {
    let calls = [tool_call("t1", "bash", &json!({"command": "touch one"})), answer("over")];
    let provider = Provider::start(calls).await;
    let world = World::with(&provider);
    let mut pi = world.pi(&["--mode", "rpc", "--no-session", "--ask", "commands"]).start();
    pi.send("{\"type\":\"prompt\",\"message\":\"go\"}\n").await;
    let question = pi.event("extension_ui_request").await;
    assert_eq!((&question["method"], &question["title"]), (&json!("select"), &json!("Run this command?\n\ntouch one")));
    assert_eq!(question["options"][0], "Allow once");
    let reply = json!({"type": "extension_ui_response", "id": question["id"], "value": "Allow once"});
    pi.send(&format!("{reply}\n")).await;
    pi.event("agent_settled").await;
    assert!(world.cwd().join("one").exists());
    assert_eq!(pi.end().await, (0, String::new()));
}
