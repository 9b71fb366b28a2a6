//! What the model is shown at the leaf.

use std::path::Path;

use pi_ai::{ThinkingLevel, UserContent};
use pi_coding_agent::messages::{BashExecutionMessage, bash_text, convert_to_llm};
use pi_coding_agent::session::{BranchSummary, Compaction, CustomMessageContent, ModelReference, SessionManager};
use serde_json::json;

use crate::support::{assistant, host, user};

fn session() -> SessionManager {
    SessionManager::in_memory(host(Path::new("/work")), Path::new("/work"))
}

fn custom_message(text: &str) -> CustomMessageContent {
    CustomMessageContent {
        custom_type: "note".into(),
        content: UserContent::Text(text.into()),
        display: false,
        details: None,
    }
}

/// One line of JSON per message of the context, then one per message that a model gets.
fn shown(session: &SessionManager) -> String {
    let messages = session.build_session_context().unwrap().messages;
    let lines = |messages: &[std::sync::Arc<pi_ai::Message>]| {
        messages.iter().map(|message| serde_json::to_string(message).unwrap() + "\n").collect::<String>()
    };
    format!("{}---\n{}", lines(&messages), lines(&convert_to_llm(&messages)))
}

#[test]
fn an_empty_session_has_an_empty_context() {
    assert_eq!(session().build_session_context().unwrap(), Default::default());
}

#[test]
fn summaries_and_custom_messages_are_part_of_the_context() {
    let mut session = session();
    session.append_message(user("first")).unwrap();
    session.append().custom_message(custom_message("remember")).unwrap();
    session.append().custom_entry("state", Some(json!(1))).unwrap();
    let leaf = session.append_message(assistant("answer")).unwrap();
    session.append().label_change(&leaf, Some("here")).unwrap();
    let summary = BranchSummary { summary: "tried something".into(), ..BranchSummary::default() };
    session.branch_with_summary(Some(&leaf), summary).unwrap();
    session.branch_with_summary(Some(&leaf), BranchSummary::default()).unwrap();
    session.append_message(user("last")).unwrap();
    let branch_with_empty_summary = shown(&session);
    let bash = BashExecutionMessage { command: "ls".into(), output: "a\n".into(), ..Default::default() };
    let hidden = BashExecutionMessage { exclude_from_context: Some(true), ..bash.clone() };
    session.append_message(std::sync::Arc::new(bash.into())).unwrap();
    session.append_message(std::sync::Arc::new(hidden.into())).unwrap();
    assert!(!branch_with_empty_summary.contains("branchSummary"));
    let with_summary = session
        .entries()
        .iter()
        .map(Result::unwrap)
        .find(|entry| entry.kind() == "branch_summary")
        .unwrap()
        .id()
        .to_owned();
    insta::assert_snapshot!("empty_summary_and_bash", shown(&session));
    session.branch(&with_summary).unwrap();
    insta::assert_snapshot!("branch_summary", shown(&session));
}

#[test]
fn a_compaction_replaces_what_it_summarises() {
    let mut session = session();
    session.append_message(user("gone")).unwrap();
    session.append_message(assistant("gone too")).unwrap();
    let compaction = |summary: &str, kept: &str| Compaction {
        summary: summary.into(),
        first_kept_entry_id: kept.into(),
        tokens_before: 9,
        ..Compaction::default()
    };
    session.append().compaction(compaction("older", "nothing")).unwrap();
    let kept = session.append_message(user("kept")).unwrap();
    session.append_message(assistant("kept, too")).unwrap();
    session.append().compaction(compaction("sum", &kept)).unwrap();
    session.append_message(user("after")).unwrap();
    insta::assert_snapshot!("compaction", shown(&session));
    // A first kept entry that is not on the branch keeps nothing.
    session.append().compaction(compaction("all", "ffffffff")).unwrap();
    assert_eq!(session.build_session_context().unwrap().messages.len(), 1);
}

#[test]
fn the_last_model_and_level_on_the_branch_count() {
    let mut session = session();
    let model = |session: &SessionManager| session.build_session_context().unwrap().model;
    let named = |provider: &str, id: &str| Some(ModelReference { provider: provider.into(), model_id: id.into() });
    let root = session.append().model_change("p1", "m1").unwrap();
    session.append().thinking_level_change("high").unwrap();
    session.append_message(user("q")).unwrap();
    assert_eq!(model(&session), named("p1", "m1"));
    session.append_message(assistant("a")).unwrap();
    assert_eq!(model(&session), named("p", "m"));
    session.append().model_change("p2", "m2").unwrap();
    assert_eq!(model(&session), named("p2", "m2"));
    assert_eq!(session.build_session_context().unwrap().thinking_level, Some(ThinkingLevel::High));
    session.append().thinking_level_change("galactic").unwrap();
    assert_eq!(session.build_session_context().unwrap().thinking_level, Some(ThinkingLevel::Off));
    session.branch(&root).unwrap();
    let context = session.build_session_context().unwrap();
    assert_eq!((context.model, context.thinking_level), (named("p1", "m1"), None));
}

#[test]
fn shell_commands_read_well() {
    let bash =
        |output: &str| BashExecutionMessage { command: "make".into(), output: output.into(), ..Default::default() };
    let cases = [
        bash("done\n"),
        bash(""),
        BashExecutionMessage { exit_code: Some(2), ..bash("x") },
        BashExecutionMessage { exit_code: Some(0), ..bash("x") },
        BashExecutionMessage { cancelled: true, exit_code: Some(9), ..bash("") },
        BashExecutionMessage {
            truncated: true,
            full_output_path: Some("/tmp/o".into()),
            exit_code: Some(1),
            ..bash("x")
        },
        BashExecutionMessage { truncated: true, ..bash("x") },
    ];
    insta::assert_snapshot!(cases.iter().map(bash_text).collect::<Vec<_>>().join("\n=====\n"));
}

#[test]
fn unknown_roles_are_left_out_and_known_ones_shared() {
    let known = user("x");
    let unknown = serde_json::from_value(json!({"role": "robot", "beep": 1})).unwrap();
    let shown = convert_to_llm(&[known.clone(), std::sync::Arc::new(unknown)]);
    assert!(shown.len() == 1 && std::sync::Arc::ptr_eq(&shown[0], &known));
}

#[test]
fn the_whole_file_is_counted_however_small_the_context_is() {
    let mut session = session();
    let first = session.append_message(user("a")).unwrap();
    session.append_message(assistant("b")).unwrap();
    session.branch(&first).unwrap();
    let kept = session.append_message(assistant("c")).unwrap();
    let compaction = Compaction { summary: "s".into(), first_kept_entry_id: kept, ..Compaction::default() };
    session.append().compaction(compaction).unwrap();
    let totals = session.entries().totals().unwrap();
    assert_eq!((totals.user_messages, totals.assistant_messages, totals.total_messages), (1, 2, 3));
    assert_eq!(session.build_session_context().unwrap().messages.len(), 2);
}
