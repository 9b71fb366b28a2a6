//! What a session writes, and when.

use std::fs;

use pi_ai::UserContent;

use pi_coding_agent::messages::BashExecutionMessage;
use pi_coding_agent::session::{
    BranchSummary, Compaction, CustomMessageContent, Error, NewSession, SessionIdError, SessionManager,
};
use serde_json::json;

use crate::support::{assistant, host, open, raw_entries, user};

#[test]
fn every_kind_of_entry_has_its_key_order() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let mut session = SessionManager::open(host(dir.path()), &file, Some("/srv/app".as_ref())).unwrap();
    session.append().model_change("p", "m").unwrap();
    session.append().thinking_level_change("medium").unwrap();
    let first = session.append_message(user("hello")).unwrap();
    session.append_message(assistant("hi")).unwrap();
    session.append().session_info("  my name ").unwrap();
    session.append().label_change(&first, Some("lab")).unwrap();
    session.append().label_change(&first, Some("")).unwrap();
    session.append().custom_entry("x", None).unwrap();
    session.append().custom_entry("x", Some(json!({"b": 1, "a": null}))).unwrap();
    let content = UserContent::Text("note".into());
    let message = CustomMessageContent { custom_type: "x".into(), content, display: true, details: Some(json!([1])) };
    session.append().custom_message(message).unwrap();
    let bash = BashExecutionMessage {
        command: "ls".into(),
        output: "a\n".into(),
        exit_code: Some(0),
        timestamp: 5,
        exclude_from_context: Some(true),
        ..Default::default()
    };
    session.append_message(std::sync::Arc::new(bash.into())).unwrap();
    session
        .append()
        .compaction(Compaction {
            summary: "sum".into(),
            first_kept_entry_id: first,
            tokens_before: 100,
            details: Some(json!({"readFiles": [], "modifiedFiles": []})),
            from_hook: Some(false),
        })
        .unwrap();
    let summary = BranchSummary { summary: "bs".into(), details: None, from_hook: Some(true) };
    session.branch_with_summary(None, summary).unwrap();
    session.sync().unwrap();
    insta::assert_snapshot!(fs::read_to_string(&file).unwrap());
    drop(session);

    let reopened = open(dir.path(), &file);
    assert_eq!(reopened.session_name().unwrap(), Some("my name"));
    assert_eq!(reopened.cwd(), std::path::Path::new("/srv/app"));
    assert_eq!(reopened.load_report(), Default::default());
    assert_eq!(raw_entries(&reopened).len(), 13);
}

#[test]
fn the_file_appears_with_the_first_message() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = SessionManager::create(host(dir.path()), dir.path(), &NewSession::default()).unwrap();
    let file = session.session_file().unwrap().to_owned();
    session.append().model_change("p", "m").unwrap();
    session.append().session_info("a name").unwrap();
    session.sync().unwrap();
    assert_eq!(fs::read_dir(session.storage().dir()).unwrap().count(), 0, "nothing was asked");
    session.append_message(user("hello")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 4);
    session.append_message(assistant("hi")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 5);
    assert!(session.uses_default_session_dir());
    assert_eq!(file.parent(), Some(session.storage().dir()));
    let name = file.file_name().unwrap().to_str().unwrap();
    insta::assert_snapshot!(name, @"2026-11-21T20-14-23-000Z_01a1ffbe-e130-7000-8000-000000000001.jsonl");
}

#[test]
fn a_file_that_appeared_meanwhile_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let mut session = SessionManager::open(host(dir.path()), &file, None).unwrap();
    fs::write(&file, "precious").unwrap();
    let refused = session.append_message(assistant("hi")).unwrap_err();
    assert!(matches!(refused, Error::Write { .. }), "{refused}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    // Nothing is lost: once the way is free, the next entry takes the first along.
    fs::remove_file(&file).unwrap();
    session.append_message(user("again")).unwrap();
    drop(session);
    assert_eq!(open(dir.path(), &file).entries().count().unwrap(), 2);
}

#[test]
fn a_session_in_memory_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = SessionManager::in_memory(host(dir.path()), dir.path());
    session.append_message(assistant("hi")).unwrap();
    session.sync().unwrap();
    assert_eq!((session.session_file(), session.storage().is_persisted()), (None, false));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn entries_link_to_the_leaf() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = SessionManager::in_memory(host(dir.path()), dir.path());
    assert_eq!(session.leaf_id(), None);
    let a = session.append_message(user("a")).unwrap();
    let b = session.append().custom_entry("x", None).unwrap();
    assert_eq!(session.entries().get(&b).unwrap().unwrap().parent_id(), Some(a.as_str()));
    session.branch(&a).unwrap();
    let c = session.append().session_info("n").unwrap();
    let ids = |branch: Vec<pi_coding_agent::session::StoredEntry>| -> Vec<String> {
        branch.iter().map(|entry| entry.id().to_owned()).collect()
    };
    assert_eq!(ids(session.entries().current_branch().unwrap()), [a.clone(), c.clone()]);
    assert_eq!(ids(session.entries().branch_of(&b).unwrap()), [a.clone(), b.clone()]);
    assert_eq!(ids(session.entries().branch_of("nope").unwrap()), [] as [&str; 0]);
    session.reset_leaf();
    let d = session.append().label_change(&c, Some("L")).unwrap();
    assert_eq!(session.entries().get(&d).unwrap().unwrap().parent_id(), None);
    assert_eq!((session.entries().label(&c).unwrap(), session.leaf_id()), (Some("L"), Some(d.as_str())));
    for refused in [
        session.branch("nope").unwrap_err(),
        session.append().label_change("nope", None).unwrap_err(),
        session.branch_with_summary(Some("nope"), BranchSummary::default()).unwrap_err(),
    ] {
        assert_eq!(refused.to_string(), "Entry nope not found");
    }
}

