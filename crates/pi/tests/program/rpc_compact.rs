//! Compaction as RPC clients ask for it.

use serde_json::{Value, json};

use crate::rpc::{ask, outline, prompt, rpc, send};
use pi_test_kit::{Gate, Live, Provider, Reply, World, answer, read_entries};

fn compact(id: u64) -> Value {
    json!({"id": id, "type": "compact", "customInstructions": "dwell on tests"})
}

/// Two long turns, of which the second is kept.
async fn two_turns(pi: &mut Live) {
    for text in ["first", "second"] {
        send(pi, &[prompt(&format!("{text} {}", "word ".repeat(300)))]).await;
        pi.until(|line| line["type"] == "agent_settled").await;
    }
}

fn configure(world: &World) {
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false},
            "compaction": {"reserveTokens": 2000, "keepRecentTokens": 100}}),
    );
}

#[tokio::test]
async fn events_come_before_the_response() {
    let provider = Provider::start([answer("one"), answer("two"), answer("SUMMARY"), answer("three")]).await;
    let world = World::with(&provider);
    configure(&world);
    let mut pi = rpc(&world).await;
    let small = ask(&mut pi, compact(1)).await;
    assert_eq!(small["error"], "Nothing to compact (session too small)");
    two_turns(&mut pi).await;
    send(&mut pi, &[compact(2)]).await;
    let lines = pi.until(|line| line["id"] == 2).await;
    assert_eq!(outline(&lines), ["compaction_start", "compaction_end", "compact"]);
    let data = &lines[2]["data"];
    assert_eq!((&lines[0]["reason"], &lines[1]["result"]), (&json!("manual"), data));
    let keys: Vec<&String> = data.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["summary", "firstKeptEntryId", "tokensBefore", "estimatedTokensAfter", "details"]);
    let asked = provider.requests()[2].clone();
    assert!(asked.texts("user")[0].ends_with("Additional focus: dwell on tests"));
    assert_eq!(asked.tools(), Vec::<&str>::new());
    let again = ask(&mut pi, compact(3)).await;
    assert_eq!(again["error"], "Already compacted");
    send(&mut pi, &[prompt("third")]).await;
    pi.until(|line| line["type"] == "agent_end").await;
    let sent = provider.requests()[3].texts("user");
    assert!(sent[0].contains("<summary>\nSUMMARY\n</summary>") && sent[1].starts_with("second "), "{sent:?}");
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.entries().iter().filter(|entry| entry["type"] == "compaction").count(), 1);
}

#[tokio::test]
async fn the_end_of_input_stops_it_and_nothing_is_stored() {
    let gate = Gate::new();
    let provider = Provider::start([answer("one"), answer("two"), Reply::stream("").wait(&gate)]).await;
    let world = World::with(&provider);
    configure(&world);
    let mut pi = rpc(&world).await;
    two_turns(&mut pi).await;
    send(&mut pi, &[compact(1)]).await;
    provider.received(3).await;
    let state = ask(&mut pi, json!({"id": 2, "type": "get_state"})).await;
    assert_eq!((&state["data"]["isCompacting"], &state["data"]["isStreaming"]), (&json!(true), &json!(false)));
    // Stops runs, not compactions.
    ask(&mut pi, json!({"id": 3, "type": "abort"})).await;
    let busy = ask(&mut pi, compact(4)).await;
    assert!(busy["error"].as_str().unwrap().starts_with("A compaction is already in progress"), "{busy}");
    pi.close_stdin();
    let rest = pi.rest().await;
    assert_eq!(outline(&rest), ["compact: Compaction cancelled"]);
    assert_eq!(pi.finish().await, (0, String::new()));
    let entries = read_entries(&world.session_files()[0]);
    assert!(entries.iter().all(|entry| entry["type"] != "compaction"));
}

#[tokio::test]
async fn automatic_compaction_is_switched_in_the_settings() {
    let world = World::at("http://127.0.0.1:9");
    configure(&world);
    let mut pi = rpc(&world).await;
    let enabled = async |pi: &mut Live| {
        ask(pi, json!({"id": 8, "type": "get_state"})).await["data"]["autoCompactionEnabled"].as_bool().unwrap()
    };
    assert!(enabled(&mut pi).await);
    let done = ask(&mut pi, json!({"id": 1, "type": "set_auto_compaction", "enabled": false})).await;
    assert_eq!((&done["success"], done.get("data")), (&json!(true), None));
    assert!(!enabled(&mut pi).await);
    assert_eq!(pi.end().await, (0, String::new()));
    let settings = std::fs::read_to_string(world.agent_dir().join("settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings["compaction"], json!({"reserveTokens": 2000, "keepRecentTokens": 100, "enabled": false}));
}
