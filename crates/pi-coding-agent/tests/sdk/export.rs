//! The current branch as a file, also of a session that has none.

use pi_ai::scripted::model;
use pi_coding_agent::ExportError;
use pi_coding_agent::agent_session::Error;
use serde_json::{Value, json};

use crate::support::{Stage, says};

#[tokio::test]
async fn a_session_in_memory_is_exported_as_a_branch() {
    let stage = Stage::new(json!({}), model("plain"));
    stage.script([says("an answer")]);
    stage.prompt("a question").await;
    let dir = tempfile::tempdir().unwrap();
    let output = dir.path().join("b.jsonl");
    let path = stage.session.export().jsonl(output.to_str()).await.unwrap();
    assert_eq!(path, output.to_str().unwrap());
    let text = std::fs::read_to_string(&output).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["id"], stage.session.session_id());
    let kinds: Vec<&str> = lines[1..].iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, stage.entries());
    let refused = stage.session.export().html(output.to_str()).await;
    assert!(matches!(refused, Err(Error::Export(ExportError::InMemory))));
}