#[test]
fn ids_given_by_users_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    let create = |id: &str| {
        let options = NewSession { id: Some(id.into()), ..NewSession::default() };
        SessionManager::create(host(dir.path()), dir.path(), &options)
    };
    assert!(create("my-own-id-1").unwrap().session_file().unwrap().to_str().unwrap().ends_with("_my-own-id-1.jsonl"));
    assert!(matches!(create("../x").unwrap_err(), Error::Id(SessionIdError::Invalid)));
}

/// docs/sessions.md: an entry is read to 127 levels, itself included.
#[test]
fn entries_are_read_to_127_levels() {
    for levels in 126..=130 {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.jsonl");
        let mut session = SessionManager::open(host(dir.path()), &file, Some("/srv/app".as_ref())).unwrap();
        session.append_message(user("hello")).unwrap();
        session.append_message(assistant("hi")).unwrap();
        let leaf = session.leaf_id().unwrap().to_owned();
        drop(session);
        // The entry, its message, and details below them.
        let nested = "[".repeat(levels - 2) + &"]".repeat(levels - 2);
        let line = format!(
            "{{\"type\":\"message\",\"id\":\"deep\",\"parentId\":\"{leaf}\",\"timestamp\":\"2026-11-21T20:14:22.840Z\",\"message\":\
             {{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"t\",\"content\":[],\"details\":{nested},\"isError\":false,\"timestamp\":1}}}}\n"
        );
        let text = fs::read_to_string(&file).unwrap() + &line;
        fs::write(&file, &text).unwrap();
        let reopened = open(dir.path(), &file);
        let context = reopened.build_session_context().unwrap();
        assert_eq!(context.messages.len(), 2 + usize::from(levels <= 127), "{levels}");
        assert_eq!(context.unreadable, if levels <= 127 { vec![] } else { vec!["deep".to_owned()] }, "{levels}");
        // Whatever can be read of it, it keeps its place and its bytes.
        assert_eq!(reopened.leaf_id(), Some("deep"));
        drop(reopened);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

/// Entries that this program writes can be read again, whatever tools and extensions put into them.
#[test]
fn what_is_written_can_be_read_again_however_deep_it_was() {
    let nested = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
    for levels in [100, 117, 118, 119, 120, 121, 125, 126, 127, 128, 130, 200] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.jsonl");
        let mut session = SessionManager::open(host(dir.path()), &file, Some("/srv/app".as_ref())).unwrap();
        session.append_message(user("hello")).unwrap();
        session.append_message(assistant("hi")).unwrap();
        let result = json!({"role": "toolResult", "toolCallId": "c", "toolName": "t", "isError": false, "timestamp": 1,
            "content": [{"type": "text", "text": "kept"}]});
        let mut result: pi_ai::Message = serde_json::from_value(result).unwrap();
        let pi_ai::Message::ToolResult(message) = &mut result else { panic!("a result") };
        message.details = Some(nested(levels));
        session.append_message(std::sync::Arc::new(result)).unwrap();
        let content = UserContent::Text("note".into());
        let details = Some(nested(levels));
        let message = CustomMessageContent { custom_type: "x".into(), content, display: true, details };
        session.append().custom_message(message).unwrap();
        let data = session.append().custom_entry("x", Some(nested(levels)));
        // Its level, and those of the data.
        match data {
            Ok(_) => assert!(levels < 120, "{levels}"),
            Err(error) => {
                assert!(levels >= 120, "{levels}");
                let text = "The data of the entry is nested too deeply: a session entry has at most 120 levels. Flatten it, or store it as JSON text";
                assert_eq!(error.to_string(), text);
            }
        }
        session.sync().unwrap();
        drop(session);
        let reopened = open(dir.path(), &file);
        let context = reopened.build_session_context().unwrap();
        assert_eq!((context.messages.len(), context.unreadable.len()), (4, 0), "{levels}");
        let last = fs::read_to_string(&file).unwrap();
        assert_eq!(last.lines().count(), if levels < 120 { 6 } else { 5 });
        // Two levels above the details.
        assert_eq!(last.contains("[null]"), levels > 118, "{levels}");
    }
}
