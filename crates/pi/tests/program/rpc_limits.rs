//! Clients that send too much, or read too little: everything is answered or waits, and nothing grows.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::rpc::{ask, outline, prompt, rpc, send};
use pi_test_kit::{Live, Provider, Reply, World, answer, delta, end, open};

/// Peak of the memory in use, in bytes.
pub(crate) fn peak(pi: &Live) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", pi.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

#[tokio::test]
async fn hostile_lines_are_answered_and_survived() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    let deep = "[".repeat(100_000);
    for line in [&deep, &format!("{{\"type\":\"prompt\",\"message\":{deep}"), "null", "\u{0}", "{\"type\":\"abort\"} x"]
    {
        pi.send(&format!("{line}\n")).await;
        assert_eq!(pi.event("response").await["success"], false);
    }
    for bytes in [&b"\xff\xfe"[..], b"{\"id\":1,\"type\":\"prompt\",\"message\":\"\xc3\"}"] {
        pi.send_bytes(&[bytes, b"\n"].concat()).await;
        let response = pi.event("response").await;
        assert_eq!((&response["command"], response.get("id")), (&json!("parse"), None));
    }
    assert_eq!(ask(&mut pi, json!({"id": 1, "type": "get_messages"})).await["success"], true);
    assert_eq!(pi.end().await, (0, String::new()));
}

/// docs/rpc.md: 127 levels, the command's object included.
#[tokio::test]
async fn a_line_may_nest_127_levels_and_no_more() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    for levels in 126..=130 {
        let nested = "[".repeat(levels - 1) + &"]".repeat(levels - 1);
        for (kind, more) in [("get_messages", ""), ("set_session_name", "\"name\":\"deep\",")] {
            pi.send(&format!("{{\"id\":{levels},\"type\":\"{kind}\",{more}\"more\":{nested}}}\n")).await;
            let response = pi.event("response").await;
            if levels <= 127 {
                assert_eq!((&response["id"], &response["success"]), (&json!(levels), &json!(true)), "{response}");
                continue;
            }
            assert_eq!((&response["command"], &response["success"]), (&json!("parse"), &json!(false)), "{levels}");
            let error = response["error"].as_str().unwrap();
            let start = "Failed to parse command: it is nested deeper than 127 levels at line 1 column ";
            assert!(error.starts_with(start), "{error}");
        }
        // No command, but JSON: an answer all the same.
        pi.send(&format!("{nested}\n")).await;
        assert_eq!(pi.event("response").await["error"], "Unknown command: undefined");
    }
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_line_may_have_64_mebibytes_and_no_more() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    let head = "{\"id\":1,\"type\":\"set_session_name\",\"name\":\" \",\"padding\":\"";
    let line = |length: usize| format!("{head}{}\"}}", "x".repeat(length - head.len() - 2));
    pi.send(&(line(64 << 20) + "\r\n")).await;
    let response = pi.event("response").await;
    assert_eq!(response["error"], "Session name cannot be empty");
    pi.send(&(line((64 << 20) + 1) + "\n")).await;
    let response = pi.event("response").await;
    let text = "Failed to parse command: the line is longer than 67108864 bytes (64 MiB) and was skipped; send less in one command";
    assert_eq!(response, json!({"type": "response", "command": "parse", "success": false, "error": text}));
    let before = peak(&pi);
    for _ in 0..8 {
        pi.send(&"x".repeat(64 << 20)).await;
    }
    pi.send("\n").await;
    assert_eq!(pi.event("response").await["error"], text);
    pi.send(&format!("[0{}]\n", ",0".repeat(30 << 20))).await;
    assert_eq!(pi.event("response").await["error"], "Unknown command: undefined");
    assert!(peak(&pi) <= before + (16 << 20), "{} after {before}", peak(&pi));
    assert_eq!(ask(&mut pi, json!({"id": 1, "type": "get_messages"})).await["success"], true);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn many_commands_are_answered_in_their_order() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    let count = 20_000;
    let mut lines = String::new();
    for n in 0..count {
        writeln!(lines, "{{\"id\":{n},\"type\":\"get_last_assistant_text\"}}").unwrap();
    }
    // Nothing is read before all is sent: it waits in the program.
    pi.send(&lines).await;
    for n in 0..count {
        assert_eq!(pi.line().await.unwrap()["id"], n);
    }
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_command_that_ends_something_goes_past_those_that_wait() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang(), answer("next")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(|line| line["type"] == "message_update").await;
    // As many as may be in progress, and some more.
    let sleep = json!({"id": "sleep", "type": "bash", "command": "sleep 600"});
    send(&mut pi, &vec![sleep; 300]).await;
    send(&mut pi, &[json!({"id": "waits", "type": "get_messages"}), json!({"id": 1, "type": "abort"})]).await;
    let lines = pi.until(|line| line["id"] == 1).await;
    assert_eq!(lines.iter().rfind(|line| line["type"] == "message_end").unwrap()["message"]["stopReason"], "aborted");
    assert!(lines.iter().all(|line| line["id"] != "waits"), "{:?}", outline(&lines));
    // Each that is killed lets one begin that waited: three hundred and the prompt less those that may be in progress.
    for _ in 0..44 {
        send(&mut pi, &[json!({"id": "kill", "type": "abort_bash"})]).await;
        let lines = pi.until(|line| line["id"] == "sleep").await;
        assert_eq!(lines.last().unwrap()["data"]["cancelled"], true);
        assert!(lines.iter().all(|line| line["id"] != "waits"), "{:?}", outline(&lines));
    }
    send(&mut pi, &[json!({"id": "kill", "type": "abort_bash"})]).await;
    pi.until(|line| line["id"] == "waits").await;
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_client_that_reads_late_misses_nothing() {
    let count = 2_000;
    let text: String = (0..count).map(|n| delta(&format!("word {n} "))).collect();
    let provider = Provider::start([Reply::stream(&(open() + &text + &end())).end()]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    send(&mut pi, &vec![json!({"id": "early", "type": "get_last_assistant_text"}); 5]).await;
    provider.received(1).await;
    let lines = pi.until(|line| line["type"] == "agent_end").await;
    let updates = lines.iter().filter(|line| line["assistantMessageEvent"]["type"] == "text_delta").count();
    let answers = lines.iter().filter(|line| line["id"] == "early").count();
    assert_eq!((updates, answers), (count, 5));
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn what_was_asked_for_before_the_end_of_the_input_is_answered() {
    let provider = Provider::start([answer(&"x".repeat(1 << 20))]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("agent_settled").await;
    for n in 0..20 {
        send(&mut pi, &[json!({"id": n, "type": "get_messages"}), json!({"id": n, "type": "get_fork_messages"})]).await;
        send(&mut pi, &[json!({"id": n, "type": "get_state"})]).await;
    }
    pi.close_stdin();
    let answers: Vec<Value> = pi.rest().await;
    assert_eq!(answers.len(), 60, "{:?}", outline(&answers));
    assert!(answers.iter().all(|answer| answer["success"] == true));
    assert_eq!(pi.finish().await, (0, String::new()));
}
