//! The same file under this program and under the reference, in both directions. Needs the reference: set
//! `PI_REFERENCE_CLI` to the command line that starts it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use pi_ai::UserContent;
use pi_coding_agent::messages::BashExecutionMessage;
use pi_coding_agent::session::{BranchSummary, Compaction, CustomMessageContent, NewSession, SessionManager};
use serde_json::{Value, json};

use crate::support::{assistant, host, later_host, open, raw_entries, user};

/// The reference with a file open; answers RPC commands.
fn ask_reference(command: &str, home: &Path, file: &Path, requests: &[Value]) -> Vec<Value> {
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec {command} --mode rpc --offline --session \"$0\""), file.to_str().unwrap()])
        .current_dir(home)
        .env("HOME", home)
        .env("ANTHROPIC_API_KEY", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut orders = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answers = vec![];
    for request in requests {
        writeln!(orders, "{request}").unwrap();
        let response = lines.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        let mut response = response.filter(|record| record["type"] == "response");
        let response = response.next().expect("the reference has ended");
        assert_eq!(response["success"], true, "{response}");
        answers.push(response["data"].clone());
    }
    drop(orders);
    child.wait().unwrap();
    answers
}

/// A session with everything that can be in a context.
fn full_session(dir: &Path) -> std::path::PathBuf {
    let mut session = SessionManager::create(host(dir), dir, &NewSession::default()).unwrap();
    session.append().model_change("anthropic", "claude-sonnet-4-5").unwrap();
    session.append().thinking_level_change("medium").unwrap();
    session.append_message(user("first: \u{e4}\u{1f600} \u{2028} \"quoted\"\u{0}")).unwrap();
    session.append_message(assistant("answer\nof two lines")).unwrap();
    let kept = session.append_message(user("kept")).unwrap();
    session.append_message(assistant("kept, too")).unwrap();
    session
        .append()
        .compaction(Compaction {
            summary: "sum".into(),
            first_kept_entry_id: kept.clone(),
            tokens_before: 100,
            details: Some(json!({"readFiles": ["a"], "modifiedFiles": []})),
            from_hook: Some(false),
        })
        .unwrap();
    let content = UserContent::Text("note".into());
    let note = CustomMessageContent { custom_type: "x".into(), content, display: true, details: Some(json!([1])) };
    session.append().custom_message(note).unwrap();
    session.append().custom_entry("state", Some(json!({"n": 1}))).unwrap();
    let bash = BashExecutionMessage {
        command: "ls".into(),
        output: "a\n".into(),
        exit_code: Some(0),
        timestamp: 5,
        ..Default::default()
    };
    let after = session.append_message(std::sync::Arc::new(bash.into())).unwrap();
    session.append_message(user("left")).unwrap();
    let summary = BranchSummary { summary: "what was left".into(), details: None, from_hook: Some(false) };
    session.branch_with_summary(Some(&after), summary).unwrap();
    session.append().label_change(&kept, Some("pin")).unwrap();
    session.append_message(assistant("the last one")).unwrap();
    session.session_file().unwrap().to_owned()
}

fn context(session: &SessionManager) -> Value {
    serde_json::to_value(session.build_session_context().unwrap().messages).unwrap()
}

#[test]
fn both_see_the_same_session() {
    let Ok(command) = std::env::var("PI_REFERENCE_CLI") else {
        println!("skipped: PI_REFERENCE_CLI is not set");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let file = full_session(dir.path());
    let ours = open(dir.path(), &file);
    let (messages, entries) = (context(&ours), raw_entries(&ours));
    drop(ours);

    let requests = [
        json!({"id": "1", "type": "get_messages"}),
        json!({"id": "2", "type": "set_session_name", "name": "named by the reference"}),
        json!({"id": "3", "type": "get_messages"}),
    ];
    let answers = ask_reference(&command, dir.path(), &file, &requests);
    assert_eq!(answers[0]["messages"], messages);

    let mut ours = open(dir.path(), &file);
    assert_eq!(ours.load_report(), Default::default());
    assert_eq!(raw_entries(&ours)[..entries.len()], entries, "the reference changed nothing");
    assert_eq!(ours.session_name().unwrap(), Some("named by the reference"));
    assert_eq!(context(&ours), answers[2]["messages"]);
    ours.append_message(user("and back")).unwrap();
    let messages = context(&ours);
    let fork = SessionManager::fork_from(later_host(dir.path()), &file, dir.path(), &NewSession::default()).unwrap();
    let fork_file = fork.session_file().unwrap().to_owned();
    drop((ours, fork));
    for file in [file, fork_file] {
        let answers = ask_reference(&command, dir.path(), &file, &[json!({"id": "1", "type": "get_messages"})]);
        assert_eq!(answers[0]["messages"], messages, "{}", fs::read_to_string(&file).unwrap());
    }
}
