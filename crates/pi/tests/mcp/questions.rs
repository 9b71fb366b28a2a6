//! What servers ask back: the user, the model, the roots.

use std::path::Path;

use pi_test_kit::{Live, Provider, World, answer, tool_call, wait_until};
use serde_json::{Value, json};

use crate::{entry, prompt, results, world};

/// A client of RPC, which is where questions to a user can be answered by a program.
fn client(world: &World) -> Live {
    world.pi(&["--mode", "rpc", "--no-session"]).env("BROWSER", "./browser").start()
}

async fn send(pi: &mut Live, message: &Value) {
    pi.send(&format!("{message}\n")).await;
}

/// The next question to the user.
async fn question(pi: &mut Live) -> Value {
    let is_dialog = |event: &Value| {
        let method = event["method"].as_str().unwrap_or_default();
        event["type"] == "extension_ui_request" && ["select", "confirm", "input"].contains(&method)
    };
    pi.until(is_dialog).await.pop().unwrap()
}

async fn reply(pi: &mut Live, question: &Value, answer: &Value) {
    let mut message = json!({"type": "extension_ui_response", "id": question["id"]});
    message.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
    send(pi, &message).await;
}

fn log(world: &World) -> String {
    std::fs::read_to_string(world.cwd().join("server.log")).unwrap_or_default()
}

#[tokio::test]
async fn forms_and_pages_are_put_to_the_user() {
    let calls = ["ask", "show", "wall"].map(|name| (name, format!("mcp__t__{name}")));
    let calls = calls.iter().map(|(id, name)| tool_call(id, name, &json!({}))).collect::<Vec<_>>();
    let replies = calls.into_iter().chain([answer("ok")]);
    let provider = Provider::start(replies).await;
    let mut entry = entry("curious");
    // Less than the user takes: their time does not count.
    entry["timeout"] = json!(1500);
    let world = world(&provider, &json!({"t": entry}));
    let opened = world.cwd().join("opened");
    let browser = world.write("browser", "#!/bin/sh\necho \"$1\" > opened\n");
    std::process::Command::new("chmod").arg("+x").arg(&browser).status().unwrap();
    let mut pi = client(&world);
    send(&mut pi, &json!({"type": "prompt", "message": "go"})).await;
    let title = "MCP server \"t\" asks\nWho are you?";
    let mut asked = question(&mut pi).await;
    assert_eq!((&asked["method"], &asked["title"]), (&json!("input"), &json!(format!("{title}\nName"))));
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    reply(&mut pi, &asked, &json!({"value": "Ann"})).await;
    asked = question(&mut pi).await;
    reply(&mut pi, &asked, &json!({"value": "12"})).await;
    asked = question(&mut pi).await;
    assert_eq!(asked["title"], json!(format!("{title}\nage\nThe number must be at least 18.")));
    reply(&mut pi, &asked, &json!({"value": "40"})).await;
    asked = question(&mut pi).await;
    assert_eq!(asked["method"], "confirm");
    assert_eq!(asked["message"], "Pay here.\nhttps://pay.example.com/1");
    reply(&mut pi, &asked, &json!({"confirmed": true})).await;
    asked = question(&mut pi).await;
    assert_eq!(asked["message"], "Pay here.\nhttps://pay.example.com/1");
    reply(&mut pi, &asked, &json!({"confirmed": false})).await;
    pi.event("agent_end").await;
    wait_until("the page is open", || opened.exists() && !std::fs::read_to_string(&opened).unwrap().is_empty()).await;
    assert_eq!(std::fs::read_to_string(&opened).unwrap(), "https://pay.example.com/1\n");
    let expected = [r#"{"action": "accept", "content": {"age": 40, "name": "Ann"}}"#, r#"{"action": "accept"}"#];
    assert_eq!(results(&provider)[..2], expected);
    assert!(results(&provider)[2].ends_with("wants the user to go to a page first, and they did not"));
    assert!(log(&world).contains("\"elicitation\": {\"form\": {}, \"url\": {}}"), "{}", log(&world));
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn a_dialog_that_is_cancelled_cancels_the_question() {
    let provider = Provider::start([tool_call("1", "mcp__t__ask", &json!({})), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("curious")}));
    let mut pi = client(&world);
    send(&mut pi, &json!({"type": "prompt", "message": "go"})).await;
    let asked = question(&mut pi).await;
    reply(&mut pi, &asked, &json!({"cancelled": true})).await;
    pi.event("agent_end").await;
    assert_eq!(results(&provider), [r#"{"action": "cancel"}"#]);
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn a_question_goes_with_the_call_that_is_aborted() {
    let provider = Provider::start([tool_call("1", "mcp__t__ask", &json!({})), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("curious")}));
    let mut pi = client(&world);
    send(&mut pi, &json!({"type": "prompt", "message": "go"})).await;
    question(&mut pi).await;
    send(&mut pi, &json!({"type": "abort"})).await;
    pi.event("agent_end").await;
    let both = |log: &str| log.contains("notifications/cancelled") && log.contains(r#"answer {"action": "cancel"}"#);
    wait_until("the server knows", || both(&log(&world))).await;
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn without_a_user_servers_are_told_no() {
    let calls = ["ask", "show", "borrow", "where", "odd"].map(|name| (name, format!("mcp__t__{name}")));
    let calls: Vec<_> = calls.iter().map(|(id, name)| tool_call(id, name, &json!({}))).collect();
    let provider = Provider::start(calls.into_iter().chain([answer("ok")])).await;
    let world = world(&provider, &json!({"t": entry("curious")}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let results = results(&provider);
    let cwd: &Path = &world.cwd();
    assert_eq!(results[..2], [r#"{"action": "decline"}"#, r#"{"action": "decline"}"#]);
    assert!(results[2].contains("pi lends its model to no server"), "{}", results[2]);
    assert!(
        results[3].contains(&format!("file://{}", std::fs::canonicalize(cwd).unwrap().display())),
        "{}",
        results[3]
    );
    assert!(results[4].contains("-32602"), "{}", results[4]);
    assert!(!log(&world).contains("elicitation"), "{}", log(&world));
}

#[tokio::test]
async fn servers_of_the_newest_revision_ask_and_tell_in_their_own_way() {
    let calls = ["ask", "borrow", "grow"].map(|name| (name, format!("mcp__t__{name}")));
    let calls: Vec<_> = calls.iter().map(|(id, name)| tool_call(id, name, &json!({}))).collect();
    let provider = Provider::start(calls.into_iter().chain([answer("ok")])).await;
    let world = world(&provider, &json!({"t": entry("newest")}));
    let mut pi = client(&world);
    send(&mut pi, &json!({"type": "prompt", "message": "go"})).await;
    for value in ["Ann", "40"] {
        let asked = question(&mut pi).await;
        reply(&mut pi, &asked, &json!({"value": value})).await;
    }
    pi.event("agent_end").await;
    let results = results(&provider);
    assert_eq!(results[0], r#"{"action": "accept", "content": {"age": 40, "name": "Ann"}} state-1"#);
    assert!(results[1].contains("pi lends its model to no server"), "{}", results[1]);
    assert_eq!(results[2], "grown");
    assert!(crate::tools(&provider.requests()[3]).contains(&"mcp__t__late"));
    assert!(!log(&world).contains("initialize") && log(&world).contains("subscriptions/listen"), "{}", log(&world));
    pi.close_stdin();
    pi.finish().await;
}
